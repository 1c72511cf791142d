#include "picus/io/fclib_file.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "picus/support/error.hpp"

namespace picus::io {
namespace {

namespace fs = std::filesystem;

// What stands in a file, dataset by dataset.
struct Content {
  std::map<std::string, std::vector<int>> integers;
  std::map<std::string, std::vector<double>> reals;
  std::vector<std::string> groups;
};

// Two contacts in space: W = 2 on the diagonal, 0.5 in row 0 at column 3, 0.25 in row 4 at column 1.
Content two_contacts() {
  Content c;
  c.integers = {{"fclib_local/spacedim", {3}},
                {"fclib_local/W/m", {6}},
                {"fclib_local/W/n", {6}},
                {"fclib_local/W/nz", {-2}},
                {"fclib_local/W/nzmax", {8}},
                {"fclib_local/W/p", {0, 2, 3, 4, 5, 7, 8}},
                {"fclib_local/W/i", {0, 3, 1, 2, 3, 1, 4, 5}}};
  c.reals = {{"fclib_local/W/x", {2, 0.5, 2, 2, 2, 0.25, 2, 2}},
             {"fclib_local/vectors/q", {-1, 0, 0.1, -2, 1, 0}},
             {"fclib_local/vectors/mu", {0.3, 0.8}}};
  return c;
}

class Fclib : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "picus-fclib-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    intermediate_ = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(intermediate_, 1);
  }
  void TearDown() override {
    H5Pclose(intermediate_);
    fs::remove_all(folder_);
  }

