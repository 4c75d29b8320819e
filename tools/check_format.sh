#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Checks that clang-format would change nothing: tools/check_format.sh [SOURCE_DIR], or --self-test.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)

check() {
    cd "$1"
    files=$(find src include compare results tests bench examples cli -name '*.[ch]' 2>/dev/null | sort)
    [ -n "$files" ] || return 0
    # shellcheck disable=SC2086 # a list of words
    clang-format --dry-run --Werror --ferror-limit=1 $files
}

self_test() {
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    mkdir "$tree/src"
    cp "$root/.clang-format" "$tree"
    printf 'int twice(int x)\n{\n    return 2 * x;\n}\n' >"$tree/src/good.c"
    (check "$tree") || { echo "check_format: self-test FAILED: a good file was refused" >&2 && exit 1; }
    printf 'int twice( int x ) { return 2*x; }\n' >"$tree/src/bad.c"
    if (check "$tree" 2>/dev/null); then
        echo "check_format: self-test FAILED: a bad file was accepted" >&2
        exit 1
    fi
    echo "check_format: self-test passed"
}

if ! command -v clang-format >/dev/null 2>&1; then
    echo "check_format: clang-format is missing; install it with 'tools/setup.sh test'" >&2
    exit 1
fi
if [ "${1:-}" = --self-test ]; then
    self_test
else
    check "${1:-$root}" || { echo "check_format: run 'make format'" >&2 && exit 1; }
fi
