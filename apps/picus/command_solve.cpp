#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>

#include "commands.hpp"
#include "picus/complementarity/answer.hpp"
#include "picus/io/problem_file.hpp"

namespace picus::app {
namespace {

struct SolveArguments {
  std::string problem;
  bool all = false, json = false;
};

std::string listed(const Eigen::VectorXd& v) { return fmt::format("{:.10g}", fmt::join(v.begin(), v.end(), ", ")); }

void print(const complementarity::LcpAnswer& answer) {
  fmt::print("{}: {}\n", complementarity::name_of(answer.status), answer.reason);
  for (const auto& s : answer.solutions.isolated) {
    fmt::print("  x = ({})\n  y = ({})\n  residual {:.1e}\n", listed(s.x), listed(s.y), s.residual);
  }
  for (const auto& face : answer.solutions.faces) {
    fmt::print("  a face of dimension {}: all convex combinations of\n", face.dimension);
    for (const auto& v : face.vertices) fmt::print("    x = ({})\n", listed(v.x));
    for (const auto& r : face.rays) fmt::print("    plus any multiple >= 0 of ({})\n", listed(r));
  }
}

int solve(const SolveArguments& a) {
  const complementarity::Lcp lcp = io::read_lcp(a.problem);
  const complementarity::LcpAnswer answer =
      a.all ? complementarity::find_all_solutions(lcp) : complementarity::find_solution(lcp);
  if (a.json) {
    fmt::print("{}", io::to_json(answer));
  } else {
    print(answer);
  }
  const bool certain =
      answer.status == complementarity::LcpAnswer::Status::solved && (!a.all || answer.solutions.complete);
  return certain ? exit_done : exit_uncertified;
}

}  // namespace

Command add_solve(CLI::App& app) {
  CLI::App* c = app.add_subcommand("solve", "Solve a linear complementarity problem: y = A x + b, 0 <= y _|_ x >= 0");
  auto a = std::make_shared<SolveArguments>();
  c->add_option("PROBLEM", a->problem, R"(JSON file {"A": [[...], ...], "b": [...]}, or - for standard input)")
      ->required();
  c->add_flag("--all", a->all, "all solutions: isolated ones and whole faces (up to 20 rows)");
  c->add_flag("--json", a->json, "print the answer as JSON");
  return [a] { return solve(*a); };
}

}  // namespace picus::app
