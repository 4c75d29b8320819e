#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Singular configurations in words: what runs do there, what they say about it, and how singular they are.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"

# A step that ends next to a singular configuration of one loop: the coupler may turn with the second crank, or not.
near="n-four-bar --set parameters.N=1 --step 0.013196717388906808"
# shellcheck disable=SC2086 # words
expect 0 "$holon" run $near --summary -
"$holon" run $near --summary - >json 2>err
same "$(value json branch_changes)" 0 "changes of branch"
same "$(value json recoveries)" 1 recoveries
says err "at t = 6.47959 s, a singular configuration, rows of 'right1' became dependent: 'crank0' and 'coupler1' can go on as \
they came, turning 1 : 0, or turn 0 : 1; steps were lost there, and the run was led across as it came"
# shellcheck disable=SC2086
expect 0 "$holon" run $near
says out "10 configurations passed, the first at 0.708389 s ('right1'); 0 changes of branch, 1 recovery"
# shellcheck disable=SC2086
expect 0 "$holon" run $near --quiet
empty err
# shellcheck disable=SC2086
expect 0 "$holon" run $near --branch report
empty err
lacks out recover

# A start where two rods lie on each other.
flat="slider-crank --set parameters.phi=pi/2"
# shellcheck disable=SC2086
expect 0 "$holon" run $flat --until 0.1 --set "start={crank: {angular_velocity: 2}, rod: {angular_velocity: -2}}"
says err "the start is a singular configuration, where rows of 'P3' depend on others: 'crank' and 'rod' can go on as they \
start, turning 1 : -1, or turn 1 : 1; the run took the first"

# A penalty loses its way; the run stops before, keeps what it has, and says where.
lost="slider-crank --formulation penalty --step 6e-3"
# shellcheck disable=SC2086
expect 1 "$holon" run $lost --branch stop --output out.csv --quiet
says err "a singular configuration of 'P3'"
says err "and the run is to stop there"
says err "the results so far are in 'out.csv'"
lacks err "holon check"
[ "$(wc -l <out.csv)" -gt 100 ] || fail "results were lost"
# shellcheck disable=SC2086
expect 0 "$holon" run $lost
says err "recoveries in all; --branch report shows the run without them"
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
