#include "picus/catalogue/woodpecker.hpp"

#include <string>

namespace picus::catalogue {
namespace {

using mechanics::Range;

// The fields of Woodpecker that users set by name.
struct Field {
  const char* name;
  double Woodpecker::*member;
  const char* unit;
  const char* meaning;
  Range range;
};

constexpr Field fields[] = {
    {"r_O", &Woodpecker::r_O, "m", "radius of the pole", Range::positive},
    {"r_M", &Woodpecker::r_M, "m", "inner radius of the sleeve", Range::positive},
    {"h_M", &Woodpecker::h_M, "m", "half height of the sleeve", Range::positive},
    {"l_M", &Woodpecker::l_M, "m", "distance M-G, sleeve to spring", Range::positive},
    {"l_G", &Woodpecker::l_G, "m", "distance G-S, spring to woodpecker", Range::positive},
    {"h_S", &Woodpecker::h_S, "m", "distance S-P, woodpecker to beak", Range::positive},
    {"l_S", &Woodpecker::l_S, "m", "length of the beak P-1", Range::positive},
    {"m_M", &Woodpecker::m_M, "kg", "mass of the sleeve", Range::positive},
    {"m_S", &Woodpecker::m_S, "kg", "mass of the woodpecker", Range::positive},
    {"J_M", &Woodpecker::J_M, "kg m^2", "moment of inertia of the sleeve", Range::positive},
    {"J_S", &Woodpecker::J_S, "kg m^2", "moment of inertia of the woodpecker", Range::positive},
    {"c_phi", &Woodpecker::c_phi, "N m/rad", "angular stiffness of the spring", Range::nonnegative},
    {"g", &Woodpecker::g, "m/s^2", "gravity", Range::any},
};

constexpr const char* contact_meanings[] = {"beak", "lower edge of the sleeve", "upper edge of the sleeve"};

mechanics::ModelDescription describe_woodpecker() {
  mechanics::ModelDescription model;
  const Woodpecker toy;
  model.name = "woodpecker";
  model.title = "A woodpecker hammers its way down a pole: jamming, stick-slip and impacts";
  model.source = "Glocker & Studer 2005, Multibody System Dynamics 13, section 4, Table I";
  model.notes =
      "Three degrees of freedom, kinematics linearised for small angles. The start of Table I is rounded: the lower "
      "sleeve edge overlaps the pole by 0.88 micrometres.";
  for (const Field& f : fields) model.parameters.push_back({f.name, toy.*f.member, f.unit, f.meaning, f.range});
  for (int i = 0; i < Woodpecker::max_contacts; ++i) {
    mechanics::add_contact(model, {std::to_string(i + 1), contact_meanings[i]}, toy.laws[i]);
  }
  model.coordinates = {
      {"y", "m", "height of the sleeve"},
      {"phi_M", "rad", "angle of the sleeve"},
      {"phi_S", "rad", "angle of the woodpecker"},
  };
  model.velocities = {
      {"v", "m/s", "velocity of the sleeve"},
      {"omega_M", "rad/s", "angular velocity of the sleeve"},
      {"omega_S", "rad/s", "angular velocity of the woodpecker"},
  };
  const auto q0 = Woodpecker::table_q0();
  const auto u0 = Woodpecker::table_u0();
  for (int i = 0; i < 3; ++i) {
    const auto& c = model.coordinates[static_cast<std::size_t>(i)];
    model.parameters.push_back({c.name, q0[i], c.unit, "initial " + c.meaning, Range::any});
  }
  for (int i = 0; i < 3; ++i) {
    const auto& c = model.velocities[static_cast<std::size_t>(i)];
    model.parameters.push_back({c.name, u0[i], c.unit, "initial " + c.meaning, Range::any});
  }
  model.cycles = {{"peck", "pecks", 0, 0, "descent", -1}};
  model.defaults.dt = 1e-4;
  model.defaults.end = 2;
  return model;
}

Woodpecker build(const mechanics::ParameterValues& values) {
  Woodpecker toy;
  for (const Field& f : fields) toy.*f.member = values[f.name];
  for (int i = 0; i < Woodpecker::max_contacts; ++i) toy.laws[i] = values.law(i + 1);
  return toy;
}

Woodpecker::Position initial_position(const mechanics::ParameterValues& values) {
  return {values["y"], values["phi_M"], values["phi_S"]};
}

class WoodpeckerModel final : public Model {
 public:
  const mechanics::ModelDescription& description() const override { return description_; }

  std::unique_ptr<stepping::Simulation> simulate(const mechanics::ParameterValues& values,
                                                 const stepping::StepOptions& options,
                                                 const stepping::RecordingOptions& recording) const override {
    const Woodpecker::Velocity u0 = {values["v"], values["omega_M"], values["omega_S"]};
    return std::make_unique<stepping::SystemSimulation<Woodpecker>>(build(values), initial_position(values), u0,
                                                                    options, recording, description_.cycles);
  }

  std::vector<double> initial_gaps(const mechanics::ParameterValues& values) const override {
    Woodpecker::Gaps gap;
    build(values).gaps(initial_position(values), 0, gap);
    return {gap.data, gap.data + Woodpecker::max_contacts};
  }

 private:
  mechanics::ModelDescription description_ = describe_woodpecker();
};

}  // namespace

const Model& woodpecker_model() {
  static const WoodpeckerModel model;
  return model;
}

}  // namespace picus::catalogue
