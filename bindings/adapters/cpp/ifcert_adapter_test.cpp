// The SDK over real pipes: the toy and the documented example are started as the runner starts an adapter, and every
// answer is validated against the schema.
#include "ifcert_adapter.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <fstream>
#include <sstream>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace ifcert::adapter {
namespace {

Json read_json(const std::filesystem::path& path) {
  std::ifstream file(path);
  return Json::parse(file);
}

bool fits(const Json& message, const char* schema_name) {
  const Json text = read_json(std::filesystem::path(PROTOCOL_SCHEMAS) / schema_name);
  valijson::Schema schema;
  valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
  parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(text), schema);
  valijson::Validator validator;
  return validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(message), nullptr);
}

/// A process with pipes to its three standard descriptors; killed when the test ends.
class Process {
 public:
  explicit Process(const char* program) {
    std::array<int, 2> in{}, out{}, err{};
    if (pipe2(in.data(), O_CLOEXEC) + pipe2(out.data(), O_CLOEXEC) + pipe2(err.data(), O_CLOEXEC) != 0)
      throw std::runtime_error("no pipes");
    child_ = fork();
    if (child_ == 0) {
      dup2(in[0], 0);
      dup2(out[1], 1);
      dup2(err[1], 2);
      execl(program, program, nullptr);
      _exit(127);
    }
    close(in[0]), close(out[1]), close(err[1]);
    in_ = in[1], out_ = out[0], err_ = err[0];
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    if (in_ >= 0) leave();
    close(out_), close(err_);
  }

  void send(const Json& request) {
    EXPECT_TRUE(fits(request, "request.schema.json")) << request;
    const std::string line = request.dump() + "\n";
    ASSERT_EQ(write(in_, line.data(), line.size()), static_cast<ssize_t>(line.size()));
  }

  Json ask(const Json& request) {
    send(request);
    std::string line;
    for (char letter = 0; read(out_, &letter, 1) == 1 && letter != '\n';) line += letter;
    Json answer = Json::parse(line);
    EXPECT_TRUE(fits(answer, "answer.schema.json")) << answer;
    return answer;
  }

  Json load(const std::string& model) {
    const auto path =
        std::filesystem::path(testing::TempDir()) / ("ifcert-adapter-test-" + std::to_string(child_) + ".model");
    std::ofstream(path) << model << '\n';
    Json answer = ask({{"cmd", "load"}, {"id", 1}, {"format", "onnx"}, {"model", path.string()}});
    std::filesystem::remove(path);
    return answer;
  }

  Json run(const Value& value) {
    return ask({{"cmd", "run"}, {"id", 2}, {"inputs", {{{"name", "x"}, {"value", encode(value)}}}}});
  }

