#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A run that is interrupted keeps its results and reports it; a second signal is not needed.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"
write_pendulum

for signal in INT TERM HUP; do
    for format in csv npy; do
        rm -f part.$format
        start "$holon" run pendulum.yaml --until '1e9 s' --every 1 --output part.$format --summary part.json
        until_larger part.$format 5000
        stop $signal 1
        says err "interrupted at t ="
        says err "the results so far are in 'part.$format'"
        same "$(value part.json status)" stopped "status after $signal"
        awk -v t="$(value part.json reached)" 'BEGIN { exit !(t > 0 && t < 1e9) }' || fail "nothing was reached"
    done
    [ "$(wc -l <part.csv)" -gt 2 ] || fail "the results so far were not kept"
    awk -F, 'NR == 1 { n = NF } NF != n { bad = 1 } END { exit bad }' part.csv || fail "a row is not complete"
    head -n 1 part.npy | LC_ALL=C tr -cd ' -~' >header
    lacks header "'shape': (0,)"
done

# What nobody reads does not hold a command that gets a signal: results, pages and tables into pipes that are full.
mkfifo full.csv full.html
sleep 60 <>full.csv &
reader=$!
sleep 60 <>full.html &
other_reader=$!
full() {
    start "$holon" "$@"
    until_ready
    sleep 1
    kill -s TERM $job
    tries=0
    while ! job_has none && [ $tries -lt 100 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    [ $tries -lt 100 ] || fail "a signal does not end: $*"
    kill -s KILL $job 2>/dev/null
    wait $job 2>/dev/null
}
full run pendulum.yaml --until 1e6 --every 1e-3 --output full.csv
full run pendulum.yaml --until 10 --report full.html
kill $reader $other_reader

# A signal that was ignored before stays ignored, as with nohup: the shell starts background jobs without SIGINT.
"$holon" run pendulum.yaml --until '1e9 s' --every 1 --output ignored.csv --quiet 2>err &
job=$!
until_ready
kill -s INT $job
until_larger ignored.csv "$(($(wc -c <ignored.csv) + 5000))"
stop TERM 1
says err "interrupted"

# A step that takes long is left: here by dense matrices of a chain of 160 bars.
cat >chain.yaml <<'END'
gravity: [0, 0, -9.81]
repeat:
  - {for: i, from: 1, to: 160, bodies: {b$i: {bar: [[i - 1, 0, 0], [i, 0, 0]], mass: 1}}}
  - {for: i, from: 2, to: 160, joints: {J$i: {revolute: [b$(i-1), b$i], at: [i - 1, 0, 0], axis: y}}}
joints: {J1: {revolute: [ground, b1], at: [0, 0, 0], axis: y}}
run: {until: 1000 s, step: 1 ms, integrator: rk4, formulation: coordinate-partitioning}
END
start "$holon" run chain.yaml --output chain.csv
until_ready
sleep 0.2
stop INT 1
says err "interrupted at t ="
says err "the results so far are in 'chain.csv'"

# A command that looks for a signal only when it is done, in an hour, ends by the signal; or with 1, if it happened to
# look at that moment.
start "$holon" static five-bar-pendulum --tolerance 1e-30 --iterations 1000000
until_ready
kill -s TERM $job
wait $job
code=$?
[ $code -eq 143 ] || [ $code -eq 1 ] || fail "exit code $code after a signal in a search"
finish
