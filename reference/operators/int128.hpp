// An integer in which sums and products of two 64-bit numbers of a file do not overflow.
#pragma once

namespace ifcert::kernels {

__extension__ typedef __int128 Int128;  // NOLINT(modernize-use-using): __extension__ goes with a typedef only

}  // namespace ifcert::kernels
