#include "picus/contact/sparse_fronts.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cstdint>
#include <utility>

#include "picus/support/index.hpp"

namespace picus::contact {

namespace {

// A front of so few unknowns costs less than its bookkeeping; larger ones may store this share of zeros.
constexpr double small_front = 16, share_of_zeros = 0.2;

std::uint64_t mix(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Unknowns in the same elements (the velocities of a body) form a group. Nodes are groups, numbered by their place in
// the elimination; a node carries the front in which it is the last one eliminated.
struct Planner {
  struct Node {
    std::vector<int> unknowns;
    std::vector<int> pivots;    // nodes eliminated in this front
    std::vector<int> rest;      // nodes behind, ascending
    std::vector<int> children;  // nodes whose fronts update this one
    int width = 0;              // unknowns among the pivots
    double needed = 0;          // numbers of its factors that are not zero by structure
    bool taken = false;         // into the front of its parent
  };

  int n;
  const std::vector<int>&start, &index;
  int groups = 0;
  std::vector<int> group_of, node_of;  // of an unknown; of a group
  std::vector<Node> nodes;

  int elements() const { return static_cast<int>(start.size()) - 1; }
  int node_of_entry(int k) const { return node_of[at(group_of[at(index[at(k)])])]; }

  void group_unknowns();
  void order_groups();
  void find_first_nodes();
  void eliminate(int k);
  void take_children(int k, int below);
  std::vector<int> fronts_in_postorder() const;
  FrontPlan plan() const;
};

// By hashes of the elements. Should two agree by chance, a group is larger than it need be, no more.
void Planner::group_unknowns() {
  std::vector<std::pair<std::uint64_t, int>> hashes(at(n));
  for (int v = 0; v < n; ++v) hashes[at(v)] = {0, v};
  for (int e = 0; e < elements(); ++e) {
    for (int k = start[at(e)]; k < start[at(e) + 1]; ++k) {
      hashes[at(index[at(k)])].first += mix(static_cast<std::uint64_t>(e));
    }
  }
  std::sort(hashes.begin(), hashes.end());
  std::vector<int> leader(at(n));
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const bool same = i > 0 && hashes[i].first == hashes[i - 1].first;
    leader[at(hashes[i].second)] = same ? leader[at(hashes[i - 1].second)] : hashes[i].second;
  }
  group_of.resize(at(n));
  for (int v = 0; v < n; ++v) {  // a leader has the smallest number of its group
    group_of[at(v)] = leader[at(v)] == v ? groups++ : group_of[at(leader[at(v)])];
  }
}

// Approximate minimum degree.
void Planner::order_groups() {
  std::vector<Eigen::Triplet<char>> edges;
  std::vector<int> members;
  for (int e = 0; e < elements(); ++e) {
    members.clear();
    for (int k = start[at(e)]; k < start[at(e) + 1]; ++k) members.push_back(group_of[at(index[at(k)])]);
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    for (int g : members) {
      for (int h : members) edges.emplace_back(g, h, char(1));
    }
  }
  for (int g = 0; g < groups; ++g) edges.emplace_back(g, g, char(1));
  Eigen::SparseMatrix<char> graph(groups, groups);
  graph.setFromTriplets(edges.begin(), edges.end(), [](char, char) { return char(1); });
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(graph.selfadjointView<Eigen::Lower>(), order);
  nodes.resize(at(groups));
  node_of.resize(at(groups));
  for (int k = 0; k < groups; ++k) node_of[at(order.indices()[k])] = k;
  for (int v = 0; v < n; ++v) nodes[at(node_of[at(group_of[at(v)])])].unknowns.push_back(v);
}

// An element enters the elimination with the first of its nodes.
void Planner::find_first_nodes() {
  for (int e = 0; e < elements(); ++e) {
    int first = groups;
    for (int k = start[at(e)]; k < start[at(e) + 1]; ++k) first = std::min(first, node_of_entry(k));
    for (int k = start[at(e)]; k < start[at(e) + 1]; ++k) nodes[at(first)].rest.push_back(node_of_entry(k));
  }
}

// What a front updates: what its elements and its children's updates touch.
void Planner::eliminate(int k) {
  Node& node = nodes[at(k)];
  for (int child : node.children) {
    node.rest.insert(node.rest.end(), nodes[at(child)].rest.begin(), nodes[at(child)].rest.end());
  }
  std::sort(node.rest.begin(), node.rest.end());
  node.rest.erase(std::unique(node.rest.begin(), node.rest.end()), node.rest.end());
  node.rest.erase(node.rest.begin(), std::upper_bound(node.rest.begin(), node.rest.end(), k));
  int below = 0;
  for (int j : node.rest) below += static_cast<int>(nodes[at(j)].unknowns.size());
  node.pivots = {k};
  node.width = static_cast<int>(node.unknowns.size());
  node.needed = node.width * (node.width + 2.0 * below);
  take_children(k, below);
  if (!node.rest.empty()) nodes[at(node.rest.front())].children.push_back(k);
}

// Children whose fronts are nearly this one become part of it.
void Planner::take_children(int k, int below) {
  Node& node = nodes[at(k)];
  std::vector<int> remaining;
  for (int c : node.children) {
    Node& child = nodes[at(c)];
    const double width = node.width + child.width, stored = width * (width + 2 * below);
    child.taken = width + below <= small_front || node.needed + child.needed >= (1 - share_of_zeros) * stored;
    if (!child.taken) {
      remaining.push_back(c);
      continue;
    }
    node.width += child.width;
    node.needed += child.needed;
    node.pivots.insert(node.pivots.end(), child.pivots.begin(), child.pivots.end());
    remaining.insert(remaining.end(), child.children.begin(), child.children.end());
  }
  node.children = std::move(remaining);
}

std::vector<int> Planner::fronts_in_postorder() const {
  std::vector<int> order, stack;
  for (int k = 0; k < groups; ++k) {
    if (nodes[at(k)].rest.empty() && !nodes[at(k)].taken) stack.push_back(k);
  }
  while (!stack.empty()) {
    const int k = stack.back();
    stack.pop_back();
    order.push_back(k);
    for (int child : nodes[at(k)].children) stack.push_back(child);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

FrontPlan Planner::plan() const {
  FrontPlan plan;
  plan.place.resize(at(n));
  const std::vector<int> postorder = fronts_in_postorder();
  for (int k : postorder) {
    Front front;
    front.first = static_cast<int>(plan.front_of.size());
    for (int j : nodes[at(k)].pivots) {
      for (int v : nodes[at(j)].unknowns) {
        plan.place[at(v)] = static_cast<int>(plan.front_of.size());
        plan.front_of.push_back(static_cast<int>(plan.fronts.size()));
      }
    }
    front.pivots = static_cast<int>(plan.front_of.size()) - front.first;
    plan.fronts.push_back(front);
  }
  for (std::size_t f = 0; f < postorder.size(); ++f) {
    Front& front = plan.fronts[f];
    front.index = static_cast<int>(plan.rest_index.size());
    for (int j : nodes[at(postorder[f])].rest) {
      for (int v : nodes[at(j)].unknowns) plan.rest_index.push_back(plan.place[at(v)]);
    }
    std::sort(plan.rest_index.begin() + front.index, plan.rest_index.end());
    front.rest = static_cast<int>(plan.rest_index.size()) - front.index;
    if (front.rest > 0) front.parent = plan.front_of[at(plan.rest_index[at(front.index)])];
    front.factors = plan.numbers;
    plan.numbers += at(front.pivots) * at(front.pivots + 2 * front.rest);
  }
  return plan;
}

void find_places_in_parents(FrontPlan& plan) {
  plan.rest_local.resize(plan.rest_index.size());
  std::vector<int> local(plan.place.size(), 0);
  for (const Front& front : plan.fronts) {
    if (front.parent < 0) continue;
    const Front& above = plan.fronts[at(front.parent)];
    for (int i = 0; i < above.pivots; ++i) local[at(above.first + i)] = i;
    for (int i = 0; i < above.rest; ++i) local[at(plan.rest_index[at(above.index + i)])] = above.pivots + i;
    for (int i = front.index; i < front.index + front.rest; ++i) {
      plan.rest_local[at(i)] = local[at(plan.rest_index[at(i)])];
    }
  }
}

}  // namespace

FrontPlan plan_fronts(int n, const std::vector<int>& start, const std::vector<int>& index) {
  Planner planner{n, start, index, 0, {}, {}, {}};
  planner.group_unknowns();
  planner.order_groups();
  planner.find_first_nodes();
  for (int k = 0; k < planner.groups; ++k) planner.eliminate(k);
  FrontPlan plan = planner.plan();
  find_places_in_parents(plan);
  return plan;
}

}  // namespace picus::contact
