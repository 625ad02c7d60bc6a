#include "conformance/certify/causes.hpp"

#include <gmock/gmock.h>

#include "conformance/report/causes_text.hpp"

namespace ifcert::conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Result failure(const std::string& reason, Fault fault = Fault::wrongly_refused) {
  Result result;
  result.adapter = "runtime";
  result.verdict = Verdict::fail;
  result.fault = fault;
  result.phase = "load";
  result.reason = reason;
  return result;
}

Result refusal(const std::string& message) {
  Result result = failure("the model was refused; it should have loaded");
  result.got = {{"refused", {{"message", message}}}};
  return result;
}

Result crash(const std::string& printed) {
  Result result;
  result.adapter = "runtime";
  result.verdict = Verdict::crash;
  result.signal = 6;
  result.reason = "the process was killed by signal 6";
  result.evidence = printed;
  return result;
}

TEST(Alike, AreFailuresWhoseMessagesDifferInNamesAndNumbers) {
  const Result one = failure("refused: no kernel for Relu, node 'a' of /tmp/x: line 3");
  EXPECT_TRUE(fail_alike(one, failure("refused: no kernel for Relu, node 'other' of /home/y: line 40")));
  EXPECT_FALSE(fail_alike(one, failure("refused: no kernel for Tanh, node 'a' of /tmp/x: line 3")));
  EXPECT_FALSE(fail_alike(one, failure(one.reason, Fault::wrong_type)));
}

TEST(Alike, AreMessagesWithListsOfAnotherLength) {
  EXPECT_TRUE(fail_alike(refusal("shape [1, 2, 3] at 0x7f31"), refusal("shape [4] at 0x55aa01")));
}

TEST(Alike, AreNotMessagesThatNameAnotherOperatorOrElementType) {
  EXPECT_FALSE(fail_alike(refusal("no kernel for Where(16)"), refusal("no kernel for Scan(16)")));
  EXPECT_TRUE(fail_alike(refusal("no kernel for Where(16)"), refusal("no kernel for Where(9)")));
  EXPECT_FALSE(fail_alike(refusal("tensor(float16) is missing"), refusal("tensor(float64) is missing")));
  EXPECT_FALSE(fail_alike(refusal("FLOAT16 is missing"), refusal("FLOAT is missing")));
  EXPECT_FALSE(fail_alike(refusal("f16 is missing"), refusal("f32 is missing")));
  EXPECT_TRUE(fail_alike(refusal("Add_12 is missing"), refusal("Add_7 is missing")));
}

TEST(Alike, AreAllWrongValues) {
  EXPECT_TRUE(fail_alike(failure("output y: element 3 is 1, expected 2", Fault::wrong_value),
                         failure("output has: the value is true, expected false", Fault::wrong_value)));
  EXPECT_FALSE(fail_alike(failure("output y: element 3 is 1", Fault::wrong_value),
                          failure("the outputs held since step 2, read again: output y: …", Fault::wrong_value)));
}

TEST(Alike, AreWrongShapesOfOutputsWithOtherNames) {
  EXPECT_TRUE(fail_alike(failure("output y: the shape is [6], expected [3]", Fault::wrong_shape),
                         failure("output out z: the shape is [2, 3], expected [6]", Fault::wrong_shape)));
}

TEST(Alike, AreNotRefusalsWithOtherMessages) {
  EXPECT_TRUE(fail_alike(refusal("no kernel for Relu"), refusal("no kernel for Relu")));
  EXPECT_FALSE(fail_alike(refusal("no kernel for Relu"), refusal("no kernel for Tanh")));
}

TEST(OwnLine, IsTheRuntimesFirst) {
  EXPECT_EQ(own_line(refusal("\n  Fail: no such type\nat node 3")), "Fail: no such type");
  EXPECT_EQ(own_line(failure("the model was refused")), "");
  Result unsupported;
  unsupported.verdict = Verdict::unsupported;
  unsupported.got = {{"unsupported", {{"what", "runtime"}, {"message", "not yet\nsorry"}}}};
  EXPECT_EQ(own_line(unsupported), "not yet");
}

TEST(OwnLine, IsNotTheMerePlaceOfAThrow) {
  EXPECT_EQ(own_line(refusal("RuntimeError: Exception from src/core/node.cpp:593:\nCheck 'x' failed")),
            "Check 'x' failed");
  EXPECT_EQ(own_line(refusal("Exception from src/core/node.cpp:593: no port")),
            "Exception from src/core/node.cpp:593: no port");
  EXPECT_EQ(own_line(refusal("Exception from a.cpp:1:")), "Exception from a.cpp:1:") << "there is no other";
}

