#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# holon compare: tables, JSON, CSV, orders, the recommendation, plots; a failing combination is told and not fatal.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"
write_pendulum

# compare ...: without times; --rounds given later counts.
compare() {
    expect 0 "$holon" compare pendulum.yaml --rounds 0 "$@"
}

# The table: every formulation, one line each, and what it was measured against.
expect 0 "$holon" compare pendulum.yaml --rounds 1
empty err
"$holon" list formulations --names >names
while read -r name; do
    grep -qE "^  $name( \(newmark\))? .* [0-9.]+ \([0-9.]+-[0-9.]+\) +ok\$" out || fail "no line of $name with a time ratio: $(cat out)"
done <names
grep -qE '^  lagrange .* 1\.00 \(1\.00-1\.00\) ' out || fail "lagrange is not the standard"
for word in "A bar on a pin (pendulum), 0.1 s" "reference: direct-correction with dopri5, tolerance 1e-12, uncertain by" \
    "rk4, step 0.001 s" position velocity accel. "mean sq" energy error reactions evals iters "time ratio" status; do
    says out "$word"
done
lacks out "known values"
lacks out "work and precision"
says out "index3-augmented-lagrangian (newmark)"
lacks out "direct-correction ("
compare --integrators rk4
says out "integrator 'rk4' cannot run formulation 'index3-augmented-lagrangian'"
compare
lacks out "("-
grep -qE '^  lagrange .* - +ok$' out || fail "without rounds there is no time ratio"

# Known values are used for built-in models that are not changed.
expect 0 "$holon" compare pendulum --until 1 --rounds 0 --formulations lagrange
says out "known values of the model"
expect 0 "$holon" compare pendulum --until 1 --rounds 0 --formulations lagrange --set gravity.1=-1
lacks out "known values of the model"

# The same numbers each time; the times are not.
compare --json
cp out first
compare --json
for file in first out; do grep -v '"wall_s"' $file >$file.plain; done
cmp -s first.plain out.plain || fail "two comparisons differ"

# JSON: the keys of a summary, then those of a comparison.
expect 0 "$holon" compare pendulum.yaml --rounds 2 --json
empty err
same "$("$json_value" "" <out)" "array $(wc -l <names)" "records"
same "$("$json_value" -keys 0 <out | tr '\n' ' ')" "model formulation integrator coordinates step until reached status \
steps evaluations iterations wall_s max_position_violation max_velocity_violation mean_position_violation_sq \
energy_initial energy_final max_energy_drift dof redundant_rows singular_events branch_changes time_ratio \
time_ratio_low time_ratio_high max_acceleration_violation mean_velocity_violation_sq position_error reaction_spread \
order message " "keys of a record"
same "$(value out 0.model)" pendulum model
same "$(value out 0.formulation)" lagrange formulation
same "$(value out 0.time_ratio)" 1 "time ratio of lagrange"
same "$(value out 0.status)" ok status
same "$(value out 0.steps)" 100 steps
near "$(value out 0.position_error)" 0 1e-9
near "$(value out 0.reaction_spread)" 0 1e-6
same "$(value out 0.order)" null order

# CSV
compare --csv table.csv --steps '2 ms, 1e-3'
same "$(wc -l <table.csv)" "$((2 * $(wc -l <names) + 1))" "lines of the CSV"
awk -F, 'NR == 1 { n = NF } NF != n { bad = 1 } END { exit bad || n != 22 }' table.csv || fail "a row is not complete"
grep -qE '^lagrange,rk4,0.002,0.1,0.1,ok,50,' table.csv || fail "no row of lagrange: $(head -n 3 table.csv)"
expect 2 "$holon" compare pendulum.yaml --csv nowhere/table.csv
says err "cannot write 'nowhere/table.csv'"

# Lists; without lagrange the times are still relative to it.
expect 0 "$holon" compare pendulum.yaml --formulations ' penalty , direct-correction' --integrators rk4,dopri5 \
    --steps '5 ms,2e-3' --rounds 1 --json
same "$("$json_value" "" <out)" "array 6" "records, dopri5 with one step"
same "$(value out 0.formulation)" penalty "first formulation"
same "$(value out 0.step)" 0.005 "first step"
same "$(value out 2.step)" 0.002 "second step"
same "$(value out 4.integrator)" dopri5 "second integrator"
differ "$(value out 0.time_ratio)" null "time ratio without lagrange"
compare --formulations all --integrators all --json
same "$("$json_value" "" <out)" "array $(($(wc -l <names) * $("$holon" list integrators --names | wc -l)))" "all with all"

