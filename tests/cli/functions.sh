# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# What the tests of the command share. A test is called with the program, json_value and the source folder.
#
#     . "$(dirname "$0")/functions.sh"
#     expect 2 "$holon" run             exit code 2; what it printed is in the files out and err
#     says err "needs a MODEL"
#     finish

# shellcheck disable=SC2034 # all are used by the tests
holon=$1 json_value=$2 source=$3
LC_ALL=C
OPENBLAS_NUM_THREADS=1
export LC_ALL OPENBLAS_NUM_THREADS
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

fail() {
    echo "FAILED: $*" >&2
    failures=$((failures + 1))
}

# For tests of pages: python3, which reads them, and a small page in place of the one that is built in.
stub_page() {
    if ! command -v python3 >/dev/null 2>&1; then
        echo "there is no python3, which reads the pages; 'make test' installs it"
        exit 1
    fi
    printf '<html><body>before\n<!--holon-data-->\n<p>after</p></body></html>\n' >stub.html
    HOLON_PAGE=$folder/stub.html
    export HOLON_PAGE
}

# page FILE [OPTIONS]: a page keeps its contract; the part that --show names is in the file out.
page() { expect 0 python3 -B "$source/tests/cli/check_page.py" "$@"; }

# The exit code of the rest, which is a command; what it printed is in out and err.
expect() {
    wanted=$1
    shift
    "$@" >out 2>err
    code=$?
    [ "$code" -eq "$wanted" ] || {
        fail "exit code $code instead of $wanted: $*"
        sed 's/^/    out: /' out | head -n 20 >&2
        sed 's/^/    err: /' err | head -n 20 >&2
    }
}

says() {
    grep -qF -e "$2" "$1" || {
        fail "'$1' should say '$2'"
        sed 's/^/    /' "$1" | head -n 20 >&2
    }
}

lacks() {
    if grep -qF -e "$2" "$1"; then fail "'$1' should not say '$2': $(grep -F -e "$2" "$1" | head -n 1)"; fi
}

empty() {
    [ ! -s "$1" ] || fail "'$1' should be empty: $(head -n 3 "$1")"
}

lines() {
    found=$(wc -l <"$1")
    [ "$found" -eq "$2" ] || fail "'$1' has $found lines instead of $2: $(head -n 3 "$1")"
}

same() {
    [ "$1" = "$2" ] || fail "${3:-value}: '$1' instead of '$2'"
}

differ() {
    [ "$1" != "$2" ] || fail "${3:-value}: '$1' should have changed"
}

# The value at a path of the JSON in a file.
value() {
    "$json_value" "$2" <"$1" || fail "$1 has no valid '$2'"
}

# near A B TOLERANCE: numbers.
near() {
    awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN { d = a - b; exit !(a != "" && d <= e && -d <= e) }' ||
        fail "$1 is not within $3 of $2"
}

finish() {
    [ "$failures" -eq 0 ] || exit 1
    exit 0
}

# start COMMAND...: in the background as process $job, with SIGINT, which the shell would ignore; stop ends it.
start() {
    env --default-signal=INT "$@" >out 2>err &
    job=$!
}

# job_has PATTERN: a line of the status of $job, or that it has ended.
job_has() {
    [ ! -r "/proc/$job/status" ] || grep -qE "^State:.*Z|$1" "/proc/$job/status"
}

# until_larger FILE SIZE, until_says FILE TEXT: wait until $job has written so much, or has ended.
until_larger() {
    until [ -e "$1" ] && [ "$(wc -c <"$1")" -gt "$2" ] || job_has none; do sleep 0.05; done
}
until_says() {
    until grep -qF -e "$2" "$1" 2>/dev/null || job_has none; do sleep 0.05; done
}

# Waits until $job handles signals itself: bit 15, SIGTERM, of the mask of caught signals.
until_ready() {
    until job_has '^SigCgt:.*[4-7c-f]...$'; do sleep 0.05; done
}

# stop SIGNAL CODE: ends $job, which has this exit code then.
stop() {
    until_ready
    kill -s "$1" $job
    wait $job
    code=$?
    [ "$code" -eq "$2" ] || fail "exit code $code instead of $2 after $1: $(head -n 3 err)"
}

# A model whose motion and energy are known in closed form: a bar of 2 kg and 1 m on a pin, let go at the level.
write_pendulum() {
    cat >pendulum.yaml <<'END'
title: A bar on a pin
plane: xy
gravity: [0, -9.81]
parameters: {m: 2}
points: {A: [0, 0], B: [1, 0]}
bodies: {bar: {bar: [A, B], mass: m}}
joints: {pin: {revolute: [ground, bar], at: A}}
run: {until: 0.1 s, step: 1 ms}
variants: {heavy: {parameters: {m: 20}}, light: {parameters: {m: 0.2}}}
END
}

# A ball that falls: steps that cost nearly nothing, and no energy is zero but the first.
write_ball() {
    cat >ball.yaml <<'END'
gravity: [0, 0, -9.81]
bodies: {ball: {sphere: 1e-3, mass: 1, at: [0, 0, 1e5]}}
run: {until: 1 s, step: 1 ms, formulation: lagrange, integrator: rk4}
END
}

# Sets $python to a Python that has NumPy and h5py, if there is one; read_results.py says if not.
find_python() {
    for python in python3 /usr/bin/python3; do
        if command -v $python >/dev/null && $python -c 'import numpy, h5py' 2>/dev/null; then break; fi
    done
}
