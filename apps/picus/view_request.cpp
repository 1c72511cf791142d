#include "view_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace picus::app {
namespace {

struct Field {
  std::string_view name, value;
};

struct Request {
  std::string_view method, target;
  std::vector<Field> fields;
};

// RFC 9110, section 5.6.2.
bool is_token(std::string_view text) {
  const auto fits = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), fits);
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t') || byte == 0x7f;
  });
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

bool read_first_line(std::string_view line, Request& request) {
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return false;
  request.method = line.substr(0, first);
  request.target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  return is_token(request.method) && !request.target.empty() && request.target.find(' ') == std::string_view::npos &&
         (version == "HTTP/1.1" || version == "HTTP/1.0");
}

// RFC 9112, strictly: lines end with CR LF, none goes on in the next one, no control characters.
std::optional<Request> read_request(std::string_view head) {
  Request request;
  head.remove_suffix(2);  // the empty line; each other one keeps its end
  for (bool first = true; !head.empty(); first = false) {
    const std::size_t end = head.find("\r\n");
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end + 2);
    if (has_control(line)) return std::nullopt;
    if (first) {
      if (!read_first_line(line, request)) return std::nullopt;
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return std::nullopt;
    request.fields.push_back({line.substr(0, colon), trimmed(line.substr(colon + 1))});
  }
  return request;
}

std::vector<std::string_view> values(const Request& request, std::string_view name) {
  std::vector<std::string_view> found;
  for (const Field& field : request.fields) {
    if (same_word(field.name, name)) found.push_back(field.value);
  }
  return found;
}

// Browsers leave out the port of HTTP itself.
std::string host_name(const Offer& offer, std::string_view host) {
  return offer.port == 80 ? std::string(host) : fmt::format("{}:{}", host, offer.port);
}

bool comes_from_here(const Request& request, const Offer& offer) {
  const std::vector<std::string_view> hosts = values(request, "Host");
  if (hosts.size() != 1) return false;
  if (hosts[0] != host_name(offer, "127.0.0.1") && hosts[0] != host_name(offer, "localhost")) return false;
  for (const std::string_view value : values(request, "Origin")) {
    if (value != "http://" + host_name(offer, "127.0.0.1") && value != "http://" + host_name(offer, "localhost"))
      return false;
  }
  const std::vector<std::string_view> sites = values(request, "Sec-Fetch-Site");
  return std::none_of(sites.begin(), sites.end(), [](std::string_view site) { return same_word(site, "cross-site"); });
}

std::string_view content_type(std::string_view file) {
  if (file.ends_with(".html")) return "text/html; charset=utf-8";
  if (file.ends_with(".csv")) return "text/csv; charset=utf-8";
  if (file.ends_with(".json")) return "application/json; charset=utf-8";
  if (file.ends_with(".h5")) return "application/x-hdf5";
  return "application/octet-stream";
}

// The page is one file with its scripts, styles and fonts in it, and shows and saves pictures it has made. It may reach
// nothing else, so a page that somebody tampered with cannot send anything away by itself.
constexpr std::string_view page_policy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
constexpr std::string_view other_policy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

// One request a connection: a body, if one is sent, is never read, and cannot be taken for the next request.
std::string head_of(std::string_view status, std::string_view type, std::int64_t length, std::string_view policy) {
  return fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\nAccept-Ranges: none\r\n"
      "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n"
      "Content-Security-Policy: {}\r\n",
      status, type, length, policy);
}

std::string_view status_text(int status) {
  switch (status) {
    case 400:
      return "400 Bad Request";
    case 403:
      return "403 Forbidden";
    case 405:
      return "405 Method Not Allowed";
    case 503:
      return "503 Service Unavailable";
    case 431:
      return "431 Request Header Fields Too Large";
    default:
      return "404 Not Found";
  }
}

}  // namespace

Verdict judge_request(std::string_view head, const Offer& offer) {
  const std::optional<Request> request = read_request(head);
  if (!request) return {400, "", true};
  const bool with_body = request->method != "HEAD";
  if (!comes_from_here(*request, offer)) return {403, "", with_body};
  if (request->method != "GET" && request->method != "HEAD") return {405, "", with_body};
  const std::string_view path = request->target.substr(0, request->target.find('?'));
  if (path == "/") return {200, "report.html", with_body};
  for (const std::string& file : offer.files) {
    if (path == "/" + file) return {200, file, with_body};
  }
  return {404, "", with_body};
}

std::string answer_head(std::string_view file, std::int64_t length) {
  const std::string_view type = content_type(file);
  return head_of("200 OK", type, length, type.starts_with("text/html") ? page_policy : other_policy) + "\r\n";
}

std::string refusal(const Verdict& verdict) {
  // Who comes through a tunnel from another port should know why this fails.
  const std::string_view hint = verdict.status == 403 ? ": open the address that picus view printed, as it stands" : "";
  const std::string text = fmt::format("{}{}\n", status_text(verdict.status), hint);
  std::string answer = head_of(status_text(verdict.status), "text/plain; charset=utf-8",
                               static_cast<std::int64_t>(text.size()), other_policy);
  if (verdict.status == 405) answer += "Allow: GET, HEAD\r\n";
  return answer + "\r\n" + (verdict.with_body ? text : "");
}

}  // namespace picus::app
