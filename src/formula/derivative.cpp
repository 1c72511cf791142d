#include "picus/formula/derivative.hpp"

namespace picus::formula {
namespace {

constexpr int most_depth = 6;  // at which a denominator is looked at

}  // namespace

Derivative::Derivative(Pool& pool, Node symbol)
    : pool_(&pool), symbol_(symbol), zero_(pool.constant(0)), one_(pool.constant(1)), two_(pool.constant(2)) {}

Node Derivative::of(Node n) {
  // Arguments first, by number, so that deep formulas need no recursion.
  if (const auto known = known_.find(n.index); known != known_.end()) return known->second;
  for (int i : pool_->parts({n})) {
    if (!known_.contains(i)) known_.emplace(i, rule({i}));
  }
  return known_.at(n.index);
}

// b'/b of what grows or falls exponentially, by its parts, and whether it is nowhere zero: it stays finite where b and
// b' overflow.
std::optional<Derivative::Growth> Derivative::growth(Node b, int depth) {
  if (depth == most_depth) return std::nullopt;
  Pool& p = *pool_;
  switch (p.op(b)) {
    case Op::exponential:
      return Growth{known_.at(p.argument(b, 0).index), true};
    case Op::hyperbolic_cosine: {
      const Node x = p.argument(b, 0);
      return Growth{p.multiply(p.unary(Op::hyperbolic_tangent, x), known_.at(x.index)), true};
    }
    case Op::hyperbolic_sine: {
      const Node x = p.argument(b, 0);
      return Growth{p.divide(known_.at(x.index), p.unary(Op::hyperbolic_tangent, x)), false};
    }
    case Op::multiply:
    case Op::divide:
      return growth_of_product(b, depth + 1);
    case Op::power:
      if (p.is_constant(p.argument(b, 1))) {
        const std::optional<Growth> base = growth(p.argument(b, 0), depth + 1);
        if (base) return Growth{p.multiply(p.argument(b, 1), base->rate), base->is_positive};
      }
      return std::nullopt;
    case Op::add:
    case Op::subtract:
      return growth_of_sum(b, depth + 1);
    default:
      return std::nullopt;
  }
}

// (u v)'/(u v) = u'/u + v'/v
std::optional<Derivative::Growth> Derivative::growth_of_product(Node b, int depth) {
  Pool& p = *pool_;
  const Node u = p.argument(b, 0), v = p.argument(b, 1);
  const auto plain = [&](Node x) {
    return Growth{p.divide(known_.at(x.index), x), p.is_constant(x) && p.value(x) > 0};
  };
  std::optional<Growth> of_u = growth(u, depth), of_v = u == v ? of_u : growth(v, depth);
  if (!of_u && !of_v) return std::nullopt;
  if (!of_u) of_u = plain(u);
  if (!of_v) of_v = plain(v);
  const Node rate = p.op(b) == Op::multiply ? p.add(of_u->rate, of_v->rate) : p.subtract(of_u->rate, of_v->rate);
  return Growth{rate, of_u->is_positive && of_v->is_positive};
}

// (c ± v)'/(c ± v) = (v'/v) / (1 ± c/v), and (u + v)'/(u + v) = (u'/u) / (1 + v/u) + (v'/v) / (1 + u/v)
std::optional<Derivative::Growth> Derivative::growth_of_sum(Node b, int depth) {
  Pool& p = *pool_;
  const Node u = p.argument(b, 0), v = p.argument(b, 1);
  const auto share = [&](const Growth& x, Node of, Node other) {
    return p.divide(x.rate, p.binary(p.op(b), one_, p.divide(other, of)));
  };
  const bool is_sum = p.op(b) == Op::add;
  const std::optional<Growth> of_u = growth(u, depth), of_v = growth(v, depth);
  if (of_u && of_u->is_positive && p.is_constant(v)) {
    return Growth{share(*of_u, u, v), is_sum && p.value(v) > 0};
  }
  if (of_v && of_v->is_positive && p.is_constant(u)) {
    return Growth{share(*of_v, v, u), is_sum && p.value(u) > 0};
  }
  if (!is_sum || !of_u || !of_v || !of_u->is_positive || !of_v->is_positive) return std::nullopt;
  return Growth{p.add(share(*of_u, u, v), share(*of_v, v, u)), true};
}

Node Derivative::rule(Node n) {
  const Op op = pool_->op(n);
  if (argument_count(op) == 0) return n == symbol_ ? one_ : zero_;
  return argument_count(op) == 1 ? rule_of_one(n) : rule_of_several(n);
}

// f(a)' = f'(a) a'.
Node Derivative::rule_of_one(Node n) {
  Pool& p = *pool_;
  const Node a = p.argument(n, 0), da = known_.at(a.index);
  const auto square = [&](Node x) { return p.multiply(x, x); };
  const auto root = [&](Node x) { return p.unary(Op::square_root, x); };
  if (p.is_constant(da, 0)) return zero_;
  switch (p.op(n)) {
    case Op::negate:
      return p.negate(da);
    case Op::absolute:
      return p.multiply(p.unary(Op::sign, a), da);
    case Op::square_root:
      return p.divide(da, p.multiply(two_, n));
    case Op::exponential:
      return p.multiply(n, da);
    case Op::logarithm:
      return p.divide(da, a);
    case Op::sine:
      return p.multiply(p.unary(Op::cosine, a), da);
    case Op::cosine:
      return p.negate(p.multiply(p.unary(Op::sine, a), da));
    case Op::tangent:
      return p.multiply(p.add(one_, square(n)), da);
    case Op::arc_sine:
      return p.divide(da, root(p.subtract(one_, square(a))));
    case Op::arc_cosine:
      return p.negate(p.divide(da, root(p.subtract(one_, square(a)))));
    case Op::arc_tangent:
      return p.divide(da, p.add(one_, square(a)));
    case Op::hyperbolic_sine:
      return p.multiply(p.unary(Op::hyperbolic_cosine, a), da);
    case Op::hyperbolic_cosine:
      return p.multiply(p.unary(Op::hyperbolic_sine, a), da);
    case Op::hyperbolic_tangent:  // not 1 − tanh², which loses its digits where tanh ≈ 1
      return p.divide(da, square(p.unary(Op::hyperbolic_cosine, a)));
    case Op::area_sine:
      return p.divide(da, root(p.add(square(a), one_)));
    case Op::area_cosine:  // not √(a² − 1), which hides that a ≥ 1 is asked for
      return p.divide(da, p.multiply(root(p.subtract(a, one_)), root(p.add(a, one_))));
    case Op::area_tangent:
      return p.divide(da, p.subtract(one_, square(a)));
    default:  // sign, floor, not: constant between jumps
      return zero_;
  }
}

// f(a, b)' and that of a select.
Node Derivative::rule_of_several(Node n) {
  Pool& p = *pool_;
  const Node a = p.argument(n, 0), da = known_.at(a.index), b = p.argument(n, 1), db = known_.at(b.index);
  switch (p.op(n)) {
    case Op::add:
      return p.add(da, db);
    case Op::subtract:
      return p.subtract(da, db);
    case Op::multiply:
      if (a == b) return p.multiply(two_, p.multiply(a, da));
      return p.add(p.multiply(da, b), p.multiply(a, db));
    case Op::divide:
      if (p.is_constant(db, 0)) return p.divide(da, b);
      if (const std::optional<Growth> g = growth(b, 0)) return p.subtract(p.divide(da, b), p.multiply(n, g->rate));
      return p.divide(p.subtract(da, p.multiply(n, db)), b);
    case Op::power:
      if (p.is_constant(db, 0)) {  // b xᵇ⁻¹ x'
        return p.multiply(p.multiply(b, p.binary(Op::power, a, p.subtract(b, one_))), da);
      }
      // xʸ (y' ln x + y x'/x); for a constant base the second part is gone
      return p.multiply(n, p.add(p.multiply(db, p.unary(Op::logarithm, a)), p.divide(p.multiply(b, da), a)));
    case Op::minimum:
      return p.select(p.binary(Op::less_equal, a, b), da, db);
    case Op::maximum:
      return p.select(p.binary(Op::less_equal, b, a), da, db);
    case Op::arc_tangent_2: {  // (x y' − y x') / (x² + y²)
      const Node numerator = p.subtract(p.multiply(b, da), p.multiply(a, db));
      return p.divide(numerator, p.add(p.multiply(a, a), p.multiply(b, b)));
    }
    case Op::select:
      return p.select(a, db, known_.at(p.argument(n, 2).index));
    default:  // comparisons, and, or
      return zero_;
  }
}

}  // namespace picus::formula
