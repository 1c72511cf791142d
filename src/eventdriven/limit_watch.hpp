// What closed contacts bear between the ends of a step.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "picus/eventdriven/smooth_integrator.hpp"
#include "picus/mechanics/instant_system.hpp"

namespace picus::eventdriven {

// A contact holds as long as its normal force, what is left of its friction, or its sliding speed is above zero. The
// integrator looks for zeros of these by their signs at the ends of a step, and the state need not show what lies
// between them: the reaction of a contact that rests takes away every force. Impulses of contacts are unknowns of the
// integrator, so their rates are the forces at any instant of a step, at the price of an interpolation.
class LimitWatch {
 public:
  struct Held {
    int contact = 0;
    std::size_t impulses = 0;  // place of its first impulse among the unknowns
    double slides = 0;         // sign of its sliding velocity, in the plane; 0: it rolls, or slides in space
    bool rolls = false;
  };

  LimitWatch(mechanics::InstantSystem& system, const SmoothIntegrator& integrator)
      : system_(system), integrator_(integrator), known_up_to_(std::numeric_limits<double>::quiet_NaN()) {}

  void new_piece(std::vector<Held> held);

  // Begin, middle and end of a step.
  using States = std::array<const std::vector<double>*, 3>;
  // An instant within the step where one of them is below zero by the interpolated motion, which stays in the box.
  std::optional<double> dip(const mechanics::Box& box, const States& states);

 private:
  static constexpr int pieces = 8;
  enum class Limit : unsigned char { normal_force, slack, speed };

  double value_at(const Held& held, Limit limit, double t, const std::vector<double>& y,
                  const std::vector<double>& forces);
  double value_at(const Held& held, Limit limit, double t);
  bool is_far_from_zero(const Held& held, Limit limit, const formula::Range& t, const States& states);
  std::optional<double> dip_of(const Held& held, Limit limit, double begin, double end);
  std::optional<double> lowest(const Held& held, Limit limit, double begin, double end);

  mechanics::InstantSystem& system_;
  const SmoothIntegrator& integrator_;
  std::vector<Held> held_;
  std::array<std::vector<double>, 3> forces_;  // rates of the unknowns
  double known_up_to_;                         // the last of forces_ is there
  std::vector<double> y_, there_;
  mechanics::InstantRows rows_;
};

}  // namespace picus::eventdriven
