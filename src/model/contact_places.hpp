// Where contacts of formulas are, for pictures.
#pragma once

#include <vector>

#include "picus/model/mechanism.hpp"

namespace picus::model {

class ContactPlaces {
 public:
  struct Place {
    double x = 0, y = 0;
    double normal_x = 0, normal_y = 0;  // unit, towards the body that the contact force pushes
  };

  ContactPlaces(const Mechanism& mechanism);

  // False where the file does not say where the contact is and which way it pushes, or its formulas have no value.
  bool find(int contact, const double* q, double t, Place& place);
  // 1: the impulse Lambda_T counts along the normal turned clockwise; -1: the other way; 0: not known. As at the start.
  int turn(int contact) const;

 private:
  // x, y, the normal as given, ∂(x, y)/∂q, w_N, w_T; of those coordinates that the contact moves with
  struct Contact {
    bool is_known = false, has_normal = false;
    mechanics::GatheredProgram program;
    int turn = 0;
    std::size_t coordinates = 0;
  };
  std::vector<Contact> contacts_;
};

}  // namespace picus::model
