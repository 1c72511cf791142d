// What the step kernel asks of a mechanical system:
//
//   M(q,t) du = h(q,u,t) dt + Σ (w_N dΛ_N + w_T dΛ_T),    g_N(q,t) ≥ 0,
//   γ_N = w_Nᵀ u + ŵ_N,   γ_T = w_Tᵀ u + ŵ_T              (Glocker & Studer 2005, eqs. 6-10)
//
// A compiled model and a set of formula programs (formula_system.hpp) are both Systems; one kernel steps them all.
#pragma once

#include <concepts>

#include "picus/contact/law.hpp"
#include "picus/math/small.hpp"

namespace picus::mechanics {

// Shapes, numbered through all bodies in their order, that meet at a contact; −1: a contact of formulas.
struct TouchingShapes {
  int a = -1, b = -1;
};

// Generalised directions of one planar contact, and the velocities ŵ of its moving support (rheonomic systems).
template <int NU>
struct ContactDirections {
  math::Vector<NU> w_N;
  math::Vector<NU> w_T;
  double w_hat_N = 0;
  double w_hat_T = 0;
};

// A force element of one row (contact::ElementLaw): its velocity is γ = wᵀu + ŵ. `displacement` is asked for by laws on
// displacement level; there w is its gradient and ŵ its rate at rest.
template <int NU>
struct ElementDirection {
  math::Vector<NU> w;
  double w_hat = 0;
  double displacement = 0;
};

// Sizes are capacities at compile time (max_q, max_u, max_contacts) and numbers in use at run time (q_size(), …). For a
// compiled model both are the same constants, and loops over them unroll.
template <class S>
concept System = requires(const S& s, const math::Vector<S::max_q>& q, const math::Vector<S::max_u>& u, double t, int i,
                          math::Matrix<S::max_u, S::max_u>& M, math::Vector<S::max_u>& h,
                          math::Vector<S::max_contacts>& g, ContactDirections<S::max_u>& d) {
  { s.q_size() } -> std::convertible_to<int>;
  { s.u_size() } -> std::convertible_to<int>;
  { s.contact_count() } -> std::convertible_to<int>;
  s.mass(q, t, M);                                                 // lower triangle of M, symmetric positive definite
  s.force(q, u, t, h);                                             // h: gyroscopic terms and all smooth forces
  s.gaps(q, t, g);                                                 // all g_N
  s.directions(i, q, t, d);                                        // of contact i
  { s.law(i) } -> std::convertible_to<contact::Law>;               // of contact i
  { s.advance(q, u, t) } -> std::same_as<math::Vector<S::max_q>>;  // q moved by the velocities u for a time
  { s.potential_energy(q, t) } -> std::convertible_to<double>;     // of the conservative forces in h
};

// Force elements without a gap, for systems that have any: max_elements, element_count(), element(i, q, t, d),
// element_law(i).
template <class S>
concept HasElements = requires(const S& s, const math::Vector<S::max_q>& q, double t, int i,
                               ElementDirection<S::max_u>& d) {
  requires S::max_elements >
  0;
  { s.element_count() } -> std::convertible_to<int>;
  s.element(i, q, t, d);
  { s.element_law(i) } -> std::convertible_to<contact::ElementLaw>;
};

template <class S>
constexpr int max_elements() {
  if constexpr (requires { S::max_elements; }) {
    static_assert(S::max_elements == 0 || HasElements<S>, "a system with elements needs element() and element_law()");
    return S::max_elements;
  } else {
    return 0;
  }
}

template <class S>
PICUS_HD constexpr int element_count(const S& system) {
  if constexpr (max_elements<S>() > 0) {
    return system.element_count();
  } else {
    return 0;
  }
}

// Base for systems in minimal coordinates (q̇ = u) with F coordinates, C contacts and E force elements without a gap.
template <int F, int C, int E = 0>
struct MinimalCoordinates {
  static constexpr int max_q = F, max_u = F, max_contacts = C, max_elements = E;
  using Position = math::Vector<F>;
  using Velocity = math::Vector<F>;
  using MassMatrix = math::Matrix<F, F>;
  using Gaps = math::Vector<C>;
  using Directions = ContactDirections<F>;
  using Element = ElementDirection<F>;

  PICUS_HD static constexpr int q_size() { return F; }
  PICUS_HD static constexpr int u_size() { return F; }
  PICUS_HD static constexpr int contact_count() { return C; }
  PICUS_HD static constexpr int element_count() { return E; }

