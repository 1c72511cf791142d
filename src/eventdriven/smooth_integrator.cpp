// One file, though a long one: all of it works on what CVODE keeps, which only this file knows.
#include "picus/eventdriven/smooth_integrator.hpp"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace picus::eventdriven {
namespace {

constexpr long step_limit = 200000;  // of one call
// So many steps that add less than this share to the time lead nowhere.
constexpr int crawl_limit = 500;
constexpr double crawl_share = 1e-11;
// Of the scaled iteration of an Adams step; the default lets errors of the size of the tolerance pass.
constexpr double iteration_share = 0.01;
constexpr double most_of_root = 1e200;  // ratios and sums of such numbers are finite

void check(int flag, const char* what) {
  if (flag < 0) throw std::runtime_error(std::string(what) + " failed with " + std::to_string(flag));
}

}  // namespace

struct SmoothIntegrator::Memory {
  SUNContext context = nullptr;
  N_Vector y = nullptr, at = nullptr;
  SUNNonlinearSolver solver = nullptr;
  void* cvode = nullptr;
  SmoothIntegrator* owner = nullptr;
  int roots = 0;

  ~Memory() {
    if (cvode != nullptr) CVodeFree(&cvode);
    if (solver != nullptr) SUNNonlinSolFree(solver);
    if (at != nullptr) N_VDestroy(at);
    if (y != nullptr) N_VDestroy(y);
    if (context != nullptr) SUNContext_Free(&context);
  }

  static int rhs(realtype t, N_Vector y, N_Vector result, void* self) {
    SmoothIntegrator& owner = *static_cast<Memory*>(self)->owner;
    ++owner.evaluations_;
    if (!owner.guarded([&] { owner.rhs_(owner.base_ + t, N_VGetArrayPointer(y), N_VGetArrayPointer(result)); })) {
      return -1;
    }
    const double* values = N_VGetArrayPointer(result);
    const auto n = static_cast<std::ptrdiff_t>(N_VGetLength(result));
    const bool finite = std::all_of(values, values + n, [](double x) { return x - x == 0; });
    return finite ? 0 : 1;  // 1: a smaller step may help
  }
  static int root(realtype t, N_Vector y, realtype* result, void* self) {
    SmoothIntegrator& owner = *static_cast<Memory*>(self)->owner;
    if (!owner.guarded([&] { owner.roots_(owner.base_ + t, N_VGetArrayPointer(y), result); })) return -1;
    for (int i = 0; i < owner.memory_->roots; ++i) {
      double& latest = owner.latest_[static_cast<std::size_t>(i)];
      // The search between two values of different sign never ends once it has met what is not a finite number. Where
      // there is no value (a pin in the middle of its hole has no direction to the rim) it is the one before.
      if (std::isnan(result[i])) result[i] = latest;
      latest = result[i] = std::clamp(result[i], -most_of_root, most_of_root);
    }
    owner.latest_at_ = t;
    return 0;
  }
  static void silent(int, const char*, const char*, char*, void*) {}
};

SmoothIntegrator::SmoothIntegrator(int size, double tolerance, double floor, Function rhs)
    : memory_(std::make_unique<Memory>()), rhs_(std::move(rhs)), tolerance_(tolerance), floor_(floor) {
  Memory& m = *memory_;
  m.owner = this;
  check(SUNContext_Create(nullptr, &m.context), "SUNContext_Create");
  m.y = N_VNew_Serial(size, m.context);
  m.at = N_VNew_Serial(size, m.context);
  m.cvode = CVodeCreate(CV_ADAMS, m.context);
  if (m.y == nullptr || m.at == nullptr || m.cvode == nullptr) throw std::bad_alloc();
  N_VConst(0, m.y);
  check(CVodeInit(m.cvode, &Memory::rhs, 0, m.y), "CVodeInit");
  check(CVodeSetUserData(m.cvode, &m), "CVodeSetUserData");
  check(CVodeSetErrHandlerFn(m.cvode, &Memory::silent, nullptr), "CVodeSetErrHandlerFn");
  check(CVodeSStolerances(m.cvode, tolerance, tolerance * floor), "CVodeSStolerances");
  m.solver = SUNNonlinSol_FixedPoint(m.y, 0, m.context);
  if (m.solver == nullptr) throw std::bad_alloc();
  check(CVodeSetNonlinearSolver(m.cvode, m.solver), "CVodeSetNonlinearSolver");
  check(CVodeSetNonlinConvCoef(m.cvode, iteration_share), "CVodeSetNonlinConvCoef");
  check(CVodeSetMaxNonlinIters(m.cvode, 10), "CVodeSetMaxNonlinIters");
  check(CVodeSetMaxNumSteps(m.cvode, step_limit), "CVodeSetMaxNumSteps");
  check(CVodeSetMaxErrTestFails(m.cvode, 30), "CVodeSetMaxErrTestFails");
  check(CVodeSetMaxConvFails(m.cvode, 30), "CVodeSetMaxConvFails");
}

