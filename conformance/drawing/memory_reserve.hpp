// Memory for destructors that run after an allocation has failed.
#pragma once

#include <cstddef>
#include <new>

namespace ifcert::drawing {

/// While it exists, the first allocation that fails uses up the reserve, because the allocation may be one in a
/// destructor: those of nlohmann's JSON allocate, and end the program if they cannot. Only one reserve may exist in a
/// program. Throws std::bad_alloc if there is no memory to reserve.
class MemoryReserve {
 public:
  /// The bytes are never touched, so they cost address space only.
  explicit MemoryReserve(std::size_t bytes);
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;
  ~MemoryReserve();

  /// Throws std::bad_alloc once the reserve is used up. To be called often, at points where nothing is being destroyed.
  void expect() const;

 private:
  std::new_handler previous_;
};

}  // namespace ifcert::drawing
