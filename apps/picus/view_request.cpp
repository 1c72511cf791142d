#include "view_request.hpp"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>

namespace picus::app {
namespace {

bool same_word(const std::string& a, const char* b) { return ::strcasecmp(a.c_str(), b) == 0; }

// Browsers leave out the port of HTTP itself.
bool is_here(std::string_view host, const Offer& offer) {
  const std::string port = offer.port == 80 ? "" : fmt::format(":{}", offer.port);
  return host == "127.0.0.1" + port || host == "localhost" + port;
}

bool comes_from_here(const std::vector<Header>& headers, const Offer& offer) {
  constexpr std::string_view scheme = "http://";
  int hosts = 0;
  for (const auto& [name, value] : headers) {
    if (name.find_first_of(" \t") != std::string::npos) return false;  // a 'Host ' that others may take for a Host
    if (same_word(name, "Host")) {
      ++hosts;
      if (!is_here(value, offer)) return false;
    }
    if (same_word(name, "Origin") &&
        !(value.starts_with(scheme) && is_here(std::string_view(value).substr(scheme.size()), offer)))
      return false;
    if (same_word(name, "Sec-Fetch-Site") && same_word(value, "cross-site")) return false;
  }
  return hosts == 1;
}

const char* content_type(std::string_view file) {
  if (file.ends_with(".html")) return "text/html; charset=utf-8";
  if (file.ends_with(".csv")) return "text/csv; charset=utf-8";
  if (file.ends_with(".json")) return "application/json; charset=utf-8";
  if (file.ends_with(".h5")) return "application/x-hdf5";
  return "application/octet-stream";
}

// The page is one file with its scripts, styles and fonts in it, and shows and saves pictures it has made. It may reach
// nothing else, so a page that somebody tampered with cannot send anything away by itself.
constexpr const char* page_policy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
constexpr const char* other_policy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

}  // namespace

Verdict judge_request(std::string_view method, std::string_view path, const std::vector<Header>& headers,
                      const Offer& offer) {
  if (!comes_from_here(headers, offer)) return {403, ""};
  if (method != "GET" && method != "HEAD") return {405, ""};
  if (path == "/") return {200, "report.html"};
  const auto file = std::find_if(offer.files.begin(), offer.files.end(),
                                 [path](const std::string& name) { return path == "/" + name; });
  return file == offer.files.end() ? Verdict{404, ""} : Verdict{200, *file};
}

std::vector<Header> answer_headers(const Verdict& verdict) {
  const bool page = verdict.status == 200 && verdict.file.ends_with(".html");
  std::vector<Header> headers = {
      {"Content-Type", verdict.status == 200 ? content_type(verdict.file) : "text/plain; charset=utf-8"},
      {"Connection", "close"},
      {"Accept-Ranges", "none"},
      {"Cache-Control", "no-store"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Content-Security-Policy", page ? page_policy : other_policy}};
  if (verdict.status == 405) headers.push_back({"Allow", "GET, HEAD"});
  return headers;
}

}  // namespace picus::app
