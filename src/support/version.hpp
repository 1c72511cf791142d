#pragma once

namespace picus {

// "0.1.0"
const char* version();

}  // namespace picus
