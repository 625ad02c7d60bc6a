// Hostile files: damaged at every place, with offsets outside of the file, or small and expensive. Each is read, or
// refused in one sentence with place and reason.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>
#include <limits>
#include <random>

#include "formats/tflite/file_builder.hpp"
#include "formats/zero_inputs.hpp"

namespace ifcert::tflite {
namespace {

using namespace file_builder;
using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

/// The first finding, or the refusal of the reader; empty where the model is legal.
std::string fault_of(const Reading& reading) {
  const auto broken = check(reading);
  return broken.empty() ? "" : to_string(broken.front());
}

std::string fault_of(const std::string& bytes) {
  try {
    return fault_of(read(bytes));
  } catch (const UnreadableModel& error) {
    return error.what();
  }
}

std::string fault_of(const File& file) {
  return fault_of(written(file));
}

/// Reads, checks and runs as far as the file allows; only our own exceptions may be thrown.
void use(std::string_view bytes) {
  try {
    Reading reading = read(bytes);
    if (!check(reading).empty()) return;
    const Program program(std::move(reading.model));
    const auto inputs = zero_inputs(program.model().main());
    if (!inputs) return;
    for (const Value& output : program.run(*inputs, {}, {.nodes = 1000})) (void)to_string(output);
  } catch (const UnreadableModel& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("tflite/file/"), HasSubstr("expected: ")));
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
  } catch (const EvaluationError&) {
    return;
  }
}

Options new_shape(const std::vector<std::int32_t>& dims) {
  return {schema::BuiltinOptions_ReshapeOptions,
          [=](Fbb& b) { return schema::CreateReshapeOptionsDirect(b, &dims).Union(); }};
}

/// An If and a While, options, constants in the table and after it, a string, a custom operator that is never reached:
/// some of everything, in about two thousand bytes.
File small_file() {
  Tensor word{TensorType_STRING, {1}, "word", 3};
  Tensor shaped = ints({2, 1});
  shaped.signature = {-1, 1};
  shaped.has_rank = true;
  Operator reshape = operation(BuiltinOperator_RESHAPE, {4}, {5});
  reshape.options = new_shape({2, 1});
  return {{{"main",
            {boolean({1}), ints({2}), ints({2}), ints({1}), ints({2}), shaped, word, ints()},
            {0, 1, 3},
            {5, 6},
            {if_({0, 1}, {2}, 1, 2), while_({3, 2}, {7, 4}, 3, 4), reshape}},
           {"then", {ints({2}), ints({2}, 1), ints({2})}, {0}, {2}, {operation(BuiltinOperator_ADD, {0, 1}, {2})}},
           pass("else", ints({2})),
           {"below",
            {ints(), ints({2}), ints({}, 2), boolean()},
            {0, 1},
            {3},
            {operation(BuiltinOperator_LESS, {0, 2}, {3})}},
           {"step",
            {ints(), ints({2}), ints({}, 4), ints(), ints({2})},
            {0, 1},
            {3, 4},
            {operation(BuiltinOperator_ADD, {0, 2}, {3}), operation(BuiltinOperator_NEG, {1}, {4})}}},
          {{bytes_of<std::int32_t>({7, 8}), true},
           {bytes_of<std::int32_t>({3})},
           {bytes_of<std::int32_t>({1, 12, 14}) + "go"},
           {bytes_of<std::int32_t>({1}), true}}};
}

std::string small_bytes() {
  return written(small_file());
}

TEST(TfliteDamage, ASmallFileIsWholeAndRuns) {
  Reading reading = read(small_bytes());
  ASSERT_EQ(fault_of(reading), "");
  const Program program(std::move(reading.model));
  const std::vector<Value> outputs = program.run(*zero_inputs(program.model().main()));
  EXPECT_EQ(to_string(outputs[0]), "int32[2, 1] [0, 0]");
  EXPECT_EQ(to_string(outputs[1]), "string[1] [\"go\"]");
}

