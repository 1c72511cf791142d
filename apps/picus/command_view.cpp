#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "commands.hpp"
#include "picus/io/run_writer.hpp"
#include "picus/support/error.hpp"
#include "process.hpp"
#include "view_server.hpp"

namespace picus::app {
namespace {

const std::string page_name = "report.html";

struct ViewArguments {
  std::string folder;
  std::optional<std::string> port;
  bool no_browser = false;
};

int parse_port(const std::string& text) {
  int port = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port < 0 || port > 65535) {
    throw InputError("--port is '" + text + "'; accepted: a whole number from 1 to 65535, or 0 for any free port");
  }
  return port;
}

void check_folder(const std::filesystem::path& folder) {
  const std::string accepted = "; accepted: a folder written by picus run";
  std::error_code error;
  if (!std::filesystem::exists(folder, error)) {
    throw InputError("folder '" + folder.string() + "' does not exist" + accepted);
  }
  if (!std::filesystem::is_directory(folder, error)) {
    throw InputError("'" + folder.string() + "' is not a folder" + accepted);
  }
  // A link is not the page: it could show a file from anywhere.
  if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(folder / page_name, error))) {
    throw InputError("folder '" + folder.string() + "' has no file " + page_name + accepted + "; 'picus report " +
                     folder.string() + "' makes the page of an older run");
  }
}

std::string file_address(const std::filesystem::path& path) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string address = "file://";
  for (const char c : path.string()) {
    if (plain.find(c) != std::string_view::npos) {
      address += c;
    } else {
      address += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return address;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(at), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// Commands to try. BROWSER holds commands with ':' between them, each of words with ' ' between them; '%s' stands for
// the address, which comes last where there is none.
std::vector<std::vector<std::string>> openers(const std::string& address) {
  std::vector<std::vector<std::string>> commands;
  for (const std::string& entry : split(variable("BROWSER"), ':')) {
    std::vector<std::string> words = split(entry, ' ');
    bool told = false;
    for (std::string& word : words) {
      const std::size_t place = word.find("%s");
      if (place == std::string::npos) continue;
      word.replace(place, 2, address);
      told = true;
    }
    if (!told) words.push_back(address);
    if (words.size() > 1) commands.push_back(words);
  }
  commands.push_back({"xdg-open", address});
  return commands;
}

// Starts a program without a shell, in a session of its own: Ctrl-C in this terminal is not meant for the browser, and
// what it says does not mix with ours.
bool start(const std::vector<std::string>& words, pid_t& process) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDERR_FILENO);
  sigset_t ordinary;
  sigemptyset(&ordinary);
  sigaddset(&ordinary, SIGXFSZ);  // which guard_standard_streams ignores
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigdefault(&attributes, &ordinary);
  const int error = posix_spawnp(&process, arguments[0], &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error == 0;
}

// An opener that fails does so soon; one that is still there after three seconds is a browser.
bool seems_well(pid_t process) {
  using namespace std::chrono_literals;
  for (int k = 0; k < 150; ++k) {
    int status = 0;
    const pid_t ended = waitpid(process, &status, WNOHANG);
    if (ended == process) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (ended < 0) return false;
    std::this_thread::sleep_for(20ms);
  }
  return true;
}

// Why no browser shows the address, or nothing if one does.
std::string open_in_browser(const std::string& address) {
  if (variable("DISPLAY").empty() && variable("WAYLAND_DISPLAY").empty()) {
    return "there is no display to open a browser on (neither DISPLAY nor WAYLAND_DISPLAY is set)";
  }
  std::string tried;
  for (const std::vector<std::string>& words : openers(address)) {
    pid_t process = 0;
    if (start(words, process) && seems_well(process)) return "";
    tried += (tried.empty() ? "" : ", ") + words[0];
  }
  return "no browser could be opened (tried: " + tried + ")";
}

int serve(const ViewArguments& a, int port) {
  std::vector<std::string> files = io::run_file_names();
  if (std::find(files.begin(), files.end(), page_name) == files.end()) files.push_back(page_name);
  ViewServer server(a.folder, files, port);
  catch_interrupts();
  // Scripts read the address from standard output, and wait for it.
  fmt::print("{}\n", server.address());
  if (std::fflush(stdout) != 0) throw FileError("cannot write to standard output");
  fmt::print(stderr, "serving {} at {}; Ctrl-C ends it\n", a.folder, server.address());
  server.serve([] { return interrupted(); });
  return exit_done;
}

int view(const ViewArguments& a) {
  const int port = a.port ? parse_port(*a.port) : 0;
  check_folder(a.folder);
  if (!a.port && !a.no_browser) {
    const std::filesystem::path page = std::filesystem::absolute(a.folder).lexically_normal() / page_name;
    const std::string address = file_address(page);
    const std::string trouble = open_in_browser(address);
    if (trouble.empty()) {
      fmt::print("opened {} in the browser\n", address);
      return exit_done;
    }
    fmt::print(stderr, "picus: {}; the page is served instead\n", trouble);
  }
  return serve(a, port);
}

}  // namespace

Command add_view(CLI::App& app) {
  CLI::App* c =
      app.add_subcommand("view", "Show the page of a finished run in the browser, or serve it on this machine");
  auto a = std::make_shared<ViewArguments>();
  c->add_option("DIR", a->folder, "folder written by picus run")->required();
  c->add_option("--port", a->port,
                "serve at http://127.0.0.1:N/ until Ctrl-C instead of opening a browser (0: any free port)")
      ->type_name("N");
  c->add_flag("--no-browser", a->no_browser, "serve, at a free port where no --port is given");
  c->footer(
      "The page is opened from disk with $BROWSER or xdg-open. Without a display, or anything to open it with, it\n"
      "is served at a free port. Runs on another machine:\n"
      "  ssh -t -L 8080:127.0.0.1:8080 THERE picus view DIR --port 8080\n"
      "and open http://127.0.0.1:8080/ here. A port that is in use or not allowed ends with exit code 3.");
  return [a] { return view(*a); };
}

}  // namespace picus::app
