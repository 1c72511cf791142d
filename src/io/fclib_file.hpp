// Frictional contact problems in the format of FCLIB (HDF5, local form): u = W r + q, with μ by contact.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "picus/complementarity/cone_solver.hpp"

namespace picus::io {

// Whether a file is to be read as a contact problem: it begins with the signature of HDF5, or its name ends in .hdf5 or
// .h5. What is no regular file (a pipe) is judged by its name alone and left unread.
bool is_contact_problem(const std::filesystem::path& path);

// Reads fclib_local/{W/{m, n, nz, p, i, x}, vectors/{q, mu}, spacedim}. Entries of W that are given several times add
// up. Throws InputError that names the file, the place in it, the value and what is accepted.
complementarity::ConeProblem read_fclib(const std::filesystem::path& path);

// r as raw float64, little endian.
void write_reactions(std::ostream& out, const Eigen::VectorXd& r);

// auto, gauss-seidel, gradient, newton
const char* method_name(complementarity::ConeMethod method);

// The answer of `picus solve --json` to a contact problem; contacts count from 1.
std::string to_json(const complementarity::ConeProblem& problem, const complementarity::ConeAnswer& answer,
                    double seconds);

}  // namespace picus::io
