#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each allocation of some commands fails once: a sentence and an exit code, no crash.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/../cli/functions.sh"
library=$4
write_pendulum
stub_page
expect 0 "$holon" run pendulum.yaml --output motion.csv --quiet

every() {
    expect 0 sh "$source/tests/faults/every_call.sh" "$library" "$@"
    says out "0 of them badly"
}
every allocation "$holon" check pendulum.yaml
every allocation "$holon" view motion.csv --output view.html
every allocation "$holon" run pendulum.yaml --report report.html --until 0.02
every write "$holon" run pendulum.yaml --output again.csv --until 0.02 --every 0.02 --record energy

# A table that lost a row is no success.
HOLON_FAULT=allocation HOLON_FAULT_AT=8 LD_PRELOAD=$library expect 1 "$holon" list
says err "parts of a table are missing"
finish
