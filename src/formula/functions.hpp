// The functions of formulas: how users write them, and how they stand in a paper. Used by parse() and the printers.
#pragma once

#include "picus/formula/expression.hpp"

namespace picus::formula {

struct Function {
  Op op;
  const char* name;
  const char* latex;  // empty: it has a notation of its own
};

// They take argument_count(op) arguments; min and max also more.
inline constexpr Function functions[] = {
    {Op::absolute, "abs", ""},
    {Op::sign, "sign", "\\operatorname{sign}"},
    {Op::round_down, "floor", "\\operatorname{floor}"},
    {Op::square_root, "sqrt", ""},
    {Op::exponential, "exp", "\\exp"},
    {Op::logarithm, "log", "\\ln"},
    {Op::sine, "sin", "\\sin"},
    {Op::cosine, "cos", "\\cos"},
    {Op::tangent, "tan", "\\tan"},
    {Op::arc_sine, "asin", "\\arcsin"},
    {Op::arc_cosine, "acos", "\\arccos"},
    {Op::arc_tangent, "atan", "\\arctan"},
    {Op::hyperbolic_sine, "sinh", "\\sinh"},
    {Op::hyperbolic_cosine, "cosh", "\\cosh"},
    {Op::hyperbolic_tangent, "tanh", "\\tanh"},
    {Op::area_sine, "asinh", "\\operatorname{arsinh}"},
    {Op::area_cosine, "acosh", "\\operatorname{arcosh}"},
    {Op::area_tangent, "atanh", "\\operatorname{artanh}"},
    {Op::minimum, "min", "\\min"},
    {Op::maximum, "max", "\\max"},
    {Op::arc_tangent_2, "atan2", "\\operatorname{atan2}"},
    {Op::power, "pow", ""},
    {Op::select, "if", "\\operatorname{if}"},
};

}  // namespace picus::formula
