#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Checks that every model has a picture and that its README shows it: tools/check_pictures.sh [SOURCE_DIR], or --self-test.
# Prints every violation as file: message and exits with 1 if there is any. `make pictures` draws what is missing.
set -eu
LC_ALL=C
export LC_ALL

check_model() {
    picture=$1/picture.svg
    if [ ! -f "$picture" ]; then
        echo "$picture: there is no such picture; 'make pictures' draws it"
    elif ! head -c 100 "$picture" | grep -q '^<svg ' || ! tail -n 1 "$picture" | grep -q '</svg>$'; then
        echo "$picture: this is no whole SVG picture; 'make pictures' draws it"
    elif [ "$(wc -c <"$picture")" -gt 60000 ]; then
        echo "$picture: more than 60000 bytes"
    fi
    head -n 5 "$1/README.md" | grep -q '^!\[..*\](picture\.svg)$' ||
        echo "$1/README.md: does not show ![what is seen](picture.svg) below its title"
}

check() (
    cd "$1"
    report=$(for model in models/*/model.yaml; do check_model "${model%/model.yaml}"; done)
    [ -z "$report" ] || { echo "$report" && exit 1; }
)

# Shows that a good model passes and that each rule catches its bad one.
self_test() {
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    model=$tree/models/m
    mkdir -p "$model"
    try() { # try PASS|FAIL WHAT COMMAND...: a good model, changed by the command
        want=$1 what=$2
        shift 2
        echo 'title: m' >"$model/model.yaml"
        printf '<svg >\n</svg>\n' >"$model/picture.svg"
        printf '# m\n\n![A bar](picture.svg)\n' >"$model/README.md"
        "$@"
        if check "$tree" >/dev/null 2>&1; then found=PASS; else found=FAIL; fi
        [ "$found" = "$want" ] || { echo "check_pictures: self-test FAILED: $what gave $found" >&2 && exit 1; }
    }
    cut_off() { printf '<svg >\n' >"$model/picture.svg"; }
    enlarge() { awk 'BEGIN { print "<svg >"; for (i = 0; i < 6001; i++) print "123456789"; print "</svg>" }' >"$model/picture.svg"; }
    hide() { printf '# m\n\nA bar.\n' >"$model/README.md"; }
    say_nothing() { printf '# m\n\n![](picture.svg)\n' >"$model/README.md"; }
    try PASS "a good model" true
    try FAIL "no picture" rm "$model/picture.svg"
    try FAIL "half a picture" cut_off
    try FAIL "a large picture" enlarge
    try FAIL "no README" rm "$model/README.md"
    try FAIL "a README without it" hide
    try FAIL "a picture without words" say_nothing
    echo "check_pictures: self-test passed"
}

if [ "${1:-}" = --self-test ]; then self_test; else check "${1:-$(dirname "$0")/..}"; fi
