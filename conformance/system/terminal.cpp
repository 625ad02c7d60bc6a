#include "conformance/system/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ifcert/message.hpp>

namespace ifcert::conformance {
namespace {

constexpr std::size_t bar_width = 24;
constexpr std::chrono::milliseconds between_drawings{100};
constexpr std::chrono::milliseconds between_lines{5000};
constexpr const char* wipe_line = "\r\x1b[K";

std::size_t width_of(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

/// fmt::print throws where nobody reads standard error any more, which must not end a certification.
void tell(const std::string& text) {
  std::fputs(text.c_str(), stderr);
}

}  // namespace

std::size_t terminal_width() {
  return ::isatty(STDOUT_FILENO) != 0 ? width_of(STDOUT_FILENO) : 160;
}

bool terminal_has_colours() {
  const char* unwanted = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) != 0 && (unwanted == nullptr || *unwanted == '\0');
}

ProgressBar::ProgressBar() : terminal_(::isatty(STDERR_FILENO) != 0), shown_(begun_) {}

ProgressBar::~ProgressBar() {
  if (terminal_) std::fputs(wipe_line, stderr);
}

void ProgressBar::show(std::size_t done, std::size_t total, const std::string& what) {
  const auto now = std::chrono::steady_clock::now();
  const bool due = now - shown_ >= (terminal_ ? between_drawings : between_lines);
  if (!due && !(terminal_ && done == total)) return;
  shown_ = now;
  if (terminal_) {
    draw(done, total, what);
  } else {
    tell(fmt::format("{:.0f} s: {}/{} {}\n", std::chrono::duration<double>(now - begun_).count(), done, total,
                     printable(what)));
  }
  std::fflush(stderr);
}

void ProgressBar::draw(std::size_t done, std::size_t total, const std::string& what) {
  const std::size_t filled = done * bar_width / std::max<std::size_t>(total, 1);
  const std::string line = fmt::format("[{:#<{}}{:.<{}}] {}/{} ", "", filled, "", bar_width - filled, done, total);
  const std::size_t room = width_of(STDERR_FILENO) - std::min(line.size() + 1, width_of(STDERR_FILENO));
  tell(fmt::format("{}{}{}", wipe_line, line, printable(what).substr(0, room)));
}

}  // namespace ifcert::conformance
