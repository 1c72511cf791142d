#include "picus/report/contact_tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "picus/report/bands.hpp"
#include "picus/report/rows.hpp"
#include "picus/results/schema.hpp"

namespace picus::report {
namespace {

constexpr std::size_t most_events = 20000, most_bands = 200;
constexpr float none = std::numeric_limits<float>::quiet_NaN();

// Points and directions, one row each.
class SightColumns {
 public:
  explicit SightColumns(int dimension) : dimension_(dimension) {}

  void add(const Sight* sight) {
    for (int k = 0; k < dimension_; ++k) {
      point_.push_back(sight != nullptr ? static_cast<float>(sight->point[k]) : none);
      normal_.push_back(sight != nullptr ? static_cast<float>(sight->normal[k]) : none);
      if (dimension_ == 3) tangent_.push_back(sight != nullptr ? static_cast<float>(sight->tangent[k]) : none);
    }
    any_ = any_ || sight != nullptr;
  }
  void add_to(Json& json) const {
    if (!any_) return;
    json["place"] = series_f4(point_);
    json["normal"] = series_f4(normal_);
    if (dimension_ == 3) json["tangent"] = series_f4(tangent_);
  }

 private:
  int dimension_;
  bool any_ = false;
  std::vector<float> point_, normal_, tangent_;
};

struct Column {
  const char *key, *name;  // in the page, in the file
  std::size_t place = 0;
  std::vector<double> values;
};

std::vector<Column> columns_of(const results::Table& contacts, bool in_space) {
  std::vector<Column> list = {{"gap", "gap", 0, {}}, {"gammaN", "gamma_N", 0, {}}, {"lambdaN", "Lambda_N", 0, {}}};
  const std::vector<Column> tangential =
      in_space ? std::vector<Column>{{"gammaT", "gamma_Tt", 0, {}},   {"gammaO", "gamma_To", 0, {}},
                                     {"gammaR", "gamma_Tr", 0, {}},   {"lambdaT", "Lambda_Tt", 0, {}},
                                     {"lambdaO", "Lambda_To", 0, {}}, {"lambdaR", "Lambda_Tr", 0, {}}}
               : std::vector<Column>{{"gammaT", "gamma_T", 0, {}}, {"lambdaT", "Lambda_T", 0, {}}};
  list.insert(list.end(), tangential.begin(), tangential.end());
  for (Column& c : list) c.place = contacts.place(c.name);
  return list;
}

// The boundary of what friction transmits along t and o, in units of mu Lambda_N: x, y of each point.
Json outline(const contact::FrictionSet& set) {
  constexpr int points = 96;
  constexpr double same = 1e-9;
  Json list = Json::array();
  Eigen::Vector3d last(std::nan(""), 0, 0);
  for (int i = 0; i < points; ++i) {
    const double angle = 2 * std::numbers::pi * i / points;
    const Eigen::Vector3d direction(std::cos(angle), std::sin(angle), 0);
    const Eigen::Vector3d point =
        set.is_polytope() ? set.maximiser(direction, 1) : direction.cwiseProduct(set.axes()).eval();
    if ((point - last).norm() < same) continue;
    last = point;
    for (int k : {0, 1}) list.push_back(std::round(point[k] * 1e5) / 1e5);
  }
  return list;
}

// Friction of a contact of formulas is a number times the load, and nothing else.
bool has_one_mu(const RecordedRun& run, std::size_t contact) {
  const modelfile::Definition& d = run.model().definition();
  const mechanics::ContactEquations& c = d.equations.contacts[contact];
  const auto is_zero = [&](formula::Node n) { return d.pool.is_constant(n, 0); };
  return !d.equations.symbols.is_variable(d.pool, c.law.mu) && !mechanics::all_zero(d.pool, c.tangential.w) &&
         is_zero(c.law.friction_force) && is_zero(c.law.mu_static) && is_zero(c.law.v_s);
}

}  // namespace

ContactTables::ContactTables(const RecordedRun& run) : run_(run), sights_(run) { choose_events(); }

double ContactTables::event_bytes(const RecordedRun& run) {
  const double count = static_cast<double>(std::min(run.events().size(), most_events));
  return count * (run.description().in_space ? 70 : 45);
}

void ContactTables::choose_events() {
  events_ = run_.events();
  if (events_.size() > most_events) {
    std::stable_sort(events_.begin(), events_.end(),
                     [](const Event& a, const Event& b) { return a.Lambda_N > b.Lambda_N; });
    events_.resize(most_events);
    std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) { return a.t < b.t; });
  }
  for (const Event& e : events_) event_times_.push_back(e.t);
}

