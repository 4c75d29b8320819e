#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# holon check: degrees of freedom, redundancy, initial states, and a message for every mistake.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"
write_pendulum

expect 0 "$holon" check pendulum.yaml
says out "A bar on a pin (pendulum)"
says out "1 body in the plane"
says out "1 degree of freedom"
says out "1 joint: 2 constraint equations of rank 2, 1 degree of freedom."
says out "No constraint equation is redundant: every reaction is unique."
says out "The initial configuration is consistent as drawn."
says out "Initial energy: kinetic 0 J, potential 0 J, total 0 J."
empty err

expect 0 "$holon" check pendulum.yaml --json
cp out json
keys=$("$json_value" -keys "" <json | tr '\n' ' ')
for key in model coordinates rows rank dof redundant_rows smallest_sine joints consistent_start bodies warnings; do
    case " $keys" in *" $key "*) ;; *) fail "check --json has no '$key'" ;; esac
done
same "$(value json model)" pendulum model
same "$(value json coordinates)" 3 coordinates
same "$(value json rows)" 2 rows
same "$(value json rank)" 2 rank
same "$(value json dof)" 1 dof
same "$(value json redundant_rows)" 0 redundant_rows
same "$(value json consistent_start)" true consistent_start
same "$(value json bodies.0)" bar bodies
same "$("$json_value" -keys joints.0 <json | tr '\n' ' ')" "name kind first second rows redundant unique " "keys of a joint"
same "$(value json joints.0.name)" pin name
same "$(value json joints.0.kind)" revolute kind
same "$(value json joints.0.first)" ground first
same "$(value json joints.0.second)" bar second
same "$(value json joints.0.rows)" 2 rows
same "$(value json joints.0.redundant)" "array 0" redundant
same "$("$json_value" -keys joints.0.unique <json | tr '\n' ' ')" "fx fy tz " "components in the plane"
same "$(value json joints.0.unique.fx)" true unique

same "$(value json inputs)" "array 0" "no inputs"

# Inputs, with their values until a program sets others.
expect 0 "$holon" check pendulum.yaml --set 'inputs={push: 2 kN, brake: 0.5}' --set 'forces.f={torque: bar, vector: push*brake}'
says out "Inputs, in SI units: push = 2000, brake = 0.5."
expect 0 "$holon" check pendulum.yaml --set 'inputs={push: 2 kN, brake: 0.5}' --set 'forces.f={torque: bar, vector: push*brake}' --json
cp out json
same "$("$json_value" -keys inputs.0 <json | tr '\n' ' ')" "name value " "keys of an input"
same "$(value json inputs.0.name)" push "name of an input"
same "$(value json inputs.0.value)" 2000 "value of an input"
same "$(value json inputs.1.value)" 0.5 "value of an input"
expect 0 "$holon" check pendulum.yaml
lacks out "Inputs"

# Two pins in one place: two redundant constraint equations, and the force of neither pin is unique.
expect 0 "$holon" check pendulum.yaml --set 'joints.again={revolute: [ground, bar], at: A}' --json
cp out json
same "$(value json rows)" 4 rows
same "$(value json rank)" 2 rank
same "$(value json dof)" 1 dof
same "$(value json redundant_rows)" 2 redundant_rows
same "$(value json joints.0.unique.fx)" false "unique of a doubled pin"
same "$(value json joints.1.unique.fy)" false "unique of a doubled pin"
same "$(value json joints.0.unique.tz)" true "a moment that cannot occur"
expect 0 "$holon" check pendulum.yaml --set 'joints.again={revolute: [ground, bar], at: A}'
says out "2 constraint equations are redundant (linearly dependent on the others), counted as: pin ("
says out "not unique: fx fy"

expect 0 "$holon" check pendulum.yaml --set 'drivers.motor={angle: pin, value: t}'
says out "1 joint and 1 driver: 3 constraint equations of rank 3, 0 degrees of freedom."

# A model with many joints lists only their kinds.
expect 0 "$holon" check n-four-bar --set parameters.N=40
says out "121 joints: 242 constraint equations"
says out "  revolute  121 joints  242 equations"
lacks out "left1"

# The variant and the values that are set are what is checked.
expect 0 "$holon" check pendulum.yaml --set 'start.bar={angular_velocity: 1}' --variant heavy
says out "kinetic 3.33333333 J"
expect 2 "$holon" check pendulum.yaml --variant heavier
says err "heavy"

# What is open as drawn is measured by the size of the model: half a nanometre is much in ten micrometres.
cat >small.yaml <<'END'
plane: xy
bodies: {arm: {rigid: [5e-6, 0], mass: 1e-9, inertia: 1e-20}}
joints:
  pin: {revolute: [ground, arm], at: [0, 0]}
  rod: {distance: [ground, arm], from: [1e-5, 1e-5], to: [1e-5, 0], length: 1.00005e-5}
END
expect 0 "$holon" check small.yaml
says out "'rod' was open by 5e-10 (m or rad) as drawn; assembly closed it."

