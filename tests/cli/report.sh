#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# holon run --report and compare --report: pages that keep their contract, whatever the names and however a run ends.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"
write_pendulum
stub_page # but for the last tests

# All states of a short run, the same as in the file, and what stands around the mark.
expect 0 "$holon" run pendulum.yaml --report a.html --output a.csv --quiet
empty out
empty err
page a.html --csv a.csv
same "$(cat out)" "101 24 1 1 2" "what the page holds"
same "$(head -n 1 a.html)" "<html><body>before" "what stands before the mark"
same "$(tail -n 1 a.html)" "<p>after</p></body></html>" "what stands behind it"

# Thinned: every k-th, the last one too, violations keep the largest; the same each time.
for rows in 2 7 50 100 101 1000; do
    expect 0 "$holon" run pendulum.yaml --report b.html --report-rows $rows --output b.csv --quiet
    page b.html --csv b.csv
    [ "$(cut -d ' ' -f 1 out)" -le "$rows" ] || fail "$(cat out) rows instead of $rows"
    sed 's/"wall_s": *[^,]*,"processor_s": *[^,]*//; s/wall time [^ ]* s//' b.html >first
    expect 0 "$holon" run pendulum.yaml --report b.html --report-rows $rows --quiet
    sed 's/"wall_s": *[^,]*,"processor_s": *[^,]*//; s/wall time [^ ]* s//' b.html >second
    cmp -s first second || fail "two reports of the same run differ ($rows rows)"
done
cmp -s a.csv b.csv || fail "a report changes the results"
# An even number of states ends with one that is not a k-th.
for rows in 2 7 50 51 100; do
    expect 0 "$holon" run pendulum.yaml --until 0.101 --report b.html --report-rows $rows --output b.csv --quiet
    page b.html --csv b.csv
    expect 0 "$holon" view b.csv --output b.html --report-rows $rows --no-open
    page b.html --csv b.csv
done

# --every, adaptive steps, another record list, real time.
expect 0 "$holon" run pendulum.yaml --report c.html --every 0.02 --output c.csv --quiet
page c.html --csv c.csv
expect 0 "$holon" run pendulum.yaml --report c.html --integrator dopri5 --output c.csv --quiet
page c.html --csv c.csv
expect 0 "$holon" run pendulum.yaml --report c.html --record singular,pin.local --output c.csv --quiet
page c.html --csv c.csv
expect 0 "$holon" run pendulum.yaml --report c.html --realtime=100 --quiet
page c.html --show verdicts
says out "Real time: "

# Verdicts with numbers.
page a.html --show verdicts
says out '"good", "text": "Max position violation '
says out '"good", "text": "Max energy drift '
says out "All reactions are unique"
expect 3 "$holon" run pendulum.yaml --formulation penalty --set run.formulation.alpha=1 --report p.html --quiet
page p.html --show verdicts
says out '"bad", "text": "Max position violation '

# Velocities count where there are no positions; a mechanism at rest keeps its energy; a free body has no constraints.
expect 0 "$holon" run chaplygin-sleigh --formulation lagrange --integrator euler --step 0.05 --until 5 --report p.html --quiet
page p.html --show verdicts
says out '"doubtful", "text": "Max velocity violation 0.1'
cat >free.yaml <<'END'
plane: xy
bodies: {bar: {bar: [[0, 0], [1, 0]], mass: 1}}
run: {until: 0.01 s, step: 1 ms}
END
cat >rest.yaml <<'END'
plane: xy
gravity: [0, -9.81]
bodies: {bar: {bar: [[0.1, 0.3], [0.1, -0.7]], mass: 1.7}, b: {bar: [[0.1, -0.7], [0.7, -1.7]], mass: 1.7}}
joints: {clamp: {fixed: [ground, bar], at: [0.1, 0.3]}, weld: {fixed: [bar, b], at: [0.1, -0.7]}}
run: {until: 1 s, step: 1 ms}
END
expect 0 "$holon" run rest.yaml --report p.html --quiet
page p.html --show verdicts
says out '"good", "text": "Max energy drift'
expect 0 "$holon" run free.yaml --report p.html --quiet
page p.html --show verdicts
lacks out "position violation"
lacks out "All reactions are unique"

