// Marks functions of the step kernel, which use no heap, no exceptions and no standard containers, so that a CUDA
// compiler can build the same headers for the device.
#pragma once

#if defined(__CUDACC__)
#define PICUS_HD __host__ __device__
#else
#define PICUS_HD
#endif

// For the few functions that every step calls and that lose more in a call than they cost.
#define PICUS_ALWAYS_INLINE inline __attribute__((always_inline))
// For those that few steps call: compiled once, and not into the others.
#define PICUS_RARELY __attribute__((noinline))
