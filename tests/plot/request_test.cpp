// What is typed behind --plot: what it stands for, and what is said about mistakes.
#include "picus/plot/plot_request.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "model.hpp"
#include "picus/plot/run_figure.hpp"
#include "picus/plot/symbols.hpp"
#include "picus/support/error.hpp"

namespace {

using namespace picus;
using namespace picus::plot;
namespace fs = std::filesystem;

std::string names(const PlotRequest& r) {
  std::string text;
  for (const Quantity& q : r.y) text += (text.empty() ? "" : ",") + q.name + (q.contact.empty() ? "" : "." + q.contact);
  return text + "@" + r.x.name + (r.x.contact.empty() ? "" : "." + r.x.contact);
}

void expect_refused(const std::function<void()>& act, const std::string& says) {
  try {
    act();
    ADD_FAILURE() << "accepted; expected: " << says;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
  }
}

class Request : public testing::Test {
 protected:
  mechanics::ModelDescription model_ = test::model(), colliding_ = test::model_with_collisions();
  Quantities quantities_{model_}, of_bodies_{colliding_};

  PlotRequest parsed(const std::string& text) const { return parse_plot(text, quantities_); }
  void refused(const std::string& text, const std::string& says) const {
    expect_refused([&] { parsed(text); }, says);
  }
};

TEST_F(Request, FileAloneIsAllCoordinatesAndVelocitiesOverTime) {
  const PlotRequest r = parsed("a/phi.svg");
  EXPECT_EQ(names(r), "y,phi_S,v,omega_S@t");
  EXPECT_TRUE(r.by_default);
  EXPECT_EQ(r.file, "a/phi.svg");
  EXPECT_EQ(r.format, Format::svg);
}

TEST_F(Request, QuantitiesAndX) {
  EXPECT_EQ(names(parsed("a.png:v")), "v@t");
  EXPECT_EQ(names(parsed("a.pdf:omega_S,v@phi_S")), "omega_S,v@phi_S");
  EXPECT_EQ(names(parsed("a.svg:corner_1,kinetic,residual")), "corner_1,kinetic,residual@t");
  EXPECT_EQ(names(parsed("a.svg:gap.1,Lambda_T.brake@Lambda_N.2")), "gap.1,Lambda_T.brake@Lambda_N.2");
  EXPECT_EQ(names(parsed("a.svg:energy")), "kinetic,potential,work,drive,impact,friction,projection,remainder@t");
  EXPECT_EQ(names(parsed("a.svg:Lambda_N")), "Lambda_N@t");
  EXPECT_EQ(names(parsed("a.svg:v,impact,v,Lambda_N,Lambda_N.1,impact")), "v,impact,Lambda_N,Lambda_N.1@t");
}

TEST_F(Request, SuffixesTellTheFormat) {
  EXPECT_EQ(parsed("A.PNG").format, Format::png);
  EXPECT_EQ(parsed("a.png.pdf").format, Format::pdf);
  EXPECT_EQ(parsed("run:1/a.png.svg:v").file, "run:1/a.png.svg");
  EXPECT_EQ(parsed("mu=0.2/a.svg:v").file, "mu=0.2/a.svg");
  for (const char* text : {"a", "a.jpg", "a.jpg:v", ".svg", "b/.svg:v", "a.svgz", ""}) {
    refused(text, "accepted: a file that ends in .svg, .png or .pdf");
  }
}

TEST_F(Request, UnknownNamesGetASuggestion) {
  refused("a.svg:omgea_S", "unknown quantity 'omgea_S'; did you mean 'omega_S'?");
  refused("a.svg:v@phi_s", "unknown quantity 'phi_s'; did you mean 'phi_S'?");
  refused("a.svg:gap.3", "unknown contact '3'");
  refused("a.svg:gap.brke", "did you mean 'brake'?");
  refused("a.svg:Lamda_N.1", "did you mean 'Lambda_N.1'?");
  refused("a.svg:gamma_Tt.1", "unknown quantity 'gamma_Tt.1'");
  refused("a.svg:omega_S:phi_S", "did you mean 'omega_S@phi_S'?");
  refused("a.svg:", "the name of a quantity is missing");
  refused("a.svg:v,", "the name of a quantity is missing");
  refused("a.svg:v@", "the name of a quantity is missing");
  refused("a.svg:@v", "the name of a quantity is missing");
  refused("a.svg:v@energy", "of which there are several");
  refused("a.svg:v@gap", "of which there are several");
}

TEST_F(Request, ContactsOfBodiesHaveNamesWithColonAndSlash) {
  const PlotRequest r = parse_plot("a.svg:gap.floor/box_1:c1,Lambda_N.box_1:e3/box_2:c1@gap.1", of_bodies_);
  EXPECT_EQ(names(r), "gap.floor/box_1:c1,Lambda_N.box_1:e3/box_2:c1@gap.1");
  expect_refused([&] { parse_plot("a.svg:gap.floor", of_bodies_); }, "unknown contact 'floor'");
  refused("a.svg:gap.floor/box", "unknown contact 'floor/box'");
}

TEST_F(Request, InSpaceFrictionHasThreeRows) {
  mechanics::ModelDescription space = test::model_with_collisions();
  space.in_space = true;
  const Quantities quantities(space);
  EXPECT_EQ(parse_plot("a.svg:gamma_Tr.a/b", quantities).y.front().unit, "rad/s");
  EXPECT_EQ(parse_plot("a.svg:Lambda_Tr.a/b", quantities).y.front().unit, "N m s");
  expect_refused([&] { parse_plot("a.svg:Lambda_T.a/b", quantities); }, "unknown quantity 'Lambda_T.a/b'");
}

TEST_F(Request, ModelWithoutContactsHasNoneToDraw) {
  mechanics::ModelDescription free = test::model();
  free.contacts.clear();
  free.elements.clear();
  const Quantities quantities(free);
  expect_refused([&] { parse_plot("a.svg:gap", quantities); }, "unknown quantity 'gap'");
}

TEST_F(Request, DefaultFiguresAreShortened) {
  mechanics::ModelDescription many = test::model();
  for (int i = 0; i < 40; ++i) many.coordinates.push_back({"x_" + std::to_string(i), "m", ""});
  const Quantities quantities(many);
  PlotRequest by_default = parse_plot("a.svg", quantities);
  EXPECT_EQ(shorten(by_default), 29u);
  EXPECT_EQ(by_default.y.size(), most_curves + 3);
  PlotRequest chosen = parse_plot("a.svg:x_1,x_2", quantities);
  EXPECT_EQ(shorten(chosen), 0u);
}

class Files : public Request {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "picus-plot-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }
  void check(const std::vector<fs::path>& files) const {
    std::vector<PlotRequest> requests;
    for (const fs::path& file : files) requests.push_back(parsed(file.string()));
    check_files(requests, folder_ / "out");
  }
  fs::path folder_;
};

TEST_F(Files, FolderMustExistOrBeTheOneOfTheRun) {
  EXPECT_NO_THROW(check({folder_ / "a.svg"}));
  EXPECT_NO_THROW(check({folder_ / "out" / "a.svg"}));
  expect_refused([&] { check({folder_ / "nowhere" / "a.svg"}); },
                 "there is no folder '" + folder_.string() + "/nowhere'");
  expect_refused([&] { check({folder_ / "out" / "deeper" / "a.svg"}); }, "there is no folder");
  std::ofstream(folder_ / "file") << "x";
  expect_refused([&] { check({folder_ / "file" / "a.svg"}); }, "is not a folder");
  fs::create_directory(folder_ / "b.svg");
  expect_refused([&] { check({folder_ / "b.svg"}); }, "that is a folder");
}

TEST_F(Files, EachFileOnce) {
  expect_refused([&] { check({folder_ / "a.svg", folder_ / "." / "a.svg"}); }, "given twice");
  EXPECT_NO_THROW(check({folder_ / "a.svg", folder_ / "a.png"}));
}

std::string plain(const Label& label) {
  std::string text;
  for (const Piece& p : label) text += (p.script < 0 ? "_" : p.script > 0 ? "^" : p.italic ? "/" : "") + p.text;
  return text;
}

TEST(Symbols, NamesAsPeopleWriteThem) {
  const std::vector<std::pair<std::string, std::string>> known = {
      {"phi_S", "/φ_S"}, {"omega", "/ω"},        {"y", "/y"},          {"theta_1", "/θ_1"},    {"mu1", "/μ_1"},
      {"vx", "/v_x"},    {"wz", "/ω_z"},         {"qw", "/q_w"},       {"kinetic", "kinetic"}, {"corner_1", "corner 1"},
      {"gap", "gap"},    {"Lambda_Tt", "/Λ_Tt"}, {"x_phi_2", "/x_φ 2"}};
  for (const auto& [name, label] : known) EXPECT_EQ(plain(label_of(symbol_of(name))), label);
  EXPECT_EQ(plain(label_of(symbol_of("box_1.omega"))), "box 1 /ω");
  EXPECT_EQ(symbol_of("box_1.omega").owner, "box 1");
  EXPECT_EQ(plain(with_unit(symbol_of("phi").label, "rad")), "/φ (rad)");
  EXPECT_EQ(plain(with_unit(symbol_of("qw").label, "1")), "/q_w");
  EXPECT_EQ(unit_text("kg m^2/s^3"), "kg m²/s³");
}

}  // namespace