TEST(TfliteDamage, OfAnyOneBitIsSurvived) {
  std::string bytes = small_bytes();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char whole = bytes[i];
    for (unsigned bit = 0; bit < 8; ++bit) {
      bytes[i] = static_cast<char>(static_cast<unsigned char>(whole) ^ (1U << bit));
      use(bytes);
    }
    bytes[i] = whole;
  }
}

TEST(TfliteDamage, OfAnyFourBytesToTheWorstNumbersIsSurvived) {
  const std::string whole = small_bytes();
  for (std::size_t i = 0; i + 4 <= whole.size(); i += 4) {
    for (const std::uint32_t worst : {0U, 1U, 4U, 0x7fffffffU, 0x80000000U, 0xfffffffcU, 0xffffffffU}) {
      std::string bytes = whole;
      std::memcpy(bytes.data() + i, &worst, sizeof worst);
      use(bytes);
    }
  }
}

TEST(TfliteDamage, ByTruncationAnywhereIsSurvived) {
  const std::string bytes = small_bytes();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    use(std::string_view(bytes).substr(0, length));
    EXPECT_NE(fault_of(bytes.substr(0, length)), "") << length;
  }
}

TEST(TfliteDamage, OfWhatIsNoFileAtAllIsSurvived) {
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    std::string bytes(random() % 256, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    use(bytes);
    if (bytes.size() < 8) continue;
    bytes.replace(4, 4, seed % 2 == 0 ? "TFL3" : "CIR0");
    use(bytes);
    const std::uint32_t root = 8 + random() % 32;
    std::memcpy(bytes.data(), &root, sizeof root);
    use(bytes);
  }
}

TEST(TfliteFiles, BeginWithAnIdentifier) {
  std::string bytes = small_bytes();
  for (const std::string identifier : {"TFL2", "CIR1", "tfl3", "    "}) {
    bytes.replace(4, 4, identifier);
    EXPECT_THAT(fault_of(bytes), HasSubstr("tflite/file/identifier")) << identifier;
  }
  EXPECT_THAT(fault_of(std::string()), HasSubstr("tflite/file/well-formed"));
  EXPECT_THAT(fault_of(std::string("TFL3TFL")), HasSubstr("tflite/file/well-formed"));
  EXPECT_THAT(fault_of(std::string("\x04\0\0\0TFL3", 8)), HasSubstr("tflite/file/well-formed"));
}

TEST(TfliteFiles, HaveAPrimarySubgraph) {
  EXPECT_THAT(fault_of(File{}), AllOf(HasSubstr("tflite/file/primary-required"), HasSubstr("subgraphs is empty")));
}

/// Returns a constant of buffer 1.
File constant_file(const Tensor& tensor, const Bytes& bytes) {
  return {{{"main", {tensor}, {}, {0}}}, {bytes}};
}

TEST(TfliteBuffers, EndWhereTheFileEnds) {
  const std::string four(4, '\0');
  const File file = constant_file(ints({1}, 1), {four, true});
  const std::uint64_t size = written(file).size();
  constexpr std::uint64_t greatest = std::numeric_limits<std::uint64_t>::max();
  const auto with = [&](std::uint64_t offset, std::uint64_t bytes) {
    return fault_of(constant_file(ints({1}, 1), {four, true, offset, bytes}));
  };
  EXPECT_EQ(with(size - 4, 4), "");
  for (const auto& [offset, bytes] :
       std::vector<std::pair<std::uint64_t, std::uint64_t>>{{size - 3, 4},
                                                            {size, 4},
                                                            {size, 1},
                                                            {size + 1, 1},
                                                            {16, greatest},
                                                            {16, greatest - 15},
                                                            {16, greatest - 12},
                                                            {greatest, 1},
                                                            {greatest, 4},
                                                            {greatest - 3, 4},
                                                            {greatest, greatest},
                                                            {greatest / 2 + 1, greatest / 2 + 1}})
    EXPECT_THAT(with(offset, bytes), AllOf(HasSubstr("tflite/file/buffer-in-file"),
                                           HasSubstr("subgraph 0 \"main\" / tensor 0: buffer 1 has size ")))
        << offset << " " << bytes;
}

