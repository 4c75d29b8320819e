#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# holon list: every section has items, and every item has a description.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"

expect 0 "$holon" list --names
cp out sections
same "$(tr '\n' ' ' <sections)" "models formulations integrators bodies beams sections joints drivers forces " sections
expect 0 "$holon" list
cp out everything

while read -r section; do
    says everything "$section ("
    expect 0 "$holon" list "$section" --names
    cp out names
    [ -s names ] || fail "there are no $section"
    expect 0 "$holon" list "$section"
    lines out "$(wc -l <names)"
    expect 0 "$holon" list "$section" --json
    cp out json
    same "$(value json "")" "array $(wc -l <names | tr -d ' ')" "$section --json"
    index=0
    while read -r name; do
        same "$(value json "$index.name")" "$name" "$section --json"
        [ -n "$(value json "$index.title")" ] || fail "$section $name has no title"
        expect 0 "$holon" list "$section" "$name"
        [ "$section" = models ] || same "$(head -n 1 out)" "$name" "the name"
        expect 0 "$holon" list "$section" "$name" --json
        same "$(value out name)" "$name" "$section $name --json"
        index=$((index + 1))
    done <names
done <sections

expect 0 "$holon" list formulations penalty
says out "alpha"
expect 0 "$holon" list integrators --names
same "$(head -n 1 out)" automatic "the first integrator"
expect 0 "$holon" list integrators automatic
says out "docs/methods/automatic.md"
expect 0 "$holon" list integrators dopri5
says out "tolerance"
says out "1e-08"
expect 0 "$holon" list joints revolute
says out "axis"
says out "[body, body]"
says out "in the plane: 2 constraint equations  {revolute: [a, b], at: P}"
expect 0 "$holon" list beams beam
says out "elements"
expect 0 "$holon" list sections tube
says out "[outer radius, wall]"

# A printed model is a model.
expect 0 "$holon" list models four-bar
mv out mine.yaml
expect 0 "$holon" check mine.yaml

expect 2 "$holon" list joint
says err "did you mean 'joints'?"
lines err 1
expect 2 "$holon" list joints revolut
says err "did you mean 'revolute'?"
expect 2 "$holon" list --json
lines err 1
expect 2 "$holon" list joints revolute more
finish
