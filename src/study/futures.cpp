#include "picus/study/futures.hpp"

#include <algorithm>
#include <numeric>

#include "picus/study/comparison.hpp"

namespace picus::study {
namespace {

// Sets that grow together.
class Groups {
 public:
  explicit Groups(std::size_t size) : parent_(size), count_(size) { std::iota(parent_.begin(), parent_.end(), 0); }
  std::size_t find(std::size_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  bool join(std::size_t a, std::size_t b) {
    a = find(a), b = find(b);
    if (a == b) return false;
    parent_[std::max(a, b)] = std::min(a, b);  // the first of a group stands for it
    --count_;
    return true;
  }
  std::size_t count() const { return count_; }

 private:
  std::vector<std::size_t> parent_;
  std::size_t count_;
};

// Parting times of all pairs, and what follows from them.
class Tree {
 public:
  Tree(const Comparison& comparison, const std::vector<std::size_t>& runs, const std::vector<double>& bounds)
      : comparison_(comparison), runs_(runs), parts_(runs.size() * runs.size() / 2) {
    std::vector<Groups> by_bound(bounds.size(), Groups(runs.size()));
    const std::size_t from = first_spread(*std::min_element(bounds.begin(), bounds.end()));
    for (std::size_t i = 1; i < runs.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Comparison::Pair pair = comparison.compare(runs[i], runs[j], from);
        parts_[place(i, j)] = static_cast<std::uint16_t>(pair.parts);
        for (std::size_t b = 0; b < bounds.size(); ++b) {
          if (pair.largest <= bounds[b]) by_bound[b].join(i, j);
        }
      }
    }
    for (const Groups& groups : by_bound) counts_by_bound_.push_back(groups.count());
    grow();
  }

  // Futures at each time, and when two runs come to lie in different ones: the trees of latest partings.
  std::size_t futures_at(std::size_t time) const {
    return 1 + static_cast<std::size_t>(
                   std::count_if(edges_.begin(), edges_.end(), [&](const Edge& e) { return e.parts <= time; }));
  }
  std::vector<std::vector<std::size_t>> futures() const {
    Groups groups(runs_.size());
    for (const Edge& e : edges_) {
      if (e.parts == comparison_.never()) groups.join(e.a, e.b);
    }
    std::vector<std::vector<std::size_t>> list;
    std::vector<std::size_t> place(runs_.size());
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (groups.find(i) == i) {
        place[i] = list.size();
        list.emplace_back();
      }
      list[place[groups.find(i)]].push_back(i);
    }
    return list;
  }
  // When all others part from the future of run i, by their place in the list of runs.
  std::vector<std::size_t> parting_from(std::size_t i) const {
    std::vector<std::size_t> parts(runs_.size(), comparison_.never());
    Groups groups(runs_.size());
    // Edges come latest first: whoever is joined to i by this one parts then.
    std::vector<std::vector<std::size_t>> members(runs_.size());
    for (std::size_t k = 0; k < runs_.size(); ++k) members[k] = {k};
    for (const Edge& e : edges_) {
      const std::size_t a = groups.find(e.a), b = groups.find(e.b), own = groups.find(i);
      if (a == own || b == own) {
        for (std::size_t k : members[a == own ? b : a]) parts[k] = e.parts;
      }
      groups.join(a, b);
      auto &into = members[std::min(a, b)], &from = members[std::max(a, b)];
      into.insert(into.end(), from.begin(), from.end());
      from.clear();
    }
    return parts;
  }
  const std::vector<std::size_t>& counts_by_bound() const { return counts_by_bound_; }

 private:
  struct Edge {
    std::size_t a, b, parts;
  };

  // Before this time no two runs are farther from each other than the bound.
  std::size_t first_spread(double bound) const {
    std::size_t time = 0;
    while (time < comparison_.never() && comparison_.spread(runs_, time) <= bound) ++time;
    return time;
  }

  // A tree that joins all runs by pairs that part as late as possible (Prim); its edges latest first.
  void grow() {
    std::vector<std::size_t> latest(runs_.size(), 0), to(runs_.size(), 0);
    std::vector<char> joined(runs_.size(), 0);
    std::size_t newest = 0;
    for (std::size_t count = 1; count < runs_.size(); ++count) {
      joined[newest] = 1;
      std::size_t next = runs_.size();
      for (std::size_t i = 0; i < runs_.size(); ++i) {
        if (joined[i] != 0) continue;
        const std::size_t parts = parts_[place(i, newest)];
        if (count == 1 || parts > latest[i]) latest[i] = parts, to[i] = newest;
        if (next == runs_.size() || latest[i] > latest[next]) next = i;
      }
      edges_.push_back({to[next], next, latest[next]});
      newest = next;
    }
    std::stable_sort(edges_.begin(), edges_.end(), [](const Edge& x, const Edge& y) { return x.parts > y.parts; });
  }
  static std::size_t place(std::size_t i, std::size_t j) { return i > j ? i * (i - 1) / 2 + j : j * (j - 1) / 2 + i; }

