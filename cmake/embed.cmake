# SPDX-License-Identifier: BSD-3-Clause
# cmake -D FILES=... -D OUT=... -P embed.cmake: writes OUT, a source with the text of each file and
# embedded_text(), which finds it by the name of the file without folder and suffix.
set(text "/* Made by cmake/embed.cmake. */\n#include \"embedded.h\"\n\n#include <string.h>\n\n")
set(rows)
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1', " bytes "${bytes}")
  string(APPEND text "static const char text_${name}[] = {${bytes}0};\n")
  list(APPEND rows "    {\"${name}\", text_${name}}")
endforeach()
list(JOIN rows ",\n" rows)
string(APPEND text "static const struct {\n    const char *name, *text;\n} all[] = {\n${rows}};\n
const char *embedded_text(const char *name)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i].name, name)) return all[i].text;
    return NULL;
}
")
file(WRITE ${OUT} "${text}")
