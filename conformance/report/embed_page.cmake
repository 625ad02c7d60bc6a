# Composes the page from report.html, its styles and its scripts, and writes it as a C++ array: string literals have a
# length limit in compilers, arrays have none.
#   cmake -D SOURCES=<folder> -D SCRIPTS=<names in order> -D OUT=<file.cpp> -P embed_page.cmake
file(READ "${SOURCES}/report.html" page)
file(READ "${SOURCES}/report.css" styles)
set(scripts "\"use strict\";\n")
foreach(script ${SCRIPTS})
  file(READ "${SOURCES}/${script}.js" text)
  string(APPEND scripts "${text}")
endforeach()
foreach(part styles scripts)
  if(NOT page MATCHES "@${part}@")
    message(FATAL_ERROR "${SOURCES}/report.html: no @${part}@")
  endif()
  string(REPLACE "@${part}@" "${${part}}" page "${page}")
endforeach()

file(WRITE "${OUT}.html" "${page}")
file(READ "${OUT}.html" bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE "${OUT}" "// Composed by embed_page.cmake from report.html, report.css and the scripts.
#include <string_view>

#include \"conformance/report/formats.hpp\"

namespace ifcert::conformance {
namespace {

constexpr unsigned char page[] = {
${bytes}};

}  // namespace

std::string_view page_template() { return {reinterpret_cast<const char*>(page), sizeof(page)}; }

}  // namespace ifcert::conformance
")
