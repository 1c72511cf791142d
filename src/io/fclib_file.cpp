#include "picus/io/fclib_file.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>
#include <vector>

#include "picus/io/fclib_reader.hpp"

namespace picus::io {
namespace {

using complementarity::ConeProblem;
using Entries = std::vector<Eigen::Triplet<double>>;

using Reader = FclibReader;

void check_form(const Reader& file) {
  if (!file.has("fclib_local")) {
    file.refuse(file.has("fclib_global")
                    ? "the problem is in the global form (fclib_global), which is not read; accepted: the local form, "
                      "fclib_local"
                    : "there is no group fclib_local; accepted: a contact problem of FCLIB in the local form");
  }
  for (const char* equality : {"fclib_local/V", "fclib_local/R", "fclib_local/S", "fclib_local/vectors/s"}) {
    if (file.has(equality)) {
      file.refuse(std::string(equality) +
                  " belongs to equality constraints, which are not read; accepted: contacts "
                  "alone, W, vectors/q, vectors/mu");
    }
  }
  if (file.has_attribute("fclib_local/W", "symmetric_packed")) {
    file.refuse("fclib_local/W is marked symmetric_packed: it holds one triangle; accepted: all entries of W");
  }
}

void check_index(const Reader& file, const char* dataset, std::size_t k, std::int64_t value, std::int64_t bound) {
  if (value >= 0 && value < bound) return;
  file.refuse(fmt::format("{}[{}] is {}; accepted: 0 to {}", dataset, k, value, bound - 1));
}

void check_count(const Reader& file, const char* dataset, std::size_t size, std::int64_t count, const char* said_by) {
  if (std::cmp_greater_equal(size, count)) return;
  file.refuse(fmt::format("{} has {} entries, fewer than the {} of {}", dataset, size, count, said_by));
}

constexpr const char *path_nz = "fclib_local/W/nz", *path_p = "fclib_local/W/p", *path_i = "fclib_local/W/i",
                     *path_x = "fclib_local/W/x";

Entries read_triplets(const Reader& file, std::int64_t rows, std::int64_t count) {
  const Integers row = file.integers(path_i), column = file.integers(path_p);
  const Reals x = file.reals(path_x);
  check_count(file, path_i, row.size(), count, path_nz);
  check_count(file, path_p, column.size(), count, path_nz);
  check_count(file, path_x, x.size(), count, path_nz);
  Entries entries;
  entries.reserve(static_cast<std::size_t>(count));
  for (std::size_t k = 0; std::cmp_less(k, count); ++k) {
    check_index(file, path_i, k, row[k], rows);
    check_index(file, path_p, k, column[k], rows);
    entries.emplace_back(static_cast<int>(row[k]), static_cast<int>(column[k]), x[k]);
  }
  return entries;
}

// Row k (or column k) has the entries p[k] to p[k + 1] - 1, at the columns (or rows) i.
Entries read_compressed(const Reader& file, std::int64_t rows, bool by_rows) {
  const Integers p = file.integers(path_p), i = file.integers(path_i);
  const Reals x = file.reals(path_x);
  if (std::cmp_not_equal(p.size(), rows + 1)) {
    file.refuse(fmt::format("{} has {} entries; accepted: {}, as W has {} {}", path_p, p.size(), rows + 1, rows,
                            by_rows ? "rows" : "columns"));
  }
  if (p.front() != 0) file.refuse(fmt::format("{}[0] is {}; accepted: 0", path_p, p.front()));
  for (std::size_t k = 1; k < p.size(); ++k) {
    if (p[k] < p[k - 1]) {
      file.refuse(
          fmt::format("{}[{}] is {}; accepted: not less than the entry before it, {}", path_p, k, p[k], p[k - 1]));
    }
  }
  check_count(file, path_i, i.size(), p.back(), path_p);
  check_count(file, path_x, x.size(), p.back(), path_p);
  Entries entries;
  entries.reserve(static_cast<std::size_t>(p.back()));
  for (std::size_t k = 0; k + 1 < p.size(); ++k) {
    for (auto e = static_cast<std::size_t>(p[k]); std::cmp_less(e, p[k + 1]); ++e) {
      check_index(file, path_i, e, i[e], rows);
      const int outer = static_cast<int>(k), inner = static_cast<int>(i[e]);
      entries.emplace_back(by_rows ? outer : inner, by_rows ? inner : outer, x[e]);
    }
  }
  return entries;
}

ConeProblem::Matrix read_matrix(const Reader& file, std::int64_t rows) {
  for (const char* size : {"fclib_local/W/m", "fclib_local/W/n"}) {
    if (const std::int64_t value = file.integer(size); value != rows) {
      file.refuse(
          fmt::format("{} is {}, but fclib_local/vectors/q has {} entries; accepted: a square W with as many "
                      "rows as q has entries",
                      size, value, rows));
    }
  }
  const std::int64_t nz = file.integer(path_nz);
  if (nz < -2) {
    file.refuse(
        fmt::format("{} is {}; accepted: -2 (compressed rows), -1 (compressed columns), or the number of "
                    "triplets",
                    path_nz, nz));
  }
  const Entries entries = nz >= 0 ? read_triplets(file, rows, nz) : read_compressed(file, rows, nz == -2);
  const auto size = static_cast<int>(rows);
  ConeProblem::Matrix W(size, size);
  W.setFromTriplets(entries.begin(), entries.end());
  return W;
}

void set_contacts(const Reader& file, ConeProblem& problem) {
  constexpr const char *path_mu = "fclib_local/vectors/mu", *path_dimension = "fclib_local/spacedim";
  const std::int64_t dimension = file.integer(path_dimension);
  if (dimension != 2 && dimension != 3) {
    file.refuse(fmt::format("{} is {}; accepted: 2 or 3", path_dimension, dimension));
  }
  problem.mu = file.reals(path_mu);
  const auto contacts = static_cast<std::int64_t>(problem.mu.size());
  if (contacts == 0) file.refuse(fmt::format("{} has no entries; accepted: one contact or more", path_mu));
  if (contacts * dimension != problem.q.size()) {
    file.refuse(
        fmt::format("fclib_local/vectors/q has {} entries and {} {}; accepted: {} entries of q for each of mu, "
                    "as {} is {}",
                    problem.q.size(), path_mu, contacts, dimension, path_dimension, dimension));
  }
  for (std::size_t k = 0; k < problem.mu.size(); ++k) {
    if (problem.mu[k] < 0) {
      file.refuse(fmt::format("{}[{}] is {}; accepted: numbers >= 0", path_mu, k, problem.mu[k]));
    }
    problem.start.push_back(problem.start.back() + static_cast<int>(dimension));
  }
}

nlohmann::json vector_json(const Eigen::VectorXd& v) { return Reals(v.begin(), v.end()); }

}  // namespace

bool is_contact_problem(const std::filesystem::path& path) {
  if (path.extension() == ".hdf5" || path.extension() == ".h5") return true;
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return false;
  std::ifstream file(path, std::ios::binary);
  return has_hdf5_signature(file);
}

ConeProblem read_fclib(const std::filesystem::path& path) {
  const Reader file(path);
  check_form(file);
  ConeProblem problem;
  const Reals q = file.reals("fclib_local/vectors/q");
  problem.q = Eigen::Map<const Eigen::VectorXd>(q.data(), static_cast<Eigen::Index>(q.size()));
  set_contacts(file, problem);
  problem.W = read_matrix(file, problem.q.size());
  if (const std::string fault = complementarity::find_fault(problem); !fault.empty()) file.refuse(fault);
  return problem;
}

void write_reactions(std::ostream& out, const Eigen::VectorXd& r) {
  for (const double value : r) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    char bytes[sizeof bits];
    for (std::size_t k = 0; k < sizeof bits; ++k) bytes[k] = static_cast<char>(bits >> (8 * k) & 0xff);
    out.write(bytes, sizeof bytes);
  }
}

