// Memory for destructors that run after an allocation has failed.
#pragma once

#include <new>

namespace ifcert::drawing {

/// While it exists, a failing allocation releases some memory to the destructors that run then: those of nlohmann's
/// JSON allocate, and end the program where they cannot. Only one may exist in a program. Throws std::bad_alloc where
/// there is no memory to reserve.
class MemoryReserve {
 public:
  MemoryReserve();
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;
  ~MemoryReserve();

 private:
  std::new_handler previous_;
};

}  // namespace ifcert::drawing
