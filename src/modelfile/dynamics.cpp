#include "picus/formula/polynomial.hpp"
#include "picus/modelfile/builder.hpp"
#include "picus/support/suggest.hpp"

namespace picus::modelfile {

void Builder::read_dynamics() {
  const bool energies = part("kinetic") != nullptr;
  const bool matrices = part("mass") != nullptr || part("force") != nullptr;
  definition_.from_energies = energies || part("bodies") != nullptr;
  if (part("bodies") != nullptr) {
    for (const char* key : {"mass", "force"}) {
      if (part(key) != nullptr)
        reading_.note(*part(key), std::string(key) + " does not go with bodies; accepted: kinetic, potential, forces");
    }
    if (part("coordinates") != nullptr && !energies) {
      reading_.note(*part("coordinates"), "coordinates beside bodies need a 'kinetic' energy of their own");
    }
    return read_energies();
  }
  if (energies == matrices) {
    reading_.source.add(root_.offset, 1,
                        energies
                            ? "both 'kinetic' and 'mass' or 'force' are given; accepted: energies, or a mass matrix "
                              "with a force vector"
                            : "the dynamics are missing: give 'kinetic' (and 'potential'), or 'mass' and 'force'");
    return;
  }
  if (energies) {
    read_energies();
  } else {
    read_matrices();
  }
}

void Builder::read_energies() {
  const std::size_t n = symbols().q.size();
  mechanics::Energies e;
  e.kinetic = reading_.formula(root_, "kinetic", of_motion, 0);
  e.potential = pool_.add(reading_.formula(root_, "potential", of_position, 0), spring_energy_);
  e.dissipation = pool_.add(reading_.formula(root_, "dissipation", of_motion, 0), spring_dissipation_);
  e.forces.assign(n, pool_.constant(0));
  std::vector<std::string> coordinates;
  for (const mechanics::Quantity& c : definition_.description.coordinates) coordinates.push_back(c.name);
  if (const Yaml* forces = part("forces"); forces != nullptr && reading_.expect_map(*forces, "forces", coordinates)) {
    for (std::size_t i = 0; i < n; ++i) {
      e.forces[i] = reading_.formula(*forces, coordinates[i].c_str(), of_motion, 0);
    }
  }
  for (const auto& [i, torque] : motor_forces_) {
    e.forces[static_cast<std::size_t>(i)] = pool_.add(e.forces[static_cast<std::size_t>(i)], torque);
  }
  std::size_t of_bodies = 0;
  for (const BodyDefinition& body : definition_.bodies) of_bodies += body.is_fixed ? 0 : 3;
  for (std::size_t i = 0; i < of_bodies && part("kinetic") != nullptr; ++i) {
    if (!pool_.depends_on(e.kinetic, symbols().q[i]) && !pool_.depends_on(e.kinetic, symbols().u[i])) continue;
    return reading_.note(*part("kinetic"), "the kinetic energy depends on a body (" + pool_.name(symbols().q[i]) +
                                               "); accepted: the other coordinates only, bodies bring their own");
  }
  if (reading_.source.has_mistakes()) return;
  try {
    definition_.equations.dynamics = mechanics::lagrange_with_bodies(pool_, symbols(), of_bodies, e);
  } catch (const mechanics::NotPolynomial& error) {
    reading_.note(*part("kinetic"), error.what());
  }
}

void Builder::read_matrices() {
  const std::size_t n = symbols().q.size();
  for (const char* key : {"dissipation", "forces"}) {
    if (const Yaml* value = part(key)) {
      reading_.note(*value, std::string(key) + " belongs to energies; with 'mass' all forces stand in 'force'");
    }
  }
  const Yaml *mass = part("mass"), *force = part("force");
  if (mass == nullptr || force == nullptr) {
    return reading_.source.add(root_.offset, 1, mass == nullptr ? "'mass' is missing" : "'force' is missing");
  }
  std::vector<std::vector<Node>> M;
  std::vector<Node> h;
  if (!reading_.expect_list(*mass, "mass") || !reading_.expect_list(*force, "force")) return;
  if (mass->items.size() != n || force->items.size() != n) {
    return reading_.note(mass->items.size() != n ? *mass : *force,
                         "as many rows as coordinates are needed: " + std::to_string(n));
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Yaml& row = mass->items[i];
    h.push_back(reading_.formula(force->items[i], of_motion));
    M.emplace_back();
    if (!reading_.expect_list(row, "a row of mass")) return;
    if (row.items.size() != n && row.items.size() != i + 1) {
      return reading_.note(row, "row " + std::to_string(i + 1) + " of mass has " + std::to_string(row.items.size()) +
                                    " entries; accepted: " + std::to_string(n) + ", or the " + std::to_string(i + 1) +
                                    " of the lower triangle");
    }
    for (const Yaml& entry : row.items) M.back().push_back(reading_.formula(entry, of_position));
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < M[i].size(); ++j) {
      if (M[j].size() <= i) continue;
      const Node difference = formula::collect(pool_, pool_.subtract(M[i][j], M[j][i]),
                                               [this](Node x) { return symbols().is_parameter(x); });
      if (pool_.is_constant(difference, 0)) continue;
      reading_.note(mass->items[i].items[j], "the mass matrix is not symmetric: row " + std::to_string(i + 1) +
                                                 ", column " + std::to_string(j + 1) + " differs from row " +
                                                 std::to_string(j + 1) + ", column " + std::to_string(i + 1) +
                                                 "; or give the lower triangle only");
    }
  }
  for (std::size_t i = 0; i < n; ++i) M[i].resize(i + 1);
  const Node potential = reading_.formula(root_, "potential", of_position, 0);
  if (reading_.source.has_mistakes()) return;
  definition_.equations.dynamics = mechanics::given_dynamics(pool_, symbols(), M, h, potential);
}

}  // namespace picus::modelfile
