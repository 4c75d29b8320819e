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

# A signal that was ignored before stays ignored, as with nohup: the shell starts background jobs without SIGINT.
"$holon" run pendulum.yaml --until '1e9 s' --every 1 --output ignored.csv --quiet 2>err &
job=$!
until_ready
kill -s INT $job
until_larger ignored.csv "$(($(wc -c <ignored.csv) + 5000))"
stop TERM 1
says err "interrupted"

# A second signal ends a command at once, here one that looks for the first only when it is done, in an hour.
start "$holon" static five-bar-pendulum --tolerance 1e-30 --iterations 1000000
until_ready
until job_has none; do
    kill -s TERM $job
    sleep 0.3
done
wait $job
same $? 143 "exit code after a second signal"
finish
