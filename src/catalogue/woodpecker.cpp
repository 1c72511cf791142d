#include "picus/catalogue/woodpecker.hpp"

#include "picus/catalogue/compiled_model.hpp"

namespace picus::catalogue {
namespace {

using mechanics::Range;

const std::vector<Field<Woodpecker>> fields = {
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

mechanics::ModelDescription describe_woodpecker() {
  mechanics::ModelDescription model;
  model.name = "woodpecker";
  model.title = "A woodpecker hammers its way down a pole: jamming, stick-slip and impacts";
  model.source = "Glocker & Studer 2005, Multibody System Dynamics 13, section 4, Table I";
  model.notes =
      "Three degrees of freedom, kinematics linearised for small angles. The start of Table I is rounded: the lower "
      "sleeve edge overlaps the pole by 0.88 micrometres.";
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
  add_parameters(model, fields, {"beak", "lower edge of the sleeve", "upper edge of the sleeve"});
  model.cycles = {{"peck", "pecks", 0, 0, "descent", -1}};
  model.defaults.step.dt = 1e-4;
  model.defaults.end = 2;
  return model;
}

}  // namespace

const Model& woodpecker_model() {
  static const CompiledModel<Woodpecker> model(describe_woodpecker(), fields);
  return model;
}

}  // namespace picus::catalogue
