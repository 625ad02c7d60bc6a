#include "conformance/drawing/memory_reserve.hpp"

#include <atomic>
#include <cstdlib>

namespace ifcert::drawing {
namespace {

std::atomic<void*> reserve = nullptr;

void let_go() {
  std::free(reserve.exchange(nullptr));
}

/// The new-handler: frees the reserve, after which the allocation is tried again. It may be one in a destructor, which
/// must not throw.
void use_up() {
  if (reserve == nullptr) throw std::bad_alloc();
  let_go();
}

}  // namespace

MemoryReserve::MemoryReserve(std::size_t bytes) : previous_(std::set_new_handler(use_up)) {
  let_go();
  reserve = std::malloc(bytes);  // NOLINT(cppcoreguidelines-owning-memory): let_go frees it
  if (reserve != nullptr) return;
  std::set_new_handler(previous_);
  throw std::bad_alloc();
}

void MemoryReserve::expect() const {
  if (reserve == nullptr) throw std::bad_alloc();
}

MemoryReserve::~MemoryReserve() {
  std::set_new_handler(previous_);
  let_go();
}

}  // namespace ifcert::drawing
