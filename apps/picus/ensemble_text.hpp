#pragma once

#include <string>

#include "picus/study/ensemble_files.hpp"

namespace picus::app {

// What an ensemble says to a person: how many futures, their shares, when they part, what may be predicted.
std::string ensemble_text(const study::EnsembleSummary& summary);

}  // namespace picus::app