# Schemes that dissipate energy by design: how much, and whether that is too much; bad only where the energy rose.
# energy OPTIONS: the verdict on energy of a run is in out.
energy() {
    expect 0 "$holon" run "$@" --accept bad --report d.html --summary d.json --quiet
    page d.html --show verdicts
}
decaying="--set run.coordinates=natural --formulation energy-decaying --integrator built-in"
implicit="--formulation index3-augmented-lagrangian --integrator"
# shellcheck disable=SC2086 # several words
{
    energy four-bar $decaying --until 2
    lost=$(sed -n 's/.*"good", "text": "The scheme dissipates energy by design: \([^ ]*\) J, .*/\1/p' out)
    differ "$lost" "" "energy that decayed: $(cat out)"
    awk -v a="$(value d.json energy_initial)" -v b="$(value d.json energy_final)" -v l="$lost" \
        'BEGIN { exit !(a - b > 0.97 * l && a - b < 1.03 * l) }' || fail "$lost J are not what was lost"
    lacks out '"bad"'
    energy four-bar $decaying --step 0.02 --until 2
    says out '"doubtful", "text": "The scheme dissipates energy by design: '
    says out "Take a shorter step, or energy-preserving, which conserves energy."
    energy four-bar $decaying --set run.formulation.alpha=0 --until 1
    says out '"good", "text": "Max energy drift'
    energy four-bar $implicit newmark --set run.integrator.gamma=0.9 --set run.integrator.beta=0.49 --until 2
    says out '"doubtful", "text": "The scheme dissipates energy by design'
    says out "Take a shorter step, or newmark with gamma = 1/2, which conserves energy."
    energy four-bar $implicit generalized-alpha --set run.integrator.rho=0 --step 0.03
    grep -qE '"(doubtful|bad)", "text": "Max energy drift' out || fail "an oscillating energy: $(cat out)"
    energy four-bar $implicit generalized-alpha --until 2
    says out '"good", "text": "Max energy drift' # the energy oscillates, which is no dissipation
    energy four-bar --formulation lagrange --integrator euler --step 0.01
    lacks out "by design"
    lacks out "of kinetic energy belong to velocities"
    preserving="--set run.coordinates=natural --formulation energy-preserving --integrator built-in"
    preserving="$preserving --set run.formulation.constraint_velocity=carried"
    energy four-bar $preserving --step 0.1
    says out '"good", "text": "Max energy drift'
    grep -qE '"(doubtful|bad)", "text": "Up to [0-9.]+ J of' out || fail "off-manifold energy: $(cat out)"
    energy four-bar $preserving --step 0.02 --until 20
    says out '"good", "text": "Up to 0.11 J of 94' # 0.105 J
}

# A run that ends early has its report too, with the reason.
cat >early.yaml <<'END'
extends: pendulum.yaml
forces: {blow: {force: bar, at: B, vector: [0, '1/(0.05 - t)^2*1e6']}}
END
"$holon" run early.yaml --report early.html --output early.csv --quiet >out 2>err
code=$?
same "$code" 1 "exit code of a run that ends early"
says err "ended early"
page early.html --csv early.csv
page early.html --show verdicts
says out "The run ended early, at t = "
page early.html --show events
says out '"kind": "end"'

# Redundant rows: which reactions are not unique. Singular configurations: events with their times.
expect 0 "$holon" run spatial-parallelogram --until 0.05 --report r.html --quiet
page r.html --show joints
says out "false"
page r.html --show verdicts
says out "The motion does not determine all reactions of"
says out ": distributed by stiffness."
expect 0 "$holon" run spatial-parallelogram --until 0.01 --reactions as-computed --report r.html --quiet
page r.html --show verdicts
says out ": shown as the formulation computed them."
(
    trap '' XFSZ
    ulimit -f 100
    exec "$holon" run pendulum.yaml --until 20 --output grown.csv --report r.html --report-rows 10 --quiet
) >out 2>err
same "$?" 1 "exit code where the disk is full"
page r.html --show verdicts
says out "of 20 s: cannot write 'grown.csv': "
expect 0 "$holon" run slider-crank --until 2 --report s.html --quiet
page s.html --show events
says out '"kind": "'

# Hostile names never get out of their strings.
evil='</script><img/onerror=alert(1)>'
line=$(printf 'a\302\240b') # U+00A0
cat >hostile.yaml <<END
title: "</script><script>alert('title')</script> <!-- \\" ' a\u00a0b"
plane: xy
bodies: {"$evil": {bar: [[0, 0], [1, 0]], mass: 1}, "a\u00a0b": {bar: [[1, 0], [2, 0]], mass: 1}}
joints:
  "<b>": {revolute: [ground, "$evil"], at: [0, 0]}
  "&amp;": {revolute: ["$evil", "a\u00a0b"], at: [1, 0]}
