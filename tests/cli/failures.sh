#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Failures of files and pipes, and runs that end early: one message, the right exit code, results kept.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"
write_pendulum

# Models that cannot be read
expect 2 "$holon" run missing.yaml
says err "missing.yaml"
lines err 1
expect 2 "$holon" run pendulm
says err "did you mean 'pendulum'?"
lines err 1
mkdir folder.yaml
expect 2 "$holon" run folder.yaml
says err "folder.yaml"
lines err 1
expect 2 "$holon" check ./folder.yaml/
expect 2 "$holon" run ''
printf 'plane: [xy\n' >broken.yaml
expect 2 "$holon" run broken.yaml
says err "broken.yaml:"
printf '\377\376\000' >bytes.yaml
expect 2 "$holon" check bytes.yaml
: >empty.yaml
expect 2 "$holon" run empty.yaml
head -c 100000 /dev/zero | tr '\0' '[' >deep.yaml
expect 2 "$holon" check deep.yaml

# Files that cannot be written are refused before the run.
for path in no/such/folder/x.csv folder.yaml/../folder.csv/x.csv; do
    expect 2 "$holon" run pendulum.yaml --output "$path"
    says err "cannot write '$path'"
    lines err 1
    empty out
done
mkdir folder.csv folder.json
expect 2 "$holon" run pendulum.yaml --output folder.csv
says err "Is a directory"
expect 2 "$holon" run pendulum.yaml --summary folder.json
says err "Is a directory"
expect 2 "$holon" run pendulum.yaml --summary no/such/folder.json
says err "cannot write"

# Bad input leaves the results of an earlier run alone.
expect 0 "$holon" run pendulum.yaml --output kept.csv
cp kept.csv before.csv
expect 2 "$holon" run pendulum.yaml --output kept.csv --formulation nonsense
cmp -s kept.csv before.csv || fail "bad input has changed a file"

# Full disks
if [ -w /dev/full ]; then
    ln -s /dev/full full.csv
    expect 2 "$holon" run pendulum.yaml --output full.csv
    says err "No space left"
    "$holon" run pendulum.yaml >/dev/full 2>err
    same $? 1 "exit code when the summary cannot be printed"
    says err "cannot write the output"
    "$holon" list >/dev/full 2>err
    same $? 1 "exit code when a list cannot be printed"
    ln -s /dev/full full.json
    expect 1 "$holon" run pendulum.yaml --summary full.json
    says err "cannot write 'full.json'"
fi
# shellcheck disable=SC2016 # for the inner shell
expect 1 sh -c 'ulimit -f 40 && exec "$0" "$@"' "$holon" run pendulum.yaml --until 10 --output large.csv --summary -
says err "cannot write 'large.csv'"
same "$(value out status)" not-written "status of a run that could not be written"
[ "$(wc -l <large.csv)" -gt 20 ] || fail "the results so far were not kept"

# A reader that goes away is no one's mistake, and costs no results.
for format in csv npy; do
    { "$holon" run pendulum.yaml --output piped.$format 2>err && sleep 0.2; } | true
    [ -s piped.$format ] || fail "a closed pipe has cost the results"
    lacks err "Broken pipe"
done
for command in list "check four-bar" "run pendulum.yaml" "modes pendulum" "compare pendulum --until 0.01 --rounds 0"; do
    # shellcheck disable=SC2086 # words
    { sleep 0.2 && { "$holon" $command 2>err; echo $? >code; }; } | true
    same "$(cat code)" 141 "exit code of '$command' when its reader has gone"
    empty err
done

# Records that are too many are refused before a file is opened.
echo keep >kept.csv
expect 2 "$holon" run pendulum.yaml --until 1 --every 1e-12 --output kept.csv
says err "'every' is too small (1e-12 s)"
same "$(cat kept.csv)" keep "the file of a refused run"

# A run that diverges: a force grows without bound.
cat >explodes.yaml <<'END'
plane: xy
points: {O: [0, 0], P: [1, 0]}
bodies: {ball: {rigid: P, mass: 1, inertia: 1}}
forces: {push: {force: ball, at: P, vector: [exp(50*t)^8, 0]}}
run: {until: 10 s, step: 10 ms}
END
expect 1 "$holon" run explodes.yaml --output explodes.csv --summary explodes.json
says err "the simulation ended early at t ="
says err "the results so far are in 'explodes.csv'"
says out "not-finite"
status=$(value explodes.json status)
same "$status" not-finite status
reached=$(value explodes.json reached)
awk -v t="$reached" 'BEGIN { exit !(t > 0 && t < 10) }' || fail "reached is $reached"
steps=$(value explodes.json steps)
lines explodes.csv $((steps + 2))
expect 1 "$holon" run explodes.yaml --quiet
empty out
says err "ended early"

# Values that overflow: the cause in words.
cat >overflows.yaml <<'END'
gravity: [0, 0, -1e300]
bodies: {s: {sphere: 1e-3, mass: 1e300, at: [1e300, 0, 0]}}
joints: {j: {spherical: [ground, s], at: [0, 0, 0]}}
END
expect 1 "$holon" static overflows.yaml
says err "was found: a number is not finite: check the model for values that overflow"

# Beams: what to do about steps that are too long, and about too few elements.
cat >beam.yaml <<'END'
points: {A: [0, 0, 0], B: [1, 0, 0]}
beams:
  b: {from: A, to: B, elements: 4,
      section: {EA: 1e4, GA2: 1e4, GA3: 1e4, GJ: 1, EI2: 1, EI3: 1, mass: 1, J2: 1e-4, J3: 1e-4}}
joints: {clamp: {fixed: [ground, b.start], at: A}}
forces: {P: {force: b.end, vector: [0, 0, 30], axes: body}}
run: {until: 3, step: 5 ms, formulation: energy-decaying}
END
expect 1 "$holon" run beam.yaml --quiet
says err "a beam that folds between its nodes needs more elements"
expect 1 "$holon" run beam.yaml --quiet --formulation lagrange
says err "beams are stiff and need very short explicit steps; --formulation index3-augmented-lagrangian is implicit"
finish
