// Hostile IR: malformed, damaged at every place, or with offsets outside of the file. Each is read, or refused in one
// sentence with place and reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <ifcert/reference.hpp>

#include "formats/openvino/ir_text.hpp"
#include "formats/zero_inputs.hpp"

namespace ifcert::openvino {
namespace {

using namespace ir_text;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

/// The first finding, or the refusal of the reader; empty where the model is legal.
std::string fault_of(const std::string& xml, const std::string& weights = "") {
  try {
    const auto broken = check(read(xml, weights));
    return broken.empty() ? "" : to_string(broken.front());
  } catch (const UnreadableModel& error) {
    return error.what();
  }
}

const std::string pass = network({parameter(0, "f32", "2"), result(1)}, {edge(0, 0, 1, 0)});

std::string small_model() {
  const std::string inner =
      network({parameter(0, "i32", "1"), constant(1, "i32", "1", 0, 4), operation(2, "Abs", 1), result(3)},
              {edge(0, 0, 2, 0), edge(2, 1, 3, 0)});
  const std::string map = in("1", "0") + out("2", "3");
  return model({2, {"I32"}, map, map, inner, inner}, {{"boolean", ""}, {"i32", "1"}});
}

TEST(Xml, IsWholeWithOneNetAndNoDtd) {
  const std::string good = net(pass);
  EXPECT_EQ(fault_of(good), "");
  EXPECT_EQ(fault_of(net(pass, "10")), "");
  for (const std::string version : {"7", "12", "", "11.0", "-11"})
    EXPECT_THAT(fault_of(net(pass, version)), HasSubstr("openvino/ir/version")) << version;
  const std::string bomb = R"(<!DOCTYPE net [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>)";
  for (const std::string& bad :
       {std::string(), std::string("text"), good.substr(0, good.size() - 3), "<a/>" + good.substr(21),
        good + good.substr(21), bomb + good.substr(21),
        "<!DOCTYPE net SYSTEM \"file:///etc/passwd\">" + good.substr(21),
        replaced(good, "name=\"in0\"", "name=\"in0\" name=\"in1\""), good + std::string(1, '\0')})
    EXPECT_THAT(fault_of(bad), HasSubstr("openvino/ir/well-formed")) << bad;
}

TEST(Xml, IsRefusedWherePugixmlIsLessStrictThanXml) {
  const std::string good = net(pass);
  const auto named = [&](const std::string& name) { return replaced(good, "name=\"in0\"", "name=\"" + name + "\""); };
  for (const std::string name :
       {"a&amp;b", "&#65;&#x1F600;", "&lt;&gt;&apos;&quot;", "größer 和 \U0001F600", "a>b", ""})
    EXPECT_EQ(fault_of(named(name)), "") << name;
  EXPECT_EQ(fault_of("\xEF\xBB\xBF" + good), "") << "a byte order mark";
  EXPECT_EQ(fault_of("<?xml version=\"1.0\"?>\n<!-- a < b & c -->" + good.substr(21) + "<!-- the end -->\n"), "");
  for (const std::string name : {"a<b", "&", "a & b", "&op;", "&amp", "&#0;", "&#xD800;", "&#x110000;", "&#;", "&#x;"})
    EXPECT_THAT(fault_of(named(name)), AllOf(HasSubstr("openvino/ir/well-formed"), HasSubstr("at byte "))) << name;
  for (const std::string bytes : {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80",
                                  "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\xEF\xBF\xBE", "\x01", "\x1F"})
    EXPECT_THAT(fault_of(named(bytes)), HasSubstr("openvino/ir/well-formed")) << testing::PrintToString(bytes);
  for (const std::string& bad :
       {good + "words", "words" + good.substr(21), good + "&amp;", good + "\xEF\xBB\xBF", good + "<!-- a -- b -->",
        good + "<!-- a --->", replaced(good, "<layers>", "<layers>]]>")})
    EXPECT_THAT(fault_of(bad), HasSubstr("openvino/ir/well-formed")) << bad;
}

TEST(Xml, BeginsWithItsDeclarationIfItHasOne) {
  const std::string good = net(pass);
  const std::string undeclared = good.substr(21);
  for (const std::string declaration :
       {"", "<?xml version='1.1'?>", "<?xml version = \"1.0\"  encoding='UTF-8' standalone=\"no\" ?>\n",
        "<?xml-model a?>"})
    EXPECT_EQ(fault_of(declaration + undeclared), "") << declaration;
  EXPECT_EQ(fault_of("\xEF\xBB\xBF" + good), "");
  for (const std::string declaration :
       {"<?xml?>", "<?xml encoding='UTF-8'?>", "<?xml version=1.0?>", "<?xml version='2.0'?>", "<?xml version='1.0\"?>",
        "<?xml version'1.0'?>", "<?xml version='1.0'encoding='UTF-8'?>", "<?xml version='1.0' standalone='maybe'?>",
        "<?xml version='1.0' encoding='UTF-8' version='1.0'?>", "<?XML version='1.0'?>", " <?xml version='1.0'?>",
        "<!-- --><?xml version='1.0'?>", "<?xml version='1.0'?><?xml version='1.0'?>"})
    EXPECT_THAT(fault_of(declaration + undeclared), HasSubstr("openvino/ir/well-formed")) << declaration;
}

TEST(Ids, ArePlainNumbersOfTheirOwn) {
  for (const std::string id : {"", "-1", "1.5", " 1", "one", "4294967296"})
    EXPECT_THAT(fault_of(replaced(net(pass), "layer id=\"1\"", "layer id=\"" + id + "\"")),
                HasSubstr("openvino/ir/ids-are-numbers"))
        << id;
  EXPECT_THAT(fault_of(replaced(net(pass), "layer id=\"1\"", "layer id=\"0\"")),
              AllOf(HasSubstr("openvino/ir/ids-are-unique"), HasSubstr("layer 0 \"out1\" (Result)")));
  EXPECT_THAT(fault_of(replaced(net(pass), "<port id=\"0\"/>", "<port id=\"0\"/><port id=\"0\"/>")),
              HasSubstr("openvino/ir/ids-are-unique"));
  EXPECT_THAT(fault_of(replaced(net(pass), "<input><port id=\"0\"/></input>", "")),
              HasSubstr("openvino/ir/layer-is-whole"));
  EXPECT_THAT(fault_of(net("<edges/>")), HasSubstr("openvino/ir/layer-is-whole"));
}

TEST(Edges, NameLayersAndPortsOnceEach) {
  const auto with = [](const Texts& edges) {
    return fault_of(net(network({parameter(0, "f32", "2"), operation(1, "Abs", 1), result(2)}, edges)));
  };
  EXPECT_EQ(with({edge(0, 0, 1, 0), edge(1, 1, 2, 0)}), "");
  EXPECT_THAT(with({edge(0, 0, 1, 0), edge(9, 1, 2, 0)}),
              AllOf(HasSubstr("openvino/ir/edges-name-ports"), HasSubstr("edge 1")));
  EXPECT_THAT(with({edge(0, 0, 9, 0), edge(1, 1, 2, 0)}), HasSubstr("openvino/ir/edges-name-ports"));
  EXPECT_THAT(with({edge(0, 0, 1, 0), edge(1, 0, 2, 0)}), HasSubstr("openvino/ir/edges-name-ports")) << "an input port";
  EXPECT_THAT(with({edge(0, 0, 1, 0)}),
              AllOf(HasSubstr("openvino/ir/inputs-have-one-edge"), HasSubstr("layer 2 \"out2\" (Result)")));
  EXPECT_THAT(with({edge(0, 0, 1, 0), edge(1, 1, 2, 0), edge(0, 0, 2, 0)}),
              HasSubstr("openvino/ir/inputs-have-one-edge"));
  EXPECT_THAT(with({edge(1, 1, 1, 0), edge(0, 0, 2, 0)}), HasSubstr("openvino/ir/no-cycles"));
}

TEST(Layers, ComeFromKnownOperatorSetsAndHaveKnownTypes) {
  for (const std::string version : {"opset0", "opset18", "opset", "opset1.5", "experimental", ""})
    EXPECT_THAT(
        fault_of(replaced(small_model(), "type=\"Abs\" version=\"opset1\"", "type=\"Abs\" version=\"" + version + "\""),
                 "1234"),
        AllOf(HasSubstr("openvino/ir/operator-set-is-known"), HasSubstr("then_body / layer 2 \"op2\" (Abs)")))
        << version;
  for (const std::string shape : {"2,", ",2", "two", "2;3", "-2", "1...3", "9223372036854775808"})
    EXPECT_THAT(fault_of(replaced(net(pass), "shape=\"2\"", "shape=\"" + shape + "\"")),
                HasSubstr("openvino/ir/types-are-known"))
        << shape;
  EXPECT_THAT(fault_of(replaced(net(pass), "\"f32\"", "\"f33\"")), HasSubstr("openvino/ir/types-are-known"));
  for (const std::string shape : {"?", "-1", "...", "1..3", "2..", "..2", " 2 "})
    EXPECT_EQ(fault_of(replaced(net(pass), "shape=\"2\"", "shape=\"" + shape + "\"")), "") << shape;
}

TEST(Constants, LieInsideTheWeights) {
  const auto with = [](const std::string& type, const std::string& shape, std::size_t offset, std::size_t size) {
    return fault_of(net(network({constant(0, type, shape, offset, size), result(1)}, {edge(0, 0, 1, 0)})),
                    std::string(16, '\0'));
  };
  EXPECT_EQ(with("f32", "2", 8, 8), "");
  EXPECT_EQ(with("f32", "2", 3, 8), "") << "misaligned";
  EXPECT_THAT(with("f32", "2", 9, 8), HasSubstr("openvino/ir/constant-in-weights"));
  EXPECT_THAT(with("f32", "2", 0, 4), HasSubstr("openvino/ir/constant-in-weights"));
  EXPECT_THAT(with("f32", "2", 18446744073709551615U, 8), HasSubstr("openvino/ir/constant-in-weights"));
  EXPECT_THAT(with("f32", "9223372036854775807,9223372036854775807", 0, 4),
              HasSubstr("openvino/ir/constant-in-weights"));
  EXPECT_THAT(with("f32", "4611686018427387904,4", 0, 0), HasSubstr("openvino/ir/constant-in-weights"));
  EXPECT_THAT(with("string", "4", 0, 16), HasSubstr("openvino/ir/constant-in-weights"));
  EXPECT_THAT(with("string", "1", 0, 16), HasSubstr("openvino/ir/constant-in-weights"));
  EXPECT_THAT(with("f32", "?", 0, 8), HasSubstr("openvino/ir/types-are-known"));
  EXPECT_THAT(fault_of(replaced(net(network({constant(0, "f32", "2", 0, 8), result(1)}, {edge(0, 0, 1, 0)})),
                                "offset=\"0\"", "offset=\"-8\""),
                       std::string(16, '\0')),
              HasSubstr("openvino/ir/constant-in-weights"));
}

std::string nest(std::size_t levels) {
  std::string before, after;
  const std::string map = in("0", "0") + out("1", "10");
  const std::string boolean_pass = network({parameter(0, "boolean", ""), result(10)}, {edge(0, 0, 10, 0)});
  const std::string around =
      network({parameter(0, "boolean", ""), if_layer(5, {1, {"BOOL"}, map, map, "@", boolean_pass}), result(10)},
              {edge(0, 0, 5, 0), edge(5, 1, 10, 0)});
  const std::size_t hole = around.find('@');
  for (std::size_t i = 0; i < levels; ++i) before += around.substr(0, hole);
  for (std::size_t i = 0; i < levels; ++i) after += around.substr(hole + 1);
  return net(before + boolean_pass + after);
}

TEST(Nesting, OfAThousandIfsIsReadAndOfMoreIsRefused) {
  Reading reading = read(nest(1000));
  ASSERT_THAT(check(reading), IsEmpty());
  const Program program(std::move(reading.model));
  EXPECT_EQ(to_string(program.run(*zero_inputs(program.model().main()))[0]), "bool[] [false]");
  const std::uint8_t yes = 1;
  const Value cond = make_tensor<std::uint8_t>(ElementType::boolean, {}, std::span(&yes, 1));
  EXPECT_EQ(to_string(program.run(std::span(&cond, 1))[0]), "bool[] [true]");
  EXPECT_THAT(fault_of(nest(1001)), HasSubstr("openvino/ir/nesting-limit"));
  EXPECT_THAT(fault_of(nest(5000)), HasSubstr("openvino/ir/nesting-limit"));
}

/// Reads, checks and runs as far as the file allows; only our own exceptions may be thrown.
void use(const std::string& xml, const std::string& weights = std::string(4, '\1')) {
  try {
    Reading reading = read(xml, weights);
    if (!check(reading).empty()) return;
    const Program program(std::move(reading.model));
    const auto inputs = zero_inputs(program.model().main());
    if (inputs) program.run(*inputs, {}, {.nodes = 1000});
  } catch (const UnreadableModel& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected: "));
  } catch (const EvaluationError&) {
    return;
  }
}

/// The text with each of its bits flipped in turn.
void use_with_each_bit_flipped(std::string text, const auto& act) {
  for (char& letter : text) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      letter = static_cast<char>(static_cast<unsigned char>(letter) ^ (1U << bit));
      act(text);
      letter = static_cast<char>(static_cast<unsigned char>(letter) ^ (1U << bit));
    }
  }
}

