#include "picus/eventdriven/smooth_integrator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace picus::eventdriven::tests {
namespace {

void oscillate(double, const double* y, double* result) {
  result[0] = y[1];
  result[1] = -y[0];
}

TEST(SmoothIntegrator, FollowsAnOscillatorAndFindsItsRoots) {
  SmoothIntegrator integrator(2, 1e-13, 1e-3, oscillate);
  std::vector<double> y = {0, 1};
  // sin t falls through zero at π, 3π, …; cos t at π/2, 5π/2, …
  integrator.restart(0, y, 2, [](double, const double* x, double* g) {
    g[0] = x[0];
    g[1] = x[1];
  });
  const double quarter = 0.5 * 3.141592653589793238;
  double expected[] = {1, 2, 5, 6, 9, 10};
  for (int k = 0; k < 6; ++k) {
    ASSERT_EQ(integrator.advance(100, 100, y), SmoothIntegrator::Reached::root) << k;
    EXPECT_NEAR(integrator.time(), expected[k] * quarter, 3e-12) << k;
    ASSERT_EQ(integrator.fired().size(), 1u);
    EXPECT_EQ(integrator.fired()[0], k % 2 == 0 ? 1 : 0) << k;
  }
  EXPECT_EQ(integrator.advance(16, 100, y), SmoothIntegrator::Reached::time);
  EXPECT_NEAR(y[0], std::sin(16.0), 3e-12);
  EXPECT_NEAR(y[1], std::cos(16.0), 3e-12);
}

TEST(SmoothIntegrator, ErrorsFollowTheTolerance) {
  double last = 1;
  for (double tolerance : {1e-5, 1e-8, 1e-11}) {
    SmoothIntegrator integrator(2, tolerance, 1e-3, oscillate);
    std::vector<double> y = {0, 1};
    integrator.restart(0, y, 0, {});
    EXPECT_EQ(integrator.advance(20, 1e9, y), SmoothIntegrator::Reached::time);
    const double error = std::hypot(y[0] - std::sin(20.0), y[1] - std::cos(20.0));
    EXPECT_LT(error, 300 * tolerance);
    EXPECT_LT(error, 0.05 * last);
    last = error;
  }
}

TEST(SmoothIntegrator, DoesNotLookBeyondTheStop) {
  SmoothIntegrator integrator(1, 1e-10, 1e-3, [](double t, const double*, double* result) {
    EXPECT_LE(t, 1 + 1e-12);
    result[0] = 1;
  });
  std::vector<double> y = {0};
  integrator.restart(0, y, 0, {});
  EXPECT_EQ(integrator.advance(1, 1, y), SmoothIntegrator::Reached::time);
  EXPECT_NEAR(y[0], 1, 1e-12);
}

TEST(SmoothIntegrator, SaysWhereItIsStuck) {
  // y = 1 / (1 - t)
  SmoothIntegrator integrator(1, 1e-10, 1e-3, [](double, const double* y, double* result) { result[0] = y[0] * y[0]; });
  std::vector<double> y = {1};
  integrator.restart(0, y, 0, {});
  EXPECT_EQ(integrator.advance(2, 1e9, y), SmoothIntegrator::Reached::crawling);
  EXPECT_NEAR(integrator.time(), 1, 1e-8);
  EXPECT_GT(y[0], 1e8);
}

TEST(SmoothIntegrator, PassesExceptionsOn) {
  for (bool in_root : {false, true}) {
    SmoothIntegrator integrator(1, 1e-10, 1, [&](double t, const double*, double* rate) {
      if (!in_root && t > 0.5) throw std::runtime_error("no rate");
      rate[0] = 1;
    });
    integrator.restart(0, {0.0}, 1, [&](double t, const double*, double* value) {
      if (in_root && t > 0.5) throw std::runtime_error("no root");
      value[0] = 1;
    });
    std::vector<double> y(1);
    EXPECT_THROW(integrator.advance(1, 2, y), std::runtime_error);
  }
}

// Between the ends of a step a root function may have no value, or an infinite one; the search ends all the same.
TEST(SmoothIntegrator, FindsARootBesideWhatIsNoNumber) {
  for (const double beyond : {NAN, -INFINITY}) {
    SmoothIntegrator integrator(1, 1e-10, 1, [](double, const double*, double* rate) { rate[0] = 1; });
    integrator.restart(0, {0.0}, 1, [beyond](double, const double* y, double* value) {
      value[0] = y[0] > 0.5 && y[0] < 0.5001 ? beyond : 0.5 - y[0];
    });
    std::vector<double> y(1);
    ASSERT_EQ(integrator.advance(10, 10, y), SmoothIntegrator::Reached::root);
    EXPECT_NEAR(integrator.time(), 0.5, 1.1e-4);
  }
}

}  // namespace
}  // namespace picus::eventdriven::tests