SmoothIntegrator::~SmoothIntegrator() = default;

void SmoothIntegrator::set_floors(const std::vector<double>& floors) {
  Memory& m = *memory_;
  if (std::all_of(floors.begin(), floors.end(), [&](double x) { return x == floor_; })) {
    check(CVodeSStolerances(m.cvode, tolerance_, tolerance_ * floor_), "CVodeSStolerances");
    return;
  }
  double* absolute = N_VGetArrayPointer(m.at);
  for (std::size_t i = 0; i < floors.size(); ++i) absolute[i] = tolerance_ * floors[i];
  check(CVodeSVtolerances(m.cvode, tolerance_, m.at), "CVodeSVtolerances");
}

void SmoothIntegrator::restart(double t, const std::vector<double>& y, int count, Function roots,
                               std::vector<double> small) {
  Memory& m = *memory_;
  start_ = y;
  t_ = t;
  largest_step_ = 0;
  small_ = std::move(small);
  small_.resize(static_cast<std::size_t>(count), 0.0);
  values_.assign(static_cast<std::size_t>(count), 0.0);
  armed_.assign(static_cast<std::size_t>(count), 0);
  fired_.clear();
  roots_ = std::move(roots);
  m.roots = count;
  begin_at(t);
  check(CVodeRootInit(m.cvode, count, count > 0 ? &Memory::root : nullptr), "CVodeRootInit");
  if (count == 0) return;
  roots_(t, start_.data(), values_.data());
  latest_ = values_;
  for (std::size_t k = 0; k < values_.size(); ++k) armed_[k] = values_[k] > small_[k] ? 1 : 0;
  std::vector<int> falling(static_cast<std::size_t>(count), -1);
  check(CVodeSetRootDirection(m.cvode, falling.data()), "CVodeSetRootDirection");
  check(CVodeSetNoInactiveRootWarn(m.cvode), "CVodeSetNoInactiveRootWarn");
}

// From start_ at t, with what is known of roots.
void SmoothIntegrator::begin_at(double t) {
  Memory& m = *memory_;
  std::copy(start_.begin(), start_.end(), N_VGetArrayPointer(m.y));
  base_ = t;
  inner_ = 0;
  steps_in_piece_ = 0;
  root_is_pending_ = false;
  crawl_from_ = t;
  crawl_steps_ = 0;
  check(CVodeReInit(m.cvode, 0, m.y), "CVodeReInit");
  check(CVodeSetMaxStep(m.cvode, largest_step_), "CVodeSetMaxStep");
}

// No exception may go through CVODE, which is in C.
bool SmoothIntegrator::guarded(const std::function<void()>& call) {
  try {
    call();
    return true;
  } catch (...) {
    thrown_ = std::current_exception();
    return false;
  }
}

double SmoothIntegrator::last_step() const {
  double step = 0;
  CVodeGetLastStep(memory_->cvode, &step);
  return step;
}

double SmoothIntegrator::step_begin() const {
  double now = 0;
  CVodeGetCurrentTime(memory_->cvode, &now);
  return base_ + std::max(0.0, now - last_step());
}

void SmoothIntegrator::derivative_at(double t, int order, std::vector<double>& y) const {
  Memory& m = *memory_;
  double now = 0, step = 0;
  CVodeGetCurrentTime(m.cvode, &now);
  CVodeGetLastStep(m.cvode, &step);
  // t has the round-off of base_, which may be more than the integrator lets pass.
  const double inside = std::clamp(t - base_, now - step, now);
  check(CVodeGetDky(m.cvode, inside, order, m.at), "CVodeGetDky");
  const double* values = N_VGetArrayPointer(m.at);
  y.assign(values, values + N_VGetLength(m.at));
}

void SmoothIntegrator::error_weights(std::vector<double>& weights) const {
  Memory& m = *memory_;
  check(CVodeGetErrWeights(m.cvode, m.at), "CVodeGetErrWeights");
  const double* values = N_VGetArrayPointer(m.at);
  weights.assign(values, values + N_VGetLength(m.at));
}

// At the end of the last step that was made.
SmoothIntegrator::Reached SmoothIntegrator::stuck(std::vector<double>& y) {
  t_ = base_ + inner_;
  if (steps_in_piece_ == 0) {
    y = start_;
  } else {
    state_at(t_, y);
  }
  return Reached::stuck;
}

// Whether so many steps have led nowhere.
bool SmoothIntegrator::crawls() {
  if (crawl_steps_ < crawl_limit) return false;
  t_ = base_ + inner_;
  const bool nowhere = t_ - crawl_from_ < crawl_share * std::abs(t_);
  crawl_from_ = t_;
  crawl_steps_ = 0;
  return nowhere;
}

