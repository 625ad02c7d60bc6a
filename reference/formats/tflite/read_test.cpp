// Results of TensorFlow Lite and Circle files: both forms, operators by their codes, constants wherever their bytes are
// stored, and values that are passed through subgraphs without a copy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <ifcert/reference.hpp>
#include <sstream>

#include "formats/tflite/file_builder.hpp"

namespace ifcert::tflite {
namespace {

using namespace file_builder;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

Value truth(bool value) {
  const std::uint8_t byte = value ? 1 : 0;
  return make_tensor<std::uint8_t>(ElementType::boolean, {}, {&byte, 1});
}

Value number(std::int32_t value) {
  return make_tensor<std::int32_t>(ElementType::int32, {}, {&value, 1});
}

Value list(const std::vector<std::int32_t>& numbers) {
  return make_tensor<std::int32_t>(ElementType::int32, {static_cast<std::int64_t>(numbers.size())}, numbers);
}

std::string run(Reading reading, const std::vector<Value>& inputs) {
  const std::vector<Diagnostic> broken = check(reading);
  if (!broken.empty()) return to_string(broken.front());
  std::string outputs;
  for (const Value& value : Program(std::move(reading.model)).run(inputs)) outputs += to_string(value) + ";";
  return outputs;
}

std::string run(const File& file, const std::vector<Value>& inputs) {
  return run(read(file), inputs);
}

/// y = cond ? -x : x
File choice() {
  return {{{"main", {boolean(), ints({-1}), ints({-1})}, {0, 1}, {2}, {if_({0, 1}, {2}, 1, 2)}},
           unary("negated", BuiltinOperator_NEG, ints({-1})),
           pass("kept", ints({-1}))}};
}

/// i counts in twos until it is 5 or more; `passed` is a variable that no trip changes.
File counter() {
  return {{{"main", {ints(), ints({-1}), ints(), ints({-1})}, {0, 1}, {2, 3}, {while_({0, 1}, {2, 3}, 1, 2)}},
           {"below",
            {ints(), ints({-1}), ints({}, 1), boolean()},
            {0, 1},
            {3},
            {operation(BuiltinOperator_LESS, {0, 2}, {3})}},
           {"step",
            {ints(), ints({-1}), ints({}, 2), ints()},
            {0, 1},
            {3, 1},
            {operation(BuiltinOperator_ADD, {0, 2}, {3})}}},
          {{bytes_of<std::int32_t>({5})}, {bytes_of<std::int32_t>({2})}}};
}

/// Returns a constant of that tensor, whose buffer is buffer 1.
File constant(const Tensor& tensor, const Bytes& bytes) {
  return {{{"main", {tensor}, {}, {0}}}, {bytes}};
}

TEST(Run, IfInvokesTheSubgraphThatCondNames) {
  EXPECT_EQ(run(choice(), {truth(true), list({1, -2})}), "int32[2] [-1, 2];");
  EXPECT_EQ(run(choice(), {truth(false), list({1, -2})}), "int32[2] [1, -2];");
}

TEST(Run, WhileInvokesItsBodyAsLongAsCondGivesTrue) {
  EXPECT_EQ(run(counter(), {number(0), list({7})}), "int32[] [6];int32[1] [7];");
  EXPECT_EQ(run(counter(), {number(4), list({7})}), "int32[] [6];int32[1] [7];");
  EXPECT_EQ(run(counter(), {number(5), list({7})}), "int32[] [5];int32[1] [7];") << "no trip";
}

TEST(Run, WhileGivesItsBodyAllVariablesAtOnce) {
  File file = counter();
  file.subgraphs[0] = {"main", {ints(), ints(), ints()}, {0, 1, 2}, {3, 4, 5}, {while_({0, 1, 2}, {3, 4, 5}, 1, 2)}};
  file.subgraphs[0].tensors.resize(6);
  file.subgraphs[1] = {"below",
                       {ints(), ints(), ints(), ints({}, 1), boolean()},
                       {0, 1, 2},
                       {4},
                       {operation(BuiltinOperator_LESS, {0, 3}, {4})}};
  file.subgraphs[2] = {"swap",
                       {ints(), ints(), ints(), ints({}, 2), ints()},
                       {0, 1, 2},
                       {4, 2, 1},
                       {operation(BuiltinOperator_ADD, {0, 3}, {4})}};
  EXPECT_EQ(run(file, {number(0), number(10), number(20)}), "int32[] [6];int32[] [20];int32[] [10];") << "three trips";
  EXPECT_EQ(run(file, {number(2), number(10), number(20)}), "int32[] [6];int32[] [10];int32[] [20];") << "two trips";
}

TEST(Run, CircleMeansWhatTensorFlowLiteMeans) {
  File file = choice();
  file.identifier = "CIR0";
  EXPECT_EQ(run(file, {truth(true), list({1})}), "int32[1] [-1];");
  file = counter();
  file.identifier = "CIR0";
  file.version = 0;
  EXPECT_EQ(run(file, {number(0), list({7})}), "int32[] [6];int32[1] [7];") << "Circle counts its own versions";
}

TEST(Run, ASubgraphMayBeTheBodyOfSeveralOperators) {
  File file = choice();
  file.subgraphs[0] = {"main",
                       {boolean(), ints({-1}), ints({-1}), ints({-1}), ints({-1})},
                       {0, 1},
                       {4},
                       {if_({0, 1}, {2}, 1, 1), if_({0, 2}, {3}, 2, 1), if_({0, 3}, {4}, 1, 1)}};
  EXPECT_EQ(run(file, {truth(true), list({3})}), "int32[1] [3];");
  EXPECT_EQ(run(file, {truth(false), list({3})}), "int32[1] [-3];");
}

TEST(Run, ACondMayHaveAnyRankButNotTwoElements) {
  File file = choice();
  file.subgraphs[0].tensors[0] = {TensorType_BOOL, {-1}, "cond"};
  const auto conds = [](std::vector<std::uint8_t> all) {
    return make_tensor<std::uint8_t>(ElementType::boolean, {static_cast<std::int64_t>(all.size())}, all);
  };
  EXPECT_EQ(run(file, {conds({1}), list({1})}), "int32[1] [-1];");
  EXPECT_THROW(run(file, {conds({1, 1}), list({1})}), EvaluationError);
  EXPECT_THROW(run(file, {conds({}), list({1})}), EvaluationError);
}

TEST(Run, ALoopThatDoesNotEndEndsWithTheNodesItIsGiven) {
  File file = counter();
  file.subgraphs[2] = {"stay", {ints(), ints({-1})}, {0, 1}, {0, 1}};
  const Program program(read(file).model);
  EXPECT_THROW(program.run(std::vector{number(0), list({7})}, {}, {.nodes = 1000}), EvaluationError);
}

const std::byte* bytes_at(const Value& value) {
  return value.tensor()->data.bytes().data();
}

TEST(Passing, IntoAndOutOfIfAndWhileCopiesNoBytes) {
  const Value x = list({1, 2, 3});
  EXPECT_EQ(bytes_at(Program(read(choice()).model).run(std::vector{truth(false), x})[0]), bytes_at(x));
  EXPECT_EQ(bytes_at(Program(read(counter()).model).run(std::vector{number(0), x})[1]), bytes_at(x));
}

TEST(Passing, LeavesTheCallersValueAsItWas) {
  const Value x = list({1, 2, 3});
  Program(read(choice()).model).run(std::vector{truth(true), x});
  EXPECT_EQ(to_string(x), "int32[3] [1, 2, 3]");
}

/// The operator's name, and the domain where it has one, of a file with one operator of that code.
std::string named(const Code& code, const std::string& identifier = "TFL3") {
  const Reading reading = read(File{{{"main", {ints(), ints()}, {0}, {1}, {{code, {0}, {1}}}}}, {}, identifier});
  if (!reading.broken.empty()) return to_string(reading.broken.front());
  const Node& node = reading.model.main().nodes[0];
  return node.domain.empty() ? node.op : node.domain + "." + node.op;
}

TEST(Codes, OfTensorFlowLiteAreTheLargerOfBothFields) {
  EXPECT_EQ(named({59, BuiltinOperator_NEG}), "NEG");
  EXPECT_EQ(named({59, BuiltinOperator_ADD}), "NEG") << "an old file, which has the old field alone";
  EXPECT_EQ(named({0, BuiltinOperator_NEG}), "NEG") << "the new field alone";
  EXPECT_EQ(named({59, BuiltinOperator_ABS}), "ABS");
  EXPECT_EQ(named({101, BuiltinOperator_NEG}), "ABS");
  EXPECT_EQ(named({127, BuiltinOperator_BROADCAST_TO}), "BROADCAST_TO");
}

TEST(Codes, OfCircleAreTheOldFieldUnlessItSaysThatItCannotHoldTheCode) {
  EXPECT_EQ(named({59, BuiltinOperator_NEG}, "CIR0"), "NEG");
  EXPECT_EQ(named({59, BuiltinOperator_ABS}, "CIR0"), "NEG");
  EXPECT_EQ(named({59, BuiltinOperator_ADD}, "CIR0"), "NEG");
  EXPECT_EQ(named({127, BuiltinOperator_BROADCAST_TO}, "CIR0"), "BROADCAST_TO");
  EXPECT_EQ(named({-2, BuiltinOperator_INSTANCE_NORM}, "CIR0"), "INSTANCE_NORM");
  EXPECT_EQ(named({-8, BuiltinOperator_ADD}, "CIR0"), "RUN_MODEL");
}

TEST(Codes, ThatNobodyKnowsAreRefused) {
  EXPECT_THAT(named({127, static_cast<BuiltinOperator>(100'000)}),
              AllOf(HasSubstr("tflite/file/operator-is-known"), HasSubstr("subgraph 0 \"main\" / operator 0"),
                    HasSubstr("builtin_code is 100000")));
  EXPECT_THAT(named({-100, BuiltinOperator_ADD}, "CIR0"), HasSubstr("builtin_code is -100"));
  EXPECT_THAT(named(custom_code("")), HasSubstr("tflite/file/operator-is-known"));
  File file = choice();
  file.subgraphs[0].operators[0].code_index = 2;
  EXPECT_THAT(run(file, {}), AllOf(HasSubstr("tflite/file/operator-code-index"),
                                   HasSubstr("opcode_index is 2, with 2 operator_codes")));
  file.subgraphs[0].operators[0].code_index = 4294967295;
  EXPECT_THAT(run(file, {}), HasSubstr("opcode_index is 4294967295, with 2 operator_codes"));
}

TEST(Codes, OfCustomOperatorsCarryTheirNames) {
  EXPECT_EQ(named(custom_code("Twice")), "custom.Twice");
}

TEST(CustomOperators, AreTheCallersAndMayLeaveOperandsOut) {
  const File file{{{"main", {ints({-1}), ints({-1})}, {0}, {1}, {{custom_code("Twice"), {0, -1}, {1}}}}}};
  EXPECT_THROW(run(file, {list({4})}), EvaluationError);
  const CustomOperators twice{{"custom.Twice", [](const Node&, const Attributes&, std::span<const Value> inputs) {
                                 EXPECT_EQ(inputs.size(), 2U);
                                 EXPECT_TRUE(inputs[1].empty());
                                 return std::vector{list({2 * inputs[0].tensor()->elements<std::int32_t>()[0]})};
                               }}};
  Reading reading = read(file);
  ASSERT_THAT(check(reading), IsEmpty());
  const Program program(std::move(reading.model), twice);
  EXPECT_EQ(to_string(program.run(std::vector{list({4})})[0]), "int32[1] [8]");
}

TEST(Quantized, OperatorsAreRefusedByNameAndValuesPass) {
  File file = choice();
  for (Subgraph& subgraph : file.subgraphs) {
    for (Tensor& tensor : subgraph.tensors) {
      tensor.quantized = tensor.type == TensorType_INT32;
    }
  }
  try {
    run(file, {truth(true), list({1})});
    FAIL() << "the reference computed on codes";
  } catch (const EvaluationError& error) {
    EXPECT_EQ(error.missing_operator, "quantized.NEG");
    EXPECT_THAT(error.what(), HasSubstr("then_subgraph / operator 0 (NEG)"));
  }
  file.subgraphs[1] = file.subgraphs[2];
  EXPECT_EQ(run(file, {truth(true), list({1})}), "int32[1] [1];");
}

/// The declared type of the only tensor, or the reader's finding.
std::string declared(const Tensor& tensor) {
  const Reading reading = read(File{{{"main", {tensor}, {0}, {0}}}});
  return reading.broken.empty() ? to_string(reading.model.main().slots[0].declared) : to_string(reading.broken.front());
}

TEST(Types, HaveTheShapeOfTheTensorOrOfItsSignature) {
  EXPECT_EQ(declared(ints({2, 3})), "int32[2, 3]");
  EXPECT_EQ(declared(ints({2, -1})), "int32[2, ?]");
  EXPECT_EQ(declared({TensorType_FLOAT32, {1, 3}, "", 0, {-1, 3}}), "float32[?, 3]");
  EXPECT_EQ(declared({TensorType_FLOAT32, {1, 3}, "", 0, {-1}}), "float32[1, 3]") << "a signature of another rank";
  EXPECT_EQ(declared(ints({0, 2})), "int32[0, 2]");
}

TEST(Types, WithoutDimsAreScalarsWhereTheTensorHasARank) {
  Tensor tensor = ints();
  EXPECT_EQ(declared(tensor), "int32");
  tensor.has_rank = true;
  EXPECT_EQ(declared(tensor), "int32[]");
}

TEST(Types, ThatTheSchemaDoesNotHaveAreRefused) {
  EXPECT_THAT(declared({static_cast<TensorType>(99)}),
              AllOf(HasSubstr("tflite/file/known-types"), HasSubstr("subgraph 0 \"main\" / tensor 0: type 99")));
  EXPECT_THAT(declared({static_cast<TensorType>(-1)}), HasSubstr("type -1"));
  EXPECT_THAT(declared(ints({2, -2})), AllOf(HasSubstr("tflite/file/buffer-fits-shape"), HasSubstr("shape[1] is -2")));
  EXPECT_THAT(declared({TensorType_INT32, {2}, "", 0, {-5}}), HasSubstr("shape_signature[0] is -5"));
}

TEST(Buffers, StandInTheTableOrBehindIt) {
  const std::string bytes = bytes_of<std::int32_t>({7, 8, 9});
  EXPECT_EQ(run(constant(ints({3}, 1), {bytes}), {}), "int32[3] [7, 8, 9];");
  EXPECT_EQ(run(constant(ints({3}, 1), {bytes, true}), {}), "int32[3] [7, 8, 9];");
  File file = constant(ints({3}, 2), {std::string(5, 'x'), true});
  file.buffers.push_back({bytes, true});
  EXPECT_EQ(run(file, {}), "int32[3] [7, 8, 9];") << "a second one after the table";
}

TEST(Buffers, MayStandAtAnyAddress) {
  const std::string bytes = written(constant(ints({3}, 1), {bytes_of<std::int32_t>({7, 8, 9}), true}));
  for (std::size_t shift = 0; shift < 17; ++shift)
    EXPECT_EQ(run(read(bytes, shift), {}), "int32[3] [7, 8, 9];") << shift;
  File file = constant(ints({2}, 1), {bytes_of<std::int32_t>({7, 8, 9}), true});
  const std::size_t start = written(file).size() - 12;
  file.buffers[0].offset = start + 4;
  file.buffers[0].size = 8;
  EXPECT_EQ(run(file, {}), "int32[2] [8, 9];") << "at an offset that 16 does not divide";
}

TEST(Buffers, OfATensorWithoutElementsMayBeEmpty) {
  EXPECT_EQ(run(constant(ints({2, 0}), {}), {}), "int32[2, 0] [];");
  EXPECT_EQ(run(constant(ints({0}, 1), {}), {}), "int32[0] [];");
  EXPECT_EQ(run(constant({TensorType_STRING, {0}}, {}), {}), "string[0] [];");
}

TEST(Buffers, HoldAsManyBytesAsTheShapeAsksFor) {
  const auto fault = [](const Tensor& tensor, const std::string& bytes) { return run(constant(tensor, {bytes}), {}); };
  EXPECT_THAT(fault(ints({2}, 1), "123456789"),
              AllOf(HasSubstr("tflite/file/buffer-fits-shape"), HasSubstr("tensor 0: 9 bytes"),
                    HasSubstr("the 8 bytes of a int32[2]")));
  EXPECT_THAT(fault(ints({2}, 1), "1234567"), HasSubstr("7 bytes"));
  EXPECT_THAT(fault(ints({0}, 1), "1"), HasSubstr("the 0 bytes"));
  EXPECT_THAT(fault(ints({-1}, 1), "1234"), HasSubstr("shape has an unknown size, and the buffer has data"));
}

/// A tensor's strings: their number, n + 1 offsets, their bytes.
std::string strings(std::initializer_list<std::int32_t> numbers, const std::string& letters) {
  return bytes_of(numbers) + letters;
}

TEST(Strings, AreCountedAndFoundByTheirOffsets) {
  const Tensor two{TensorType_STRING, {2}, "", 1};
  EXPECT_EQ(run(constant(two, {strings({2, 16, 18, 21}, "abcde")}), {}), R"(string[2] ["ab", "cde"];)");
  EXPECT_EQ(run(constant(two, {strings({2, 16, 16, 16}, "")}), {}), R"(string[2] ["", ""];)");
  EXPECT_EQ(run(constant({TensorType_STRING, {}, "", 1}, {strings({1, 12, 13}, "a")}), {}), R"(string[] ["a"];)");
  EXPECT_EQ(run(constant({TensorType_STRING, {0}, "", 1}, {strings({0, 8}, "")}), {}), "string[0] [];");
}

TEST(Strings, WhoseNumbersLeadOutsideAreRefused) {
  const auto fault = [](const std::string& bytes) {
    return run(constant({TensorType_STRING, {2}, "", 1}, {bytes}), {});
  };
  for (const std::string& bytes :
       {strings({2, 16, 18, 22}, "abcde"), strings({2, 16, 15, 21}, "abcde"), strings({2, 12, 18, 21}, "abcde"),
        strings({2, -1, 18, 21}, "abcde"), strings({2, 16, 18, -1}, "abcde"), strings({3, 16, 18, 21}, "abcde"),
        strings({-1, 16, 18, 21}, "abcde"), strings({2, 16, 16}, ""), std::string("abc")})
    EXPECT_THAT(fault(bytes), HasSubstr("tflite/file/buffer-fits-shape")) << testing::PrintToString(bytes);
}

TEST(Sparse, ConstantsAreKnownAndNeverEvaluated) {
  Tensor tensor = ints({3}, 1);
  tensor.sparse = true;
  const File file = constant(tensor, {bytes_of<std::int32_t>({7})});
  EXPECT_THAT(check(read(file)), IsEmpty());
  EXPECT_THROW(Program(read(file).model), EvaluationError);
}

TEST(External, ConstantsAreKnownAndNeverEvaluated) {
  Tensor tensor = ints({3});
  tensor.external = 1;
  const File file{{{"main", {tensor}, {}, {0}}}};
  EXPECT_THAT(check(read(file)), IsEmpty());
  EXPECT_THROW(Program(read(file).model), EvaluationError);
}

TEST(Names, ThatAreNoUtf8AreShownAsUtf8) {
  const Reading reading = read(File{{pass("a\xff", ints()), pass("größer", ints())}});
  EXPECT_EQ(reading.model.graphs[0].name, "a\uFFFD");
  EXPECT_EQ(reading.model.graphs[1].name, "größer");
}

TEST(Bytes, OfConstantsAreThoseOfTheFileWhere16DividesTheirAddress) {
  for (const bool behind : {false, true}) {
    const std::string bytes = written(constant(ints({3}, 1), {bytes_of<std::int32_t>({7, 8, 9}), behind}));
    std::byte* to = nullptr;
    const auto owner = std::make_shared<const Buffer>(Buffer::allocate(bytes.size(), &to));
    std::memcpy(to, bytes.data(), bytes.size());
    const Reading reading = read_bytes(owner, owner->bytes());
    ASSERT_EQ(reading.model.main().constants.size(), 1U);
    const auto offset = bytes_at(reading.model.main().constants[0].value) - to;
    EXPECT_GT(offset, 0);
    EXPECT_LE(offset, static_cast<std::ptrdiff_t>(bytes.size() - 12));
  }
}

/// A file that is removed when the test ends.
struct Written {
  std::filesystem::path path;
  explicit Written(const std::string& bytes)
      : path(std::filesystem::temp_directory_path() / ("ifcert-" + std::to_string(::getpid()) + ".tflite")) {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  ~Written() { std::filesystem::remove(path); }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;
};

TEST(Bytes, OfAFileAreReadOnceAndHandedOn) {
  const Written file(written(constant(ints({100'000}, 1), {std::string(400'000, '\1'), true})));
  const Reading reading = read_model(file.path);
  const std::vector<Value> outputs = Program(reading.model).run({});
  EXPECT_EQ(bytes_at(outputs[0]), bytes_at(reading.model.main().constants.front().value));
  EXPECT_EQ(outputs[0].tensor()->elements<std::int32_t>()[99'999], 0x01010101);
  std::ifstream maps("/proc/self/maps");
  const std::string mapped{std::istreambuf_iterator<char>(maps), {}};
  EXPECT_EQ(mapped.find(file.path.string()), std::string::npos) << "a file that is cut short would end the process";
}

TEST(Files, ThatCannotBeReadSaySo) {
  EXPECT_THROW(read_model("/no/such/model.tflite"), UnreadableModel);
  EXPECT_THROW(tflite::read_file("/"), UnreadableModel);
}

}  // namespace
}  // namespace ifcert::tflite
