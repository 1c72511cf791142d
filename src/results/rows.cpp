#include "picus/results/rows.hpp"

#include <algorithm>

namespace picus::results {
namespace {

// Both directions of sliding are one status.
double status_of(contact::ContactState state) { return std::min(static_cast<int>(state), 2); }
double number(int from_0) { return from_0 + 1; }
double number(acceleration::Answer answer) { return static_cast<int>(answer); }

}  // namespace

void fill(Row& row, const run::ContactRecord& r, bool in_space) {
  if (in_space) {
    row.assign({r.t, number(r.contact), r.gap, r.gamma_N, r.gamma_T, r.gamma_o, r.gamma_r, r.Lambda_N, r.Lambda_T,
                r.Lambda_o, r.Lambda_r, status_of(r.state)});
  } else {
    row.assign({r.t, number(r.contact), r.gap, r.gamma_N, r.gamma_T, r.Lambda_N, r.Lambda_T, status_of(r.state)});
  }
}

void fill(Row& row, const run::ReactionRecord& r) { row.assign({r.t, number(r.constraint), r.g, r.Lambda, r.force}); }

void fill(Row& row, const run::EventRecord& r) {
  row.assign({r.t, number(r.event.contact), static_cast<double>(r.event.kind), r.event.Lambda_N});
}

void fill(Row& row, const run::EventRecord& r, const double* state, std::size_t count) {
  row.assign({r.t, number(r.event.contact), static_cast<double>(r.event.kind)});
  row.insert(row.end(), state, state + count);
}

void fill(Row& row, const run::SolutionRecord& r) {
  row.assign({r.t, number(r.solution), r.taken ? 1.0 : 0.0, number(r.contact), r.gamma_N, r.gamma_T, r.Lambda_N,
              r.Lambda_T, status_of(r.state), r.energy});
}

void fill(Row& row, const run::EnergyRecord& r) {
  row.assign({r.t, r.kinetic, r.potential, r.work, r.drive, r.impact, r.friction, r.projection, r.remainder});
}

void fill(Row& row, const run::CertificateRecord& r) { row.assign({r.t, r.residual, static_cast<double>(r.active)}); }

void fill(Row& row, const theory::TheoryRecord& r) {
  row.assign({r.t, static_cast<double>(r.contacts), static_cast<double>(r.rolling), static_cast<double>(r.sliding),
              static_cast<double>(r.solutions), number(r.existence), number(r.uniqueness), number(r.erdmann), r.mu,
              r.mu_existence, r.mu_unique, r.mu_unique_simple});
}

}  // namespace picus::results
