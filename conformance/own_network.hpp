// A network of an adapter's own where bubblewrap does not give it one.
#pragma once

#include <string>

namespace ifcert {

/// Puts this process into a network of its own, with a loopback, where the system permits that: "a namespace of its
/// own", or "shared: " and why not. For a user who is not root that takes a user name space; no other can be made in
/// it.
std::string leave_the_network();

}  // namespace ifcert
