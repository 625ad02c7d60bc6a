#include "conformance/sandbox/crash_message.hpp"

#include <gtest/gtest.h>

namespace ifcert::conformance {
namespace {

TEST(LastWords, AreTheLastLineThatIsNotEmpty) {
  EXPECT_EQ(last_words(""), "");
  EXPECT_EQ(last_words(" \n\t\n"), "");
  EXPECT_EQ(last_words("first\n  last, indented \r\n\n"), "last, indented");
  EXPECT_EQ(last_words("TypeError: long ago\nterminate called\n  what():  no such file\n"), "what():  no such file");
}

TEST(LastWords, OfNodeAreTheError) {
  EXPECT_EQ(last_words("/a/adapter.js:5\n  none();\n  ^\n\nTypeError: none is not a function\n"
                       "    at Object.<anonymous> (/a/adapter.js:5:3)\n\nNode.js v20.20.2\n"),
            "TypeError: none is not a function");
  EXPECT_EQ(last_words("Error: Cannot find module 'my-runtime'\nRequire stack:\n- /a/adapter.js\n"
                       "    at Module._load (node:internal/modules/cjs/loader:1029:27) {\n"
                       "  code: 'MODULE_NOT_FOUND',\n  requireStack: [ '/a/adapter.js' ]\n}\n\nNode.js v20.20.2\n"),
            "Error: Cannot find module 'my-runtime'");
  EXPECT_EQ(last_words("Error [ERR_REQUIRE_ESM]: require() of a module\n    at a (b:1:2)\n"),
            "Error [ERR_REQUIRE_ESM]: require() of a module");
}

TEST(LastWords, OfRustAreThePanicAndItsMessage) {
  EXPECT_EQ(last_words("\nthread 'main' panicked at adapter.rs:19:8:\nindex out of bounds: the len is 0\n"
                       "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n"),
            "thread 'main' panicked at adapter.rs:19:8: index out of bounds: the len is 0");
}

TEST(LastWords, OfJavaAreTheExceptionOrItsCause) {
  const std::string thrown = "Exception in thread \"main\" java.lang.AssertionError: index 5\n\tat A.main(A.java:3)\n";
  EXPECT_EQ(last_words(thrown), "Exception in thread \"main\" java.lang.AssertionError: index 5");
  EXPECT_EQ(last_words(thrown + "Caused by: java.io.IOException: gone\n\tat A.a(A.java:9)\n\t... 1 more\n"),
            "Caused by: java.io.IOException: gone");
}

TEST(LastWords, OfGoAreThePanic) {
  EXPECT_EQ(last_words("panic: runtime error: index out of range [5] with length 0\n\ngoroutine 1 [running]:\n"
                       "main.main()\n\t/a/adapter.go:147 +0x29\n"),
            "panic: runtime error: index out of range [5] with length 0");
  EXPECT_EQ(last_words("panic: one [recovered]\n\tpanic: two\n\ngoroutine 1 [running]:\n\t/a/b.go:1 +0x2\n"),
            "panic: two");
}

TEST(LastWords, OfAnotherTraceAreTheLineAboveIt) {
  EXPECT_EQ(last_words("it is over\n\tat A.main(A.java:3)\n"), "it is over");
  EXPECT_EQ(last_words("\tat A.main(A.java:3)\n"), "at A.main(A.java:3)");
}

}  // namespace
}  // namespace ifcert::conformance
