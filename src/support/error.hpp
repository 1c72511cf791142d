#pragma once

#include <stdexcept>
#include <string>

namespace picus {

// Bad input of a user: the message names the value, where it stands and what would be accepted.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A file or folder could not be written (or read); the message names it and the reason.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A number as messages show it.
std::string shown(double value, int digits = 6);
// A share of one, in percent: two digits, or as many as there are before the point.
std::string percent(double share);

}  // namespace picus