  const Comparison& comparison_;
  const std::vector<std::size_t>& runs_;
  std::vector<std::uint16_t> parts_;  // of all pairs: (1, 0), (2, 0), (2, 1), …
  std::vector<Edge> edges_;
  std::vector<std::size_t> counts_by_bound_;
};

std::vector<double> bounds_from(double apart) {
  std::vector<double> bounds;
  for (double factor : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0}) {
    if (factor * apart < 1) bounds.push_back(factor * apart);
  }
  return bounds;
}

void compare_with_undisturbed(const Comparison& comparison, const Motions& motions,
                              const std::vector<std::size_t>& made, Futures& futures) {
  std::size_t last = 0;
  for (std::size_t run : made) {
    const std::size_t parts = comparison.compare(0, run, 0).parts;
    last = std::max(last, parts);
    if (parts < comparison.never()) {
      futures.parts_at[run] = motions.times[parts];
    } else if (futures.followers++ == 0) {
      futures.of_run[0] = futures.of_run[run];
    }
  }
  if (futures.followers == 0 && !made.empty()) futures.followed_until = motions.times[last];
  for (Future& f : futures.list) {
    double latest = 0;
    bool all_part = true;
    for (std::size_t run : f.runs) {
      all_part = all_part && futures.parts_at[run].has_value();
      latest = std::max(latest, futures.parts_at[run].value_or(0));
    }
    if (all_part) f.parts_from_undisturbed = latest;
  }
}

void list_futures(const Tree& tree, const Comparison& comparison, const Motions& motions,
                  const std::vector<std::size_t>& made, Futures& futures) {
  std::vector<std::vector<std::size_t>> groups = tree.futures();
  std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  if (groups.empty()) return;
  const std::vector<std::size_t> parts = tree.parting_from(groups.front().front());
  for (const std::vector<std::size_t>& group : groups) {
    Future f;
    for (std::size_t i : group) {
      f.runs.push_back(made[i]);
      futures.of_run[made[i]] = futures.list.size() + 1;
    }
    f.representative = f.runs.front();
    f.share = static_cast<double>(f.runs.size()) / static_cast<double>(made.size());
    if (const std::size_t k = parts[group.front()]; k < comparison.never()) f.parts_from_first = motions.times[k];
    if (f.runs.size() == 1) ++futures.alone;
    futures.list.push_back(std::move(f));
  }
}

void measure_spread(const Tree& tree, const Comparison& comparison, const EnsembleOptions& options,
                    const Motions& motions, const std::vector<std::size_t>& made, Futures& futures) {
  for (std::size_t k = 0; k < motions.times.size(); ++k) {
    SpreadRow row{motions.times[k], comparison.spread(made, k), 0, tree.futures_at(k), 0};
    for (std::size_t run : made) {
      if (!comparison.has(run, k)) continue;
      ++row.running;
      if (comparison.has(0, k)) row.from_undisturbed = std::max(row.from_undisturbed, comparison.distance(0, run, k));
    }
    const bool parted = row.largest > options.apart || row.futures > 1;
    if (parted && !futures.predictable_until) futures.predictable_until = row.t;
    futures.spread.push_back(row);
  }
}

}  // namespace

Futures find_futures(const Experiment& experiment, const EnsembleOptions& options, const Motions& motions) {
  Futures futures;
  futures.scales = scales_of(experiment, options, motions);
  futures.of_run.assign(motions.runs.size(), 0);
  futures.parts_at.resize(motions.runs.size());
  std::vector<std::size_t> made;
  for (std::size_t run = 1; run < motions.runs.size(); ++run) {
    if (motions.runs[run].status != Motion::Status::missing) made.push_back(run);
  }
  futures.made = made.size();
  if (made.empty() || motions.runs.front().status == Motion::Status::missing) return futures;

  const Comparison comparison(options, motions, futures.scales);
  const std::vector<double> bounds = bounds_from(options.apart);
  const Tree tree(comparison, made, bounds);
  for (std::size_t b = 0; b < bounds.size(); ++b) {
    futures.at_bounds.push_back({bounds[b], tree.counts_by_bound()[b]});
  }
  list_futures(tree, comparison, motions, made, futures);
  compare_with_undisturbed(comparison, motions, made, futures);
  measure_spread(tree, comparison, options, motions, made, futures);
  return futures;
}

}  // namespace picus::study
