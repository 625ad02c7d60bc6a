// The errors of a run, with their places in the model.
#pragma once

#include <ifcert/evaluate.hpp>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "limits/meter.hpp"
#include "model/place.hpp"

namespace ifcert {

/// Throws EvaluationError. `missing` is what the reference lacks, if that is the reason: the name of an operator, or a
/// feature such as "quantized.ADD".
[[noreturn]] void fail(const Place& place, std::string_view message, std::string missing = {});

/// Throws LimitExceeded or OutOfMemory, with the place in the message.
[[noreturn]] void fail(const Place& place, const LimitExceeded& error);
[[noreturn]] void fail(const Place& place, const std::bad_alloc& error);

/// Returns the result of the job. Adds the place to the message of an EvaluationError or LimitExceeded; turns a
/// length_error into an EvaluationError and a bad_alloc into OutOfMemory, with the place. Other exceptions pass
/// through.
template <class Job>
auto with_place(const Place& place, Job job) {
  try {
    return job();
  } catch (const LimitExceeded& error) {
    fail(place, error);
  } catch (const EvaluationError& error) {
    fail(place, error.what(), error.missing_operator);
  } catch (const std::length_error& error) {
    fail(place, error.what());
  } catch (const std::bad_alloc& error) {
    fail(place, error);
  }
}

}  // namespace ifcert
