// Memory for what is taken down after there was none to build more of it.
#pragma once

#include <new>

namespace ifcert::conformance {

/// While it lives, an allocation that fails leaves some memory to the destructors that run then: that of nlohmann's
/// JSON allocates, and ends the program where it cannot. One at a time in a program. Throws std::bad_alloc where there
/// is no memory to keep.
class MemoryReserve {
 public:
  MemoryReserve();
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;
  ~MemoryReserve();

 private:
  std::new_handler previous_;
};

}  // namespace ifcert::conformance