run: {until: 0.01 s, step: 1 ms}
END
expect 0 "$holon" run hostile.yaml --report h.html --output h.csv --quiet
page h.html --csv h.csv
lacks h.html "</script><img"
lacks h.html "alert('title')</script>"
page h.html --show bodies
says out "$evil"
says out "$line"

# Every built-in model; the numbers of bodies are those of holon check.
for model in $("$holon" list models --names); do
    expect 0 "$holon" run "$model" --until 0.01 --report m.html --quiet
    page m.html
done

# A ten-second run is a small page.
expect 0 "$holon" run five-bar-pendulum --until 10 --report five.html --quiet
[ "$(wc -c <five.html)" -lt 1200000 ] || fail "the numbers of the five-bar pendulum take $(wc -c <five.html) bytes"

# compare: records, series, recommendation, and the motion of one run.
expect 0 "$holon" compare pendulum.yaml --rounds 1 --report compare.html --quiet
page compare.html
page compare.html --show advice
says out "fastest is"
grep -q '^\[{"text": "[^"]*fastest is' out || fail "the recommendation does not come first"
expect 0 "$holon" compare pendulum.yaml --formulations lagrange,penalty --steps 2e-3,1e-3 --accuracy 1e-3 --rounds 0 \
    --report compare.html --json
page compare.html --show series
says out "penalty rk4 0.002"
page compare.html --show records
"$json_value" 1.formulation <out >found
same "$(cat found)" "$(value out 1.formulation)" "records"

expect 0 "$holon" compare early.yaml --formulations lagrange --rounds 0 --report compare.html --quiet
grep -q '"text": "No recommendation: no run finished."' compare.html || fail "a recommendation where no run finished"
lacks compare.html "at most nan"

# A page that cannot be written is reported before the run begins, in one line.
one_sentence() {
    lines err 1
    says err "$1"
}
expect 2 "$holon" run pendulum.yaml --report nowhere/x.html
one_sentence "cannot write 'nowhere/x.html': No such file or directory"
expect 2 "$holon" run pendulum.yaml --report .
one_sentence "cannot write '.': Is a directory"
expect 2 "$holon" run pendulum.yaml --report -
one_sentence "--report needs a file name"
expect 2 "$holon" run pendulum.yaml --report x.csv
one_sentence "--report writes HTML: 'x.csv' must end in .html"
[ ! -e x.csv ] || fail "a page was written into a file of results"
expect 2 "$holon" run pendulum.yaml --report pendulum.yaml
one_sentence "'pendulum.yaml' is a file of the model: results would replace it"
expect 2 "$holon" run pendulum.yaml --report x.csv --output x.csv
one_sentence "--output and --report name the same file"
expect 2 "$holon" compare pendulum.yaml --report nowhere/x.html
one_sentence "cannot write 'nowhere/x.html'"
for rows in 1 0 -5 x 1e3 10000000; do
    expect 2 "$holon" run pendulum.yaml --report x.html --report-rows=$rows
    one_sentence "--report-rows: '$rows' is not a whole number from 2 to 1000000"
done
[ ! -e x.html ] || fail "a page was written after a mistake"
expect 0 "$holon" run pendulum.yaml --report-rows 10
says err "warning: --report-rows has no effect: there is no --report"
printf 'no mark' >other.html
HOLON_PAGE=other.html expect 2 "$holon" run pendulum.yaml --report x.html
one_sentence "has no mark"
HOLON_PAGE=missing.html expect 2 "$holon" run pendulum.yaml --report x.html
one_sentence "cannot read 'missing.html'"

# The built-in page; without viewer/ the message says what is missing.
unset HOLON_PAGE
if [ ! -e "$source/viewer/package.json" ]; then
    expect 2 "$holon" run pendulum.yaml --report x.html
    one_sentence "this build has no report page: install Node.js and npm"
    [ ! -e x.html ] || fail "a page was written"
    finish
fi
expect 0 "$holon" run five-bar-pendulum --until 10 --report built.html --quiet
page built.html
[ "$(wc -c <built.html)" -lt 3000000 ] || fail "the page has $(wc -c <built.html) bytes"
finish
