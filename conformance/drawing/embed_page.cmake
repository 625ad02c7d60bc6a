# Composes a page from NAME.html, its styles (NAME.css) and its scripts, and writes it as a C++ array: string literals have
# a length limit in compilers, arrays have none.
#   cmake -D SOURCES=<folder> -D NAME=<name> -D SCRIPTS=<names in order> -D HEADER=<that declares it>
#         -D NAMESPACE=<its namespace> -D FUNCTION=<its name> -D OUT=<file.cpp> -P embed_page.cmake
file(READ "${SOURCES}/${NAME}.html" page)
file(READ "${SOURCES}/${NAME}.css" styles)
set(scripts "\"use strict\";\n")
foreach(script ${SCRIPTS})
  file(READ "${SOURCES}/${script}.js" text)
  string(APPEND scripts "${text}")
endforeach()
foreach(part styles scripts)
  if(NOT page MATCHES "@${part}@")
    message(FATAL_ERROR "${SOURCES}/${NAME}.html: no @${part}@")
  endif()
  string(REPLACE "@${part}@" "${${part}}" page "${page}")
endforeach()

file(WRITE "${OUT}.html" "${page}")
file(READ "${OUT}.html" bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE "${OUT}" "// Composed by embed_page.cmake from ${NAME}.html, ${NAME}.css and the scripts.
#include <string_view>

#include \"${HEADER}\"

namespace ${NAMESPACE} {
namespace {

constexpr unsigned char page[] = {
${bytes}};

}  // namespace

std::string_view ${FUNCTION}() { return {reinterpret_cast<const char*>(page), sizeof(page)}; }

}  // namespace ${NAMESPACE}
")
