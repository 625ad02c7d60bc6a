// The C++ SDK for adapters: the processes between ifcert's runner and one runtime. One header that needs only
// nlohmann-json: derive from Adapter and return serve(adapter, argc, argv) from main(). The protocol is described in
// docs/protocol.md; example_adapter.cpp beside this file is a complete adapter.
//
// Do not load the runtime in the adapter's constructor: serve() first moves the protocol away from standard output, so
// that nothing a runtime prints from then on can be mistaken for an answer.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ifcert::adapter {

using Json = nlohmann::json;

/// The adapter is at fault, not the runtime: answered as `adapter_error`, like every exception of an unknown kind.
class AdapterError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The runtime refused: answered as `refused`.
class Refused : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The runtime does not support it: answered as `unsupported`. `what_feature` is one of
/// Description::unsupported_features, unless `status` is the runtime's own not-implemented status.
class Unsupported : public std::runtime_error {
 public:
  Unsupported(std::string what_feature, const std::string& message, std::string own_status = {})
      : std::runtime_error(message), feature(std::move(what_feature)), status(std::move(own_status)) {}
  std::string feature, status;
};

using Milliseconds = std::chrono::duration<double, std::milli>;

/// The time this thread has spent in runtime(…) since the current message arrived; nothing where it was not called.
inline thread_local std::optional<Milliseconds> spent;

/// Adds its lifetime to `spent`.
class Stopwatch {
 public:
  Stopwatch() = default;
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() { spent = spent.value_or(Milliseconds()) + (std::chrono::steady_clock::now() - started_); }

 private:
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

/// Calls the runtime: exceptions of `call` become Refused, and its time is measured, separately from the adapter's.
/// Throw Unsupported inside for the runtime's own not-implemented status. Do not nest these calls.
template <class Call>
decltype(auto) runtime(Call&& call) {
  const Stopwatch stopwatch;
  try {
    return std::forward<Call>(call)();
  } catch (const Refused&) {
    throw;
  } catch (const Unsupported&) {
    throw;
  } catch (const std::exception& error) {
    throw Refused(error.what());
  }
}

/// `data` holds the little-endian bytes of every element type but string, 2- and 4-bit types packed lowest bits first;
/// `strings` holds the elements of a string tensor.
struct Tensor {
  std::string type;  // "float32"
  std::vector<std::int64_t> shape;
  std::vector<std::byte> data;
  std::vector<std::string> strings;
  bool operator==(const Tensor&) const = default;
};

/// `of` is the items' type, as "tensor(float32)"; nothing where the runtime does not report it.
struct Sequence {
  std::optional<std::string> of;
  std::vector<Tensor> items;
  bool operator==(const Sequence&) const = default;
};

/// `of` is the type that the value has or would have; std::monostate: absent.
struct Optional {
  std::optional<std::string> of;
  std::variant<std::monostate, Tensor, Sequence> value;
  bool operator==(const Optional&) const = default;
};

/// A value that the protocol cannot represent, described for the report. It equals no expected value.
struct Other {
  std::string description;
  bool operator==(const Other&) const = default;
};

using Value = std::variant<Tensor, Sequence, Optional, Other>;

struct NamedValue {
  std::string name;
  Value value;
  bool operator==(const NamedValue&) const = default;
};

/// A declared dim: its size, its name, or std::monostate where it is unknown.
using Dim = std::variant<std::monostate, std::int64_t, std::string>;

/// An output as the loaded model declares it; nothing where the runtime does not report it.
struct Port {
  std::string name;
  std::optional<std::string> type;  // "tensor(float32)"
  std::optional<std::vector<Dim>> shape;
};

/// A feature that the runtime lacks, and the page of the runtime's own documentation that states it.
struct UnsupportedFeature {
  std::string what, why, link;
};

/// The answer to `hello`.
struct Description {
  std::string adapter, runtime, version, language, home;
  std::vector<std::string> formats = {"onnx"};
  bool computes = true;
  bool threads = false;  // run() may be called by several threads at once on the loaded model
  bool holds = false;    // there is a hold()
  std::vector<UnsupportedFeature> unsupported_features = {};
};

/// Reads the outputs of a held run, now and again.
using Reader = std::function<std::vector<NamedValue>()>;

/// One runtime. Make every call of it inside runtime(…), or throw Refused yourself.
class Adapter {
 public:
  Adapter() = default;
  Adapter(const Adapter&) = delete;
  Adapter& operator=(const Adapter&) = delete;
  virtual ~Adapter() = default;

