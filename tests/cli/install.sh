#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What is installed works alone: the command, the man page, find_package(holon), and the flags of holon.pc,
# holon-compare.pc and holon-results.pc.
set -eu
. "$(dirname "$0")/functions.sh"

build=$(dirname "$holon")
place=$folder

cmake --install "$build" --prefix "$place/usr" >/dev/null
"$place/usr/bin/holon" run pendulum --until 0.1 --quiet
[ -s "$place/usr/share/man/man1/holon.1" ] || fail "the man page is not installed"

# By CMake.
mkdir "$place/project"
cp "$source/examples/swing.c" "$place/project/"
cat >"$place/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(swing C)
find_package(holon REQUIRED)
add_executable(swing swing.c)
target_link_libraries(swing PRIVATE holon::holon)
add_executable(methods methods.c)
target_link_libraries(methods PRIVATE holon::compare)
add_executable(files files.c)
target_link_libraries(files PRIVATE holon::results)
END
cat >"$place/project/files.c" <<'END'
#include <holon/results.h>
#include <stdio.h>

int main(int count, char **arguments)
{
    const char *const columns[] = {"t", "x"};
    HolResults *results;
    HolResultsReader *reader;
    double row[] = {0, 0.1};
    bool more = false;
    if (count < 2 || hol_results_create(arguments[1], columns, 2, &results, NULL) != HOL_OK)
        return 1;
    hol_results_add(results, row);
    hol_results_destroy(results);
    row[1] = 0;
    if (hol_results_open(arguments[1], &reader, NULL) != HOL_OK)
        return 1;
    hol_results_next(reader, row, &more, NULL);
    printf("%d row, x = %g\n", more, row[1]);
    hol_results_close(reader);
}
END
cat >"$place/project/methods.c" <<'END'
#include <holon/compare.h>
#include <holon/holon.h>
#include <stdio.h>

int main(void)
{
    HolModel *model = hol_model_create();
    HolMechanism *mechanism = NULL;
    HolComparison *comparison = NULL;
    HolCompareOptions options = hol_compare_options();
    options.rounds = 0;
    options.until = 0.1;
    HolMessage message;
    if (hol_model_load(model, "pendulum") != HOL_OK || hol_mechanism_create(model, &mechanism) != HOL_OK ||
        hol_mechanism_assemble(mechanism, &message) != HOL_OK ||
        hol_compare(mechanism, &options, &comparison, &message) != HOL_OK)
        return 1;
    printf("%d formulations compared\n", comparison->count);
    hol_comparison_destroy(comparison);
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
}
END
cmake -S "$place/project" -B "$place/project/build" -DCMAKE_PREFIX_PATH="$place/usr" \
    -DCMAKE_C_FLAGS="${HOLON_TEST_FLAGS:-}" >/dev/null
cmake --build "$place/project/build" >/dev/null
"$place/project/build/swing" | grep -q '^ *4\.00' || fail "the program built by CMake does not run"
"$place/project/build/methods" | grep -q '^[0-9]* formulations compared$' || fail "holon::compare does not work"
for ending in csv npy; do
    "$place/project/build/files" "$place/motion.$ending" | grep -q '^1 row, x = 0\.1$' || fail "holon::results does not work: .$ending"
done

# By the flags of the .pc files, which also a machine without pkg-config can read.
pc=$(find "$place/usr" -name holon.pc)
[ -n "$pc" ] || fail "holon.pc is not installed"
libdir=$(dirname "$(dirname "$pc")")
flags_of() {
    file=$libdir/pkgconfig/$1.pc
    if grep -q "$source\|$build" "$file"; then fail "$1.pc names folders of the build"; fi
    if grep -q '^prefix=.*/$' "$file"; then fail "$1.pc puts two slashes into its paths"; fi
    sed -n 's/^Cflags: //p; s/^Libs: //p' "$file" | tr '\n' ' ' |
        sed "s|\${includedir}|$place/usr/include|g; s|\${libdir}|$libdir|g"
}
# shellcheck disable=SC2046 # lists of words
"${CC:-cc}" ${HOLON_TEST_FLAGS:-} -o "$place/swing" "$source/examples/swing.c" $(flags_of holon)
"$place/swing" | grep -q '^ *4\.00' || fail "the program built by holon.pc does not run"
for part in compare results; do
    grep -q '^Requires: holon$' "$libdir/pkgconfig/holon-$part.pc" || fail "holon-$part.pc does not require holon"
done
# shellcheck disable=SC2046
"${CC:-cc}" ${HOLON_TEST_FLAGS:-} -o "$place/methods" "$place/project/methods.c" $(flags_of holon-compare) \
    $(flags_of holon)
"$place/methods" | grep -q ' formulations compared$' || fail "the program built by holon-compare.pc does not run"
# shellcheck disable=SC2046
"${CC:-cc}" ${HOLON_TEST_FLAGS:-} -o "$place/files" "$place/project/files.c" $(flags_of holon-results) $(flags_of holon)
"$place/files" "$place/motion.csv" | grep -q '^1 row' || fail "the program built by holon-results.pc does not run"
if objdump -p "$libdir/libholon.so.0" | grep -q 'NEEDED.*hdf5'; then fail "the library itself needs HDF5"; fi

# The shared library is what that program uses; it shows the public functions and no others.
shared=$(find "$place/usr" -name 'libholon.so.0')
[ -n "$shared" ] || fail "the shared library is not installed"
objdump -p "$place/swing" | grep -q 'NEEDED *libholon\.so\.0' || fail "the program does not use the shared library"
sh "$source/tools/check_symbols.sh" "$shared" "$source" || fail "the shared library shows other functions than the headers"
finish
