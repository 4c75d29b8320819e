#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs that are killed: what they have written can be read, at any moment.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"
stub_page
write_ball

# kill -9 at any moment: what is there can be read by users' programs and by 'holon view'.
find_python
random=12345
for round in 1 2 3 4 5 6 7 8 9 10; do
    for ending in csv npy h5; do
        random=$(((random * 1103515245 + 12345) % 2147483648))
        [ $((round % 2)) -eq 0 ] || rm -f motion.$ending*
        "$holon" run ball.yaml --until 1e5 --output motion.$ending --record energy --quiet >out 2>err &
        job=$!
        sleep "0.$(printf %03d $((random / 65536 % 200)))"
        if [ $((round % 5)) -eq 0 ] && [ -e motion.$ending ]; then # meanwhile too
            expect 0 "$python" -B "$source/tests/cli/read_results.py" motion.$ending 1e-3
        fi
        kill -s KILL $job
        wait $job 2>/dev/null
        [ -e motion.$ending ] || continue
        expect 0 "$python" -B "$source/tests/cli/read_results.py" motion.$ending 1e-3
        read=$(cat out)
        if "$holon" view motion.$ending --output page.html 2>&1 | grep -qF "has column names, but no rows"; then
            [ "$read" = skipped ] || same "$read" 0 "rows that Python finds"
            continue
        fi
        expect 0 "$holon" view motion.$ending --output page.html
        all=$(sed -n 's/.* of \([0-9]*\) rows.*/\1/p' out)
        # The header of .npy is one buffer of 64 kB behind, if the kill came between the two.
        if [ "$read" != skipped ] && [ $((read + 1400)) -lt "${all:-0}" ]; then
            fail "Python finds $read of $all rows in .$ending"
        fi
    done
done
[ "$read" != skipped ] || echo "NumPy or h5py is missing: files were read by 'holon view' only"
rm -f motion.*

# All methods and formats, with and without a checkpoint, against runs that are not killed.
expect 0 "$python" -B "$source/tests/cli/kill_runs.py" "$holon" 66 1
grep FAILED out >&2
rm -f out

# A run of few rows: each is in the file soon after it was recorded, without more of them.
"$holon" run ball.yaml --until 20 --output motion.csv --every 0.4 --realtime --quiet >out 2>err &
job=$!
until [ -e motion.csv ] && [ "$(wc -l <motion.csv)" -ge 3 ] || job_has none; do sleep 0.05; done
kill -s KILL $job || fail "rows of a slow run come at its end only"
wait $job 2>/dev/null
[ "$(wc -l <motion.csv)" -ge 3 ] || fail "rows of a slow run are missing after a kill"

# Many rows at first, then none while the steps are tiny.
cat >burst.yaml <<'END'
plane: xy
bodies: {b: {rigid: [0, 0], mass: 1, inertia: 1}}
forces: {k: {force: b, at: [0, 0], vector: ['if(t>1, sin(1e9*t), 0)', 0]}}
run: {until: 2 s}
END
"$holon" run burst.yaml --integrator dopri5 --every 1e-3 --output motion.csv --quiet >out 2>err &
job=$!
tries=0
until [ -e motion.csv ] && [ "$(wc -l <motion.csv)" -ge 1000 ] || job_has none || [ $tries -ge 400 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
kill -s KILL $job
wait $job 2>/dev/null
[ "$(wc -l <motion.csv)" -ge 1000 ] || fail "rows wait for the next one: $(wc -l <motion.csv) lines after a kill"
finish
