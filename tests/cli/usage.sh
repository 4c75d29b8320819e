#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Commands, options, help: mistakes are one sentence and exit code 2.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"

expect 0 "$holon" --version
grep -qE '^holon [0-9]+\.[0-9]+\.[0-9]+$' out || fail "no version: $(cat out)"

expect 0 "$holon" help
cp out help
for command in run compare static modes check list help; do
    grep -qE "^  $command( |\$)" help || fail "help does not list '$command'"
    expect 0 "$holon" help "$command"
    cp out of_command
    expect 0 "$holon" "$command" --help
    cmp -s out of_command || fail "'help $command' and '$command --help' differ"
    says out "holon $command"
done
expect 0 "$holon" help glossary
for term in "degrees of freedom" "redundant constraint equation" "off-manifold energy" "singular configuration" inaccurate; do
    says out "$term: "
done
expect 0 "$holon" --help
cmp -s out help || fail "--help and help differ"
empty err

expect 2 "$holon"
lines err 1
empty out
expect 2 "$holon" rum
says err "command 'rum' is unknown (did you mean 'run'?)"
lines err 1
expect 2 "$holon" --versio
lines err 1
expect 2 "$holon" help nonsense
lines err 1

expect 2 "$holon" run
says err "needs a MODEL"
expect 2 "$holon" compare
says err "needs a MODEL"
expect 2 "$holon" check
says err "needs a MODEL"
expect 2 "$holon" run a b
says err "unexpected argument 'b'; usage: holon run MODEL"
expect 2 "$holon" run pendulum --stpe 1
says err "option '--stpe' is unknown (did you mean '--step'?)"
lines err 1
expect 2 "$holon" run pendulum --stpe=1
says err "did you mean '--step'?"
expect 2 "$holon" run pendulum -x
says err "option '-x' is unknown"
expect 2 "$holon" run pendulum --step
says err "'--step' needs a value"
expect 2 "$holon" run pendulum --step --quiet
says err "'--step' needs a value"
expect 2 "$holon" run pendulum --quiet=yes
says err "'--quiet' takes no value"
expect 2 "$holon" check pendulum --quiet
says err "option '--quiet' is unknown"
expect 2 "$holon" run -- --step
says err "--step"

# The manual and the completions know every command and option, and no others.
known=$(for command in run compare view static modes check list; do "$holon" help "$command"; done | grep -oE '^ +--[a-z-]+' | tr -d ' ' | sort -u)
for option in $known; do
    for page in completions/holon.bash completions/_holon; do
        grep -qe "$option" "$source/$page" || fail "$page does not know $option"
    done
    grep -qe "-l ${option#--}" "$source/completions/holon.fish" || fail "completions/holon.fish does not know $option"
    [ "$option" = --help ] || grep -qF -e "$(echo "$option" | sed 's/-/\\-/g')" "$source/man/holon.1" || fail "the manual does not know $option"
done
for option in $(grep -oE '\\-\\-[a-z]+(\\-[a-z]+)*' "$source/man/holon.1" | tr -d '\134' | sort -u); do
    case $option in --option | --version | --help) continue ;; esac
    echo "$known" | grep -qxe "$option" || fail "the manual describes $option, which does not exist"
done
finish
