#include "picus/modelfile/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <sstream>
#include <unordered_set>

namespace picus::modelfile {
namespace {

std::size_t offset_of(const YAML::Mark& mark) { return mark.pos < 0 ? 0 : static_cast<std::size_t>(mark.pos); }

// Ends reading; the mistake is already noted.
struct Abandon {};

class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(Source& source) : source_(source) {}

  Yaml root;

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    Yaml value;
    value.offset = offset_of(mark);
    add(std::move(value));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    source_.add(offset_of(mark), 1, "aliases (*name) are not accepted; use 'let' to name formulas");
    throw Abandon();
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    Yaml value;
    value.kind = Yaml::Kind::text;
    value.offset = offset_of(mark);
    value.text = text;
    add(std::move(value));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Yaml::Kind::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Yaml::Kind::map, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Yaml value;
    std::unordered_set<std::string> known;  // keys of a map
    bool awaits_value = false;              // a key was read
  };

  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor == 0) return;
    source_.add(offset_of(mark), 1, "anchors (&name) are not accepted; use 'let' to name formulas");
    throw Abandon();
  }
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    source_.add(offset_of(mark), 1, "tags (!name) are not accepted");
    throw Abandon();
  }

  void open(Yaml::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (static_cast<int>(open_.size()) >= nesting_limit) {
      source_.add(offset_of(mark), 1, "nested deeper than " + std::to_string(nesting_limit) + " levels");
      throw Abandon();
    }
    Open next;
    next.value.kind = kind;
    next.value.offset = offset_of(mark);
    open_.push_back(std::move(next));
  }

  void close() {
    Yaml done = std::move(open_.back().value);
    open_.pop_back();
    add(std::move(done));
  }

  void add(Yaml value) {
    if (open_.empty()) {
      root = std::move(value);
      return;
    }
    Open& parent = open_.back();
    if (parent.value.is_map() && !parent.awaits_value) {
      if (!value.is_text()) {
        source_.add(value.offset, 1, "a key must be a plain name");
        throw Abandon();
      }
      if (!parent.known.insert(value.text).second) {
        source_.add(value.offset, value.text.size(), "'" + value.text + "' is here twice");
      }
      parent.value.keys.push_back({value.text, value.offset});
      parent.awaits_value = true;
      return;
    }
    parent.awaits_value = false;
    // What is not there has the place of its key.
    if (value.kind == Yaml::Kind::nothing && parent.value.is_map()) value.offset = parent.value.keys.back().offset;
    parent.value.items.push_back(std::move(value));
  }

  Source& source_;
  std::vector<Open> open_;
};

}  // namespace

const Yaml* Yaml::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].name == key) return &items[i];
  }
  return nullptr;
}

Yaml read_yaml(Source& source) {
  if (source.text().size() > file_limit) {
    source.add(0, 0,
               "the file has " + std::to_string(source.text().size()) + " bytes; accepted: up to " +
                   std::to_string(file_limit));
    return {};
  }
  if (const std::size_t bad = find_bad_utf8(source.text()); bad != std::string::npos) {
    source.add(bad, 1, "this is not UTF-8");
    return {};
  }
  for (std::size_t i = 0; i < source.text().size(); ++i) {
    const auto c = static_cast<unsigned char>(source.text()[i]);
    if (c < 0x20 && c != '\n' && c != '\r' && c != '\t') {
      source.add(i, 1, "control characters are not accepted");
      return {};
    }
  }
  TreeBuilder builder(source);
  try {
    std::istringstream stream(source.text());
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) {
      source.add(0, 0, "the file is empty");
      return {};
    }
    TreeBuilder second(source);
    if (parser && parser.HandleNextDocument(second)) {
      source.add(second.root.offset, 1, "a second document; accepted: one model a file");
    }
  } catch (const Abandon&) {
  } catch (const YAML::Exception& error) {
    const bool in_list = error.msg.find("flow") != std::string::npos;
    const bool in_map = error.msg.find("map value") != std::string::npos ||
                        error.msg.find("end of map") != std::string::npos ||
                        error.msg.find("end of sequence not") != std::string::npos;
    source.add(
        offset_of(error.mark), 1,
        "not YAML: " + error.msg +
            (in_list ? "; within [] and {} a formula with commas or brackets needs quotes"
             : in_map
                 ? "; is there ': ' between key and value here and in the line before, and is the indentation right?"
                 : ""));
  }
  return std::move(builder.root);
}

}  // namespace picus::modelfile
