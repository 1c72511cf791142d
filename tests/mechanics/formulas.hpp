// Formulas of a small system from text, and their values, for tests of equations.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "picus/formula/parse.hpp"
#include "picus/formula/program.hpp"
#include "picus/mechanics/equations.hpp"

namespace picus::mechanics::tests {

using Values = std::vector<double>;

// Coordinates q1, q2, …, velocities u1, u2, … and t; all other names are parameters.
class Formulas : public formula::Scope {
 public:
  explicit Formulas(int size) {
    for (int i = 1; i <= size; ++i) symbols.q.push_back(pool.symbol("q" + std::to_string(i)));
    for (int i = 1; i <= size; ++i) symbols.u.push_back(pool.symbol("u" + std::to_string(i)));
    symbols.t = pool.symbol("t");
  }
  Node find(std::string_view name) override { return pool.symbol(std::string(name)); }
  std::vector<std::string> names() const override { return {}; }

  Node operator()(std::string_view text) { return formula::parse(text, pool, *this); }
  std::vector<Node> list(const std::vector<std::string>& texts) {
    std::vector<Node> nodes;
    for (const std::string& text : texts) nodes.push_back((*this)(text));
    return nodes;
  }
  double value(Node n, const Values& q, const Values& u, double t) const {
    std::vector<Node> inputs(symbols.q.begin(), symbols.q.end());
    inputs.insert(inputs.end(), symbols.u.begin(), symbols.u.end());
    inputs.push_back(symbols.t);
    const formula::Program program(pool, inputs, {n});
    Values r(static_cast<std::size_t>(program.register_count()) + 1, 0.0);
    std::copy(q.begin(), q.end(), r.begin());
    std::copy(u.begin(), u.end(), r.begin() + static_cast<std::ptrdiff_t>(q.size()));
    r[2 * q.size()] = t;
    program.load_constants(r.data());
    program.run(r.data());
    return r[static_cast<std::size_t>(program.result_register(0))];
  }

  Pool pool;
  Symbols symbols;
};

// Central difference of f at x: errors of h² f‴ / 6 and of round-off, some 1e-10 in all for what is of size 1.
inline double slope(const std::function<double(double)>& f, double x, double h = 1e-5) {
  return (f(x + h) - f(x - h)) / (2 * h);
}

// q + s u
inline Values moved(Values q, const Values& u, double s) {
  for (std::size_t i = 0; i < q.size(); ++i) q[i] += s * u[i];
  return q;
}

}  // namespace picus::mechanics::tests
