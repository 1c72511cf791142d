#include "picus/modelfile/latex_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "picus/formula/print.hpp"
#include "picus/modelfile/report_laws.hpp"
#include "picus/support/version.hpp"

namespace picus::modelfile {
namespace {

using formula::latex_name;
using formula::latex_word;
using formula::Node;
using formula::Pool;
using mechanics::ContactEquations;
using mechanics::Direction;
using mechanics::LawEquations;

class LatexReport {
 public:
  LatexReport(const Definition& definition, const mechanics::ParameterValues* values)
      : d_(definition), pool_(d_.pool), laws_(laws_of_run(d_, pool_, values)) {}

  std::string text() {
    text_ = latex_head(d_);
    motion();
    bodies();
    laws();
    for (std::size_t i = 0; i < d_.equations.contacts.size(); ++i) contact(i);
    for (std::size_t i = 0; i < d_.collisions.size(); ++i) collision(i);
    for (std::size_t i = 0; i < d_.equations.elements.size(); ++i) element(i);
    for (const mechanics::BlowEquations& blow : d_.equations.blows) {
      begin("impulse");
      row("t", shown(blow.time));
      vector_row("M\\, (u^+ - u^-) = J", blow.J);
      end();
    }
    outputs();
    return text_;
  }

 private:
  std::string shown(Node n) const { return formula::to_latex(pool_, n); }
  bool is_zero(Node n) const { return pool_.is_constant(n, 0); }

  void begin(const std::string& comment) { text_ += latex_comment(comment) + "\\begin{align}\n"; }
  void row(const std::string& left, const std::string& right) { line(left + " &= " + right); }
  void line(const std::string& text) {
    if (!text_.ends_with("\\begin{align}\n")) text_.insert(text_.size() - 1, " \\\\");
    text_ += "  " + text + "\n";
  }
  void end() { text_ += "\\end{align}\n"; }
  void vector_row(const std::string& left, const std::vector<Node>& nodes) {
    std::vector<std::string> parts;
    for (Node n : nodes) parts.push_back(shown(n));
    row(left, fmt::format("\\begin{{pmatrix}} {} \\end{{pmatrix}}", fmt::join(parts, " \\\\ ")));
  }
  // Of a matrix: 21, or 12,3 where 123 had two meanings.
  std::string indices(std::size_t i, std::size_t j) const {
    return fmt::format("{}{}{}", i + 1, d_.description.coordinates.size() < 10 ? "" : ",", j + 1);
  }
  std::string names(const std::vector<mechanics::Quantity>& quantities, std::size_t from, std::size_t count) const {
    std::vector<std::string> list;
    for (std::size_t i = from; i < from + count; ++i) list.push_back(latex_name(quantities[i].name));
    return fmt::format("({})^T", fmt::join(list, ", "));
  }

  // What moves without a body, the forces on it, what holds for all.
  void motion() {
    const mechanics::Dynamics& y = d_.equations.dynamics;
    const std::size_t of_bodies = y.h.size() - y.M.size();
    begin("motion");
    std::string forces = "h";
    if (!d_.equations.contacts.empty() || !d_.collisions.empty())
      forces += " + \\sum_i (w_{Ni}\\, \\lambda_{Ni} + w_{Ti}\\, \\lambda_{Ti})";
    if (!d_.equations.elements.empty()) forces += " + \\sum_i w_{Ei}\\, \\lambda_{Ei}";
    if (!d_.equations.constraints.empty())
      forces += " + \\sum_i \\left(\\frac{\\partial g_i}{\\partial q}\\right)^T \\lambda_i";
    row("M\\, \\dot u", forces + ", \\quad \\dot q = u");
    const mechanics::ModelDescription& about = d_.description;
    if (of_bodies == 0) {
      row("q", names(about.coordinates, 0, y.h.size()));
      row("u", names(about.velocities, 0, y.h.size()));
    } else {
      row("a_g", fmt::format("({}, {})^T", shown(d_.gravity[0]), shown(d_.gravity[1])));
      if (!y.M.empty()) quantities(of_bodies, y.M.size());
    }
    if (y.M.size() > 1 || of_bodies > 0) row("M_{ij}", "M_{ji}, \\quad \\text{zero where not listed}");
    for (std::size_t i = 0; i < y.M.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        if (!is_zero(y.M[i][j])) row(fmt::format("M_{{{}}}", indices(of_bodies + i, of_bodies + j)), shown(y.M[i][j]));
      }
    }
    for (std::size_t i = of_bodies; i < y.h.size(); ++i) row(fmt::format("h_{{{}}}", i + 1), shown(y.h[i]));
    row("V", potential());
    for (std::size_t i = 0; i < d_.equations.constraints.size(); ++i) {
      row(fmt::format("g_{{{}}}", i + 1), shown(d_.equations.constraints[i].g) + " = 0");
    }
    end();
  }
  void quantities(std::size_t from, std::size_t count) {
    const auto list = [&](const char* letter) {
      std::vector<std::string> parts;
      for (std::size_t i = from; i < from + count; ++i) parts.push_back(fmt::format("{}_{{{}}}", letter, i + 1));
      return fmt::format("({})^T", fmt::join(parts, ", "));
    };
    row(list("q"), names(d_.description.coordinates, from, count));
    row(list("u"), names(d_.description.velocities, from, count));
  }

