#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# holon compare: tables, JSON, CSV, orders, the recommendation, plots; a combination that fails is reported, not fatal.
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
    grep -qE "^  $name( \(newmark\))? .* [0-9.]+ \([0-9.]+-[0-9.]+\) +(good|doubtful|bad) +ok\$" out || fail "no line of $name with a time ratio: $(cat out)"
done <names
grep -qE '^  lagrange .* 1\.00 \(1\.00-1\.00\) ' out || fail "lagrange is not the standard"
for word in "A bar on a pin (pendulum), 0.1 s" "reference: direct-correction with dopri5, tolerance 1e-12, uncertainty" \
    "rk4, step 0.001 s" position velocity accel. "p sq" "v sq" "a sq" energy error reactions evals iters corr. "time ratio" status; do
    says out "$word"
done
lacks out "reference values"
lacks out "work-precision"
says out "index3-augmented-lagrangian (newmark)"
lacks out "direct-correction ("
compare --integrators rk4
says out "integrator 'rk4' cannot run formulation 'index3-augmented-lagrangian'"
compare
lacks out "("-
grep -qE '^  lagrange .* - +good +ok$' out || fail "without rounds there is no time ratio"

# Built-in models that are not changed have reference values.
expect 0 "$holon" compare pendulum --until 1 --rounds 0 --formulations lagrange
says out "reference values of the model"
expect 0 "$holon" compare pendulum --until 1 --rounds 0 --formulations lagrange --set gravity.1=-1
lacks out "reference values of the model"

# The same numbers each time; the times are not.
compare --json
cp out first
compare --json
for file in first out; do grep -vE '"(wall_s|processor_s)"' $file >$file.plain; done
cmp -s first.plain out.plain || fail "two comparisons differ"

# JSON: the keys of a summary, then those of a comparison.
expect 0 "$holon" compare pendulum.yaml --rounds 2 --json
empty err
same "$("$json_value" "" <out)" "array $(wc -l <names)" "records"
same "$("$json_value" -keys 0 <out | tr '\n' ' ')" "model formulation integrator coordinates step choice until reached status \
steps shortened_steps evaluations iterations divisions position_iterations max_position_iterations wall_s processor_s max_position_violation \
max_velocity_violation mean_position_violation_sq \
energy_initial energy_final max_energy_drift max_off_manifold_energy dof redundant_rows reactions non_unique_reactions reactions_examined changing_reactions reactions_unresolved_since singular_events \
branch_changes ambiguous_branches recoveries estimated_error verdict findings time_ratio \
time_ratio_low time_ratio_high max_acceleration_violation mean_velocity_violation_sq position_error reaction_error \
order mean_acceleration_violation_sq reference_error known_error reference_method second_method second_difference ida_difference without_ida references \
remark message " "keys of a record"
same "$(value out 0.model)" pendulum model
same "$(value out 0.formulation)" lagrange formulation
same "$(value out 0.time_ratio)" 1 "time ratio of lagrange"
same "$(value out 0.status)" ok status
same "$(value out 0.steps)" 100 steps
near "$(value out 0.position_error)" 0 1e-9
near "$(value out 0.reaction_error)" 0 1e-6
same "$(value out 0.order)" null order

# CSV
compare --csv table.csv --steps '2 ms, 1e-3'
same "$(wc -l <table.csv)" "$((2 * $(wc -l <names) + 1))" "lines of the CSV"
awk -F, 'NR == 1 { n = NF } NF != n { bad = 1 } END { exit bad || n != 38 }' table.csv || fail "a row is not complete"
grep -qE '^lagrange,rk4,0.002,0.1,0.1,ok,50,' table.csv || fail "no row of lagrange: $(head -n 3 table.csv)"
expect 2 "$holon" compare pendulum.yaml --csv nowhere/table.csv
says err "cannot write 'nowhere/table.csv'"
empty out
expect 1 "$holon" compare pendulum.yaml --rounds 0 --csv /dev/full
says err "cannot write '/dev/full'"
expect 0 "$holon" compare pendulum.yaml --rounds 0 --csv /dev/null
[ -c /dev/null ] || fail "/dev/null was replaced"

# - prints the CSV, and nothing else.
compare --csv - --steps '2 ms, 1e-3'
same "$(wc -l <out)" "$(wc -l <table.csv)" "lines of the CSV"
head -n 1 table.csv >header
head -n 1 out | cmp -s - header || fail "--csv - prints something else"
[ ! -e ./- ] || fail "--csv - wrote a file"

