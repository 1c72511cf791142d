#include "picus/modelfile/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "picus/formula/print.hpp"
#include "picus/modelfile/latex_report.hpp"
#include "picus/modelfile/report_laws.hpp"
#include "picus/modelfile/report_lines.hpp"
#include "picus/modelfile/space_report.hpp"

namespace picus::modelfile {
namespace {

using formula::Node;
using formula::Pool;
using mechanics::ContactEquations;
using mechanics::Direction;

// Coordinates, velocities and time in a list of formulas, by name.
std::string dependence(const Definition& d, const std::vector<Node>& nodes) {
  std::vector<std::string> names;
  const mechanics::Symbols& s = d.equations.symbols;
  const auto add = [&](Node symbol) {
    for (Node n : nodes) {
      if (d.pool.depends_on(n, symbol)) return names.push_back(d.pool.name(symbol));
    }
  };
  for (Node x : s.q) add(x);
  for (Node x : s.u) add(x);
  add(s.t);
  return names.empty() ? "constant" : fmt::format("depends on {}", fmt::join(names, ", "));
}

class TextReport : public ReportLines {
 public:
  TextReport(const Definition& definition, const mechanics::ParameterValues* values)
      : d_(definition), pool_(d_.pool), laws_(laws_of_run(d_, pool_, values)) {}

  void write() {
    head(d_.description, joined(names_of(d_.description.coordinates)), joined(names_of(d_.description.velocities)),
         !d_.bodies.empty() ? "of bodies, with forces from energies"
         : d_.from_energies ? "from energies, by Lagrange's equations"
                            : "mass matrix and forces as given");
    if (!d_.bodies.empty()) bodies();
    dynamics();
    constraints();
    for (std::size_t i = 0; i < d_.equations.contacts.size(); ++i) contact(i);
    for (std::size_t i = 0; i < d_.equations.elements.size(); ++i) element(i);
    for (const mechanics::BlowEquations& blow : d_.equations.blows) {
      line("\nImpulse at t = {}: {}", shown(blow.time), vector(blow.J));
    }
    outputs(d_, [this](Node n) { return shown(n); });
  }

 private:
  std::string shown(Node n) const { return formula::to_readable_text(pool_, n); }
  static std::string joined(const std::vector<std::string>& parts) { return fmt::format("{}", fmt::join(parts, ", ")); }
  std::string vector(const std::vector<Node>& nodes) const {
    std::vector<std::string> parts;
    for (Node n : nodes) parts.push_back(shown(n));
    return "(" + joined(parts) + ")";
  }

  void bodies() {
    line("\nBodies");
    for (const BodyDefinition& body : d_.bodies) {
      const std::string shapes = count_of_shapes(body.shapes.size());
      if (body.is_fixed) {
        if (!body.shapes.empty())
          line("  {}: fixed at ({}, {}), angle {}; {}", body.name, shown(body.place[0]), shown(body.place[1]),
               shown(body.place[2]), shapes);
      } else {
        line("  {}: mass {}, moment of inertia {}; {}", body.name, shown(body.mass), shown(body.inertia), shapes);
      }
    }
    line("  gravity ({}, {})", shown(d_.gravity[0]), shown(d_.gravity[1]));
    for (std::size_t i = 0; i < d_.collisions.size(); ++i) {
      const mechanics::LawEquations& law = laws_[d_.equations.contacts.size() + i];
      line("  {}: {}", d_.description.collisions[i].name,
           d_.collisions[i].never ? "never touch"
                                  : fmt::format("eN = {}, mu = {}, eT = {}{}{}", shown(law.eN), shown(law.mu),
                                                shown(law.eT), further_friction(law), stiffness(law)));
    }
    if (!d_.collisions.empty()) after_collisions(d_);
  }

  void dynamics() {
    const mechanics::Dynamics& y = d_.equations.dynamics;
    const std::vector<std::string> names = names_of(d_.description.coordinates);
    const std::size_t of_bodies = y.h.size() - y.M.size();  // their masses are told with them
    if (!y.M.empty()) {
      line("\nMass matrix M (symmetric; entries that are not listed are zero): {}",
           dependence(d_, mechanics::flattened(y.M)));
    }
    for (std::size_t i = 0; i < y.M.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        if (pool_.is_constant(y.M[i][j], 0)) continue;
        line("  M({}, {}) = {}", names[of_bodies + i], names[of_bodies + j], shown(y.M[i][j]));
      }
    }
    if (of_bodies == 0) {
      line("\nForces h in M du/dt = h + contact forces");
    } else if (!mechanics::all_zero(pool_, y.h)) {
      line("\nForces h beside the weights of bodies (those that are not listed are zero)");
    }
    for (std::size_t i = 0; i < y.h.size(); ++i) {
      if (of_bodies == 0 || !pool_.is_constant(y.h[i], 0)) line("  h({}) = {}", names[i], shown(y.h[i]));
    }
    if (of_bodies == 0 || !pool_.is_constant(y.potential, 0)) {
      line("\nPotential energy{}\n  V = {}", of_bodies > 0 ? " beside the weights of bodies" : "", shown(y.potential));
    }
  }

