#include "picus/support/version.hpp"

namespace picus {

const char* version() { return PICUS_VERSION; }

}  // namespace picus