# An initial configuration that is open as drawn is assembled; one that cannot be assembled is reported.
cat >open.yaml <<'END'
plane: xy
points: {A: [0, 0], B: [1, 0], C: [1.1, 0], D: [2, 0]}
bodies: {one: {bar: [A, B], mass: 1}, two: {bar: [C, D], mass: 1}}
joints: {pin_A: {revolute: [ground, one], at: A}}
END
expect 0 "$holon" check open.yaml
says out "consistent as drawn"
says out "4 degrees of freedom"
echo 'forces: {}' >>open.yaml
expect 0 "$holon" check open.yaml --set 'joints.link={distance: [one, two], from: B, to: C, length: 0.3}'
says out "'link' was open by 0."
says out "assembly closed it"
expect 0 "$holon" check open.yaml --set 'joints.link={distance: [one, two], from: B, to: C, length: 0.3}' --json
same "$(value out consistent_start)" false consistent_start
expect 0 "$holon" check open.yaml --set 'joints.link={distance: [one, two], from: B, to: C, length: 0.3}' \
    --set run.start=as-given
says out "'link' has a position violation of 0.133 (m or rad): the initial state is taken as given."
lacks out "computed from the constraints"
expect 0 "$holon" check open.yaml --set 'drivers.turn={angle: pin_A, value: 3 * t}' --set run.start=as-given
says out "'turn' has a velocity violation of 3 (m/s or rad/s): the initial state is taken as given."
expect 2 "$holon" check open.yaml --set 'joints.link={distance: [ground, one], from: [9, 0], to: B, length: 0.3}'
says err "link"
says out "cannot be assembled"

# Nearly redundant constraint equations are reported; both kinds of coordinates can be checked.
cat >near.yaml <<'END'
plane: xy
bodies: {p: {particle: [1, 0], mass: 1}}
joints:
  a: {distance: [ground, p], from: [0, 0], to: [1, 0]}
  b: {distance: [ground, p], from: [0, 1e-7], to: [1, 0]}
END
expect 0 "$holon" check near.yaml
says out "Warning: nearly redundant: a constraint equation of "
expect 0 "$holon" check near.yaml --json
near "$(value out smallest_sine)" 1e-7 1e-12
expect 0 "$holon" check four-bar
says out "9 coordinates (reference-point)"
lacks out "nearly redundant"
expect 0 "$holon" check four-bar --coordinates natural
says out "12 coordinates (natural)"

# All mistakes, each in one line with its place.
cat >wrong.yaml <<'END'
plane: xy
points: {A: [0, 0], B: [1, 0]}
bodies: {bar: {bar: [A, B], mas: 1}}
joints: {pin: {revolute: [ground, baar], at: A}}
END
expect 2 "$holon" check wrong.yaml
says err "wrong.yaml:3:"
says err "did you mean 'mass'?"
says err "wrong.yaml:4:"
says err "did you mean 'bar'?"
empty out
expect 2 "$holon" run wrong.yaml
says err "wrong.yaml:4:"
# Nodes of beams are counted with their beams.
cat >tower.yaml <<'END'
points: {A: [0, 0, 0], B: [0, 0, 4], C: [2, 0, 4]}
beams:
  tower: {from: A, to: B, elements: 2, section: {tube: [0.1, 0.01], E: 210 GPa, nu: 0.3, density: 7850}}
  boom: {from: B, to: C, elements: 3, order: 2, section: {tube: [0.1, 0.01], E: 210 GPa, nu: 0.3, density: 7850}}
joints:
  clamp: {fixed: [ground, tower.start], at: A}
  corner: {fixed: [tower.end, boom.start], at: B}
END
expect 0 "$holon" check tower.yaml
says out "2 beams with 14 nodes in space: 168 coordinates (natural)"
expect 0 "$holon" check tower.yaml --set 'bodies.load={rigid: [2, 0, 3], mass: 1, inertia: [1, 1, 1]}' --json
cp out json
same "$(value json bodies.0)" load "the body"
same "$("$json_value" -keys beams.0 <json | tr '\n' ' ')" "name length elements order nodes " "keys of a beam"
same "$(value json beams.0.nodes) $(value json beams.1.nodes) $(value json beams.1.length)" "7 7 2" "nodes"
expect 0 "$holon" check tower.yaml --set 'bodies.load={rigid: [2, 0, 3], mass: 1, inertia: [1, 1, 1]}'
says out "1 body and 2 beams with 14 nodes in space"

# Rods that lie on each other are dependent only there; a loop in space with parallel axes is redundant everywhere.
expect 0 "$holon" check slider-crank --variant from-singularity
says out "configuration is singular"
expect 0 "$holon" check slider-crank --variant from-singularity --json
same "$(value out redundant_rows) $(value out singular_rows)" "1 1" "rows of a singular configuration"
expect 0 "$holon" check bricard --json
same "$(value out redundant_rows) $(value out singular_rows)" "1 0" "rows of a redundant mechanism"

finish
