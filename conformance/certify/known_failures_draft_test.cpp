#include "conformance/certify/known_failures_draft.hpp"

#include <gmock/gmock.h>

#include "conformance/certify/known_failures.hpp"
#include "conformance/system/error.hpp"
#include "conformance/testing/test_project.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::ThrowsMessage;

Result refused_for(const std::string& vector, const std::string& message) {
  Result result;
  result.adapter = "honest";
  result.vector = vector;
  result.verdict = Verdict::fail;
  result.fault = Fault::wrongly_refused;
  result.phase = "load";
  result.reason = "the model was refused; it should have loaded";
  result.got = {{"refused", {{"message", message}}}};
  return result;
}

Result lenient_on(const std::string& vector) {
  Result result;
  result.adapter = "honest";
  result.vector = vector;
  result.verdict = Verdict::lenient;
  result.reason = "every step was accepted; the model should have been refused";
  return result;
}

AdapterIdentity adapter_named(const std::string& name) {
  AdapterIdentity adapter;
  adapter.name = name;
  return adapter;
}

/// Two refusals for one reason, one for another, a leniency, and a pass.
Certification drafted() {
  Certification made;
  made.adapters = {adapter_named("honest")};
  made.results = {refused_for("onnx/test/negate/b-trap", "no kernel for 'a'"),
                  refused_for("onnx/test/refuse/sound", "no kernel for 'b'"),
                  refused_for("onnx/test/negate/c-two", "out of luck"), lenient_on("onnx/test/refuse/faulty"),
                  Result{}};
  made.results.back().adapter = "honest";
  made.results.back().vector = "onnx/test/negate/a-first";
  made.results.back().verdict = Verdict::pass;
  return made;
}

TEST(KnownFailuresDraft, HasOneEntryForEachCause) {
  const KnownFailuresDraft draft = draft_known_failures(drafted(), "");
  EXPECT_EQ(draft.entries, 3U);
  EXPECT_EQ(draft.vectors, 4U);
  const json expected{{"adapter", "honest"},
                      {"failures",
                       {{{"vector", "onnx/test/refuse/faulty"},
                         {"verdict", "LENIENT"},
                         {"link", "TODO"},
                         {"note", "TODO: 1 x lenient: every step was accepted; the model should have been refused"}},
                        {{"vectors", {"onnx/test/negate/b-trap", "onnx/test/refuse/sound"}},
                         {"verdict", "FAIL"},
                         {"fault", "wrongly-refused"},
                         {"link", "TODO"},
                         {"note", "TODO: 2 x refused, in load: no kernel for 'a'"}},
                        {{"vector", "onnx/test/negate/c-two"},
                         {"verdict", "FAIL"},
                         {"fault", "wrongly-refused"},
                         {"link", "TODO"},
                         {"note", "TODO: 1 x refused, in load: out of luck"}}}}};
  EXPECT_EQ(json(draft.list), expected);
}

TEST(KnownFailuresDraft, LeavesOutWhatIsListedAndWhatNoListMayName) {
  Certification made = drafted();
  made.results[0].known = true;
  made.results[2].verdict = Verdict::adapter;
  made.results[2].fault = Fault::none;
  const KnownFailuresDraft draft = draft_known_failures(made, "honest");
  EXPECT_EQ(draft.vectors, 2U);
  EXPECT_EQ(draft.listed, 1U);
  EXPECT_EQ(draft.unlistable, 1U);
  EXPECT_EQ(draft.list.at("failures").at(1).at("vector"), "onnx/test/refuse/sound");
}

TEST(KnownFailuresDraft, IsOfAnAdapterOfTheResultsThatCanHaveAList) {
  Certification made = drafted();
  EXPECT_THAT([&] { draft_known_failures(made, "nobody"); }, ThrowsMessage<Error>(HasSubstr("no results of")));
  made.adapters.push_back(adapter_named("honest@2"));
  EXPECT_THAT([&] { draft_known_failures(made, ""); },
              ThrowsMessage<Error>(HasSubstr("of 2 adapters (honest, honest@2); --adapter")));
  EXPECT_THAT([&] { draft_known_failures(made, "honest@2"); }, ThrowsMessage<Error>(HasSubstr("another version")));
  made.adapters.push_back(adapter_named("onnx-backend:mine"));
  EXPECT_THAT([&] { draft_known_failures(made, "onnx-backend:mine"); }, ThrowsMessage<Error>(HasSubstr("no list")));
}

TEST(KnownFailuresDraft, IsRefusedAsAListUntilEachTodoIsReplaced) {
  const TestProject project;
  json failures = draft_known_failures(drafted(), "").list.at("failures");
  failures.erase(2);  // a vector that the test's suite does not have
  const auto read = [&] {
    project.list_failures("honest", failures);
    return read_known_failures(project.project(), "honest", read_suite(project.project()));
  };
  EXPECT_THAT(read, ThrowsMessage<Error>(HasSubstr("the link of onnx/test/refuse/faulty is still to be filled in")));
  for (json& entry : failures) entry["link"] = "https://example.org/1";
  EXPECT_THAT(read, ThrowsMessage<Error>(HasSubstr("the note of onnx/test/refuse/faulty is still to be filled in")));
  failures[0]["note"] = "nothing is checked";
  EXPECT_THAT(read, ThrowsMessage<Error>(HasSubstr("of onnx/test/negate/b-trap and 1 more is still to be")));
  failures[1]["note"] = " ";
  EXPECT_THAT(read, ThrowsMessage<Error>(HasSubstr("still to be filled in")));
  failures[1]["note"] = "there is no such kernel";
  const KnownFailures list = read();
  ASSERT_EQ(list.failures.size(), 3U);
  EXPECT_EQ(list.failures[2].vector, "onnx/test/refuse/sound");
  EXPECT_EQ(list.failures[2].fault, Fault::wrongly_refused);
  EXPECT_EQ(list.failures[2].note, "there is no such kernel");
}

}  // namespace
}  // namespace ifcert::conformance
