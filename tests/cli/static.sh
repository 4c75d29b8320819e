#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# holon static: equilibria, stability, output files, and mistakes.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"
write_pendulum

expect 0 "$holon" static pendulum.yaml
says out "Static equilibrium after 1 load step, "
says out "It is stable."
says out "Positions:"
says out "y -"
says out "Reactions on the second body:"
empty err

expect 0 "$holon" static pendulum --json --steps 4 --output steps.csv
cp out json
same "$("$json_value" -keys "" <json | tr '\n' ' ')" \
    "model coordinates status load_steps iterations imbalance violation potential dof singular stability unstable neutral growth_rate all_modes_examined verdict findings non_unique_reactions values " keys
same "$(value json status)" ok status
same "$(value json load_steps)" 4 load_steps
same "$(value json stability)" stable stability
same "$(value json all_modes_examined)" true all_modes_examined
same "$(wc -l <steps.csv | tr -d ' ')" 6 "lines of steps.csv"
same "$(head -n 1 steps.csv | cut -d, -f1-6)" "load,iterations,imbalance,violation,t,bar.x" "columns"
same "$(cut -d, -f1 steps.csv | tr '\n' ' ')" "load 0 0.25 0.5 0.75 1 " loads
# A bar of 1 kg and 1 m hangs: m g / 2 below the pin, which carries m g.
"$json_value" values <json >/dev/null || fail "no values"
awk -F, 'NR == 6 { if ($7 + 0.5 > 1e-9 || -0.5 - $7 > 1e-9) exit 1 }' steps.csv || fail "the bar does not hang"

expect 0 "$holon" static bicycle
says out "It is unstable: 2 growing modes, the fastest as exp(5.53094 t)."
expect 0 "$holon" static chaplygin-sleigh
says out "It is neutral: 3 rigid-body modes."
expect 0 "$holon" static quick-return
says out "It has no degrees of freedom."
expect 0 "$holon" static pendulum --quiet
empty out

expect 0 "$holon" static slider-crank
says out "It is a singular configuration"
expect 0 "$holon" modes slider-crank
says err "warning: the equilibrium is a singular configuration"

# A beam on two pins: equilibrium determines the vertical forces, 49.05 N each, but not the horizontal ones.
cat >two_pins.yaml <<'END'
plane: xy
gravity: [0, -9.81]
bodies: {beam: {bar: [[0, 0], [2, 0]], mass: 10}}
joints: {a: {revolute: [ground, beam], at: [0, 0]}, c: {revolute: [ground, beam], at: [2, 0]}}
END
expect 0 "$holon" static two_pins.yaml
says out "fy 49.05  tz 0  not unique: fx"
says out "equilibrium does not determine the components marked 'not unique'"
says out "by the rule 'minimum-norm'"
expect 0 "$holon" static two_pins.yaml --json
cp out json
same "$(value json non_unique_reactions.c)" fx non_unique_reactions
expect 0 "$holon" static pendulum.yaml
lacks out "not unique"

# A model without an equilibrium.
expect 1 "$holon" static gear-pair --output gear.csv
says err "'pinion' is unconstrained along the forces on it"
empty out

# A beam that a moment rolls up, by load steps; the steps may be few or many.
expect 0 "$holon" static cantilever --variant roll-up --steps 20 --json --output roll.csv
cp out json
same "$(value json load_steps)" 20 load_steps
near "$(value json values.b.end.x)" 0 1e-5
near "$(value json values.b.end.z)" 0 1e-5

# No equilibrium above a limit load: 100 x exp(-x) is 36.8 N at most.
cat >limit.yaml <<'END'
plane: xy
bodies: {a: {rigid: [1, 0], mass: 1, inertia: 1}}
joints: {s: {prismatic: [ground, a], at: [0, 0], axis: x}}
forces:
  k: {spring: [ground, a], from: [0, 0], to: [1, 0], force: "100*(l-1)*exp(1-l)"}
  F: {force: a, vector: [50, 0]}
END
expect 1 "$holon" static limit.yaml --steps 10
says err "'limit' has no static equilibrium beyond the load factor 0.735"
expect 0 "$holon" static limit.yaml --steps 10 --set forces.F.vector='[36, 0]'

# Mistakes.
expect 2 "$holon" static
says err "static needs a MODEL"
expect 2 "$holon" static pendulum --steps 0
says err "static: --steps takes a whole number from 1 to 100000, but got '0'"
expect 2 "$holon" static pendulum --steps 2.5
says err "static: --steps takes a whole number"
expect 2 "$holon" static pendulum --tolerance 2
says err "static: --tolerance takes a number between 0 and 1, but got '2'"
expect 2 "$holon" static pendulum --iterations many
says err "static: --iterations takes a whole number from 1 to 1000000, but got 'many'"
expect 2 "$holon" static pendulum.yaml --output pendulum.yaml
expect 2 "$holon" static pendulum --output motion.txt
expect 1 "$holon" static five-bar-pendulum --iterations 1
says err "no static equilibrium of 'five-bar-pendulum' was found in"
finish