TEST(Damage, OfAnyBitIsSurvived) {
  const std::string xml = small_model();
  use_with_each_bit_flipped(xml, [](const std::string& damaged) { use(damaged); });
  use_with_each_bit_flipped(std::string(4, '\1'), [&](const std::string& damaged) { use(xml, damaged); });
}

TEST(Damage, OfStringsInTheWeightsIsSurvived) {
  const std::string xml = net(network({constant(0, "string", "2", 0, 18), result(1)}, {edge(0, 0, 1, 0)}));
  const std::string weights = bytes_of<std::uint32_t>({2, 0, 1, 2}) + "ab";
  EXPECT_EQ(fault_of(xml, weights), "");
  use_with_each_bit_flipped(weights, [&](const std::string& damaged) { use(xml, damaged); });
  for (std::size_t size = 0; size < weights.size(); ++size)
    EXPECT_THAT(fault_of(xml, weights.substr(0, size)), HasSubstr("openvino/ir/constant-in-weights"));
}

TEST(Damage, OfAnyByteAndByTruncationIsSurvived) {
  std::string xml = small_model();
  for (std::size_t i = 0; i < xml.size(); ++i) {
    const char whole = xml[i];
    for (const char worst : {'<', '>', '"', '9', ' ', '&', '\xff', '\1'}) {
      xml[i] = worst;
      use(xml);
    }
    xml[i] = whole;
    EXPECT_THAT(fault_of(xml.substr(0, i), "1234"), HasSubstr("openvino/ir/well-formed")) << i;
  }
}

