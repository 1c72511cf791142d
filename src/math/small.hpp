// Vectors and matrices of fixed capacity for the step kernel: plain arrays, no heap, usable on a GPU.
#pragma once

#include "picus/support/portable.hpp"

namespace picus::math {

// Without <cmath>, so that host and device take the same path.
PICUS_HD constexpr double abs(double x) { return x < 0 ? -x : x; }
PICUS_HD constexpr double max(double a, double b) { return a < b ? b : a; }
// NaN stays NaN.
PICUS_HD constexpr double clamp(double x, double low, double high) { return x < low ? low : high < x ? high : x; }
// The larger of a running maximum and a new value; once NaN, always NaN.
PICUS_HD constexpr double worse(double worst, double value) { return worst != worst || value <= worst ? worst : value; }

template <class T>
PICUS_HD PICUS_ALWAYS_INLINE void exchange(T& a, T& b) {
  const T kept = a;
  a = b;
  b = kept;
}

inline constexpr double epsilon = 2.220446049250313e-16;
inline constexpr double infinity = __builtin_huge_val();

// An array of length zero is not C++; systems without contacts still need a type.
constexpr int at_least_one(int n) { return n > 0 ? n : 1; }

template <int N>
struct Vector {
  double data[at_least_one(N)];

  PICUS_HD constexpr double& operator[](int i) { return data[i]; }
  PICUS_HD constexpr double operator[](int i) const { return data[i]; }
};

// Row-major.
template <int R, int C>
struct Matrix {
  double data[at_least_one(R)][at_least_one(C)];

  PICUS_HD constexpr double& operator()(int i, int j) { return data[i][j]; }
  PICUS_HD constexpr double operator()(int i, int j) const { return data[i][j]; }
};

// aᵀ b over the first n entries.
template <class A, class B>
PICUS_HD PICUS_ALWAYS_INLINE double dot(int n, const A& a, const B& b) {
  if (n == 0) return 0;
  double sum = a[0] * b[0];
  for (int i = 1; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace picus::math
