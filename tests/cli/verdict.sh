#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Verdicts: the words and exit codes of run, the findings of the JSON summary, --accept, --verify.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"
write_pendulum

# A good run: exit code 0, no reasons.
expect 0 "$holon" run pendulum.yaml
grep -qE '^  verdict +good$' out || fail "no good verdict: $(cat out)"
expect 0 "$holon" run pendulum.yaml --summary -
same "$(value out verdict)" good verdict
same "$("$json_value" -keys findings.0 <out | tr '\n' ' ')" "verdict what value limit reason advice " "keys of a finding"
for what in "position violation" "velocity violation" "energy balance" "estimated error"; do
    says out "\"what\": \"$what\""
done
same "$(value out findings.0.advice)" "" "advice of a good finding"
awk -v e="$(value out estimated_error)" 'BEGIN { exit !(e > 0 && e < 1e-8) }' || fail "estimated error $(value out estimated_error)"

# A bad one: exit code 3 with reasons and advice, 0 if that is accepted.
bad="pendulum.yaml --until 2 --step 0.2 --formulation lagrange --integrator euler"
# shellcheck disable=SC2086 # several words
{
    expect 3 "$holon" run $bad
    grep -qE '^  verdict +bad$' out || fail "no bad verdict: $(cat out)"
    says out "energy balance: Max energy drift "
    says out "of the energy in motion"
    says out "Take a shorter step"
    expect 0 "$holon" run $bad --accept bad
    grep -qE '^  verdict +bad$' out || fail "--accept changes the verdict: $(cat out)"
    expect 3 "$holon" run $bad --quiet --summary s.json --output s.csv
    same "$(value s.json verdict) $(value s.json findings.0.verdict) $(value s.json status)" "bad bad ok" "verdict"
    awk -v v="$(value s.json findings.0.value)" -v l="$(value s.json findings.0.limit)" 'BEGIN { exit !(v > l) }' ||
        fail "the value is not above the limit"
    differ "$(value s.json findings.0.advice)" "" "advice"
    [ -s s.csv ] || fail "a bad run keeps no results"
    expect 2 "$holon" run $bad --accept doubtful
    says err "--accept takes 'bad', but got 'doubtful'"
}

# A run that stops is 1, whatever its verdict.
cat >early.yaml <<'END'
extends: pendulum.yaml
forces: {blow: {force: bar, at: B, vector: [0, '1/(0.05 - t)^2*1e6']}}
END
expect 1 "$holon" run early.yaml --summary s.json --accept bad
same "$(value s.json verdict) $(value s.json findings.0.what)" "bad end" "verdict of a run that stops"

# A small energy drift is compared with the energy that moves, not with that of a preload or of a height.
cat >heavy.yaml <<'END'
plane: xy
gravity: [0, -9.81]
points: {A: [0, 1e7], B: [1, 1e7]}
bodies: {bar: {bar: [A, B], mass: 2}}
joints: {pin: {revolute: [ground, bar], at: A}}
run: {until: 2, step: 0.5, formulation: direct-correction, integrator: rk4}
END
expect 3 "$holon" run heavy.yaml
says out "energy balance: Max energy drift "

# --verify: the error of every column, and of the positions among the findings.
expect 0 "$holon" run pendulum.yaml --until 1 --step 0.02 --verify --record bar --summary s.json
says out "Error, from the difference to the repeated run"
grep -qE '^  bar\.x +[0-9.e-]+ +[0-9.e-]+ +[0-9.]+$' out || fail "no error of bar.x: $(cat out)"
grep -q "verified error" s.json || fail "no verified error among the findings"
lacks s.json '"what": "estimated error"'
"$json_value" -keys verify.0 <s.json | tr '\n' ' ' | grep -q '^column error relative $' || fail "no columns of --verify"
same "$(value s.json verify.0.column)" bar.x "first column of --verify"
# The error of rk4 with 20 ms, which dopri5 measures.
expect 0 "$holon" run pendulum.yaml --until 1 --step 0.02 --output coarse.csv --record bar --every 0.1 --quiet
expect 0 "$holon" run pendulum.yaml --until 1 --integrator dopri5 --set run.integrator.tolerance=1e-12 --output exact.csv \
    --record bar --every 0.1 --quiet
expect 0 "$holon" run pendulum.yaml --until 1 --step 0.02 --verify --record bar
difference=$(awk '$1 == "bar.x" { print $2 }' out)
paste -d, coarse.csv exact.csv >both.csv
awk -F, -v d="$difference" 'NR > 1 { e = $2 - $(NF / 2 + 2); if (e < 0) e = -e; if (e > most) most = e }
    END { exit !(most > 0 && d > 0.95 * most && d < 1.05 * most) }' both.csv || fail "--verify: $difference is not the error"
expect 0 "$holon" run pendulum.yaml --integrator dopri5 --verify
says out "Error, from the difference to the repeated run"
expect 3 "$holon" run pendulum.yaml --until 20 --step 0.25 --formulation lagrange --verify --summary s.json --quiet
says s.json "verified error"

# The difference of a method of first order is half its error.
expect 0 "$holon" run pendulum.yaml --until 1 --step 0.0005 --integrator euler --output coarse.csv --record bar --every 0.1 --quiet
expect 0 "$holon" run pendulum.yaml --until 1 --step 0.0005 --integrator euler --verify --record bar
difference=$(awk '$1 == "bar.x" { print $2 }' out)
paste -d, coarse.csv exact.csv >both.csv
awk -F, -v d="$difference" 'NR > 1 { e = $2 - $(NF / 2 + 2); if (e < 0) e = -e; if (e > most) most = e }
    END { exit !(most > 0 && d > 0.95 * most && d < 1.05 * most) }' both.csv || fail "--verify: $difference is not the error of euler"

# Quaternions keep their signs in the repeated run; energies are relative to the energy in motion, violations to nothing.
expect 0 "$holon" run gyroscope --set parameters.spin=260 --coordinates natural --until 2 --verify --record top,energy,violation --summary s.json
empty err
awk '$1 ~ /^(top.e[0-3]|energy[.].*)$/ && !($3 < 1e-3) { wrong = 1 } $1 ~ /^violation[.]/ && $3 != "-" { wrong = 1 } END { exit wrong }' out ||
    fail "errors of a good run: $(cat out)"
finish
