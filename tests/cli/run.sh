#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# holon run: the summary for people and for programs, and that every option has its effect.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"
write_pendulum

# run ...: a run that must succeed, its summary in the file json.
run() {
    expect 0 "$holon" run "$@" --summary -
    mv out json
}

expect 0 "$holon" run pendulum.yaml
for word in "A bar on a pin (pendulum)" direct-correction rk4 "step 0.001 s" "0.1 s of 0.1 s" "100 steps" \
    "1 degree of freedom" "0 redundant constraint equations" ok reference-point; do
    says out "$word"
done
empty err

# --summary: all keys of the contract, in their order, and nothing else on stdout.
run pendulum.yaml
empty err
same "$("$json_value" -keys "" <json | tr '\n' ' ')" "model formulation integrator coordinates step choice until reached status \
steps shortened_steps evaluations iterations divisions position_iterations max_position_iterations wall_s processor_s max_position_violation \
max_velocity_violation mean_position_violation_sq \
energy_initial energy_final max_energy_drift max_off_manifold_energy dof redundant_rows reactions non_unique_reactions reactions_examined changing_reactions reactions_unresolved_since \
singular_events branch_changes ambiguous_branches recoveries estimated_error verdict findings events skipped_events impulses realtime verify " "keys of the summary"
same "$(value json model)" pendulum model
same "$(value json formulation)" direct-correction formulation
same "$(value json integrator)" rk4 integrator
same "$(value json coordinates)" reference-point coordinates
same "$(value json step)" 0.001 step
same "$(value json until)" 0.1 until
same "$(value json reached)" 0.1 reached
same "$(value json status)" ok status
same "$(value json steps)" 100 steps
same "$(value json dof)" 1 dof
same "$(value json redundant_rows)" 0 redundant_rows
same "$(value json singular_events)" 0 singular_events
same "$(value json branch_changes)" 0 branch_changes
same "$(value json recoveries)" 0 recoveries
same "$(value json events)" "array 0" events
same "$(value json impulses)" "array 0" impulses
near "$(value json max_position_violation)" 0 1e-14
near "$(value json max_energy_drift)" 0 1e-9
near "$(value json energy_final)" "$(value json energy_initial)" 1e-9
cp json standard

expect 0 "$holon" run pendulum.yaml --summary summary.json
same "$(value summary.json status)" ok "status in the file"
says out "status"

# --quiet
expect 0 "$holon" run pendulum.yaml --quiet
empty out
empty err
expect 0 "$holon" run pendulum.yaml --quiet --summary -
same "$(value out status)" ok "status when quiet"

# --formulation, --integrator, --coordinates, also as --option=value
run pendulum.yaml --formulation lagrange
same "$(value json formulation)" lagrange formulation
differ "$(value json max_position_violation)" "$(value standard max_position_violation)" "violation of lagrange"
run pendulum.yaml --integrator=euler
same "$(value json integrator)" euler integrator
differ "$(value json energy_final)" "$(value standard energy_final)" "energy of euler"
run pendulum.yaml --coordinates reference-point
same "$(value json coordinates)" reference-point coordinates
expect 2 "$holon" run pendulum.yaml --coordinates refrence-point
says err "reference-point"
expect 2 "$holon" run pendulum.yaml --formulation lagrang
says err "did you mean 'lagrange'?"
expect 2 "$holon" run pendulum.yaml --integrator rk5
says err "did you mean 'rk4'?"

# Inputs have the values of the model, or of --set.
run pendulum.yaml --set 'forces.motor={torque: bar, vector: 6}'
cp json constant
run pendulum.yaml --set 'inputs={u: 1}' --set 'forces.motor={torque: bar, vector: 2*u}'
differ "$(value json energy_final)" "$(value constant energy_final)" "energy of another torque"
run pendulum.yaml --set 'inputs={u: 1}' --set 'forces.motor={torque: bar, vector: 2*u}' --set inputs.u=3
near "$(value json energy_final)" "$(value constant energy_final)" 1e-12