# Several steps: the observed order.
compare --formulations direct-correction --steps '20 ms,10 ms' --until '1 s'
says out "work and precision"
grep -qE '^  direct-correction +rk4 +0\.02 .* - ' out || fail "the first step has an order: $(cat out)"
grep -qE '^  direct-correction +rk4 +0\.01 +[0-9.e-]+ +[3-5]\.[0-9] ' out || fail "rk4 has not order 4: $(cat out)"
compare --formulations direct-correction --integrators euler --steps '4 ms,2 ms,1 ms' --until '1 s' --json
near "$(value out 2.order)" 1 0.1

# --accuracy: positions, energy, nobody, and the flags of JSON.
compare --steps '20 ms,10 ms' --accuracy 1e-5
says out "position error of at most 1e-05: fastest is "
says out "times as slow, is"
compare --steps '20 ms,10 ms' --accuracy '1e-3 J'
says out "energy drift of at most 0.001 J: fastest is "
compare --formulations penalty --accuracy 1e-15
says out "position error of at most 1e-15: none of these reaches it"
compare --formulations penalty,direct-correction --accuracy 1e-9 --json
same "$(value out 0.accurate) $(value out 0.recommended)" "false false" penalty
same "$(value out 1.accurate) $(value out 1.recommended)" "true true" direct-correction

# What fails is told with its reason, and the rest goes on.
compare --formulations penalty,lagrange --set 'run.formulation={kind: penalty, omega: 1e6}' --integrators euler
grep -qE '^  penalty .* (not-finite|no-convergence|singular)$' out || fail "penalty did not fail: $(cat out)"
grep -qE '^  lagrange .* ok$' out || fail "lagrange was not run"
grep -qE '^penalty with euler, step 0.001 .*finite' out || fail "no reason is given"
compare --formulations penalty,lagrange --set 'run.formulation={kind: penalty, omega: 1e6}' --integrators euler --json
differ "$(value out 0.status)" ok "status of penalty"
differ "$(value out 0.message)" "" "reason"
same "$(value out 0.position_error)" null "error of penalty"
same "$(value out 1.status)" ok "status of lagrange"

# Without lagrange to compare with there are no ratios, and it says so.
expect 0 "$holon" compare four-bar --until '30 s' --steps 0.1 --formulations direct-correction --rounds 1
says out "no time ratios: lagrange, which they are relative to, fails here"

# Redundant rows: reactions that are not unique are left out of the spread.
expect 0 "$holon" compare scissor-lift --until '20 ms' --rounds 0 --formulations lagrange,direct-correction,null-space \
    --json
for i in 0 1 2; do
    same "$(value out $i.status)" ok "status with redundant rows"
    near "$(value out $i.reaction_spread)" 0 1e-3
done

# Nothing but one free body: no joints, no reactions.
printf 'plane: xy\nbodies: {b: {rigid: [0, 0], mass: 1, inertia: 1}}\nrun: {until: 0.01}\n' >free.yaml
expect 0 "$holon" compare free.yaml --rounds 0
grep -qE '^  direct-correction .* ok$' out || fail "a free body: $(cat out)"

# Plots: ASCII, no more than 80 columns, a letter for each formulation.
compare --formulations lagrange,baumgarte,direct-correction --plot
sed -n '/^largest/,$p' out >plots
same "$(grep -c '^largest' plots)" 2 "number of plots"
says plots "l lagrange  b baumgarte  d direct-correction"
awk 'length > 80 { exit 1 }' plots || fail "a plot is too wide"
if LC_ALL=C grep -q '[^ -~]' plots; then fail "a plot is not ASCII"; fi
expect 0 "$holon" run pendulum.yaml --plot --quiet
says out "d direct-correction"
says out "largest energy drift in J"
expect 2 "$holon" run pendulum.yaml --plot --summary -
says err "leave out --plot"
expect 2 "$holon" compare pendulum.yaml --plot --json
says err "leave out --plot"

# Mistakes
mistake() {
    sentence=$1
    shift
    expect 2 "$holon" compare pendulum.yaml "$@"
    says err "$sentence"
    lines err 1
    empty out
}
mistake "did you mean 'lagrange'?" --formulations lagrang
mistake "did you mean 'rk4'?" --integrators rk5
mistake "--formulations is empty" --formulations ,
mistake "--steps: '1 kg': a value in s is expected, not in kg" --steps '1 ms,1 kg'
mistake "--steps: '0' must be positive" --steps 0
mistake "--steps: 'soon'" --steps soon
mistake "--accuracy: '1 s': a position (1e-6) or an energy ('1e-6 J') is expected" --accuracy '1 s'
mistake "--accuracy: '-1' must be positive" --accuracy=-1
mistake "--rounds: '1.5' is not a whole number" --rounds 1.5
mistake "--rounds: '-1' is not a whole number" --rounds=-1
expect 2 "$holon" compare nonsense
expect 2 "$holon" compare pendulum.yaml --until -1

# An interrupt ends it, also in the middle of a run.
expect 1 timeout --preserve-status -k 20 -s INT 1 "$holon" compare pendulum.yaml --until '1e9 s'
says err "interrupted"
empty out
finish
