// How the contact problem of a step is read from Box2D 2.4.1. b2World::Step
//   1. updates each b2Manifold (local points and normal) at the transforms of the start of the step,
//   2. adds g Δt to the velocities and turns manifolds into world points and normals, at the same transforms,
//   3. finds impulses by Gauss-Seidel sweeps and stores them in the manifold's points,
//   4. moves the bodies by the new velocities, then pushes them apart, which changes positions and no velocities.
// So after Step a manifold holds the geometry of the start and the impulses of the step, but
// b2Contact::GetWorldManifold would place it at the transforms of the end: it is placed here at those of the start,
// which are stored. Restitution is 0, so the law is that of Picus: ξ is the velocity after step 3.
//
// With continuous physics sub-steps follow, which change manifolds and velocities again and do not store their
// impulses. Then a listener takes all from PostSolve of the first solve, and only that is judged.
#include "box2d_hopper.hpp"

#include <box2d/box2d.h>

#include <algorithm>
#include <cmath>

#include "picus/contact/certificate.hpp"

namespace hopper {

namespace {

struct Touching {
  b2Contact* contact;
  b2Manifold manifold;
};

struct Motion {
  double x, y, omega;
};

Motion motion_of(const b2Body& body) {
  return {body.GetLinearVelocity().x, body.GetLinearVelocity().y, body.GetAngularVelocity()};
}

std::size_t number_of(b2Body& body) { return body.GetUserData().pointer; }  // 0: the walls

// Contacts and velocities as the first solve of a step leaves them: after it comes PreSolve before the next PostSolve.
class Listener final : public b2ContactListener {
 public:
  void begin() {
    solved_ = done_ = false;
    touching.clear();
  }
  void PreSolve(b2Contact*, const b2Manifold*) override { done_ = done_ || solved_; }
  void PostSolve(b2Contact* contact, const b2ContactImpulse* impulse) override {
    if (done_) return;
    solved_ = true;
    touching.push_back({contact, *contact->GetManifold()});
    b2Manifold& m = touching.back().manifold;
    for (int k = 0; k < impulse->count; ++k) {
      m.points[k].normalImpulse = impulse->normalImpulses[k];
      m.points[k].tangentImpulse = impulse->tangentImpulses[k];
    }
    for (b2Fixture* fixture : {contact->GetFixtureA(), contact->GetFixtureB()}) {
      velocity[number_of(*fixture->GetBody())] = motion_of(*fixture->GetBody());
    }
  }

  std::vector<Touching> touching;
  std::vector<Motion> velocity;

 private:
  bool solved_ = false, done_ = false;
};

}  // namespace

struct Box2DHopper::World {
  explicit World(double g) : world(b2Vec2(0, static_cast<float>(-g))) {}

  void take_contacts();
  StepFigures judge(double tolerance);