# A misspelt name would be a new one that nothing depends on.
expect 0 "$holon" run pendulum.yaml --set parameters.mm=3
says err "warning: --set parameters.mm: 'parameters' of the model has no 'mm'; it was added (did you mean 'm'?)"
expect 0 "$holon" run pendulum.yaml --set parameters.another=3
says err "warning: --set parameters.another: 'parameters' of the model has no 'another'; it was added"
expect 0 "$holon" run pendulum.yaml --set 'inputs={push: 1}' --set inputs.psh=3
empty err
expect 0 "$holon" run pendulum.yaml --set parameters.m=3
empty err

# --step, --until, with units
run pendulum.yaml --step '2 ms'
same "$(value json step)" 0.002 step
same "$(value json steps)" 50 steps
run pendulum.yaml --step=1e-4 --until '50 ms'
same "$(value json steps)" 500 steps
same "$(value json until)" 0.05 until
same "$(value json reached)" 0.05 reached
expect 2 "$holon" run pendulum.yaml --step 'soon'
expect 2 "$holon" run pendulum.yaml --step '1 kg'
expect 2 "$holon" run pendulum.yaml --step -1
expect 2 "$holon" run pendulum.yaml --step 0
expect 2 "$holon" run pendulum.yaml --until -1
empty out

# --integrator automatic replaces the integrator of the file, with its options.
run pendulum.yaml --set 'run.integrator={kind: dopri5, tolerance: 1e-9}' --integrator dopri5
same "$(value json choice)" null "no choice"
sed 's/^run: .*/run: {until: 0.1, integrator: {kind: dopri5, tolerance: 1e-9}}/' pendulum.yaml >adaptive.yaml
run adaptive.yaml --integrator automatic
same "$(value json integrator)" rk4 "integrator of the choice"
says json "automatic: "

# Drivers whose velocity jumps: refused with the time, unless the run ends before or they ask for an impulse.
jumping='drivers.motor={angle: pin, value: "max(0, 3*(t - 0.05))"}'
expect 2 "$holon" run pendulum.yaml --set "$jumping"
says err "driver 'motor': the prescribed velocity jumps by 3 rad/s at t = 0.05 s, which takes an infinite force"
expect 2 "$holon" check pendulum.yaml --set "$jumping"
says err "or 'impulse: true' for an impulse"
expect 2 "$holon" compare pendulum.yaml --set "$jumping"
says err "jumps by 3 rad/s at t = 0.05 s"
sed 's/^joints:/drivers: {motor: {angle: pin, value: "max(0, 3*(t - 0.05))"}}\njoints:/' pendulum.yaml >jumping.yaml
expect 2 "$holon" run jumping.yaml --output jumping.csv
grep -q "^jumping.yaml:[0-9]*:[0-9]*: driver 'motor': the prescribed velocity jumps by 3 rad/s at t = 0.05 s" err ||
    fail "no place in the message: $(cat err)"
test ! -e jumping.csv || fail "a run that is refused wrote jumping.csv"
# What does not run the model does not depend on it.
expect 0 "$holon" static jumping.yaml
expect 0 "$holon" modes jumping.yaml
expect 0 "$holon" run pendulum.yaml --output still.csv
expect 0 "$holon" view still.csv --model jumping.yaml --output jumping.html --no-open
expect 0 "$holon" run pendulum.yaml --set "$jumping" --until 0.05
run pendulum.yaml --set 'drivers.motor={angle: pin, value: "max(0, 3*(t - 0.05))", impulse: true}'
same "$(value json impulses.0.t)" 0.05 "time of the impulse"
same "$(value json impulses.0.name)" motor "name of the impulse"
same "$(value json impulses.0.unit)" "N*m*s" "unit of the impulse"
near "$(value json max_energy_drift)" 0 1e-9
expect 0 "$holon" run pendulum.yaml --set 'drivers.motor={angle: pin, value: "max(0, 3*(t - 0.05))", impulse: true}'
says out "impulses"
says out "1, the first at t = 0.05 s (driver 'motor': "

