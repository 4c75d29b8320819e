# SPDX-License-Identifier: BSD-3-Clause
# cmake -D ROOT=<sources> -D LIST=<file of source paths> -D COMPILER=<text> -D OUTPUT=<.c> -P build_id.cmake
#
# Writes the text hol_build_id of src/base/build_id.h.
file(STRINGS ${LIST} sources)
set(all "${COMPILER}\n")
foreach(source ${sources})
  file(SHA256 ${source} hash)
  file(RELATIVE_PATH name ${ROOT} ${source})
  string(APPEND all "${name} ${hash}\n")
endforeach()
string(SHA256 id "${all}")
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "/* SPDX-License-Identifier: BSD-3-Clause */
#include \"base/build_id.h\"

const char hol_build_id[] = \"${id}\";
" @ONLY)
