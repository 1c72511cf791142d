#!/bin/sh
# Installs Picus into a fresh folder and builds the example against what is there, as a user would.
# Usage: consume_test.sh BUILD_DIR EXAMPLE_DIR
set -eu
build=$1
example=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/prefix" >/dev/null
"$work/prefix/bin/picus" --version
# The installed command reads the installed models.
for model in woodpecker slider-crank bouncing-ball rocking-block; do
  grep -q "^name: $model" "$work/prefix/share/picus/models/$model.yaml"
  sed -i 's/^title: .*/title: the installed one/' "$work/prefix/share/picus/models/$model.yaml"
  "$work/prefix/bin/picus" show "$model" | grep -q 'the installed one'
done
test -f "$work/prefix/share/picus/models/schema.json"
cmake -S "$example" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_CXX_FLAGS="-Wall -Wextra -Wpedantic -Werror" >/dev/null
cmake --build "$work/build" >/dev/null
"$work/build/puck" | tee "$work/output"

# Closed form: 3 m/s, table friction 0.15, wall at 1 m with restitution 0.8. Before the wall v² = 9 − 2·0.15·9.81·1,
# after it 0.64 of that, which carries it back 0.64 v² / (2·0.15·9.81) = 1.31743 m.
grep -q 'contact 1, impact' "$work/output"
grep -q 'every step certified' "$work/output"
x=$(sed -n 's/^at rest at x = \([-0-9.]*\) m.*/\1/p' "$work/output")
awk -v x="$x" 'BEGIN { expected = 1 - 0.64 * (9 - 2*0.15*9.81) / (2*0.15*9.81); d = x - expected; exit !(d < 1e-3 && d > -1e-3) }'
