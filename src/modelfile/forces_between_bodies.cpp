// springs: and motors:. They become formulas of the bodies' coordinates.
#include <fmt/format.h>

#include "picus/modelfile/builder.hpp"

namespace picus::modelfile {

using mechanics::Range;

void Builder::read_forces_between_bodies() {
  read_entries(list_with_bodies("springs"), "a spring",
               {"for", "between", "turning", "at", "stiffness", "length", "angle", "damping"},
               [&](const Yaml& entry) { read_spring(entry); });
  read_entries(list_with_bodies("motors"), "a motor", {"for", "turning", "torque"},
               [&](const Yaml& entry) { read_motor(entry); });
}

// ½ k (|d| − l)² with a damper ½ c (d|d|/dt)², or the same with the angle between two bodies.
void Builder::read_spring(const Yaml& entry) {
  formula::Pool& p = pool_;
  const Yaml *between = entry.find("between"), *turning = entry.find("turning");
  if ((between == nullptr) == (turning == nullptr)) {
    return reading_.source.add(entry.offset, 1,
                               "a spring is 'between: [a, b]' (points of bodies) or 'turning: [a, b]' (their angles)");
  }
  int pair[2];
  if (!read_pair(between != nullptr ? *between : *turning, pair)) return;
  const BodyFormulas &a = body(pair[0]), &b = body(pair[1]);
  Node stretch, rate;
  if (turning != nullptr) {
    for (const char* key : {"at", "length"}) {
      if (const Yaml* value = entry.find(key))
        return reading_.note(*value, fmt::format("a turning spring has no '{}'", key));
    }
    const Node angle =
        entry.find("angle") != nullptr ? reading_.formula(*entry.find("angle"), of_position) : start_angle(pair);
    stretch = p.subtract(p.subtract(b.phi, a.phi), angle);
    rate = p.subtract(b.omega, a.omega);
  } else {
    if (const Yaml* value = entry.find("angle")) return reading_.note(*value, "a spring between points has no 'angle'");
    PointFormulas local[2];
    if (!read_places(entry, pair, local)) return;
    if (entry.find("length") == nullptr) {
      return reading_.source.add(entry.offset, 1, "a spring between points needs its 'length' without load");
    }
    const PointFormulas from = place(a, local[0]), to = place(b, local[1]);
    const PointFormulas va = velocity(a, local[0]), vb = velocity(b, local[1]);
    const Node dx = p.subtract(to.x, from.x), dy = p.subtract(to.y, from.y);
    const Node distance = length(dx, dy);
    stretch = p.subtract(distance, reading_.formula(*entry.find("length"), of_position));
    rate = p.divide(p.add(p.multiply(dx, p.subtract(vb.x, va.x)), p.multiply(dy, p.subtract(vb.y, va.y))), distance);
  }
  const Node half = p.constant(0.5);
  if (entry.find("stiffness") == nullptr && entry.find("damping") == nullptr) {
    return reading_.source.add(entry.offset, 1, "a spring needs a 'stiffness', a 'damping' or both");
  }
  const Node k = reading_.formula(entry, "stiffness", of_position, 0),
             c = reading_.formula(entry, "damping", of_position, 0);
  for (const char* key : {"stiffness", "damping"}) {
    const Yaml* value = entry.find(key);
    if (value != nullptr)
      check_later(key[0] == 's' ? k : c, *value, fmt::format("the {} of a spring", key), Range::nonnegative);
  }
  spring_energy_ = p.add(spring_energy_, p.multiply(p.multiply(half, k), p.multiply(stretch, stretch)));
  spring_dissipation_ = p.add(spring_dissipation_, p.multiply(p.multiply(half, c), p.multiply(rate, rate)));
}

// A torque that the first body exerts on the second, and the second against the first.
void Builder::read_motor(const Yaml& entry) {
  const Yaml *turning = entry.find("turning"), *torque = entry.find("torque");
  if (turning == nullptr || torque == nullptr) {
    return reading_.source.add(entry.offset, 1, "a motor needs 'turning: [a, b]' and its 'torque' on b");
  }
  int pair[2];
  if (!read_pair(*turning, pair)) return;
  const Node tau = reading_.formula(*torque, of_motion);
  for (int k : {0, 1}) {
    const BodyFormulas& turning_body = body(pair[k]);
    if (turning_body.is_fixed) continue;
    Node& sum = motor_forces_.emplace(symbols().q.number_of(turning_body.phi), pool_.constant(0)).first->second;
    sum = k == 1 ? pool_.add(sum, tau) : pool_.subtract(sum, tau);
  }
}

}  // namespace picus::modelfile
