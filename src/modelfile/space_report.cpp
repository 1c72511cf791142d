#include "picus/modelfile/space_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "picus/formula/print.hpp"
#include "picus/modelfile/latex_report.hpp"
#include "picus/modelfile/report_laws.hpp"

namespace picus::modelfile {
namespace {

using formula::Node;
using Set = FrictionDefinition::Kind;
using Shown = std::string (*)(const formula::Pool&, Node);

// Formulas in a row, as text or as LaTeX.
class Printer {
 public:
  Printer(const Definition& definition, const mechanics::ParameterValues* values, Shown shown)
      : pool_(definition.pool), laws_(laws_of_run(definition, pool_, values)), shown_(shown) {}

  std::string operator()(Node n) const { return shown_(pool_, n); }
  const mechanics::LawEquations& law(std::size_t collision) const { return laws_[collision]; }
  template <class Nodes>
  std::string list(const Nodes& nodes) const {
    std::vector<std::string> parts;
    for (Node n : nodes) parts.push_back((*this)(n));
    return fmt::format("{}", fmt::join(parts, ", "));
  }
  bool all_zero(const std::array<Node, 3>& nodes) const {
    return pool_.is_constant(nodes[0], 0) && pool_.is_constant(nodes[1], 0) && pool_.is_constant(nodes[2], 0);
  }

