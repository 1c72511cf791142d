#include "picus/mechanics/sparse_system.hpp"

namespace picus::mechanics {

void SparseSystem::advance(std::vector<double>& q, const std::vector<double>& u, double dt) const {
  for (std::size_t i = 0; i < q.size(); ++i) q[i] += dt * u[i];
}

void SparseSystem::constraints(const double*, double, double*) {}
void SparseSystem::constraint_rows(const double*, double, RowDirections& rows) { rows.clear(); }
std::string SparseSystem::constraint_name(int constraint) const { return std::to_string(constraint + 1); }
std::string SparseSystem::coordinate_name(int i) const { return std::to_string(i + 1); }
void SparseSystem::find_contacts(const double*, double, double, ActiveContacts& found) { found.clear(); }
std::string SparseSystem::contact_name(int contact) const { return std::to_string(contact + 1); }
contact::ElementLaw SparseSystem::element_law(int) const { return {}; }
void SparseSystem::element_rows(const double*, double, RowDirections& rows, double*) { rows.clear(); }
void SparseSystem::nonconservative_force(const double*, const double*, double, double* f) {
  for (int i = 0; i < size(); ++i) f[i] = 0;
}
double SparseSystem::potential_rate(const double*, double) { return 0; }
double SparseSystem::kinetic_rest(const double*, const double*, double) { return 0; }
double SparseSystem::blow_time(int) const { return 0; }
void SparseSystem::blow(int, const double*, double, double*) {}
void SparseSystem::outputs(const double*, const double*, double, double*) {}

}  // namespace picus::mechanics