  // With the weights of all bodies.
  std::string potential() {
    const Node rest = d_.equations.dynamics.potential;
    std::string text = is_zero(rest) ? "" : shown(rest);
    const bool has_weights = !d_.bodies.empty() && !(is_zero(d_.gravity[0]) && is_zero(d_.gravity[1]));
    if (has_weights) text += std::string(text.empty() ? "" : " ") + "- \\sum_b m_b\\, a_g^T (x_b, y_b)^T";
    return text.empty() ? "0" : text;
  }

  void bodies() {
    std::size_t first = 0;
    for (const BodyDefinition& body : d_.bodies) {
      if (!body.is_fixed) {
        moving_body(body, first);
        first += 3;
      } else if (!body.shapes.empty()) {
        begin("body " + body.name + ": fixed");
        row(fmt::format("({}, {}, {})^T", latex_name(body.name + ".x"), latex_name(body.name + ".y"),
                        latex_name(body.name + ".phi")),
            fmt::format("({}, {}, {})^T", shown(body.place[0]), shown(body.place[1]), shown(body.place[2])));
        end();
      }
    }
  }

  // Mass and moment of inertia have letters of their own: formulas of outlines are long.
  void moving_body(const BodyDefinition& body, std::size_t first) {
    const Node m = pool_.symbol(body.name + ".m"), J = pool_.symbol(body.name + ".J");
    begin("body " + body.name);
    quantities(first, 3);
    row(shown(m), shown(body.mass));
    row(shown(J), shown(body.inertia));
    row(fmt::format("M_{{{}}}", indices(first, first)),
        fmt::format("M_{{{}}} = {}, \\quad M_{{{}}} = {}", indices(first + 1, first + 1), shown(m),
                    indices(first + 2, first + 2), shown(J)));
    for (std::size_t k = 0; k < 3; ++k) {
      const Node rest = d_.equations.dynamics.h[first + k];
      const Node weight = k < 2 ? pool_.multiply(d_.gravity[k], m) : pool_.constant(0);
      row(fmt::format("h_{{{}}}", first + k + 1), shown(pool_.add(rest, weight)));
    }
    end();
  }

  // Of all contacts; their numbers follow.
  void laws() {
    if (laws_.empty()) return;
    const contact::ImpactLaw impact = d_.description.defaults.step.impact;
    const bool newton = impact == contact::ImpactLaw::newton;
    const auto any = [&](Node LawEquations::*number) {
      return std::any_of(laws_.begin(), laws_.end(), [&](const LawEquations& law) { return !is_zero(law.*number); });
    };
    begin("laws of closed contacts over a step; superscripts: its start (-) and its end (+)");
    row("\\gamma", "w^T u + \\hat w");
    line(std::string("0 &\\le \\Lambda_N \\perp \\xi_N \\ge 0, \\quad \\xi_N = ") +
         (newton ? "\\gamma_N^+ + \\varepsilon_N \\gamma_N^-" : "\\gamma_N^+"));
    line(fmt::format("-\\Lambda_T &\\in {} \\operatorname{{Sgn}}(\\xi_T), \\quad \\xi_T = {}",
                     any(&LawEquations::friction_force) ? "(\\mu \\Lambda_N + a\\, \\Delta t)" : "\\mu \\Lambda_N",
                     newton && any(&LawEquations::eT) ? "\\gamma_T^+ + \\varepsilon_T \\gamma_T^-" : "\\gamma_T^+"));
    if (!newton) line("&\\text{restitution by the impact law } " + latex_word(name_of(impact)));
    end();
  }

  void directions(const char* kind, std::size_t number, const Direction& d) {
    vector_row(fmt::format("w_{{{}{}}}", kind, number), d.w);
    if (!is_zero(d.w_hat)) row(fmt::format("\\hat w_{{{}{}}}", kind, number), shown(d.w_hat));
  }

  void contact(std::size_t i) {
    const ContactEquations& c = d_.equations.contacts[i];
    const mechanics::ContactDescription& about = d_.description.contacts[i];
    begin(fmt::format("contact {} {}", about.name, about.meaning));
    row(fmt::format("g_{{N{}}}", i + 1), shown(c.gap));
    directions("N", i + 1, c.normal);
    const bool has_friction = !mechanics::all_zero(pool_, c.tangential.w) || !is_zero(c.tangential.w_hat);
    if (has_friction) directions("T", i + 1, c.tangential);
    law(i, has_friction);
    end();
  }

