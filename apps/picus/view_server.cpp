#include "view_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "picus/support/error.hpp"

namespace picus::app {
namespace {

constexpr unsigned most_clients = 32, patience = 10;  // s
constexpr std::size_t memory_of_client = 65536;       // browsers send along the cookies of all ports, which add up
constexpr int tick = 200;                             // ms

sockaddr_in on_this_machine(int port) {
  sockaddr_in place = {};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  place.sin_port = htons(static_cast<std::uint16_t>(port));
  return place;
}

MHD_Response* refusal(int status) {
  // Who comes through a tunnel from another port should know why this fails.
  const char* const hint = status == 403 ? ": open the address that picus view printed, as it stands" : "";
  std::string text = fmt::format("{} {}{}\n", status, MHD_get_reason_phrase_for(static_cast<unsigned>(status)), hint);
  return MHD_create_response_from_buffer(text.size(), text.data(), MHD_RESPMEM_MUST_COPY);
}

MHD_Result add_header(void* headers, MHD_ValueKind, const char* name, std::size_t name_size, const char* value,
                      std::size_t value_size) noexcept {
  static_cast<std::vector<Header>*>(headers)->push_back({{name, name_size}, {value, value_size}});
  return MHD_YES;
}

}  // namespace

ViewServer::ViewServer(const std::filesystem::path& folder, std::vector<std::string> files, int port)
    : folder_(::opendir(folder.c_str()), ::closedir),
      offer_{port, std::move(files)},
      daemon_(nullptr, MHD_stop_daemon) {
  if (!folder_) throw FileError("cannot read folder '" + folder.string() + "': " + std::strerror(errno));
  listen_at(port);
}

// Exceptions cannot pass through a library written in C: what it calls here throws nothing.
void ViewServer::listen_at(int port) {
  const auto handle = [](void* self, MHD_Connection* client, const char* path, const char* method, const char*,
                         const char*, std::size_t* body_size, void** seen) noexcept {
    // First comes the head alone, then a body in pieces, which are dropped, then the end.
    const bool head_only = *seen == nullptr;
    *seen = self;
    if (!head_only && *body_size == 0) return static_cast<ViewServer*>(self)->answer(client, method, path);
    *body_size = 0;
    return MHD_YES;
  };
  const auto notice = [](void* self, MHD_Connection* client, void**, MHD_ConnectionNotificationCode code) noexcept {
    auto& deadlines = static_cast<ViewServer*>(self)->deadlines_;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) deadlines[client] = Clock::now() + std::chrono::seconds(patience);
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) deadlines.erase(client);
  };
  const auto as_it_stands = [](void*, MHD_Connection*, char* text) noexcept { return std::strlen(text); };
  const sockaddr_in place = on_this_machine(port);
  daemon_.reset(MHD_start_daemon(MHD_USE_EPOLL, 0, nullptr, nullptr, +handle, this, MHD_OPTION_SOCK_ADDR, &place,
                                 MHD_OPTION_CONNECTION_LIMIT, most_clients, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                                 memory_of_client, MHD_OPTION_CONNECTION_TIMEOUT, patience,
                                 MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_CONNECTION, +notice, this,
                                 MHD_OPTION_UNESCAPE_CALLBACK, +as_it_stands, nullptr, MHD_OPTION_END));
  if (!daemon_) {
    throw FileError(fmt::format(
        "cannot serve at port {} of 127.0.0.1: {}; accepted: another port (--port 0 takes any that is free)", port,
        std::strerror(errno)));
  }
  offer_.port = MHD_get_daemon_info(daemon_.get(), MHD_DAEMON_INFO_BIND_PORT)->port;
  // Clients get a small buffer: bytes sent are then soon bytes received, which tells clients that are slow from those
  // that stopped.
  const int buffer = 1 << 17;
  ::setsockopt(MHD_get_daemon_info(daemon_.get(), MHD_DAEMON_INFO_LISTEN_FD)->listen_fd, SOL_SOCKET, SO_SNDBUF, &buffer,
               sizeof buffer);
}

std::string ViewServer::address() const { return fmt::format("http://127.0.0.1:{}/", offer_.port); }

void ViewServer::serve(const std::function<bool()>& stop) {
  while (!stop()) {
    MHD_run_wait(daemon_.get(), tick);
    leave_late_clients();
  }
}

// To the library a client that sends a byte now and then is never late.
void ViewServer::leave_late_clients() {
  const Clock::time_point now = Clock::now();
  for (const auto& [client, deadline] : deadlines_) {
    if (now >= deadline) {
      ::shutdown(MHD_get_connection_info(client, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd, SHUT_RDWR);
    }
  }
}

MHD_Result ViewServer::answer(MHD_Connection* client, const char* method, const char* path) {
  deadlines_.erase(client);
  std::vector<Header> headers;
  MHD_get_connection_values_n(client, MHD_HEADER_KIND, add_header, &headers);
  Verdict verdict = judge_request(method, path, headers, offer_);
  MHD_Response* const file = verdict.status == 200 ? open_file(verdict) : nullptr;
  const std::unique_ptr<MHD_Response, decltype(&MHD_destroy_response)> response(file ? file : refusal(verdict.status),
                                                                                MHD_destroy_response);
  if (!response) return MHD_NO;
  for (const auto& [name, value] : answer_headers(verdict)) {
    MHD_add_response_header(response.get(), name.c_str(), value.c_str());
  }
  return MHD_queue_response(client, static_cast<unsigned>(verdict.status), response.get());
}

// A regular file that stands in the folder itself: a link could lead anywhere, and a pipe would keep everybody waiting.
// Otherwise the verdict says why there is none.
MHD_Response* ViewServer::open_file(Verdict& verdict) const {
  const int file =
      ::openat(::dirfd(folder_.get()), verdict.file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  const bool may_come = file < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM);
  struct stat about = {};
  const bool fits = file >= 0 && ::fstat(file, &about) == 0 && S_ISREG(about.st_mode);
  MHD_Response* const response =
      fits ? MHD_create_response_from_fd64(static_cast<std::uint64_t>(about.st_size), file) : nullptr;
  if (response == nullptr) {
    verdict.status = may_come ? 503 : 404;
    if (file >= 0) ::close(file);
  }
  return response;
}

}  // namespace picus::app
