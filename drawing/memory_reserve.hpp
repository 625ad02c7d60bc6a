// Memory for destructors that run after an allocation has failed.
#pragma once

#include <cstddef>
#include <new>

namespace ifcert::drawing {

/// While it exists, the first allocation that fails uses up what is reserved: it may be one of a destructor, since
/// those of nlohmann's JSON allocate, and end the program where they cannot. Only one may exist in a program. Throws
/// std::bad_alloc where there is no memory to reserve.
class MemoryReserve {
 public:
  /// The bytes are never touched, so they cost address space only.
  explicit MemoryReserve(std::size_t bytes);
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;
  ~MemoryReserve();

  /// Throws std::bad_alloc once it is used up: to be called often, where nothing is being destroyed.
  void expect() const;

 private:
  std::new_handler previous_;
};

}  // namespace ifcert::drawing
