#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Counts the instructions of one evaluation of the accelerations: tools/count_instructions.sh [BUILD_DIR] [-v]
# Valgrind counts the same on every machine and under every load. Two runs of R and 2R evaluations are subtracted, so that
# nothing but evaluations is left: (count(2R) - count(R)) / R. With -v the functions of the second run follow.
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

# instructions SCENE N REPEATS: of the whole run
instructions() {
    if ! valgrind --tool=callgrind --callgrind-out-file="$folder/out" "$program" --count "$1" "$2" "$3" \
        >/dev/null 2>"$folder/log"; then
        cat "$folder/log" >&2
        echo "count_instructions: valgrind cannot run $program (it knows no AVX-512: build without HOLON_NATIVE)" >&2
        exit 1
    fi
    awk '/^(summary|totals):/ { count = $2 } END { printf "%.0f\n", count }' "$folder/out"
}

# report SCENE N BODIES REPEATS
report() {
    once=$(instructions "$1" "$2" "$4")
    twice=$(instructions "$1" "$2" $((2 * $4)))
    each=$(((twice - once) / $4))
    printf '%-14s %5d %12d %12d\n' "$1" "$2" "$each" $((each / $3))
    [ "$verbose" = no ] || callgrind_annotate --threshold=99 "$folder/out" | sed -n '/^Ir/,$p' | head -n 25
}

printf '%-14s %5s %12s %12s\n' scene N instructions "per body"
report four-bar 1 3 20000
report spatial-chain 10 10 2000
report spatial-chain 100 100 400
