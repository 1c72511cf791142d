#include "picus/formula/derivative.hpp"

namespace picus::formula {

Node Derivative::of(Node n) {
  // Arguments first, by number, so that deep formulas need no recursion.
  std::vector<char> needed(static_cast<std::size_t>(n.index) + 1, 0);
  needed.back() = 1;
  for (int i = n.index; i >= 0; --i) {
    if (needed[static_cast<std::size_t>(i)] == 0 || known_.contains(i)) continue;
    for (int k = 0; k < argument_count(pool_->op({i})); ++k) {
      needed[static_cast<std::size_t>(pool_->argument({i}, k).index)] = 1;
    }
  }
  for (int i = 0; i <= n.index; ++i) {
    if (needed[static_cast<std::size_t>(i)] != 0 && !known_.contains(i)) known_.emplace(i, rule({i}));
  }
  return known_.at(n.index);
}

Node Derivative::rule(Node n) {
  Pool& p = *pool_;
  const Node zero = p.constant(0), one = p.constant(1), two = p.constant(2);
  const Op op = p.op(n);
  if (op == Op::constant) return zero;
  if (op == Op::symbol) return n == symbol_ ? one : zero;

  const Node a = p.argument(n, 0), da = known_.at(a.index);
  const auto square = [&](Node x) { return p.multiply(x, x); };
  const auto root = [&](Node x) { return p.unary(Op::square_root, x); };
  if (argument_count(op) == 1) {
    if (p.is_constant(da, 0)) return zero;
    switch (op) {
      case Op::negate:
        return p.negate(da);
      case Op::absolute:
        return p.multiply(p.unary(Op::sign, a), da);
      case Op::square_root:
        return p.divide(da, p.multiply(two, n));
      case Op::exponential:
        return p.multiply(n, da);
      case Op::logarithm:
        return p.divide(da, a);
      case Op::sine:
        return p.multiply(p.unary(Op::cosine, a), da);
      case Op::cosine:
        return p.negate(p.multiply(p.unary(Op::sine, a), da));
      case Op::tangent:
        return p.multiply(p.add(one, square(n)), da);
      case Op::arc_sine:
        return p.divide(da, root(p.subtract(one, square(a))));
      case Op::arc_cosine:
        return p.negate(p.divide(da, root(p.subtract(one, square(a)))));
      case Op::arc_tangent:
        return p.divide(da, p.add(one, square(a)));
      case Op::hyperbolic_sine:
        return p.multiply(p.unary(Op::hyperbolic_cosine, a), da);
      case Op::hyperbolic_cosine:
        return p.multiply(p.unary(Op::hyperbolic_sine, a), da);
      case Op::hyperbolic_tangent:  // not 1 − tanh², which loses its digits where tanh ≈ 1
        return p.divide(da, square(p.unary(Op::hyperbolic_cosine, a)));
      case Op::area_sine:
        return p.divide(da, root(p.add(square(a), one)));
      case Op::area_cosine:  // not √(a² − 1), which hides that a ≥ 1 is asked for
        return p.divide(da, p.multiply(root(p.subtract(a, one)), root(p.add(a, one))));
      case Op::area_tangent:
        return p.divide(da, p.subtract(one, square(a)));
      default:  // sign, floor, not: constant between jumps
        return zero;
    }
  }

  const Node b = p.argument(n, 1), db = known_.at(b.index);
  switch (op) {
    case Op::add:
      return p.add(da, db);
    case Op::subtract:
      return p.subtract(da, db);
    case Op::multiply:
      if (a == b) return p.multiply(two, p.multiply(a, da));
      return p.add(p.multiply(da, b), p.multiply(a, db));
    case Op::divide:
      if (p.is_constant(db, 0)) return p.divide(da, b);
      return p.divide(p.subtract(da, p.multiply(n, db)), b);
    case Op::power:
      if (p.is_constant(db, 0)) {  // b xᵇ⁻¹ x'
        return p.multiply(p.multiply(b, p.binary(Op::power, a, p.subtract(b, one))), da);
      }
      // xʸ (y' ln x + y x'/x); for a constant base the second part is gone
      return p.multiply(n, p.add(p.multiply(db, p.unary(Op::logarithm, a)), p.divide(p.multiply(b, da), a)));
    case Op::minimum:
      return p.select(p.binary(Op::less_equal, a, b), da, db);
    case Op::maximum:
      return p.select(p.binary(Op::less_equal, b, a), da, db);
    case Op::arc_tangent_2: {  // (x y' − y x') / (x² + y²)
      const Node numerator = p.subtract(p.multiply(b, da), p.multiply(a, db));
      return p.divide(numerator, p.add(square(a), square(b)));
    }
    case Op::select:
      return p.select(a, db, known_.at(p.argument(n, 2).index));
    default:  // comparisons, and, or
      return zero;
  }
}

}  // namespace picus::formula
