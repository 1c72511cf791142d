// The woodpecker and the slider-crank of Picus' catalogue in Siconos: Moreau-Jean time stepping with theta = 1/2.
// The equations are those of src/catalogue/{woodpecker,slider_crank}.hpp. They stand here a second time because the
// headers of Picus need C++20, and those of Siconos 4.4 with Boost 1.74 do not compile in it.

#include <SolverOptions.h>

#include <SiconosKernel.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Three = std::array<double, 3>;

struct Model {
  std::shared_ptr<LagrangianDS> bodies;
  std::vector<std::shared_ptr<Interaction>> contacts;
};

std::shared_ptr<SiconosVector> vector(const Three& values) {
  auto v = std::make_shared<SiconosVector>(3);
  for (int k = 0; k < 3; ++k) (*v)(k) = values[k];
  return v;
}

std::shared_ptr<SimpleMatrix> matrix(const std::vector<Three>& rows) {
  auto m = std::make_shared<SimpleMatrix>(rows.size(), 3);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (int k = 0; k < 3; ++k) (*m)(i, k) = rows[i][k];
  return m;
}

std::shared_ptr<Interaction> contact(double mu, double eN, const std::shared_ptr<Relation>& relation) {
  return std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(eN, 0, mu, 2), relation);
}

// y = (gap + w_N^T q, w_T^T q): of the second row only the velocity has a meaning.
std::shared_ptr<Interaction> linear_contact(double mu, double eN, double gap, const Three& w_N, const Three& w_T) {
  auto constant = std::make_shared<SiconosVector>(2);
  (*constant)(0) = gap;
  (*constant)(1) = 0;
  return contact(mu, eN, std::make_shared<LagrangianLinearTIR>(matrix({w_N, w_T}), constant));
}

Model woodpecker() {
  const double r_O = 0.0025, r_M = 0.0031, h_M = 0.0058, l_M = 0.010, l_G = 0.015, h_S = 0.02, l_S = 0.0201;
  const double m_M = 0.0003, m_S = 0.0045, J_M = 5.0e-9, J_S = 7.0e-7, c = 0.0056, g = 9.81;
  const auto M = matrix({{m_S + m_M, m_S * l_M, m_S * l_G},
                         {m_S * l_M, J_M + m_S * l_M * l_M, m_S * l_M * l_G},
                         {m_S * l_G, m_S * l_M * l_G, J_S + m_S * l_G * l_G}});
  auto toy = std::make_shared<LagrangianLinearTIDS>(vector({0, -0.1036, -0.2788}), vector({-0.3411, 0, -7.4583}), M);
  toy->setKPtr(matrix({{0, 0, 0}, {0, c, -c}, {0, -c, c}}));
  toy->setFExtPtr(vector({-(m_S + m_M) * g, -m_S * l_M * g, -m_S * l_G * g}));
  return {toy,
          {linear_contact(0.3, 0.5, l_M + l_G - l_S - r_O, {0, 0, -h_S}, {1, l_M, l_G - l_S}),
           linear_contact(0.3, 0, r_M - r_O, {0, h_M, 0}, {1, r_M, 0}),
           linear_contact(0.3, 0, r_M - r_O, {0, -h_M, 0}, {1, r_M, 0})}};
}