  /// Closes the protocol; the exit code.
  int leave() {
    close(in_);
    in_ = -1;
    int status = 0;
    waitpid(child_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  /// The rest of the protocol's output; after leave().
  std::string rest_of_protocol() const { return all_of(out_); }

  /// The present contents of standard error, without waiting for more.
  std::string printed_so_far() const {
    fcntl(err_, F_SETFL, O_NONBLOCK);
    return all_of(err_);
  }

 private:
  static std::string all_of(int descriptor) {
    std::string text;
    for (char letter = 0; read(descriptor, &letter, 1) == 1;) text += letter;
    return text;
  }

  pid_t child_ = 0;
  int in_ = -1, out_ = -1, err_ = -1;
};

Tensor float_tensor(std::initializer_list<unsigned> bytes) {
  Tensor tensor{"float32", {static_cast<std::int64_t>(bytes.size() / 4)}, {}, {}};
  for (const unsigned byte : bytes) tensor.data.push_back(static_cast<std::byte>(byte));
  return tensor;
}

TEST(AdapterSdk, HelloDescribesTheRuntime) {
  Process toy(TOY_ADAPTER);
  const Json hello = toy.ask({{"cmd", "hello"}, {"protocol", 1}}).at("hello");
  EXPECT_EQ(hello.at("protocol"), 1);
  EXPECT_EQ(hello.at("runtime"),
            (Json{{"name", "toy"}, {"version", "1"}, {"language", "C++"}, {"home", "https://example.org"}}));
  EXPECT_EQ(hello.at("unsupported_features").at(0).at("what"), "type:complex64");
}

TEST(AdapterSdk, LoadReturnsTheDeclaredOutputs) {
  Process toy(TOY_ADAPTER);
  const Json whole = {{"name", "y"}, {"type", "tensor(float32)"}, {"shape", {1, "N", nullptr}}};
  const Json bare = {{"name", "z"}, {"type", nullptr}, {"shape", nullptr}};
  EXPECT_EQ(toy.load("identity").at("loaded").at("outputs"), (Json{whole, bare}));
}

TEST(AdapterSdk, AnExceptionOfTheRuntimeIsARefusal) {
  Process toy(TOY_ADAPTER);
  EXPECT_EQ(toy.load("refused").at("refused"), Json::parse(R"({"message":"an If needs a cond"})"));
}

TEST(AdapterSdk, RunsOfAModelThatWasRefusedAreSkipped) {
  Process toy(TOY_ADAPTER);
  toy.load("identity");
  toy.load("refused");
  EXPECT_EQ(toy.ask({{"cmd", "run"}, {"id", 2}, {"inputs", Json::array()}}), Json::parse(R"({"id":2,"skipped":{}})"));
  EXPECT_TRUE(toy.ask({{"cmd", "unload"}, {"id", 3}}).contains("unloaded"));
}

TEST(AdapterSdk, AMessageThatIsNotUtf8IsStillAnAnswer) {
  Process toy(TOY_ADAPTER);
  EXPECT_EQ(toy.load("not UTF-8").at("refused").at("message"), "byte \uFFFD");
}

TEST(AdapterSdk, AnExceptionOutsideTheRuntimeIsTheAdapters) {
  Process toy(TOY_ADAPTER);
  EXPECT_EQ(toy.load("adapter fails").at("adapter_error").at("message"), "outside the runtime");
  EXPECT_TRUE(toy.load("throws a number").contains("adapter_error"));
  EXPECT_TRUE(toy.load("half a tensor").contains("loaded"));
  EXPECT_TRUE(toy.run(float_tensor({})).contains("adapter_error"));
}

TEST(AdapterSdk, TheRuntimesOwnStatusMakesItUnsupported) {
  Process toy(TOY_ADAPTER);
  EXPECT_EQ(toy.load("not built").at("unsupported"),
            (Json{{"what", "runtime"}, {"message", "If is not built in"}, {"status", "NOT_BUILT"}}));
}

TEST(AdapterSdk, OnlyADeclaredFeatureIsUnsupportedWithoutAStatus) {
  Process toy(TOY_ADAPTER);
  EXPECT_EQ(toy.load("declared lack").at("unsupported"),
            (Json{{"what", "type:complex64"}, {"message", "no complex numbers"}}));
  EXPECT_TRUE(toy.load("undeclared lack").contains("adapter_error"));
}

TEST(AdapterSdk, PrintedTextNeverDisturbsTheProtocolAndIsThereBeforeTheAnswer) {
  Process toy(TOY_ADAPTER);
  toy.load("prints");
  const Tensor tensor = float_tensor({0, 0, 0x80, 0x3F});
  EXPECT_EQ(toy.run(tensor).at("outputs").at(0).at("value"), encode(tensor));
  const std::string printed = toy.printed_so_far();
  for (const char* text : {R"({"id":0,"outputs":[]})", "by C", "by a child", "an error"})
    EXPECT_NE(printed.find(text), std::string::npos) << text;
  EXPECT_EQ(toy.leave(), 0);
  EXPECT_EQ(toy.rest_of_protocol(), "");
}

TEST(AdapterSdk, ARuntimeThatReadsStandardInputConsumesNoRequest) {
  Process toy(TOY_ADAPTER);
  toy.load("reads");
  EXPECT_EQ(toy.run(float_tensor({})).at("outputs").at(0).at("value").at("is"), "read \"\"");
  EXPECT_EQ(toy.ask({{"cmd", "unload"}, {"id", 9}}), Json::parse(R"({"id":9,"unloaded":{}})"));
}

Json input(const Tensor& tensor) {
  return Json::array({{{"name", "x"}, {"value", encode(Value(tensor))}}});
}

TEST(AdapterSdk, HeldOutputsAreTheRuntimesOwnAndAreReadAgain) {
  const Tensor first = float_tensor({0, 0, 0x80, 0x3F}), second = float_tensor({0, 0, 0, 0x40});
  for (const auto& [model, expected] : {std::pair("identity", first), std::pair("one memory", second)}) {
    Process toy(TOY_ADAPTER);
    toy.load(model);
    toy.ask({{"cmd", "run"}, {"id", 5}, {"inputs", input(first)}, {"hold", true}});
    toy.ask({{"cmd", "run"}, {"id", 6}, {"inputs", input(second)}, {"hold", true}});
    const Json again = toy.ask({{"cmd", "reread"}, {"id", 7}, {"held", 5}});
    EXPECT_EQ(again.at("outputs").at(0).at("value"), encode(expected)) << model;
    toy.ask({{"cmd", "unload"}, {"id", 8}});
    EXPECT_TRUE(toy.ask({{"cmd", "reread"}, {"id", 9}, {"held", 5}}).contains("skipped"));
    toy.load(model);
    EXPECT_EQ(toy.ask({{"cmd", "reread"}, {"id", 9}, {"held", 5}}).at("adapter_error").at("message"),
              "there are no held outputs of run 5");
  }
}

TEST(AdapterSdk, OutputsOfARunThatHadNoneAreRefusedWhenTheyAreReadAgain) {
  Process toy(TOY_ADAPTER);
  toy.load("refuses the empty");
  toy.ask({{"cmd", "run"}, {"id", 5}, {"inputs", input(float_tensor({}))}, {"hold", true}});
  EXPECT_EQ(toy.ask({{"cmd", "reread"}, {"id", 6}, {"held", 5}}).at("refused").at("message"),
            "its run returned no outputs to hold");
}

TEST(AdapterSdk, ConcurrentRunsOverlapInTheRuntimeAndEachHasItsOwnOutcome) {
  Process toy(TOY_ADAPTER);
  const Tensor full = float_tensor({0, 0, 0x80, 0x3F}), empty = float_tensor({});
  const Json three = {{{"inputs", input(full)}}, {{"inputs", input(empty)}}, {{"inputs", input(full)}}};
  const Json request = {{"cmd", "concurrent"}, {"id", 3}, {"runs", three}};
  toy.load("waits for three");
  const Json answer = toy.ask(request);
  EXPECT_EQ(answer.at("runs").at(1).at("outputs").at(0).at("value"), encode(empty));
  EXPECT_GE(answer.at("runtime_ms").get<double>(), 0);
  toy.load("refuses the empty");
  const Json runs = toy.ask(request).at("runs");
  EXPECT_EQ(runs.at(1), Json::parse(R"({"refused":{"message":"nothing in it"}})"));
  EXPECT_EQ(runs.at(2).at("outputs").at(0).at("value"), encode(full));
  toy.load("fails to run");
  EXPECT_TRUE(toy.ask(request).contains("adapter_error"));
}

TEST(AdapterSdk, TheRuntimesTimeIsReportedWhereItWasCalled) {
  Process toy(TOY_ADAPTER);
  EXPECT_TRUE(toy.load("refused").contains("runtime_ms"));
  EXPECT_FALSE(toy.load("adapter fails").contains("runtime_ms"));
}

TEST(AdapterSdk, ByeEndsTheProcessWell) {
  Process toy(TOY_ADAPTER);
  toy.send({{"cmd", "bye"}});
  EXPECT_EQ(toy.leave(), 0);
  EXPECT_EQ(toy.rest_of_protocol(), "");
}

TEST(AdapterSdk, EveryElementTypeRoundTripsBitForBit) {
  Process toy(TOY_ADAPTER);
  toy.load("identity");
  for (const auto& [type, bits] : element_bits) {
    if (bits == 0) continue;
    for (const std::int64_t count : {0, 1, 3, 5}) {
      Tensor tensor{std::string(type), {count}, {}, {}};
      for (std::size_t i = 0; i < (static_cast<std::size_t>(count) * bits + 7) / 8; ++i)
        tensor.data.push_back(static_cast<std::byte>(0xFF - 37 * i));
      const Json answer = toy.run(tensor).at("outputs").at(0).at("value");
      EXPECT_EQ(answer, encode(tensor)) << type;
      EXPECT_EQ(std::get<Tensor>(decode(answer)), tensor) << type;
    }
  }
}

TEST(AdapterSdk, StringsSequencesAndOptionalsRoundTrip) {
  Process toy(TOY_ADAPTER);
  toy.load("identity");
  const Tensor strings{"string", {2, 2}, {}, {"", std::string("a\0b", 3), "größe", "\xFF\xFE"}};
  const Sequence sequence{"tensor(string)", {strings, strings}};
  const std::vector<Value> values = {strings,
                                     sequence,
                                     Sequence{"tensor(int4)", {}},
                                     Optional{"tensor(string)", strings},
                                     Optional{"seq(tensor(string))", sequence},
                                     Optional{"tensor(float32)", {}}};
  for (const Value& value : values) {
    const Json answer = toy.run(value).at("outputs").at(0).at("value");
    EXPECT_EQ(answer, encode(value));
    EXPECT_EQ(decode(answer), value);
  }
}

TEST(AdapterSdk, Base64FollowsTheRfc) {
  const std::vector<std::pair<std::string, std::string>> of_the_rfc = {{"", ""},
                                                                       {"f", "Zg=="},
                                                                       {"fo", "Zm8="},
                                                                       {"foo", "Zm9v"},
                                                                       {"foob", "Zm9vYg=="},
                                                                       {"fooba", "Zm9vYmE="},
                                                                       {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, text] : of_the_rfc) {
    EXPECT_EQ(base64::encode(std::as_bytes(std::span(plain))), text);
    const auto bytes = base64::decode(text);
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), plain.begin(), plain.end(),
                           [](std::byte byte, char letter) { return static_cast<char>(byte) == letter; }));
  }
  EXPECT_THROW(base64::decode("Zg"), AdapterError);
  EXPECT_THROW(base64::decode("Z!=="), AdapterError);
}

