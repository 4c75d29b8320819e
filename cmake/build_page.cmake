# SPDX-License-Identifier: BSD-3-Clause
# Builds the page of reports: cmake -D VIEWER=viewer/ -D WORK=folder -D OUTPUT=page.html -D NODE=.. -D NPM=.. -P this
# A copy of the sources is built in WORK, so that nothing is left in the source folder. Packages are fetched (npm ci)
# only where they are missing or the lock file has changed; viewer/node_modules is used if it is there. Where a step
# fails, the page is empty, old enough to be tried again, and the build goes on with a warning.

function(give_up why)
  file(WRITE ${OUTPUT} "")
  execute_process(COMMAND touch -t 200001010000 ${OUTPUT})
  message(WARNING "holon: the page of reports was not built, and --report will say so: ${why}")
endfunction()

file(MAKE_DIRECTORY ${WORK})
file(GLOB sources LIST_DIRECTORIES true RELATIVE ${VIEWER} ${VIEWER}/* ${VIEWER}/.npmrc)
list(REMOVE_ITEM sources node_modules dist)
foreach(source ${sources})
  file(REMOVE_RECURSE ${WORK}/${source}) # what is gone goes here, too
  file(COPY ${VIEWER}/${source} DESTINATION ${WORK} NO_SOURCE_PERMISSIONS) # which may be read-only
endforeach()

file(SHA256 ${WORK}/package-lock.json lock)
set(stamp ${WORK}/node_modules.lock)
set(known "")
if(EXISTS ${stamp} AND EXISTS ${WORK}/node_modules)
  file(READ ${stamp} known)
endif()
if(NOT known STREQUAL lock)
  file(REMOVE ${stamp})
  if(EXISTS ${VIEWER}/node_modules/.package-lock.json)
    file(REMOVE_RECURSE ${WORK}/node_modules)
    file(CREATE_LINK ${VIEWER}/node_modules ${WORK}/node_modules SYMBOLIC)
  else()
    execute_process(COMMAND ${NPM} ci --prefer-offline --no-audit --no-fund --ignore-scripts WORKING_DIRECTORY ${WORK}
      RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(NOT code EQUAL 0)
      give_up("'npm ci' failed in ${WORK}:\n${said}")
      return()
    endif()
  endif()
  file(WRITE ${stamp} ${lock})
endif()

execute_process(COMMAND ${NODE} build.mjs --out ${WORK}/dist WORKING_DIRECTORY ${WORK}
  RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(code EQUAL 0 AND EXISTS ${WORK}/dist/page.html)
  file(COPY_FILE ${WORK}/dist/page.html ${OUTPUT})
  file(TOUCH ${OUTPUT})
else()
  give_up("'node build.mjs' failed in ${WORK}:\n${said}")
endif()
