// What happens at an instant: the same mechanics as in system.hpp, for methods that ask for forces and accelerations
// instead of steps.
//
//   M(q,t) u̇ = h(q,u,t) + Wᵀλ,   γ = W u + ŵ,   γ̇ = W u̇ + ζ,   ζ = Ẇ u + dŵ/dt
//
// ζ is exact. All matrices are dense: these methods are for systems that a person can look through.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "picus/contact/law.hpp"
#include "picus/formula/range.hpp"

namespace picus::mechanics {

// Rows of some contacts or constraints, one behind the other.
struct InstantRows {
  Eigen::MatrixXd W;  // a row each
  Eigen::VectorXd gamma, w_hat, zeta;

  void resize(Eigen::Index rows, Eigen::Index velocities) {
    W.resize(rows, velocities);
    gamma.resize(rows);
    w_hat.resize(rows);
    zeta.resize(rows);
  }
};

// The law of a contact, here and now. Friction acts on one tangential row in the plane, up to three in space, whose
// forces lie in an ellipsoid with the given axes.
struct InstantLaw {
  contact::Law law;
  Eigen::Vector3d axes = Eigen::Vector3d::Ones();
};

// A box of positions, velocities and times.
struct Box {
  std::vector<formula::Range> q, u;
  formula::Range t;
};

struct GapRange {
  formula::Range gap{1, 1}, rate{1, 1};  // m, m/s

  // It may fall to zero and rise again in the box.
  bool may_dip() const { return gap.low <= 0 && rate.low < 0 && rate.high > 0; }
};

class InstantSystem {
 public:
  virtual ~InstantSystem() = default;

  virtual int q_size() const = 0;
  virtual int u_size() const = 0;
  virtual std::string velocity_name(int i) const = 0;
  // q̇ of the velocities u; the same unless q are not minimal.
  virtual void rates(const double* q, const double* u, double* q_dot) const;
  // Takes away what round-off did to a q that has to be of unit length.
  virtual void normalise(double*) const {}

  virtual void mass(const double* q, double t, Eigen::MatrixXd& M) = 0;
  virtual void force(const double* q, const double* u, double t, Eigen::VectorXd& h) = 0;

  // Constraints g = 0.
  virtual int constraint_count() const { return 0; }
  virtual void constraints(const double*, double, double*) {}
  virtual void constraint_rows(const double*, const double*, double, InstantRows&) {}

  // All places that can ever touch, and behind them force elements without a gap (dry friction).
  virtual int contact_count() const = 0;
  virtual bool has_gap(int) const { return true; }
  virtual int tangential_rows(int) const { return 1; }
  virtual int tangential_axis(int, int row) const { return row; }  // 0, 1, 2: which of t, o, r it is
  virtual std::string contact_name(int contact) const = 0;
  virtual void gaps(const double* q, double t, double* g) = 0;  // of those with a gap
  // Rows of some of them: normal (where there is a gap), then tangential ones.
  virtual void contact_rows(const std::vector<int>& contacts, const double* q, const double* u, double t,
                            InstantRows& rows) = 0;
  virtual InstantLaw law(int contact, const double* q, double t) = 0;

  virtual double potential_energy(const double* q, double t) = 0;
  // As in system.hpp: power of forces without a potential and of what depends on time; energy of prescribed motion.
  virtual double power(const double*, const double*, double) { return 0; }
  virtual double kinetic_rest(const double*, const double*, double) { return 0; }

  // Given blows, in ascending order of time.
  virtual int blow_count() const { return 0; }
  virtual double blow_time(int) const { return 0; }
  virtual void blow(int, const double*, double, Eigen::VectorXd&) {}

  // Over a box, appended: what formulas give for forces, and for accelerations of constraints; for the law of a contact
  // and the acceleration of its surfaces. Nothing for what is geometry.
  virtual void force_ranges(const Box&, std::vector<formula::Range>&) {}
  virtual void contact_ranges(int, const Box&, std::vector<formula::Range>&) {}
  virtual void gap_ranges(const std::vector<int>& contacts, const Box&, std::vector<GapRange>& list) {
    list.assign(contacts.size(), {});
  }

  // Of the sliding velocity of a contact with one tangential row.
  virtual formula::Range sliding_range(int, const Box&) { return {1, 1}; }

  virtual int output_count() const { return 0; }
  virtual void outputs(const double*, const double*, double, double*) {}
};

}  // namespace picus::mechanics