namespace crank {

constexpr double l_1 = 0.153, l_2 = 0.306, a = 0.05, b = 0.025, d = 0.052;
constexpr double m_1 = 0.038, m_2 = 0.038, m_3 = 0.076, J_1 = 7.4e-5, J_2 = 5.9e-4, J_3 = 2.7e-6, g = 9.81;
constexpr double coupling = (0.5 * m_2 + m_3) * l_1 * l_2;
constexpr double weight_1 = (0.5 * m_1 + m_2 + m_3) * g * l_1, weight_2 = (0.5 * m_2 + m_3) * g * l_2;

// Plug-in functions of Siconos: matrices by columns, the last two arguments unused. M u' + f(q, u) = contact forces,
// so f is minus the force of Picus.
void mass(unsigned, double* q, double* M, unsigned, double*) {
  M[0] = J_1 + (0.25 * m_1 + m_2 + m_3) * l_1 * l_1;
  M[1] = M[3] = coupling * std::cos(q[1] - q[0]);
  M[4] = J_2 + (0.25 * m_2 + m_3) * l_2 * l_2;
  M[2] = M[5] = M[6] = M[7] = 0;
  M[8] = J_3;
}

void force(double, unsigned, double* q, double* u, double* f, unsigned, double*) {
  const double s = coupling * std::sin(q[1] - q[0]);
  f[0] = -s * u[1] * u[1] + weight_1 * std::cos(q[0]);
  f[1] = s * u[0] * u[0] + weight_2 * std::cos(q[1]);
  f[2] = 0;
}

void force_by_q(double, unsigned, double* q, double* u, double* J, unsigned, double*) {
  const double s = coupling * std::cos(q[1] - q[0]);
  J[0] = s * u[1] * u[1] - weight_1 * std::sin(q[0]);
  J[1] = -s * u[0] * u[0];
  J[3] = -s * u[1] * u[1];
  J[4] = s * u[0] * u[0] - weight_2 * std::sin(q[1]);
  J[2] = J[5] = J[6] = J[7] = J[8] = 0;
}

void force_by_u(double, unsigned, double* q, double* u, double* J, unsigned, double*) {
  const double s = coupling * std::sin(q[1] - q[0]);
  J[1] = 2 * s * u[0];
  J[3] = -2 * s * u[1];
  J[0] = J[2] = J[4] = J[5] = J[6] = J[7] = J[8] = 0;
}

// A relation takes plug-ins by file name only; overriding does without the shared library.
class Corner : public LagrangianScleronomousR {
 public:
  Corner(double along, double across) : t(along), n(across) {}

  void computeh(const BlockVector& position, BlockVector&, SiconosVector& y) override {
    const double* q = position.vector(0)->getArray();
    const double height = l_1 * std::sin(q[0]) + l_2 * std::sin(q[1]) + t * a * std::sin(q[2]);
    y(0) = 0.5 * d - n * height - b * std::cos(q[2]);
    y(1) = 0;
  }

  void computeJachq(const BlockVector& position, BlockVector&) override {
    const double* q = position.vector(0)->getArray();
    const double sin_3 = std::sin(q[2]), cos_3 = std::cos(q[2]);
    double* H = _jachq->getArray();
    H[0] = -n * l_1 * std::cos(q[0]);
    H[2] = -n * l_2 * std::cos(q[1]);
    H[4] = -n * t * a * cos_3 + b * sin_3;
    H[1] = -l_1 * std::sin(q[0]);
    H[3] = -l_2 * std::sin(q[1]);
    H[5] = -t * a * sin_3 - n * b * cos_3;
  }

 private:
  double t, n;
};

}  // namespace crank

// With one iteration a step the Jacobians cost more than they bring; with iterations to convergence they save most.
Model slider_crank(bool jacobians) {
  auto bodies = std::make_shared<LagrangianDS>(vector({0, 0, 0}), vector({150, -75, 0}));
  bodies->setComputeMassFunction(crank::mass);
  bodies->setComputeFIntFunction(crank::force);
  if (jacobians) {
    bodies->setComputeJacobianFIntqFunction(crank::force_by_q);
    bodies->setComputeJacobianFIntqDotFunction(crank::force_by_u);
  }
  Model model{bodies, {}};
  for (const double across : {1, -1})
    for (const double along : {-1, 1})
      model.contacts.push_back(contact(0.01, 0.4, std::make_shared<crank::Corner>(along, across)));
  return model;
}

const std::map<std::string, int> solvers = {{"lemke", SICONOS_FRICTION_2D_LEMKE},
                                            {"nsgs", SICONOS_FRICTION_2D_NSGS},
                                            {"cpg", SICONOS_FRICTION_2D_CPG},
                                            {"enum", SICONOS_FRICTION_2D_ENUM}};

struct Arguments {
  std::string model, solver, trajectory;
  double dt = 0, end = 0;
  bool newton_once = false;
};

Arguments arguments(int argc, char** argv) {
  Arguments given;
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--trajectory" && i + 1 < argc)
      given.trajectory = argv[++i];
    else if (word == "--newton-once")
      given.newton_once = true;
    else
      words.push_back(word);
  }
  if (words.size() != 4 || (words[0] != "woodpecker" && words[0] != "slider-crank") || solvers.count(words[3]) == 0)
    throw std::invalid_argument(
        "siconos_models woodpecker|slider-crank DT END lemke|nsgs|cpg|enum [--newton-once] [--trajectory FILE]");
  given.model = words[0];
  given.dt = std::stod(words[1]);
  given.end = std::stod(words[2]);
  given.solver = words[3];
  return given;
}

