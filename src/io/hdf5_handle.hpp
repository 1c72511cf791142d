#pragma once

#include <hdf5.h>

namespace picus::io {

// An identifier of HDF5 that is closed on every path. A negative one stands for what could not be opened.
class Hdf5Handle {
 public:
  Hdf5Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  operator hid_t() const { return id_; }  // NOLINT: HDF5 calls take it

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

}  // namespace picus::io
