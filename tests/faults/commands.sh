#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Calls of the C library fail in commands: a sentence and an exit code, no crash, no leak, no file harmed.
#
# It is called with the library of every_call.sh as well, and with the number of calls that fail of each command and
# kind, in other places for each. HOLON_FAULTS is another number; all: each call, but of streams in memory about 400.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/../cli/functions.sh"
library=$4
most=${HOLON_FAULTS:-$5} FAULT_JSON=$json_value
export FAULT_JSON
stub_page

# every KINDS PROGRAM [ARGUMENT...]: KIND+ fails from a call on.
every() {
    kinds=$1
    shift
    for kind in $kinds; do
        lasting='' limit="FAULT_MOST=$most"
        case $kind in *+) lasting=HOLON_FAULT_LASTING=1 ;; esac
        case $kind-$most in stream-all) limit=FAULT_MOST=400 ;; *-all) limit='' ;; esac
        # shellcheck disable=SC2086 # nothing or a word
        env $lasting $limit sh "$source/tests/faults/every_call.sh" "$library" "${kind%+}" "$@" >"$folder/out" 2>&1 ||
            fail "$(cat "$folder/out")"
        sed "s|$folder/||g; s|[^ ]*/holon|holon|" "$folder/out" | tail -n 1
        sed -n "\$s/^\\([0-9]*\\) calls of [a-z]*, \\([0-9]*\\) .*/$kind \\1 \\2/p" "$folder/out" >>"$folder/sites"
    done
}

# The sums of all commands.
print_sites() {
    awk '{ calls[$1] += $2; failed[$1] += $3; all += $2; all_failed += $3 }
         END { for (kind in calls) printf "%s: %d calls, %d failed\n", kind, calls[kind], failed[kind] | "sort"
               close("sort")
               printf "%d calls, %d failed\n", all, all_failed }' "$folder/sites"
}
memory="allocation stream allocation+"
files="write short read sync rename open lock close remove permit look write+ open+ remove+"

# The files before the commands: of an older run, and a checkpoint of it.
mkdir work
cd work || exit 1
write_pendulum
cat >beam.yaml <<'END'
points: {A: [0, 0, 0], B: [1, 0, 0]}
beams: {b: {from: A, to: B, elements: 1, section: {EA: 1e5, GA2: 1e5, GA3: 1e5, GJ: 10, EI2: 10, EI3: 10, mass: 1}}}
joints: {clamp: {fixed: [ground, b.start], at: A}}
run: {until: 2 ms, step: 1 ms, record: [b.end, energy]}
END
for ending in csv npy h5; do
    expect 0 "$holon" run pendulum.yaml --output motion.$ending --until 0.004 --quiet
done
expect 0 "$holon" run pendulum.yaml --until 0.004 --output motion.csv --summary motion.json --report motion.html \
    --checkpoint motion.ck --quiet
rm -f out err
cd ..
cp -r work given
FAULT_FILES=$folder/given FAULT_WORK=$folder/work
export FAULT_FILES FAULT_WORK

# Commands that write nothing but prints.
every "$memory read open" "$holon" check pendulum.yaml
every "$memory read open" "$holon" static pendulum.yaml
every "$memory read open" "$holon" modes pendulum.yaml
every "$memory write write+" "$holon" list joints

# An option, a row or a part of the scene that is lost without a sentence: many calls, each with its own.
few=$most
[ "$most" = all ] || most=$((20 * most))
every allocation "$holon" view motion.csv --output motion.html --no-open
every allocation "$holon" run pendulum.yaml --output motion.csv --until 0.001 --set parameters.m=3
most=$few

# Results, summary and report, each in place of an older one.
for ending in csv npy h5; do
    every "$memory $files" "$holon" view motion.$ending --output motion.html --no-open
    every "$memory $files" "$holon" run pendulum.yaml --output motion.$ending --until 0.01
done
every "$memory $files" "$holon" run pendulum.yaml --summary motion.json --report motion.html --until 0.01
every "$memory $files" "$holon" run beam.yaml --output motion.npy --report motion.html
every "$memory $files" "$holon" static pendulum.yaml --output motion.csv
every "$memory $files" "$holon" modes pendulum.yaml --output motion.h5
every "$memory $files" "$holon" compare pendulum.yaml --formulations lagrange,baumgarte --until 0.003 --rounds 0 \
    --csv motion.csv --report motion.html

# Checkpoints: whatever fails, the run can be resumed, and its results are then those of a run without faults.
mkdir whole
expect 0 "$holon" run given/pendulum.yaml --until 0.02 --output whole/motion.csv --quiet
cat >resumes.sh <<END
[ -e motion.ck ] || exit 0
"$holon" run --resume motion.ck --until 0.02 && cmp motion.csv $folder/whole/motion.csv
END
FAULT_THEN="sh $folder/resumes.sh"
export FAULT_THEN
every "$memory $files" "$holon" run pendulum.yaml --output motion.csv --until 0.01 --checkpoint motion.ck \
    --checkpoint-every "1 ms" --report motion.html --summary motion.json
every "$memory $files" "$holon" run --resume motion.ck --until 0.01
unset FAULT_THEN
every "read open" "$holon" run pendulum.yaml --checkpoint motion.html

# What replaces an older file is on the disk with its name: the folder is synchronised for each of the files. The scene of
# .csv and .npy is a file of its own, which is replaced as the run begins and as it ends.
synchronised() {
    rm -rf "$folder/work"
    cp -r "$folder/given" "$folder/work"
    cd "$folder/work" || exit 1
    expect 0 env ASAN_OPTIONS=verify_asan_link_order=0 HOLON_FAULT=folder HOLON_FAULT_AT=0 LD_PRELOAD="$library" \
        HOLON_FAULT_COUNT="$folder/count" "$@" --quiet
    cat "$folder/count"
}
for pair in csv:4 npy:4 h5:2; do
    ending=${pair%:*}
    same "$(synchronised "$holon" run pendulum.yaml --output motion.$ending --until 0.004 --summary motion.json)" \
        "${pair#*:}" "folders that are synchronised where .$ending is replaced"
done

# A table that lost a row is no success.
expect 1 env ASAN_OPTIONS=verify_asan_link_order=0 HOLON_FAULT=allocation HOLON_FAULT_AT=8 LD_PRELOAD="$library" \
    "$holon" list
says err "parts of a table are missing"
print_sites
finish
