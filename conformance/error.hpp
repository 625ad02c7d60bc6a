// The exception of this layer: the one that the writing of files throws too.
#pragma once

#include "files/error.hpp"
