#include "picus/acceleration/acceleration_problem.hpp"

#include <cmath>
#include <string>

#include "picus/support/error.hpp"

namespace picus::acceleration {
namespace {

[[noreturn]] void refuse(std::size_t contact, const char* name, double value, const char* accepted) {
  throw InputError(std::string(name) + " of contact " + std::to_string(contact + 1) + " is " + shown(value) +
                   "; accepted: " + accepted);
}

bool is_finite_and_not_negative(double x) { return x >= 0 && std::isfinite(x); }

}  // namespace

void AccelerationProblem::validate() const {
  Eigen::Index rows = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ForceContact& contact = contacts[i];
    if (contact.tangential < 0 || contact.tangential > 3) refuse(i, "tangential", contact.tangential, "0 to 3 rows");
    if (!is_finite_and_not_negative(contact.mu)) refuse(i, "mu", contact.mu, "a finite number ≥ 0");
    if (!is_finite_and_not_negative(contact.constant)) refuse(i, "constant", contact.constant, "a finite number ≥ 0");
    for (int t = 0; t < contact.tangential; ++t) {
      if (!is_finite_and_not_negative(contact.axes[t])) refuse(i, "axes", contact.axes[t], "finite numbers ≥ 0");
      if (!std::isfinite(contact.sliding[t])) refuse(i, "sliding", contact.sliding[t], "finite velocities");
    }
    rows += contact.rows();
  }
  if (A.rows() != rows || A.cols() != rows || b.size() != rows) {
    throw InputError(std::to_string(contacts.size()) + " contacts of " + std::to_string(rows) +
                     " rows need A of as many rows and columns and b of as many entries; given: A " +
                     std::to_string(A.rows()) + " x " + std::to_string(A.cols()) + ", b " + std::to_string(b.size()));
  }
  if (!A.allFinite() || !b.allFinite()) throw InputError("A or b holds a number that is not finite");
  for (Eigen::Index i = 0; i < rows; ++i) {
    if (A(i, i) < 0) {
      throw InputError("A has " + shown(A(i, i)) + " on its diagonal (row " + std::to_string(i + 1) +
                       "); accepted: a positive semidefinite matrix");
    }
    for (Eigen::Index j = 0; j < i; ++j) {
      if (std::abs(A(i, j) - A(j, i)) > 1e-6 * std::sqrt(A(i, i) * A(j, j))) {
        throw InputError("A is not symmetric: entries " + std::to_string(i + 1) + ", " + std::to_string(j + 1) +
                         " are " + shown(A(i, j)) + " and " + shown(A(j, i)));
      }
    }
  }
}

}  // namespace picus::acceleration
