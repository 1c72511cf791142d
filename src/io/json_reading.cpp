#include "picus/io/json_reading.hpp"

#include <vector>

#include "picus/support/error.hpp"

namespace picus::io {
namespace {

using Json = nlohmann::ordered_json;

class TreeBuilder final : public nlohmann::json_sax<Json> {
 public:
  explicit TreeBuilder(int deepest) : deepest_(deepest) {}

  Json root;

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // no JSON
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  Json* put(Json value) {
    if (open_.empty()) {
      root = std::move(value);
      return &root;
    }
    if (open_.back()->is_array()) {
      auto& list = open_.back()->get_ref<Json::array_t&>();
      return &list.emplace_back(std::move(value));
    }
    auto& map = open_.back()->get_ref<Json::object_t&>();
    map.push_back({std::move(key_), std::move(value)});  // behind the others, which ordered_map itself would look at
    return &map.back().second;
  }
  bool add(Json value) {
    put(std::move(value));
    return true;
  }
  bool open(Json value) {
    if (static_cast<int>(open_.size()) >= deepest_) return false;
    open_.push_back(put(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  int deepest_;
  std::string key_;
  std::vector<Json*> open_;  // each the last of the one before, which does not grow while it is open
};

}  // namespace

Json read_json(const std::string& text, int deepest) {
  TreeBuilder builder(deepest);
  if (!Json::sax_parse(text, &builder)) throw InputError("no JSON, or nested too deeply");
  return std::move(builder.root);
}

}  // namespace picus::io
