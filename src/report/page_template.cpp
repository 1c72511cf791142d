#include "picus/report/page_template.hpp"

// The file's bytes, as they are.
__asm__(
    ".pushsection .rodata\n"
    ".hidden picus_page_template_begin\n"
    ".hidden picus_page_template_end\n"
    ".global picus_page_template_begin\n"
    ".global picus_page_template_end\n"
    "picus_page_template_begin:\n"
    ".incbin \"" PICUS_PAGE_TEMPLATE
    "\"\n"
    "picus_page_template_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
__attribute__((visibility("hidden"))) extern const char picus_page_template_begin[];
__attribute__((visibility("hidden"))) extern const char picus_page_template_end[];
}

namespace picus::report {

std::string_view page_template() {
  return {picus_page_template_begin, static_cast<std::size_t>(picus_page_template_end - picus_page_template_begin)};
}

}  // namespace picus::report
