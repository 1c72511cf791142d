// What a request over HTTP asks for, and whether it gets it. Nothing here touches a socket or a file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace picus::app {

// Where a server listens on 127.0.0.1, and the files it may give away: plain names, without folders.
struct Offer {
  int port = 0;
  std::vector<std::string> files;
};

struct Verdict {
  int status = 400;       // of HTTP; 200: the file may be sent if it is there
  std::string file;       // one of Offer::files
  bool with_body = true;  // not for HEAD
};

// The end of the head of a request: an empty line.
inline constexpr std::string_view head_end = "\r\n\r\n";

// `head` ends with head_end. Targets are compared with the names as they stand, byte by byte: nothing is decoded,
// joined to a path or cleaned, so that no way of writing '..' or '/' leads anywhere. A foreign page in the user's
// browser may ask this machine under a name of its own (DNS rebinding) or from its own origin: the headers tell, and
// both are refused.
Verdict judge_request(std::string_view head, const Offer& offer);

// Head of an answer that carries a file, and a whole answer that refuses.
std::string answer_head(std::string_view file, std::int64_t length);
std::string refusal(const Verdict& verdict);

}  // namespace picus::app
