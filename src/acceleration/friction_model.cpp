#include "picus/acceleration/friction_model.hpp"

#include <algorithm>
#include <cmath>

namespace picus::acceleration {

FrictionModel::FrictionModel(const AccelerationProblem& problem, bool frictionless_rows) {
  std::vector<Eigen::VectorXd> rows;
  std::vector<double> ones;
  const Eigen::Index n = problem.b.size();
  Eigen::Index row = 0;
  for (const ForceContact& given : problem.contacts) {
    Contact contact;
    contact.mu = given.has_normal ? given.mu : 0;
    contact.constant = given.constant > 0;
    const std::size_t first = rows.size();
    if (given.has_normal) {
      contact.normal = static_cast<int>(first);
      rows.emplace_back(Eigen::VectorXd::Unit(n, row++));
      ones.push_back(1);
    }
    contact.tangent = static_cast<int>(rows.size());
    Eigen::VectorXd along = Eigen::VectorXd::Zero(n);
    for (int t = 0; t < given.tangential; ++t) along[row + t] = -given.axes[t] * given.axes[t] * given.sliding[t];
    double speed = 0;
    for (int t = 0; t < given.tangential; ++t) speed += std::pow(given.axes[t] * given.sliding[t], 2);
    contact.slides = !given.rolling && speed > 0;
    const bool has_friction = frictionless_rows || contact.mu > 0 || contact.constant;
    if (contact.slides && has_friction && given.has_normal) {
      rows.emplace_back(along / std::sqrt(speed));  // E w of the friction c_T = σ E w
    } else if (!contact.slides && has_friction) {
      for (int t = 0; t < given.tangential; ++t) {
        if (given.axes[t] > 0) rows.emplace_back(given.axes[t] * Eigen::VectorXd::Unit(n, row + t));
      }
    }
    row += given.tangential;
    contact.rows = static_cast<int>(rows.size()) - contact.tangent;
    if (contact.rows == 0) contact.mu = 0;
    ones.resize(rows.size(), 0);
    double largest = 0;
    for (std::size_t r = first; r < rows.size(); ++r) largest = std::max(largest, rows[r].dot(problem.A * rows[r]));
    if (!(largest > 0)) largest = 1;
    for (std::size_t r = first; r < rows.size(); ++r) {
      rows[r] /= std::sqrt(largest);
      ones[r] /= std::sqrt(largest);
    }
    contacts.push_back(contact);
  }
  const auto size = static_cast<Eigen::Index>(rows.size());
  to_scaled.resize(size, n);
  for (Eigen::Index r = 0; r < size; ++r) to_scaled.row(r) = rows[static_cast<std::size_t>(r)];
  A = to_scaled * problem.A * to_scaled.transpose();
  A = Eigen::MatrixXd(0.5 * (A + A.transpose()));
  normal_unit = Eigen::Map<Eigen::VectorXd>(ones.data(), size);
}

}  // namespace picus::acceleration
