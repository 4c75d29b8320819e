#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# holon modes: modes, output files, and mistakes.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"

# A bar: omega^2 = 3 g / (2 l).
expect 0 "$holon" modes pendulum
says out "All modes about static equilibrium, 1 degree of freedom: 1 mode, 0 rigid-body, 0 unstable."
says out "3.83601 rad/s"
says out "bar 100 %"
empty err

expect 0 "$holon" modes double-pendulum --json --output shapes.csv
cp out json
same "$("$json_value" -keys "" <json | tr '\n' ' ')" \
    "model coordinates at t dof count free unstable complete undamped steady verdict findings state_refined modes " keys
same "$("$json_value" -keys modes.0 <json | tr '\n' ' ')" \
    "frequency damping real imaginary free shape shape_imaginary " "keys of a mode"
same "$(value json count)" 2 count
same "$(value json complete)" true complete
same "$(value json steady)" true steady
same "$(wc -l <shapes.csv | tr -d ' ')" 3 "lines of shapes.csv"
same "$(head -n 1 shapes.csv | cut -d, -f1-7)" "mode,frequency,damping,real,imaginary,upper.x.re,upper.x.im" columns
expect 0 "$holon" modes double-pendulum --json --coordinates natural --output natural.csv
awk -F, 'NR > 1 { getline other < "natural.csv"; if (NR == 2) getline other < "natural.csv"; split(other, b, ",")
    for (i = 1; i <= NF; ++i) { d = $i * $i - b[i] * b[i]; if (d > 1e-7 || d < -1e-7) exit 1 } }' shapes.csv ||
    fail "coordinates change shapes"

# Steady motion with rolling wheels.
expect 0 "$holon" modes bicycle --at start --set parameters.speed=5 --set parameters.lean_rate=0
says out "-0.775342 1/s"
says out "4.46487 rad/s"
says out "-14.0784 1/s"
says out "4 rigid-body, 0 unstable"
empty err
expect 0 "$holon" modes bicycle --at start --set parameters.speed=3 --set parameters.lean_rate=0
says out "1 unstable"

# A state that is not steady is doubtful.
expect 0 "$holon" modes double-pendulum --at 0.5
says out "Verdict: doubtful."
says out "The state is not steady: these are modes of the equations at this instant, not of the motion."
says out "the state at t = 0.5 s"
# A pendulum at rest far from equilibrium: s^2 = -(m g l / J) cos(angle), a growing mode above the level.
cat >tilted.yaml <<'END'
plane: xy
gravity: [0, -9.81]
parameters: {angle: 80 deg}
bodies: {bar: {rigid: [sin(angle), -cos(angle)], mass: 1, inertia: 0.1}}
joints: {pin: {revolute: [ground, bar], at: [0, 0]}}
END
for coordinates in reference-point natural; do
    expect 0 "$holon" modes tilted.yaml --at start --coordinates $coordinates
    says out "1.24444 rad/s"
    says out "0 rigid-body, 0 unstable"
    says out "The state is not steady"
    expect 0 "$holon" modes tilted.yaml --at start --set 'parameters.angle=100 deg' --coordinates $coordinates
    says out "1.24444 1/s"
    says out "0 rigid-body, 1 unstable"
done
expect 0 "$holon" modes double-pendulum --at start --quiet
empty err
empty out

expect 0 "$holon" modes double-pendulum --count 1 --method lowest
says out "The lowest modes about static equilibrium"
says out "2.68011 rad/s"
lacks out "7.18867"

# Mistakes.
expect 2 "$holon" modes
says err "modes needs a MODEL"
expect 2 "$holon" modes pendulum --at equilibrum
says err "modes: --at takes equilibrium, start or a time in s, but got 'equilibrum' (did you mean 'equilibrium'?)"
expect 2 "$holon" modes pendulum --at -1
expect 2 "$holon" modes pendulum --method lowst
says err "modes: --method takes automatic, complete or lowest, but got 'lowst' (did you mean 'lowest'?)"
expect 2 "$holon" modes pendulum --count 0
says err "modes: --count takes a whole number from 1 to 100000, but got '0'"
expect 2 "$holon" modes pendulum --turning 1,2 --at start
says err "modes: --turning takes an angular velocity in rad/s, such as 5 (about z) or 0,0,5, not '1,2'"
expect 2 "$holon" modes pendulum --turning 3
says err "modes: --turning applies to a moving state: add --at start or --at TIME"
expect 2 "$holon" modes pendulum --turning 3 --at start
says err "is at rest at t = 0 s: a rotating frame needs a state of motion"
expect 2 "$holon" modes bicycle --at start --method lowest
says err "choose the complete method"
expect 1 "$holon" modes gear-pair
says err "is unconstrained along the forces on it"
says err "--at start computes the modes about the initial state instead"
finish
