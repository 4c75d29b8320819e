#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# holon view: results of all formats give the page that --report wrote, with the scene, with a model's, or without one.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"
write_pendulum
stub_page
unset DISPLAY WAYLAND_DISPLAY

# The same numbers and the same scene, whatever the format; the csv itself is what it was.
for ending in csv npy h5; do
    expect 0 "$holon" run pendulum.yaml --output motion.$ending --report report.html --report-rows 40 --quiet
    expect 0 "$holon" view motion.$ending --report-rows 40 --output $ending.html
    says out "$ending.html: 26 of 101 rows, 24 columns"
    empty err
    page $ending.html --csv motion.csv --same report.html
    same "$(cat out)" "26 24 1 1 2" "what the page of .$ending holds"
    for part in bodies joints points ground verdicts events summary title; do
        page $ending.html --show $part
        sed 's/"wall_s": [^,]*, "processor_s": [^,]*//; s/wall time [^ ]* s//' out >viewed
        page report.html --show $part
        sed 's/"wall_s": [^,]*, "processor_s": [^,]*//; s/wall time [^ ]* s//' out >reported
        cmp -s viewed reported || fail "'$part' of .$ending is not that of the report"
    done
done
[ -e motion.csv.scene.json ] && [ -e motion.npy.scene.json ] || fail "there is no scene beside the results"
[ ! -e motion.h5.scene.json ] || fail "there is a scene beside a .h5 file, which holds it"
same "$(head -n 1 motion.csv | cut -c 1-20)" "t,bar.x,bar.y,bar.ph" "names of the csv"
same "$(value motion.csv.scene.json kind)" run "the scene is JSON"

# The page stands next to the file by default.
expect 0 "$holon" view motion.csv
says out "motion.html: 101 of 101 rows"
page motion.html --csv motion.csv

# A display without xdg-open, or with one that fails, is no failure; with one it gets the page.
mkdir -p bin
printf '#!/bin/sh\necho "$1" >>"%s/opened"\nexit 3\n' "$folder" >bin/xdg-open
chmod +x bin/xdg-open
DISPLAY=:99 PATH=/nonexistent expect 0 "$holon" view motion.csv
DISPLAY=:99 PATH=$folder/bin:$PATH expect 0 "$holon" view motion.csv --no-open --output unopened.html
DISPLAY=:99 PATH=$folder/bin:$PATH expect 0 "$holon" view motion.csv
until [ -s opened ]; do sleep 0.05; done
same "$(cat opened)" motion.html "the pages opened"

# Without the scene: bodies and points by their columns, and it says so. With a model: its bodies.
rm motion.csv.scene.json
expect 0 "$holon" view motion.csv
page motion.html --csv motion.csv
same "$(cat out)" "101 24 1 0 2" "bodies by their columns"
page motion.html --show verdicts
says out "These results have no scene"
expect 0 "$holon" view motion.csv --model pendulum.yaml --set bodies.bar.section=0.1
page motion.html --csv motion.csv
same "$(cat out)" "101 24 1 1 2" "bodies of the model"
page motion.html --show bodies
says out '"radius": 0.1'
expect 2 "$holon" view motion.csv --model four-bar
says err "has no columns for the bodies of model 'four-bar'"
expect 2 "$holon" view motion.csv --set bodies.bar.section=0.1
says err "--set changes the model of --model, but --model is not given"
expect 0 "$holon" run spatial-parallelogram --until 0.01 --output space.csv --quiet
rm space.csv.scene.json
expect 0 "$holon" view space.csv
page space.html --show planar
same "$(cat out)" false "planar"
# Some of the bodies alone.
expect 0 "$holon" run four-bar --until 0.01 --record crank,energy --output some.csv --quiet
expect 0 "$holon" view some.csv
page some.html --csv some.csv
same "$(cat out)" "11 11 1 1 0" "what was recorded"

