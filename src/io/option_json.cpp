#include "picus/io/option_json.hpp"

#include <nlohmann/json.hpp>

#include "picus/options/option_table.hpp"

namespace picus::io {

using Json = nlohmann::ordered_json;
using Type = options::Option::Type;

void tell_options(const options::RunOptions& options, Json& json) {
  for (const options::Option* o : options::told_options(options)) {
    Json& value = json[std::string(o->name)];
    const double number = o->get(options);
    switch (o->type) {
      case Type::choice:
        value = o->text(number);
        break;
      case Type::flag:
        value = number > 0;
        break;
      case Type::count:
        value = static_cast<std::int64_t>(number);
        break;
      case Type::number:
        value = number;
        break;
    }
  }
}

void read_options(const Json& json, options::RunOptions& options) {
  for (const options::Option& o : options::option_table()) {
    const auto found = json.find(std::string(o.name));
    if (o.told == options::Option::Told::never || found == json.end()) continue;
    if (o.type == Type::flag && found->is_boolean()) o.set(options, found->get<bool>() ? 1 : 0);
    if (found->is_number() && o.type != Type::choice && o.type != Type::flag && o.fits(found->get<double>())) {
      o.set(options, found->get<double>());
    }
    if (o.type != Type::choice || !found->is_string()) continue;
    const std::string text = found->get<std::string>();
    for (std::size_t i = 0; i < o.choices.size(); ++i) {
      if (o.choices[i] == text) o.set(options, static_cast<double>(i));
    }
  }
}

}  // namespace picus::io
