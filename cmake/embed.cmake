# SPDX-License-Identifier: BSD-3-Clause
# cmake -D FILES=... -D OUT=... -P embed.cmake: writes OUT, a header with the bytes of each file and
# STRIA_SUITES, the rows of a table of them: name without folder and suffix, bytes, length.
set(text "/* Made by cmake/embed.cmake. */\n")
set(rows)
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
  string(APPEND text "static const unsigned char suite_${name}[] = {\n${bytes}};\n")
  list(APPEND rows "{\"${name}\", suite_${name}, sizeof suite_${name}}")
endforeach()
list(JOIN rows ", " rows)
file(WRITE ${OUT} "${text}#define STRIA_SUITES ${rows}\n")