# --set, in order, and before the other options; --variant before both
run pendulum.yaml --set bodies.bar.mass=4 --set 'start.bar={angular_velocity: 2}'
near "$(value json energy_initial)" 2.6666666666666665 1e-9
run pendulum.yaml --set parameters.m=3 --set parameters.m=4 --set 'start.bar={angular_velocity: 2}'
near "$(value json energy_initial)" 2.6666666666666665 1e-9
run pendulum.yaml --step 1e-2 --set run.step=1e-3
same "$(value json step)" 0.01 "--step against --set"
run pendulum.yaml --variant heavy --set 'start.bar={angular_velocity: 2}'
near "$(value json energy_initial)" 13.333333333333334 1e-9
run pendulum.yaml --set parameters.m=1 --variant heavy --set 'start.bar={angular_velocity: 2}'
near "$(value json energy_initial)" 0.6666666666666666 1e-9
expect 2 "$holon" run pendulum.yaml --set nonsense
says err "--set needs PATH=VALUE"
expect 2 "$holon" run pendulum.yaml --set =1
says err "--set needs PATH=VALUE"
expect 2 "$holon" run pendulum.yaml --set bodies.bar.mas=1
says err "did you mean 'mass'?"
expect 2 "$holon" run pendulum.yaml --variant nonsense

# Options of the kinds; a kind on the command line keeps them, whether the file has a word or a map.
run pendulum.yaml --formulation penalty --set run.formulation.alpha=1e5
violation=$(value json max_position_violation)
run pendulum.yaml --set run.formulation.alpha=1e9 --formulation penalty
differ "$(value json max_position_violation)" "$violation" "alpha"
run pendulum.yaml --set 'run.formulation={kind: penalty, alpha: 1e5}'
same "$(value json max_position_violation)" "$violation" "alpha in a map"
run pendulum.yaml --set 'run.formulation={kind: lagrange, alpha: 1e5}' --formulation penalty
same "$(value json max_position_violation)" "$violation" "the kind replaced in a map"

# Options of the file stay with its kind and are dropped with it.
sed 's/^run: {/run: {formulation: {kind: penalty, alpha: 1e5}, /' pendulum.yaml >penalty.yaml
run penalty.yaml
same "$(value json max_position_violation)" "$violation" "alpha of the file"
run penalty.yaml --formulation penalty
same "$(value json max_position_violation)" "$violation" "alpha of the file, the kind said again"
run penalty.yaml --formulation lagrange
same "$(value json formulation)" lagrange "another kind than the file's"
run penalty.yaml --formulation augmented-lagrangian --set run.formulation.alpha=1e6
same "$(value json formulation)" augmented-lagrangian "another kind with its own option"
run pendulum.yaml --integrator dopri5 --set run.integrator.tolerance=1e-3
steps=$(value json steps)
run pendulum.yaml --integrator dopri5 --set run.integrator.tolerance=1e-12
[ "$(value json steps)" -gt "$steps" ] || fail "the tolerance has no effect: $steps steps"
expect 2 "$holon" run pendulum.yaml --formulation penalty --set run.formulation.alhpa=1
says err "did you mean 'alpha'?"

# Built-in models run by name, and a file by its path.
cp pendulum.yaml four-bar
expect 0 "$holon" run four-bar --until 1e-3 --summary -
same "$(value out model)" four-bar "a built-in model"
differ "$(value out dof)" "" dof
# A formulation with dense matrices refuses models on which a step would take minutes.
expect 2 "$holon" run n-four-bar --set parameters.N=300 --formulation null-space
says err "'null-space' uses dense matrices, too large for 1803 velocities and 1802 constraint equations"

