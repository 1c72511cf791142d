#include "picus/formula/polynomial.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace picus::formula {
namespace {

// Unknowns with their powers, sorted by number.
using Powers = std::vector<std::pair<int, int>>;
using Polynomial = std::map<Powers, double>;

constexpr std::size_t term_limit = 400;
constexpr int power_limit = 64;
constexpr std::ptrdiff_t node_limit = 20000, work_limit = 500000;

void add_term(Polynomial& p, const Powers& powers, double coefficient) {
  const auto [entry, is_new] = p.try_emplace(powers, coefficient);
  if (!is_new) entry->second += coefficient;
  if (entry->second == 0) p.erase(entry);
}

int power_of(const Powers& powers, int unknown) {
  for (const auto& [u, power] : powers) {
    if (u == unknown) return power;
  }
  return 0;
}

Powers raised(Powers powers, int unknown, int by) {
  const auto at = std::lower_bound(powers.begin(), powers.end(), std::pair<int, int>{unknown, -power_limit * 4});
  if (at != powers.end() && at->first == unknown) {
    at->second += by;
    if (at->second == 0) powers.erase(at);
  } else if (by != 0) {
    powers.insert(at, {unknown, by});
  }
  return powers;
}

Powers product(const Powers& a, const Powers& b) {
  Powers result = a;
  for (const auto& [unknown, power] : b) result = raised(std::move(result), unknown, power);
  return result;
}

class Collector {
 public:
  Collector(Pool& pool, const std::function<bool(Node)>& is_parameter) : pool_(pool), is_parameter_(is_parameter) {}

  Node collected(Node n) {
    Polynomial p = expand(n);
    if (work_ > work_limit) return n;
    while (drop_squares(p) || join_angles(p)) {
    }
    return build(p);
  }

 private:
  static Polynomial unknown(Node n) { return {{{{n.index, 1}}, 1}}; }

  // By number, arguments first: no recursion, however deep n is.
  Polynomial expand(Node n) {
    std::vector<char> needed(static_cast<std::size_t>(n.index) + 1, 0);
    needed.back() = 1;
    for (int i = n.index; i >= 0; --i) {
      if (needed[static_cast<std::size_t>(i)] == 0 || !is_sum_or_product(pool_.op({i}))) continue;
      for (int k = 0; k < argument_count(pool_.op({i})); ++k) {
        needed[static_cast<std::size_t>(pool_.argument({i}, k).index)] = 1;
      }
    }
    if (std::count(needed.begin(), needed.end(), 1) > node_limit) return unknown(n);
    for (int i = 0; i <= n.index && work_ <= work_limit; ++i) {
      if (needed[static_cast<std::size_t>(i)] != 0) known_[i] = expanded({i});
    }
    if (work_ > work_limit) return {};
    const Polynomial result = known_.at(n.index);
    known_.clear();
    return result;
  }

  static bool is_sum_or_product(Op op) {
    return op == Op::add || op == Op::subtract || op == Op::multiply || op == Op::divide || op == Op::negate;
  }

  Polynomial expanded(Node n) {
    const Op op = pool_.op(n);
    if (op == Op::constant) {
      if (pool_.value(n) == 0) return {};
      return {{{}, pool_.value(n)}};
    }
    if (!is_sum_or_product(op)) return unknown(n);
    const Polynomial& a = known_.at(pool_.argument(n, 0).index);
    if (op == Op::negate) return combined({}, a, -1);
    const Polynomial& b = known_.at(pool_.argument(n, 1).index);
    std::optional<Polynomial> result;
    if (op == Op::add || op == Op::subtract) {
      result = combined(a, b, op == Op::add ? 1 : -1);
    } else if (op == Op::multiply) {
      result = multiplied(a, b);
    } else {
      result = divided(a, b, pool_.argument(n, 1));
    }
    return result && result->size() <= term_limit ? *result : unknown(n);
  }

  Polynomial combined(const Polynomial& a, const Polynomial& b, double factor) {
    Polynomial sum = a;
    work_ += static_cast<std::ptrdiff_t>(a.size() + b.size());
    for (const auto& [powers, coefficient] : b) add_term(sum, powers, factor * coefficient);
    return sum;
  }

  std::optional<Polynomial> multiplied(const Polynomial& a, const Polynomial& b) {
    if (a.size() * b.size() > 4 * term_limit) return std::nullopt;
    Polynomial result;
    for (const auto& [pa, ca] : a) {
      for (const auto& [pb, cb] : b) {
        work_ += static_cast<std::ptrdiff_t>(1 + pa.size() + pb.size());
        if (work_ > work_limit) return std::nullopt;
        const Powers powers = product(pa, pb);
        for (const auto& [u, power] : powers) {
          if (std::abs(power) > power_limit) return std::nullopt;
        }
        add_term(result, powers, ca * cb);
      }
    }
    return result;
  }

  // By one term, or by a sum that becomes an unknown.
  std::optional<Polynomial> divided(const Polynomial& a, const Polynomial& b, Node divisor) {
    Polynomial inverse;
    if (b.size() == 1) {
      Powers powers = b.begin()->first;
      for (auto& [u, power] : powers) power = -power;
      inverse[powers] = 1 / b.begin()->second;
    } else {
      inverse[{{divisor.index, -1}}] = 1;
    }
    return multiplied(a, inverse);
  }

  Node angle(int unknown) const { return pool_.argument({unknown}, 0); }
  bool is(int unknown, Op op) const { return pool_.op({unknown}) == op; }

