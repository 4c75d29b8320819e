#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Nothing is lost: two runs on one file, refused runs, full disks, two names of one file.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"
stub_page
write_ball
write_pendulum

# unchanged: every file has the bytes it had at `remember`, and there is no other.
remember() {
    rm -rf before && mkdir before
    for file in motion.*; do cp "$file" before/; done
}
unchanged() {
    for file in before/*; do
        cmp -s "$file" "${file#before/}" || fail "$1: ${file#before/} has changed"
    done
    for file in motion.*; do
        [ -e "before/$file" ] || fail "$1: there is a new file $file"
    done
}

# Refused runs leave everything as it was: results, scene, summary and report.
for ending in csv npy h5; do
    expect 0 "$holon" run pendulum.yaml --output motion.$ending --quiet
done
expect 0 "$holon" run pendulum.yaml --output motion.csv --summary motion.json --report motion.html \
    --checkpoint motion.ck --quiet
remember
mkdir folder.json
for ending in csv npy h5; do
    for wrong in "--formulation nonsense" "--summary folder.json" "--summary no/such.json" "--report no/such.html" \
        "--until=-1" "--every=1e-13" "--record nothing" "--set parameters.m=-1" "--set joints.pin.at=[5,5]x"; do
        # shellcheck disable=SC2086 # words
        expect 2 "$holon" run pendulum.yaml --output motion.$ending --summary motion.json --report motion.html \
            --checkpoint motion.ck $wrong
        unchanged "a run with $wrong into .$ending"
    done
done
# A run whose first step fails is no better than what is there.
cat >fails.yaml <<'END'
plane: xy
points: {O: [0, 0], P: [1, 0]}
bodies: {ball: {rigid: P, mass: 1, inertia: 1}}
forces: {push: {force: ball, at: P, vector: [1e308*exp(1e3*t), 0]}}
run: {until: 10 s, step: 10 s}
END
for ending in csv npy h5; do
    expect 1 "$holon" run fails.yaml --output motion.$ending --checkpoint motion.ck --quiet
    says err "'motion.$ending' has the results of an earlier run still"
    unchanged "a run that fails in its first step"
done
expect 0 "$holon" run pendulum.yaml --output motion.csv --quiet --until 0.2
if cmp -s motion.csv before/motion.csv; then fail "a good run has replaced nothing"; fi
rm -f motion.*

# One file by two names.
expect 0 "$holon" run pendulum.yaml --output motion.csv --quiet
ln -s motion.csv motion.json
ln -s nowhere.csv lost.json
ln -s . folder
remember
for pair in "motion.csv motion.csv" "motion.csv ./motion.csv" "new.csv folder/new.csv" "motion.csv motion.json" \
    "nowhere.csv lost.json"; do
    expect 2 "$holon" run pendulum.yaml --output "${pair% *}" --summary "${pair#* }"
    says err "--output and --summary name the same file"
    unchanged "$pair"
done
for name in motion.csv.scene.json ./motion.csv.scene.json folder/motion.csv.scene.json; do
    expect 2 "$holon" run pendulum.yaml --output motion.csv --summary $name
    says err "--summary '$name' is the scene of --output 'motion.csv': choose another name"
    unchanged "$name"
done
expect 2 "$holon" run pendulum.yaml --output motion.csv --summary motion.csv.holon-part
says err "--summary 'motion.csv.holon-part' is the temporary file of --output 'motion.csv': choose another name"
expect 2 "$holon" run pendulum.yaml --output motion.csv --summary motion.csv.scene.json.holon-part
says err "is the temporary file of --output 'motion.csv': choose another name"
expect 2 "$holon" run pendulum.yaml --summary page.html --report ./page.html
says err "--summary and --report name the same file"
unchanged "aliases"
rm -f motion.* folder nowhere.csv

# The temporary file and the scene of what a link names.
ln -s real.csv motion.csv
for older in no yes; do
    rm -f real.*
    [ $older = no ] || echo older >real.csv
    for option in summary checkpoint; do
        expect 2 "$holon" run pendulum.yaml --output motion.csv --$option real.csv.holon-part
        says err "--$option 'real.csv.holon-part' is the temporary file of --output 'motion.csv': choose another name"
        [ $older = no ] || same "$(cat real.csv)" older "what a link names"
        [ ! -e real.csv.holon-part ] || fail "a refused run has written $option"
    done
done
rm -f real.*
expect 2 "$holon" run pendulum.yaml --output motion.csv --summary ./no/such.json
[ ! -e real.csv ] || fail "a refused run has made what a link names"
expect 1 "$holon" run fails.yaml --output motion.csv --quiet
expect 0 "$holon" run pendulum.yaml --output motion.csv --quiet
[ -L motion.csv ] && [ "$(wc -l <real.csv)" -gt 2 ] || fail "a link was replaced"
rm -f motion.* real.*

# Where no temporary file can be made, here for its long name, an older file is kept until there is something better.
long=$(printf '%0245d' 1)
for ending in csv npy h5; do
    expect 0 "$holon" run pendulum.yaml --output motion.$ending --quiet --until 0.3
    echo precious >"$long.$ending"
    for wrong in "fails.yaml" "pendulum.yaml --until=-1"; do
        # shellcheck disable=SC2086 # words
        "$holon" run $wrong --output "$long.$ending" --quiet >out 2>err
        same "$(cat "$long.$ending")" precious "the older .$ending after a run that failed"
    done
    expect 0 "$holon" run pendulum.yaml --output "$long.$ending" --quiet --until 0.3
    expect 0 "$holon" view "$long.$ending" --output page.html --no-open
    [ $ending = h5 ] || cmp "$long.$ending" motion.$ending >&2 || fail "$long.$ending differs"
done
echo precious >"$long.ck"
expect 2 "$holon" run pendulum.yaml --checkpoint "$long.ck" --output motion.csv
rm -f "$long".* motion.*

# Files that a user calls .part, as downloads are called.
for file in motion.csv motion.csv.scene.json motion.npy motion.h5 s.json r.html c.ck; do
    echo precious >$file.part
done
for ending in csv npy h5; do
    for again in 1 2; do
        expect 0 "$holon" run pendulum.yaml --until .1 --output motion.$ending --summary s.json --report r.html \
            --checkpoint c.ck --quiet
    done
done
for file in *.part; do
    same "$(cat "$file")" precious "$file"
done
rm -f motion.* ./*.part s.json r.html c.ck

# A file of the temporary name that no run has left is not touched: text, a link, a folder.
for file in motion.csv motion.npy s.json r.html c.ck; do
    for kind in text link lost folder; do
        case $kind in
        text) echo precious >"$file.holon-part" ;;
        link) echo precious >precious && ln -s precious "$file.holon-part" ;;
        lost) ln -s nowhere "$file.holon-part" ;;
        folder) mkdir "$file.holon-part" ;;
        esac
        output=motion.csv
        case $file in motion*) output=$file ;; esac
        expect 2 "$holon" run pendulum.yaml --until .1 --output $output --summary s.json --report r.html \
            --checkpoint c.ck --quiet
        says err "cannot write '$file': its temporary file would be '$file.holon-part', which is there and not of holon: rename that one"
        case $kind in
        text | link) same "$(cat "$file.holon-part")" precious "$file" ;;
        folder) [ -d "$file.holon-part" ] || fail "$file.holon-part is gone" ;;
        esac
        [ ! -e nowhere ] || fail "a link was followed"
        case $file in motion*) ;; *) [ ! -e motion.csv ] || fail "$file: results were opened" ;; esac
        rm -rf ./*.holon-part precious motion.* s.json r.html c.ck
    done
done

# What a killed run has left is taken over. It is told by its mark, which no result keeps.
for older in no yes; do
    rm -f motion.*
    [ $older = no ] || "$holon" run pendulum.yaml --until .1 --output motion.csv --quiet
    echo rubbish >motion.csv.holon-part
    chmod 1644 motion.csv.holon-part
    expect 0 "$holon" run pendulum.yaml --until .1 --output motion.csv --quiet
    [ ! -e motion.csv.holon-part ] || fail "a temporary file was left"
    [ ! -k motion.csv ] || fail "a result has the mark of temporary files"
done
rm -f motion.*

# Two runs on one file: the second is refused, the first does not notice.
for ending in csv npy h5; do
    for older in no yes; do
        rm -f motion.*
        [ $older = no ] || "$holon" run pendulum.yaml --output motion.$ending --quiet
        start "$holon" run ball.yaml --until 1e5 --output motion.$ending --realtime=0.2 --every 1e-3 --quiet
        until_ready
        cp out first_out
        expect 2 "$holon" run ball.yaml --output motion.$ending
        says err "'motion.$ending' is being written by another run: wait for its end, or choose another file"
        kill -s INT $job
        wait $job
        expect 0 "$holon" view motion.$ending --output page.html
        [ ! -e motion.$ending.holon-part ] || fail "a temporary file was left"
    done
done
rm -f motion.*

find_python
# A full disk, for which a file that may not grow stands: a sentence, and rows that can be read.
for ending in csv npy h5; do
    (
        trap '' XFSZ
        ulimit -f 300
        exec "$holon" run ball.yaml --until 100 --output motion.$ending --quiet
    ) >out 2>err
    same "$?" 1 "exit code where .$ending takes no more"
    says err "cannot write 'motion.$ending': File too large; the run ended at t = "
    expect 0 "$python" -B "$source/tests/cli/read_results.py" motion.$ending 1e-3
    case $(cat out) in skipped) ;; ???*) ;; *) fail "only $(cat out) rows of .$ending were kept" ;; esac
    expect 0 "$holon" view motion.$ending --output page.html
    empty err
done

# A file of the model is not replaced, also one that it extends or whose bodies are drawn.
cp pendulum.yaml base.json
printf 'extends: base.json\n' >derived.yaml
cp pendulum.yaml drawn.html
expect 0 "$holon" run pendulum.yaml --output motion.csv --record bodies --quiet
for command in "run derived.yaml --summary" "run derived.yaml --checkpoint" "compare derived.yaml --csv" \
    "modes derived.yaml --output"; do
    # shellcheck disable=SC2086 # words
    expect 2 "$holon" $command base.json
    same "$(cmp pendulum.yaml base.json)" "" "the base after $command"
done
expect 2 "$holon" run derived.yaml --summary ./base.json
says err "'./base.json' is a file of the model: results would replace it"
expect 2 "$holon" view motion.csv --model ./drawn.html --output drawn.html --no-open
says err "'drawn.html' is a file of the model"
cmp pendulum.yaml drawn.html >&2 || fail "the page has replaced the model"
rm -f motion.*

# The scene of results that are gone stays until there are others.
echo orphan >motion.csv.scene.json
for wrong in "--until=-1" "--every=1e-13"; do
    expect 2 "$holon" run pendulum.yaml --output motion.csv "$wrong"
    same "$(cat motion.csv.scene.json)" orphan "the scene after $wrong"
done
expect 1 "$holon" run fails.yaml --output motion.csv --quiet
expect 0 "$holon" run pendulum.yaml --output motion.csv --quiet
differ "$(cat motion.csv.scene.json)" orphan "the scene of new results"
rm -f motion.*

# Devices and pipes are written, not replaced.
expect 0 "$holon" run pendulum.yaml --summary /dev/null --quiet
[ -c /dev/null ] || fail "/dev/null was replaced"
expect 0 "$holon" run pendulum.yaml --summary /dev/stdout --quiet
same "$(value out status)" ok "the summary on /dev/stdout"
mkfifo pipe.csv
cat pipe.csv >piped &
expect 0 "$holon" run pendulum.yaml --output pipe.csv --quiet
wait
lines piped 102
[ -p pipe.csv ] || fail "a pipe was replaced"
finish
