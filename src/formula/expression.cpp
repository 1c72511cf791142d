#include "picus/formula/expression.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace picus::formula {

std::size_t Pool::Hash::operator()(const Record& r) const {
  std::size_t hash = static_cast<std::size_t>(r.op);
  const auto mix = [&](std::size_t x) { hash ^= x + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2); };
  for (int a : r.argument) mix(static_cast<std::size_t>(a));
  mix(static_cast<std::size_t>(std::bit_cast<std::uint64_t>(r.value)));
  return hash;
}

bool Pool::Same::operator()(const Record& a, const Record& b) const {
  return a.op == b.op && a.argument[0] == b.argument[0] && a.argument[1] == b.argument[1] &&
         a.argument[2] == b.argument[2] &&
         std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value);
}

TooLarge::TooLarge() : InputError("the formulas grow beyond " + std::to_string(Pool::node_limit) + " operations") {}

Node Pool::intern(const Record& r) {
  const auto [entry, is_new] = known_.try_emplace(r, size());
  if (is_new) {
    if (size() >= node_limit) {
      known_.erase(entry);
      throw TooLarge();
    }
    records_.push_back(r);
  }
  return {entry->second};
}

Node Pool::constant(double value) {
  if (value == 0) value = 0;  // one zero
  return intern({Op::constant, {-1, -1, -1}, value});
}

Node Pool::symbol(const std::string& name) {
  const auto [entry, is_new] = symbol_of_.try_emplace(name, static_cast<int>(names_.size()));
  if (is_new) names_.push_back(name);
  return intern({Op::symbol, {entry->second, -1, -1}, 0});
}

Node Pool::unary(Op op, Node a) {
  if (is_constant(a)) return constant(apply(op, value(a)));
  const bool negative = this->op(a) == Op::negate;
  switch (op) {
    case Op::negate:
      if (negative) return argument(a, 0);
      if (this->op(a) == Op::subtract) return subtract(argument(a, 1), argument(a, 0));
      break;
    case Op::cosine:
    case Op::hyperbolic_cosine:
    case Op::absolute:  // even
      if (negative) return unary(op, argument(a, 0));
      if (is_reversed_difference(a)) return unary(op, negate(a));
      break;
    case Op::sine:
    case Op::tangent:
    case Op::arc_sine:
    case Op::arc_tangent:
    case Op::hyperbolic_sine:
    case Op::hyperbolic_tangent:
    case Op::area_sine:
    case Op::area_tangent:
    case Op::sign:  // odd
      if (negative) return negate(unary(op, argument(a, 0)));
      if (is_reversed_difference(a)) return negate(unary(op, negate(a)));
      break;
    default:
      break;
  }
  return intern({op, {a.index, -1, -1}, 0});
}

Node Pool::fold_sum(Op op, Node a, Node b) {
  const bool plus = op == Op::add;
  if (is_constant(b, 0)) return a;
  if (is_constant(a, 0)) return plus ? b : negate(b);
  if (a == b) return plus ? multiply(constant(2), a) : constant(0);
  if (this->op(b) == Op::negate) return binary(plus ? Op::subtract : Op::add, a, argument(b, 0));
  if (plus && this->op(a) == Op::negate) return subtract(b, argument(a, 0));
  if (!plus && this->op(a) == Op::negate) return negate(add(argument(a, 0), b));
  if (plus && b.index < a.index) std::swap(a, b);
  return intern({op, {a.index, b.index, -1}, 0});
}

Node Pool::fold_product(Node a, Node b) {
  if (is_constant(b)) std::swap(a, b);  // a constant stands first
  if (is_constant(a, 0)) return a;
  if (is_constant(a, 1)) return b;
  if (is_constant(a, -1)) return negate(b);
  if (op(a) == Op::negate) return negate(multiply(argument(a, 0), b));
  if (op(b) == Op::negate) return negate(multiply(a, argument(b, 0)));
  if (a == b && op(a) == Op::square_root) return argument(a, 0);  // also where the root has no value
  if (is_constant(a) && value(a) < 0) return negate(multiply(constant(-value(a)), b));
  if (is_constant(a) && op(b) == Op::multiply && is_constant(argument(b, 0))) {
    const double joined = value(a) * value(argument(b, 0));
    if (std::isnormal(joined)) return multiply(constant(joined), argument(b, 1));
    return intern({Op::multiply, {a.index, b.index, -1}, 0});  // the rest may make up for it
  }
  // Constants of products move to the front: (c x) y = c (x y).
  if (op(a) == Op::multiply && is_constant(argument(a, 0))) {
    return multiply(argument(a, 0), multiply(argument(a, 1), b));
  }
  if (!is_constant(a) && op(b) == Op::multiply && is_constant(argument(b, 0))) {
    return multiply(argument(b, 0), multiply(a, argument(b, 1)));
  }
  if (!is_constant(a) && b.index < a.index) std::swap(a, b);
  return intern({Op::multiply, {a.index, b.index, -1}, 0});
}