  void collision(std::size_t i) {
    const CollisionDefinition& c = d_.collisions[i];
    const std::string& name = d_.description.collisions[i].name;
    begin(fmt::format("collision {}", name));
    line("&" + latex_word(name + (c.never ? ": never touch"
                                          : ": gaps and directions follow from the shapes and are not listed")));
    if (!c.never) law(d_.equations.contacts.size() + i, true);
    end();
  }

  void law(std::size_t i, bool has_friction) {
    const LawEquations& law = laws_[i];
    const auto of = [&](const char* format) { return fmt::format(fmt::runtime(format), i + 1); };
    row(of("\\varepsilon_{{N{}}}"), shown(law.eN));
    if (!pool_.is_constant(law.stiffness, 1)) {
      row(of("\\kappa_{{{}}}"), shown(law.stiffness) + " \\quad \\text{(stiffness beside that of others)}");
    }
    if (!has_friction) return row(of("\\mu_{{{}}}"), "0");
    row(of("\\mu_{{{}}}"), shown(law.mu));
    if (!is_zero(law.eT)) row(of("\\varepsilon_{{T{}}}"), shown(law.eT));
    if (!is_zero(law.friction_force)) row(of("a_{{{}}}"), shown(law.friction_force));
    if (!is_zero(law.mu_static)) {
      row(of("\\mu_{{\\mathrm{{static}}\\,{}}}"), shown(law.mu_static) + " \\quad \\text{(while it sticks)}");
    }
    if (is_zero(law.v_s)) return;
    row(of("\\mu_{{\\infty {}}}"), shown(law.mu_inf));
    row(of("v_{{s{}}}"), shown(law.v_s));
    row(of("\\mu_{{{0}}}(\\gamma_{{T{0}}})"),
        of("\\mu_{{\\infty {0}}} + (\\mu_{{{0}}} - \\mu_{{\\infty {0}}})\\, e^{{-|\\gamma_{{T{0}}}| / v_{{s{0}}}}}"));
  }

  void element(std::size_t i) {
    const mechanics::ElementEquations& e = d_.equations.elements[i];
    const mechanics::ContactDescription& about = d_.description.elements[i];
    const std::size_t n = i + 1;
    begin(fmt::format("element {} {}", about.name, about.meaning));
    if (e.on_displacement) row(fmt::format("g_{{E{}}}", n), shown(e.displacement));
    directions("E", n, e.direction);
    const std::string force = fmt::format("\\lambda_{{E{}}}", n);
    std::string xi = fmt::format("{}_{{E{}}}{}", e.on_displacement ? "g" : "\\gamma", n, e.on_displacement ? "" : "^+");
    if (!is_zero(e.e)) xi += fmt::format(" + {}\\, \\gamma_{{E{}}}^-", shown(e.e), n);
    if (is_zero(e.lower) && pool_.is_constant(e.upper) && std::isinf(pool_.value(e.upper))) {
      line(fmt::format("0 &\\le {} \\perp {} \\ge 0", force, xi));
    } else {
      line(fmt::format("{} &\\in \\left[{}, {}\\right]", force, shown(e.lower), shown(e.upper)));
      line(fmt::format("{0} &= {1} \\text{{ where }} {3} > 0, \\quad {0} = {2} \\text{{ where }} {3} < 0", force,
                       shown(e.lower), shown(e.upper), xi));
    }
    end();
  }

  void outputs() {
    const std::vector<mechanics::Quantity>& about = d_.description.outputs;
    if (about.empty()) return;
    begin("outputs");
    for (std::size_t i = 0; i < about.size(); ++i) row(latex_word(about[i].name), shown(d_.equations.outputs[i]));
    end();
  }

  const Definition& d_;
  Pool pool_;  // a copy: masses of bodies get names
  std::vector<LawEquations> laws_;
  std::string text_;
};

}  // namespace

std::string latex_comment(const std::string& text) {
  std::string comment = "% " + text;
  std::replace_if(
      comment.begin(), comment.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  while (comment.ends_with(' ')) comment.pop_back();
  return comment + "\n";
}

std::string latex_head(const Definition& d) {
  std::string text =
      latex_comment(fmt::format("{}: derived by Picus {}. Needs amsmath.", d.description.name, version()));
  std::map<std::string, std::string> known;
  const auto look = [&](const std::string& name) {
    const auto [place, is_new] = known.emplace(latex_name(name), name);
    if (!is_new && place->second != name) {
      text += latex_comment(
          fmt::format("{} and {} are both printed as {}; rename one of them", place->second, name, place->first));
    }
  };
  for (const auto* list : {&d.description.coordinates, &d.description.velocities}) {
    for (const mechanics::Quantity& q : *list) look(q.name);
  }
  for (const std::string& name : d.parameter_names) look(name);
  return text;
}

std::string latex_in_plane(const Definition& definition, const mechanics::ParameterValues* values) {
  return LatexReport(definition, values).text();
}

}  // namespace picus::modelfile
