#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# holon run: every built-in model, by its own method and by Newmark-type steps.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"

"$holon" list models --names >names
[ "$(wc -l <names)" -ge 30 ] || fail "there are only $(wc -l <names) models"
while read -r model; do
    expect 0 "$holon" run "$model" --until '5 ms' --quiet
    for integrator in newmark generalized-alpha; do
        expect 0 "$holon" run "$model" --until 0.02 --formulation index3-augmented-lagrangian \
            --integrator $integrator --summary json --quiet
        near "$(value json max_position_violation)" 0 1e-9
    done
done <names
finish
