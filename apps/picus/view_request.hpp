// Which requests over HTTP get a file, and what is said about answers. Nothing here touches a socket or a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace picus::app {

// Where a server listens on 127.0.0.1, and the files it may give away: plain names, without folders.
struct Offer {
  int port = 0;
  std::vector<std::string> files;
};

struct Header {
  std::string name, value;
};

struct Verdict {
  int status = 404;  // of HTTP; 200: the file may be sent if it is there
  std::string file;  // one of Offer::files
};

// `path` is the target up to its '?'. It is compared with the names as it stands, byte by byte: nothing is decoded,
// joined to a path or cleaned, so that no way of writing '..' or '/' leads anywhere. A foreign page in the user's
// browser may ask this machine under a name of its own (DNS rebinding) or from its own origin: the headers tell, and
// both are refused.
Verdict judge_request(std::string_view method, std::string_view path, const std::vector<Header>& headers,
                      const Offer& offer);

// Headers of the answer: of the file with 200, else of a text that refuses.
std::vector<Header> answer_headers(const Verdict& verdict);

}  // namespace picus::app