 private:
  formula::Pool pool_;  // a copy: numbers that were set are added
  std::vector<mechanics::LawEquations> laws_;
  Shown shown_;
};

bool all_equal(const std::array<Node, 3>& moments) { return moments[0] == moments[1] && moments[1] == moments[2]; }

// Vectors of a polytope, in brackets.
std::vector<std::string> vectors(const FrictionDefinition& set, const Printer& shown) {
  std::vector<std::string> list;
  const auto rows = static_cast<std::size_t>(set.dimension);
  for (std::size_t i = 0; i < set.numbers.size(); i += rows) {
    const auto first = set.numbers.begin() + static_cast<std::ptrdiff_t>(i);
    list.push_back(fmt::format("({})", shown.list(std::vector<Node>(first, first + set.dimension))));
  }
  return list;
}

std::string set_text(const FrictionDefinition& set, const Printer& shown) {
  const auto n = [&](std::size_t i) { return shown(set.numbers[i]); };
  const auto axis = [&](const char* c, std::size_t i) {
    const std::string e = n(i);
    const bool is_simple = e.find_first_of(" +-*/^") == std::string::npos;
    return fmt::format("(c_{}/{})^2", c, is_simple ? e : "(" + e + ")");
  };
  switch (set.kind) {
    case Set::disk:
      break;
    case Set::ellipse:
      return axis("t", 0) + " + " + axis("o", 1) + " <= 1";
    case Set::ellipsoid:
      return axis("t", 0) + " + " + axis("o", 1) + " + " + axis("r", 2) + " <= 1";
    case Set::disk_and_interval:
      return fmt::format("{} + {} <= 1 and |c_r| <= {}", axis("t", 0), axis("o", 1), n(2));
    case Set::hull:
      return fmt::format("the hull of 0 and {}", fmt::join(vectors(set, shown), ", "));
    case Set::half_spaces:
      return fmt::format("a . c <= 1 for a = {}", fmt::join(vectors(set, shown), ", "));
  }
  return "c_t^2 + c_o^2 <= 1";
}

std::string set_latex(const FrictionDefinition& set, const Printer& shown) {
  const auto n = [&](std::size_t i) { return shown(set.numbers[i]); };
  const auto axis = [&](const char* c, std::size_t i) {
    return fmt::format("\\left(\\frac{{c_{}}}{{{}}}\\right)^2", c, n(i));
  };
  std::string members;
  switch (set.kind) {
    case Set::disk:
      members = "c_t^2 + c_o^2 \\le 1";
      break;
    case Set::ellipse:
      members = axis("t", 0) + " + " + axis("o", 1) + " \\le 1";
      break;
    case Set::ellipsoid:
      members = axis("t", 0) + " + " + axis("o", 1) + " + " + axis("r", 2) + " \\le 1";
      break;
    case Set::disk_and_interval:
      members = fmt::format("{} + {} \\le 1, |c_r| \\le {}", axis("t", 0), axis("o", 1), n(2));
      break;
    case Set::hull:
      return fmt::format("\\operatorname{{conv}}\\{{0, {}\\}}", fmt::join(vectors(set, shown), ", "));
    case Set::half_spaces:
      members = fmt::format("a^T c \\le 1, a \\in \\{{{}\\}}", fmt::join(vectors(set, shown), ", "));
      break;
  }
  return "\\{c : " + members + "\\}";
}

int count_directions(const SpatialCollisionDefinition& collision) {
  const DirectionsDefinition& d = collision.directions;
  if (d.kind == DirectionsDefinition::Kind::matrix)
    return static_cast<int>(d.numbers.size()) / collision.friction.dimension;
  const bool is_cylinder = d.kind == DirectionsDefinition::Kind::around && collision.friction.dimension == 3;
  return std::accumulate(d.counts.begin(), d.counts.end(), 0) * (is_cylinder ? 2 : 1);
}

// Names of the motion; of many bodies those of one, without its own name.
std::string names_of(const std::vector<mechanics::Quantity>& quantities, std::size_t moving) {
  constexpr std::size_t few = 3;
  std::vector<std::string> names;
  for (const mechanics::Quantity& q : quantities) names.push_back(q.name);
  if (moving <= few) return fmt::format("{}", fmt::join(names, ", "));
  names.resize(names.size() / moving);
  for (std::string& name : names) name.erase(0, name.find('.') + 1);
  return fmt::format("{} of each of {} bodies", fmt::join(names, ", "), moving);
}

}  // namespace

std::string equations_in_space(const Definition& d, const mechanics::ParameterValues* values) {
  const Printer shown(d, values, formula::to_readable_text);
  const mechanics::ModelDescription& about = d.description;
  std::string text;
  const auto line = [&]<class... Arguments>(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text += fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  };
  line("{}{}{}", about.name, about.title.empty() ? "" : ": ", about.title);
  const auto moving = static_cast<std::size_t>(
      std::count_if(d.bodies.begin(), d.bodies.end(), [](const BodyDefinition& body) { return !body.is_fixed; }));
  line("  coordinates  {}", names_of(about.coordinates, moving));
  line("  velocities   {}", names_of(about.velocities, moving));
  line("  dynamics     of rigid bodies in space\n");
  line("Equations of each moving body");
  line("  m dv/dt = F            F: weight, applied force, contacts; dx/dt = v");
  line("  dL/dt = M              L = R diag(A, B, C) R^T w; M about the centre of mass");
  line("  dR/dt = w x R          R: from the body's principal axes to the world's, by the quaternion");

  line("\nBodies");
  for (std::size_t i = 0; i < d.bodies.size(); ++i) {
    const BodyDefinition& body = d.bodies[i];
    const SpatialBodyDefinition& in_space = d.space->bodies[i];
    const std::size_t count = in_space.shapes.size();
    const std::string shapes = count == 0 ? "no shape" : fmt::format("{} shape{}", count, count > 1 ? "s" : "");
    if (!body.is_fixed) {
      line("  {}: mass {}, {}; {}", body.name, shown(body.mass),
           all_equal(in_space.moments) ? "moments of inertia A = B = C = " + shown(in_space.moments[0])
                                       : "moments of inertia A, B, C = " + shown.list(in_space.moments),
           shapes);
      if (!shown.all_zero(in_space.force)) line("    force ({})", shown.list(in_space.force));
      if (!shown.all_zero(in_space.moment)) line("    moment ({})", shown.list(in_space.moment));
    } else if (count > 0) {
      const auto& p = in_space.place;
      line("  {}: fixed at ({}), quaternion ({}); {}", body.name, shown.list(std::array{p[0], p[1], p[2]}),
           shown.list(std::array{p[3], p[4], p[5], p[6]}), shapes);
    }
  }
  line("  gravity ({})", shown.list(d.space->gravity));

  if (!d.collisions.empty()) {
    line("\nContacts, with rows n (normal), t, o = n x t (sliding) and r (turning about n)");
    line("  0 <= Lambda_N _|_ xi_N >= 0");
    line("    moreau-midpoint, moreau-jean   xi_N = gamma_N+ + eN gamma_N-");
    line("    stewart-trinkle                xi_N = g(q_A)/dt + gamma_N+");
    line("    tzitzouris-pang                xi_N = g(q_E)/dt");
    line("  Lambda_T in mu Lambda_N F, with the largest dissipation against gamma_T+ + eT gamma_T-");
  }
  for (std::size_t i = 0; i < d.collisions.size(); ++i) {
    const CollisionDefinition& c = d.collisions[i];
    const SpatialCollisionDefinition& in_space = d.space->collisions[i];
    if (c.never) {
      line("  {}: never touch", in_space.name);
      continue;
    }
    const mechanics::LawEquations& law = shown.law(i);
    line("  {}: eN = {}, mu = {}, eT = {}", in_space.name, shown(law.eN), shown(law.mu), shown(law.eT));
    line("    F: {}", set_text(in_space.friction, shown));
    line("    t: across n, nearest to ({})", shown.list(in_space.tangent));
    if (!in_space.friction.is_polytope()) {
      line("    stewart-trinkle: the hull of {} directions (not listed) in the place of F", count_directions(in_space));
    }
  }
  if (!d.collisions.empty()) {
    if (d.collisions.size() > 1) line("  of several that name a pair the last holds");
    line("  gaps and directions of shapes follow from the positions in each step; they are not listed here");
  }
  if (!about.outputs.empty()) line("\nOutputs");
  for (std::size_t i = 0; i < about.outputs.size(); ++i) {
    line("  {} = {}", about.outputs[i].name, shown(d.equations.outputs[i]));
  }
  return text;
}

namespace {

// Blocks of equations, with a comment each.
class Blocks {
 public:
  explicit Blocks(std::string head) : text_(std::move(head)) {}

