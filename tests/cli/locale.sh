#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Numbers are written with a full stop in every locale.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"
write_pendulum

expect 0 "$holon" run pendulum.yaml --output plain.csv --summary plain.json --quiet

# Where a German locale is neither installed nor can be made, the rest shows no more than the first run.
if ! locale -a 2>/dev/null | grep -qi '^de_DE.utf-\?8$'; then
    if localedef -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" 2>/dev/null; then
        LOCPATH=$folder
        # With it the C library loses some bytes where a library that HDF5 brings along asks for a locale.
        echo leak:__argz_add_sep >"$folder/known_leaks"
        LSAN_OPTIONS=suppressions=$folder/known_leaks:print_suppressions=0
        export LOCPATH LSAN_OPTIONS
    fi
fi
for locale in de_DE.UTF-8 C.UTF-8 nonsense; do
    LC_ALL=$locale "$holon" run pendulum.yaml --output other.csv --summary other.json --quiet --step '1 ms' ||
        fail "exit code $? in $locale"
    cmp -s plain.csv other.csv || fail "the results differ in $locale"
    for key in energy_initial energy_final max_energy_drift step; do
        same "$(value other.json $key)" "$(value plain.json $key)" "$key in $locale"
    done
    LC_ALL=$locale expect 0 "$holon" check pendulum.yaml --json
    same "$(value out dof)" 1 "dof in $locale"
done
finish