# Nothing that is there is lost: not the model, by whatever name, and no table of before if this one fails.
cp pendulum.yaml kept.yaml
ln -s pendulum.yaml link.yaml
ln pendulum.yaml hard.yaml
for path in pendulum.yaml ./pendulum.yaml link.yaml hard.yaml; do
    expect 2 "$holon" compare pendulum.yaml --rounds 0 --csv $path
    says err "'$path' is a file of the model: results would replace it"
    expect 2 "$holon" run pendulum.yaml --summary $path
    says err "'$path' is a file of the model: results would replace it"
done
cmp -s pendulum.yaml kept.yaml || fail "the model was replaced"
cp table.csv before.csv
expect 2 "$holon" compare pendulum.yaml --rounds 0 --csv table.csv --formulations lagrang
start "$holon" compare pendulum.yaml --until '1e6 s' --csv table.csv
stop INT 1
cmp -s table.csv before.csv || fail "a failure has changed the table of before"
ln -s table.csv linked.csv
chmod 600 table.csv
compare --csv linked.csv
[ -L linked.csv ] || fail "a link was replaced"
cmp -s table.csv before.csv && fail "the table behind a link was not written"
same "$(ls -l table.csv | cut -c1-10)" "-rw-------" "mode of the table"
same "$(ls ./*part* 2>/dev/null)" "" "files left behind"

# JSON, CSV and the table, which rounds, have the same numbers.
expect 0 "$holon" compare pendulum.yaml --rounds 0 --until 1 --csv same.csv --json
cp out same.json
expect 0 "$holon" compare pendulum.yaml --rounds 0 --until 1
cp out same.txt
# column NAME: of the first line of the table, where a name may have a blank, by position; row 3 is penalty.
cell() {
    awk -v k="$1" '/^  penalty / { print $k; exit }' same.txt
}
field() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == name) k = i } /^penalty,/ { print $k; exit }' \
        same.csv
}
same "$(value same.json 2.formulation)" penalty "third record"
k=2
for key in max_position_violation max_velocity_violation max_acceleration_violation max_energy_drift \
    mean_position_violation_sq mean_velocity_violation_sq mean_acceleration_violation_sq position_error \
    reaction_error evaluations iterations max_position_iterations; do
    in_json=$(value same.json 2.$key)
    awk -v a="$in_json" -v b="$(field $key)" 'BEGIN { exit !(a != "" && a + 0 == b + 0) }' ||
        fail "$key: $in_json in JSON, $(field $key) in CSV"
    wanted=$in_json
    case $key in evaluations | *iterations) ;; *) wanted=$(printf '%.2g' "$in_json") ;; esac
    same "$(cell $k)" "$wanted" "$key in the table"
    k=$((k + 1))
done
for key in reference_error position_iterations energy_final dof; do
    awk -v a="$(value same.json 2.$key)" -v b="$(field $key)" 'BEGIN { exit !(a != "" && a + 0 == b + 0) }' ||
        fail "$key: $(value same.json 2.$key) in JSON, $(field $key) in CSV"
done
differ "$(value same.json 6.position_iterations)" 0 "position iterations of direct-correction"
expect 0 "$holon" run pendulum.yaml --formulation direct-correction
says out "position corrections, max "

# Lists; without lagrange the times are still relative to it.
expect 0 "$holon" compare pendulum.yaml --formulations ' penalty , direct-correction' --integrators rk4,dopri5 \
    --steps '5 ms,2e-3' --rounds 1 --json
same "$("$json_value" "" <out)" "array 6" "records, dopri5 with one step"
same "$(value out 0.formulation)" penalty "first formulation"
same "$(value out 0.step)" 0.005 "first step"
same "$(value out 2.step)" 0.002 "second step"
same "$(value out 4.integrator)" dopri5 "second integrator"
differ "$(value out 0.time_ratio)" null "time ratio without lagrange"
compare --formulations lagrange,all,penalty --integrators rk4,all --json
same "$("$json_value" "" <out)" "array $(($(wc -l <names) * $("$holon" list integrators --names | grep -vc automatic)))" "all with all"

# Several steps: the observed order.
compare --formulations direct-correction --steps '20 ms,10 ms' --until '1 s'
says out "work-precision"
grep -qE '^  direct-correction +rk4 +0\.02 .* - ' out || fail "the first step has an order: $(cat out)"
grep -qE '^  direct-correction +rk4 +0\.01 +[0-9.e-]+ +[3-5]\.[0-9] ' out || fail "rk4 has not order 4: $(cat out)"
compare --formulations direct-correction --integrators euler --steps '4 ms,2 ms,1 ms' --until '1 s' --json
near "$(value out 2.order)" 1 0.1