# A run that ends early, and one that is killed, can be viewed.
"$holon" run slider-crank --branch stop --output early.h5 --quiet --until 100 --set run.formulation.kind=lagrange >out 2>&1
expect 0 "$holon" view early.h5
page early.html
for ending in csv npy h5; do
    start "$holon" run five-bar-pendulum --until 10000 --output killed.$ending --quiet
    until_larger killed.$ending 100000
    for _ in $(seq 120); do # the size of .h5 is ahead of its rows
        "$holon" view killed.$ending --output seen.html >out 2>err
        [ $? -le 1 ] && break
        sleep 0.5
    done
    kill -9 $job
    wait $job 2>/dev/null
    "$holon" view killed.$ending >out 2>err
    code=$?
    [ $code -le 1 ] || fail "a run that was killed cannot be viewed as .$ending: $(cat err)"
    page killed.html --show verdicts
    says out "did not finish"
    rm -f killed.*
done

# An old scene does not stay beside new results, and no scene goes with a pipe.
echo '{}' >stale.csv.scene.json
expect 0 "$holon" static pendulum.yaml --output stale.csv --quiet
[ ! -e stale.csv.scene.json ] || fail "an old scene stands beside new results"

# What cannot be read: one sentence.
bad() {
    code=$1 sentence=$2
    shift 2
    rm -f page.html
    expect "$code" "$holon" view "$@" --output page.html
    lines err 1
    says err "$sentence"
    [ "$code" -ne 2 ] || [ ! -e page.html ] || fail "a page was written"
}
bad 2 "cannot read 'nowhere.csv': No such file or directory" nowhere.csv
bad 2 "results are read as .csv, .npy and .h5, not as .yaml" pendulum.yaml
bad 2 "must end in .csv, .npy or .h5" motion
: >empty.csv && bad 2 "'empty.csv' is empty" empty.csv
: >empty.npy && bad 2 "'empty.npy' is empty" empty.npy
: >empty.h5 && bad 2 "'empty.h5' is empty" empty.h5
mkdir folder.csv && bad 2 "Is a directory" folder.csv
echo 't,a' >names.csv && bad 2 "has column names, but no rows" names.csv
printf 'a,t\n1,2\n' >order.csv && bad 2 "does not begin with a column t" order.csv
printf 't,,b\n1,2,3\n' >gap.csv && bad 2 "name 2 in the first line cannot be read" gap.csv
printf 't,a,\n1,2,\n' >comma.csv && bad 2 "cannot be read" comma.csv
printf 't,"a\n1,2\n' >quote.csv && bad 2 "cannot be read" quote.csv
printf 't,a\n1\n' >short.csv && bad 2 "line 2: cannot read number 1 of 2" short.csv
printf 't,a\n1,2,3\n' >long.csv && bad 2 "line 2: unexpected text after number 2 of 2" long.csv
printf 't,a\n0,1\n1,2\n2,x\n' >word.csv && bad 1 "line 4: cannot read number 2 of 2; the page shows the rows before" word.csv
page page.html --show verdicts
says out "The file is damaged after the part shown"
# With its scene too, whose sentences are of the whole.
expect 0 "$holon" run pendulum.yaml --output cut.csv --quiet
head -c 6000 cut.csv >part && mv part cut.csv
expect 0 "$holon" view cut.csv --output page.html
says err "warning: 'cut.csv' ends within a row: its run was killed or is not finished; the page shows the complete rows"
page page.html --show verdicts
says out "The file ends within a row"
says out "The run reached t = "
printf 't,a\n0,1\n\n1,2\n' >empty_line.csv && bad 1 "line 3: cannot read number 1 of 2" empty_line.csv
printf 't,a\n0,1\n2,1\n1,2\n' >back.csv && bad 1 "row 3: time 1 is not later than that of the previous row" back.csv
printf 't,a\n0,1\n0,2\n' >twice.csv && bad 1 "row 2: time 0 is not later than that of the previous row" twice.csv
printf 't,a\nnan,1\n' >never.csv && bad 2 "row 1: time nan is not later than that of the previous row" never.csv
# What spreadsheets write.
printf '\357\273\277t,a\r\n0,1\r\n1,2\r\n\r\n\n' >sheet.csv
expect 0 "$holon" view sheet.csv
says out "sheet.html: 2 of 2 rows, 2 columns"
empty err
echo 'hello world, this is text' >text.npy && bad 2 "it does not begin like one" text.npy
head -c 100 motion.npy >head.npy && bad 2 "is cut off within its header" head.npy
head -c 19000 motion.npy >cut.npy && bad 1 "is cut off: it has 95 of 101 rows" cut.npy
python3 -B -c "
import struct
header = b\"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }\"
open('plain.npy', 'wb').write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(header)) + header + b'0' * 48)"
bad 2 "is not an array with named columns of doubles" plain.npy
echo 'hello world' >text.h5 && bad 2 "is not an HDF5 file" text.h5
head -c 3000 motion.h5 >cut.h5 && bad 2 "is not an HDF5 file, or is cut off" cut.h5
printf 't,a\n0,1\n' >mine.csv
echo '{"format": 1, "kind": "run", "columns": [{"name": "t"}, {"name": "b"}]}' >mine.csv.scene.json
bad 2 "belongs to other results: they differ from column 2 on" mine.csv
echo '{"format": 1, "kind": "run", "columns": [{"name": "t"}]}' >mine.csv.scene.json
bad 2 "belongs to other results: they differ from column 2 on" mine.csv
echo '{"format": 2, "kind": "run", "columns": [{"name": "t"}, {"name": "a"}]}' >mine.csv.scene.json
bad 2 "cannot be read, or was not written by 'holon run'" mine.csv
for text in '{' '[]' '{"columns": [}' 'null' '{"format": 1} x' '"\u12"'; do
    echo "$text" >mine.csv.scene.json
    bad 2 "cannot be read" mine.csv
