// Memory that runs out, with the place in the model where it did.
#pragma once

#include <fmt/format.h>

#include <ifcert/run_limits.hpp>
#include <new>

#include "place.hpp"

namespace ifcert {

/// What the job gives. Where there is no memory for it, the message has the innermost place that stands around it.
template <class Job>
auto naming_place(const Place& place, Job job) {
  try {
    return job();
  } catch (const OutOfMemory&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw OutOfMemory(fmt::format("{}: out of memory", to_string(place)));
  }
}

}  // namespace ifcert
