#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# holon run --checkpoint and --resume: a run that is killed at any moment ends with the results of one that was not.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"
printf '<html><body>\n<!--holon-data-->\n</body></html>\n' >stub.html
HOLON_PAGE=$folder/stub.html
export HOLON_PAGE

# Whether two texts are the same but for the times that the computer took.
same_text() {
    for file in "$1" "$2"; do
        sed -e 's/"wall_s": *[-+0-9.e]*//' -e 's/"processor_s": *[-+0-9.e]*//' \
            -e 's/wall time [0-9.]* [a-z]*//g' -e "s/$3\\./NAME./g" -e "s/whole\\./NAME./g" "$file" >"$file.plain"
    done
    cmp "$1.plain" "$2.plain" >&2 || fail "$1 differs from $2"
}

# The bytes of an HDF5 file depend on when it was flushed, its rows do not: the page that holon view makes of it has
# them all.
same_motion() {
    for file in "$1" "$2"; do
        "$holon" view "$file" --output "$file.html" --no-open --quiet --report-rows 100000 >/dev/null 2>&1 || fail "cannot read $file"
    done
    same_text "$1.html" "$2.html" "${1%.h5}"
}

# begin NAME OPTIONS...: starts a run in the background and waits for its first checkpoint.
begin() {
    name=$1
    shift
    "$holon" run "$@" --quiet --checkpoint "$name.ck" --checkpoint-every "1 ms" 2>"$name.err" &
    process=$!
    while [ ! -s "$name.ck" ] && kill -0 $process 2>/dev/null; do sleep 0.01; done
}

# killed NAME ENDING SLEEPS OPTIONS...: kills the run after each number of seconds, and resumes it each time but the
# last from where it was killed. Then it is resumed to its end.
killed() {
    name=$1 ending=$2 sleeps=$3
    shift 3
    rm -f "$name".*
    begin "$name" "$@" --output "$name.$ending" --report "$name.html"
    for seconds in $sleeps; do
        sleep "$seconds"
        kill -9 "$process" 2>/dev/null
        wait "$process" 2>/dev/null
        "$holon" run --resume "$name.ck" 2>"$name.err" &
        process=$!
    done
    wait "$process" || fail "$name could not be resumed: $(cat "$name.err")"
}

# compare NAME ENDING OPTIONS...: a run that is never killed has the same results.
compare() {
    name=$1 ending=$2
    shift 2
    expect 0 "$holon" run "$@" --quiet --output "whole.$ending" --report whole.html
    if [ "$ending" = h5 ]; then
        same_motion "$name.h5" whole.h5
    else
        cmp "$name.$ending" "whole.$ending" >&2 || fail "$name.$ending differs from that of a whole run"
    fi
    same_text "$name.html" whole.html "$name"
}

check() {
    name=$1 ending=$2 sleeps=$3
    shift 3
    killed "$name" "$ending" "$sleeps" "$@"
    compare "$name" "$ending" "$@"
}

endings="csv npy"
if "$holon" run pendulum --until 0.01 --output try.h5 --quiet 2>/dev/null; then endings="$endings h5"; fi
for ending in $endings; do
    check fixed "$ending" "0.01 0.2 0.1" double-pendulum --step 2e-5 --every 1e-4 --until 2 --reactions minimum-norm
done
check adaptive csv "0.05 0.1" double-four-bar --integrator dopri5 --until 6 --every 2e-3
check beam npy "0.1 0.3" flying-spaghetti --until 3 --every 0.003
check natural csv "0.03 0.1" four-bar --coordinates natural --until 10 --every 2e-3
check redundant csv "0.1 0.3" bricard --until 1 --record all --reactions minimum-norm

# Checkpoints replace each other while the run continues.
begin again pendulum --until 1e5
changes=0 tries=0 before=$(ls -i again.ck)
while [ $changes -lt 3 ] && [ $tries -lt 600 ] && kill -0 $process 2>/dev/null; do
    sleep 0.01
    after=$(ls -i again.ck)
    [ "$after" = "$before" ] || changes=$((changes + 1))
    before=$after
    tries=$((tries + 1))
done
kill -9 $process
wait $process 2>/dev/null
same $changes 3 "checkpoints after the first"

