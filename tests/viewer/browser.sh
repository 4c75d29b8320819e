#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Pages of runs and comparisons in a browser: bodies where the numbers say they are, nothing that is not understood.
# Called with the program and the folder in which the page was built.
set -u
holon=$1 viewer=$2
for tool in node chromium; do
    command -v $tool >/dev/null 2>&1 && continue
    [ $tool = chromium ] && [ -n "${CHROMIUM:-}" ] && continue
    echo "there is no $tool, which the pages are tested with; 'make test' installs it"
    exit 1
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
OPENBLAS_NUM_THREADS=1
export OPENBLAS_NUM_THREADS

# Spatial and redundant, a beam, hostile names, plates of results that are viewed, a comparison.
cat >"$folder/hostile.yaml" <<'END'
title: "</script><img src=x onerror='window.hacked = 1'> \" & \u00a0"
plane: xy
gravity: [0, -9.81]
bodies: {"</script><img/onerror=alert(1)>": {bar: [[0, 0], [1, 0]], mass: 1}}
joints: {"<b>": {revolute: [ground, "</script><img/onerror=alert(1)>"], at: [0, 0]}}
run: {until: 0.5 s}
END
cat >"$folder/beam.yaml" <<'END'
title: A beam that falls
gravity: [0, 0, -9.81]
beams:
  boom: {from: [0, 0, 0], to: [2, 0, 0], elements: 2, section: {rectangle: [0.1, 0.05], E: 2e8, nu: 0.3, density: 1000}}
joints: {root: {fixed: [ground, boom.start], at: [0, 0, 0]}}
run: {until: 0.5 s, step: 5 ms, formulation: index3-augmented-lagrangian}
END
# Hard for explicit steps, which fail with long reasons.
cat >"$folder/stiff.yaml" <<'END'
title: A mass on a hard spring, beside a pendulum
plane: xy
gravity: [0, -9.81]
bodies: {a: {bar: [[1, 0], [2, 0]], mass: 1}, b: {rigid: [0, 0], mass: 1, inertia: 1}}
joints: {a: {revolute: [ground, a], at: [1, 0]}, b: {prismatic: [ground, b], at: [0, 0], axis: x}}
forces: {hard: {spring: [ground, b], from: [-1, 0], to: [0, 0], stiffness: 1e13, free_length: 1 m}}
start: {b: {velocity: [1e-3, 0]}}
run: {until: 500 ms, step: 10 ms}
END
write() { "$holon" "$@" >"$folder/out" 2>&1 || { cat "$folder/out" && exit 1; }; }
pages=$folder/pages
mkdir "$pages"
write run spatial-parallelogram --until 0.5 --report "$pages/spatial-parallelogram.html" --quiet
for model in hostile beam; do
    write run "$folder/$model.yaml" --report "$pages/$model.html" --quiet
done
write compare four-bar --until 0.5 --rounds 1 --report "$pages/compare.html" --quiet
write compare "$folder/stiff.yaml" --rounds 0 --report "$pages/compare-stiff.html" --quiet
write run jansen-leg --until 0.5 --output "$folder/motion.csv" --quiet
write view "$folder/motion.csv" --output "$pages/view.html" --no-open

# A page of ten seconds in space can be sent by mail.
write run five-bar-pendulum --until 10 --report "$folder/five.html" --quiet
[ "$(wc -c <"$folder/five.html")" -lt 3000000 ] || { echo "a page of 10 s has more than 3 MB" && exit 1; }

cd "$viewer" && node test/browser.mjs "$pages"