  void add(const std::string& comment, const std::vector<std::string>& rows) {
    text_ +=
        latex_comment(comment) + fmt::format("\\begin{{align}}\n  {}\n\\end{{align}}\n", fmt::join(rows, " \\\\\n  "));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add_body(const Definition& d, std::size_t i, const Printer& shown, Blocks& blocks) {
  const SpatialBodyDefinition& in_space = d.space->bodies[i];
  const BodyDefinition& body = d.bodies[i];
  if (body.is_fixed) {
    const auto& p = in_space.place;
    if (in_space.shapes.empty()) return;
    return blocks.add("body " + body.name + ": fixed",
                      {"x &= (" + shown.list(std::array{p[0], p[1], p[2]}) + ")^T, \\quad (q_w, q_x, q_y, q_z) = (" +
                       shown.list(std::array{p[3], p[4], p[5], p[6]}) + ")"});
  }
  const std::string m = formula::latex_name(body.name + ".m");
  std::vector<std::string> rows = {m + " &= " + shown(body.mass),
                                   all_equal(in_space.moments) ? "A &= B = C = " + shown(in_space.moments[0])
                                                               : "(A, B, C) &= (" + shown.list(in_space.moments) + ")"};
  const bool forced = !shown.all_zero(in_space.force), turned = !shown.all_zero(in_space.moment);
  rows.push_back("F &= " + m + "\\, a_g" + (forced ? " + (" + shown.list(in_space.force) + ")^T" : std::string()) +
                 " + F_c");
  rows.push_back("M &= " + (turned ? "(" + shown.list(in_space.moment) + ")^T + " : std::string()) + "M_c");
  blocks.add("body " + body.name, rows);
}

void add_collision(const Definition& d, std::size_t i, const Printer& shown, Blocks& blocks) {
  const SpatialCollisionDefinition& in_space = d.space->collisions[i];
  const std::string comment = "contact " + in_space.name;
  if (d.collisions[i].never) {
    return blocks.add(comment, {"&" + formula::latex_word(in_space.name + ": never touch")});
  }
  const mechanics::LawEquations& law = shown.law(i);
  std::vector<std::string> rows = {
      "&" + formula::latex_word(in_space.name + ": gaps and directions follow from the shapes and are not listed"),
      "\\mathcal{F} &= " + set_latex(in_space.friction, shown),
      "t &\\perp n, \\quad \\text{nearest to } (" + shown.list(in_space.tangent) + ")^T, \\quad o = n \\times t",
      "\\mu &= " + shown(law.mu),
      "\\varepsilon_N &= " + shown(law.eN),
      "\\varepsilon_T &= " + shown(law.eT)};
  if (!in_space.friction.is_polytope()) {
    rows.push_back(fmt::format(
        "&\\text{{by stewart-trinkle: the hull of {} directions (not listed) in the place of }} \\mathcal{{F}}",
        count_directions(in_space)));
  }
  blocks.add(comment, rows);
}

}  // namespace

std::string latex_in_space(const Definition& d, const mechanics::ParameterValues* values) {
  const Printer shown(d, values, formula::to_latex);
  Blocks blocks(latex_head(d));
  std::vector<std::string> motion = {"m\\, \\dot v &= F, \\quad \\dot x = v",
                                     "\\dot L &= M, \\quad L = R \\operatorname{diag}(A, B, C) R^T \\omega",
                                     "\\dot R &= \\tilde\\omega R, \\quad R = R(q_w, q_x, q_y, q_z)",
                                     "a_g &= (" + shown.list(d.space->gravity) + ")^T"};
  if (!d.collisions.empty()) motion.push_back("F_c, M_c &: \\text{ forces of contacts, and their moments}");
  blocks.add("each moving body", motion);
  for (std::size_t i = 0; i < d.bodies.size(); ++i) add_body(d, i, shown, blocks);
  if (!d.collisions.empty()) {
    blocks.add("laws of contacts over a step; superscripts: its start (-) and its end (+)",
               {"0 &\\le \\Lambda_N \\perp \\xi_N \\ge 0",
                "\\xi_N &= \\gamma_N^+ + \\varepsilon_N \\gamma_N^- \\quad \\text{(moreau-midpoint, moreau-jean)}",
                "\\xi_N &= g(q_A) / \\Delta t + \\gamma_N^+ \\quad \\text{(stewart-trinkle)}",
                "\\xi_N &= g(q_E) / \\Delta t \\quad \\text{(tzitzouris-pang)}",
                "\\Lambda_T &\\in \\arg\\max \\{-c^T (\\gamma_T^+ + \\varepsilon_T \\gamma_T^-) : c \\in \\mu "
                "\\Lambda_N \\mathcal{F}\\}"});
  }
  for (std::size_t i = 0; i < d.collisions.size(); ++i) add_collision(d, i, shown, blocks);
  if (!d.description.outputs.empty()) {
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < d.description.outputs.size(); ++i) {
      rows.push_back(formula::latex_word(d.description.outputs[i].name) + " &= " + shown(d.equations.outputs[i]));
    }
    blocks.add("outputs", rows);
  }
  return blocks.text();
}

std::vector<Node> formulas_in_space(const Definition& d) {
  std::vector<Node> nodes;
  const auto add = [&](const auto& more) { nodes.insert(nodes.end(), more.begin(), more.end()); };
  for (std::size_t i = 0; i < d.bodies.size(); ++i) {
    const SpatialBodyDefinition& body = d.space->bodies[i];
    if (d.bodies[i].is_fixed) {
      add(body.place);
    } else {
      nodes.push_back(d.bodies[i].mass);
      for (const auto* three : {&body.moments, &body.force, &body.moment}) add(*three);
    }
    for (const SpatialShapeDefinition& shape : body.shapes) add(shape.numbers);
  }
  add(d.space->gravity);
  for (const SpatialCollisionDefinition& collision : d.space->collisions) {
    add(collision.friction.numbers);
    add(collision.directions.numbers);
    add(collision.tangent);
    nodes.push_back(collision.directions.from);
  }
  return nodes;
}

}  // namespace picus::modelfile