  PICUS_HD static Position advance(const Position& q, const Velocity& u, double dt) {
    Position moved;
    for (int i = 0; i < F; ++i) moved[i] = q[i] + dt * u[i];
    return moved;
  }
};

// clang-format off
// Optional statements of a system, which save work:
//   static constexpr bool constant_mass = true;        M depends on neither q nor t: factorised once
//   static constexpr bool constant_directions = true;  nor do the directions w of contacts and elements: with a constant
//                                                      M, G is computed once
//   void smooth_part(q, u, t, h, M, gap) const;        force(), mass() (unless it is constant) and gaps() in one go
//   static constexpr bool derived_directions = true;   w_N is the gradient of the gap by construction
// and optional members:
//   Law law(i, q, t) const; bool laws_vary() const;    laws that depend on where the system is; law(i): at the start
//   void nonconservative_force(q, u, t, f) const;      the part of h that no potential describes; its work is booked
//   double potential_rate(q, t) const;                 dV/dt at rest, where the potential depends on time; booked as work
//   bool does_work() const;                            false: both are zero
//   double kinetic_rest(q, u, t) const;                T - u'Mu/2, where coordinates are relative to a moving frame
//   int blow_count() const; double blow_time(i) const; void blow(i, q, t, J) const;
//                                                      given blows J (N s), in ascending order of time
//   int output_count() const; void outputs(q, u, t, double* y) const;
//                                                      quantities that users want beside the state, recorded with it
// clang-format on
template <class S>
constexpr bool has_constant_mass() {
  if constexpr (requires { S::constant_mass; }) {
    return S::constant_mass;
  } else {
    return false;
  }
}

template <class S>
constexpr bool has_constant_directions() {
  if constexpr (requires { S::constant_directions; }) {
    return S::constant_directions;
  } else {
    return false;
  }
}

template <class S>
concept HasNonconservativeForce = requires(const S& s, const math::Vector<S::max_q>& q, const math::Vector<S::max_u>& u,
                                           double t, math::Vector<S::max_u>& f) {
  s.nonconservative_force(q, u, t, f);
};

template <class S>
concept HasPotentialRate = requires(const S& s, const math::Vector<S::max_q>& q, double t) {
  { s.potential_rate(q, t) } -> std::convertible_to<double>;
};

template <class S>
concept HasSmoothPart = requires(const S& s, const math::Vector<S::max_q>& q, const math::Vector<S::max_u>& u, double t,
                                 math::Vector<S::max_u>& h, math::Matrix<S::max_u, S::max_u>& M,
                                 math::Vector<S::max_contacts>& gap) {
  s.smooth_part(q, u, t, h, M, gap);
};

template <class S>
concept HasKineticRest = requires(const S& s, const math::Vector<S::max_q>& q, const math::Vector<S::max_u>& u,
                                  double t) {
  { s.kinetic_rest(q, u, t) } -> std::convertible_to<double>;
};

template <class S>
concept HasBlows = requires(const S& s, const math::Vector<S::max_q>& q, double t, int i, math::Vector<S::max_u>& J) {
  { s.blow_count() } -> std::convertible_to<int>;
  { s.blow_time(i) } -> std::convertible_to<double>;
  s.blow(i, q, t, J);
};

template <class S>
concept HasVaryingLaws = requires(const S& s, const math::Vector<S::max_q>& q, double t, int i) {
  { s.laws_vary() } -> std::convertible_to<bool>;
  { s.law(i, q, t) } -> std::convertible_to<contact::Law>;
};

template <class S>
PICUS_HD constexpr bool laws_vary(const S& system) {
  if constexpr (HasVaryingLaws<S>) {
    return system.laws_vary();
  } else {
    return false;
  }
}

// The law of contact i where the system is now.
template <class S>
PICUS_HD contact::Law law_at(const S& system, int i, const math::Vector<S::max_q>& q, double t) {
  if constexpr (HasVaryingLaws<S>) {
    if (system.laws_vary()) return system.law(i, q, t);
  }
  return system.law(i);
}

template <class S>
constexpr bool has_derived_directions() {
  if constexpr (requires { S::derived_directions; }) {
    return S::derived_directions;
  } else {
    return false;
  }
}

template <class S>
concept HasOutputs = requires(const S& s, const math::Vector<S::max_q>& q, const math::Vector<S::max_u>& u, double t,
                              double* y) {
  { s.output_count() } -> std::convertible_to<int>;
  s.outputs(q, u, t, y);
};

}  // namespace picus::mechanics