void ContactTables::add_to(Json& json, const KeptStates& kept) {
  Json bands;
  json["contactRows"] = rows_and_bands(kept, bands);
  json["events"] = events();
  json["eventKinds"] = run_.event_kinds();
  json["bands"] = std::move(bands);
  json["contacts"] = contacts();  // what was seen tells their friction
  if (run_.description().in_space) json["frictionSets"] = friction_sets();
}

Json ContactTables::rows_and_bands(const KeptStates& kept, Json& bands) {
  const results::Table table = results::table_of(run_.description(), "contacts");
  std::vector<Column> columns = columns_of(table, run_.description().in_space);
  std::vector<std::int32_t> row, contact;
  std::vector<unsigned char> state;
  std::vector<Impulse> impulses;
  const std::size_t directions = run_.description().in_space ? 3 : 1;
  SightColumns sights(sights_.dimension());
  const std::vector<double>& times = run_.times();
  BandCollector collector(times.front(), times.back());
  const std::size_t time = table.place("t"), who = table.place("contact"), what = table.place("status");
  const double most_states = static_cast<double>(results::names_of(results::Kind::status).size());
  std::size_t recorded = 0, next = 0;  // rows of all states, and of the kept ones, that are not behind
  run_.file().for_each_row("contacts", [&](std::size_t, const double* numbers) {
    const double t = numbers[time];
    const int of = run_.number_of_contact(numbers[who]);
    if (of < 0 || !(numbers[what] >= 0 && numbers[what] < most_states)) return true;
    const auto status = static_cast<unsigned char>(numbers[what]);
    while (recorded + 1 < times.size() && times[recorded] < t) ++recorded;
    collector.add(of, recorded > 0 ? times[recorded - 1] : times.front(), t, status);
    while (next < kept.t.size() && kept.t[next] < t) ++next;
    if (next == kept.t.size() || kept.t[next] != t) return true;
    row.push_back(static_cast<std::int32_t>(next));
    contact.push_back(of);
    state.push_back(status);
    for (Column& c : columns) c.values.push_back(numbers[c.place]);
    impulses.push_back({columns[2].values.back(), Eigen::Vector3d::Zero()});
    for (std::size_t k = 0; k < directions; ++k) {  // friction stands last
      impulses.back().T[static_cast<Eigen::Index>(k)] = columns[columns.size() - directions + k].values.back();
    }
    sights_.look(kept.row(next), t);
    sights.add(sights_.find(of));
    return true;
  });
  Json json = {{"row", series_i4(row)}, {"contact", series_i4(contact)}, {"state", series_u1(state)}};
  for (const Column& c : columns) json[c.key] = series_f4(c.values);
  json["share"] = series_f4(shares(contact, impulses));
  sights.add_to(json);
  bands = Json::array();
  for (const ContactBands& b : collector.finish(most_bands)) {
    std::vector<double> from, to;
    std::vector<unsigned char> states;
    for (const Band& band : b.list) {
      from.push_back(band.from);
      to.push_back(band.to);
      states.push_back(band.state);
    }
    bands.push_back(
        {{"contact", b.contact}, {"from", series_f8(from)}, {"to", series_f8(to)}, {"state", series_u1(states)}});
  }
  return json;
}