TEST(TfliteBuffers, AreThoseOfTheModel) {
  for (const std::uint32_t index : {2U, 3U, 0x80000000U, 0xffffffffU})
    EXPECT_THAT(fault_of(constant_file(ints({1}, index), {"1234"})),
                AllOf(HasSubstr("tflite/file/buffer-index"), HasSubstr(fmt::format("buffer {} of 2", index))));
}

constexpr std::int32_t huge = std::numeric_limits<std::int32_t>::max();

TEST(TfliteShapes, ThatNoBytesCanFillAreRefused) {
  for (const std::vector<std::int32_t>& dims : std::vector<std::vector<std::int32_t>>{
           {huge, huge, huge}, {huge, huge, 4}, {1 << 30, 1 << 30, 16}, {1 << 16, 1 << 16, 1 << 16, 1 << 16}})
    EXPECT_THAT(fault_of(constant_file(ints(dims, 1), {"1234"})), HasSubstr("tflite/file/buffer-fits-shape"));
  EXPECT_THAT(fault_of(constant_file({TensorType_STRING, {huge, huge, huge}, "", 1}, {"12345678"})),
              HasSubstr("tflite/file/buffer-fits-shape"));
}

TEST(TfliteShapes, OfInnerTensorsAreHintsHoweverLarge) {
  File file{{{"main", {ints({1}), ints({huge, huge, huge})}, {0}, {1}, {operation(BuiltinOperator_NEG, {0}, {1})}}}};
  EXPECT_EQ(fault_of(file), "");
  use(written(file));
  file.subgraphs[0].tensors[0].shape = {huge, huge, huge};
  EXPECT_EQ(fault_of(file), "") << "nobody can give such an input";
  EXPECT_THROW(
      Program(read(file).model).run(std::vector<Value>{make_tensor<std::int32_t>(ElementType::int32, {0}, {})}),
      EvaluationError);
}

TEST(TfliteShapes, OfNoElementsTakeNoBytes) {
  use(written(constant_file(ints({huge, huge, huge, 0}), {})));
  use(written(constant_file(ints({0, huge, huge, huge}), {})));
  EXPECT_EQ(fault_of(constant_file(ints({0, huge}), {})), "");
}

/// `levels` nested operators: subgraph i enters i + 1; the last one returns the negated value.
File nest(std::int32_t levels, const std::function<Operator(std::int32_t)>& enter) {
  File file;
  for (std::int32_t i = 0; i < levels; ++i)
    file.subgraphs.push_back({fmt::format("level {}", i), {boolean(), boolean()}, {0}, {1}, {enter(i)}});
  file.subgraphs.push_back(unary("leaf", schema::BuiltinOperator_LOGICAL_NOT, boolean()));
  file.subgraphs.push_back(pass("pass", boolean()));
  return file;
}

File nest_of_ifs(std::int32_t levels) {
  return nest(levels, [&](std::int32_t i) { return if_({0, 0}, {1}, i + 1, levels + 1); });
}

/// Each While makes one trip, in which the innermost makes the only variable false.
File nest_of_whiles(std::int32_t levels) {
  return nest(levels, [&](std::int32_t i) { return while_({0}, {1}, levels + 1, i + 1); });
}

File nest_of_both(std::int32_t levels) {
  return nest(levels, [&](std::int32_t i) {
    return i % 2 == 0 ? if_({0, 0}, {1}, i + 1, levels + 1) : while_({0}, {1}, levels + 1, i + 1);
  });
}

TEST(TfliteNests, OfAThousandSubgraphsAreReadAndRun) {
  for (auto* each : {&nest_of_ifs, &nest_of_whiles, &nest_of_both}) {
    Reading reading = read((*each)(1000));
    ASSERT_EQ(fault_of(reading), "");
    const std::uint8_t yes = 1;
    const std::vector<Value> inputs{make_tensor<std::uint8_t>(ElementType::boolean, {}, {&yes, 1})};
    EXPECT_EQ(to_string(Program(std::move(reading.model)).run(inputs)[0]), "bool[] [false]");
  }
}

