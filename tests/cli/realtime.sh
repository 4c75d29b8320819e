#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# holon run --realtime: a run in real time, and one that is too slow. Machines are busy at times: no test here requires
# that a step is on time, or that anything takes less than some time.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"
write_pendulum

# at_least A B, above A B: numbers.
at_least() {
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a + 0 >= b + 0) }' || fail "${3:-value}: $1 should be at least $2"
}
above() {
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a + 0 > b + 0) }' || fail "${3:-value}: $1 should be above $2"
}
# run ...: its summary in the file json, its time in seconds in $took.
run() {
    before=$(date +%s.%N)
    expect 0 "$holon" run pendulum.yaml "$@" --summary -
    took=$(awk -v a="$before" -v b="$(date +%s.%N)" 'BEGIN { print b - a }')
    mv out json
}

# Without the option there is no record of times.
run
same "$(value json realtime)" null "realtime of a run without --realtime"

# As long as the simulated time takes, or a multiple.
run --until 0.3 --realtime
at_least "$took" 0.3 "time of a run of 0.3 s"
same "$("$json_value" -keys realtime <json | tr '\n' ' ')" "factor missed_deadlines max_lateness_s final_lateness_s \
max_oversleep_s median_step_s max_step_s max_share load " "keys of realtime"
same "$(value json realtime.factor)" 1 factor
above "$(value json realtime.median_step_s)" 0 "median time of a step"
at_least "$(value json realtime.max_step_s)" "$(awk -v m="$(value json realtime.median_step_s)" 'BEGIN { print m / 1.03 }')" "longest"
near "$(value json realtime.max_share)" "$(awk -v m="$(value json realtime.max_step_s)" 'BEGIN { print m / 1e-3 }')" 1e-3
above "$(value json realtime.load)" 0 load
at_least "$(value json realtime.max_share)" "$(value json realtime.load)" "largest share and mean share"
at_least "$(value json realtime.missed_deadlines)" 0 missed
run --until 0.05 --realtime=0.2
at_least "$took" 0.25 "time of a run at a fifth of the speed"
same "$(value json realtime.factor)" 0.2 factor
run --until 0.3 --realtime=2
at_least "$took" 0.15 "time of a run at twice the speed"

# An adaptive integrator is paced as its steps are accepted.
run --until 0.3 --realtime --integrator dopri5
at_least "$took" 0.3 "time of a run with adaptive steps"
above "$(value json realtime.median_step_s)" 0 "median time of an adaptive step"

# A speed that cannot be reached: every step is late, a warning says so, and the run continues.
expect 0 "$holon" run pendulum.yaml --realtime=1e6 --summary json
same "$(value json realtime.missed_deadlines)" 100 "missed deadlines"
same "$(value json steps)" 100 steps
above "$(value json realtime.final_lateness_s)" 0 "lateness at the end"
at_least "$(value json realtime.max_lateness_s)" "$(value json realtime.final_lateness_s)" "largest lateness"
above "$(value json realtime.load)" 1 load
says err "warning: the run is slower than real time: it needs "
says out "100 of 100 steps late"
expect 0 "$holon" run pendulum.yaml --realtime=1e6 --quiet
empty out
empty err

# The motion is the same.
expect 0 "$holon" run pendulum.yaml --output free.csv --quiet
expect 0 "$holon" run pendulum.yaml --output paced.csv --quiet --realtime=10
cmp -s free.csv paced.csv || fail "the clock has changed the motion"

# An interrupt ends the wait, here of hours.
start "$holon" run pendulum.yaml --realtime=1e-7 --summary part.json
stop INT 1
says err "interrupted at t ="
same "$(value part.json status)" stopped "status after an interrupt"
same "$(value part.json steps)" 1 "steps before an interrupt"

for wrong in 0 -1 1e-320 inf nan fast '2 m' '1,5'; do
    expect 2 "$holon" run pendulum.yaml "--realtime=$wrong"
    says err "--realtime: '$wrong' is not a positive number"
done
expect 2 "$holon" run pendulum.yaml --realtime 2
says err "unexpected argument '2'; if it is the value of --realtime, write --realtime=2"
expect 0 "$holon" run --realtime pendulum.yaml
finish
