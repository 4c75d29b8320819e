#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Checks that numeric tolerances stand in src/base/tolerances.h: tools/check_tolerances.sh [SOURCE_DIR], or --self-test.
# Violations anywhere else in src/, comments and strings apart:
#   a literal such as 1e-9, or 0.001 and smaller however it is written; DBL_EPSILON and its kin (HOL_ROUNDINGS() counts
#   roundings); a fraction that is compared with (x < 0.01), or a power (1 / 1e9, 1e9 *, pow(10, -9), ldexp(1, -30));
#   a size with a unit, as in tolerance * (1 + |x|) or tolerance * fmax(1, x).
# Prints every violation as file:line: message and exits with 1 if there is any.
#
# What is small and no tolerance, as file and a part of the line:
exceptions='
src/base/options.h|HOL_SMALLEST|bound of options without a natural limit
src/linalg/dense/qr.c|square > 1e-280|next to underflow
src/mechanism/bodies/bar.c|SLENDER_AXIAL|inertia of a slender bar about itself, a model
src/mechanism/compile/run_section.c|"step", HOL_FIELD_NUMBER|the default step, s
src/mechanism/builder/builder.c|LEAST_STIFFNESS|bound of what may be given
src/simulate/assembly/run_section.c|.step = 1e-3|the default step, s
src/integrators/embedded.c|beta = 0.04|an exponent of the step control
src/integrators/dop853.c|] = |coefficients
src/model/loops.c|largest_whole|whole numbers, whose unit is 1
src/simulate/run/run.c|tv_nsec|a nanosecond
src/linalg/schur/own_rows.c|(1 + fabs(e[|a component of a unit vector
src/linalg/block/block_ldl_kernels.h|HOL_LARGEST_PIVOT|the number below one
src/math/sincos.h|0x|coefficients
src/system/check.c|(1 + s|numbers of systems written in C, of any unit, beside the largest of their kind
src/system/check_mean.c|(1 + |the same
'
set -eu

check() {
    cd "$1"
    find src -name '*.[ch]' ! -path src/base/tolerances.h | sort | EXCEPTIONS=$exceptions xargs awk '
        BEGIN {
            count = split(ENVIRON["EXCEPTIONS"], line, "\n")
            for (i = 1; i <= count; i++)
                if (split(line[i], part, "|") == 3) { file[++known] = part[1]; text[known] = part[2] }
        }
        function is_known(whole,   i) {
            for (i = 1; i <= known; i++)
                if (file[i] == FILENAME && index(whole, text[i])) { used[i] = 1; return 1 }
            return 0
        }
        FNR == 1 { inside = 0 }
        {
            code = $0
            gsub(/"([^"\\]|\\.)*"/, "\"\"", code)
            if (inside) { if (!sub(/^.*\*\//, "", code)) next; inside = 0 }
            gsub(/\/\*([^*]|\*[^\/])*\*\//, "", code)
            if (sub(/\/\*.*/, "", code)) inside = 1
            gsub(/[0-9.]+ \* HOL_TOL_/, "HOL_TOL_", code)
            why = ""
            if (code ~ /(^|[^a-zA-Z_0-9.])([0-9]+(\.[0-9]*)?|\.[0-9]+)[eE]-[0-9]+/ ||
                code ~ /(^|[^a-zA-Z_0-9.])0?\.00[0-9]*/ || code ~ /0x[0-9a-fA-F.]+p-[0-9]/ || code ~ /(nextafter|ulp)\(/)
                why = "a tolerance of its own; use or derive one of src/base/tolerances.h"
            if (code ~ /[<>]=? *-?0?\.(0[0-9]*[1-9]|[1-46-9])/ || code ~ /const double.* = 0?\.0[0-9]*[1-9]/ ||
                code ~ /[0-9.)] *\/ *[0-9.]+[eE]\+?[0-9]/ ||
                code ~ /\* *[0-9.]+[eE]\+?[0-9]+ *[<>]/ || code ~ /[<>]=? *[0-9.]+[eE]\+?[0-9]+ *\*/ ||
                code ~ /pow\(10(\.0?)?, *-/ || code ~ /(ldexp|scalbn)\([^,]*, *-/)
                why = "a tolerance of its own; name it in src/base/tolerances.h"
            if (code ~ /(DBL|FLT|LDBL)_EPSILON/) why = "a tolerance of its own; count roundings with HOL_ROUNDINGS()"
            if (code ~ /\((1|1\.0?) \+ (fabs|hol_max_norm|hol_motion_norm|size|scale|largest)/ ||
                code ~ /([tT]ol[a-z]*|TOL_[A-Z_]*) \* \((1|1\.0?) \+ / || code ~ /([tT]ol[a-z]*|TOL_[A-Z_]*) \* fmax\((1|1\.0?),/)
                why = "a size with a unit; use hol_position_size() or a unit of the system"
            if (why == "" || is_known($0)) next
            print FILENAME ":" FNR ": " why
            bad = 1
        }
        END {
            for (i = 1; i <= known && !ENVIRON["SELF_TEST"]; i++)
                if (!used[i]) { print "tools/check_tolerances.sh: the exception " file[i] "|" text[i] " is not used"; bad = 1 }
            exit bad
        }' /dev/null || return 1
}

fail() {
    echo "check_tolerances.sh: $1" >&2
    cat "$2" >&2
    exit 1
}

# Shows that the check passes what is allowed and catches a literal in code, however it is written.
self_test() {
    export SELF_TEST=1
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    mkdir -p "$tree/src/base" "$tree/src/io"
    printf '#define HOL_TOL_RANK 1e-9\n' >"$tree/src/base/tolerances.h"
    printf '/* below 1e-9\n * or 1e-8 */\ndouble x = 10 * HOL_TOL_RANK; /* 1e-8 */\nchar *s = "1e-3";\ndouble y = 1e9, z1e = 2;\n' \
        >"$tree/src/io/good.c"
    mkdir -p "$tree/src/linalg/dense"
    printf '    return square > 1e-280;\n' >"$tree/src/linalg/dense/qr.c"
    (check "$tree" >"$tree/report") || fail "what is allowed was refused" "$tree/report"
    for code in 'x < 1e-9' 'x = 2.5e-12;' '{1e-14,' 'y = "1e-3" ? 1E-3 : 0; /* why */' '/* why */ x = 1.e-6' \
        'x <= .5e-9' 'x < 0.0001' 'x < 0.001 * y' 'x <= 0x1p-40' 'x <= 8 * DBL_EPSILON * y' 'x < FLT_EPSILON' \
        'x <= tolerance * (1 + fabs(y))' 'x <= t * (1 + hol_max_norm(n, y))' 'x < 0.01' 'static const double X = 0.05;' \
        'x >= 0.02 * y' 'x < 1 / 1e9' 'x * 1e9 < y' 'x > 1e9 * y' 'x < pow(10, -9)' 'x < ldexp(1, -30)' \
        'x <= tolerance * (1.0 + y)' 'x <= HOL_TOL_EQUAL * fmax(1, y)'; do
        printf 'int a;\n%s\n' "$code" >"$tree/src/io/bad.c"
        if (check "$tree" >"$tree/report"); then fail "not caught: $code" "$tree/report"; fi
        grep -q '^src/io/bad.c:2: ' "$tree/report" || fail "not reported by its place: $code" "$tree/report"
    done
}

case ${1:-.} in
--self-test) self_test ;;
*) check "${1:-.}" ;;
esac
