#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Singular configurations: what runs do and report there, and the smallest singular value.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"

# A step that ends next to a singular configuration of one loop: the coupler rotates with the second crank, or not.
near="n-four-bar --set parameters.N=1 --step 0.013196717388906808"
# shellcheck disable=SC2086 # words
expect 0 "$holon" run $near --summary -
"$holon" run $near --summary - >json 2>err
same "$(value json branch_changes)" 0 "branch changes"
same "$(value json recoveries)" 1 recoveries
says err "singular configuration at t = 6.47959 s: constraint equations of 'right1' become linearly dependent; angular \
velocities of 'crank0' and 'coupler1': 1 : 0 on the current branch, 0 : 1 on the other; steps failed there, and the run was \
carried across the singularity on its branch"
# shellcheck disable=SC2086
expect 0 "$holon" run $near
says out "10 singular configurations passed, first at t = 0.708389 s ('right1'); 0 branch changes, 1 recovery"
# shellcheck disable=SC2086
expect 0 "$holon" run $near --quiet
empty err
# shellcheck disable=SC2086
expect 0 "$holon" run $near --branch report
empty err
lacks out recover

# An initial configuration in which two rods coincide.
flat="slider-crank --set parameters.phi=pi/2"
# shellcheck disable=SC2086
expect 0 "$holon" run $flat --until 0.1 --set "start={crank: {angular_velocity: 2}, rod: {angular_velocity: -2}}"
says err "the initial configuration is singular: constraint equations of 'P3' are linearly dependent; angular velocities of \
'crank' and 'rod': 1 : -1 on the current branch, 1 : 1 on the other; the run continues on the current branch"

# A penalty run would change its branch; it stops before, keeps its results, and reports where.
lost="slider-crank --formulation penalty --step 6e-3"
# shellcheck disable=SC2086
expect 1 "$holon" run $lost --branch stop --output out.csv --quiet
says err "at the singular configuration of 'P3'"
says err "and branch: stop is set"
says err "the results so far are in 'out.csv'"
lacks err "holon check"
[ "$(wc -l <out.csv)" -gt 100 ] || fail "results were lost"
# shellcheck disable=SC2086
expect 0 "$holon" run $lost
says err "recoveries in total; --branch report shows the run without them"
expect 2 "$holon" run slider-crank --branch sotp
says err "run: 'branch': 'sotp' is not among the choices (did you mean 'stop'?)"
expect 0 "$holon" run slider-crank --set run.branch=report --until 0.1 --quiet

# The smallest singular value, where asked for and only there.
expect 0 "$holon" run slider-crank --record singular --every 0.1 --until 0.3 --output out.csv --quiet
same "$(head -n 1 out.csv)" t,singular.sigma_min columns
same "$(awk -F, 'END { print ($2 > 0.11 && $2 < 0.13) }' out.csv)" 1 "sigma_min at 0.3 s"
expect 0 "$holon" run slider-crank --record all --until 0.01 --output out.csv --quiet
lacks out.csv sigma_min
finish