# Runs that are not good are explained below the table.
expect 0 "$holon" compare pendulum.yaml --rounds 0 --until 2 --steps 0.2 --formulations lagrange --integrators euler
says out "lagrange with euler, step 0.2 s is bad: "

# --accuracy: positions, energy, nobody, and the flags of JSON.
compare --steps '20 ms,10 ms' --accuracy 1e-5
says out "position error of at most 1e-05: fastest is "
# Which is the fastest depends on the machine: any formulation with any integrator.
fastest=$(sed -n 's/.*fastest is \([a-z0-9-]* with [a-z0-9-]*\),.*/\1/p' out)
next=$(sed -n 's/.*times its CPU time, is \([a-z0-9-]* with [a-z0-9-]*\),.*/\1/p' out)
differ "$fastest" "" "the fastest"
differ "$next" "" "the next"
differ "$next" "$fastest" "the next"
says out "by CPU time of one run each, which is imprecise"
compare --steps '20 ms,10 ms' --accuracy '1e-3 J'
says out "energy drift of at most 0.001 J: fastest is "
expect 0 "$holon" compare pendulum.yaml --rounds 2 --accuracy 1e-5
says out "by CPU time, median of 2 rounds"
compare --formulations penalty --set 'run.formulation={kind: penalty, omega: 1e6}' --integrators euler --accuracy 1
says out "position error of at most 1: no run finished"
compare --formulations direct-correction --accuracy 1e-3 --json
same "$(value out 0.accurate) $(value out 0.recommended)" "true true" "the only one"
compare --formulations penalty --accuracy 1e-15
says out "position error of at most 1e-15: no run reaches it"
compare --formulations penalty,direct-correction --accuracy 1e-9 --json
same "$(value out 0.accurate) $(value out 0.recommended)" "false false" penalty
same "$(value out 1.accurate) $(value out 1.recommended)" "true true" direct-correction

# A failure is reported with its reason, and the others run.
compare --formulations penalty,lagrange --set 'run.formulation={kind: penalty, omega: 1e6}' --integrators euler
grep -qE '^  penalty .* too-stiff$' out || fail "penalty did not fail: $(cat out)"
grep -qE '^  lagrange .* ok$' out || fail "lagrange was not run"
grep -qE 'too stiff for explicit steps of 0.001 s \(euler\)' out || fail "no reason is given"
compare --formulations penalty,lagrange --set 'run.formulation={kind: penalty, omega: 1e6}' --integrators euler --json
differ "$(value out 0.status)" ok "status of penalty"
same "$(value out 0.verdict)" bad "verdict of penalty"
differ "$(value out 0.message)" "" "reason"
same "$(value out 0.position_error)" null "error of penalty"
same "$(value out 1.status)" ok "status of lagrange"

# A run that finishes with nonsense is inaccurate; a failure is listed with the others; a long step needs no samples.
expect 0 "$holon" compare four-bar --until 1 --steps '2,1e-3' --formulations lagrange,coordinate-partitioning --rounds 0
grep -qE '^  lagrange +rk4 +2 .* ok, inaccurate$' out || fail "lagrange is not inaccurate: $(cat out)"
grep -qE '^  coordinate-partitioning +rk4 +2 +- +- +- +- +- +no-convergence$' out || fail "a failure is not listed: $(cat out)"
expect 0 "$holon" compare four-bar --until 1 --steps 2 --formulations lagrange --rounds 0 --json
same "$(value out 0.status), $(value out 0.remark)" "ok, inaccurate" "remark"
compare --formulations lagrange --integrators rk4,dopri5
grep -qE '^  lagrange +dopri5 +- ' out || fail "an adaptive integrator has a step: $(cat out)"
compare --formulations lagrange --integrators dopri5 --steps 1e-15
grep -qE "^  lagrange .* ok$" out || fail "an adaptive integrator may begin with a small step: $(cat out)"
compare --formulations lagrange,lagrange --steps '1 ms,1e-3' --json
same "$("$json_value" "" <out)" "array 1" "records of what is named twice"

# Without lagrange, their baseline, there are no time ratios.
expect 0 "$holon" compare four-bar --until '30 s' --steps 0.1 --formulations direct-correction --rounds 1
says out "no time ratios: lagrange, their baseline, fails here"

