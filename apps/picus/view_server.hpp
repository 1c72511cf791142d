// Shows files of one folder to browsers on this machine, over HTTP on the loopback address 127.0.0.1.
#pragma once

#include <dirent.h>
#include <microhttpd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "view_request.hpp"

namespace picus::app {

// One thread serves all clients in turns. What clients can hold is bounded: 32 at a time, requests of 64 KiB that must
// have come within 10 s, and an answer of which nothing is taken for 10 s is broken off.
class ViewServer {
 public:
  // Listens at once, at any free port if it is 0. Throws FileError, which names the port or the folder.
  ViewServer(const std::filesystem::path& folder, std::vector<std::string> files, int port);
  ViewServer(ViewServer&&) = delete;  // the library knows where it stands

  std::string address() const;
  // Until stop() says so; it is asked at least five times a second.
  void serve(const std::function<bool()>& stop);

 private:
  using Clock = std::chrono::steady_clock;

  void listen_at(int port);
  void leave_late_clients();
  MHD_Result answer(MHD_Connection* client, const char* method, const char* path);
  MHD_Response* open_file(Verdict& verdict) const;

  std::unique_ptr<DIR, int (*)(DIR*)> folder_;
  Offer offer_;
  std::unordered_map<MHD_Connection*, Clock::time_point> deadlines_;  // of clients whose request is not complete
  std::unique_ptr<MHD_Daemon, void (*)(MHD_Daemon*)> daemon_;         // calls the others until it is gone: stays last
};

}  // namespace picus::app
