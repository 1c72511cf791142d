#include "picus/mechanics/description.hpp"

#include <gtest/gtest.h>

#include "picus/support/error.hpp"
#include "picus/support/suggest.hpp"

namespace picus::mechanics {
namespace {

ModelDescription model() {
  ModelDescription m;
  m.parameters = {{"mass_rod", 1, "kg", "mass", Range::positive, {}}, {"g", 9.81, "m/s^2", "gravity", Range::any, {}}};
  add_contact(m, {"1", "tip"}, {0.3, 0.5, 0});
  add_contact(m, {"2", "heel"}, {0.3, 0.5, 0});
  return m;
}

std::string error_of(const std::string& assignment) {
  const ModelDescription m = model();
  ParameterValues values(m);
  try {
    values.set(assignment);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(Parameters, AreSetByName) {
  const ModelDescription m = model();
  ParameterValues values(m);
  values.set("mass_rod=2.5");
  values.set("g=-1e-3");
  values.set("mu2=0.7");
  EXPECT_EQ(values["mass_rod"], 2.5);
  EXPECT_EQ(values["g"], -1e-3);
  EXPECT_EQ(values.law(1).mu, 0.3);
  EXPECT_EQ(values.law(2).mu, 0.7);
  values.set("eN=+0.25");
  EXPECT_EQ(values.law(1).eN, 0.25);
  EXPECT_EQ(values.law(2).eN, 0.25);
}

TEST(Parameters, ErrorsNameTheValueAndWhatIsAccepted) {
  EXPECT_EQ(error_of("mass_rod=-1"), "parameter mass_rod is -1; accepted: a number > 0");
  EXPECT_EQ(error_of("mass_rod=0"), "parameter mass_rod is 0; accepted: a number > 0");
  EXPECT_EQ(error_of("mu1=-0.1"), "parameter mu1 is -0.1; accepted: a number >= 0");
  EXPECT_EQ(error_of("eN=1.5"), "parameter eN is 1.5; accepted: a number from 0 to 1");
  EXPECT_NE(error_of("mass_rod=nan").find("finite"), std::string::npos);
  EXPECT_NE(error_of("mass_rod=inf").find("finite"), std::string::npos);
  EXPECT_NE(error_of("mass_rod=1e999").find("1e999"), std::string::npos);
  EXPECT_NE(error_of("mass_rod=heavy").find("'heavy', which is not a number"), std::string::npos);
  EXPECT_NE(error_of("mass_rod=1kg").find("'1kg'"), std::string::npos);
  EXPECT_NE(error_of("mass_rod=").find("not a number"), std::string::npos);
  EXPECT_NE(error_of("mass_rod").find("name=value"), std::string::npos);
  EXPECT_NE(error_of("mas_rod=1").find("did you mean 'mass_rod'"), std::string::npos);
}

TEST(Parameters, AFailedAssignmentChangesNothing) {
  const ModelDescription m = model();
  ParameterValues values(m);
  EXPECT_THROW(values.set("eN=2"), InputError);
  EXPECT_EQ(values.law(1).eN, 0.5);
}

// A value that follows others does so until it is set, through others that follow.
TEST(Parameters, FollowOthersUntilTheyAreSet) {
  ModelDescription m = model();
  m.parameters.push_back(
      {"weight", 0, "N", "", Range::any, [](const ParameterValues& v) { return v["mass_rod"] * v["g"]; }});
  m.parameters.push_back({"twice", 0, "N", "", Range::any, [](const ParameterValues& v) { return 2 * v["weight"]; }});
  ParameterValues values(m);
  EXPECT_DOUBLE_EQ(values["twice"], 2 * 9.81);
  values.set("mass_rod=3");
  EXPECT_DOUBLE_EQ(values["weight"], 3 * 9.81);
  EXPECT_DOUBLE_EQ(values["twice"], 6 * 9.81);
  values.set_all({{"mass_rod", 2}, {"g", 10}});
  EXPECT_EQ(values["twice"], 40);
  values.set("weight=5");
  values.set("mass_rod=4");
  EXPECT_EQ(values["weight"], 5);
  EXPECT_EQ(values["twice"], 10);
  EXPECT_TRUE(values.is_set("weight"));
  EXPECT_FALSE(values.is_set("twice"));
  EXPECT_THROW(values.set_all({{"g", 1}, {"mass_rod", -1}}), InputError);
  EXPECT_EQ(values["g"], 10);  // none of them
}

TEST(Laws, NumbersThatAreNoneAreRefusedByName) {
  const auto refusal = [](const contact::Law& law) -> std::string {
    try {
      check_law("contact tip", law);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({.mu = 0.3, .eN = 1, .mu_static = 0.3, .mu_inf = 0.3, .v_s = 1}), "");
  EXPECT_EQ(refusal({.mu = 0.3, .mu_inf = 0.4}), "");  // not used without v_s
  EXPECT_EQ(refusal({.mu = -0.1}), "contact tip: mu is -0.1; accepted: a finite number >= 0");
  EXPECT_EQ(refusal({.eT = 1.5}), "contact tip: eT is 1.5; accepted: a number from 0 to 1");
  EXPECT_EQ(refusal({.mu = 0.3, .mu_inf = 0.4, .v_s = 1}),
            "contact tip: mu_inf is 0.4, above mu, which is 0.3; accepted: a number from 0 to mu");
  EXPECT_NE(refusal({.mu = 0.3, .mu_static = 0.2}).find("mu_static is 0.2, below mu, which is 0.3"), std::string::npos);
  EXPECT_NE(refusal({.friction_force = math::infinity}).find("friction_force is inf"), std::string::npos);
  EXPECT_NE(refusal({.stiffness = 0}).find("stiffness is 0; accepted: a finite number > 0"), std::string::npos);
}

TEST(Suggestion, FindsNearNamesOnly) {
  const std::vector<std::string> names = {"woodpecker", "slider-crank", "bouncing-ball"};
  EXPECT_EQ(nearest_name("woodpeker", names), "woodpecker");
  EXPECT_EQ(nearest_name("Woodpecker", names), "woodpecker");
  EXPECT_EQ(nearest_name("slidercrank", names), "slider-crank");
  EXPECT_EQ(nearest_name("bounicng-ball", names), "bouncing-ball");
  EXPECT_EQ(nearest_name("pendulum", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name(std::string(100000, 'x'), names), "");
}

}  // namespace
}  // namespace picus::mechanics
