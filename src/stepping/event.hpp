#pragma once

#include "picus/contact/law.hpp"

namespace picus::stepping {

enum class EventKind : unsigned char { impact, touch, lift_off, stick, slip, jam };

PICUS_HD constexpr const char* name_of(EventKind kind) {
  constexpr const char* names[] = {"impact", "touch", "lift-off", "stick", "slip", "jam"};
  return names[static_cast<int>(kind)];
}

PICUS_HD constexpr const char* name_of(contact::ContactState state) {
  constexpr const char* names[] = {"open", "stick", "slip", "slip"};
  return names[static_cast<int>(state)];
}

struct Event {
  int contact = 0;  // from 0; elements are numbered behind the contacts
  EventKind kind = EventKind::impact;
  double Lambda_N = 0;  // of the step; 0 for lift-off and for elements
};

}  // namespace picus::stepping
