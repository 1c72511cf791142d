#include "picus/modelfile/definition.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "picus/modelfile/builder.hpp"
#include "picus/support/error.hpp"

namespace picus::modelfile {

Builder::Builder(Source& source, const Yaml& root, Definition& definition)
    : root_(root),
      definition_(definition),
      pool_(definition.pool),
      names_(definition.pool, [this](std::size_t let) { return read_let(let); }),
      reading_(source, definition.pool, names_) {}

void Builder::build() {
  const std::vector<std::string> keys = {
      "name",      "title",       "source",  "notes",   "caution",    "dimension",   "parameters", "bodies",
      "gravity",   "joints",      "springs", "motors",  "collisions", "coordinates", "let",        "kinetic",
      "potential", "dissipation", "forces",  "mass",    "force",      "constraints", "contacts",   "elements",
      "impulses",  "outputs",     "drawing", "figures", "cycle",      "run"};
  if (!reading_.expect_map(root_, "a model file", keys) || !read_dimension(keys)) return;
  if (in_space()) return build_in_space();
  read_head();
  declare_bodies();
  declare_coordinates();
  declare_parameters();
  declare_lets();
  read_parameters();
  read_body_starts();
  read_starts();
  read_lets();
  read_bodies();
  read_joints();
  read_forces_between_bodies();
  read_constraints();
  read_contacts();
  read_elements();
  read_blows();
  read_outputs();
  read_drawing();
  read_figures();
  read_cycle();
  read_run();
  read_dynamics();
  read_collisions();
  finish_values();
  check_run();
  check_shapes();
  refuse_untouchable_pairs();
  draw_bodies();
}

bool needs_sparse_kernel(const Definition& d) {
  return !d.bodies.empty() || !d.equations.constraints.empty() ||
         d.equations.contacts.size() > static_cast<std::size_t>(contact_limit) ||
         d.equations.elements.size() > static_cast<std::size_t>(element_limit);
}

std::unique_ptr<Definition> define(const std::string& file, std::string text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);  // byte order mark
  Source source(file, std::move(text));
  auto definition = std::make_unique<Definition>();
  definition->text = source.text();
  const Yaml root = read_yaml(source);
  source.throw_mistakes();
  try {
    Builder(source, root, *definition).build();
  } catch (const formula::TooLarge& error) {
    source.add(root.offset, 1, error.what());
  }
  source.throw_mistakes();
  return definition;
}

std::unique_ptr<Definition> define_from_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw InputError("'" + path + "' is a folder; accepted: a model file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError("cannot read the model file '" + path + "': " + std::strerror(errno));
  std::string text;
  char part[65536];
  while (file && text.size() <= file_limit) {
    file.read(part, sizeof part);
    text.append(part, static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw InputError("cannot read the model file '" + path + "': " + std::strerror(errno));
  if (text.size() > file_limit) {
    throw InputError(path + ": the file has more than " + std::to_string(file_limit) + " bytes; that is no model file");
  }
  return define(path, std::move(text));
}

}  // namespace picus::modelfile
