#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Reactions that are not unique: how they are chosen and listed, and states of self-stress.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"

cat >rods.yaml <<'MODEL'
plane: xy
gravity: [0, -9.81]
points: {O: [0, 0], P: [2, 0]}
bodies: {bob: {rigid: P, mass: 1, inertia: 0.1}}
joints:
  rod1: {distance: [ground, bob], from: O, to: P, stiffness: 1e7}
  rod2: {distance: [ground, bob], from: O, to: P, stiffness: 2e7}
run: {until: 0.5, every: 0.5, record: [rod1.local, rod2.local]}
MODEL

# The pull of rod i at the end, to 1e-6.
pull() {
    awk -F, -v column="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i } END { printf "%.6f", $at }' out.csv
}

pulls() {
    wanted1=$1 wanted2=$2
    shift 2
    expect 0 "$holon" run rods.yaml --quiet --output out.csv "$@"
    same "$(pull rod1.lfx)" "$wanted1" "rod1 with $*"
    same "$(pull rod2.lfx)" "$wanted2" "rod2 with $*"
}

pulls -5.584261 -11.168523 --quiet
pulls -5.584261 -11.168523 --reactions stiffness
pulls -8.376392 -8.376392 --reactions minimum-norm
pulls -16.752784 0.000000 --reactions elimination
pulls -1.584261 -15.168523 --set joints.rod1.misfit=6e-7
pulls -1.584252 -15.168503 --set joints.rod1.misfit=6e-7 --formulation index3-augmented-lagrangian
expect 2 "$holon" run rods.yaml --reactions stifness
says err "did you mean 'stiffness'?"

expect 0 "$holon" run rods.yaml
says out "not unique in rod1, rod2: distributed by stiffness"
# Uniqueness is judged along the motion: the rods are horizontal at the start only.
says out "of these rod1.fy, rod2.fy only after the initial state"
expect 0 "$holon" run rods.yaml --reactions elimination --summary -
cp out json
same "$(value json changing_reactions)" "array 2" changing_reactions
same "$(value json changing_reactions.0.joint)" rod1 "changing joint"
same "$(value json changing_reactions.0.component)" fy "changing component"
same "$(value json reactions)" elimination reactions
same "$(value json non_unique_reactions.0)" rod1 non_unique_reactions
same "$(value json non_unique_reactions.1)" rod2 non_unique_reactions
expect 0 "$holon" run pendulum --summary - --until 0.1
cp out json
same "$(value json non_unique_reactions)" "array 0" "reactions that are all unique"
expect 0 "$holon" run pendulum --until 0.1
lacks out "not unique"

expect 0 "$holon" check rods.yaml
says out "Reactions were examined in the initial configuration and in 4 others"
says out "In the initial configuration alone these would be unique: rod1.fy, rod2.fy."
says out "rod1 can be prestressed against rod2: one side in tension, the other in compression."
expect 0 "$holon" check rods.yaml --json
cp out json
same "$(value json self_stress)" "array 1" "states of self-stress"
same "$(value json self_stress.0)" "array 2" "joints of the state"
same "$(value json self_stress.0.0.joint)" rod1 joint
same "$(value json self_stress.0.0.f.0)" -1 "a pull"
same "$(value json self_stress.0.1.f.0)" 1 "a push"
# On opposite sides both are pulled.
expect 0 "$holon" check rods.yaml --set 'joints.rod2={distance: [ground, bob], from: [4, 0], to: P}'
says out "rod1 and rod2 can be prestressed together: all in tension, or all in compression."
expect 0 "$holon" check rods.yaml --set 'joints.pin={revolute: [ground, bob], at: P}' --set 'joints.rod2=~' --set run.record=~
says out "Two joints can be prestressed against each other: rod1 by a force along -x; pin by a force along x."

# Bars with axial forces alone are listed as in tension or in compression.
cat >table.yaml <<'MODEL'
points: {A: [0, 0, 0], B: [0, 0, 1], C: [1, 0, 0], D: [1, 0, 1], E: [1, 2, 0], F: [1, 2, 1], G: [0, 2, 0], H: [0, 2, 1]}
bodies:
  AB: {bar: [A, B], mass: 1}
  CD: {bar: [C, D], mass: 1}
  EF: {bar: [E, F], mass: 1}
  GH: {bar: [G, H], mass: 1}
  plate: {rigid: [0.5, 1, 1], mass: 10, inertia: [1, 1, 1]}
joints:
  A: {spherical: [ground, AB], at: A}
  B: {spherical: [AB, plate], at: B}
  C: {spherical: [ground, CD], at: C}
  D: {spherical: [CD, plate], at: D}
  E: {spherical: [ground, EF], at: E}
  F: {spherical: [EF, plate], at: F}
  G: {spherical: [ground, GH], at: G}
  H: {spherical: [GH, plate], at: H}
MODEL
expect 0 "$holon" check table.yaml
says out "AB and EF can be prestressed against CD and GH: one side in tension, the other in compression."
expect 0 "$holon" check table.yaml --set run.coordinates=natural
says out "AB and EF can be prestressed against CD and GH: one side in tension, the other in compression."
finish
