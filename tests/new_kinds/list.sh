#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# list.sh HOLON MODEL: the command lists the new kinds and runs a model of them.
set -e
"$1" list joints --names | grep -qx plane-distance
"$1" list forces --names | grep -qx attraction
"$1" list formulations --names | grep -qx critical-damping
"$1" list joints plane-distance | grep -q 'in the plane: 1 constraint equation  {plane-distance: \[a, b\], at: Q'
"$1" list formulations critical-damping | grep -q 'rate .* 5 .* 1/s'
"$1" run "$2"
