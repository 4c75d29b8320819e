#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# holon compare on stiff models: explicit runs are given up after few steps, the reference uses implicit steps and has an
# uncertainty, errors agree with a closed form, and without a converged reference there is no recommendation.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"

# Two masses, one on a soft spring, the other tied to it by a hard one: they swing as 0.1 cos(10 t).
write_masses() {
    cat <<END
plane: xy
bodies:
  a: {rigid: [0.1, 0], mass: 1, inertia: 1}
  b: {rigid: [1.1, 0], mass: 1, inertia: 1}
joints:
  a: {prismatic: [ground, a], at: [0.1, 0], axis: x}
  b: {prismatic: [ground, b], at: [1.1, 0], axis: x}
forces:
  soft: {spring: [ground, a], from: [-1, 0], to: [0.1, 0], stiffness: 200 N/m, free_length: 1 m}
  hard: {spring: [a, b], from: [0.1, 0], to: [1.1, 0], stiffness: 1e13 N/m, free_length: $1}
run: {until: 5 s, step: 10 ms, formulation: index3-augmented-lagrangian, integrator: newmark}
END
}
write_masses '1 m' >masses.yaml
write_masses '0.99 m' >rings.yaml

# The table: explicit runs fail after few steps. --rounds, since the default number depends on the speed of the machine.
expect 0 "$holon" compare masses.yaml --rounds 2
empty err
says out "reference: energy-decaying with alpha = 0, step 0.00"
says out ", uncertainty "
says out " if motion faster than its steps is negligible"
says out "stiff: explicit steps with tight error control would be about "
grep -qE '^  lagrange \(rk4\) .* too-stiff$' out || fail "lagrange is not too stiff: $(cat out)"
lacks out "lagrange with rk4"
grep -qE '^  index3-augmented-lagrangian .* [0-9.e-]+ s +(good|doubtful|bad) +ok$' out || fail "no CPU time: $(cat out)"
says out "fails here; CPU times instead"
# Which is the fastest depends on the machine; it is one that reached the end.
fastest=$(sed -n 's/.*fastest is \([a-z0-9-]*\) with .*/\1/p' out)
[ "$fastest" ] && grep -qE "^  $fastest .* ok\$" out || fail "the fastest '$fastest' is not one that is ok: $(cat out)"
says out "by CPU time, median of 2 rounds"

# The report has the same lines about the reference as the table.
expect 0 "$holon" compare masses.yaml --rounds 0 --formulations energy-decaying,lagrange --report r.html
for line in reference stiff; do
    grep "^$line: " out | tr -d '\n' >line
    grep -qF "{\"text\": \"$(cat line)\"}" r.html || fail "the report lacks: $(cat line)"
done

# The trapezoidal rule swings with 2/h atan(5 h) instead of 10, looked at every tenth of a second.
expect 0 "$holon" compare masses.yaml --formulations index3-augmented-lagrangian,lagrange --rounds 0 \
    --steps '10 ms,5 ms' --json
for i in 0 2; do
    exact=$(awk -v h="$(value out $i.step)" 'BEGIN {
        w = 2 / h * atan2(5 * h, 1)
        for (k = 1; k <= 50; ++k) {
            e = 0.1 * (cos(w * k / 10) - cos(k)); if (e < 0) e = -e; if (e > most) most = e
        }
        printf "%.12g", most }')
    near "$(value out $i.position_error)" "$exact" 1e-7
done
near "$(value out 0.position_error)" 3.9e-3 1e-4
near "$(value out 2.order)" 2 0.02
awk -v e="$(value out 0.reference_error)" 'BEGIN { exit !(e > 0 && e < 1e-5) }' || fail "uncertainty $(value out 0.reference_error)"
same "$(value out 1.remark)" "too stiff" remark
says out "the model is too stiff for explicit steps of 0.01 s"

# An adaptive integrator is given up, with lagrange beside it or not, and the same each time.
for formulation in lagrange direct-correction; do
    expect 0 "$holon" compare masses.yaml --formulations $formulation --integrators dopri5 --rounds 2 --json
    same "$(value out 0.status), $(value out 0.remark)" "given-up, too stiff" "status of dopri5"
    says out "the model is too stiff for explicit steps"
    cp out first
    expect 0 "$holon" compare masses.yaml --formulations $formulation --integrators dopri5 --rounds 2 --json
    for file in first out; do grep -vE '"(wall_s|processor_s)"' $file >$file.plain; done
    cmp -s first.plain out.plain || fail "two comparisons differ"
