# SPDX-License-Identifier: BSD-3-Clause
# Writes models into a C file: cmake -D LIST=models.txt -D OUTPUT=library_models.c -P embed_models.cmake
#
# LIST is a file with one path .../NAME/model.yaml in each line, sorted. The title is what its line `title: ...` says.
# A file reference.csv beside it, if there is one, is written too.
# Texts become arrays of bytes: the standard limits the length of string literals only.

# Sets result to "0x61,0x62,...,0": the hexadecimal digits of a text as the entries of an array.
function(bytes_of digits result)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${digits}")
  set(${result} "${bytes}0" PARENT_SCOPE)
endfunction()

# The bytes of the title of a model file: without quotes, without a comment after it.
function(title_of path result)
  file(STRINGS "${path}" line REGEX "^title:" LIMIT_COUNT 1)
  string(REPLACE "\\;" ";" line "${line}")
  string(REGEX REPLACE "^title:[ \t]*" "" title "${line}")
  if(title MATCHES "^\"(.*)\"")
    set(title "${CMAKE_MATCH_1}")
  elseif(title MATCHES "^'(.*)'")
    set(title "${CMAKE_MATCH_1}")
  else()
    string(REGEX REPLACE "[ \t]+#.*$" "" title "${title}")
    string(STRIP "${title}" title)
  endif()
  string(HEX "${title}" digits)
  bytes_of("${digits}" bytes)
  set(${result} "${bytes}" PARENT_SCOPE)
endfunction()

file(STRINGS "${LIST}" models)
set(arrays "")
set(rows "")
set(index 0)
foreach(model IN LISTS models)
  get_filename_component(folder "${model}" DIRECTORY)
  get_filename_component(name "${folder}" NAME)
  file(READ "${model}" digits HEX)
  bytes_of("${digits}" text)
  title_of("${model}" title)
  set(digits "")
  if(EXISTS "${folder}/reference.csv")
    file(READ "${folder}/reference.csv" digits HEX)
  endif()
  bytes_of("${digits}" reference)
  string(APPEND arrays "static const unsigned char title_${index}[] = {${title}};\n")
  string(APPEND arrays "static const unsigned char text_${index}[] = {${text}};\n")
  string(APPEND arrays "static const unsigned char reference_${index}[] = {${reference}};\n")
  string(APPEND rows "    {\"${name}\", (const char *)title_${index}, (const char *)text_${index}, ")
  string(APPEND rows "(const char *)reference_${index}},\n")
  math(EXPR index "${index} + 1")
endforeach()

file(WRITE "${OUTPUT}" "/* Made by cmake/embed_models.cmake. */
#include \"io/library.h\"

${arrays}
const int hol_library_model_count = ${index};
const HolLibraryModel hol_library_models[] = {
${rows}    {0, 0, 0, 0},
};
")
