// States of contacts as intervals of time, for coloured bands.
#pragma once

#include <cstdint>
#include <vector>

namespace picus::report {

struct Band {
  double from, to;      // s
  unsigned char state;  // 0 open, 1 stick, 2 slip
};

struct ContactBands {
  int contact;
  std::vector<Band> list;  // ascending, without a break from the start to the end of the run
};

class BandCollector {
 public:
  BandCollector(double start, double end) : start_(start), end_(end) {}

  // A contact had a state from the row before its own, at `from`, to its row, at `to`. In ascending order of time.
  void add(int contact, double from, double to, unsigned char state);
  // Those of contacts that were ever closed; of more than `most`, those that were closed longest. Where there are more
  // intervals than a picture can show, those that fill less than a cell of a fine grid are merged.
  std::vector<ContactBands> finish(std::size_t most);

 private:
  struct Open {
    std::vector<Band> list;
    double closed = 0;  // s
  };
  double start_, end_;
  std::vector<Open> contacts_;
};

}  // namespace picus::report
