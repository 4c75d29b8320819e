#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs all built-in models with builds of -DHOLON_REPRODUCIBLE=ON by different compilers, and compares every bit of the
# results. Prints the models whose results differ, and fails if there are any.
#
#     tools/reproducible.sh FOLDER [BUILD...]    builds in FOLDER; default: gcc-Release gcc-Debug clang-Release clang-Debug
#     tools/reproducible.sh --self-test FOLDER   with gcc-Release and a build that contracts products: must find differences
set -eu

sources=$(cd "$(dirname "$0")/.." && pwd)
must_differ=no
if [ "${1:-}" = --self-test ]; then
    must_differ=yes
    shift
fi
[ $# -ge 1 ] || { sed -n '6,7s/^# *//p' "$0" >&2; exit 2; }
folder=$1
shift
[ $# -gt 0 ] || set -- gcc-Release gcc-Debug clang-Release clang-Debug
[ $must_differ = no ] || set -- gcc-Release gcc-Contracted

# build_command NAME: NAME is COMPILER-TYPE; "Contracted" is an ordinary optimised build.
build_command() {
    type=${1#*-} reproducible=ON
    [ "$type" != Contracted ] || { type=Release; reproducible=OFF; }
    cmake -S "$sources" -B "$folder/$1" --log-level=ERROR -DHOLON_REPRODUCIBLE=$reproducible \
        -DCMAKE_BUILD_TYPE="$type" -DCMAKE_C_COMPILER="${1%%-*}" -DHOLON_NODE=HOLON_NODE-NOTFOUND \
        -DHOLON_BUILD_TESTS=OFF -DHOLON_BUILD_BENCH=OFF -DHOLON_BUILD_EXAMPLES=OFF >/dev/null
    cmake --build "$folder/$1" --parallel "${JOBS:-2}" --target holon_command >"$folder/$1.log" 2>&1 ||
        { cat "$folder/$1.log" >&2; exit 1; }
}

# result BUILD MODEL OPTION...: a checksum of the results, or of the messages of a run that is refused
result() {
    build=$1
    shift
    "$folder/$build/holon" run "$@" --quiet --accept bad --every 0.005 --until 0.02 --output "$folder/$build.csv" \
        >"$folder/$build.out" 2>&1 || true
    if [ -e "$folder/$build.csv" ]; then cksum <"$folder/$build.csv"; else cksum <"$folder/$build.out"; fi
    rm -f "$folder/$build.csv"
}

mkdir -p "$folder"
for build; do build_command "$build"; done
first=$1
differences=0 runs=0
for model in $(cd "$sources/models" && ls -d */ | tr -d /); do
    for method in "" "--coordinates natural" "--formulation index3-augmented-lagrangian" "--integrator dopri5" \
        "--integrator dop853" "--formulation ggl" "--formulation rattle"; do
        # shellcheck disable=SC2086 # words
        expected=$(result "$first" "$model" $method)
        runs=$((runs + 1))
        for build; do
            [ "$build" != "$first" ] || continue
            # shellcheck disable=SC2086
            [ "$(result "$build" "$model" $method)" != "$expected" ] || continue
            differences=$((differences + 1))
            echo "differs: $model $method, $first and $build"
        done
    done
done
echo "$runs runs with each of: $*; $differences differences"
if [ $must_differ = yes ]; then [ "$differences" -gt 0 ]; else [ "$differences" -eq 0 ]; fi
