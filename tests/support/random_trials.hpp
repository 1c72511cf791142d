#pragma once

namespace picus::tests {

// Random trials, or a count that goes with them. Sanitizers make each of them slow and look for other faults than rare
// ones: an eighth will do there.
constexpr int trials(int n) {
#ifdef __SANITIZE_ADDRESS__
  return n < 8 ? 1 : n / 8;
#else
  return n;
#endif
}

}  // namespace picus::tests
