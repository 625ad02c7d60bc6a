#include "conformance/report/sample_certification.hpp"

#include <string>
#include <utility>

namespace ifcert::conformance {
namespace {

using nlohmann::json;

json tensor(const std::string& type, json shape, const std::string& data) {
  return {{"kind", "tensor"}, {"type", type}, {"shape", std::move(shape)}, {"data", data}};
}

json strings(json shape, json items) {
  return {{"kind", "tensor"}, {"type", "string"}, {"shape", std::move(shape)}, {"strings", std::move(items)}};
}

json named(const std::string& name, const json& value) {
  return {{"name", name}, {"value", value}};
}

json load(const json& expect) {
  return {{"load", {{"expect", expect}}}};
}

json run(const json& inputs, const json& expect) {
  return {{"run", {{"inputs", inputs}, {"expect", expect}}}};
}

json outputs(const json& value) {
  return {{"outputs", json::array({named("res", value)})}};
}

const json loaded = {{"loaded", json::object()}};
const json refused = {{"refused", json::object()}};
const json yes = tensor("bool", json::array(), "AQ==");
const json no = tensor("bool", json::array(), "AA==");
const json one_two = tensor("float32", {2}, "AACAPwAAAEA=");
const json three_four = tensor("float32", {2}, "AABAQAAAgEA=");
const json payload = tensor("float32", {2, 2}, "AQDAfwAAAIABAAAAAACAfw==");     // NaN 0x7fc00001, -0, 2^-149, infinity
const json no_payload = tensor("float32", {2, 2}, "AADAfwAAAAABAAAAAACAfw==");  // NaN 0x7fc00000, +0

// An ANSI sequence, a right-to-left override, and text that GitHub would turn into a mention, a reference, a column and
// code.
const std::string tricky = "\x1b[2J\u202Egnp.exe\u202C @everyone #1 | `code` **bold**\n## head";

constexpr const char* model = R"(<
   ir_version: 7,
   opset_import: ["" : 13]
>
choice (bool cond) => (float[2] res) {
   res = If (cond) <then_branch: graph = then_graph () => (float[2] then_out) {
      then_out = Constant <value: tensor = float[2] {1,2}> ()
   }, else_branch: graph = else_graph () => (float[2] else_out) {
      else_out = Constant <value: tensor = float[2] {3,4}> ()
   }>
}
)";

const json why =
    json::array({{{"source", "ONNX Operators, If-25"}, {"clause", "Inputs, cond: 'Condition for the if.'"}},
                 {{"issue", "https://github.com/onnx/onnx/issues/2345"}, {"note", "a question from users"}}});

VectorSummary vector(const std::string& rule, const std::string& name, const std::string& title, json steps) {
  VectorSummary summary;
  summary.id = rule + "/" + name;
  summary.rule = rule;
  summary.title = title;
  if (steps.front().at("load").at("expect").contains("refused")) summary.axis = Axis::diagnoses;
  summary.why = why;
  summary.steps = std::move(steps);
  summary.model_text = model;
  summary.model_path = "vectors/" + summary.id + "/model.onnx";
  summary.system = rule.substr(0, rule.find('/'));
  summary.profiles = {summary.system, summary.system + "-16"};
  return summary;
}

std::vector<VectorSummary> vectors() {
  const json cond = json::array({named("cond", yes)});
  const json then = json::array({load(loaded), run(cond, outputs(one_two))});
  const json no_model = json::array({load(refused), run(cond, refused)});
  const json flips =
      json::array({load(loaded), run(cond, outputs(one_two)),
                   run(json::array({named("cond", no)}), outputs(three_four)), run(cond, outputs(one_two))});
  const json float16 = tensor("float16", {3}, "ADwAfgA4");
  const json words = strings({3}, {"", "AGE=", "/w=="});
  const json pair = {{"kind", "sequence"},
                     {"of", "tensor(int64)"},
                     {"items", {tensor("int64", {1}, "//////////8="), tensor("int64", {0}, "")}}};
  const json absent = {{"kind", "optional"}, {"of", "tensor(float32)"}, {"absent", true}};
  std::vector<VectorSummary> all{
      vector("onnx/if/then-when-true", "test-cc-if", "cond true returns then's [1, 2]", then),
      vector("onnx/if/then-when-true", "constant-cond", "a Constant cond returns the same", then),
      vector("onnx/if/cond-single-element", "rank-one", "cond of shape [1] is one element", then),
      vector("onnx/if/cond-single-element", "two-elements", "cond of shape [2] is refused", no_model),
      vector("onnx/if/cond-single-element", "no-element", "cond of shape [0] is refused", no_model),
      vector("onnx/if/output-count", "two-everywhere", "two outputs in both branches and the node", then),
      vector("onnx/if/output-count", "else-has-fewer", "else has one output, then and the node two", no_model),
      vector("onnx/if/value-unchanged", "nan-payload", "NaN payload, -0 and a subnormal pass through",
             json::array({load(loaded), run(cond, outputs(payload))})),
      vector("onnx/if/value-unchanged", "float16", "float16 passes through",
             json::array({load(loaded), run(cond, outputs(float16))})),
      vector("onnx/if/value-unchanged", "strings", "strings: empty, NUL inside, not UTF-8",
             json::array({load(loaded), run(cond, outputs(words))})),
      vector("onnx/if/types-of-opset", "sequence", "a sequence of int64 tensors",
             json::array({load(loaded), run(cond, outputs(pair))})),
      vector("onnx/if/types-of-opset", "optional", "an optional that is absent",
             json::array({load(loaded), run(cond, outputs(absent))})),
      vector("onnx/if/no-state-between-runs", "flip", "cond flips between runs of one session", flips),
      vector("onnx/if/output-is-outer-value", "no-node", "a branch returns an outer value itself",
             json::array({load({{"either", json::array({loaded, refused})}, {"reason", "sources disagree"}})})),
      vector("onnx/if/nesting", "depth-sixteen", hostile, then),
      vector("openvino/if/then-when-true", "boolean", "cond true returns then's result", then)};
  const json kept = json::array({load(loaded),
                                 {{"run", {{"inputs", cond}, {"hold", true}, {"expect", outputs(one_two)}}}},
                                 run(json::array({named("cond", no)}), outputs(three_four)),
                                 {{"reread", {{"step", 1}, {"expect", outputs(one_two)}}}}});
  const json at_once = json::array(
      {load(loaded),
       {{"concurrent",
         {{"runs", json::array({{{"inputs", cond}, {"expect", outputs(one_two)}},
                                {{"inputs", json::array({named("cond", no)})}, {"expect", outputs(three_four)}}})}}}}});
  all.insert(all.begin() + 13, vector("onnx/if/no-state-between-runs", "held", "a held output stays", kept));
  all.insert(all.begin() + 14, vector("onnx/if/no-state-between-runs", "threads", "two runs at once", at_once));
  all[4].twin = all[3].twin = all[2].id;
  all[6].twin = all[5].id;
  all[15].axis = Axis::open;
  all[16].model_text = std::string("graph ") + hostile + "\n<!-- --> ]]>";
  all[16].why = json::array({{{"issue", "javascript:document.title='run'"}, {"note", hostile}}});
  return all;
}

std::vector<RuleSummary> rules() {
  const std::string clause = "ONNX Operators, If-25, Summary";
  return {
      {"onnx/if/then-when-true", "a true cond returns then's outputs", clause},
      {"onnx/if/cond-single-element", "cond has exactly one element, whatever its rank; [0] and [2] are refused",
       clause},
      {"onnx/if/output-count", "then, else and the node have the same number of outputs, at least one", clause},
      {"onnx/if/value-unchanged", "bits pass through: NaN payloads, -0.0, subnormals, strings, packed types", clause},
      {"onnx/if/types-of-opset", "every listed type works; a type that is not listed is refused", clause},
      {"onnx/if/no-state-between-runs", "no run of a session sees another's data", clause},
      {"onnx/if/output-is-outer-value", "a branch with no node that returns an outer value: either", clause},
      {"onnx/if/nesting", hostile, clause},
      {"onnx/if/in-scan", "If inside a Scan body", clause},
      {"openvino/if/then-when-true", "a true cond returns then_body's results", "OpenVINO If-8"}};
}

std::vector<AdapterIdentity> adapters() {
  const json cannot_run = json::array(
      {{{"what", "run"}, {"why", "a checker computes nothing"}, {"link", "https://onnx.ai/onnx/api/checker.html"}}});
  std::vector<AdapterIdentity> adapters{
      {"exact", "Exact", "0.1.0", "C++", "https://example.org/exact", true, json::array(), {"onnx"}},
      {"quick",
       "Quick Runtime",
       "1.31.1",
       "C++ through Python",
       "https://example.org/quick",
       true,
       json::array(),
       {"onnx"}},
      {"narrow",
       "Narrow",
       "2.0",
       "Rust",
       "https://example.org/narrow",
       true,
       json::array(
           {{{"what", "kind:optional"}, {"why", "it has no optionals"}, {"link", "https://example.org/narrow/types"}}}),
       {"onnx"}},
      {"checker", "Checker", "1.23.2", "Python", "https://example.org/checker", false, cannot_run, {"onnx"}},
      {"shaky", hostile, "9", "C", "javascript:document.title='run'", true, json::array(), {"onnx"}},
      {"other-format", "Other", "2026.4.1", "C++", "https://example.org/other", true, json::array(), {"openvino"}}};
  for (AdapterIdentity& adapter : adapters) adapter.folder = "/opt/adapters/" + adapter.name;
  return adapters;
}

Result& find(Certification& certification, const std::string& adapter, const std::string& vector) {
  for (Result& result : certification.results) {
    if (result.adapter == adapter && result.vector == vector) return result;
  }
  throw std::out_of_range(adapter + " has no result on " + vector);
}

void judge(Result& result, Verdict verdict, Fault fault, const std::string& reason, std::size_t step = 1) {
  result.verdict = verdict;
  result.fault = fault;
  result.reason = reason;
  result.step = step;
  result.phase = step == 0 ? "load" : "run";
}

void pass_everything(Certification& certification) {
  for (const AdapterIdentity& adapter : certification.adapters) {
    for (const VectorSummary& vector : certification.vectors) {
      if (!in_scope(adapter, vector)) continue;
      Result result;
      result.adapter = adapter.name;
      result.vector = vector.id;
      result.rule = vector.rule;
      result.verdict = Verdict::pass;
      result.milliseconds = 1.5;
      if (adapter.name != "shaky") result.runtime_milliseconds = 1.25;
      certification.results.push_back(result);
    }
  }
}

void quick_errs(Certification& all) {
  Result& nan = find(all, "quick", "onnx/if/value-unchanged/nan-payload");
  judge(nan, Verdict::fail, Fault::wrong_value, "output 0 (res): 2 of 4 elements differ, the first at [0, 0]");
  nan.expected = outputs(payload);
  nan.got = {{"id", 7}, {"outputs", json::array({named("res", no_payload)})}};
  Result& two = find(all, "quick", "onnx/if/cond-single-element/two-elements");
  judge(two, Verdict::lenient, Fault::none, "every step was accepted; the model should have been refused");
  two.expected = refused;
  two.got = {{"id", 9}, {"outputs", json::array({named("res", one_two)})}};
  two.known = true;
  two.link = "https://github.com/example/quick/issues/1";
  Result& flip = find(all, "quick", "onnx/if/no-state-between-runs/flip");
  judge(flip, Verdict::crash, Fault::none, "the process died while it ran", 2);
  flip.signal = 11;
  flip.expected = outputs(three_four);
  flip.evidence = "\x1b[31mquick: assertion failed\xff\n" + std::string(hostile) + "]]>\n";
  Result& held = find(all, "quick", "onnx/if/no-state-between-runs/held");
  judge(held, Verdict::fail, Fault::wrong_value, "output res of step 1 has changed: element 0 is 3, expected 1", 3);
  held.expected = outputs(one_two);
  held.got = {{"id", 11}, {"outputs", json::array({named("res", three_four)})}};
  Result& threads = find(all, "quick", "onnx/if/no-state-between-runs/threads");
  judge(threads, Verdict::fail, Fault::wrong_value, "run 1: output res: element 0 is 1, expected 3", 1);
  threads.got = {{"id", 12},
                 {"runs", json::array({{{"outputs", json::array({named("res", one_two)})}},
                                       {{"outputs", json::array({named(hostile, one_two)})}}})}};
  Result& fewer = find(all, "quick", "onnx/if/output-count/else-has-fewer");
  fewer.got = {{"id", 3}, {"refused", {{"message", "branches differ in their number of outputs"}}}};
}

void narrow_lacks(Certification& all) {
  Result& optional = find(all, "narrow", "onnx/if/types-of-opset/optional");
  judge(optional, Verdict::unsupported, Fault::none, "declared: kind:optional", 0);
  optional.link = "https://example.org/narrow/types";
  Result& half = find(all, "narrow", "onnx/if/value-unchanged/float16");
  judge(half, Verdict::fail, Fault::wrong_type, "output 0 (res) is float32, expected float16");
  half.expected = outputs(tensor("float16", {3}, "ADwAfgA4"));
  half.got = {{"id", 2}, {"outputs", json::array({named("res", tensor("float32", {3}, "AACAPwAAwH8AAAA/"))})}};
  Result& hang = find(all, "narrow", "onnx/if/nesting/depth-sixteen");
  judge(hang, Verdict::timeout, Fault::none, "no answer within 10 s", 0);
  Result& words = find(all, "narrow", "onnx/if/value-unchanged/strings");
  judge(words, Verdict::fail, Fault::wrong_value, "output 0 (res): 1 of 3 elements differs");
  words.expected = outputs(strings({3}, {"", "AGE=", "/w=="}));
  words.got = {{"id", 2}, {"outputs", json::array({named("res", strings({3}, {"", "", "/w=="}))})}};
}

void shaky_answers(Certification& all) {
  Result& garbage = find(all, "shaky", "onnx/if/then-when-true/test-cc-if");
  judge(garbage, Verdict::adapter, Fault::none, std::string("line 1 is not a JSON object: ") + hostile);
  garbage.got = {{"unheard", hostile}};
  judge(find(all, "shaky", "onnx/if/then-when-true/constant-cond"), Verdict::harness, Fault::none,
        "the runner could not start it");
  judge(find(all, "shaky", "onnx/if/nesting/depth-sixteen"), Verdict::memory, Fault::none,
        "resident memory exceeded 512 MiB: " + tricky);
  std::erase_if(all.results,
                [](const Result& each) { return each.adapter == "shaky" && each.rule == "onnx/if/output-count"; });
}

/// Of two models whose names became long, quick refuses one, in words that are markup.
void quick_differs(Certification& all) {
  Result& constant = find(all, "quick", "onnx/if/then-when-true/constant-cond");
  constant.rewritings.push_back({.name = "nodes-reordered", .verdict = Verdict::pass});
  constant.rewritings.push_back({.name = "value-names-long",
                                 .verdict = Verdict::fail,
                                 .fault = Fault::wrongly_refused,
                                 .reason = "the model was refused",
                                 .message = hostile});
  Result& one = find(all, "quick", "onnx/if/cond-single-element/rank-one");
  one.rewritings.push_back({.name = "value-names-long", .verdict = Verdict::pass});
}

void checker_only_accepts(Certification& all) {
  for (Result& result : all.results) {
    if (result.adapter != "checker" || result.vector.ends_with("elements") || result.vector.ends_with("fewer"))
      continue;
    judge(result, Verdict::unsupported, Fault::none, "declared: run", 0);
    result.link = "https://onnx.ai/onnx/api/checker.html";
  }
}

}  // namespace

Certification sample_certification() {
  Certification all;
  all.manifest_digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
  all.started = "2026-11-21T03:46:46Z";
  all.ended = "2026-11-21T03:48:02Z";
  all.kept = {40, "2026-11-20T12:00:00Z"};
  all.limits = {{"timeout_s", 10}, {"jobs", 2}, {"memory_mib", 2048}};
  all.isolation = {{"memory", "watched, killed at the limit"}, {"network", "shared: unshare: Operation not permitted"}};
  all.program = "/opt/ifcert";
  all.plain_runtimes = {"quick"};
  all.adapters = adapters();
  all.rules = rules();
  all.vectors = vectors();
  pass_everything(all);
  quick_errs(all);
  narrow_lacks(all);
  quick_differs(all);
  shaky_answers(all);
  checker_only_accepts(all);
  all.breaches.push_back({ListBreach::Kind::unlisted_fails, "quick", "onnx/if/value-unchanged/nan-payload",
                          "FAIL (wrong-value), and it is not on the list of known failures"});
  return all;
}

}  // namespace ifcert::conformance
