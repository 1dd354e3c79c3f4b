# SPDX-License-Identifier: BSD-3-Clause
# cmake -D SOURCE=... -D OUT=... -P commit.cmake: writes OUT, a header that says which commit of git the
# tree SOURCE is at; "" where it is not git's. OUT stays as it is where that says the same.
set(commit)
find_program(git git)
if(git)
  execute_process(COMMAND ${git} -C ${SOURCE} describe --always --dirty --exclude *
    OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT
  "/* Made by cmake/commit.cmake. */\n#define STRIA_COMMIT \"@commit@\"\n")