  /// Describes the runtime; its version comes from the runtime itself.
  virtual Description describe() const = 0;
  /// Loads the model, keeps it for run(), and returns its outputs in order.
  virtual std::vector<Port> load(const std::filesystem::path& model, std::string_view format) = 0;
  /// Runs the loaded model; returns every output in order, copied: no later run may change them.
  virtual std::vector<NamedValue> run(const std::vector<NamedValue>& inputs) = 0;
  /// Runs the loaded model and keeps the runtime's own result objects, not copies of them (in the reader's captures,
  /// for example). The reader reads them as run() would, right away and again after later runs: only then can the
  /// runner see that a later run overwrote them. Declare `holds`.
  virtual Reader hold(const std::vector<NamedValue>& /*inputs*/) { throw AdapterError("the adapter has no hold()"); }
  /// Drops the loaded model, where there is something to drop.
  virtual void unload() {}
};

/// The element types of the protocol and the bits of one element; 0 for string.
inline constexpr std::array<std::pair<std::string_view, std::size_t>, 26> element_bits{{
    {"bool", 8},           {"int2", 2},       {"int4", 4},         {"int8", 8},           {"int16", 16},
    {"int32", 32},         {"int64", 64},     {"uint2", 2},        {"uint4", 4},          {"uint8", 8},
    {"uint16", 16},        {"uint32", 32},    {"uint64", 64},      {"float16", 16},       {"bfloat16", 16},
    {"float32", 32},       {"float64", 64},   {"float8e4m3fn", 8}, {"float8e4m3fnuz", 8}, {"float8e5m2", 8},
    {"float8e5m2fnuz", 8}, {"float8e8m0", 8}, {"float4e2m1", 4},   {"complex64", 64},     {"complex128", 128},
    {"string", 0},
}};

namespace base64 {

inline constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// RFC 4648, with padding.
inline std::string encode(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t taken = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < taken ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) text += k <= taken ? alphabet[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

/// Throws AdapterError where the text is not base64.
inline std::vector<std::byte> decode(std::string_view text) {
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 4 * 3);
  if (text.size() % 4 != 0) throw AdapterError("base64 text is truncated");
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::uint32_t group = 0;
  unsigned bits = 0;
  for (const char letter : text) {
    const auto digit = alphabet.find(letter);
    if (digit == std::string_view::npos) throw AdapterError(std::string("base64 text contains '") + letter + "'");
    group = group << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<std::byte>(group >> bits & 0xFF));
  }
  return bytes;
}

}  // namespace base64

/// Throws AdapterError where the data does not fill the shape: no message can hold such a tensor.
inline void require_whole(const Tensor& tensor) {
  const auto* const known = std::find_if(element_bits.begin(), element_bits.end(),
                                         [&](const auto& element) { return element.first == tensor.type; });
  if (known == element_bits.end()) throw AdapterError("there is no element type \"" + tensor.type + "\"");
  std::size_t count = 1;
  for (const std::int64_t dim : tensor.shape) {
    if (dim < 0) throw AdapterError("a tensor has the dim " + std::to_string(dim));
    count *= static_cast<std::size_t>(dim);
  }
  const std::size_t strings = tensor.type == "string" ? count : 0;
  const std::size_t bytes = (count * known->second + 7) / 8;
  if (tensor.data.size() != bytes || tensor.strings.size() != strings)
    throw AdapterError("a " + tensor.type + " tensor of " + std::to_string(count) + " elements has " +
                       std::to_string(tensor.data.size()) + " bytes and " + std::to_string(tensor.strings.size()) +
                       " strings, not " + std::to_string(bytes) + " and " + std::to_string(strings));
}

