#include "view_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include "picus/support/error.hpp"

namespace picus::app {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_clients = 32, longest_request = 16384, least_progress = 8192;
constexpr auto request_time = 10s, progress_time = 10s, leaving_time = 2s;
constexpr int tick = 200;  // ms

bool try_again() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

Descriptor::~Descriptor() {
  if (valid()) ::close(number_);
}

ViewServer::ViewServer(const std::filesystem::path& folder, std::vector<std::string> files, int port)
    : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)), offer_{port, std::move(files)} {
  if (!folder_.valid()) throw FileError("cannot read folder '" + folder.string() + "': " + std::strerror(errno));
  listen_at(port);
}

void ViewServer::listen_at(int port) {
  sockaddr_in place = {};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  place.sin_port = htons(static_cast<std::uint16_t>(port));
  socklen_t size = sizeof place;
  auto* const general = reinterpret_cast<sockaddr*>(&place);  // the interface of sockets
  // A port whose last connections are just ending may be taken again; one where somebody listens may not.
  const int yes = 1;
  listener_ = Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!listener_.valid() || ::setsockopt(listener_.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
      ::bind(listener_.get(), general, size) != 0 || ::listen(listener_.get(), static_cast<int>(most_clients)) != 0 ||
      ::getsockname(listener_.get(), general, &size) != 0) {
    throw FileError(fmt::format(
        "cannot serve at port {} of 127.0.0.1: {}; accepted: another port (--port 0 takes any that is free)", port,
        std::strerror(errno)));
  }
  offer_.port = ntohs(place.sin_port);
}

std::string ViewServer::address() const { return fmt::format("http://127.0.0.1:{}/", offer_.port); }

void ViewServer::serve(const std::function<bool()>& stop) {
  std::vector<pollfd> watched;
  while (!stop()) {
    watched.clear();
    for (const Client& client : clients_) {
      watched.push_back(
          {client.socket.get(), static_cast<short>(client.state == State::writing ? POLLOUT : POLLIN), 0});
    }
    // Who comes when all places are taken waits in the queue of the system.
    watched.push_back({listener_.get(), static_cast<short>(clients_.size() < most_clients ? POLLIN : 0), 0});
    if (::poll(watched.data(), watched.size(), tick) < 0) continue;
    for (std::size_t i = 0; i < clients_.size(); ++i) {
      if (watched[i].revents != 0) attend(clients_[i]);
      if (Clock::now() >= clients_[i].deadline) clients_[i].state = State::gone;
    }
    std::erase_if(clients_, [](const Client& client) { return client.state == State::gone; });
    if (watched.back().revents != 0) accept_clients();
  }
  clients_.clear();
}

void ViewServer::accept_clients() {
  while (clients_.size() < most_clients) {
    Client client;
    client.socket = Descriptor(::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!client.socket.valid()) {
      // With no descriptor left the next look at the queue would find the same at once.
      if (!try_again() && errno != ECONNABORTED) std::this_thread::sleep_for(50ms);
      return;
    }
    // With a small buffer, bytes sent are soon bytes received: the clock tells clients that are slow from those that
    // stopped.
    const int buffer = 1 << 17;
    ::setsockopt(client.socket.get(), SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
    client.deadline = Clock::now() + request_time;
    clients_.push_back(std::move(client));
  }
}

void ViewServer::attend(Client& client) {
  if (client.state == State::reading) read(client);
  if (client.state == State::writing) write(client);
  if (client.state == State::leaving) leave(client);
}

void ViewServer::read(Client& client) {
  const std::size_t room = longest_request - client.text.size();
  const ssize_t count = ::recv(client.socket.get(), piece_.data(), std::min(room, piece_.size()), 0);
  if (count <= 0) {
    if (count == 0 || !try_again()) client.state = State::gone;
    return;
  }
  const std::size_t known = client.text.size();
  client.text.append(piece_.data(), static_cast<std::size_t>(count));
  // The empty line may have begun in what was there.
  const std::size_t end = client.text.find(head_end, known < head_end.size() ? 0 : known - head_end.size());
  if (end != std::string::npos) {
    answer(client, judge_request(std::string_view(client.text).substr(0, end + head_end.size()), offer_));
  } else if (client.text.size() == longest_request) {
    answer(client, {431, "", true});
  }
}

void ViewServer::answer(Client& client, Verdict verdict) {
  if (verdict.status == 200) verdict.status = open_file(client, verdict.file);
  if (verdict.status == 200) {
    client.text = answer_head(verdict.file, client.file_size);
    if (!verdict.with_body) client.file_size = 0;
  } else {
    client.text = refusal(verdict);
  }
  client.state = State::writing;
  client.deadline = Clock::now() + progress_time;
}

// A regular file that stands in the folder itself: a link could lead anywhere, and a pipe would keep everybody waiting.
// Returns the status of HTTP.
int ViewServer::open_file(Client& client, const std::string& name) const {
  Descriptor file(::openat(folder_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat about = {};
  if (!file.valid() && (errno == EMFILE || errno == ENFILE || errno == ENOMEM)) return 503;
  if (!file.valid() || ::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode)) return 404;
  client.file_size = about.st_size;
  client.file = std::move(file);
  return 200;
}

void ViewServer::write(Client& client) {
  const char* from = client.text.data() + client.text_sent;
  std::size_t length = client.text.size() - client.text_sent;
  const bool in_file = length == 0;
  if (in_file && client.file_sent < client.file_size) {
    const auto wanted = std::min<std::int64_t>(client.file_size - client.file_sent, std::ssize(piece_));
    const ssize_t got = ::pread(client.file.get(), piece_.data(), static_cast<std::size_t>(wanted), client.file_sent);
    if (got <= 0) {  // the file became shorter: the client sees that the end is missing
      client.state = State::gone;
      return;
    }
    from = piece_.data();
    length = static_cast<std::size_t>(got);
  }
  const ssize_t sent = length == 0 ? 0 : ::send(client.socket.get(), from, length, MSG_NOSIGNAL);
  if (sent < 0) {
    if (!try_again()) client.state = State::gone;
    return;
  }
  client.lately += static_cast<std::size_t>(sent);
  if (client.lately >= least_progress) {
    client.lately = 0;
    client.deadline = Clock::now() + progress_time;
  }
  if (in_file) {
    client.file_sent += sent;
  } else {
    client.text_sent += static_cast<std::size_t>(sent);
  }
  if (client.text_sent < client.text.size() || client.file_sent < client.file_size) return;
  ::shutdown(client.socket.get(), SHUT_WR);
  client.state = State::leaving;
  client.deadline = Clock::now() + leaving_time;
}

// A socket that is closed while something it was sent lies unread throws away what is on its way to the client (RFC
// 9112, section 9.6). So what still comes is dropped for a while, until the client has seen the end.
void ViewServer::leave(Client& client) {
  const ssize_t count = ::recv(client.socket.get(), piece_.data(), piece_.size(), 0);
  if (count == 0 || (count < 0 && !try_again())) client.state = State::gone;
}

}  // namespace picus::app
