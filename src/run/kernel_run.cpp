#include "picus/run/kernel_run.hpp"

#include <limits>

namespace picus::run {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

}  // namespace

ContactRecord recorded(double t, const stepping::ContactInStep& c) {
  ContactRecord record{t, c.gap, c.gamma[0], c.gamma[1], c.Lambda[0], c.Lambda[1], c.contact, c.state};
  record.gamma_o = c.gamma[2];
  record.gamma_r = c.gamma[3];
  record.Lambda_o = c.Lambda[2];
  record.Lambda_r = c.Lambda[3];
  return record;
}

ContactRecord recorded(double t, const stepping::ElementInStep& e) {
  const contact::ContactState state = e.state == contact::RowState::inner ? contact::ContactState::stick
                                      : e.is_one_sided                    ? contact::ContactState::open
                                                                          : contact::ContactState::slip_positive;
  const double gap = e.is_on_displacement ? e.displacement : none;
  if (e.is_one_sided) return {t, gap, e.gamma, none, e.Lambda, none, e.contact, state};
  return {t, gap, none, e.gamma, none, e.Lambda, e.contact, state};
}

ReactionRecord recorded(double t, double dt, int constraint, const stepping::ReactionInStep& seen) {
  return {t, seen.g, seen.Lambda, dt > 0 ? seen.Lambda / dt : none, constraint};
}

EnergyRecord recorded(double t, double kinetic, double potential, double start, const stepping::Ledger& books) {
  return {t,
          kinetic,
          potential,
          books.work,
          books.drive,
          books.impact,
          books.friction,
          books.projection,
          kinetic + potential - start - books.booked()};
}

}  // namespace picus::run
