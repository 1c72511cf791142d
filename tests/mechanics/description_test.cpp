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
