// What the numbers of a run say that a person should know of, worded once for the command, the page and others.
#pragma once

#include "picus/io/run_summary.hpp"

namespace picus::io {

// How it ended where it is not done, steps that miss the laws, several solutions, energy that contacts fed in, impulses
// without a collision, accelerations that are not unique. Details of a finding stand on lines of their own in its text.
// Codes: ended, uncertified, several-solutions, energy-gain, jam, several-accelerations, no-forces.
checks::Diagnostics findings(const RunSummary& summary);

// The same on one line.
std::string one_line(const std::string& text);

// " at contact tip"; nothing without a name.
std::string at_contact(const std::string& name);

}  // namespace picus::io