TEST(TfliteNests, OfMoreAreRefusedWithThePlaceInThem) {
  for (auto* each : {&nest_of_ifs, &nest_of_whiles, &nest_of_both}) {
    EXPECT_THAT(fault_of((*each)(1001)),
                AllOf(HasSubstr("tflite/file/nesting-limit"), HasSubstr("subgraph 0 \"level 0\" / operator 0 (")));
    EXPECT_THAT(fault_of((*each)(5000)),
                AllOf(HasSubstr("tflite/file/nesting-limit"), HasSubstr("subgraph 3999 \"level 3999\" / operator 0 ("),
                      HasSubstr("more than 1000 deep")));
  }
}

TEST(TfliteNests, MayBeReachedFromTheirMiddle) {
  File file = nest_of_ifs(999);
  const auto last = static_cast<std::int32_t>(file.subgraphs.size());
  file.subgraphs.push_back({"before", {boolean(), boolean()}, {0}, {1}, {if_({0, 0}, {1}, 0, 500)}});
  EXPECT_EQ(fault_of(file), "");
  file.subgraphs.push_back({"before it", {boolean(), boolean()}, {0}, {1}, {if_({0, 0}, {1}, last, last)}});
  EXPECT_THAT(fault_of(file), AllOf(HasSubstr("tflite/file/nesting-limit"), HasSubstr("\"before it\" / operator 0")));
}

TEST(TfliteNests, ThatSubgraphsShareAreFollowedOnce) {
  File file;  // there are 2^60 paths from the first subgraph to the last
  for (std::int32_t i = 0; i < 60; ++i) {
    file.subgraphs.push_back({fmt::format("level {}", i),
                              {boolean({1}), boolean(), boolean()},
                              {0},
                              {2},
                              {if_({0, 0}, {1}, i + 1, i + 1), if_({0, 1}, {2}, i + 1, i + 1)}});
  }
  file.subgraphs.push_back(pass("leaf", boolean()));
  Reading reading = read(file);
  EXPECT_EQ(fault_of(reading), "");
  const Program program(std::move(reading.model));
  EXPECT_THROW(program.run(*zero_inputs(program.model().main()), {}, {.nodes = 1000}), EvaluationError);
}

TEST(TfliteRecursion, OfManySubgraphsIsFoundInOneWalk) {
  File file;
  for (std::int32_t i = 0; i < 900; ++i) {
    file.subgraphs.push_back({fmt::format("level {}", i),
                              {boolean(), boolean(), boolean()},
                              {0},
                              {2},
                              {if_({0, 0}, {1}, (i + 1) % 900, 0), while_({1}, {2}, i, (i + 1) % 900)}});
  }
  const std::vector<Diagnostic> broken = check(read(file));
  EXPECT_THAT(broken, Contains(Field(&Diagnostic::rule, "tflite/if/no-recursion")));
  EXPECT_THAT(broken, Contains(Field(&Diagnostic::rule, "tflite/while/no-recursion")));
  EXPECT_LE(broken.size(), 200U);
}

/// A file that repeats a table: vectors of offsets that all point to it.
struct Often {
  std::size_t subgraphs = 1, tensors = 0, operators = 0, operands = 0, names = 0, dims = 0, new_shape = 0;
};

