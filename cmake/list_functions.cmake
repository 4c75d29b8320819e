# SPDX-License-Identifier: BSD-3-Clause
# holon_list_functions(HEADER OUTPUT COUNT): writes the functions that a public header declares into OUTPUT, as a macro
# PUBLIC_FUNCTIONS(X) that expands to X(hol_first) X(hol_second) ..., and their number into the variable COUNT.
# A declaration starts in column 0 with its type; static functions stay in the header.
function(holon_list_functions header output count)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  file(STRINGS ${header} lines REGEX "^[A-Za-z].*[ *]hol_[a-z0-9_]*\\(")
  file(STRINGS ${header} broken REGEX "^[*]?hol_[a-z0-9_]*\\(")
  if(broken)
    message(FATAL_ERROR "${header}: write the type of a function on the line of its name: ${broken}")
  endif()
  set(number 0)
  set(text "/* Made by cmake/list_functions.cmake. */\n#define PUBLIC_FUNCTIONS(X)")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^(static|typedef)" AND line MATCHES "[ *](hol_[a-z0-9_]*)\\(")
      string(APPEND text " \\\n    X(${CMAKE_MATCH_1})")
      math(EXPR number "${number} + 1")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${output} CONTENT "${text}\n" @ONLY)
  set(${count} ${number} PARENT_SCOPE)
endfunction()
