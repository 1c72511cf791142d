// What a kernel carries from step to step, in numbers that other kernels understand: one goes on where another stands.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "picus/contact/choices.hpp"
#include "picus/contact/law.hpp"
#include "picus/stepping/motion_scale.hpp"

namespace picus::stepping {

struct CarriedContact {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  contact::ContactState state = contact::ContactState::open;
  bool was_active = false;                                             // took part in the last step
  std::int64_t opened_step = -1000;                                    // when it opened last
  std::int64_t closed_step = -1000;                                    // in space: when it closed last
  double Lambda[4] = {unknown, unknown, unknown, unknown};             // of its rows, as the kernel scales them
  double gamma_N = unknown, gamma_T = unknown;                         // after the last step; γ_T in the plane
  double sliding[3] = {unknown, unknown, unknown}, gamma_r = unknown;  // in space, in the world, and about the normal
  double reach = 0;    // in space: a gap that it may have and yet be closed
  double w_hat_N = 0;  // of a moving support, when the contact was active last
};

// What a kernel does not know is empty, or NaN; who takes it over keeps what it has.
struct CarriedState {
  std::int64_t steps = 0;
  int blows_given = 0;
  std::vector<double> q, u;
  std::vector<CarriedContact> contacts;  // by number
  std::vector<int> contact_numbers;      // of a system whose contacts come up during a run
  std::vector<int> closed;               // contacts that were closed after the last step
  std::vector<contact::RowState> elements;
  std::vector<double> constraint_velocities;  // where the step begins
  std::vector<double> angular_momenta;        // of bodies in space
  MotionScale scale;
};

}  // namespace picus::stepping
