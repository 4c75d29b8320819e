#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What is installed works alone: the command, the man page, find_package(holon) and the flags of holon.pc.
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
END
cmake -S "$place/project" -B "$place/project/build" -DCMAKE_PREFIX_PATH="$place/usr" \
    -DCMAKE_C_FLAGS="${HOLON_TEST_FLAGS:-}" >/dev/null
cmake --build "$place/project/build" >/dev/null
"$place/project/build/swing" | grep -q '^ *4\.00' || fail "the program built by CMake does not run"

# By the flags of holon.pc, which also a machine without pkg-config can read.
pc=$(find "$place/usr" -name holon.pc)
[ -n "$pc" ] || fail "holon.pc is not installed"
if grep -q "$source\|$build" "$pc"; then fail "holon.pc names folders of the build"; fi
flags=$(sed -n 's/^Cflags: //p; s/^Libs: //p' "$pc" | tr '\n' ' ')
prefix=$place/usr
libdir=$(dirname "$(dirname "$pc")")
flags=$(echo "$flags" | sed "s|\${includedir}|$prefix/include|; s|\${libdir}|$libdir|")
# shellcheck disable=SC2086 # a list of words
"${CC:-cc}" ${HOLON_TEST_FLAGS:-} -o "$place/swing" "$source/examples/swing.c" $flags
"$place/swing" | grep -q '^ *4\.00' || fail "the program built by holon.pc does not run"
finish
