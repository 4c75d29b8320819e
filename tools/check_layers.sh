#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Checks who may include whom: tools/check_layers.sh [SOURCE_DIR], or --self-test.
# Prints every violation as file:line: message and exits with 1 if there is any.
set -eu

check() {
    cd "$1"
    find src include compare results cli tests bench examples -name '*.[ch]' 2>/dev/null | sort | xargs awk '
        BEGIN {
            allowed["base"] = ""
            allowed["math"] = "base"
            allowed["linalg"] = "base math"
            allowed["system"] = "base math linalg"
            allowed["solve"] = "base math linalg system"
            allowed["formulations"] = allowed["solve"] " solve"
            allowed["integrators"] = allowed["formulations"] " formulations"
            allowed["model"] = "base"
            allowed["mechanism"] = "base math linalg model"
            allowed["io"] = "base model"
            allowed["simulate"] = "base math linalg system solve formulations integrators model mechanism io"
            allowed["modes"] = allowed["simulate"] " simulate"
            allowed["statics"] = allowed["modes"] " modes"
            # Inside these, a folder may include only itself and those before it; "." are the files in none.
            order["mechanism"] = "kinematics measures parts . builder beams/sections beams bodies joints forces " \
                                 "evaluate reactions output compile"
            order["simulate"] = ". singular diagnosis automatic assembly run verdict"
            for (name in order) {
                count = split(order[name], folder, " ")
                for (i = 1; i <= count; i++) rank[name, folder[i]] = i
            }
        }
        # Of "a/b/c/file.h" it is "b/c", of "a/file.h" ".".
        function folder_of(path) {
            if (path !~ /\/.*\//) return "."
            sub(/^[^\/]*\//, "", path)
            sub(/\/[^\/]*$/, "", path)
            return path
        }
        function violation(text) { print FILENAME ":" FNR ": " text; bad = 1 }
        FNR == 1 {
            split(FILENAME, place, "/")
            inside = place[1] == "src"
            layer = inside ? place[2] : ""
            own = inside ? folder_of(substr(FILENAME, 5)) : ""
            private_allowed = inside || (place[1] == "tests" && (place[2] == "unit" || place[2] == "fuzz" || place[2] == "new_kinds"))
            if (inside && !(layer in allowed)) violation("this file is in no known layer folder of src/")
            if (layer in order && !((layer, own) in rank))
                violation("src/" layer "/" own " has no place in the order of the folders of src/" layer)
        }
        /^[ \t]*#[ \t]*include[ \t]*["<]/ {
            path = $0
            sub(/^[^"<]*["<]/, "", path)
            sub(/[">].*/, "", path)
            split(path, part, "/")
            target = path ~ /\// ? part[1] : ""
            if (path ~ /(^|\/)\.\.\//)
                violation("\"" path "\": includes are written from the include root, without ..")
            else if (target == "src" || (target in allowed && !private_allowed))
                violation("\"" path "\": " place[1] "/ may include public headers <holon/...> only, not src/")
            else if (inside && target in allowed && target != layer && index(" " allowed[layer] " ", " " target " ") == 0)
                violation("\"" path "\": " layer " may not depend on " target)
            else if (inside && target == layer && layer in order && rank[layer, folder_of(path)] > rank[layer, own])
                violation("\"" path "\": " layer "/" own " may not depend on " layer "/" folder_of(path))
        }
        END { exit bad }' /dev/null || return 1
}

# Shows that the check passes good includes and catches each kind of bad one.
self_test() {
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    mkdir -p "$tree/src/base" "$tree/src/system" "$tree/src/odd" "$tree/include/holon" "$tree/tests/unit" "$tree/bench" \
        "$tree/compare" "$tree/results" "$tree/src/mechanism/parts" "$tree/src/mechanism/beams/sections" \
        "$tree/src/simulate/odd" "$tree/src/simulate/singular"
    printf '#include "base/arena.h"\n#include <holon/status.h>\n#include <math.h>\n' >"$tree/src/system/good.c"
    printf '#include "base/arena.h"\n' >"$tree/tests/unit/good.c"
    printf '#include "mechanism/parts/body.h"\n' >"$tree/src/mechanism/mechanism.h"
    printf '#include "mechanism/mechanism.h"\n#include "mechanism/beams/sections/a.h"\n' \
        >"$tree/src/mechanism/beams/sections/good.c"
    (check "$tree" >"$tree/report") || expected_empty=1
    [ -z "${expected_empty:-}" ] || fail "good includes were refused" "$tree/report"

    printf '#include "base/arena.h"\n\n#include "system/state.h"\n' >"$tree/src/base/upward.c"
    printf '#include "../base/arena.h"\n' >"$tree/src/system/dots.c"
    printf 'int x;\n' >"$tree/src/odd/lost.c"
    printf '#include "base/arena.h"\n' >"$tree/include/holon/leak.h"
    printf '#include "system/state.h"\n' >"$tree/bench/private.c"
    printf '#include <holon/status.h>\n#include "base/arena.h"\n' >"$tree/compare/private.c"
    printf '#include "model/model.h"\n' >"$tree/results/private.c"
    printf '#include "mechanism/mechanism.h"\n' >"$tree/src/mechanism/parts/upward.h"
    printf '#include "mechanism/beams/build.h"\n' >"$tree/src/mechanism/beams/sections/upward.c"
    printf '\n#include "simulate/run/internal.h"\n' >"$tree/src/simulate/singular/upward.c"
    printf 'int x;\n' >"$tree/src/simulate/odd/lost.c"
    if (check "$tree" >"$tree/report"); then fail "violations were accepted" "$tree/report"; fi
    for place in src/base/upward.c:3: src/system/dots.c:1: src/odd/lost.c:1: include/holon/leak.h:1: bench/private.c:1: \
        compare/private.c:2: results/private.c:1: src/mechanism/parts/upward.h:1: \
        src/mechanism/beams/sections/upward.c:1: src/simulate/singular/upward.c:2: src/simulate/odd/lost.c:1:; do
        grep -q "^$place" "$tree/report" || fail "$place was not caught" "$tree/report"
    done
    [ "$(wc -l <"$tree/report")" -eq 11 ] || fail "not eleven violations" "$tree/report"
    echo "check_layers: self-test passed (11 violations caught)"
}

fail() {
    echo "check_layers: self-test FAILED: $1" >&2
    cat "$2" >&2
    exit 1
}

if [ "${1:-}" = --self-test ]; then self_test; else check "${1:-$(dirname "$0")/..}"; fi
