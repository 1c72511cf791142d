// Points of bodies as formulas, and how joints and springs name them.
#include "picus/modelfile/builder.hpp"
#include "picus/support/suggest.hpp"

namespace picus::modelfile {

// A point of a body in the world: r + R(φ) p.
Builder::PointFormulas Builder::place(const BodyFormulas& body, PointFormulas local) {
  const PointFormulas arm = turned(body, local);
  return {pool_.add(body.x, arm.x), pool_.add(body.y, arm.y)};
}

Builder::PointFormulas Builder::turned(const BodyFormulas& body, PointFormulas p) {
  return {pool_.subtract(pool_.multiply(body.cosine, p.x), pool_.multiply(body.sine, p.y)),
          pool_.add(pool_.multiply(body.sine, p.x), pool_.multiply(body.cosine, p.y))};
}

Builder::PointFormulas Builder::velocity(const BodyFormulas& body, PointFormulas local) {
  const PointFormulas arm = turned(body, local);
  return {pool_.subtract(body.vx, pool_.multiply(body.omega, arm.y)),
          pool_.add(body.vy, pool_.multiply(body.omega, arm.x))};
}

Builder::PointFormulas Builder::velocity_at(const BodyFormulas& body, PointFormulas world) {
  return {pool_.subtract(body.vx, pool_.multiply(body.omega, pool_.subtract(world.y, body.y))),
          pool_.add(body.vy, pool_.multiply(body.omega, pool_.subtract(world.x, body.x)))};
}

// Where a point of the world lies on the body as it is placed at the start: R(−φ₀) (p − r₀).
Builder::PointFormulas Builder::local_at_start(const BodyFormulas& body, PointFormulas world) {
  const Node c = pool_.unary(formula::Op::cosine, body.start[2]), s = pool_.unary(formula::Op::sine, body.start[2]);
  const Node x = pool_.subtract(world.x, body.start[0]), y = pool_.subtract(world.y, body.start[1]);
  return {pool_.add(pool_.multiply(c, x), pool_.multiply(s, y)),
          pool_.subtract(pool_.multiply(c, y), pool_.multiply(s, x))};
}

// √(x² + y²)
Builder::Node Builder::length(Node x, Node y) {
  return pool_.unary(formula::Op::square_root, pool_.add(pool_.multiply(x, x), pool_.multiply(y, y)));
}

Builder::Node Builder::start_angle(const int (&pair)[2]) {
  return pool_.subtract(body(pair[1]).start[2], body(pair[0]).start[2]);
}

bool Builder::read_pair(const Yaml& value, int (&pair)[2]) {
  if (!value.is_list() || value.items.size() != 2 || !value.items[0].is_text() || !value.items[1].is_text()) {
    reading_.note(value, "two bodies are expected here: [a, b]");
    return false;
  }
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string name = reading_.text(value.items[k]);
    const auto it = body_number_.find(name);
    if (it == body_number_.end()) {
      std::vector<std::string> known;
      for (const BodyFormulas& body : bodies_) known.push_back(body.name);
      reading_.note(value.items[k], unknown_name("body", name, known));
      return false;
    }
    pair[k] = it->second;
  }
  if (pair[0] == pair[1] || (body(pair[0]).is_fixed && body(pair[1]).is_fixed)) {
    reading_.note(value, pair[0] == pair[1] ? "two different bodies are expected here"
                                            : "both bodies are fixed; one that moves is needed");
    return false;
  }
  return true;
}

// at: [[x, y], [x, y]], a point of each body in its own coordinates; or at: [x, y], a point of the world at the start.
bool Builder::read_places(const Yaml& entry, const int (&pair)[2], PointFormulas (&local)[2]) {
  const Yaml* at = entry.find("at");
  if (at == nullptr) {
    reading_.source.add(entry.offset, 1,
                        "'at' is missing: [[x, y], [x, y]], a point of each body in its own coordinates, or [x, y], a "
                        "point of the world at the start");
    return false;
  }
  if (at->is_list() && at->items.size() == 2 && at->items[0].is_text()) {
    // Names of coordinates stand for their initial values.
    const PointFormulas given = point(*at, Allowed{true, false, false});
    const PointFormulas world = {at_start(given.x), at_start(given.y)};
    for (int k : {0, 1}) local[k] = local_at_start(body(pair[k]), world);
    return true;
  }
  if (!at->is_list() || at->items.size() != 2) {
    reading_.note(*at,
                  "accepted: [[x, y], [x, y]], a point of each body in its own coordinates, or [x, y], a point of "
                  "the world at the start");
    return false;
  }
  for (std::size_t k = 0; k < 2; ++k) local[k] = point(at->items[k], Allowed{});
  return true;
}

}  // namespace picus::modelfile
