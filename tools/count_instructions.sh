#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Counts the instructions of one evaluation of the accelerations: tools/count_instructions.sh [BUILD_DIR] [-v]
# Valgrind counts the same on every machine and under every load. Two runs of R and 2R evaluations are subtracted, so that
# nothing but evaluations is left: (count(2R) - count(R)) / R. "terms" is the evaluation of the system, "solution" that of
# its equations of motion; "call" is all of hol_simulation_accelerate(), with the checks and copies around them.
# With -v the functions of the last run follow.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/release
verbose=no
for argument in "$@"; do
    case $argument in
    -v) verbose=yes ;;
    -*) echo "usage: tools/count_instructions.sh [BUILD_DIR] [-v]" >&2 && exit 2 ;;
    *) build=$argument ;;
    esac
done
program=$build/bench/bench_evaluation

if ! command -v valgrind >/dev/null 2>&1; then
    echo "count_instructions: valgrind is missing; install it with 'apt-get install valgrind'" >&2
    exit 1
fi
if [ ! -x "$program" ]; then
    echo "count_instructions: there is no $program; run 'make release' first" >&2
    exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# instructions SCENE N REPEATS [FUNCTION]: of the whole run, or inside the function
instructions() {
    if ! valgrind --tool=callgrind --callgrind-out-file="$folder/out" ${4:+--toggle-collect="$4"} \
        "$program" --count "$1" "$2" "$3" >/dev/null 2>"$folder/log"; then
        cat "$folder/log" >&2
        echo "count_instructions: valgrind cannot run $program (it knows no AVX-512: build without HOLON_NATIVE)" >&2
        exit 1
    fi
    awk '/^(summary|totals):/ { count = $2 } END { printf "%.0f\n", count }' "$folder/out"
}

# each SCENE N REPEATS [FUNCTION]: of one evaluation
each() {
    once=$(instructions "$1" "$2" "$3" "${4:-}")
    twice=$(instructions "$1" "$2" $((2 * $3)) "${4:-}")
    echo $(((twice - once) / $3))
}

# report SCENE N BODIES REPEATS
report() {
    terms=$(each "$1" "$2" "$4" hol_system_evaluate)
    solution=$(each "$1" "$2" "$4" hol_kkt_solve)
    call=$(each "$1" "$2" "$4")
    printf '%-14s %5d %8d %8d %16d %8d %12d\n' "$1" "$2" "$terms" "$solution" $((terms + solution)) "$call" \
        $(((terms + solution) / $3))
    [ "$verbose" = no ] || callgrind_annotate --threshold=99 "$folder/out" | sed -n '/^Ir/,$p' | head -n 25
}

printf '%-14s %5s %8s %8s %16s %8s %12s\n' scene N terms solution terms+solution call "per body"
report four-bar 1 3 5000
report spatial-chain 10 10 1000
report spatial-chain 100 100 100