done
# A scene of the right columns that lacks something, or has something else there.
expect 0 "$holon" run pendulum.yaml --output mine.csv --quiet
for change in 's/"bodies": \[/"bodied": [/' 's/"planar": true/"planar": 1/' 's/"title": "[^"]*"/"title": {}/'; do
    expect 0 "$holon" run pendulum.yaml --output mine.csv --quiet
    sed "$change" mine.csv.scene.json >changed
    cmp -s changed mine.csv.scene.json && fail "nothing was changed by $change"
    mv changed mine.csv.scene.json
    bad 2 "cannot be read" mine.csv
done
# Its columns and row counts are ignored.
expect 0 "$holon" run pendulum.yaml --output mine.csv --quiet
sed '1s/{/{"rows": 7, "recorded_rows": 1e9,/; s/"f8"/"f4"/' mine.csv.scene.json >changed
sed '$s/}$/, "rows": 8, "columns": []}/' changed >mine.csv.scene.json
expect 0 "$holon" view mine.csv
page mine.html --csv mine.csv
expect 2 "$holon" view motion.csv --output -
says err "--output needs a file name"
expect 2 "$holon" view motion.csv --output motion.npy.scene.json
says err "--output writes HTML: 'motion.npy.scene.json' must end in .html"
expect 2 "$holon" view motion.csv --output motion.csv
says err "FILE and --output name the same file"
expect 2 "$holon" view
says err "view needs a FILE"
expect 2 "$holon" view motion.csv --output nowhere/x.html
says err "cannot write 'nowhere/x.html'"

# Nothing but a byte order mark, alone or before an empty line, is an empty file.
printf '\357\273\277' >mark.csv
expect 2 "$holon" view mark.csv
says err "'mark.csv' is empty: it has no line of names"
printf '\357\273\277\n0\n' >mark.csv
expect 2 "$holon" view mark.csv
says err "'mark.csv' is empty: it has no line of names"
printf '\357\273\277t,x\n0,1\n1,2\n' >mark.csv
expect 0 "$holon" view mark.csv --output mark.html
finish