inline Json encode(const Tensor& tensor) {
  require_whole(tensor);
  Json json = {{"kind", "tensor"}, {"type", tensor.type}, {"shape", tensor.shape}};
  if (tensor.type != "string") {
    json["data"] = base64::encode(tensor.data);
    return json;
  }
  json["strings"] = Json::array();
  for (const std::string& element : tensor.strings)
    json["strings"].push_back(base64::encode(std::as_bytes(std::span(element))));
  return json;
}

inline Json encode(const std::optional<std::string>& type) {
  return type ? Json(*type) : Json(nullptr);
}

inline Json encode(const Sequence& sequence) {
  Json items = Json::array();
  for (const Tensor& item : sequence.items) items.push_back(encode(item));
  return {{"kind", "sequence"}, {"of", encode(sequence.of)}, {"items", std::move(items)}};
}

inline Json encode(const Optional& optional) {
  Json json = {{"kind", "optional"}, {"of", encode(optional.of)}};
  if (const auto* tensor = std::get_if<Tensor>(&optional.value)) json["value"] = encode(*tensor);
  if (const auto* sequence = std::get_if<Sequence>(&optional.value)) json["value"] = encode(*sequence);
  if (!json.contains("value")) json["absent"] = true;
  return json;
}

inline Json encode(const Other& other) {
  return {{"kind", "other"}, {"is", other.description}};
}

/// A value in the form of the protocol.
inline Json encode(const Value& value) {
  return std::visit([](const auto& held) { return encode(held); }, value);
}

inline Tensor decode_tensor(const Json& json) {
  Tensor tensor{json.at("type"), json.at("shape"), {}, {}};
  if (json.contains("data")) tensor.data = base64::decode(json.at("data").get_ref<const std::string&>());
  for (const Json& text : json.value("strings", Json::array())) {
    const auto bytes = base64::decode(text.get_ref<const std::string&>());
    std::string element(bytes.size(), '\0');
    std::transform(bytes.begin(), bytes.end(), element.begin(), [](std::byte byte) { return static_cast<char>(byte); });
    tensor.strings.push_back(std::move(element));
  }
  require_whole(tensor);
  return tensor;
}

inline std::optional<std::string> decode_type(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional<std::string>(json.get<std::string>());
}

inline Sequence decode_sequence(const Json& json) {
  Sequence sequence{decode_type(json.at("of")), {}};
  for (const Json& item : json.at("items")) sequence.items.push_back(decode_tensor(item));
  return sequence;
}

inline Optional decode_optional(const Json& json) {
  Optional optional{decode_type(json.at("of")), {}};
  if (json.contains("absent")) return optional;
  const Json& value = json.at("value");
  if (value.at("kind") == "tensor")
    optional.value = decode_tensor(value);
  else
    optional.value = decode_sequence(value);
  return optional;
}

/// The inverse of encode. Throws AdapterError, or nlohmann's own exception, for anything that is not a value of the
/// protocol.
inline Value decode(const Json& json) {
  const auto& kind = json.at("kind").get_ref<const std::string&>();
  if (kind == "tensor") return decode_tensor(json);
  if (kind == "sequence") return decode_sequence(json);
  if (kind == "optional") return decode_optional(json);
  if (kind == "other") return Other{json.at("is")};
  throw AdapterError("the protocol has no value of the kind \"" + kind + "\"");
}

inline Json encode(const Description& description) {
  Json features = Json::array();
  for (const UnsupportedFeature& lack : description.unsupported_features)
    features.push_back({{"what", lack.what}, {"why", lack.why}, {"link", lack.link}});
  return {{"protocol", 1},
          {"adapter", description.adapter},
          {"runtime",
           {{"name", description.runtime},
            {"version", description.version},
            {"language", description.language},
            {"home", description.home}}},
          {"formats", description.formats},
          {"computes", description.computes},
          {"threads", description.threads},
          {"holds", description.holds},
          {"unsupported_features", std::move(features)}};
}

