#include "drawing/memory_reserve.hpp"

#include <atomic>
#include <cstdlib>

namespace ifcert::drawing {
namespace {

constexpr std::size_t reserved_bytes = std::size_t{16} << 20;  // never touched, so it costs address space only

std::atomic<void*> reserve = nullptr;

void let_go() {
  std::free(reserve.exchange(nullptr));
}

[[noreturn]] void give_up() {
  let_go();
  throw std::bad_alloc();
}

}  // namespace

MemoryReserve::MemoryReserve() : previous_(std::set_new_handler(give_up)) {
  let_go();
  reserve = std::malloc(reserved_bytes);  // NOLINT(cppcoreguidelines-owning-memory): let_go frees it
  if (reserve != nullptr) return;
  std::set_new_handler(previous_);
  throw std::bad_alloc();
}

MemoryReserve::~MemoryReserve() {
  std::set_new_handler(previous_);
  let_go();
}

}  // namespace ifcert::drawing
