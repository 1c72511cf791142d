#pragma once

namespace picus::tests {

// Number of calls of operator new in this program so far.
long allocations();

}  // namespace picus::tests
