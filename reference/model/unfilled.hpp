// Uninitialized memory.
#pragma once

#include <cstddef>
#include <ifcert/values.hpp>

namespace ifcert {

/// An allocation of `size` uninitialized bytes, aligned for every element type; each must be written through
/// `writable`.
Buffer unfilled_buffer(std::size_t size, std::byte** writable);

}  // namespace ifcert
