#pragma once

#include <string_view>

namespace picus::report {

// The page without data: template/report.html, built from viewer/. Data stand in the place of __PICUS_DATA__.
std::string_view page_template();

}  // namespace picus::report
