// Where contacts are seen: of formulas as the model file says, of shapes by their geometry.
#pragma once

#include <Eigen/Core>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "picus/mechanics/sparse_system.hpp"
#include "picus/mechanics/spatial_system.hpp"
#include "picus/model/contact_places.hpp"
#include "picus/report/recorded_run.hpp"

namespace picus::report {

struct Sight {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();   // unit, towards the body that Lambda_N pushes
  Eigen::Vector3d tangent = Eigen::Vector3d::Zero();  // in space: unit, along which Lambda_T counts
};

class ContactSights {
 public:
  // The run lives longer.
  explicit ContactSights(const RecordedRun& run);

  int dimension() const { return space_ ? 3 : 2; }
  // Looks at a state; the same again costs nothing.
  void look(const double* q, double t);
  // Null for a contact that is not seen there.
  const Sight* find(int contact) const;
  // 1: in the plane Lambda_T counts along the normal turned clockwise; -1: the other way; 0: not known.
  int turn(int contact) const;
  // Coulomb's coefficient of a contact of shapes that was seen; negative: unknown, or friction is more than one number.
  double mu(int contact) const;
  // In space: number of the friction set of a contact that was seen, -1 for others; sets of contacts with one law are
  // one.
  int friction_set(int contact) const;
  int friction_sets() const;
  // What the method of the run takes for the set: the polytope, where it needs one.
  const contact::FrictionSet& set(int number) const;

 private:
  void look_at_formulas(const double* q, double t);
  void look_at_shapes(const double* q);
  void look_in_space(const double* q);
  // The number in the run of a contact that a system here calls by a name; -1: it never acted there.
  int number_of(const std::string& name) const;
  void put(int contact, const Sight& sight, double mu);

  std::size_t formula_contacts_;
  model::ContactPlaces places_;
  std::unique_ptr<mechanics::SparseSystem> shapes_;
  std::unique_ptr<mechanics::SpatialSystem> space_;
  double reach_ = 0;
  std::map<std::string, int> number_;
  std::vector<int> run_number_;  // by the number in shapes_ or space_
  std::vector<double> last_q_;
  double last_t_ = 0;
  std::map<int, Sight> seen_;
  std::map<int, double> mu_;
  std::map<int, int> law_;  // in space
  bool takes_polytopes_ = false;
};

}  // namespace picus::report
