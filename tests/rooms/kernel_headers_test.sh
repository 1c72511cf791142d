#!/bin/sh
# The step kernel's headers pull in no containers, strings, streams, exceptions or Eigen, and use no `new` or `throw`.
# Usage: kernel_headers_test.sh COMPILER INCLUDE_DIR
set -eu
compiler=$1
include=$2
flags=""
for room in support math complementarity contact mechanics stepping; do flags="$flags -I$include/$room"; done
# shellcheck disable=SC2086
headers=$(for h in moreau_midpoint moreau_jean pure_impact projection acceleration; do
  echo "#include \"picus/stepping/$h.hpp\""; done | "$compiler" -std=c++20 $flags -x c++ -M - | tr -s ' \\\n' '\n')

fail=0
for forbidden in vector string memory iostream functional map stdexcept; do
  if echo "$headers" | grep -qE "/c\+\+/[0-9]+/$forbidden\$"; then
    echo "the kernel includes <$forbidden>" >&2
    fail=1
  fi
done
if echo "$headers" | grep -q 'Eigen'; then
  echo "the kernel includes Eigen" >&2
  fail=1
fi
for header in $(echo "$headers" | grep '/picus/'); do
  if sed 's://.*::' "$header" | grep -nE '\b(new|throw|virtual|dynamic_cast)\b'; then
    echo "in $header" >&2
    fail=1
  fi
done
echo "$headers" | grep -c '/picus/' | sed 's/$/ headers of Picus looked at/'
exit $fail
