#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs the targets of tests/fuzz that the preset `fuzz` has built: tools/fuzz.sh [TARGET...], by default all of them.
#   FUZZ_SECONDS  of each target, default 60
#   FUZZ_JOBS     targets at a time, default 1
#   FUZZ_RUNS     executions at which a target ends, default -1: no limit
# Prints a line for each target and exits with 1 if one has crashed, leaked, taken more than ten seconds for an input or
# more than 2 GB. Such an input is kept in build/fuzz/crashes. Inputs that reach new code are kept in build/fuzz/corpus
# and are the beginning of the next run.
#   tools/fuzz.sh --minimise TARGET...   writes the fewest inputs with the same coverage into tests/fuzz/corpus/TARGET
set -eu
cd "$(dirname "$0")/.."
build=build/fuzz
table=tests/fuzz/targets.txt
seeds=$build/seeds
export OPENBLAS_NUM_THREADS=1
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_stack_use_after_return=0:allocator_may_return_null=1:quarantine_size_mb=4:malloc_context_size=3:max_malloc_fill_size=64"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-}:print_stacktrace=1"

targets() {
    awk '!/^#/ && NF { print $1 }' "$table"
}

# field TARGET NUMBER
field() {
    awk -v target="$1" -v number="$2" '$1 == target { print $number }' "$table"
}

# The first inputs of models: those of the sources, and a model for each sample of a kind.
make_seeds() {
    mkdir -p "$seeds/model"
    "$build/tests/fuzz/fuzz_seeds" "$seeds"
    for file in models/*/model.yaml; do
        cp "$file" "$seeds/model/$(basename "$(dirname "$file")").yaml"
    done
    find tests/bad_models tests/sweep/mechanisms -name '*.yaml' | while read -r file; do
        cp "$file" "$seeds/model/$(echo "$file" | sed 's|^tests/||; s|/|-|g')"
    done
}

dictionary() {
    case $1 in
    -) ;;
    model) echo "-dict=$seeds/model.dict" ;;
    *) echo "-dict=tests/fuzz/$1.dict" ;;
    esac
}

# Folders of inputs that exist; the first of the arguments takes what is found.
folders() {
    saved=tests/fuzz/corpus/$1 first=$(field "$1" 4)
    [ ! -d "$saved" ] || echo "$saved"
    [ "$first" = - ] || echo "$seeds/$first"
}

# The value of "stat::NAME: value" in a log.
statistic() {
    sed -n "s/^stat::$2: *//p" "$1" | tail -n 1
}

# The number after a word in the last line of progress: cov: 1234
progress() {
    sed -n "s/^#.* $2: \([0-9]*\).*/\1/p" "$1" | sed -n "$3p"
}

report() {
    target=$1 log=$2 code=$3
    verdict=passed
    [ "$code" -eq 0 ] || verdict="FAILED: $(sed -n 's/^SUMMARY: //p; s/.*does not hold: /wrong: /p' "$log" | head -n 1)"
    printf '%-16s %12s %10s %9s -> %-7s %8s s %7s MB  %s\n' "$target" "$(statistic "$log" number_of_executed_units)" \
        "$(statistic "$log" average_exec_per_sec)/s" "$(progress "$log" cov 1)" "$(progress "$log" cov '$')" \
        "$(statistic "$log" slowest_unit_time_sec)" "$(statistic "$log" peak_rss_mb)" "$verdict"
    [ "$code" -eq 0 ] || echo "    log: $log, input: $(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)"
}

run_target() {
    target=$1
    log=$build/logs/$target.log
    mkdir -p "$build/corpus/$target" "$build/crashes" "$build/logs"
    code=0
    # shellcheck disable=SC2046 # lists of words
    "$build/tests/fuzz/fuzz.$target" -max_total_time="${FUZZ_SECONDS:-60}" -runs="${FUZZ_RUNS:--1}" -timeout=10 \
        -rss_limit_mb=2048 -max_len="$(field "$target" 2)" $(dictionary "$(field "$target" 3)") -print_final_stats=1 \
        -reload=0 -artifact_prefix="$build/crashes/$target-" "$build/corpus/$target" $(folders "$target") \
        >"$log" 2>&1 </dev/null || code=$?
    report "$target" "$log" "$code"
    return "$code"
}

minimise() {
    target=$1 saved=tests/fuzz/corpus/$1
    mkdir -p "$saved" "$build/minimised"
    rm -rf "$build/minimised/$target"
    mkdir "$build/minimised/$target"
    "$build/tests/fuzz/fuzz.$target" -merge=1 -timeout=10 -rss_limit_mb=2048 -max_len="$(field "$target" 2)" \
        "$build/minimised/$target" "$saved" "$build/corpus/$target" >"$build/logs/$target.merge" 2>&1 </dev/null
    find "$saved" -type f ! -name '*.*' -delete # inputs with an ending have been added by name, and stay
    cp "$build/minimised/$target"/* "$saved"
    echo "$target: $(find "$saved" -type f | wc -l) inputs, $(du -sk "$saved" | cut -f1) kB"
}

case ${1:-} in
--one)
    run_target "$2"
    exit
    ;;
--minimise)
    shift
    for target in "$@"; do minimise "$target"; done
    exit
    ;;
esac
[ $# -gt 0 ] || set -- $(targets)
for target in "$@"; do
    [ -x "$build/tests/fuzz/fuzz.$target" ] || { echo "fuzz: there is no target '$target'; there are: $(targets | tr '\n' ' ')" >&2 && exit 2; }
done
make_seeds
printf '%-16s %12s %12s %20s %10s %10s\n' target executions speed "coverage" slowest memory
code=0
printf '%s\n' "$@" | xargs -n 1 -P "${FUZZ_JOBS:-1}" sh tools/fuzz.sh --one || code=1
exit $code
