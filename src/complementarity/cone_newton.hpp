// Newton's method on the natural map of a cone problem, held by a proximal term.
#pragma once

#include <utility>

#include "picus/complementarity/cone_scaled.hpp"

namespace picus::complementarity {

// The proximal point x_k → x of the problem with G + ε and b − ε x_k (Rockafellar 1976), each found by a semismooth
// Newton method with the whole derivative of the natural map, that of |y_T| too. ε shrinks where Newton is quick and
// grows where it fails. Contacts that are open drop out of the linear system.
class ConeNewton {
 public:
  static constexpr double first_epsilon = 1e-3, smallest_epsilon = 1e-10;  // G has a mean diagonal of 1

  explicit ConeNewton(Eigen::VectorXd x, double epsilon = first_epsilon) : x_(std::move(x)), epsilon_(epsilon) {}
  // One proximal point, or a larger ε. Returns false where ε has become too large to be of use.
  bool step(const ScaledCones& p);
  const Eigen::VectorXd& x() const { return x_; }
  int factorizations() const { return factorizations_; }
  double work() const { return work_; }  // in multiplications

 private:
  struct Closed;
  bool find_point(const ScaledCones& p, Eigen::VectorXd& x, int& iterations);
  double map(const ScaledCones& p, const Eigen::VectorXd& x, Eigen::VectorXd& y, Eigen::VectorXd& F) const;
  Closed closed_contacts(const ScaledCones& p, const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                         const Eigen::VectorXd& F, Eigen::VectorXd& d) const;
  bool direction(const ScaledCones& p, const Eigen::VectorXd& x, const Eigen::VectorXd& y, const Eigen::VectorXd& F,
                 Eigen::VectorXd& d);

  Eigen::VectorXd x_;
  double epsilon_;
  int factorizations_ = 0;
  double work_ = 0;
};

}  // namespace picus::complementarity
