#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "picus/complementarity/answer.hpp"
#include "picus/complementarity/cone_solver.hpp"
#include "picus/io/fclib_file.hpp"
#include "picus/io/problem_file.hpp"
#include "picus/mechanics/description.hpp"
#include "picus/support/error.hpp"
#include "picus/support/parse.hpp"
#include "picus/support/suggest.hpp"

namespace picus::app {
namespace {

using complementarity::ConeAnswer;
using complementarity::ConeMethod;
using complementarity::ConeOptions;
using complementarity::ConeProblem;

// Options as given; numbers stay text until they are checked, so that errors name what was typed.
struct SolveArguments {
  std::string problem;
  std::optional<std::string> method, tolerance, out;
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

int solve_lcp(const SolveArguments& a) {
  const std::pair<const char*, bool> contact_options[] = {
      {"--method", a.method.has_value()}, {"--tolerance", a.tolerance.has_value()}, {"--out", a.out.has_value()}};
  for (const auto& [option, given] : contact_options) {
    if (!given) continue;
    throw InputError(
        fmt::format("{} belongs to contact problems (HDF5), and '{}' is none; accepted with an LCP: "
                    "--all, --json",
                    option, a.problem));
  }
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

ConeMethod method_from_name(const std::string& name) {
  std::vector<std::string> names;
  for (const ConeMethod method :
       {ConeMethod::automatic, ConeMethod::gauss_seidel, ConeMethod::gradient, ConeMethod::newton}) {
    names.emplace_back(io::method_name(method));
    if (name == names.back()) return method;
  }
  throw InputError(unknown_name("method", name, names));
}

ConeOptions cone_options(const SolveArguments& a) {
  if (a.all) {
    throw InputError("--all belongs to LCPs (JSON), and '" + a.problem +
                     "' is a contact problem, of which one solution is sought; accepted with it: --method, "
                     "--tolerance, --out, --json");
  }
  ConeOptions options;
  if (a.method) options.method = method_from_name(*a.method);
  if (a.tolerance) {
    options.tolerance = parse_number("--tolerance", *a.tolerance);
    mechanics::check_range("--tolerance", options.tolerance, mechanics::Range::positive);
  }
  return options;
}

// The file for the reactions, opened before the work is done, so that none is done in vain.
std::ofstream open_reactions(const SolveArguments& a) {
  const std::string& path = *a.out;
  if (path.empty() || path.front() == '-') {
    throw InputError("--out is '" + path + "'; accepted: a file (./" + path + " if you mean it)");
  }
  std::error_code absent;
  if (std::filesystem::equivalent(path, a.problem, absent)) {
    throw InputError("--out is '" + path + "', the problem itself; accepted: another file");
  }
  std::ofstream file(path, std::ios::binary);
  if (!file) throw FileError("cannot write '" + path + "': " + std::strerror(errno));
  return file;
}

struct ContactCounts {
  int open = 0, stick = 0, slip = 0;
};

// The states of the contacts, read off y = r - rho u with rho = 1 / the largest diagonal entry of the contact: open
// where y_N <= 0 (or r_N = 0), stick where |y_T| <= mu y_N, else slip. Of r_N and u_N, and of mu r_N - |r_T| and |u_T|,
// one is zero in a solution; so that the larger one decides, and no tolerance has to be chosen.
ContactCounts count_states(const ConeProblem& problem, const ConeAnswer& answer) {
  const Eigen::VectorXd diagonal = problem.W.diagonal();
  ContactCounts counts;
  for (int i = 0; i < problem.contacts(); ++i) {
    const int begin = problem.start[static_cast<std::size_t>(i)], size = problem.size(i);
    const double scale = diagonal.segment(begin, size).maxCoeff(), rho = scale > 0 ? 1 / scale : 1;
    const Eigen::VectorXd y = answer.r.segment(begin, size) - rho * answer.u.segment(begin, size);
    if (answer.r[begin] == 0 || y[0] <= 0) {
      ++counts.open;
    } else if (y.tail(size - 1).norm() <= problem.mu[static_cast<std::size_t>(i)] * y[0]) {
      ++counts.stick;
    } else {
      ++counts.slip;
    }
  }
  return counts;
}

std::string counted(int number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

void print(const SolveArguments& a, const ConeProblem& problem, const ConeOptions& options, const ConeAnswer& answer,
           double seconds) {
  const auto [least, most] = std::minmax_element(problem.mu.begin(), problem.mu.end());
  fmt::print("{}: {}, {} rows, {} nonzeros of W, mu {:g}{}\n", std::filesystem::path(a.problem).stem().string(),
             counted(problem.contacts(), "contact"), problem.rows(), problem.W.nonZeros(), *least,
             *least == *most ? "" : fmt::format(" to {:g}", *most));
  // err_inv hides an approach where mu is large, and round-off where impulses are: what decides is said.
  const complementarity::ConeResidual& found = answer.residual;
  const auto decides = [&](double part) {
    return !answer.solved && found.invariant <= options.tolerance && !(part <= options.tolerance);
  };
  fmt::print("  {:<12} err_inv {:.1e}{}{}, tolerance {:g}{}\n", answer.solved ? "solved" : "unknown", found.invariant,
             decides(found.approach) ? fmt::format(", but contacts approach with {:.1e} |q|", found.approach) : "",
             decides(found.round_off) ? fmt::format(", but the round-off of W r is {:.1e} |q|", found.round_off) : "",
             options.tolerance, answer.solved ? "" : "; what follows is the best that was found");
  const int worst = answer.residual.worst_contact + 1;
  fmt::print("  {:<12} {:.1e}{}\n", "residual", answer.residual.largest,
             worst > 0 ? fmt::format(", that of contact {}, is the largest", worst) : "");
  fmt::print("  {:<12} {} after {}, {}, {}, {:.3g} s\n", "found by", io::method_name(answer.by),
             counted(answer.sweeps, "sweep"), counted(answer.gradient_steps, "gradient step"),
             counted(answer.factorizations, "factorization"), seconds);
  const ContactCounts counts = count_states(problem, answer);
  fmt::print("  {:<12} {} open, {} stick, {} slip\n", "contacts", counts.open, counts.stick, counts.slip);
  if (a.out) fmt::print("  {:<12} {}\n", "reactions", *a.out);
}

int solve_contacts(const SolveArguments& a) {
  const ConeOptions options = cone_options(a);
  const ConeProblem problem = io::read_fclib(a.problem);
  std::ofstream reactions;
  if (a.out) reactions = open_reactions(a);

  const auto begin = std::chrono::steady_clock::now();
  const ConeAnswer answer = complementarity::solve(problem, options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  if (a.out) {
    io::write_reactions(reactions, answer.r);
    reactions.close();
    if (!reactions) throw FileError("cannot write '" + *a.out + "'");
  }
  if (a.json) {
    fmt::print("{}", io::to_json(problem, answer, seconds));
  } else {
    print(a, problem, options, answer, seconds);
  }
  return answer.solved ? exit_done : exit_uncertified;
}

}  // namespace

Command add_solve(CLI::App& app) {
  CLI::App* c =
      app.add_subcommand("solve",
                         "Solve a stored problem: a linear complementarity problem y = A x + b, 0 <= y _|_ x >= 0, "
                         "or frictional contacts u = W r + q");
  auto a = std::make_shared<SolveArguments>();
  c->add_option(
       "PROBLEM", a->problem,
       R"(JSON file {"A": [[...], ...], "b": [...]}, or - for standard input; or contacts: an HDF5 file of FCLIB, )"
       "local form")
      ->required();
  c->add_flag("--all", a->all, "LCP: all solutions, isolated ones and whole faces (up to 20 rows)");
  c->add_option("--method", a->method, "contacts: auto (default), gauss-seidel, gradient, newton")->type_name("NAME");
  c->add_option("--tolerance", a->tolerance, "contacts: of err_inv, the residual without units (1e-8)")->type_name("X");
  c->add_option("--out", a->out, "contacts: file for the reactions r, raw float64, little endian")->type_name("FILE");
  c->add_flag("--json", a->json, "print the answer as JSON on stdout, and nothing else there");
  return [a] { return io::is_contact_problem(a->problem) ? solve_contacts(*a) : solve_lcp(*a); };
}

}  // namespace picus::app