std::string bytes_with(const Often& often) {
  Fbb b;
  const auto name = b.CreateString(std::string(often.names, 'n'));
  const auto dims = b.CreateVector(std::vector<std::int32_t>(often.dims, 1));
  const auto tensor = schema::CreateTensor(b, dims, TensorType_INT32, 0, name);
  const auto tensors = b.CreateVector(std::vector(often.tensors, tensor));
  const auto slots = b.CreateVector(std::vector<std::int32_t>(often.operands, 0));
  const auto inputs = b.CreateVector(std::vector<std::int32_t>(often.tensors == 0 ? 0 : 1, 0));
  const std::vector<std::int32_t> shape(often.new_shape, 1);
  const auto options = schema::CreateReshapeOptionsDirect(b, &shape).Union();
  const auto op = schema::CreateOperator(b, 0, slots, 0, schema::BuiltinOptions_ReshapeOptions, options);
  const auto operators = b.CreateVector(std::vector(often.operators, op));
  const auto subgraph = schema::CreateSubGraph(b, tensors, inputs, 0, operators, name);
  const auto reshape = schema::CreateOperatorCode(b, 22, 0, 1, BuiltinOperator_RESHAPE);
  const auto subgraphs = b.CreateVector(std::vector(often.subgraphs, subgraph));
  const auto codes = b.CreateVector(std::vector{reshape});
  b.Finish(schema::CreateModel(b, 3, codes, subgraphs), "TFL3");
  return {reinterpret_cast<const char*>(b.GetBufferPointer()), b.GetSize()};
}

TEST(TfliteBudget, OfTablesEndsInTheVerifier) {
  EXPECT_THAT(fault_of(bytes_with(Often{.tensors = 1'000'001})), HasSubstr("tflite/file/well-formed"));
  EXPECT_THAT(fault_of(bytes_with(Often{.subgraphs = 1'100, .tensors = 1'000})), HasSubstr("tflite/file/well-formed"));
}