  void dataset(hid_t file, const std::string& name, hid_t type, hsize_t size, const void* data) const {
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t id = H5Dcreate2(file, name.c_str(), type, space, intermediate_, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GE(id, 0) << name;
    if (data != nullptr) H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    H5Dclose(id);
    H5Sclose(space);
  }

  hid_t create(const Content& content) const {
    const hid_t file = H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    for (const auto& [name, values] : content.integers) {
      dataset(file, name, H5T_NATIVE_INT, values.size(), values.data());
    }
    for (const auto& [name, values] : content.reals) {
      dataset(file, name, H5T_NATIVE_DOUBLE, values.size(), values.data());
    }
    for (const std::string& name : content.groups) {
      H5Gclose(H5Gcreate2(file, name.c_str(), intermediate_, H5P_DEFAULT, H5P_DEFAULT));
    }
    return file;
  }

  fs::path write(const Content& content) const {
    H5Fclose(create(content));
    return path();
  }

  fs::path path() const { return folder_ / "p.hdf5"; }

  static std::string error_of(const fs::path& path) {
    try {
      read_fclib(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

  // The message names the file first.
  void refuses(const Content& content, const std::string& words) const {
    EXPECT_EQ(error_of(write(content)), "'" + path().string() + "': " + words);
  }

  fs::path folder_;
  hid_t intermediate_ = -1;
};

void expect_two_contacts(const complementarity::ConeProblem& p) {
  Eigen::MatrixXd W = 2 * Eigen::MatrixXd::Identity(6, 6);
  W(0, 3) = 0.5;
  W(4, 1) = 0.25;
  EXPECT_EQ(Eigen::MatrixXd(p.W), W);
  EXPECT_EQ(p.q, (Eigen::VectorXd(6) << -1, 0, 0.1, -2, 1, 0).finished());
  EXPECT_EQ(p.mu, (std::vector<double>{0.3, 0.8}));
  EXPECT_EQ(p.start, (std::vector<int>{0, 3, 6}));
}

TEST_F(Fclib, CompressedRows) { expect_two_contacts(read_fclib(write(two_contacts()))); }

TEST_F(Fclib, CompressedColumns) {
  Content c = two_contacts();
  c.integers["fclib_local/W/nz"] = {-1};
  c.integers["fclib_local/W/p"] = {0, 1, 3, 4, 6, 7, 8};
  c.integers["fclib_local/W/i"] = {0, 1, 4, 2, 0, 3, 4, 5};
  c.reals["fclib_local/W/x"] = {2, 2, 0.25, 2, 0.5, 2, 2, 2};
  expect_two_contacts(read_fclib(write(c)));
}

// i holds rows and p columns; what is given twice adds up; what lies behind nz does not count.
TEST_F(Fclib, Triplets) {
  Content c = two_contacts();
  c.integers["fclib_local/W/nz"] = {9};
  c.integers["fclib_local/W/i"] = {0, 0, 1, 2, 3, 4, 4, 5, 0};
  c.integers["fclib_local/W/p"] = {0, 3, 1, 2, 3, 1, 4, 5, 0};
  c.reals["fclib_local/W/x"] = {1.5, 0.5, 2, 2, 2, 0.25, 2, 2, 0.5, 99, 99};
  expect_two_contacts(read_fclib(write(c)));
}

TEST_F(Fclib, Plane) {
  Content c = two_contacts();
  c.integers["fclib_local/spacedim"] = {2};
  c.reals["fclib_local/vectors/mu"] = {0, 0.5, 1};
  const auto p = read_fclib(write(c));
  EXPECT_EQ(p.contacts(), 3);
  EXPECT_EQ(p.start, (std::vector<int>{0, 2, 4, 6}));
}

TEST_F(Fclib, WholeNumbersAreNumbers) {
  Content c = two_contacts();
  c.reals.erase("fclib_local/vectors/mu");
  c.integers["fclib_local/vectors/mu"] = {0, 1};
  EXPECT_EQ(read_fclib(write(c)).mu, (std::vector<double>{0, 1}));
}

TEST_F(Fclib, FilesThatAreNone) {
  EXPECT_NE(error_of(folder_).find("is a folder"), std::string::npos);
  EXPECT_NE(error_of(folder_ / "absent.hdf5").find("No such file"), std::string::npos);
  std::ofstream(folder_ / "text.hdf5") << "{}";
  EXPECT_NE(error_of(folder_ / "text.hdf5").find("text.hdf5' is no HDF5 file"), std::string::npos);
  fs::resize_file(write(two_contacts()), 100);
  EXPECT_NE(error_of(path()).find("p.hdf5' is damaged"), std::string::npos);
}

TEST_F(Fclib, KindsOfFiles) {
  fs::rename(write(two_contacts()), folder_ / "unnamed");
  std::ofstream(folder_ / "p.json") << "{}";
  EXPECT_TRUE(is_contact_problem(folder_ / "unnamed"));
  EXPECT_TRUE(is_contact_problem("absent.hdf5"));
  EXPECT_TRUE(is_contact_problem("absent.h5"));
  EXPECT_FALSE(is_contact_problem(folder_ / "p.json"));
  EXPECT_FALSE(is_contact_problem("absent"));
  EXPECT_FALSE(is_contact_problem("-"));
  EXPECT_FALSE(is_contact_problem(folder_));
}

TEST_F(Fclib, OtherProblems) {
  refuses({}, "there is no group fclib_local; accepted: a contact problem of FCLIB in the local form");
  Content global;
  global.groups = {"fclib_global/M"};
  refuses(global,
          "the problem is in the global form (fclib_global), which is not read; accepted: the local form, fclib_local");
  for (const std::string name : {"fclib_local/V", "fclib_local/R", "fclib_local/S", "fclib_local/vectors/s"}) {
    Content c = two_contacts();
    c.groups = {name};
    refuses(c, name + " belongs to equality constraints, which are not read; accepted: contacts alone, W, vectors/q, " +
                   "vectors/mu");
  }
  const hid_t file = create(two_contacts());
  const hid_t W = H5Gopen2(file, "fclib_local/W", H5P_DEFAULT), space = H5Screate(H5S_SCALAR);
  H5Aclose(H5Acreate2(W, "symmetric_packed", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(space);
  H5Gclose(W);
  H5Fclose(file);
  EXPECT_NE(error_of(path()).find("symmetric_packed: it holds one triangle"), std::string::npos);
}

TEST_F(Fclib, MissingDatasets) {
  for (const std::string name : {"spacedim", "W/m", "W/n", "W/nz", "W/p", "W/i", "W/x", "vectors/q", "vectors/mu"}) {
    Content c = two_contacts();
    c.integers.erase("fclib_local/" + name);
    c.reals.erase("fclib_local/" + name);
    const std::string place = "fclib_local/" + name;
    refuses(c, place + " is missing; accepted: fclib_local with W, vectors/q, vectors/mu, spacedim");
    c.groups = {place};
    const bool whole = two_contacts().integers.contains(place);
    refuses(c, place + " is no dataset; accepted: a dataset of " + (whole ? "whole numbers" : "numbers"));
  }
}

TEST_F(Fclib, Types) {
  Content c = two_contacts();
  c.integers.erase("fclib_local/W/i");
  c.reals["fclib_local/W/i"] = {0, 3, 1, 2, 3, 1, 4, 5};
  refuses(c, "fclib_local/W/i holds floating-point numbers; accepted: whole numbers");
  c = two_contacts();
  c.reals.erase("fclib_local/vectors/mu");
  const hid_t file = create(c);
  dataset(file, "fclib_local/vectors/mu", H5T_C_S1, 2, "ab");
  H5Fclose(file);
  EXPECT_NE(error_of(path()).find("vectors/mu holds text; accepted: numbers"), std::string::npos);
}

TEST_F(Fclib, Sizes) {
  for (const std::string name : {"fclib_local/W/m", "fclib_local/W/n"}) {
    for (const int size : {7, 0, -1, std::numeric_limits<int>::max()}) {
      Content c = two_contacts();
      c.integers[name] = {size};
      refuses(c, name + " is " + std::to_string(size) +
                     ", but fclib_local/vectors/q has 6 entries; accepted: a square W with as many rows as q has " +
                     "entries");
    }
  }
  Content c = two_contacts();
  c.integers["fclib_local/W/m"] = {6, 6};
  refuses(c, "fclib_local/W/m has 2 entries; accepted: one whole number");
  c = two_contacts();
  c.integers["fclib_local/W/p"].pop_back();
  refuses(c, "fclib_local/W/p has 6 entries; accepted: 7, as W has 6 rows");
  c = two_contacts();
  c.integers["fclib_local/W/i"].pop_back();
  refuses(c, "fclib_local/W/i has 7 entries, fewer than the 8 of fclib_local/W/p");
  c = two_contacts();
  c.reals["fclib_local/W/x"].pop_back();
  refuses(c, "fclib_local/W/x has 7 entries, fewer than the 8 of fclib_local/W/p");
  c = two_contacts();
  c.integers["fclib_local/W/nz"] = {std::numeric_limits<int>::max()};
  refuses(c, "fclib_local/W/i has 8 entries, fewer than the 2147483647 of fclib_local/W/nz");
  c.integers["fclib_local/W/nz"] = {-3};
  refuses(c,
          "fclib_local/W/nz is -3; accepted: -2 (compressed rows), -1 (compressed columns), or the number of triplets");
}

TEST_F(Fclib, ContactsAndRows) {
  for (const int dimension : {1, 4, 0, -3}) {
    Content c = two_contacts();
    c.integers["fclib_local/spacedim"] = {dimension};
    refuses(c, "fclib_local/spacedim is " + std::to_string(dimension) + "; accepted: 2 or 3");
  }
  Content c = two_contacts();
  c.reals["fclib_local/vectors/mu"] = {0.3, 0.3, 0.3};
  refuses(c,
          "fclib_local/vectors/q has 6 entries and fclib_local/vectors/mu 3; accepted: 3 entries of q for each of mu, "
          "as fclib_local/spacedim is 3");
  c.reals["fclib_local/vectors/mu"] = {};
  refuses(c, "fclib_local/vectors/mu has no entries; accepted: one contact or more");
  c.reals["fclib_local/vectors/mu"] = {0.3, -0.1};
  refuses(c, "fclib_local/vectors/mu[1] is -0.1; accepted: numbers >= 0");
}

TEST_F(Fclib, Indices) {
  for (const int index : {6, -1, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
    Content c = two_contacts();
    c.integers["fclib_local/W/i"][3] = index;
    refuses(c, "fclib_local/W/i[3] is " + std::to_string(index) + "; accepted: 0 to 5");
    c = two_contacts();
    c.integers["fclib_local/W/nz"] = {2};
    c.integers["fclib_local/W/p"][1] = index;
    refuses(c, "fclib_local/W/p[1] is " + std::to_string(index) + "; accepted: 0 to 5");
  }
  Content c = two_contacts();
  c.integers["fclib_local/W/p"][0] = 1;
  refuses(c, "fclib_local/W/p[0] is 1; accepted: 0");
  c = two_contacts();
  c.integers["fclib_local/W/p"][3] = 2;
  refuses(c, "fclib_local/W/p[3] is 2; accepted: not less than the entry before it, 3");
  c = two_contacts();
  c.integers["fclib_local/W/p"][6] = 1000000000;
  refuses(c, "fclib_local/W/i has 8 entries, fewer than the 1000000000 of fclib_local/W/p");
}

TEST_F(Fclib, NumbersAreFinite) {
  for (const std::string name : {"fclib_local/W/x", "fclib_local/vectors/q", "fclib_local/vectors/mu"}) {
    Content c = two_contacts();
    c.reals[name][1] = std::numeric_limits<double>::quiet_NaN();
    refuses(c, name + "[1] is nan; accepted: finite numbers");
    c.reals[name][1] = std::numeric_limits<double>::infinity();
    refuses(c, name + "[1] is inf; accepted: finite numbers");
  }
}

// Extents that promise what the file does not hold are refused before memory is taken.
TEST_F(Fclib, AbsurdExtents) {
  Content c = two_contacts();
  c.reals.erase("fclib_local/vectors/q");
  hid_t file = create(c);
  dataset(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, 2000000000, nullptr);
  H5Fclose(file);
  EXPECT_NE(error_of(path()).find("vectors/q has 2000000000 entries, but the file holds 0 bytes"), std::string::npos);
  file = create(c);
  dataset(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, 1000000000000, nullptr);
  H5Fclose(file);
  EXPECT_NE(error_of(path()).find("has 1000000000000 entries; accepted: up to 2147483647"), std::string::npos);
  file = create(c);
  const hsize_t table[] = {2, 3};
  const hid_t space = H5Screate_simple(2, table, nullptr);
  H5Dclose(H5Dcreate2(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(space);
  H5Fclose(file);
  EXPECT_NE(error_of(path()).find("vectors/q has 2 dimensions; accepted: one"), std::string::npos);
}

TEST_F(Fclib, ReactionsAreLittleEndianDoubles) {
  std::ostringstream out;
  write_reactions(out, Eigen::Vector2d(1, -0.3));
  const std::string bytes = out.str();
  ASSERT_EQ(bytes.size(), 16U);
  EXPECT_EQ(bytes.substr(0, 8), std::string("\0\0\0\0\0\0\xf0\x3f", 8));
  EXPECT_EQ(bytes.substr(8), "\x33\x33\x33\x33\x33\x33\xd3\xbf");
}

TEST_F(Fclib, AnswersAsJson) {
  const auto problem = read_fclib(write(two_contacts()));
  complementarity::ConeAnswer answer;
  answer.solved = true;
  answer.r = Eigen::VectorXd::Constant(6, 1.0 / 3);
  answer.u = Eigen::VectorXd::Constant(6, 1e-300);
  answer.residual = {1e-11, 2e-10, 1};
  answer.by = complementarity::ConeMethod::gauss_seidel;
  answer.sweeps = 7;
  const auto json = nlohmann::json::parse(to_json(problem, answer, 0.5));
  EXPECT_EQ(json["status"], "solved");
  EXPECT_EQ(json["err_inv"], 1e-11);
  EXPECT_EQ(json["residual"], 2e-10);
  EXPECT_EQ(json["worst_contact"], 2);
  EXPECT_EQ(json["by"], "gauss-seidel");
  EXPECT_EQ(json["contacts"], 2);
  EXPECT_EQ(json["rows"], 6);
  EXPECT_EQ(json["sweeps"], 7);
  EXPECT_EQ(json["gradient_steps"], 0);
  EXPECT_EQ(json["factorizations"], 0);
  EXPECT_EQ(json["seconds"], 0.5);
  EXPECT_EQ(json["r"][5].get<double>(), 1.0 / 3);
  EXPECT_EQ(json["u"].size(), 6U);
  answer.solved = false;
  EXPECT_EQ(nlohmann::json::parse(to_json(problem, answer, 0.5))["status"], "unknown");
}

}  // namespace
}  // namespace picus::io
