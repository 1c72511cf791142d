// The page as a whole: texts stay texts, runs are told apart, folders that hold no run are refused with what is wrong.
#include "picus/report/page.hpp"

#include "picus/report/page_template.hpp"
#include "picus/support/error.hpp"
#include "run_folder.hpp"

namespace picus::report::tests {
namespace {

// What stands in the place of the data.
std::string data_text(const std::string& page) {
  const std::string_view empty = page_template(), mark = "__PICUS_DATA__";
  const std::size_t place = empty.find(mark);
  EXPECT_EQ(page.substr(0, place), empty.substr(0, place));
  EXPECT_EQ(page.substr(page.size() - (empty.size() - place - mark.size())), empty.substr(place + mark.size()));
  return page.substr(place, page.size() - (empty.size() - mark.size()));
}
Json data_of(const std::string& page) { return Json::parse(data_text(page)); }

// Texts of users, of models and of folders come back as they are, and nothing of them is part of the page.
TEST(Page, TextsOfUsersStayTexts) {
  const TemporaryFolder folder("a 'quoted' <b>");
  write_ball(folder, three_rows());
  const std::string nasty = "</script><script>alert(\"1\")</script> <!-- \\ \t é";
  const std::string page = make_page({{folder, nasty}}, {.title = nasty});
  EXPECT_EQ(data_text(page).find('<'), std::string::npos);
  const Json data = data_of(page);
  EXPECT_EQ(data["title"], nasty);
  EXPECT_EQ(data["runs"][0]["label"], nasty);
  EXPECT_EQ(data["runs"][0]["model"]["title"], "A ball </script> \"between\" two walls");
  // Names of folders may be no UTF-8.
  const Json odd = data_of(make_page({{folder, "\xff\xfe run"}}, {}));
  EXPECT_EQ(odd["runs"][0]["label"], "\xEF\xBF\xBD\xEF\xBF\xBD run");
}

TEST(Page, IsTheSameForTheSameRun) {
  const TemporaryFolder folder("a");
  write_ball(folder, three_rows());
  const std::string page = make_page({{folder, ""}}, {});
  change_summary(folder, {{"wall_s", 17.0}, {"ns_per_step", 3.0}});  // how long it took is not in it
  EXPECT_EQ(make_page({{folder, ""}}, {}), page);
}

// Labels of two runs.
std::vector<std::string> labels(const PageRun& a, const PageRun& b) {
  const Json data = data_of(make_page({a, b}, {}));
  EXPECT_EQ(data["title"], "ball: 2 runs");
  return {data["runs"][0]["label"], data["runs"][1]["label"]};
}

using Labels = std::vector<std::string>;

TEST(Page, RunsAreToldApartByWhatDiffers) {
  const TemporaryFolder a("a"), b("b");
  write_ball(a, three_rows());
  write_ball(b, three_rows(), {{"m", 3.0}});
  EXPECT_EQ(labels({a, ""}, {b, ""}), (Labels{"m = 2", "m = 3"}));
  EXPECT_EQ(labels({a, "mine"}, {b, ""}), (Labels{"mine", "m = 3"}));
  change_summary(a, {{"method", "moreau-jean"}, {"dt", 1e-4}});
  change_summary(b, {{"method", "moreau-midpoint"}, {"dt", 2e-4}});
  EXPECT_EQ(labels({a, ""}, {b, ""}),
            (Labels{"moreau-jean, dt = 0.0001 s, m = 2", "moreau-midpoint, dt = 0.0002 s, m = 3"}));
}

// Numbers of all contacts that agree in each run are one.
TEST(Page, LabelsJoinTheNumbersOfAllContacts) {
  const TemporaryFolder a("a"), b("b");
  write_ball(a, three_rows(), {{"eN1", 0.5}, {"eN2", 0.5}, {"mu1", 0.1}, {"mu2", 0.2}});
  write_ball(b, three_rows(), {{"eN1", 0.25}, {"eN2", 0.25}, {"mu1", 0.1}, {"mu2", 0.3}});
  EXPECT_EQ(labels({a, ""}, {b, ""}), (Labels{"eN = 0.5, mu2 = 0.2", "eN = 0.25, mu2 = 0.3"}));
}

TEST(Page, RunsThatAreTheSameHaveTheNamesOfTheirFoldersOrNumbers) {
  const TemporaryFolder a("a"), b("b");
  write_ball(a, three_rows());
  write_ball(b, three_rows());
  EXPECT_EQ(labels({a, ""}, {b, ""}), (Labels{a.path().filename(), b.path().filename()}));
  EXPECT_EQ(labels({a, ""}, {a.path() / "", ""}),
            (Labels{a.path().filename().string() + " #1", a.path().filename().string() + " #2"}));
}

// Each run of a page has its part of the room.
TEST(Page, RoomIsSharedByTheRuns) {
  const TemporaryFolder folder("a");
  Recording r;
  for (int i = 0; i < 3000; ++i) add_state(r, i, i, 0);
  write_ball(folder, r);
  const auto kept = [&](std::size_t runs) {
    const std::vector<PageRun> list(runs, PageRun{folder, ""});
    const Json data = data_of(make_page(list, {.title = "", .bytes = 120000}));
    return data["runs"][0]["t"]["n"].get<double>();
  };
  EXPECT_NEAR(kept(2), 0.5 * kept(1), 2);
  EXPECT_LT(kept(1), 3000);
}

std::string refusal(const std::filesystem::path& folder) {
  try {
    make_page({{folder, ""}}, {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expect_refusal(const std::filesystem::path& folder, const std::string& text) {
  const std::string said = refusal(folder);
  EXPECT_NE(said.find(text), std::string::npos) << "wanted: " << text << "\nsaid: " << said;
  EXPECT_NE(said.find(folder.filename().string()), std::string::npos) << said;  // which one
}

TEST(Page, FoldersThatHoldNoRunAreRefused) {
  const TemporaryFolder folder("a");
  const std::filesystem::path& path = folder.path();
  expect_refusal(path, "is no folder; accepted: the folder of a run, as 'picus run' writes it");
  std::filesystem::create_directories(path);
  expect_refusal(path, "has no summary.json; accepted: the folder of a finished run");
  write_ball(folder, three_rows());
  ASSERT_EQ(refusal(path), "");
  const std::string summary = text_of(path / "summary.json");
  for (const char* text : {"", "[1, 2", "{}", "[]", "null", R"({"model": 3, "parameters": {}})",
                           R"({"model": "ball", "parameters": 3})"}) {
    std::ofstream(path / "summary.json") << text;
    expect_refusal(path, "summary.json' is no summary of a run");
  }
  std::ofstream(path / "summary.json") << summary;
  change_summary(path, {{"dt", "fast"}});
  expect_refusal(path, "summary.json' is no summary of a run: a value has another type");
  std::ofstream(path / "summary.json") << summary;
  const std::string result = text_of(path / "result.h5");
  std::ofstream(path / "result.h5", std::ios::binary) << "t,y,v\n0,1,2\n";
  expect_refusal(path, "it is no HDF5 file, or damaged");
  std::ofstream(path / "result.h5", std::ios::binary) << result.substr(0, result.size() / 2);
  EXPECT_NE(refusal(path), "");
  std::filesystem::remove(path / "result.h5");
  expect_refusal(path, "result.h5': there is no such file");
  EXPECT_THROW(make_page({}, {}), InputError);
}

TEST(Page, TablesThatNoRunWritesAreRefused) {
  const TemporaryFolder empty("empty"), backwards("backwards"), foreign("foreign"), old("old");
  write_ball(empty, {});
  expect_refusal(empty, "have no times, or none that ascend");
  Recording r = three_rows();
  r.states[6] = 0.5;  // after 1 s
  write_ball(backwards, r);
  expect_refusal(backwards, "have no times, or none that ascend");
  mechanics::ModelDescription other = describe(ball_text);
  other.velocities[0].name = "speed";
  write_run(foreign, three_rows(), other, ball_text);
  expect_refusal(foreign, "has other columns than a run of the model ball has");
  write_run(old, three_rows(), describe(ball_text), "");
  expect_refusal(old, "does not hold its model, as files of earlier versions do not");
}

TEST(Page, IsWrittenWholeOrNotAtAll) {
  const TemporaryFolder folder("a");
  EXPECT_THROW(write_page(folder.path() / "report.html", "new"), FileError);
  std::filesystem::create_directories(folder.path() / "report.html");  // something that cannot be replaced
  EXPECT_THROW(write_page(folder.path() / "report.html", "new"), FileError);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "report.html.part"));
  write_page(folder.path() / "other.html", "first");
  write_page(folder.path() / "other.html", "second");
  EXPECT_EQ(text_of(folder.path() / "other.html"), "second");
}

}  // namespace
}  // namespace picus::report::tests
