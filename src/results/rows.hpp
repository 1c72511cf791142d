// Records of a run as rows of its tables: one number a column, in the order of the schema.
#pragma once

#include <vector>

#include "picus/run/simulation.hpp"
#include "picus/theory/theory_record.hpp"

namespace picus::results {

using Row = std::vector<double>;

// Each replaces what is in the row.
void fill(Row& row, const run::ContactRecord& record, bool in_space);
void fill(Row& row, const run::ReactionRecord& record);
void fill(Row& row, const run::EventRecord& record);
// With the state behind it: `count` numbers.
void fill(Row& row, const run::EventRecord& record, const double* state, std::size_t count);
void fill(Row& row, const run::SolutionRecord& record);
void fill(Row& row, const run::EnergyRecord& record);
void fill(Row& row, const run::CertificateRecord& record);
void fill(Row& row, const theory::TheoryRecord& record);

}  // namespace picus::results
