#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Models, results, paths and options that were made to harm: nothing steers the terminal, nothing large is begun, and a
# signal ends every command at once.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"
write_pendulum
escape=$(printf '\033')
c1=$(printf '\302\233')

# No byte of the output is a control character, but for line breaks.
clean() {
    if LC_ALL=C grep -q "$escape\|$c1\|$(printf '\007')" out err; then
        fail "a control character was printed by: $*"
    fi
}
hostile() {
    "$holon" "$@" >out 2>err </dev/null
    clean "$@"
}

name="bad$escape[31m$c1.yaml"
cp pendulum.yaml "$name"
for command in run check static modes compare; do
    hostile $command "$name" --set "bodies.$escape[2J=1"
    hostile $command "missing$escape[2J.yaml"
    hostile $command pendulum.yaml "--$escape[2J"
    hostile $command pendulum.yaml --set "title=\"\\e[2J\""
    hostile $command pendulum.yaml --limit "parts=$escape[2J"
done
hostile run "$name" --until '1 ms'
hostile check "$name"
hostile "$escape[2J"
hostile list "$escape[2J"
printf 't,%s[2J.x\n0,1\n1,2\n' "$escape" >hostile.csv
hostile view hostile.csv --output page.html --no-open
hostile view "$escape[2J.csv"

# A title is one line of the output, whatever it contains.
for command in run check static modes compare; do
    "$holon" $command pendulum.yaml --set 'title="first\nverdict good"' --set run.until=0.01 >out 2>err </dev/null
    grep -q '^verdict good' out && fail "$command: a title began a line of the output"
    says out "first verdict good"
done

# Limits are read, and refuse at once.
cat >large.yaml <<'END'
plane: xy
bodies: {a: {particle: [0, 0], mass: 1}}
repeat:
  - for: i
    from: 1
    to: 1000
    repeat: [{for: j, from: 1, to: 2000, points: {"P$(i)_$j": [i, j]}}]
END
"$holon" check large.yaml >out 2>err
same $? 2 "exit code of a model that is too large"
says err "more than 1000000 parts are repeated"
"$holon" check pendulum.yaml --limit speed=3 >out 2>err
same $? 2 "exit code of an unknown limit"
says err "'speed=3' is no limit"
mkfifo pipe
printf 'extends: pipe\n' >child.yaml
"$holon" check child.yaml >out 2>err
same $? 2 "exit code of a model that extends a pipe"
says err "is not a regular file"
finish
