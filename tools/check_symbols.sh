#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Checks that a shared library has the functions which the public headers declare, and no others:
# tools/check_symbols.sh LIBRARY SOURCE_DIR. Prints every difference and exits with 1 if there is any.
set -eu
library=$1 source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
nm -D --defined-only "$library" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort >"$folder/visible"
# A declaration starts in column 0 and ends with ");"; static functions stay in the header.
sed -n '/^[A-Za-z].*[ *]hol_[a-z0-9_]*(/{/^static/d;/^typedef/d;s/.*[ *]\(hol_[a-z0-9_]*\)(.*/\1/p;}' \
    $(ls "$source"/include/holon/*.h | grep -v '/compare.h\|/results.h') | sort >"$folder/declared"
[ "$(wc -l <"$folder/declared")" -gt 100 ] || { echo "check_symbols: found no declarations" && exit 1; }
comm -23 "$folder/visible" "$folder/declared" | sed 's/$/: visible, but in no public header/' >"$folder/report"
comm -13 "$folder/visible" "$folder/declared" | sed 's/$/: declared, but not in the library/' >>"$folder/report"
cat "$folder/report"
[ ! -s "$folder/report" ]
