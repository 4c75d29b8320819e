#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs the packages that a goal needs and that are missing, on Debian as root; otherwise prints the command to run.
# Silent when everything is there. HOLON_SKIP_SETUP=1 leaves the machine alone.
set -eu

usage() {
    cat >&2 <<END
usage: tools/setup.sh [--system debian|fedora|arch|macos] build|demo|test|test-all|clang|fuzz|bench|papers|pictures|facts
  --system NAME    print the command of this system for all packages of the goal, and install nothing
END
    exit 2
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# What a goal needs, in words that packages() translates.
needs() {
    libraries="compiler lapacke lapack suitesparse yaml"
    case $1 in
    demo) echo "$libraries node" ;;
    build | bench) echo "$libraries hdf5 sundials node" ;;
    papers) echo "$libraries hdf5 sundials node python" ;;
    pictures) echo "$libraries hdf5 node browser" ;;
    test) echo "$libraries hdf5 sundials node python numpy browser clang-format locales" ;;
    test-all | clang) echo "$libraries hdf5 sundials node python numpy browser clang-format locales clang" ;;
    fuzz) echo "$libraries hdf5 clang fuzzer" ;;
    facts) echo "$libraries node python engines" ;;
    *) usage ;;
    esac
}

# packages SYSTEM NEED: the packages of a system that satisfy a need. gcc, make and cmake are named where the list is only printed.
packages() {
    case $1:$2 in
    debian:compiler) echo libc6-dev ;;
    fedora:compiler) echo gcc make cmake ;;
    arch:compiler) echo base-devel cmake ;;
    macos:compiler) echo cmake pkgconf ;;
    debian:lapacke) echo liblapacke-dev ;;
    arch:lapacke) echo lapacke ;;
    debian:lapack) echo libopenblas-serial-dev ;;
    fedora:lapack) echo lapack-devel blas-devel ;; # with LAPACKE
    arch:lapack) echo lapack blas ;;
    macos:lapack) echo openblas ;; # with LAPACKE
    debian:suitesparse) echo libsuitesparse-dev ;;
    fedora:suitesparse) echo suitesparse-devel ;;
    arch:suitesparse) echo suitesparse ;;
    macos:suitesparse) echo suite-sparse ;;
    debian:yaml) echo libyaml-dev ;;
    fedora:yaml) echo libyaml-devel ;;
    *:yaml) echo libyaml ;;
    debian:hdf5) echo libhdf5-dev ;;
    fedora:hdf5) echo hdf5-devel ;;
    *:hdf5) echo hdf5 ;;
    debian:sundials) echo libsundials-dev ;;
    fedora:sundials) echo sundials-devel ;;
    *:sundials) echo sundials ;;
    debian:node | arch:node) echo nodejs npm ;;
    fedora:node) echo nodejs nodejs-npm ;;
    macos:node) echo node ;;
    debian:python | fedora:python) echo python3 ;;
    *:python) echo python ;;
    debian:numpy | fedora:numpy) echo python3-numpy python3-h5py ;;
    arch:numpy) echo python-numpy python-h5py ;;
    macos:numpy) echo numpy ;; # h5py is not packaged
    *:browser) echo chromium ;;
    fedora:clang-format) echo clang-tools-extra ;;
    arch:clang-format | arch:clang) echo clang ;;
    *:clang-format) echo clang-format ;;
    debian:locales) echo locales ;;
    fedora:locales) echo glibc-locale-source ;;
    *:locales) ;; # the system has them
    macos:clang) echo llvm ;;
    *:clang) echo clang ;;
    debian:fuzzer) echo libclang-rt-14-dev ;;
    fedora:fuzzer | arch:fuzzer) echo compiler-rt ;; # macos: with llvm
    debian:engines) echo g++ pkg-config libmujoco-dev libsimbody-dev libode-dev libbullet-dev ;;
    fedora:engines) echo gcc-c++ ode-devel bullet-devel ;;
    arch:engines) echo ode bullet ;;
    macos:engines) echo ode bullet simbody ;;
    esac
}

# Programs may come from elsewhere, and any provider of liblapack.so and libblas.so will do.
satisfied() {
    case $1 in
    python) have python3 ;;
    numpy) has_numpy python3 || has_numpy /usr/bin/python3 ;;
    browser) have chromium ;;
    node) have npm ;;
    locales) [ -e /usr/share/i18n/locales/de_DE ] || [ -e /usr/share/i18n/locales/de_DE.gz ] ;;
    lapack) have_debian_lapack ;;
    *) return 1 ;;
    esac
}

has_numpy() {
    "$1" -c 'import numpy, h5py' 2>/dev/null
}

installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

have_debian_lapack() {
    for package in libopenblas-serial-dev libopenblas-pthread-dev libopenblas-openmp-dev; do
        if installed "$package"; then return 0; fi
    done
    installed liblapack-dev && installed libblas-dev
}

# Missing packages of this machine, which is a Debian system.
missing_packages() {
    for need in $(needs "$1"); do
        if satisfied "$need"; then continue; fi
        for package in $(packages debian "$need"); do
            installed "$package" || printf ' %s' "$package"
        done
    done
}

system_here() {
    if have dpkg-query; then
        echo debian
    elif have dnf; then
        echo fedora
    elif have pacman; then
        echo arch
    elif have brew || [ "$(uname -s)" = Darwin ]; then
        echo macos
    fi
}

# The command that installs all packages of a goal. What is there already is not installed again.
command_of() {
    list=$(for need in $(needs "$2"); do packages "$1" "$need"; done | tr '\n' ' ' | sed 's/ $//')
    case $1 in
    debian) echo "sudo apt-get install -y --no-install-recommends $list" ;;
    fedora) echo "sudo dnf install -y $list" ;;
    arch) echo "sudo pacman -S --needed $list" ;;
    macos) echo "brew install $list" ;;
    *) usage ;;
    esac
}

install_debian() {
    missing=$(missing_packages "$1")
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        echo "setup: packages are missing; please run" >&2
        echo "    sudo apt-get install -y --no-install-recommends$missing" >&2
        exit 2
    fi
    echo "setup: installing$missing"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq -o Acquire::Languages=none
    # shellcheck disable=SC2086 # a list of words
    apt-get install -qq -y -o Dpkg::Use-Pty=0 --no-install-recommends $missing >/dev/null
}

# Elsewhere nothing is installed and the goal is tried all the same: libraries may have come another way.
advise() {
    if [ -z "$1" ]; then
        echo "setup: unknown system; this needs LAPACKE, LAPACK, BLAS, SuiteSparse (KLU, AMD), libyaml; HDF5, SUNDIALS and Node.js are optional" >&2
    else
        echo "setup: packages are installed by themselves on Debian only; if some are missing here, run" >&2
        echo "    $(command_of "$1" "$2")" >&2
    fi
}

if [ "${1:-}" = --system ]; then
    [ $# -eq 3 ] || usage
    needs "$3" >/dev/null
    command_of "$2" "$3"
    exit 0
fi
[ $# -eq 1 ] || usage
needs "$1" >/dev/null
[ "${HOLON_SKIP_SETUP:-0}" != 1 ] || exit 0
system=$(system_here)
if [ "$system" = debian ]; then install_debian "$1"; else advise "$system" "$1"; fi