const char* method_name(complementarity::ConeMethod method) {
  switch (method) {
    case complementarity::ConeMethod::gauss_seidel:
      return "gauss-seidel";
    case complementarity::ConeMethod::gradient:
      return "gradient";
    case complementarity::ConeMethod::newton:
      return "newton";
    default:
      return "auto";
  }
}

std::string to_json(const ConeProblem& problem, const complementarity::ConeAnswer& answer, double seconds) {
  nlohmann::ordered_json json = {{"status", answer.solved ? "solved" : "unknown"},
                                 {"err_inv", answer.residual.invariant},
                                 {"approach", answer.residual.approach},
                                 {"residual", answer.residual.largest},
                                 {"worst_contact", answer.residual.worst_contact + 1},
                                 {"by", method_name(answer.by)},
                                 {"contacts", problem.contacts()},
                                 {"rows", problem.rows()},
                                 {"sweeps", answer.sweeps},
                                 {"gradient_steps", answer.gradient_steps},
                                 {"factorizations", answer.factorizations},
                                 {"seconds", seconds},
                                 {"r", vector_json(answer.r)},
                                 {"u", vector_json(answer.u)}};
  std::string text;  // a line for each key, however long the vectors are
  for (const auto& [key, value] : json.items()) {
    text += fmt::format("{}  \"{}\": {}", text.empty() ? "{\n" : ",\n", key, value.dump());
  }
  return text + "\n}\n";
}

}  // namespace picus::io
