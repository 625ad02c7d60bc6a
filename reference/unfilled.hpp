// Memory whose bytes are still to be written.
#pragma once

#include <cstddef>
#include <ifcert/values.hpp>

namespace ifcert {

/// An allocation of `size` bytes, aligned for every element type; each is to be written through `writable`.
Buffer unfilled_buffer(std::size_t size, std::byte** writable);

}  // namespace ifcert