// What watch() was given says of the step that ended at base_ + since. `broken` counts here where it is before t_out.
SmoothIntegrator::Verdict::Kind SmoothIntegrator::judge_step(double since, double t_out, std::vector<double>& y) {
  if (!watching_) return Verdict::Kind::fine;
  const Verdict verdict = watching_(base_ + inner_, base_ + since);
  if (verdict.kind == Verdict::Kind::broken && verdict.from <= t_out) {
    t_ = verdict.from;
    state_at(t_, y);
    return Verdict::Kind::broken;
  }
  if (verdict.kind != Verdict::Kind::fine) {  // what breaks later is met again
    t_ = std::min(verdict.from, t_out);
    state_at(t_, start_);
    largest_step_ = verdict.largest_step;
    begin_at(t_);
    return Verdict::Kind::again;
  }
  if (largest_step_ > 0 && since - inner_ >= 0.5 * largest_step_) {
    largest_step_ *= 2;
    check(CVodeSetMaxStep(memory_->cvode, largest_step_), "CVodeSetMaxStep");
  }
  return Verdict::Kind::fine;
}

// Roots of the step that ended at base_ + inner_: those that the integrator found, and, as a result, those that have
// not been above zero yet and fell.
bool SmoothIntegrator::note_roots(bool found) {
  Memory& m = *memory_;
  fired_.clear();
  if (found) {
    std::vector<int> which(static_cast<std::size_t>(m.roots));
    check(CVodeGetRootInfo(m.cvode, which.data()), "CVodeGetRootInfo");
    for (int i = 0; i < m.roots; ++i) {
      if (which[static_cast<std::size_t>(i)] != 0) fired_.push_back(i);
    }
    root_is_pending_ = true;
  }
  std::vector<int> late;
  if (latest_at_ == inner_) {  // at the end of the step, where the integrator has just looked
    values_ = latest_;
  } else if (m.roots > 0) {
    roots_(base_ + inner_, N_VGetArrayPointer(m.y), values_.data());
  }
  for (std::size_t k = 0; k < values_.size(); ++k) {
    if (values_[k] > small_[k]) armed_[k] = 1;
    if (armed_[k] == 0 && values_[k] < -small_[k]) late.push_back(static_cast<int>(k));
  }
  if (late.empty()) return false;
  root_is_pending_ = false;
  fired_ = late;
  return true;
}

// Steps of the integrator as it likes them; what lies within the last one is interpolated.
SmoothIntegrator::Reached SmoothIntegrator::advance(double t_out, double t_stop, std::vector<double>& y) {
  Memory& m = *memory_;
  check(CVodeSetStopTime(m.cvode, t_stop - base_), "CVodeSetStopTime");
  for (long n = 0;; ++n) {
    const double out = t_out - base_;
    if (n > step_limit) return stuck(y);
    if (steps_in_piece_ > 0 && out <= inner_) {
      if (root_is_pending_ && out == inner_) break;
      state_at(t_out, y);
      t_ = t_out;
      return Reached::time;
    }
    if (root_is_pending_) break;
    if (steps_in_piece_ == 0 && out <= 0) {  // begun again there
      y = start_;
      t_ = t_out;
      return Reached::time;
    }
    if (stop_ && stop_()) return Reached::stopped;
    if (crawls()) {
      state_at(t_, y);
      return Reached::crawling;
    }
    double since = 0;
    latest_at_ = std::numeric_limits<double>::quiet_NaN();
    const int flag = CVode(m.cvode, out, m.y, &since, CV_ONE_STEP);
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    if (flag == CV_ILL_INPUT && steps_in_piece_ > 0) break;  // a root at the root before: nothing fired, start anew
    if (flag == CV_TOO_CLOSE) {  // to t_out for a step: the state is there but for round-off
      t_ = base_ + inner_;
      return Reached::time;
    }
    if (flag < 0) return stuck(y);
    const Verdict::Kind verdict = judge_step(since, t_out, y);
    if (verdict == Verdict::Kind::broken) return Reached::broken;
    if (verdict == Verdict::Kind::again) {
      check(CVodeSetStopTime(m.cvode, t_stop - base_), "CVodeSetStopTime");
      continue;
    }
    ++steps_in_piece_;
    ++crawl_steps_;
    inner_ = since;
    if (!note_roots(flag == CV_ROOT_RETURN)) continue;
    t_ = steps_in_piece_ == 1 ? base_ : step_begin();
    if (steps_in_piece_ == 1) {
      y = start_;
    } else {
      state_at(t_, y);
    }
    return Reached::late;
  }
  if (!root_is_pending_) fired_.clear();
  root_is_pending_ = false;
  t_ = base_ + inner_;
  const double* values = N_VGetArrayPointer(m.y);
  y.assign(values, values + y.size());
  return Reached::root;
}

}  // namespace picus::eventdriven