# A signal ends the run in good order, and a later end is that of a run that was meant to end there.
begin signal double-pendulum --step 2e-5 --every 1e-4 --until 1 --output signal.csv
kill -TERM $process
wait $process
code=$?
[ $code -eq 0 ] || [ $code -eq 1 ] || fail "exit code $code after a signal"
[ $code -eq 0 ] || says signal.err "holon run --resume signal.ck"
expect 0 "$holon" run --resume signal.ck --until "1.5 s"
if [ $code -eq 1 ]; then
    expect 0 "$holon" run double-pendulum --step 2e-5 --every 1e-4 --until 1.5 --output whole.csv --quiet
    cmp signal.csv whole.csv >&2 || fail "a run that was interrupted and extended differs"
fi

# A run that is complete can be extended. Steps of 1/1024 s end exactly at the second.
expect 0 "$holon" run double-pendulum --step 1/1024 --until 1 --output long.csv --checkpoint long.ck --plot
expect 0 "$holon" run --resume long.ck
says err "has come to its end at t = 1 s"
expect 0 "$holon" run --resume long.ck --until 2
expect 0 "$holon" run double-pendulum --step 1/1024 --until 2 --output whole.csv --quiet
cmp long.csv whole.csv >&2 || fail "a run that was extended differs"
expect 2 "$holon" run --resume long.ck --until 0.5
says err "lies before t = 2 s"

# The last step is shortened to an end between two steps, and is taken again as a whole one.
check_extended() {
    for ends in "0.4137 0.4138" "0.7179095564770169"; do
        rm -f part.*
        for until in $ends; do
            if [ -e part.ck ]; then
                expect 0 "$holon" run --resume part.ck --until "$until"
            else
                expect 0 "$holon" run "$@" --every 1e-2 --until "$until" --output part.csv --checkpoint part.ck --quiet
            fi
        done
        expect_extended "$@"
    done
}
expect_extended() {
    expect 0 "$holon" run --resume part.ck --until 1
    expect 0 "$holon" run "$@" --every 1e-2 --until 1 --output all.csv --quiet
    cmp part.csv all.csv >&2 || fail "a run that was extended differs: $*"
}
check_extended double-pendulum --step 3e-3
check_extended double-pendulum --integrator dopri5
check_extended double-four-bar --integrator dopri5 # the attempt that is shortened to 0.71790955 s is rejected
check_extended four-bar --formulation index3-augmented-lagrangian --integrator trapezoidal
check_extended four-bar --formulation energy-preserving --integrator built-in --coordinates natural
check_extended flying-spaghetti --step 0.02

# From another folder.
mkdir other
expect 0 "$holon" run double-pendulum --step 1/1024 --until 1 --output long.csv --checkpoint long.ck --quiet
(cd other && "$holon" run --resume ../long.ck --until 2 >/dev/null 2>&1) || fail "cannot resume in another folder"
cmp long.csv whole.csv >&2 || fail "a run that was extended in another folder differs"

# What cannot be resumed, and leaves the results as they were.
cp long.csv before.csv
expect 2 "$holon" run --resume none.ck
says err "cannot read the checkpoint 'none.ck'"
expect 2 "$holon" run --resume long.csv
says err "is no checkpoint"
head -c 3000 long.ck >short.ck
expect 2 "$holon" run --resume short.ck
says err "is damaged"
{ head -c 2000 long.ck; printf x; tail -c +2002 long.ck; } >bad.ck
expect 2 "$holon" run --resume bad.ck --until 3
says err "is damaged"
{ head -c 8 long.ck; printf '\007'; tail -c +10 long.ck; } >bad.ck
expect 2 "$holon" run --resume bad.ck --until 3
says err "another version of holon"
expect 2 "$holon" run --resume long.ck --step 1e-3
says err "give nothing else but --until"
expect 2 "$holon" run pendulum --resume long.ck
says err "give nothing else"
cmp long.csv before.csv >&2 || fail "a refused run has changed the results"

# A run to an end that is refused: its last row and its end stay.
cp part.csv before.csv
cp part.ck before.ck
expect 2 "$holon" run --resume part.ck --until 1e300
says err "is too small for a run until 1e+300"
cmp part.csv before.csv >&2 || fail "a refused end has changed the results"
cmp part.ck before.ck >&2 || fail "a refused end has changed the checkpoint"

# Two runs on one checkpoint: the second is refused, whether it resumes or begins, and the first is not disturbed.
begin first pendulum --until 1e5 --output first.csv
for second in "--resume first.ck" "pendulum --checkpoint first.ck --output second.csv"; do
    # shellcheck disable=SC2086 # words
    expect 2 "$holon" run $second
    says err "'first.ck' is being written by another run: wait for its end, or choose another file"
