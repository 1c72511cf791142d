// Shows files of one folder to browsers on this machine, over HTTP on the loopback address 127.0.0.1.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "view_request.hpp"

namespace picus::app {

// Owns a file or a socket.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();
  int get() const { return number_; }
  bool valid() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

// One thread serves all clients in turns. What clients can hold is bounded: 32 at a time, requests of 16 KiB that must
// have come within 10 s, and an answer of which 8 KiB are not taken within 10 s is broken off. Files go in pieces.
class ViewServer {
 public:
  // Listens at once, at any free port if it is 0. Throws FileError, which names the port or the folder.
  ViewServer(const std::filesystem::path& folder, std::vector<std::string> files, int port);

  std::string address() const;
  // Until stop() says so; it is asked at least five times a second.
  void serve(const std::function<bool()>& stop);

 private:
  using Clock = std::chrono::steady_clock;
  enum class State { reading, writing, leaving, gone };
  struct Client {
    Descriptor socket;
    State state = State::reading;
    std::string text;  // the request so far, then what is to be sent before the file
    std::size_t text_sent = 0;
    Descriptor file;
    std::int64_t file_sent = 0, file_size = 0;
    Clock::time_point deadline;
    std::size_t lately = 0;  // bytes sent since the deadline was set
  };

  void listen_at(int port);
  void accept_clients();
  void attend(Client& client);
  void read(Client& client);
  void answer(Client& client, Verdict verdict);
  int open_file(Client& client, const std::string& name) const;
  void write(Client& client);
  void leave(Client& client);

  Descriptor folder_, listener_;
  Offer offer_;
  std::vector<Client> clients_;
  std::array<char, 65536> piece_;
};

}  // namespace picus::app
