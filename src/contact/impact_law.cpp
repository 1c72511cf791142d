#include "picus/contact/impact_law.hpp"

namespace picus::contact {

PICUS_IMPACTS(, 1)
PICUS_IMPACTS(, 2)
PICUS_IMPACTS(, 3)
PICUS_IMPACTS(, 4)
PICUS_IMPACTS(, 8)
PICUS_IMPACTS(, 32)

}  // namespace picus::contact
