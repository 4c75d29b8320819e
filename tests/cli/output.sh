#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# holon run --output, --every, --record: what the files hold.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"
write_pendulum

# Every step and the start; the columns of the contract.
expect 0 "$holon" run pendulum.yaml --output motion.csv
says out "motion.csv: 101 rows, "
lines motion.csv 102
header=$(head -n 1 motion.csv)
for column in t bar.x bar.y bar.phi bar.vx bar.vy bar.w A.x A.y A.vx A.vy B.x pin.fx pin.fy pin.tz energy.kinetic \
    energy.potential energy.total energy.drift violation.position violation.velocity; do
    case ",$header," in *",$column,"*) ;; *) fail "there is no column '$column' in $header" ;; esac
done
awk -F, 'NR == 1 { n = NF } NF != n { bad = 1 } END { exit bad }' motion.csv || fail "rows differ in length"
awk -F, 'NR == 2 && $1 != 0 || NR == 102 && $1 != 0.1 || NR == 3 && $1 != 0.001 { bad = 1 } END { exit bad }' motion.csv ||
    fail "the times are wrong"

# column FILE NAME ROW: the number there, rows counted from 1 without the names.
column() {
    awk -F, -v name="$2" -v row="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
        NR == row + 1 { print $c }' "$1"
}
# At the level the pin carries a quarter of the weight and the centre falls with 3/4 g.
near "$(column motion.csv pin.fy 1)" "$(awk 'BEGIN { print 2 * 9.81 / 4 }')" 1e-9
near "$(column motion.csv bar.x 1)" 0.5 1e-15
near "$(column motion.csv B.vy 2)" "$(awk 'BEGIN { print -1.5 * 9.81 * 1e-3 }')" 1e-6
near "$(column motion.csv energy.total 101)" "$(column motion.csv energy.total 1)" 1e-9

# --every, also with a unit; steps in between are interpolated.
expect 0 "$holon" run pendulum.yaml --output every.csv --every '25 ms'
lines every.csv 6
same "$(column every.csv t 5)" 0.1 "the last time"
near "$(column every.csv bar.phi 2)" "$(column motion.csv bar.phi 26)" 1e-13
expect 0 "$holon" run pendulum.yaml --output between.csv --every 0.0125
near "$(column between.csv bar.phi 3)" "$(column motion.csv bar.phi 26)" 1e-12
expect 2 "$holon" run pendulum.yaml --output never.csv --every=-1
[ ! -e never.csv ] || fail "bad input has touched a file"

# An adaptive integrator records a thousand times by default.
expect 0 "$holon" run pendulum.yaml --output adaptive.csv --integrator dopri5
lines adaptive.csv 1002
near "$(column adaptive.csv bar.phi 1001)" "$(column motion.csv bar.phi 101)" 1e-7
expect 0 "$holon" run pendulum.yaml --output adaptive.csv --integrator dopri5 --every 0.01
lines adaptive.csv 12

# --record
expect 0 "$holon" run pendulum.yaml --output few.csv --record energy,pin.reaction
same "$(head -n 1 few.csv)" "t,energy.kinetic,energy.potential,energy.total,energy.drift,pin.fx,pin.fy,pin.tz" columns
expect 0 "$holon" run pendulum.yaml --output few.csv --record=violation
same "$(head -n 1 few.csv)" "t,violation.position,violation.velocity" columns
expect 2 "$holon" run pendulum.yaml --output none.csv --record baar
says err "did you mean 'bar'?"
[ ! -e none.csv ] || fail "bad input has touched a file"
expect 0 "$holon" run pendulum.yaml --record energy
says err "warning: --record has no effect: there is no --output"
expect 0 "$holon" run pendulum.yaml --record energy --quiet
empty err

# Numbers are those of the .csv, bit by bit: the header of a .npy is text, the rest is doubles.
expect 0 "$holon" run pendulum.yaml --output few.csv --record bar
expect 0 "$holon" run pendulum.yaml --output few.npy --record bar
same "$(head -c 6 few.npy | tail -c 5)" NUMPY "magic of .npy"
head -n 1 few.npy | LC_ALL=C tr -cd ' -~' >header
says header "('t', '<f8'), ('bar.x', '<f8'), ('bar.y', '<f8'), ('bar.phi', '<f8')"
says header "'shape': (101,), }"
size=$(head -n 1 few.npy | wc -c)
same "$((size % 64))" 0 "alignment"
same "$(($(wc -c <few.npy) - size))" "$((101 * 7 * 8))" "size of the data"
number=$(tail -c 56 few.npy | od -An -v -t f8 -N 8 | tr -d ' ')
near "$number" 0.1 0

# HDF5 has a limit, and says so before anything runs.
expect 2 "$holon" run n-four-bar --set parameters.N=80 --until 0.002 --output many.h5
says err "HDF5 takes no record of 2344 columns; choose some by --record"
lines err 1
[ ! -e many.h5 ] || fail "an empty file was left"
expect 0 "$holon" run n-four-bar --set parameters.N=40 --until 0.002 --output many.h5 --quiet
expect 2 "$holon" run pendulum.yaml --output nowhere/x.h5
says err "cannot write 'nowhere/x.h5': No such file or directory"

# A full disk, for which a file that may not grow stands: a sentence, whatever the format.
for ending in csv npy h5; do
    (
        trap '' XFSZ
        ulimit -f 200
        exec "$holon" run pendulum.yaml --until 20 --output grown.$ending --quiet
    ) >out 2>err
    same "$?" 1 "exit code where .$ending takes no more"
    says err "cannot write 'grown.$ending': "
    says err "the run ended at t = "
done

# Endings
expect 2 "$holon" run pendulum.yaml --output x.mat
says err "results are written as .csv, .npy and .h5, not as .mat"
lines err 1
expect 2 "$holon" run pendulum.yaml --output x
says err ".csv, .npy or .h5"
finish
