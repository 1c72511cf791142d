// What the step kernel for systems of any size asks of a mechanical system: bodies, joints, contacts that come and go.
//
//   M(q,t) du = h(q,u,t) dt + W dΛ,   g(q,t) = 0 (constraints),   g_N(q,t) ≥ 0 (contacts)
//
// Each row of Wᵀ touches a few velocities only, and M is made of blocks along its diagonal.
#pragma once

#include <string>
#include <vector>

#include "picus/contact/law.hpp"
#include "picus/contact/sparse_problem.hpp"
#include "picus/mechanics/system.hpp"

namespace picus::mechanics {

// M: entries on the diagonal for the first velocities, one dense block for the rest.
struct BlockMass {
  std::vector<double> diagonal;
  std::vector<double> dense;  // lower triangle, row by row
};

// Directions w of some rows, with the velocities ŵ of moving supports: γ = wᵀu + ŵ.
struct RowDirections {
  contact::SparseRows w;
  std::vector<double> w_hat;

  void clear() {
    w.clear();
    w_hat.clear();
  }
  void end_row(double rate) {
    w.end_row();
    w_hat.push_back(rate);
  }
  double velocity(int r, const double* u) const { return w.dot(r, u) + w_hat[static_cast<std::size_t>(r)]; }
};

struct ActiveContact {
  int contact = 0;  // its number: the same as long as the same places touch
  double gap = 0;
  contact::Law law;
};

struct ActiveContacts {
  std::vector<ActiveContact> list;
  RowDirections rows;  // normal and tangential row of each

  void clear() {
    list.clear();
    rows.clear();
  }
};

// Where a contact of shapes is, for pictures.
struct ContactPlace {
  int contact = 0;
  double x = 0, y = 0;
  // Unit, towards the second body, or the first where the second is fixed; t is that turned by a quarter, against the
  // clock.
  double normal_x = 0, normal_y = 0;
  contact::Law law;
};

class SparseSystem {
 public:
  virtual ~SparseSystem() = default;

  virtual int size() const = 0;  // of q and of u
  // q ← q moved by the velocities u for a time.
  virtual void advance(std::vector<double>& q, const std::vector<double>& u, double dt) const;

  virtual bool has_constant_mass() const = 0;
  virtual void mass(const double* q, double t, BlockMass& M) = 0;
  virtual void force(const double* q, const double* u, double t, double* h) = 0;

  virtual int constraint_count() const { return 0; }
  virtual void constraints(const double* q, double t, double* g);
  virtual void constraint_rows(const double* q, double t, RowDirections& rows);
  virtual std::string constraint_name(int constraint) const;

  // All contacts with a gap up to `reach`. Their numbers start from 0; those that were seen before keep theirs.
  virtual void find_contacts(const double* q, double t, double reach, ActiveContacts& found);
  virtual int contact_count() const { return 0; }  // numbers given so far
  virtual std::string contact_name(int contact) const;
  virtual TouchingShapes touching(int) const { return {}; }
  // What the numbers of contacts that were given on the way stand for, to be given again to another system of the kind.
  virtual std::vector<int> contact_numbers() const { return {}; }
  virtual void set_contact_numbers(const std::vector<int>&) {}
  virtual void forget_pairs() {}  // that are kept from step to step
  // Those of shapes, as find_contacts() finds and numbers them.
  virtual void find_places(const double*, double, std::vector<ContactPlace>&) {}
  // Contacts that last are to hold where the step ends, as constraints do, though their directions turn in the step.
  virtual bool contacts_follow() const { return false; }
  virtual int described_contact_count() const { return 0; }  // the first numbers: contacts known before the run

  virtual int element_count() const { return 0; }
  virtual contact::ElementLaw element_law(int element) const;
  virtual int element_number(int element) const { return element; }  // in the numbers of contacts
  virtual void element_rows(const double* q, double t, RowDirections& rows, double* displacement);

  virtual double potential_energy(const double* q, double t) = 0;
  // As in system.hpp: work of forces without a potential, energy of prescribed motion, given blows, outputs.
  virtual bool does_work() const { return false; }
  virtual void nonconservative_force(const double* q, const double* u, double t, double* f);
  virtual double potential_rate(const double* q, double t);
  virtual double kinetic_rest(const double* q, const double* u, double t);
  virtual int blow_count() const { return 0; }
  virtual double blow_time(int blow) const;
  virtual void blow(int blow, const double* q, double t, double* J);
  virtual int output_count() const { return 0; }
  virtual void outputs(const double* q, const double* u, double t, double* y);

  virtual std::string coordinate_name(int i) const;
  // Initial values that somebody chose; the others may be moved so that constraints hold at the start.
  virtual bool is_given_position(int) const { return true; }
  virtual bool is_given_velocity(int) const { return true; }
};

}  // namespace picus::mechanics
