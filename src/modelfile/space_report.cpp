#include "picus/modelfile/space_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "picus/formula/print.hpp"
#include "picus/modelfile/latex_report.hpp"
#include "picus/modelfile/report_laws.hpp"
#include "picus/modelfile/report_lines.hpp"

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
  std::string list(std::span<const Node> nodes) const {
    std::vector<std::string> parts;
    for (Node n : nodes) parts.push_back((*this)(n));
    return fmt::format("{}", fmt::join(parts, ", "));
  }
  bool all_zero(std::span<const Node> nodes) const {
    return std::all_of(nodes.begin(), nodes.end(), [&](Node n) { return pool_.is_constant(n, 0); });
  }

 private:
  formula::Pool pool_;  // a copy: numbers that were set are added
  std::vector<mechanics::LawEquations> laws_;
  Shown shown_;
};

bool all_equal(const std::array<Node, 3>& moments) { return moments[0] == moments[1] && moments[1] == moments[2]; }

// Vectors of a polytope, in brackets.
std::string vectors(const FrictionDefinition& set, const Printer& shown) {
  std::vector<std::string> list;
  const auto rows = static_cast<std::size_t>(set.dimension);
  for (std::size_t i = 0; i < set.numbers.size(); i += rows) {
    list.push_back(fmt::format("({})", shown.list(std::span(set.numbers).subspan(i, rows))));
  }
  return fmt::format("{}", fmt::join(list, ", "));
}

// What the members c of a set fulfil; it is no hull.
std::string members_of(const FrictionDefinition& set, const Printer& shown, bool latex) {
  const char* less = latex ? "\\le" : "<=";
  const auto n = [&](std::size_t i) { return shown(set.numbers[i]); };
  const auto axis = [&](const char* c, std::size_t i) {
    const std::string e = n(i);
    if (latex) return fmt::format("\\left(\\frac{{c_{}}}{{{}}}\\right)^2", c, e);
    const bool is_simple = e.find_first_of(" +-*/^") == std::string::npos;
    return fmt::format("(c_{}/{})^2", c, is_simple ? e : "(" + e + ")");
  };
  switch (set.kind) {
    case Set::disk:
    case Set::hull:
      break;
    case Set::ellipse:
      return fmt::format("{} + {} {} 1", axis("t", 0), axis("o", 1), less);
    case Set::ellipsoid:
      return fmt::format("{} + {} + {} {} 1", axis("t", 0), axis("o", 1), axis("r", 2), less);
    case Set::disk_and_interval:
      return fmt::format("{} + {} {} 1{} |c_r| {} {}", axis("t", 0), axis("o", 1), less, latex ? "," : " and", less,
                         n(2));
    case Set::half_spaces:
      return latex ? "a^T c \\le 1, a \\in \\{" + vectors(set, shown) + "\\}"
                   : "a . c <= 1 for a = " + vectors(set, shown);
  }
  return fmt::format("c_t^2 + c_o^2 {} 1", less);
}

// In LaTeX the set, as text what its members fulfil.
std::string set_of(const FrictionDefinition& set, const Printer& shown, bool latex) {
  if (set.kind == Set::hull) {
    return latex ? "\\operatorname{conv}\\{0, " + vectors(set, shown) + "\\}"
                 : "the hull of 0 and " + vectors(set, shown);
  }
  const std::string members = members_of(set, shown, latex);
  return latex ? "\\{c : " + members + "\\}" : members;
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
  std::vector<std::string> names = modelfile::names_of(quantities);
  if (moving <= few) return fmt::format("{}", fmt::join(names, ", "));
  names.resize(names.size() / moving);
  for (std::string& name : names) name.erase(0, name.find('.') + 1);
  return fmt::format("{} of each of {} bodies", fmt::join(names, ", "), moving);
}

class SpaceReport : public ReportLines {
 public:
  SpaceReport(const Definition& definition, const mechanics::ParameterValues* values)
      : d_(definition), shown_(d_, values, formula::to_readable_text) {}

