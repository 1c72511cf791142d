// All of Picus' library in one include.
#pragma once

#include "picus/catalogue/catalogue.hpp"
#include "picus/complementarity/enumerate.hpp"
#include "picus/complementarity/lemke.hpp"
#include "picus/contact/all_solutions.hpp"
#include "picus/io/problem_file.hpp"
#include "picus/io/run_writer.hpp"
#include "picus/mechanics/assembly.hpp"
#include "picus/modelfile/formula_model.hpp"
#include "picus/modelfile/report.hpp"
#include "picus/stepping/acceleration.hpp"
#include "picus/stepping/integration.hpp"
#include "picus/stepping/simulation.hpp"
#include "picus/stepping/sparse_integration.hpp"
#include "picus/support/version.hpp"