inline Json encode(const Port& port) {
  Json shape = nullptr;
  if (port.shape) {
    shape = Json::array();
    for (const Dim& dim : *port.shape) {
      Json written = nullptr;
      if (const auto* size = std::get_if<std::int64_t>(&dim)) written = *size;
      if (const auto* name = std::get_if<std::string>(&dim)) written = *name;
      shape.push_back(std::move(written));
    }
  }
  return {{"name", port.name}, {"type", encode(port.type)}, {"shape", std::move(shape)}};
}

/// An undeclared feature without a status is the adapter's own mistake: it would turn a failure into an excuse.
inline Json encode_lack(const Adapter& adapter, const Unsupported& lack) {
  const auto features = adapter.describe().unsupported_features;
  const bool declared = std::any_of(features.begin(), features.end(),
                                    [&](const UnsupportedFeature& known) { return known.what == lack.feature; });
  if (lack.status.empty() && !declared)
    return {{"adapter_error",
             {{"message", "\"" + lack.feature + "\" is unsupported, but hello did not declare it: " + lack.what()}}}};
  Json written = {{"what", lack.feature}, {"message", lack.what()}};
  if (!lack.status.empty()) written["status"] = lack.status;
  return {{"unsupported", std::move(written)}};
}

inline std::vector<NamedValue> decode_inputs(const Json& run) {
  std::vector<NamedValue> inputs;
  for (const Json& input : run.at("inputs")) inputs.push_back({input.at("name"), decode(input.at("value"))});
  return inputs;
}

inline Json encode(const std::vector<NamedValue>& outputs) {
  Json written = Json::array();
  for (const NamedValue& output : outputs) written.push_back({{"name", output.name}, {"value", encode(output.value)}});
  return {{"outputs", std::move(written)}};
}

/// The result of `call`: its answer, or that of its exception.
template <class Call>
Json outcome(const Adapter& adapter, Call&& call) {
  try {
    return std::forward<Call>(call)();
  } catch (const Refused& refusal) {
    return {{"refused", {{"message", refusal.what()}}}};
  } catch (const Unsupported& lack) {
    return encode_lack(adapter, lack);
  } catch (const std::exception& error) {
    return {{"adapter_error", {{"message", error.what()}}}};
  } catch (...) {
    return {{"adapter_error", {{"message", "an exception that is not a std::exception"}}}};
  }
}

/// A thread for each run; none starts before all are ready. An error of the adapter itself is the answer to the whole
/// message.
inline Json run_concurrently(Adapter& adapter, const Json& runs) {
  std::vector<std::vector<NamedValue>> inputs;
  for (const Json& run : runs) inputs.push_back(decode_inputs(run));
  std::vector<Json> outcomes(inputs.size());
  std::barrier together(static_cast<std::ptrdiff_t>(inputs.size()) + 1);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    threads.emplace_back([&, i] {
      together.arrive_and_wait();
      outcomes[i] = outcome(adapter, [&] { return encode(adapter.run(inputs[i])); });
    });
  }
  together.arrive_and_wait();
  {
    const Stopwatch stopwatch;
    for (std::thread& thread : threads) thread.join();
  }
  for (const Json& one : outcomes) {
    if (one.contains("adapter_error")) return one;
  }
  return {{"runs", outcomes}};
}

/// The state between requests to one adapter: whether a model is loaded, and the outputs that runs hold, by the run's
/// id.
class Answerer {
 public:
  explicit Answerer(Adapter& adapter) : adapter_(adapter) {}

  /// The answer to any request but bye.
  Json answer(const Json& request) {
    if (request.at("cmd") == "hello") return {{"hello", encode(adapter_.describe())}};
    spent.reset();
    Json answer = outcome(adapter_, [&] { return dispatch(request); });
    answer["id"] = request.at("id");
    if (spent) answer["runtime_ms"] = spent->count();
    return answer;
  }