/// A folder with a model whose constant is stored in model.bin.
struct Folder {
  std::filesystem::path path;
  Folder() : path(std::filesystem::temp_directory_path() / fmt::format("ifcert-ir-{}", ::getpid())) {
    std::filesystem::create_directories(path / "inside");
    write("inside/model.xml", net(network({constant(0, "f32", "2", 0, 8), result(1)}, {edge(0, 0, 1, 0)})));
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path / name, std::ios::binary) << bytes;
  }
  std::string fault() const {
    try {
      const auto broken = check(read_model(path / "inside/model.xml"));
      return broken.empty() ? "" : to_string(broken.front());
    } catch (const UnreadableModel& error) {
      return error.what();
    }
  }
};

TEST(Weights, LieBesideTheXml) {
  const Folder folder;
  EXPECT_THAT(folder.fault(), AllOf(HasSubstr("openvino/ir/weights-are-readable"), HasSubstr("model.bin")));
  folder.write("outside.bin", std::string(8, '\0'));
  std::filesystem::create_symlink("../outside.bin", folder.path / "inside/model.bin");
  EXPECT_THAT(folder.fault(), HasSubstr("openvino/ir/weights-in-folder"));
  std::filesystem::remove(folder.path / "inside/model.bin");
  folder.write("inside/model.bin", std::string(7, '\0'));
  EXPECT_THAT(folder.fault(), HasSubstr("openvino/ir/constant-in-weights"));
  folder.write("inside/model.bin", std::string(8, '\0'));
  EXPECT_EQ(folder.fault(), "");
}

}  // namespace
}  // namespace ifcert::openvino
