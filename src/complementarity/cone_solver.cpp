#include "picus/complementarity/cone_solver.hpp"

#include <algorithm>
#include <memory>

#include "picus/complementarity/cone_iterations.hpp"
#include "picus/complementarity/cone_newton.hpp"
#include "picus/support/error.hpp"

namespace picus::complementarity {

namespace {

constexpr int first_sweeps = 20, judged_every = 10;
constexpr double most_products = 1e6;

// False where a number is none.
bool is_solved(const ConeResidual& found, const ConeOptions& options) {
  return found.measure() <= options.tolerance ||
         (options.velocity_tolerance > 0 && found.largest <= options.velocity_tolerance);
}

// The methods on one problem, what they have spent, and the best that they found.
class Search {
 public:
  Search(const ConeProblem& p, const ConeOptions& options)
      : p_(p),
        options_(options),
        scaled_(p),
        product_(static_cast<double>(scaled_.G.nonZeros()) + 30.0 * scaled_.rows()),
        limit_(std::min(options.work_limit, most_products * product_)),
        x_(Eigen::VectorXd::Zero(scaled_.rows())) {
    answer_.r = Eigen::VectorXd::Zero(p.rows());
    answer_.residual = residual(p, answer_.r);
    answer_.by = ConeMethod::gauss_seidel;
    if (options.start.size() == p.rows()) {
      x_ = scaled_.from_impulses(options.start);
      judge(x_, ConeMethod::gauss_seidel);
    }
  }

  ConeAnswer run();

 private:
  bool is_done() const { return is_solved(answer_.residual, options_) || work() >= limit_; }
  double work() const { return spent_ + (newton_ ? newton_->work() : 0); }
  void judge(const Eigen::VectorXd& x, ConeMethod by);
  void sweep(double until);
  void descend(double until);
  void solve_linear(double until);
  void race();
  void polish();

  const ConeProblem& p_;
  const ConeOptions& options_;
  ScaledCones scaled_;
  double product_, limit_, spent_ = 0;  // in multiplications
  Eigen::VectorXd x_, best_;
  std::unique_ptr<ConeSweeps> sweeps_;
  std::unique_ptr<ConeGradient> gradient_;
  std::unique_ptr<ConeNewton> newton_;
  bool newton_gave_up_ = false;
  ConeAnswer answer_;
};

void Search::judge(const Eigen::VectorXd& x, ConeMethod by) {
  spent_ += product_;
  const Eigen::VectorXd r = scaled_.impulses(x, p_.rows());
  const ConeResidual found = residual(p_, r);
  if (!(found.measure() < answer_.residual.measure())) return;
  answer_.residual = found;
  answer_.r = r;
  answer_.by = by;
  best_ = x;
}

// Gauss-Seidel until so much work is done, in all.
void Search::sweep(double until) {
  if (!sweeps_) sweeps_ = std::make_unique<ConeSweeps>(scaled_);
  while (work() < until && !is_done()) {
    for (int k = 0; k < judged_every; ++k) sweeps_->sweep(scaled_, (answer_.sweeps++) % 2 == 1, x_);
    spent_ += judged_every * 3 * product_;  // an exact contact costs more than its products
    judge(x_, ConeMethod::gauss_seidel);
  }
}

void Search::descend(double until) {
  if (!gradient_) gradient_ = std::make_unique<ConeGradient>(scaled_, x_);
  while (work() < until && !is_done()) {
    for (int k = 0; k < judged_every; ++k) spent_ += gradient_->step(scaled_) * product_;
    answer_.gradient_steps += judged_every;
    judge(gradient_->x(), ConeMethod::gradient);
  }
}

void Search::solve_linear(double until) {
  if (!newton_) newton_ = std::make_unique<ConeNewton>(x_);
  while (work() < until && !is_done() && !newton_gave_up_) {
    newton_gave_up_ = !newton_->step(scaled_);
    judge(newton_->x(), ConeMethod::newton);
  }
}

// In turn, for slices of work that grow: whichever gets there first has cost at most as much again for the other.
void Search::race() {
  double slice = 100 * product_;
  while (!is_done()) {
    const double begin = work();
    descend(begin + slice);
    solve_linear(work() + slice);
    slice *= 1.5;
  }
}

// From a solution to round-off.
void Search::polish() {
  constexpr int steps = 3;
  constexpr double affordable = 0.2;  // of the work so far, and a little
  if (!is_solved(answer_.residual, options_) || best_.size() == 0) return;
  ConeNewton newton(best_, ConeNewton::smallest_epsilon);
  const double most = affordable * work() + 1e5;
  for (int k = 0; k < steps && newton.work() <= most; ++k) {
    const ConeMethod by = answer_.by;
    const double before = answer_.residual.invariant;
    if (!newton.step(scaled_)) break;
    judge(newton.x(), by);
    if (!(answer_.residual.invariant < 0.1 * before)) break;
  }
  spent_ += newton.work();
  answer_.factorizations += newton.factorizations();
}

ConeAnswer Search::run() {
  switch (options_.method) {
    case ConeMethod::gauss_seidel:
      sweep(limit_);
      break;
    case ConeMethod::gradient:
      descend(limit_);
      break;
    case ConeMethod::newton:
      solve_linear(limit_);
      break;
    case ConeMethod::automatic:
      while (answer_.sweeps < first_sweeps && !is_done()) sweep(work() + product_);
      race();
      polish();
      break;
  }
  if (newton_) answer_.factorizations += newton_->factorizations();
  answer_.work = work();
  return answer_;
}

}  // namespace

ConeAnswer solve(const ConeProblem& p, const ConeOptions& options) {
  const std::string fault = find_fault(p);
  if (!fault.empty()) throw InputError("contact problem: " + fault);
  // The search is made in units of size one; what counts is the residual of the problem as given.
  const ConeUnits units = units_of(p);
  ConeProblem scaled = p;
  scaled.W /= units.compliance;
  scaled.q /= units.velocity;
  ConeOptions in_units = options;
  in_units.velocity_tolerance /= units.velocity;
  in_units.start = options.start.unaryExpr([&](double r) { return units.impulse_in(r); });
  ConeAnswer answer = Search(scaled, in_units).run();
  answer.r = answer.r.unaryExpr([&](double r) { return units.impulse_from(r); });
  if (!answer.r.allFinite()) answer.r.setZero();  // impulses beyond double precision
  answer.residual = residual(p, answer.r);
  answer.solved = is_solved(answer.residual, options);
  answer.u = p.W * answer.r + p.q;
  return answer;
}

}  // namespace picus::complementarity