done

# A spring that oscillates faster than any step: there is no reference.
expect 0 "$holon" compare rings.yaml --until 0.5 --formulations index3-augmented-lagrangian --rounds 0
says out "reference: none: the sequence has not converged."
lacks out "uncertainty"
says out "No recommendation: no reference converged"
lacks out "fastest is"
expect 0 "$holon" compare rings.yaml --until 0.5 --formulations index3-augmented-lagrangian --rounds 0 --json
same "$(value out 0.reference_error) $(value out 0.position_error)" "null null" "errors without a reference"

# An inaccurate run is not recommended, even if its energy drift is small.
expect 0 "$holon" compare masses.yaml --steps 1 --rounds 0
says out "No recommendation: every run that finished is inaccurate."
lacks out "fastest is"
expect 0 "$holon" compare masses.yaml --steps 1,10ms --rounds 0 --accuracy '1 J' \
    --formulations energy-preserving,index3-augmented-lagrangian
grep -qE '^  energy-preserving .* ok, inaccurate$' out || fail "a step of one second is accurate: $(cat out)"
grep -qE 'fastest is [a-z0-9-]+ with [a-z-]+, step 0\.01 s' out || fail "no run with 10 ms is the fastest: $(cat out)"
expect 0 "$holon" compare masses.yaml --steps 1 --rounds 0 --accuracy '1 J' --json \
    --formulations energy-preserving
same "$(value out 0.recommended) $(value out 0.remark)" "false inaccurate" "recommended, remark"

# A bead on a stiffly held arm that vibrates: the vibration drives it out, by w^2 t^2 / 4 at first, and steps that pass
# by the vibration do not know. The pendulum beside it settles.
write_bead() {
    cat <<END
plane: xy
gravity: [0, -9.81]
points: {A: [0, 0], B: [1, 0], C: [3, 0], D: [3.5, 0]}
bodies:
  arm: {bar: [A, B], mass: 1 kg, inertia: 0.1}
  bead: {rigid: [1, 0], mass: 1 kg, inertia: 0.1}
  bob: {bar: [C, D], mass: 1 kg}
joints:
  A: {revolute: [ground, arm], at: A}
  S: {prismatic: [arm, bead], at: B, axis: [1, 0]}
  C: {revolute: [ground, bob], at: C}
forces:
  k: {torsion: A, stiffness: 1e14}
start:
  arm: {angular_velocity: $1}
run: {until: 200 ms, step: 10 ms}
END
}
write_bead 1 >bead.yaml
expect 0 "$holon" compare bead.yaml --rounds 0 --formulations energy-preserving
says out "reference: none: motion faster than the steps of energy-decaying with alpha = 0"
says out "No recommendation: no reference converged"
write_bead 0.02 >bead.yaml
expect 0 "$holon" compare bead.yaml --rounds 0 --formulations energy-preserving
says out "; motion faster than its steps has "
expect 0 "$holon" compare bead.yaml --rounds 0 --formulations energy-preserving --json
awk -v e="$(value out 0.reference_error)" 'BEGIN { exit !(e > 0.02^2 * 0.2^2 / 4 && e < 1e-3) }' ||
    fail "a vibration makes the reference uncertain by $(value out 0.reference_error)"

# A beam: another scheme than that of the reference comes nearer to it with shorter steps.
expect 0 "$holon" compare princeton-beam --set parameters.elements=1 --until '10 ms' --rounds 0 \
    --formulations energy-preserving,lagrange --steps '100 us,50 us' --json
awk -v e="$(value out 2.position_error)" -v r="$(value out 2.reference_error)" -v c="$(value out 0.position_error)" \
    'BEGIN { exit !(r > 0 && r < 0.02 * e && e < 0.6 * c) }' || fail "errors of a beam: $(cat out)"
same "$(value out 1.remark) $(value out 3.remark)" "too stiff too stiff" "explicit steps of a beam"

# A model that is not stiff has an explicit reference.
printf 'plane: xy\nbodies: {b: {rigid: [0, 0], mass: 1, inertia: 1}}\n' >long.yaml
printf 'forces: {s: {spring: [ground, b], from: [-1, 0], to: [0, 0], stiffness: 1e4, free_length: 0.9 m}}\nrun: {until: 5, step: 1 ms}\n' >>long.yaml
expect 0 "$holon" compare long.yaml --rounds 0 --formulations lagrange
says out "reference: direct-correction with dopri5, tolerance 1e-12"
lacks out "stiff"
finish
