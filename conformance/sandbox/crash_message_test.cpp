#include "conformance/sandbox/crash_message.hpp"

#include <gtest/gtest.h>

namespace ifcert::conformance {
namespace {

TEST(CrashMessage, AreTheLastLineThatIsNotEmpty) {
  EXPECT_EQ(crash_message(""), "");
  EXPECT_EQ(crash_message(" \n\t\n"), "");
  EXPECT_EQ(crash_message("first\n  last, indented \r\n\n"), "last, indented");
  EXPECT_EQ(crash_message("TypeError: long ago\nterminate called\n  what():  no such file\n"), "what():  no such file");
}

TEST(CrashMessage, OfNodeAreTheError) {
  EXPECT_EQ(crash_message("/a/adapter.js:5\n  none();\n  ^\n\nTypeError: none is not a function\n"
                          "    at Object.<anonymous> (/a/adapter.js:5:3)\n\nNode.js v20.20.2\n"),
            "TypeError: none is not a function");
  EXPECT_EQ(crash_message("Error: Cannot find module 'my-runtime'\nRequire stack:\n- /a/adapter.js\n"
                          "    at Module._load (node:internal/modules/cjs/loader:1029:27) {\n"
                          "  code: 'MODULE_NOT_FOUND',\n  requireStack: [ '/a/adapter.js' ]\n}\n\nNode.js v20.20.2\n"),
            "Error: Cannot find module 'my-runtime'");
  EXPECT_EQ(crash_message("Error [ERR_REQUIRE_ESM]: require() of a module\n    at a (b:1:2)\n"),
            "Error [ERR_REQUIRE_ESM]: require() of a module");
}

TEST(CrashMessage, OfRustAreThePanicAndItsMessage) {
  EXPECT_EQ(crash_message("\nthread 'main' panicked at adapter.rs:19:8:\nindex out of bounds: the len is 0\n"
                          "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n"),
            "thread 'main' panicked at adapter.rs:19:8: index out of bounds: the len is 0");
}

TEST(CrashMessage, OfJavaAreTheExceptionOrItsCause) {
  const std::string thrown = "Exception in thread \"main\" java.lang.AssertionError: index 5\n\tat A.main(A.java:3)\n";
  EXPECT_EQ(crash_message(thrown), "Exception in thread \"main\" java.lang.AssertionError: index 5");
  EXPECT_EQ(crash_message(thrown + "Caused by: java.io.IOException: gone\n\tat A.a(A.java:9)\n\t... 1 more\n"),
            "Caused by: java.io.IOException: gone");
}

TEST(CrashMessage, OfGoAreThePanic) {
  EXPECT_EQ(crash_message("panic: runtime error: index out of range [5] with length 0\n\ngoroutine 1 [running]:\n"
                          "main.main()\n\t/a/adapter.go:147 +0x29\n"),
            "panic: runtime error: index out of range [5] with length 0");
  EXPECT_EQ(crash_message("panic: one [recovered]\n\tpanic: two\n\ngoroutine 1 [running]:\n\t/a/b.go:1 +0x2\n"),
            "panic: two");
}

TEST(CrashMessage, OfAnotherTraceAreTheLineAboveIt) {
  EXPECT_EQ(crash_message("it is over\n\tat A.main(A.java:3)\n"), "it is over");
  EXPECT_EQ(crash_message("\tat A.main(A.java:3)\n"), "at A.main(A.java:3)");
}

}  // namespace
}  // namespace ifcert::conformance
