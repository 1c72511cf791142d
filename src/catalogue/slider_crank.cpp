#include "picus/catalogue/slider_crank.hpp"

#include <string>

#include "picus/catalogue/compiled_model.hpp"

namespace picus::catalogue {
namespace {

using mechanics::Range;

const std::vector<Field<SliderCrank>> fields = {
    {"l_1", &SliderCrank::l_1, "m", "length of the crank", Range::positive},
    {"l_2", &SliderCrank::l_2, "m", "length of the connecting rod", Range::positive},
    {"a", &SliderCrank::a, "m", "half length of the slider", Range::positive},
    {"b", &SliderCrank::b, "m", "half width of the slider", Range::positive},
    {"c", &SliderCrank::c, "m", "clearance on either side", Range::positive},
    {"d", &SliderCrank::d, "m", "width of the guide; 2 (b + c) unless set", Range::positive},
    {"m_1", &SliderCrank::m_1, "kg", "mass of the crank", Range::positive},
    {"m_2", &SliderCrank::m_2, "kg", "mass of the connecting rod", Range::positive},
    {"m_3", &SliderCrank::m_3, "kg", "mass of the slider", Range::positive},
    {"J_1", &SliderCrank::J_1, "kg m^2", "moment of inertia of the crank", Range::positive},
    {"J_2", &SliderCrank::J_2, "kg m^2", "moment of inertia of the connecting rod", Range::positive},
    {"J_3", &SliderCrank::J_3, "kg m^2", "moment of inertia of the slider", Range::positive},
    {"g", &SliderCrank::g, "m/s^2", "gravity", Range::any},
};

mechanics::ModelDescription describe_slider_crank() {
  mechanics::ModelDescription model;
  model.name = "slider-crank";
  model.title = "A crank drives a slider that rattles in its guide: impacts of four corners";
  model.source = "Flores, Leine & Glocker 2010, Multibody System Dynamics 23, section 6, Table 1";
  model.notes =
      "The crank is free and starts with 150 rad/s. The printed start is special: both corners of a face hit at once, "
      "and the slider never turns; the least omega_3 sends it another way.";
  model.caution = "predictable up to the first impacts only: tiny changes of omega_3 or dt lead elsewhere";
  model.coordinates = {
      {"theta_1", "rad", "angle of the crank"},
      {"theta_2", "rad", "angle of the connecting rod"},
      {"theta_3", "rad", "angle of the slider"},
  };
  model.velocities = {
      {"omega_1", "rad/s", "angular velocity of the crank"},
      {"omega_2", "rad/s", "angular velocity of the connecting rod"},
      {"omega_3", "rad/s", "angular velocity of the slider"},
  };
  const std::vector<const char*> corners = {"rear upper corner", "front upper corner", "rear lower corner",
                                            "front lower corner"};
  for (std::size_t i = 0; i < corners.size(); ++i) {
    model.outputs.push_back({"corner_" + std::to_string(i + 1), "1",
                             std::string("height of the ") + corners[i] + " in its play (eq. 115); 1, -1: the guide"});
  }
  add_parameters(model, fields, corners);
  for (mechanics::Parameter& p : model.parameters) {
    if (p.name == "d") p.follows = [](const mechanics::ParameterValues& v) { return 2 * (v["b"] + v["c"]); };
  }
  model.defaults.step.dt = 1e-5;
  model.defaults.end = 0.16;
  return model;
}

}  // namespace

const Model& slider_crank_model() {
  static const CompiledModel<SliderCrank> model(describe_slider_crank(), fields);
  return model;
}

}  // namespace picus::catalogue
