#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A run that is interrupted keeps its results and says so; a second signal is not needed.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"
write_pendulum

for signal in INT TERM HUP; do
    for format in csv npy; do
        expect 1 timeout --preserve-status -k 20 -s $signal 1 \
            "$holon" run pendulum.yaml --until '1e9 s' --every 1 --output part.$format --summary part.json
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
"$holon" run pendulum.yaml --until '1e9 s' --quiet 2>err &
job=$!
sleep 1
kill -INT $job
sleep 1
kill -0 $job || fail "an ignored signal has ended the run"
kill -TERM $job
(sleep 20 && kill -KILL $job) >/dev/null 2>&1 &
watchdog=$!
wait $job
same $? 1 "exit code after TERM"
kill $watchdog
says err "interrupted"
finish
