#pragma once

#include "picus/contact/impact_law.hpp"
#include "picus/stepping/sparse_integration.hpp"

namespace picus::stepping {

struct SparseIntegration::ImpactWorkspace {
  contact::ImpactContacts<impact_limit> contacts;
  contact::PlanarSolution<2 * impact_limit> states;
  std::vector<int> group, members;  // of active contacts: which are coupled; those of one group
  std::vector<double> Lambda;       // of all rows, by impacts
  std::vector<double> response;     // of velocities, to impulses of many rows
  std::vector<double> y, v;         // respond() of one row
  std::vector<contact::RowLaw> law;
  std::vector<double> b, middle;  // without forces, and with half of them
};

}  // namespace picus::stepping