done
[ ! -e second.csv ] || fail "a refused run has written results"
kill -9 $process
wait $process 2>/dev/null
empty first.err
"$holon" run --resume first.ck 2>first.err &
process=$!
until find "/proc/$process/fd" -lname "*/first.ck" 2>/dev/null | grep -q . || ! kill -0 $process 2>/dev/null; do sleep 0.01; done
expect 2 "$holon" run --resume first.ck
says err "'first.ck' is being written by another run"
kill -9 $process
wait $process 2>/dev/null

# A signal in a set-up that takes long leaves no file.
cat >large.yaml <<'END'
bodies: {bar: {bar: [[0, 0, 0], [1, 0, 0]], mass: 1}}
repeat: [{for: i, from: 1, to: 700, joints: {J$i: {revolute: [ground, bar], at: [0, 0, 0], axis: y}}}]
run: {until: 1 s}
END
"$holon" run large.yaml --checkpoint large.ck --output large.csv 2>large.err &
process=$!
until grep -q 'holon' "/proc/$process/comm" 2>/dev/null || ! kill -0 $process 2>/dev/null; do sleep 0.01; done
sleep 0.3
kill -TERM $process
wait $process
code=$?
case $code in 143 | 1) ;; *) fail "exit code $code after a signal in the set-up" ;; esac
for file in large.ck* large.csv*; do
    [ ! -e "$file" ] || [ $code -eq 1 ] || fail "'$file' was left by a set-up that was interrupted"
done

# A model that has changed, and results that are gone.
write_pendulum
expect 0 "$holon" run pendulum.yaml --until 1 --output p.csv --checkpoint p.ck --quiet
sed 's/mass: .*/&  # the same/' pendulum.yaml >changed.yaml
cp pendulum.yaml original.yaml
echo "# a comment" >>pendulum.yaml
expect 2 "$holon" run --resume p.ck --until 2
says err "'pendulum.yaml', or one that it extends, has changed"
cp original.yaml pendulum.yaml
mv p.csv gone.csv
expect 2 "$holon" run --resume p.ck --until 2
says err "p.csv"
expect 0 "$holon" run pendulum.yaml --until 4 --step 3e-3 --output p.csv --quiet
cp p.csv other.csv
expect 2 "$holon" run --resume p.ck --until 2
says err "is not the one that the run had written before the checkpoint"
cmp p.csv other.csv >&2 || fail "other results were changed"
mv gone.csv p.csv
expect 0 "$holon" run --resume p.ck --until 2

# A model that cannot be read again, and a checkpoint that could not be written.
cat pendulum.yaml | "$holon" run /dev/stdin --checkpoint piped.ck >out 2>err
says err "so a checkpoint could not read it again"
[ ! -e piped.ck ] || fail "a checkpoint of a piped model was written"
cat >fails.yaml <<'END'
plane: xy
bodies: {ball: {rigid: [0, 0], mass: 1, inertia: 1}}
forces: {push: {force: ball, at: [0, 0], vector: ['if(t > 0.5, 1e308*exp(1e3*t), 0)', 0]}}
run: {until: 10 s, step: 0.1 s}
END
(
    trap '' XFSZ
    ulimit -f 0
    exec "$holon" run fails.yaml --checkpoint no.ck --quiet 2>&1
) | cat >err
says err "the run continues, but without a new checkpoint"
says err "the simulation ended early"
lacks err "continues it from its checkpoint"
same "$(grep -c "without a new checkpoint" err)" 1 "warnings of checkpoints"
mkfifo pipe.ck
for path in pipe.ck /dev/zero; do
    expect 2 "$holon" run --resume $path
    says err "it is no regular file"
    expect 2 "$holon" run pendulum --checkpoint $path
    says err "is no regular file: choose another name"
done
truncate -s 5G huge.ck
expect 2 "$holon" run --resume huge.ck
says err "it has more than 4096 MB"
rm huge.ck

# Options that do not fit.
expect 2 "$holon" run pendulum --checkpoint x.ck --realtime
says err "leave out --checkpoint"
expect 2 "$holon" run pendulum --checkpoint x.ck --verify
says err "leave out --checkpoint"
expect 2 "$holon" run pendulum --checkpoint p.csv
says err "is no checkpoint"
expect 2 "$holon" run pendulum --checkpoint x.csv --output x.csv
says err "name the same file"
expect 2 "$holon" run pendulum --checkpoint x.ck --checkpoint-every -1
says err "at least 1 ms"
expect 0 "$holon" run pendulum --until 0.01 --checkpoint-every 5
says err "has no effect"
expect 2 "$holon" run
says err "needs a MODEL"
finish
