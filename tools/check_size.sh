#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Checks sizes and habits of the sources: tools/check_size.sh [SOURCE_DIR], or --self-test.
# Prints every violation as file:line: message and exits with 1 if there is any.
set -eu
LC_ALL=C
export LC_ALL

# Files of at most 500 lines, functions of 45, lines of 120 columns; no tabs, loose ends or postponed work.
check_code() {
    find src compare results cli include -name '*.[ch]' 2>/dev/null | sort | xargs awk '
        function violation(text) { print FILENAME ":" FNR ": " text }
        FNR == 1 { start = 0; body = 0; comment = 0; public_header = FILENAME ~ /^include\/holon\// }
        FNR == 501 { violation("the file has more than 500 lines") }
        { columns = $0; gsub(/[\200-\277]/, "", columns) }
        length(columns) > 120 { violation("more than 120 columns") }
        /\t/ { violation("tab") }
        /[ \r]$/ { violation("trailing whitespace") }
        /(^|[^A-Za-z0-9_])(TODO|FIXME|XXX|HACK)([^A-Za-z0-9_]|$)/ { violation("postponed work: " $0) }

        # A function starts at the first line of its signature in column 0 and ends at the brace in column 0.
        /^\{/ { body = 1; next }
        /^\}/ {
            if (body && FNR - start + 1 > 45) violation("the function has " FNR - start + 1 " lines, more than 45")
            body = 0; start = 0; next
        }
        body { next }
        /^$/ || /[;}\/]$/ || /^#/ { at = 0 }
        /^[A-Za-z_]/ && !at { at = 1; start = FNR }
        /^[A-Za-z_]/ && /;$/ { at = 0 }

        # A function that a public header declares is called hol_something.
        /\/\*/ { comment = 1 }
        public_header && !comment && /^[A-Za-z_][A-Za-z0-9_ *]*\(/ && !/^(static|typedef|_Static_assert)/ {
            name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
            if (name !~ /^hol_/) violation("public function " name " does not start with hol_")
        }
        /\*\// { comment = 0 }' /dev/null
}

check_texts() {
    find src include compare results cli tests bench examples tools CMakeLists.txt Makefile -type f 2>/dev/null |
        grep -E '(\.[ch]|\.sh|CMakeLists\.txt|Makefile)$' | sort |
        while read -r file; do
            head -n 3 "$file" | grep -q 'SPDX-License-Identifier: BSD-3-Clause' || echo "$file:1: no SPDX licence line on top"
        done
    find . \( -name .git -o -name node_modules -o -path ./build \) -prune -o -type f -print | sort |
        xargs grep -HInE '(^|[^A-Za-z0-9_.])/(work|home|tmp/[A-Za-z0-9_.-]+)/' /dev/null |
        sed 's/^\.\///; s/$/   <- a path of one machine/' || true
}

check() (
    cd "$1"
    report=$(check_code && check_texts)
    [ -z "$report" ] || { echo "$report" && exit 1; }
)

# Shows that a good file passes and that each rule catches its bad one.
self_test() {
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    mkdir -p "$tree/src" "$tree/include/holon"
    try() { # try NAME PASS|FAIL: standard input is the text of the file
        { echo '/* SPDX-License-Identifier: BSD-3-Clause */' && cat; } >"$tree/$1"
        if check "$tree" >"$tree.report"; then found=PASS; else found=FAIL; fi
        rm "$tree/$1"
        [ "$found" = "$2" ] || { echo "check_size: self-test FAILED: $3 gave $found" >&2 && cat "$tree.report" && exit 1; }
    }
    function_of() { awk -v n="$1" 'BEGIN { print "int f(int a,\n      int b)\n{"; while (n-- > 4) print "    a++;"; print "}" }'; }
    function_of 45 | try src/good.c PASS "a function of 45 lines"
    function_of 46 | try src/bad.c FAIL "a function of 46 lines"
    awk 'BEGIN { for (i = 0; i < 500; i++) print "int x;" }' | try src/bad.c FAIL "a file of 501 lines"
    awk 'BEGIN { printf "/*"; for (i = 0; i < 119; i++) printf "-"; print "" }' | try src/bad.c FAIL "121 columns"
    printf '\tint x;\n' | try src/bad.c FAIL "a tab"
    printf 'int x; \n' | try src/bad.c FAIL "trailing whitespace"
    printf '/* TO%s */\n' DO | try src/bad.c FAIL "postponed work"
    printf 'void hol_f(int a);\nstatic inline int g(void);\n' | try include/holon/good.h PASS "a public hol_f"
    printf 'const int *f(int a);\n' | try include/holon/bad.h FAIL "a public f"
    printf '/* see %swork/x */\n' / | try src/bad.c FAIL "a machine path"
    echo 'int x;' >"$tree/src/bad.c"
    if check "$tree" >/dev/null; then echo "check_size: self-test FAILED: no SPDX line" >&2 && exit 1; fi
    rm -f "$tree.report"
    echo "check_size: self-test passed"
}

if [ "${1:-}" = --self-test ]; then self_test; else check "${1:-$(dirname "$0")/..}"; fi