TEST(AdapterSdk, AnArgumentIsRefused) {
  std::string name = "adapter", argument = "--help";
  std::array<char*, 3> arguments{name.data(), argument.data(), nullptr};
  class : public Adapter {
    Description describe() const override { return {}; }
    std::vector<Port> load(const std::filesystem::path&, std::string_view) override { return {}; }
    std::vector<NamedValue> run(const std::vector<NamedValue>&) override { return {}; }
  } adapter;
  testing::internal::CaptureStderr();
  EXPECT_EQ(serve(adapter, 2, arguments.data()), 2);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("--help"), std::string::npos);
}

TEST(AdapterSdk, TheDocumentedExampleIsAWorkingAdapter) {
  Process example(EXAMPLE_ADAPTER);
  EXPECT_EQ(example.ask({{"cmd", "hello"}, {"protocol", 1}}).at("hello").at("runtime").at("name"), "sign");
  EXPECT_TRUE(example.load("square").contains("refused"));
  EXPECT_TRUE(example.load("").contains("refused")) << "it is the runtime that reads an empty file";
  EXPECT_TRUE(example.load("negative").contains("loaded"));
  const Json output = example.run(float_tensor({0, 0, 0x80, 0x3F})).at("outputs").at(0);
  EXPECT_EQ(output, (Json{{"name", "y"}, {"value", encode(float_tensor({0, 0, 0x80, 0xBF}))}}));
  EXPECT_EQ(example.leave(), 0);
}

}  // namespace
}  // namespace ifcert::adapter