  void write() {
    const auto moving = static_cast<std::size_t>(
        std::count_if(d_.bodies.begin(), d_.bodies.end(), [](const BodyDefinition& body) { return !body.is_fixed; }));
    head(d_.description, names_of(d_.description.coordinates, moving), names_of(d_.description.velocities, moving),
         "of rigid bodies in space\n");
    line("Equations of each moving body");
    line("  m dv/dt = F            F: weight, applied force, contacts; dx/dt = v");
    line("  dL/dt = M              L = R diag(A, B, C) R^T w; M about the centre of mass");
    line("  dR/dt = w x R          R: from the body's principal axes to the world's, by the quaternion");
    bodies();
    if (!d_.collisions.empty()) collisions();
    outputs(d_, shown_);
  }

 private:
  void bodies() {
    line("\nBodies");
    for (std::size_t i = 0; i < d_.bodies.size(); ++i) {
      const BodyDefinition& body = d_.bodies[i];
      const SpatialBodyDefinition& in_space = d_.space->bodies[i];
      const std::string shapes = count_of_shapes(in_space.shapes.size());
      if (!body.is_fixed) {
        line("  {}: mass {}, {}; {}", body.name, shown_(body.mass),
             all_equal(in_space.moments) ? "moments of inertia A = B = C = " + shown_(in_space.moments[0])
                                         : "moments of inertia A, B, C = " + shown_.list(in_space.moments),
             shapes);
        if (!shown_.all_zero(in_space.force)) line("    force ({})", shown_.list(in_space.force));
        if (!shown_.all_zero(in_space.moment)) line("    moment ({})", shown_.list(in_space.moment));
      } else if (!in_space.shapes.empty()) {
        const std::span place(in_space.place);
        line("  {}: fixed at ({}), quaternion ({}); {}", body.name, shown_.list(place.first(3)),
             shown_.list(place.last(4)), shapes);
      }
    }
    line("  gravity ({})", shown_.list(d_.space->gravity));
  }

  void collisions() {
    line("\nContacts, with rows n (normal), t, o = n x t (sliding) and r (turning about n)");
    line("  0 <= Lambda_N _|_ xi_N >= 0");
    line("    moreau-midpoint, moreau-jean   xi_N = gamma_N+ + eN gamma_N-");
    line("    stewart-trinkle                xi_N = g(q_A)/dt + gamma_N+");
    line("    tzitzouris-pang                xi_N = g(q_E)/dt");
    line("  Lambda_T in mu Lambda_N F, with the largest dissipation against gamma_T+ + eT gamma_T-");
    for (std::size_t i = 0; i < d_.collisions.size(); ++i) {
      const CollisionDefinition& c = d_.collisions[i];
      const SpatialCollisionDefinition& in_space = d_.space->collisions[i];
      if (c.never) {
        line("  {}: never touch", in_space.name);
        continue;
      }
      const mechanics::LawEquations& law = shown_.law(i);
      line("  {}: eN = {}, mu = {}, eT = {}", in_space.name, shown_(law.eN), shown_(law.mu), shown_(law.eT));
      line("    F: {}", set_of(in_space.friction, shown_, false));
      line("    t: across n, nearest to ({})", shown_.list(in_space.tangent));
      if (!in_space.friction.is_polytope()) {
        line("    stewart-trinkle: the hull of {} directions (not listed) in the place of F",
             count_directions(in_space));
      }
    }
    after_collisions(d_);
  }

  const Definition& d_;
  Printer shown_;
};

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
    const std::span place(in_space.place);
    if (in_space.shapes.empty()) return;
    return blocks.add("body " + body.name + ": fixed",
                      {"x &= (" + shown.list(place.first(3)) + ")^T, \\quad (q_w, q_x, q_y, q_z) = (" +
                       shown.list(place.last(4)) + ")"});
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
      "\\mathcal{F} &= " + set_of(in_space.friction, shown, true),
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

std::string equations_in_space(const Definition& d, const mechanics::ParameterValues* values) {
  SpaceReport report(d, values);
  report.write();
  return report.text();
}

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

}  // namespace picus::modelfile