// What the solver says of every step; both, since SICONOS_FRICTION_2D_LEMKE reports success whatever its residual.
SolverOptions* solver_options = nullptr;
long failed_solves = 0;
double worst_residual = 0;

void note_solution(int info, Simulation*) {
  failed_solves += info != 0;
  worst_residual = std::max(worst_residual, solver_options->dparam[SICONOS_DPARAM_RESIDU]);
}

std::shared_ptr<TimeStepping> simulation(const Model& model, const Arguments& given, long steps) {
  auto problem = std::make_shared<FrictionContact>(2, solvers.at(given.solver));
  solver_options = problem->numericsSolverOptions().get();
  solver_options->dparam[SICONOS_DPARAM_TOL] = 1e-10;
  solver_options->dparam[SICONOS_DPARAM_RESIDU] = 0;
  solver_options->iparam[SICONOS_IPARAM_MAX_ITER] = 10000;

  // Two steps more than are taken: the last one must still have a next event.
  auto system = std::make_shared<NonSmoothDynamicalSystem>(0.0, (steps + 2) * given.dt);
  system->insertDynamicalSystem(model.bodies);
  for (const auto& touching : model.contacts) system->link(touching, model.bodies);

  // A contact is active when y + dt/2 y' is at most the threshold, here that of Picus.
  auto integrator = std::make_shared<MoreauJeanOSI>(0.5);
  integrator->setConstraintActivationThreshold(1e-12);
  auto clock = std::make_shared<TimeDiscretisation>(0.0, given.dt);
  auto stepping = std::make_shared<TimeStepping>(system, clock, integrator, problem);
  stepping->setNewtonTolerance(1e-10);
  if (given.newton_once) stepping->setNewtonOptions(SICONOS_TS_LINEAR);
  stepping->setCheckSolverFunction(note_solution);
  stepping->initialize();
  return stepping;
}

std::ostream& write_state(std::ostream& out, const LagrangianDS& bodies) {
  for (int k = 0; k < 3; ++k) out << (k > 0 ? "," : "") << (*bodies.q())(k);
  for (int k = 0; k < 3; ++k) out << ',' << (*bodies.velocity())(k);
  return out;
}

void run(const Arguments& given) {
  const Model model = given.model == "woodpecker" ? woodpecker() : slider_crank(!given.newton_once);
  const long steps = static_cast<long>(std::floor(given.end / given.dt * (1 + 1e-12)));
  const auto stepping = simulation(model, given, steps);

  std::ofstream file;
  if (!given.trajectory.empty()) {
    file.open(given.trajectory);
    file.precision(17);
    write_state(file << "t,q1,q2,q3,u1,u2,u3\n0,", *model.bodies) << '\n';
  }
  long contact_steps = 0, iterations = 0;
  const auto start = std::chrono::steady_clock::now();
  for (long k = 0; k < steps; ++k) {
    contact_steps += stepping->indexSet(1)->size() > 0;
    stepping->advanceToEvent();
    iterations += stepping->getNewtonNbIterations();
    stepping->processEvents();
    if (file.is_open()) write_state(file << stepping->startingTime() << ',', *model.bodies) << '\n';
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  std::cout.precision(17);
  std::cout << "{\"model\":\"" << given.model << "\",\"dt\":" << given.dt << ",\"steps\":" << steps
            << ",\"seconds\":" << seconds << ",\"solver\":\"" << given.solver << "\",\"newton\":\""
            << (given.newton_once ? "once" : "converged") << "\",\"newton_iterations\":" << iterations
            << ",\"contact_steps\":" << contact_steps << ",\"failed_solves\":" << failed_solves
            << ",\"worst_residual\":" << worst_residual << ",\"end_state\":[";
  write_state(std::cout, *model.bodies) << "]}" << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(arguments(argc, argv));
    return 0;
  } catch (const std::logic_error& problem) {
    std::cerr << problem.what() << '\n';
  } catch (...) {
    Siconos::exception::process();
  }
  return 1;
}