  // c₁ sin² x P + c₂ cos² x P → c₂ P + (c₁ − c₂) sin² x P, for one pair of terms.
  bool drop_squares(Polynomial& p) {
    for (const auto& [powers, c_1] : p) {
      for (const auto& [u, power] : powers) {
        if (power < 2 || !is(u, Op::sine)) continue;
        const Powers rest = raised(powers, u, -2);
        const auto partner = p.find(raised(rest, pool_.unary(Op::cosine, angle(u)).index, 2));
        if (partner == p.end()) continue;
        const double c_2 = partner->second, c_1_copy = c_1;
        const Powers sine_term = powers;
        p.erase(partner);
        p.erase(sine_term);
        add_term(p, rest, c_2);
        if (c_1_copy != c_2) add_term(p, sine_term, c_1_copy - c_2);
        return true;
      }
    }
    return false;
  }

  // c (cos x cos y ± sin x sin y) P → c cos(x ∓ y) P,  c (sin x cos y ± cos x sin y) P → c sin(x ± y) P.
  bool join_angles(Polynomial& p) {
    for (const auto& [powers, c] : p) {
      for (const auto& [u, power_u] : powers) {
        for (const auto& [v, power_v] : powers) {
          const bool both = is(u, Op::cosine) && is(v, Op::cosine) && u < v;
          const bool mixed = is(u, Op::sine) && is(v, Op::cosine);
          if (power_u < 1 || power_v < 1 || (!both && !mixed)) continue;
          const Node x = angle(u), y = angle(v);
          if (x == y) continue;
          const Powers rest = raised(raised(powers, u, -1), v, -1);
          const int other_u = pool_.unary(both ? Op::sine : Op::cosine, x).index;
          const int other_v = pool_.unary(Op::sine, y).index;
          const auto partner = p.find(raised(raised(rest, other_u, 1), other_v, 1));
          if (partner == p.end() || std::abs(partner->second) != std::abs(c)) continue;
          const bool same_sign = partner->second == c;
          const Node joined = both ? pool_.unary(Op::cosine, same_sign ? pool_.subtract(x, y) : pool_.add(x, y))
                                   : pool_.unary(Op::sine, same_sign ? pool_.add(x, y) : pool_.subtract(x, y));
          const double coefficient = c;
          const Powers own = powers;
          p.erase(partner);
          p.erase(own);
          for (const auto& [more, factor] : unknowns_of(joined)) add_term(p, product(rest, more), coefficient * factor);
          return true;
        }
      }
    }
    return false;
  }

  // A function that the pool made: itself, its negative, or a number.
  Polynomial unknowns_of(Node n) const {
    if (pool_.is_constant(n)) return {{{}, pool_.value(n)}};
    if (pool_.op(n) == Op::negate) return {{{{pool_.argument(n, 0).index, 1}}, -1}};
    return unknown(n);
  }

  Node build(const Polynomial& p) {
    // Terms by what does not depend on parameters alone.
    std::map<Powers, Polynomial> by_rest;
    for (const auto& [powers, coefficient] : p) {
      Powers parameters, rest;
      for (const auto& factor : powers) (is_of_parameters(factor.first) ? parameters : rest).push_back(factor);
      by_rest[rest][parameters] = coefficient;
    }
    Node sum = pool_.constant(0);
    for (const auto& [rest, coefficients] : by_rest) sum = pool_.add(sum, grouped(coefficients, rest));
    return sum;
  }

  // (Σ coefficients) · rest, with the factors that all coefficients have in common drawn out.
  Node grouped(const Polynomial& coefficients, const Powers& rest) {
    Powers common = coefficients.begin()->first;
    for (const auto& [powers, coefficient] : coefficients) {
      Powers shared;
      for (const auto& [u, power] : common) {
        const int here = power_of(powers, u);
        if (power > 0 && here > 0) shared.emplace_back(u, std::min(power, here));
        if (power < 0 && here < 0) shared.emplace_back(u, std::max(power, here));
      }
      common = shared;
    }
    Node factor = pool_.constant(0);
    for (const auto& [powers, coefficient] : coefficients) {
      Powers reduced = powers;
      for (const auto& [u, power] : common) reduced = raised(std::move(reduced), u, -power);
      factor = pool_.add(factor, pool_.multiply(pool_.constant(coefficient), monomial(reduced)));
    }
    return pool_.multiply(pool_.multiply(factor, monomial(common)), monomial(rest));
  }

  Node monomial(const Powers& powers) {
    Node above = pool_.constant(1), below = pool_.constant(1);
    for (const auto& [u, power] : powers) {
      Node& side = power > 0 ? above : below;
      side = pool_.multiply(side, pool_.binary(Op::power, {u}, pool_.constant(std::abs(power))));
    }
    return pool_.divide(above, below);
  }

  bool is_of_parameters(int unknown) {
    const auto [entry, is_new] = of_parameters_.try_emplace(unknown, true);
    if (is_new) {
      for (Node s : pool_.symbols({unknown})) entry->second = entry->second && is_parameter_(s);
    }
    return entry->second;
  }

  Pool& pool_;
  const std::function<bool(Node)>& is_parameter_;
  std::unordered_map<int, Polynomial> known_;
  std::ptrdiff_t work_ = 0;  // factors handled; monsters are given up
  std::unordered_map<int, bool> of_parameters_;
};

}  // namespace

Node collect(Pool& pool, Node n, const std::function<bool(Node symbol)>& is_parameter) {
  return Collector(pool, is_parameter).collected(n);
}

}  // namespace picus::formula