# A formulation that is chosen brings its own integrator where the model's does not fit and nobody chose another.
run pendulum.yaml --formulation index3-augmented-lagrangian
same "$(value json integrator)" newmark "integrator of the formulation"
run pendulum.yaml --set run.formulation=index3-augmented-lagrangian --set run.integrator=generalized-alpha
same "$(value json integrator)" generalized-alpha "chosen integrator"
# Angles of bushings in the plane have a limit in natural coordinates; torsion springs count turns.
sed 's/^run:/forces: {spring: {torsion: pin, stiffness: 1}}\nrun:/' pendulum.yaml >torsion.yaml
expect 0 "$holon" run torsion.yaml --until 0.01 --coordinates natural
lacks err "half a turn"
sed 's/^run:/forces: {spring: {bushing: [ground, bar], at: [0, 0], stiffness: [1, 1], turning_stiffness: 1}}\nrun:/' pendulum.yaml \
    >torsion.yaml
expect 0 "$holon" run torsion.yaml --until 0.01 --coordinates natural
says err "force 'spring': 'turning_stiffness': in natural coordinates its angle is known within half a turn"
expect 0 "$holon" run torsion.yaml --until 0.01
lacks err "half a turn"
# Options without effect are reported.
expect 0 "$holon" run pendulum.yaml --formulation index3-augmented-lagrangian --integrator trapezoidal \
    --set run.integrator.tolerance=1e-6
says err "option 'tolerance' of 'trapezoidal' has no effect with 'index3-augmented-lagrangian'"
sed 's/^run:.*/run: {until: 0.1, step: 1e-3, formulation: index3-augmented-lagrangian}/' pendulum.yaml >implicit.yaml
run implicit.yaml
same "$(value json integrator)" newmark "integrator of the formulation in the file"
same "$(value json formulation)" index3-augmented-lagrangian formulation
sed 's/^run:.*/run: {until: 0.1, step: 1e-3, integrator: rk4}/' pendulum.yaml >explicit.yaml
run explicit.yaml --formulation index3-augmented-lagrangian
same "$(value json integrator)" newmark "integrator of the formulation instead of the file's"
expect 2 "$holon" run explicit.yaml --formulation index3-augmented-lagrangian --integrator rk4
says err "--integrator: run: integrator 'rk4' cannot run formulation 'index3-augmented-lagrangian'"
expect 2 "$holon" run explicit.yaml --formulation index3-augmented-lagrangian --set run.integrator=rk4
says err "integrator 'rk4' cannot run formulation 'index3-augmented-lagrangian'"
expect 2 "$holon" run implicit.yaml --integrator rk4
says err "integrator 'rk4' cannot run formulation 'index3-augmented-lagrangian'"
expect 2 "$holon" run explicit.yaml --integrator newmark
says err "a formulation with Newmark-type steps: index3-augmented-lagrangian, ggl; integrators that can are euler"
expect 2 "$holon" run explicit.yaml --coordinates foo
says err "--coordinates: run: "
run implicit.yaml --formulation direct-correction
same "$(value json integrator)" rk4 "the usual integrator"

# A start is moved onto the joints, or taken as given: lagrange then leaves it open, explicit-dae closes it.
cat >open.yaml <<'END'
plane: xy
points: {A: [0, 0], B: [1, 0], C: [1.1, 0], D: [2, 0]}
bodies: {one: {bar: [A, B], mass: 1}, two: {bar: [C, D], mass: 1}}
joints: {link: {distance: [one, two], from: B, to: C, length: 0.11}}
END
for coordinates in reference-point natural; do
    run open.yaml --until '5 ms' --coordinates $coordinates
    near "$(value json max_position_violation)" 0 1e-14
    run open.yaml --until '5 ms' --coordinates $coordinates --set run.start=as-given --formulation lagrange
    near "$(value json max_position_violation)" 0.00954545454545 1e-9
    run open.yaml --until '5 ms' --coordinates $coordinates --set run.start=as-given --formulation explicit-dae --accept bad
    near "$(value json max_position_violation)" 0.00954545454545 1e-9
    near "$(value json mean_position_violation_sq)" 9.1e-6 2e-7 # half of the first step, then nothing
done

finish