 private:
  Json dispatch(const Json& request) {
    const auto& command = request.at("cmd").get_ref<const std::string&>();
    if (command == "load") return load(request);
    if (command == "unload") return unload();
    if (command != "run" && command != "reread" && command != "concurrent")
      throw AdapterError("protocol 1 has no command \"" + command + "\"");
    if (!loaded_) return {{"skipped", Json::object()}};
    if (command == "run") return run(request);
    return command == "reread" ? reread(request.at("held").get<std::uint64_t>())
                               : run_concurrently(adapter_, request.at("runs"));
  }

  Json load(const Json& request) {
    held_.clear();
    loaded_ = false;
    Json outputs = Json::array();
    const auto& format = request.at("format").get_ref<const std::string&>();
    for (const Port& port : adapter_.load(request.at("model").get<std::string>(), format))
      outputs.push_back(encode(port));
    loaded_ = true;
    return {{"loaded", {{"outputs", std::move(outputs)}}}};
  }

  Json unload() {
    held_.clear();
    loaded_ = false;
    adapter_.unload();
    return {{"unloaded", Json::object()}};
  }

  Json run(const Json& request) {
    const std::vector<NamedValue> inputs = decode_inputs(request);
    if (!request.value("hold", false)) return encode(adapter_.run(inputs));
    Reader& held = held_[request.at("id").get<std::uint64_t>()];
    held = []() -> std::vector<NamedValue> { throw Refused("its run returned no outputs to hold"); };
    Reader read = adapter_.hold(inputs);
    Json answer = encode(read());
    held = std::move(read);
    return answer;
  }

  Json reread(std::uint64_t run) const {
    const auto found = held_.find(run);
    if (found == held_.end()) throw AdapterError("there are no held outputs of run " + std::to_string(run));
    return encode(found->second());
  }

  Adapter& adapter_;
  bool loaded_ = false;
  std::map<std::uint64_t, Reader> held_;
};

/// The protocol on private descriptors: from now on, output printed on standard output goes to standard error, standard
/// input is empty, and no child inherits the protocol.
class Channel {
 public:
  Channel() : requests_(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)), answers_(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) {
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (requests_ < 0 || answers_ < 0 || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
        dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
      throw AdapterError(std::string("cannot move the protocol to its own descriptors: ") + std::strerror(errno));
    close(nothing);
  }
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel() {
    close(requests_);
    close(answers_);
  }

  /// The next line without its end; nothing when the runner is gone.
  std::optional<std::string> read_line() {
    for (;;) {
      const auto end = pending_.find('\n', searched_);
      if (end != std::string::npos) {
        std::string line = pending_.substr(0, end);
        pending_.erase(0, end + 1);
        searched_ = 0;
        return line;
      }
      searched_ = pending_.size();
      std::array<char, 65536> piece;
      const ssize_t got = read(requests_, piece.data(), piece.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return std::nullopt;
      pending_.append(piece.data(), static_cast<std::size_t>(got));
    }
  }

  /// Flushes everything printed so far, then sends the line.
  void write_line(std::string line) {
    std::cout.flush();
    std::fflush(nullptr);
    line += '\n';
    for (std::string_view rest = line; !rest.empty();) {
      const ssize_t sent = write(answers_, rest.data(), rest.size());
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0) throw AdapterError(std::string("cannot answer: ") + std::strerror(errno));
      rest.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

 private:
  int requests_, answers_;
  std::string pending_;
  std::size_t searched_ = 0;
};

/// Answers the runner until it sends bye or is gone; returns main()'s exit code. An adapter takes no arguments.
inline int serve(Adapter& adapter, int argc, char** argv) {
  if (argc > 1) {
    std::cerr << argv[0] << ": unexpected argument \"" << argv[1]
              << "\"; this program speaks the ifcert adapter protocol\n";
    return 2;
  }
  Channel channel;
  Answerer answerer(adapter);
  while (const auto line = channel.read_line()) {
    const Json request = Json::parse(*line);
    if (request.at("cmd") == "bye") break;
    // A runtime's message may not be UTF-8; it is only evidence, so its invalid bytes are replaced.
    channel.write_line(answerer.answer(request).dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  return 0;
}

}  // namespace ifcert::adapter