  b2World world;
  Listener listener;
  Box2DOptions options;
  double mu = 0;
  std::vector<b2Body*> bodies;  // the walls, then the disks
  std::vector<b2Transform> transforms_before;
  std::vector<Motion> before;
};

Box2DHopper::Box2DHopper(const Scene& scene, const State& start, const Box2DOptions& options)
    : world_(std::make_unique<World>(scene.g)) {
  World& w = *world_;
  w.options = options;
  w.mu = scene.mu;
  w.world.SetAllowSleeping(false);
  w.world.SetWarmStarting(true);
  w.world.SetContinuousPhysics(options.continuous);
  if (options.continuous) w.world.SetContactListener(&w.listener);
  const auto add = [&](b2Body* body, const b2Shape& shape) {
    b2FixtureDef def;
    def.shape = &shape;
    def.density = static_cast<float>(scene.density);
    def.friction = static_cast<float>(scene.mu);  // of a contact: sqrt(μ μ)
    def.restitution = 0;
    body->CreateFixture(&def);
  };
  b2BodyDef walls;
  w.bodies.push_back(w.world.CreateBody(&walls));
  for (const Wall& wall : scene.walls) {
    b2EdgeShape edge;
    edge.SetTwoSided(b2Vec2(static_cast<float>(wall.x_from), static_cast<float>(wall.y_from)),
                     b2Vec2(static_cast<float>(wall.x_to), static_cast<float>(wall.y_to)));
    edge.m_radius = 0;  // else 1 cm, and the hopper would be narrower than that of Picus
    add(w.bodies[0], edge);
  }
  for (std::size_t i = 0; i < scene.disks.size(); ++i) {
    const double *q = &start.q[3 * i], *u = &start.u[3 * i];
    b2BodyDef def;
    def.type = b2_dynamicBody;
    def.position.Set(static_cast<float>(q[0]), static_cast<float>(q[1]));
    def.angle = static_cast<float>(q[2]);
    def.linearVelocity.Set(static_cast<float>(u[0]), static_cast<float>(u[1]));
    def.angularVelocity = static_cast<float>(u[2]);
    def.userData.pointer = i + 1;
    w.bodies.push_back(w.world.CreateBody(&def));
    b2CircleShape circle;
    circle.m_radius = static_cast<float>(scene.disks[i].radius);
    add(w.bodies.back(), circle);
  }
}

Box2DHopper::~Box2DHopper() = default;

State Box2DHopper::state() const {
  State s;
  for (std::size_t i = 1; i < world_->bodies.size(); ++i) {
    const b2Body& body = *world_->bodies[i];
    const Motion m = motion_of(body);
    s.q.insert(s.q.end(), {body.GetPosition().x, body.GetPosition().y, body.GetAngle()});
    s.u.insert(s.u.end(), {m.x, m.y, m.omega});
  }
  return s;
}

StepFigures Box2DHopper::step(double tolerance) {
  World& w = *world_;
  w.transforms_before.clear();
  w.before.clear();
  for (const b2Body* body : w.bodies) {
    w.transforms_before.push_back(body->GetTransform());
    w.before.push_back(motion_of(*body));
  }
  w.listener.begin();
  w.listener.velocity = w.before;
  const double begin = seconds_used();
  w.world.Step(static_cast<float>(w.options.dt), w.options.velocity_iterations, w.options.position_iterations);
  const double ms = 1e3 * (seconds_used() - begin);
  if (!w.options.continuous) w.take_contacts();
  StepFigures figures = w.judge(tolerance);
  figures.ms = ms;
  return figures;
}

void Box2DHopper::World::take_contacts() {
  for (b2Contact* c = world.GetContactList(); c != nullptr; c = c->GetNext()) {
    if (c->IsTouching()) listener.touching.push_back({c, *c->GetManifold()});
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) listener.velocity[i] = motion_of(*bodies[i]);
}

// As SparseIntegration::certify(), in double precision, with the masses that Box2D uses.
StepFigures Box2DHopper::World::judge(double tolerance) {
  StepFigures figures;
  const double dt = static_cast<float>(options.dt);
  const b2Vec2 g = world.GetGravity();
  std::vector<Motion> expected = before;
  std::vector<char> touched(bodies.size(), 0);
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    expected[i].x += g.x * dt;
    expected[i].y += g.y * dt;
  }
  const std::vector<Motion> free = expected;
  double worst = 0;
  for (const Touching& t : listener.touching) {
    b2Fixture* const fixture[] = {t.contact->GetFixtureA(), t.contact->GetFixtureB()};
    const std::size_t body[] = {number_of(*fixture[0]->GetBody()), number_of(*fixture[1]->GetBody())};
    b2WorldManifold place;
    place.Initialize(&t.manifold, transforms_before[body[0]], fixture[0]->GetShape()->m_radius,
                     transforms_before[body[1]], fixture[1]->GetShape()->m_radius);
    for (int k = 0; k < t.manifold.pointCount; ++k) {
      const double Lambda[] = {t.manifold.points[k].normalImpulse, t.manifold.points[k].tangentImpulse};
      if (place.separations[k] > 0 && Lambda[0] == 0) continue;
      ++figures.contacts;
      figures.overlap = std::max(figures.overlap, -static_cast<double>(place.separations[k]));
      const double direction[2][2] = {{place.normal.x, place.normal.y}, {place.normal.y, -place.normal.x}};
      double b[2] = {}, xi[2] = {}, weight = 0;
      for (int row = 0; row < 2; ++row) {
        double G = 0;
        for (int side = 0; side < 2; ++side) {
          if (body[side] == 0) continue;
          const b2Body& disk = *bodies[body[side]];
          const double sign = side == 0 ? -1 : 1, dx = sign * direction[row][0], dy = sign * direction[row][1];
          const double rx = static_cast<double>(place.points[k].x) - transforms_before[body[side]].p.x;
          const double ry = static_cast<double>(place.points[k].y) - transforms_before[body[side]].p.y;
          const double turn = rx * dy - ry * dx, mass = disk.GetMass(), inertia = disk.GetInertia();
          const auto along = [&](const Motion& m) { return dx * m.x + dy * m.y + turn * m.omega; };
          b[row] += along(free[body[side]]);
          xi[row] += along(listener.velocity[body[side]]);
          G += (dx * dx + dy * dy) / mass + turn * turn / inertia;
          Motion& e = expected[body[side]];
          e.x += dx / mass * Lambda[row];
          e.y += dy / mass * Lambda[row];
          e.omega += turn / inertia * Lambda[row];
          touched[body[side]] = 1;
        }
        weight = std::max(weight, G);
      }
      worst = std::max(worst, picus::contact::law_residual(Lambda[0], Lambda[1], xi[0], xi[1], mu, weight));
      figures.v_ref = std::max(figures.v_ref, std::hypot(b[0], b[1]));
    }
  }
  double error = 0;
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    if (touched[i] == 0) continue;
    const Motion &e = expected[i], &m = listener.velocity[i];
    const double radius = bodies[i]->GetFixtureList()->GetShape()->m_radius;
    error = std::max({error, std::hypot(e.x - m.x, e.y - m.y), radius * std::abs(e.omega - m.omega)});
  }
  if (figures.v_ref > 0) {
    figures.residual = worst / figures.v_ref;
    figures.read_error = error / figures.v_ref;
  }
  figures.certified = figures.residual <= tolerance;
  return figures;
}

}  // namespace hopper
