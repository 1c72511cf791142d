#include "picus/io/problem_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "picus/support/error.hpp"

namespace picus::io {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* accepted = R"(accepted: {"A": [[...], ...], "b": [...]})";

std::string read_all(const std::filesystem::path& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  if (std::filesystem::is_directory(path)) throw InputError("'" + path.string() + "' is a folder, not a problem file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError("cannot read problem file '" + path.string() + "'");
  return {std::istreambuf_iterator<char>(file), {}};
}

double number_at(const Json& value, const std::string& place) {
  if (!value.is_number()) throw InputError(place + " is " + value.dump().substr(0, 40) + "; accepted: a number");
  const double number = value.get<double>();
  if (!std::isfinite(number)) throw InputError(place + " is not a finite number");
  return number;
}

const Json& array_at(const Json& object, const char* key, const std::string& name) {
  if (!object.is_object() || !object.contains(key) || !object.at(key).is_array()) {
    throw InputError(name + ": '" + key + "' is missing or not an array; " + accepted);
  }
  return object.at(key);
}

Json vector_json(const Eigen::VectorXd& v) { return Json(std::vector<double>(v.begin(), v.end())); }

}  // namespace

complementarity::Lcp read_lcp(const std::filesystem::path& path) {
  const std::string name = path == "-" ? std::string("standard input") : fmt::format("'{}'", path.string());
  Json json;
  try {
    json = Json::parse(read_all(path));
  } catch (const Json::parse_error& error) {
    throw InputError(name + " is not JSON (at byte " + std::to_string(error.byte) + "); " + accepted);
  } catch (const Json::exception& error) {  // a number beyond the range of double, for one
    throw InputError(name + " holds a value that cannot be read: " + error.what() + "; " + accepted);
  }
  const Json& A = array_at(json, "A", name);
  const Json& b = array_at(json, "b", name);
  const std::size_t n = b.size();
  if (A.size() != n) {
    throw InputError(name + ": A has " + std::to_string(A.size()) + " rows and b " + std::to_string(n) +
                     " entries; accepted: a square A with as many rows as b has entries");
  }
  complementarity::Lcp lcp;
  const auto size = static_cast<Eigen::Index>(n);
  lcp.A.resize(size, size);
  lcp.b.resize(size);
  for (std::size_t i = 0; i < n; ++i) {
    const std::string row = name + ": A[" + std::to_string(i) + "]";
    if (!A[i].is_array() || A[i].size() != n) {
      throw InputError(row +
                       (A[i].is_array() ? " has " + std::to_string(A[i].size()) + " entries" : " is not an array") +
                       "; accepted: " + std::to_string(n) + " numbers, as b has " + std::to_string(n));
    }
    for (std::size_t j = 0; j < n; ++j) {
      lcp.A(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          number_at(A[i][j], row + "[" + std::to_string(j) + "]");
    }
    lcp.b[static_cast<Eigen::Index>(i)] = number_at(b[i], name + ": b[" + std::to_string(i) + "]");
  }
  return lcp;
}

std::string to_json(const complementarity::LcpAnswer& answer) {
  Json json = {{"status", name_of(answer.status)}, {"reason", answer.reason}, {"complete", answer.solutions.complete}};
  json["solutions"] = Json::array();
  for (const auto& s : answer.solutions.isolated) {
    json["solutions"].push_back({{"x", vector_json(s.x)}, {"y", vector_json(s.y)}, {"residual", s.residual}});
  }
  json["faces"] = Json::array();
  for (const auto& face : answer.solutions.faces) {
    Json vertices = Json::array(), rays = Json::array();
    for (const auto& v : face.vertices) vertices.push_back(vector_json(v.x));
    for (const auto& r : face.rays) rays.push_back(vector_json(r));
    json["faces"].push_back({{"dimension", face.dimension}, {"vertices", vertices}, {"rays", rays}});
  }
  return json.dump(2) + "\n";
}

}  // namespace picus::io
