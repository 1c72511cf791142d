#include "picus/catalogue/catalogue.hpp"

#include "picus/catalogue/slider_crank.hpp"
#include "picus/catalogue/woodpecker.hpp"
#include "picus/support/error.hpp"
#include "picus/support/suggest.hpp"

namespace picus::catalogue {

const std::vector<const Model*>& models() {
  static const std::vector<const Model*> all = {&woodpecker_model(), &slider_crank_model()};
  return all;
}

const Model& find_model(std::string_view name) {
  std::vector<std::string> names;
  for (const Model* model : models()) {
    if (model->description().name == name) return *model;
    names.push_back(model->description().name);
  }
  throw InputError(unknown_name("model", name, names));
}

}  // namespace picus::catalogue