double ContactTables::mu(std::size_t contact) const {
  if (contact >= run_.description().contacts.size()) return sights_.mu(static_cast<int>(contact));
  return has_one_mu(run_, contact) ? run_.values()["mu" + std::to_string(contact + 1)] : -1;
}

// All contacts have been seen by now.
std::vector<double> ContactTables::shares(const std::vector<std::int32_t>& contact,
                                          const std::vector<Impulse>& impulses) const {
  std::vector<double> list, coefficients;
  for (std::size_t i = 0; i < run_.contact_names().size(); ++i) coefficients.push_back(mu(i));
  for (std::size_t i = 0; i < contact.size(); ++i) {
    const double bound = coefficients[static_cast<std::size_t>(contact[i])] * impulses[i].N;
    const int set = sights_.friction_set(contact[i]);
    const double gauge = set >= 0 ? sights_.set(set).gauge(impulses[i].T) : std::abs(impulses[i].T[0]);
    list.push_back(bound > 0 ? gauge / bound : std::nan(""));
  }
  return list;
}

// Where contacts are at events: at the state behind each event where the file has it, else at that of the step.
std::vector<std::optional<Sight>> ContactTables::event_sights() {
  const bool has_own = run_.file().has("event_states");
  const std::size_t first = has_own ? 3 : 1;  // behind t (and contact, kind)
  std::vector<std::size_t> row, order(events_.size());
  for (const Event& e : events_) row.push_back(has_own ? e.row : row_at(run_.times(), e.t));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return row[a] < row[b]; });
  std::vector<std::optional<Sight>> seen(events_.size());
  std::size_t next = 0;
  if (order.empty()) return seen;
  run_.file().for_each_row(has_own ? "event_states" : "states", [&](std::size_t i, const double* numbers) {
    for (; next < order.size() && row[order[next]] == i; ++next) {
      sights_.look(numbers + first, numbers[0]);
      if (const Sight* sight = sights_.find(events_[order[next]].contact)) seen[order[next]] = *sight;
    }
    return next < order.size();
  });
  return seen;
}

Json ContactTables::events() {
  std::vector<double> lambda;
  std::vector<std::int32_t> contact;
  std::vector<unsigned char> kind;
  SightColumns sights(sights_.dimension());
  for (const Event& e : events_) {
    lambda.push_back(e.Lambda_N);
    contact.push_back(e.contact);
    kind.push_back(static_cast<unsigned char>(e.kind));
  }
  for (const std::optional<Sight>& sight : event_sights()) sights.add(sight ? &*sight : nullptr);
  Json json = {{"t", series_f8(event_times_)},
               {"contact", series_i4(contact)},
               {"kind", series_u1(kind)},
               {"lambdaN", series_f4(lambda)}};
  sights.add_to(json);
  return json;
}

Json ContactTables::contacts() {
  Json list = Json::array();
  const mechanics::ModelDescription& d = run_.description();
  for (std::size_t i = 0; i < run_.contact_names().size(); ++i) {
    const int number = static_cast<int>(i);
    Json json = {{"name", run_.contact_names()[i]}, {"mu", nullptr}};
    if (const double own = mu(i); own >= 0) json["mu"] = own;
    if (i < d.contacts.size() && !d.contacts[i].meaning.empty()) json["meaning"] = d.contacts[i].meaning;
    if (const int set = sights_.friction_set(number); set >= 0) json["set"] = set;
    if (!d.in_space) json["turn"] = sights_.turn(number);
    list.push_back(std::move(json));
  }
  return list;
}

Json ContactTables::friction_sets() const {
  Json list = Json::array();
  for (int i = 0; i < sights_.friction_sets(); ++i) {
    const contact::FrictionSet& set = sights_.set(i);
    Json json = {{"outline", outline(set)}, {"torsion", 0.0}};
    const Eigen::Vector3d r(0, 0, 1);
    if (set.dimension() == 3) json["torsion"] = std::max(set.support(r, 1), set.support(-r, 1));
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace picus::report
