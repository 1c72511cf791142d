#include "picus/complementarity/answer.hpp"

#include "picus/complementarity/lemke.hpp"

namespace picus::complementarity {

const char* name_of(LcpAnswer::Status status) {
  switch (status) {
    case LcpAnswer::Status::solved:
      return "solved";
    case LcpAnswer::Status::none:
      return "none";
    case LcpAnswer::Status::unknown:
      break;
  }
  return "unknown";
}

LcpAnswer find_all_solutions(const Lcp& problem) {
  LcpAnswer answer;
  answer.solutions = enumerate_solutions(problem);
  if (!answer.solutions.empty()) {
    answer.status = LcpAnswer::Status::solved;
    answer.reason = answer.solutions.complete
                        ? "all index sets examined"
                        : "the list may be incomplete: there are too many degenerate pieces to examine all";
  } else if (answer.solutions.complete) {
    answer.status = LcpAnswer::Status::none;
    answer.reason = "all index sets examined: none holds a solution";
  } else {
    answer.reason = "not all index sets could be examined";
  }
  return answer;
}

LcpAnswer find_solution(const Lcp& problem) {
  LcpAnswer answer;
  answer.solutions.complete = false;
  const LemkeResult lemke = solve_lemke(problem);
  switch (lemke.status) {
    case LemkeResult::Status::solved:
      answer.status = LcpAnswer::Status::solved;
      answer.reason = "Lemke's method, " + std::to_string(lemke.pivots) + " pivots";
      answer.solutions.isolated.push_back(lemke.solution);
      return answer;
    case LemkeResult::Status::infeasible:
      answer.status = LcpAnswer::Status::none;
      answer.reason = "no x >= 0 has A x + b >= 0";
      answer.solutions.complete = true;
      return answer;
    case LemkeResult::Status::ray:
    case LemkeResult::Status::unknown:
      break;
  }
  if (problem.size() > enumeration_size_limit) {
    answer.reason = lemke.status == LemkeResult::Status::ray
                        ? "Lemke's method ended on a ray, which decides nothing here"
                        : "Lemke's method ended without a certified answer";
    return answer;
  }
  answer = find_all_solutions(problem);
  if (answer.solutions.isolated.empty() && !answer.solutions.faces.empty()) {
    answer.solutions.isolated.push_back(answer.solutions.faces.front().vertices.front());
  }
  if (answer.solutions.isolated.size() > 1) answer.solutions.isolated.resize(1);
  answer.solutions.faces.clear();
  answer.solutions.complete = answer.status == LcpAnswer::Status::none;
  return answer;
}

}  // namespace picus::complementarity
