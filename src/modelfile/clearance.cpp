// clearance: of revolute and prismatic joints. They become contacts.
#include <fmt/format.h>

#include "picus/modelfile/builder.hpp"

namespace picus::modelfile {

using mechanics::Range;

// A pin of body b in a hole of body a that is larger by the clearance c: g = c − |d|, d from the centre of the hole to
// that of the pin. They touch in the direction n = d/|d|, at the radius r of the pin on b and r + c on a.
void Builder::revolute_with_clearance(const Yaml& entry, const std::string& name, const int (&pair)[2],
                                      const PointFormulas (&local)[2]) {
  formula::Pool& p = pool_;
  const BodyFormulas &a = body(pair[0]), &b = body(pair[1]);
  if (!reading_.expect_map(entry, "the clearance of a revolute joint", keys_with_law({"size", "radius"}))) return;
  if (entry.find("size") == nullptr)
    return reading_.note(entry, "a clearance needs its 'size': hole less pin, in radius");
  const Node c = reading_.formula(*entry.find("size"), Allowed{});
  check_later(c, *entry.find("size"), "the clearance of joint " + name, Range::positive);
  const Node radius = reading_.formula(entry, "radius", Allowed{}, 0);
  if (const Yaml* value = entry.find("radius"))
    check_later(radius, *value, "the radius of joint " + name, Range::nonnegative);
  const PointFormulas hole = place(a, local[0]), pin = place(b, local[1]);
  const Node dx = p.subtract(pin.x, hole.x), dy = p.subtract(pin.y, hole.y);
  const Node distance = length(dx, dy);
  const Node nx = p.divide(dx, distance), ny = p.divide(dy, distance);
  // t·(v_b − v_a) with t = n turned by a quarter, and the rims that turn with the bodies.
  const PointFormulas va = velocity(a, local[0]), vb = velocity(b, local[1]);
  Node sliding = p.subtract(p.multiply(nx, p.subtract(vb.y, va.y)), p.multiply(ny, p.subtract(vb.x, va.x)));
  sliding = p.add(sliding, p.multiply(radius, b.omega));
  sliding = p.subtract(sliding, p.multiply(p.add(radius, c), a.omega));
  contact_names_.push_back(name);
  const ContactPlaceDefinition at{
      true,         true,        1, p.add(pin.x, p.multiply(radius, nx)), p.add(pin.y, p.multiply(radius, ny)),
      p.negate(nx), p.negate(ny)};
  add_contact(name, "pin in its hole", p.subtract(c, distance), sliding_direction(sliding, entry), entry, at);
}

mechanics::Direction Builder::sliding_direction(Node sliding, const Yaml& entry) {
  try {
    return mechanics::direction_of_velocity(pool_, symbols(), sliding);
  } catch (const mechanics::NotPolynomial&) {  // a number that is none, as of an axis without a length
    reading_.note(entry, "the sliding velocity of this clearance has no value; is the axis a direction?");
    return {std::vector<Node>(symbols().q.size(), pool_.constant(0)), pool_.constant(0)};
  }
}

// A slider of body b, length × width about its point, in a guide of body a that is wider by the clearance c on either
// side: four corners, g = width/2 + c ∓ n·(corner − point of a).
void Builder::prismatic_with_clearance(const Yaml& entry, const std::string& name, const int (&pair)[2],
                                       const PointFormulas (&local)[2], PointFormulas axis, Node angle) {
  formula::Pool& p = pool_;
  const BodyFormulas &a = body(pair[0]), &b = body(pair[1]);
  Node size[3];
  const char* keys[3] = {"size", "length", "width"};
  if (!reading_.expect_map(entry, "the clearance of a prismatic joint", keys_with_law({"size", "length", "width"})))
    return;
  for (std::size_t k = 0; k < 3; ++k) {
    const Yaml* value = entry.find(keys[k]);
    if (value == nullptr) {
      return reading_.source.add(entry.offset, 1,
                                 "a prismatic joint's clearance needs its 'size' on either side, and the 'length' and "
                                 "'width' of the slider");
    }
    size[k] = reading_.formula(*value, Allowed{});
    check_later(size[k], *value, fmt::format("the {} in the clearance of joint {}", keys[k], name), Range::positive);
  }
  // The axis on b: that of a turned back by the angle between the bodies.
  const Node cosine = p.unary(formula::Op::cosine, angle), sine = p.unary(formula::Op::sine, angle);
  const PointFormulas e = {p.add(p.multiply(cosine, axis.x), p.multiply(sine, axis.y)),
                           p.subtract(p.multiply(cosine, axis.y), p.multiply(sine, axis.x))};
  const Node half = p.constant(0.5), half_length = p.multiply(half, size[1]), half_width = p.multiply(half, size[2]);
  const PointFormulas from = place(a, local[0]), along = turned(a, axis), n = turned(a, {p.negate(axis.y), axis.x});
  const char* meanings[4] = {"rear upper corner", "front upper corner", "rear lower corner", "front lower corner"};
  for (int k = 0; k < 4; ++k) {
    const Node u = k % 2 == 0 ? p.negate(half_length) : half_length, v = k < 2 ? half_width : p.negate(half_width);
    const PointFormulas corner = {p.add(local[1].x, p.subtract(p.multiply(u, e.x), p.multiply(v, e.y))),
                                  p.add(local[1].y, p.add(p.multiply(u, e.y), p.multiply(v, e.x)))};
    const PointFormulas at = place(b, corner);
    const Node off = p.add(p.multiply(n.x, p.subtract(at.x, from.x)), p.multiply(n.y, p.subtract(at.y, from.y)));
    const Node gap = p.subtract(p.add(half_width, size[0]), k < 2 ? off : p.negate(off));
    const PointFormulas va = velocity_at(a, at), vb = velocity(b, corner);
    const Node sliding =
        p.add(p.multiply(along.x, p.subtract(vb.x, va.x)), p.multiply(along.y, p.subtract(vb.y, va.y)));
    const std::string corner_name = name + "." + std::to_string(k + 1);
    contact_names_.push_back(corner_name);
    const ContactPlaceDefinition seen{
        true, true, k < 2 ? -1 : 1, at.x, at.y, k < 2 ? p.negate(n.x) : n.x, k < 2 ? p.negate(n.y) : n.y};
    add_contact(corner_name, meanings[k], gap, sliding_direction(sliding, entry), entry, seen);
  }
}

}  // namespace picus::modelfile