TEST(OwnLine, OfACrashIsTheLastThatItPrinted) {
  EXPECT_EQ(own_line(crash("a warning\ndouble free or corruption\n\n")), "double free or corruption");
}

/// 3 refusals of one cause and 1 of another, 1 crash, 1 wrong value that is known, 1 pass.
Certification sample() {
  Certification all;
  AdapterIdentity adapter;
  adapter.name = "runtime";
  all.adapters = {adapter};
  Result pass;
  pass.adapter = "runtime";
  pass.verdict = Verdict::pass;
  Result wrong = failure("output y: element 0 is 1, expected 2", Fault::wrong_value);
  wrong.known = true;
  all.results = {refusal("no Scan"), pass,  refusal("no Relu(1)"), refusal("no Relu(2)"),
                 crash("oh\n"),      wrong, refusal("no Relu(3)")};
  for (std::size_t i = 0; i < all.results.size(); ++i) {
    VectorSummary vector;
    vector.id = "vector-" + std::to_string(i);
    vector.axis = i == 6 ? Axis::open : Axis::computes;
    all.results[i].vector = vector.id;
    all.vectors.push_back(vector);
  }
  return all;
}

TEST(Causes, AreSortedByKindAndThenByFrequency) {
  const Certification all = sample();
  std::vector<std::pair<CauseKind, std::size_t>> found;
  for (const Cause& cause : causes_of(all)) found.emplace_back(cause.kind, cause.results.size());
  EXPECT_THAT(found, ElementsAre(std::pair(CauseKind::wrong_values, 1U), std::pair(CauseKind::crashes_and_hangs, 1U),
                                 std::pair(CauseKind::refused, 3U), std::pair(CauseKind::refused, 1U)));
}

TEST(Causes, HaveTheFirstVectorAsExampleAndCountEachAxis) {
  const Certification all = sample();
  const Cause relu = causes_of(all).at(2);
  EXPECT_EQ(relu.example().vector, "vector-2");
  EXPECT_THAT(relu.axes, ElementsAre(std::pair(Axis::computes, 2U), std::pair(Axis::open, 1U)));
  EXPECT_EQ(relu.known, 0U);
  EXPECT_EQ(causes_of(all).at(0).known, 1U);
}

TEST(Causes, AddUpToTheResultsThatDoNotPass) {
  const Certification all = sample();
  std::size_t sum = 0;
  for (const Cause& cause : causes_of(all)) sum += cause.results.size();
  EXPECT_EQ(sum, all.results.size() - 1);
}

TEST(Causes, BelongToOneAdapter) {
  Certification all = sample();
  all.results[2].adapter = "another";
  EXPECT_EQ(causes_of(all).size(), 5U);
}

TEST(CausesText, ShowsTheKindsThenEachCauseWithTheRuntimesWordsAndAnExample) {
  const std::string text = causes_text(sample(), 100);
  EXPECT_THAT(text, HasSubstr("\nruntime: 1 wrong value, 1 crash or hang, 4 refused\n"));
  EXPECT_THAT(
      text, HasSubstr("  wrong values\n     1  FAIL (wrong-value) at load [known]: output y: element 0 is 1, expected "
                      "2\n        vector-5\n  crashes and hangs\n     1  CRASH (signal 6): oh\n"));
  EXPECT_THAT(text, HasSubstr("     3  FAIL (wrongly-refused) at load: no Relu(1)\n        vector-2\n"));
}

TEST(CausesText, CutsWhatIsTooLongAndSaysHowMuchIsLeft) {
  Certification all = sample();
  for (const char* name : {"A", "B", "C", "D"}) {
    all.results.push_back(refusal(std::string("no ") + name + std::string(200, 'x')));
    all.results.back().vector = "vector-0";
  }
  const std::string text = causes_text(all, 60);
  EXPECT_THAT(text, HasSubstr("… and 2 more causes (2 results), in the report\n"));
  EXPECT_THAT(text, Not(HasSubstr(std::string(61, 'x'))));
}

TEST(CausesText, IsEmptyWhereEverythingPasses) {
  Certification all = sample();
  for (Result& result : all.results) result.verdict = Verdict::pass;
  EXPECT_EQ(causes_text(all, 80), "");
}

}  // namespace
}  // namespace ifcert::conformance
