// Reports the place in the model where memory ran out.
#pragma once

#include <fmt/format.h>

#include <ifcert/run_limits.hpp>
#include <new>

#include "model/place.hpp"

namespace ifcert {

/// Returns the result of the job. Where it runs out of memory, the message has the innermost place around it.
template <class Job>
auto naming_out_of_memory(const Place& place, Job job) {
  try {
    return job();
  } catch (const OutOfMemory&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw OutOfMemory(fmt::format("{}: out of memory", to_string(place)));
  }
}

}  // namespace ifcert
