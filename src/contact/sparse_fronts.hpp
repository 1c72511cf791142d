// The order of elimination for a sparse matrix A = Σ_e A_e that is a sum of small ones, and its fronts.
#pragma once

#include <cstddef>
#include <vector>

namespace picus::contact {

// The unknowns at the places first … first + pivots − 1 of the elimination are eliminated together; `rest` unknowns
// behind them are updated.
struct Front {
  int first = 0, pivots = 0;
  int rest = 0, index = 0;  // range in FrontPlan::rest_index
  int parent = -1;          // the front that takes the update
  std::size_t factors = 0;  // where its pivots (pivots + 2 rest) numbers begin

  int size() const { return pivots + rest; }
};

// Children stand before their parents.
struct FrontPlan {
  std::vector<Front> fronts;
  std::vector<int> place;       // of an unknown
  std::vector<int> front_of;    // by place
  std::vector<int> rest_index;  // places, ascending in each front
  std::vector<int> rest_local;  // where the same unknowns stand in the parent
  std::size_t numbers = 0;      // in all factors
};

// Unknowns 0 … n − 1; element e has the unknowns index[start[e]] … index[start[e + 1] − 1].
FrontPlan plan_fronts(int n, const std::vector<int>& start, const std::vector<int>& index);

}  // namespace picus::contact
