#include "picus/io/problem_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "picus/support/error.hpp"

namespace picus::io {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* accepted = R"(accepted: {"A": [[...], ...], "b": [...]})";

std::string read_all(const std::filesystem::path& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  if (std::filesystem::is_directory(path)) throw InputError("'" + path.string() + "' is a folder, not a problem file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError("cannot read problem file '" + path.string() + "': " + std::strerror(errno));
  std::ostringstream text;
  text << file.rdbuf();
  if (file.bad() || (text.str().empty() && text.fail()))
    throw InputError("cannot read problem file '" + path.string() + "'");
  return text.str();
}

// A problem is an object of arrays of arrays; what is nested deeper is refused before it can exhaust the stack.
bool check_depth(int depth, Json::parse_event_t event, Json&) {
  const bool opens = event == Json::parse_event_t::array_start || event == Json::parse_event_t::object_start;
  if (opens && depth > 3) throw InputError(std::string("the problem is nested too deeply; ") + accepted);
  return true;
}

double number_at(const Json& value, const std::string& place) {
  if (!value.is_number()) throw InputError(place + " is " + value.dump().substr(0, 40) + "; accepted: a number");
  const double number = value.get<double>();
  if (!std::isfinite(number)) throw InputError(place + " is not a finite number");
  return number;
}

const Json& array_at(const Json& object, const char* key, const std::string& name) {
  if (!object.is_object()) throw InputError(name + " holds no JSON object; " + accepted);
  if (!object.contains(key)) throw InputError(name + ": '" + key + "' is missing; " + accepted);
  if (!object.at(key).is_array()) throw InputError(name + ": '" + key + "' is not an array; " + accepted);
  return object.at(key);
}

Json vector_json(const Eigen::VectorXd& v) { return Json(std::vector<double>(v.begin(), v.end())); }

}  // namespace

complementarity::Lcp read_lcp(const std::filesystem::path& path) {
  const std::string name = path == "-" ? std::string("standard input") : fmt::format("'{}'", path.string());
  Json json;
  try {
    json = Json::parse(read_all(path), check_depth);
  } catch (const Json::parse_error& error) {
    throw InputError(name + " is not JSON (at byte " + std::to_string(error.byte) +
                     "; NaN and Infinity are no JSON); " + accepted);
  } catch (const Json::exception&) {
    throw InputError(name + " holds a number beyond the range of double precision; " + accepted);
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
