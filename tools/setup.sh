#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs the Debian packages that a goal needs and that are missing: tools/setup.sh build|test|clang|bench|papers|pictures
# Silent when everything is there. HOLON_SKIP_SETUP=1 leaves the machine alone.
set -eu

usage() {
    echo "usage: tools/setup.sh build|test|clang|bench|papers|pictures" >&2
    exit 2
}

installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Any provider of liblapack.so and libblas.so will do.
have_lapack() {
    for package in libopenblas-serial-dev libopenblas-pthread-dev libopenblas-openmp-dev; do
        if installed "$package"; then return 0; fi
    done
    installed liblapack-dev && installed libblas-dev
}

[ $# -eq 1 ] || usage
libraries="libc6-dev liblapacke-dev libsuitesparse-dev libyaml-dev libhdf5-dev"
python= # any will do, not only Debian's
command -v python3 >/dev/null 2>&1 || python=python3
browser= # for the tests of pages
command -v chromium >/dev/null 2>&1 || browser=chromium
if ! command -v npm >/dev/null 2>&1; then # any Node.js will do, too
    libraries="$libraries nodejs npm"
fi
case $1 in
build | bench) needed="$libraries" ;;
papers) needed="$libraries $python" ;;
pictures) needed="$libraries $browser" ;;
test) needed="$libraries $python $browser clang-format" ;;
clang) needed="$libraries $python $browser clang-format clang" ;;
*) usage ;;
esac

[ "${HOLON_SKIP_SETUP:-0}" != 1 ] || exit 0
if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "setup: not a Debian system; please provide LAPACKE, LAPACK, BLAS, SuiteSparse (KLU), libyaml, HDF5, Node.js yourself" >&2
    exit 0
fi

missing=
have_lapack || missing=" libopenblas-serial-dev"
for package in $needed; do
    installed "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -ne 0 ]; then
    echo "setup: packages are missing; please run" >&2
    echo "    sudo apt-get install -y --no-install-recommends$missing" >&2
    exit 2
fi
echo "setup: installing$missing"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# shellcheck disable=SC2086 # a list of words
apt-get install -qq -y -o Dpkg::Use-Pty=0 --no-install-recommends $missing >/dev/null