  void constraints() {
    if (!d_.equations.constraints.empty()) line("\nConstraints, g = 0");
    for (std::size_t i = 0; i < d_.equations.constraints.size(); ++i) {
      line("  {}: {}", d_.description.constraints[i].name, shown(d_.equations.constraints[i].g));
    }
  }

  // With bodies, entry by entry: most are zero.
  std::string directed(const std::vector<Node>& w) const {
    if (d_.bodies.empty()) return vector(w);
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < w.size(); ++i) {
      if (!pool_.is_constant(w[i], 0))
        parts.push_back(fmt::format("{}: {}", d_.description.coordinates[i].name, shown(w[i])));
    }
    return "(" + joined(parts) + ")";
  }

  void direction(const char* name, const Direction& direction) {
    line("  w_{}   = {}", name, directed(direction.w));
    if (!pool_.is_constant(direction.w_hat, 0)) line("  w^_{}  = {}  (moving support)", name, shown(direction.w_hat));
  }

  // What friction has beside mu, where it is given.
  std::string further_friction(const mechanics::LawEquations& law) const {
    std::string text;
    if (!pool_.is_constant(law.friction_force, 0)) text += ", friction force " + shown(law.friction_force);
    if (!pool_.is_constant(law.mu_static, 0)) text += ", mu_static = " + shown(law.mu_static);
    if (!pool_.is_constant(law.v_s, 0)) text += ", mu_inf = " + shown(law.mu_inf) + ", v_s = " + shown(law.v_s);
    return text;
  }
  std::string stiffness(const mechanics::LawEquations& law) const {
    return pool_.is_constant(law.stiffness, 1) ? "" : ", stiffness " + shown(law.stiffness);
  }

  void contact(std::size_t i) {
    const ContactEquations& c = d_.equations.contacts[i];
    const mechanics::ContactDescription& about = d_.description.contacts[i];
    line("\nContact {}{}", about.name, about.meaning.empty() ? "" : ": " + about.meaning);
    line("  gap   = {}", shown(c.gap));
    direction("N", c.normal);
    const bool frictionless = mechanics::all_zero(pool_, c.tangential.w) && pool_.is_constant(c.tangential.w_hat, 0);
    if (!frictionless) direction("T", c.tangential);
    const mechanics::LawEquations& numbers = laws_[i];
    std::string law = fmt::format("eN = {}", shown(numbers.eN));
    if (frictionless) {
      law += ", no friction";
    } else {
      law += fmt::format(", mu = {}, eT = {}", shown(numbers.mu), shown(numbers.eT)) + further_friction(numbers);
    }
    line("  law   : {}", law + stiffness(numbers));
  }

  void element(std::size_t i) {
    const mechanics::ElementEquations& e = d_.equations.elements[i];
    const mechanics::ContactDescription& about = d_.description.elements[i];
    line("\nElement {}{}", about.name, about.meaning.empty() ? "" : ": " + about.meaning);
    if (e.on_displacement) line("  displacement = {}", shown(e.displacement));
    line("  w     = {}", vector(e.direction.w));
    if (!pool_.is_constant(e.direction.w_hat, 0)) line("  w^    = {}", shown(e.direction.w_hat));
    line("  force between {} and {}{}", shown(e.lower), shown(e.upper),
         pool_.is_constant(e.e, 0) ? "" : ", restitution " + shown(e.e));
  }

  const Definition& d_;
  Pool pool_;  // a copy: numbers that were set are added
  std::vector<mechanics::LawEquations> laws_;
};

}  // namespace

std::string equations_text(const Definition& definition, const mechanics::ParameterValues* values) {
  if (definition.space) return equations_in_space(definition, values);
  TextReport report(definition, values);
  report.write();
  return report.text();
}

std::string equations_latex(const Definition& definition, const mechanics::ParameterValues* values) {
  return definition.space ? latex_in_space(definition, values) : latex_in_plane(definition, values);
}

}  // namespace picus::modelfile
