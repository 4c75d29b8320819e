#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs a command once for each of its calls of a kind, which then fails:
#
#     tests/faults/every_call.sh LIBRARY KIND PROGRAM [ARGUMENT...]
#
# LIBRARY is made from faults.c, with the run-time library of the sanitizer after a colon if the program has one; KIND is
# that of HOLON_FAULT. Prints the number of calls. A run that ends by a signal, that the sanitizer ends, or that fails
# without a sentence is printed, and the exit code is then 1.
set -eu
library=$1 kind=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
HOLON_FAULT=$kind
ASAN_OPTIONS=verify_asan_link_order=0:allocator_may_return_null=1:exitcode=99
LSAN_OPTIONS=exitcode=99
UBSAN_OPTIONS=halt_on_error=1:exitcode=99
export HOLON_FAULT ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS

# run N [NAME=VALUE...]: the command with its N-th call failing; what it printed is in out and err.
run() {
    number=$1
    shift
    (env LD_PRELOAD="$library" HOLON_FAULT_AT="$number" "$@") >"$folder/out" 2>"$folder/err"
}

run 0 HOLON_FAULT_COUNT="$folder/count" "$@" || true
count=$(cat "$folder/count")
bad=0 n=1
while [ "$n" -le "$count" ]; do
    code=0
    run "$n" "$@" || code=$?
    if [ "$code" -gt 90 ] || { [ "$code" -ne 0 ] && [ ! -s "$folder/err" ]; }; then
        echo "$kind $n of $count: exit code $code: $*"
        sed 's/^/    /' "$folder/err" | head -n 20
        bad=$((bad + 1))
    fi
    n=$((n + 1))
done
echo "$count calls of $kind failed one after the other, $bad of them badly: $*"
[ "$bad" -eq 0 ]