TEST(TfliteBudget, OfOperandsCountsThemForEachOperator) {
  const std::string shared = bytes_with(Often{.tensors = 1, .operators = 1'000, .operands = 1'000});
  const std::string limit = "more than " + std::to_string(200'000 + shared.size() / 4) + " tensors, operators";
  EXPECT_THAT(fault_of(shared), AllOf(HasSubstr("tflite/file/size-limit"), HasSubstr(limit), HasSubstr("subgraph 0 ")));
  EXPECT_THAT(fault_of(bytes_with(Often{.tensors = 1, .operators = 190, .operands = 1'000})),
              Not(HasSubstr("tflite/file/size-limit")));
}

TEST(TfliteBudget, OfDimensionsCountsThemForEachTensor) {
  EXPECT_EQ(fault_of(bytes_with(Often{.tensors = 900, .dims = 1'000})), "");
  EXPECT_THAT(fault_of(bytes_with(Often{.tensors = 1'001, .dims = 1'000})),
              AllOf(HasSubstr("tflite/file/size-limit"), HasSubstr("more than 1000000 sizes in shape and new_shape"),
                    HasSubstr("subgraph 0 / tensor 1000")));
}

TEST(TfliteBudget, OfDimensionsCountsThoseThatOptionsSay) {
  EXPECT_THAT(fault_of(bytes_with(Often{.operators = 1'001, .new_shape = 1'000})),
              AllOf(HasSubstr("tflite/file/size-limit"), HasSubstr("more than 1000000 sizes"),
                    HasSubstr("operator 1000 (RESHAPE)")));
}

TEST(TfliteBudget, OfChecksCountsTheDimensionsOfEachOperand) {
  EXPECT_THAT(fault_of(bytes_with(Often{.tensors = 1, .operators = 20'000, .operands = 1, .dims = 10'000})),
              AllOf(HasSubstr("tflite/file/size-limit"), HasSubstr("more than 1000000 steps of type inference"),
                    HasSubstr("(RESHAPE)")));
}

TEST(TfliteBudget, OfNamesCountsThemForEachTensorAndSubgraph) {
  EXPECT_EQ(fault_of(bytes_with(Often{.tensors = 16, .names = 1'000'000})), "");
  EXPECT_THAT(fault_of(bytes_with(Often{.tensors = 20, .names = 1'000'000})),
              AllOf(HasSubstr("tflite/file/size-limit"), HasSubstr("bytes in names")));
  EXPECT_THAT(fault_of(bytes_with(Often{.subgraphs = 20, .names = 1'000'000})), HasSubstr("bytes in names"));
}

/// `count` tensors of that type and shape, all of buffer 1, which they must be as long as.
File sharing(std::size_t count, const Tensor& tensor, const Bytes& bytes) {
  return {{{"main", std::vector(count, tensor), {}, {0}}}, {bytes}};
}

TEST(TfliteBudget, OfCopiesStopsConstantsThatAreCopiedAgainAndAgain) {
  const std::string mebibyte(std::size_t{1} << 20, '\0');
  const Tensor tensor = ints({1 << 18}, 1);
  Bytes shared{mebibyte + "1234", true};
  EXPECT_EQ(fault_of(sharing(1'000, tensor, {mebibyte, true})), "") << "nothing is copied";
  shared.offset = (written(sharing(100, tensor, shared)).size() - mebibyte.size());
  shared.size = mebibyte.size();
  EXPECT_THAT(fault_of(sharing(100, tensor, shared)),
              AllOf(HasSubstr("tflite/file/size-limit"), HasSubstr("subgraph 0 \"main\" / tensor "),
                    HasSubstr("the data of buffers would be copied too often")));
  File few = sharing(60, tensor, shared);
  few.buffers[0].offset = written(few).size() - mebibyte.size();
  EXPECT_EQ(fault_of(few), "");
}

TEST(TfliteBudget, OfCopiesCountsStrings) {
  constexpr std::int32_t count = 10'000;
  std::string bytes = file_builder::bytes_of<std::int32_t>({count});
  for (std::int32_t i = 0; i <= count; ++i) bytes += file_builder::bytes_of<std::int32_t>({4 * (count + 2)});
  const Tensor tensor{TensorType_STRING, {count}, "", 1};
  EXPECT_EQ(fault_of(sharing(100, tensor, {bytes})), "");
  EXPECT_THAT(fault_of(sharing(300, tensor, {bytes})), HasSubstr("the data of buffers would be copied too often"));
}

TEST(TfliteFindings, EndWhereHundredsOfOperatorsBreakTheSameRule) {
  File file{{{"main", {boolean(), ints()}, {0}, {0}}}};
  for (std::int32_t i = 0; i < 20'000; ++i) file.subgraphs[0].operators.push_back(if_({0}, {1}, 7, 8));
  EXPECT_THAT(check(read(file)), SizeIs(testing::AllOf(testing::Ge(100U), testing::Le(200U))));
  file.subgraphs.push_back(pass("kept", ints()));
  for (Operator& op : file.subgraphs[0].operators) op = if_({0, 1}, {}, 1, 1);
  EXPECT_THAT(check(read(file)), SizeIs(testing::AllOf(testing::Ge(100U), testing::Le(200U))));
}

TEST(TfliteFindings, OfManySubgraphsEndToo) {
  File file{{{"main", {boolean(), boolean()}, {0}, {0}}}};
  for (std::int32_t i = 0; i < 5'000; ++i)
    file.subgraphs.push_back({"broken", {boolean(), boolean()}, {0}, {1}, {if_({0}, {1}, -1, 0)}});
  EXPECT_LE(check(read(file)).size(), 200U);
}

TEST(TfliteMessages, ShortenNamesThatFillPages) {
  const std::string name(1'000'000, 'x');
  Tensor tensor = ints();
  tensor.name = name;
  const File file{
      {{name, {tensor, tensor}, {0}, {1}, {{custom_code(name), {1}, {0}}, {custom_code(name), {0, -3}, {1}}}}}};
  const std::vector<Diagnostic> broken = check(read(file));
  ASSERT_FALSE(broken.empty());
  for (const Diagnostic& diagnostic : broken) EXPECT_LT(to_string(diagnostic).size(), 10'000U);
}

TEST(TfliteMessages, OfARunInADeepNestAreShort) {
  File file = nest_of_ifs(1000);
  file.subgraphs[1000].operators[0].code = custom_code("Nobody");
  try {
    const Program program(read(file).model);
    FAIL() << "nobody has that operator";
  } catch (const EvaluationError& error) {
    EXPECT_EQ(error.missing_operator, "custom.Nobody");
    EXPECT_LT(std::string(error.what()).size(), 3'000U);
  }
}

}  // namespace
}  // namespace ifcert::tflite
