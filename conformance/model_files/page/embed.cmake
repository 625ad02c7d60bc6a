# Composes the page from page.html, its styles and its scripts, and writes it as a C++ array.
#   cmake -D SOURCES=<folder> -D OUT=<file.cpp> -P embed.cmake
file(READ "${SOURCES}/page.html" page)
file(READ "${SOURCES}/page.css" styles)
set(scripts "\"use strict\";\n")
foreach(script layout draw view page)
  file(READ "${SOURCES}/${script}.js" text)
  string(APPEND scripts "${text}")
endforeach()
foreach(part styles scripts)
  if(NOT page MATCHES "@${part}@")
    message(FATAL_ERROR "${SOURCES}/page.html: no @${part}@")
  endif()
  string(REPLACE "@${part}@" "${${part}}" page "${page}")
endforeach()

file(WRITE "${OUT}.html" "${page}")
file(READ "${OUT}.html" bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE "${OUT}" "// Composed by embed.cmake from page.html, page.css and the scripts.
#include \"conformance/model_files/drawing_page.hpp\"

namespace ifcert::conformance {
namespace {

constexpr unsigned char page[] = {
${bytes}};

}  // namespace

std::string_view drawing_page() { return {reinterpret_cast<const char*>(page), sizeof(page)}; }

}  // namespace ifcert::conformance
")
