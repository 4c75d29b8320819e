/* SPDX-License-Identifier: BSD-3-Clause */
/* What this build was made from: a hash of all sources, and the compiler with its options. Written by CMake
 * (cmake/build_id.cmake). Builds with the same text compute the same numbers. */
#ifndef HOLON_BASE_BUILD_ID_H
#define HOLON_BASE_BUILD_ID_H

extern const char hol_build_id[];

#endif
