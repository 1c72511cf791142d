// Models from a text, and the values of their derived equations at any state.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "picus/run/formula_model.hpp"
#include "picus/support/error.hpp"

namespace picus::modelfile::tests {

using mechanics::FormulaPrograms;
using mechanics::ParameterValues;

inline std::unique_ptr<run::FormulaModel> model_from(const std::string& text) {
  return std::make_unique<run::FormulaModel>(define("test.yaml", "name: test\n" + text));
}

// The message with which a text is refused; empty when it is accepted.
inline std::string refusal_of(const std::string& text) {
  try {
    model_from(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct Point {
  std::vector<double> q, u;
  double t = 0;
};

class Random {
 public:
  double in(double low, double high) { return std::uniform_real_distribution<double>(low, high)(rng_); }
  Point point(std::size_t n) {
    Point x;
    for (std::size_t i = 0; i < n; ++i) {
      x.q.push_back(in(-3, 3));
      x.u.push_back(in(-3, 3));
    }
    x.t = in(0, 5);
    return x;
  }

 private:
  std::mt19937 rng_{20241};
};

// A sum with the size of its terms. Results are compared relative to that size: where terms cancel, the round-off of
// the terms remains. A term is an amplitude times a factor within ±1 (a sine, a cosine), which does not shrink it: the
// same term may be computed as a sum of larger ones, cos(a − b) = cos a cos b + sin a sin b.
struct Sum {
  double value = 0, size = 0;
  Sum& add(double amplitude, double factor = 1) {
    value += amplitude * factor;
    size += std::abs(amplitude);
    return *this;
  }
};

inline ::testing::AssertionResult is_near(double found, const Sum& expected, double tolerance = 1e-12) {
  if (std::abs(found - expected.value) <= tolerance * expected.size) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << found << " instead of " << expected.value << ", off by "
                                       << found - expected.value << ", terms of size " << expected.size;
}

// The compiled equations.
class Probe {
 public:
  Probe(const run::FormulaModel& model, const ParameterValues& values) : p_(model.mechanism(values)->programs()) {}
  explicit Probe(const run::FormulaModel& model) : Probe(model, ParameterValues(model.description())) {}

  const FormulaPrograms& programs() const { return *p_; }

  std::vector<double> run(const formula::Program& program, const Point& x) const {
    std::vector<double> r(static_cast<std::size_t>(program.register_count()) + 1, 0.0), results;
    std::size_t k = 0;
    for (double q : x.q) r[k++] = q;
    for (double u : x.u) r[k++] = u;
    r[k] = x.t;
    program.load_constants(r.data());
    program.run(r.data());
    for (int i = 0; i < program.result_count(); ++i) {
      results.push_back(r[static_cast<std::size_t>(program.result_register(i))]);
    }
    return results;
  }
  // Entry (i, j) of the lower triangle stands at i (i + 1)/2 + j.
  std::vector<double> mass(const Point& x) const { return p_->constant_mass ? p_->M : run(p_->mass, x); }
  std::vector<double> force(const Point& x) const { return run(p_->force, x); }
  std::vector<double> working(const Point& x) const { return run(p_->working, x); }
  std::vector<double> gaps(const Point& x) const { return run(p_->gaps, x); }
  std::vector<double> directions(std::size_t contact, const Point& x) const { return run(p_->directions[contact], x); }
  std::vector<double> outputs(const Point& x) const { return run(p_->outputs, x); }
  double potential(const Point& x) const { return run(p_->potential, x)[0]; }
  double potential_rate(const Point& x) const { return run(p_->potential_rate, x)[0]; }
  double kinetic_rest(const Point& x) const { return run(p_->kinetic_rest, x)[0]; }

 private:
  std::shared_ptr<const FormulaPrograms> p_;
};

}  // namespace picus::modelfile::tests
