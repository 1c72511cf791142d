#!/bin/sh
# The pages that the browser tests open, by the command itself. Usage: make_pages.sh PICUS FOLDER
set -eu
picus=$1 pages=$2
rm -rf "$pages"
mkdir -p "$pages/runs"
for model in woodpecker slider-crank billiards sphere-in-groove marbles bouncing-ball; do
  "$picus" run $model --quiet --out "$pages/runs/$model"
  mv "$pages/runs/$model/report.html" "$pages/$model.html"
done
for e in 0.1 0.4 0.7; do
  "$picus" run slider-crank --quiet --no-report --set eN=$e --out "$pages/runs/e$e"
done
"$picus" report "$pages/runs/e0.1" "$pages/runs/e0.4" "$pages/runs/e0.7" --out "$pages/compare.html"
