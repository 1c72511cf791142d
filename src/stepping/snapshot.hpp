// State of a run: what it needs to go on with the same bits. Caches are not in it.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "picus/support/error.hpp"

namespace picus::stepping {

// The state of a kernel as bytes, to be kept, compared, and given to another object of the same model and options.
// Equal states have equal bytes, and go on alike.
struct Snapshot {
  std::vector<unsigned char> bytes;
  bool operator==(const Snapshot&) const = default;
};

// A kernel lists its state once, in a function transfer(self, archive); the archive appends it, or takes it back.
class SnapshotWriter {
 public:
  static constexpr bool reads = false;

  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void operator()(const T& value) {
    const std::size_t end = snapshot_.bytes.size();
    snapshot_.bytes.resize(end + sizeof value);
    std::memcpy(snapshot_.bytes.data() + end, &value, sizeof value);
  }
  Snapshot take() { return std::move(snapshot_); }

 private:
  Snapshot snapshot_;
};

class SnapshotReader {
 public:
  static constexpr bool reads = true;

  explicit SnapshotReader(const Snapshot& from) : from_(from) {}
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void operator()(T& value) {
    if (from_.bytes.size() - place_ < sizeof value) refuse();
    std::memcpy(&value, from_.bytes.data() + place_, sizeof value);
    place_ += sizeof value;
  }
  void end() const {
    if (place_ != from_.bytes.size()) refuse();
  }
  [[noreturn]] static void refuse() {
    throw InputError("the snapshot is not one of this model; accepted: that of a run with the same model and options");
  }

 private:
  const Snapshot& from_;
  std::size_t place_ = 0;
};

// A number that both sides have: of a kernel, and of the sizes of its model.
template <class Archive>
void expect(Archive& archive, std::int64_t number) {
  std::int64_t found = number;
  archive(found);
  if (found != number) SnapshotReader::refuse();
}

template <class Archive, class... T>
void transfer_all(Archive& archive, T&... values) {
  (archive(values), ...);
}

// A list of any length; `each` transfers an element.
template <class Archive, class List, class Each>
void transfer_list(Archive& archive, List& list, const Each& each) {
  auto size = static_cast<std::int64_t>(list.size());
  archive(size);
  if constexpr (Archive::reads) {
    if (size < 0 || size > std::int64_t{1} << 40) SnapshotReader::refuse();
    list.clear();  // so that a long list of a wrong snapshot ends with its bytes
    for (std::int64_t i = 0; i < size; ++i) each(list.emplace_back());
  } else {
    for (auto& element : list) each(element);
  }
}
template <class Archive, class List>
void transfer_list(Archive& archive, List& list) {
  transfer_list(archive, list, [&](auto& element) { archive(element); });
}

template <class Archive, class Text>
void transfer_text(Archive& archive, Text& text) {
  std::vector<char> letters(text.begin(), text.end());
  transfer_list(archive, letters);
  if constexpr (Archive::reads) text.assign(letters.begin(), letters.end());
}

// Of a run behind the interface of all: its kernel, statistics of cycles, and further numbers.
template <class Archive, class Kernel, class Cycles, class... More>
void transfer_run(Archive& archive, Kernel& kernel, Cycles& cycles, More&... more) {
  transfer_all(archive, more...);
  if (cycles) std::remove_cvref_t<decltype(*cycles)>::transfer_state(*cycles, archive);
  Snapshot of_kernel;
  if constexpr (!Archive::reads) of_kernel = kernel.snapshot();
  transfer_list(archive, of_kernel.bytes);
  if constexpr (Archive::reads) kernel.restore(of_kernel);
}

}  // namespace picus::stepping
