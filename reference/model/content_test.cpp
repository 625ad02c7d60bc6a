#include <gtest/gtest.h>

#include <ifcert/content.hpp>
#include <string_view>

namespace ifcert {
namespace {

using namespace std::string_view_literals;

Format format_of_text(std::string_view text) {
  return format_of(std::as_bytes(std::span(text)));
}

TEST(FormatOfBytes, IsToldByTheFirstOnes) {
  EXPECT_EQ(format_of_text("\x1C\0\0\0TFL3"sv), Format::tflite);
  EXPECT_EQ(format_of_text("\x1C\0\0\0CIR0"sv), Format::tflite);
  EXPECT_EQ(format_of_text("\xEF\xBB\xBF <net/>"sv), Format::openvino);
  EXPECT_EQ(format_of_text("\x08\x0A"sv), Format::onnx);
  EXPECT_EQ(format_of_text(""sv), Format::onnx);
}

TEST(FormatOfBytes, IsOnnxWhereTheProducerIsNamedLikeTheIdentifierOfAnotherFormat) {
  EXPECT_EQ(format_of_text("\x08\x0A\x12\x08TFL3-gen"sv), Format::onnx);
  EXPECT_EQ(format_of_text("\x08\x08\x12\x04"
                           "CIR0"sv),
            Format::onnx);
}

}  // namespace
}  // namespace ifcert
