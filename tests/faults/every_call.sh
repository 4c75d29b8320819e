#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs a command once for each of its calls of a kind, which then fails:
#
#     tests/faults/every_call.sh LIBRARY KIND PROGRAM [ARGUMENT...]
#
# LIBRARY is made from faults.c, with the run-time library of the sanitizer after a colon if the program has one; KIND is
# that of HOLON_FAULT. A run that ends by a signal, that the sanitizer ends, or that fails without a sentence is printed,
# and the exit code is then 1. The last line is the number of calls, of those that failed, and of bad runs.
#
#     HOLON_FAULT_LASTING=1   all later calls fail too
#     FAULT_MOST=N            about N calls fail, evenly spread from one that depends on the command; default: all
#     FAULT_FILES=FOLDER      each run begins with these files in the folder FAULT_WORK, whose files are checked
#                             afterwards (check_files.sh)
#     FAULT_THEN=COMMAND      runs there afterwards, without a fault, and must succeed
set -eu
library=$1 kind=$2
shift 2
scripts=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
program=$1
before=${FAULT_FILES:-} work=${FAULT_WORK:-} after=$folder/after again=$folder/again
ASAN_OPTIONS=verify_asan_link_order=0:allocator_may_return_null=1:exitcode=99
LSAN_OPTIONS=exitcode=99
UBSAN_OPTIONS=halt_on_error=1:exitcode=99
export ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS
# shellcheck source=tests/faults/check_files.sh
. "$scripts/check_files.sh"

# run N [NAME=VALUE...]: the command with its N-th call failing; what it printed is in out and err.
run() {
    number=$1
    shift
    if [ -n "$before" ] && [ "$is_clean" = no ]; then
        rm -rf "$work"
        cp -r "$before" "$work"
        cd "$work"
    fi
    is_clean=no
    env LD_PRELOAD="$library" HOLON_FAULT="$kind" HOLON_FAULT_AT="$number" "$@" >"$folder/out" 2>"$folder/err"
}

# What is wrong with a run of this exit code, or nothing.
judge() {
    if [ "$1" -gt 90 ] || { [ "$1" -ne 0 ] && [ ! -s "$folder/err" ]; }; then echo "exit code $1"; fi
    if [ "$kind" = short ] && [ "$1" -ne "$usual" ]; then echo "exit code $1 after a short write"; fi
    if [ -n "$before" ]; then check_files "$1"; fi
    if [ -n "${FAULT_THEN:-}" ]; then
        is_clean=no
        sh -c "$FAULT_THEN" >"$folder/then" 2>&1 || { echo "afterwards: $FAULT_THEN" && cat "$folder/then"; }
    fi
}

usual=0 is_clean=no
run 0 HOLON_FAULT_COUNT="$folder/count" "$@" || usual=$?
count=$(cat "$folder/count")
if [ -n "$before" ]; then
    cp -r "$work" "$after"
    run 0 "$@" || true
    cp -r "$work" "$again"
fi

stride=1 n=1
if [ "$count" -gt "${FAULT_MOST:-$count}" ]; then
    stride=$(((count + FAULT_MOST - 1) / FAULT_MOST))
    n=$(($(echo "$kind $*" | sed 's|/[^ ]*/||g' | cksum | cut -d ' ' -f 1) % stride + 1))
fi
bad=0 runs=0
while [ "$n" -le "$count" ]; do
    code=0
    run "$n" "$@" || code=$?
    judge "$code" >"$folder/verdict"
    if [ -s "$folder/verdict" ]; then
        echo "$kind $n of $count: $*"
        sed 's/^/    /' "$folder/verdict" "$folder/err" | head -n 20
        bad=$((bad + 1))
    fi
    runs=$((runs + 1)) n=$((n + stride))
done
echo "$count calls of $kind, $runs failed one after the other, $bad of them badly: $*"
[ "$bad" -eq 0 ]
