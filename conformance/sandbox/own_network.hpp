// A network of an adapter's own where bubblewrap does not provide one.
#pragma once

#include <string>

namespace ifcert {

/// Puts this process into a network of its own, with a loopback, where the system permits that: returns "a namespace of
/// its own", or "shared: " and why. A user who is not root needs a user namespace for it; no nested one can be created.
std::string leave_the_network();

}  // namespace ifcert