Node Pool::fold_quotient(Node a, Node b) {
  if (is_constant(a, 0) && !is_constant(b, 0)) return a;
  if (is_constant(b, 1)) return a;
  if (is_constant(b, -1)) return negate(a);
  if (is_constant(b)) {  // by a power of two: exactly a product
    int exponent = 0;
    if (std::frexp(value(b), &exponent) == 0.5 && std::abs(exponent) < 500) return multiply(constant(1 / value(b)), a);
  }
  if (op(a) == Op::negate) return negate(divide(argument(a, 0), b));
  if (op(b) == Op::negate) return negate(divide(a, argument(b, 0)));
  return intern({Op::divide, {a.index, b.index, -1}, 0});
}

Node Pool::fold_power(Node a, Node b) {
  if (is_constant(b)) {
    const double n = value(b);
    if (n == 0) return constant(1);
    if (n == 0.5) return unary(Op::square_root, a);
    constexpr double multiplied_out = 8;
    if (n == std::floor(n) && std::abs(n) <= multiplied_out) {
      Node result = constant(1), square = a;
      for (int rest = static_cast<int>(std::abs(n)); rest > 0; rest /= 2) {
        if (rest % 2 == 1) result = multiply(result, square);
        if (rest > 1) square = multiply(square, square);
      }
      return n > 0 ? result : divide(constant(1), result);
    }
  }
  return intern({Op::power, {a.index, b.index, -1}, 0});
}

Node Pool::binary(Op op, Node a, Node b) {
  if (is_constant(a) && is_constant(b)) return constant(apply(op, value(a), value(b)));
  switch (op) {
    case Op::add:
    case Op::subtract:
      return fold_sum(op, a, b);
    case Op::multiply:
      return fold_product(a, b);
    case Op::divide:
      return fold_quotient(a, b);
    case Op::power:
      return fold_power(a, b);
    case Op::minimum:
    case Op::maximum:
      if (a == b) return a;
      break;
    default:
      break;
  }
  return intern({op, {a.index, b.index, -1}, 0});
}

Node Pool::select(Node condition, Node then, Node otherwise) {
  if (is_constant(condition)) return value(condition) != 0 ? then : otherwise;
  if (then == otherwise) return then;
  return intern({Op::select, {condition.index, then.index, otherwise.index}, 0});
}

// The highest first: arguments have smaller numbers, so that one that comes again comes right behind itself.
std::vector<int> Pool::parts(const std::vector<Node>& nodes) const {
  std::vector<int> waiting, found;
  for (Node n : nodes) waiting.push_back(n.index);
  std::make_heap(waiting.begin(), waiting.end());
  while (!waiting.empty()) {
    std::pop_heap(waiting.begin(), waiting.end());
    const int i = waiting.back();
    waiting.pop_back();
    if (!found.empty() && found.back() == i) continue;
    found.push_back(i);
    for (int k = 0; k < argument_count(op({i})); ++k) {
      waiting.push_back(argument({i}, k).index);
      std::push_heap(waiting.begin(), waiting.end());
    }
  }
  std::reverse(found.begin(), found.end());
  return found;
}

std::vector<Node> Pool::symbols(Node n) const {
  std::vector<Node> found;
  for (int i : parts({n})) {
    if (op({i}) == Op::symbol) found.push_back({i});
  }
  return found;
}

bool Pool::depends_on(Node n, Node symbol) const {
  for (Node s : symbols(n)) {
    if (s == symbol) return true;
  }
  return false;
}

Node Pool::substitute(Node n, const std::unordered_map<int, Node>& replacement) {
  return substitute(std::vector<Node>{n}, replacement).front();
}

std::vector<Node> Pool::substitute(const std::vector<Node>& nodes, const std::unordered_map<int, Node>& replacement) {
  const std::vector<int> old = parts(nodes);
  std::vector<Node> result(old.size());
  const auto of = [&](Node n) { return result[place_in(old, n)]; };
  for (std::size_t p = 0; p < old.size(); ++p) {
    const int i = old[p];
    const Record r = records_[static_cast<std::size_t>(i)];  // a copy: the pool grows
    Node now{i};
    if (r.op == Op::symbol) {
      if (const auto found = replacement.find(i); found != replacement.end()) now = found->second;
    } else if (argument_count(r.op) == 1) {
      now = unary(r.op, of({r.argument[0]}));
    } else if (argument_count(r.op) == 2) {
      now = binary(r.op, of({r.argument[0]}), of({r.argument[1]}));
    } else if (r.op == Op::select) {
      now = select(of({r.argument[0]}), of({r.argument[1]}), of({r.argument[2]}));
    }
    result[p] = now;
  }
  std::vector<Node> replaced;
  for (Node n : nodes) replaced.push_back(of(n));
  return replaced;
}

}  // namespace picus::formula