# Redundant constraint equations: reactions that are not unique are left out of the spread.
expect 0 "$holon" compare scissor-lift --until '20 ms' --rounds 0 --formulations lagrange,direct-correction,null-space \
    --json
for i in 0 1 2; do
    same "$(value out $i.status)" ok "status with redundant rows"
    near "$(value out $i.reaction_error)" 0 1e-3
done

# Nothing but one free body: no joints, no reactions.
printf 'plane: xy\nbodies: {b: {rigid: [0, 0], mass: 1, inertia: 1}}\nrun: {until: 0.01}\n' >free.yaml
expect 0 "$holon" compare free.yaml --rounds 0
grep -qE '^  direct-correction .* ok$' out || fail "a free body: $(cat out)"

# Plots: ASCII, no more than 80 columns, a letter for each formulation.
compare --formulations lagrange,baumgarte,direct-correction --plot
sed -n '/^max /,$p' out >plots
same "$(grep -c '^max ' plots)" 2 "number of plots"
says plots "l lagrange  b baumgarte  d direct-correction"
awk 'length > 80 { exit 1 }' plots || fail "a plot is too wide"
if LC_ALL=C grep -q '[^ -~]' plots; then fail "a plot is not ASCII"; fi
expect 0 "$holon" run pendulum.yaml --plot --quiet
says out "d direct-correction"
says out "max energy drift in J"
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
mistake "'automatic' is a choice among integrators" --integrators rk4,automatic
mistake "did you mean 'rk4'?" --integrators RK4
mistake "--steps: 'all'" --steps all
mistake "steps until" --steps 1e-15
mistake "leave out --json" --csv - --json
mistake "leave out --plot" --csv - --plot
mistake "--formulations is empty" --formulations ,
mistake "--steps: '1 kg': a value in s is expected, not in kg" --steps '1 ms,1 kg'
mistake "--steps: '0' must be positive" --steps 0
mistake "--steps: 'soon'" --steps soon
mistake "--accuracy: '1 s' is neither a position error (1e-6) nor an energy drift ('1e-6 J')" --accuracy '1 s'
mistake "--accuracy: '-1' must be positive" --accuracy=-1
mistake "--rounds: '1.5' is not a whole number" --rounds 1.5
mistake "--rounds: '-1' is not a whole number" --rounds=-1
expect 2 "$holon" compare nonsense
expect 2 "$holon" compare pendulum.yaml --until -1

# An interrupt ends it, also in the middle of a run.
start "$holon" compare pendulum.yaml --until '1e9 s'
stop INT 1
says err "interrupted"
empty out

# During the timing rounds, which the progress line on a terminal shows, it keeps what was measured and the rounds so far.
if command -v script >/dev/null; then
    cat >timing.sh <<'END'
echo $$ >pid
exec "$1" compare pendulum.yaml --rounds 1000 --until 5 --formulations lagrange,penalty --csv part.csv >out
END
    script -qefc "sh timing.sh '$holon'" progress </dev/null >/dev/null &
    job=$!
    until_says progress "round 2 of 1000"
    kill -s TERM "$(cat pid)"
    wait $job
    same $? 1 "exit code after an interrupt of the timing rounds"
    says progress "interrupted: times are from "
    grep -qE '^  penalty .* ok$' out || fail "nothing is left: $(cat out)"
    lines part.csv 3
fi

# On a narrow terminal the table is split, each part with the formulations; in a pipe it is not.
if command -v script >/dev/null; then
    COLUMNS=80 script -qec "$holon compare pendulum.yaml --quiet --rounds 0 --accuracy 1e-5" /dev/null </dev/null | tr -d '\r' >narrow
    awk 'length > 80 { exit 1 }' narrow || fail "a line is too long: $(awk 'length > 80' narrow | head -n 1)"
    [ "$(grep -c '^  lagrange ' narrow)" -gt 1 ] || fail "the table is not broken: $(cat narrow)"
    COLUMNS=300 script -qec "$holon compare pendulum.yaml --quiet --rounds 0" /dev/null </dev/null | tr -d '\r' >wide
    same "$(grep -c '^  lagrange ' wide)" 1 "parts of the table"
fi
COLUMNS=80 expect 0 "$holon" compare pendulum.yaml --rounds 0
same "$(grep -c '^  lagrange ' out)" 1 "parts of the table in a pipe"
finish
