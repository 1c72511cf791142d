#include "picus/io/run_writer.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "picus/options/option_table.hpp"
#include "picus/support/error.hpp"
#include "picus/support/version.hpp"

namespace picus::io {
namespace {

using Fields = std::vector<Hdf5Field>;
constexpr const char* all_files[] = {"states.csv", "outputs.csv",      "contacts.csv",  "reactions.csv",
                                     "events.csv", "event_states.csv", "solutions.csv", "theory.csv",
                                     "energy.csv", "result.h5",        "summary.json",  "report.html"};
constexpr auto real = Hdf5Field::Type::real;
constexpr auto integer = Hdf5Field::Type::integer;

Fields state_fields(const mechanics::ModelDescription& model) {
  Fields fields = {{"t", real, "s"}};
  for (const auto& c : model.coordinates) fields.push_back({c.name, real, c.unit});
  for (const auto& c : model.velocities) fields.push_back({c.name, real, c.unit});
  return fields;
}

Fields output_fields(const mechanics::ModelDescription& model) {
  Fields fields = {{"t", real, "s"}};
  for (const auto& c : model.outputs) fields.push_back({c.name, real, c.unit});
  return fields;
}

Fields contact_fields(const mechanics::ModelDescription& model) {
  Fields fields = {{"t", real, "s"}, {"contact", integer, ""}, {"gap", real, "m"}, {"gamma_N", real, "m/s"}};
  if (model.in_space) {
    for (const Hdf5Field& f : Fields{{"gamma_Tt", real, "m/s"}, {"gamma_To", real, "m/s"}, {"gamma_Tr", real, "rad/s"}})
      fields.push_back(f);
  } else {
    fields.push_back({"gamma_T", real, "m/s"});
  }
  fields.push_back({"Lambda_N", real, "N s"});
  if (model.in_space) {
    for (const Hdf5Field& f :
         Fields{{"Lambda_Tt", real, "N s"}, {"Lambda_To", real, "N s"}, {"Lambda_Tr", real, "N m s"}})
      fields.push_back(f);
  } else {
    fields.push_back({"Lambda_T", real, "N s"});
  }
  fields.push_back({"status", integer, ""});
  return fields;
}

const Fields reaction_fields = {
    {"t", real, "s"}, {"constraint", integer, ""}, {"g", real, ""}, {"Lambda", real, ""}, {"force", real, ""}};
const Fields event_fields = {
    {"t", real, "s"}, {"contact", integer, ""}, {"kind", integer, ""}, {"Lambda_N", real, "N s"}};
Fields event_state_fields(const mechanics::ModelDescription& model) {
  Fields fields = state_fields(model);
  // Numbers of a matrix are all real.
  const auto type = fields.size() + 2 > Hdf5File::most_fields ? real : integer;
  fields.insert(fields.begin() + 1, {{"contact", type, ""}, {"kind", type, ""}});
  return fields;
}
const Fields solution_fields = {{"t", real, "s"},          {"solution", integer, ""}, {"taken", integer, ""},
                                {"contact", integer, ""},  {"gamma_N", real, "m/s"},  {"gamma_T", real, "m/s"},
                                {"Lambda_N", real, "N s"}, {"Lambda_T", real, "N s"}, {"status", integer, ""},
                                {"energy", real, "J"}};
const Fields theory_fields = {{"t", real, "s"},
                              {"contacts", integer, ""},
                              {"rolling", integer, ""},
                              {"sliding", integer, ""},
                              {"solutions", integer, ""},
                              {"existence", integer, ""},
                              {"uniqueness", integer, ""},
                              {"erdmann", integer, ""},
                              {"mu", real, ""},
                              {"mu_existence", real, ""},
                              {"mu_unique", real, ""},
                              {"mu_unique_simple", real, ""}};
constexpr const char* answers[] = {"no", "yes", "unknown"};
const Fields energy_fields = {{"t", real, "s"},        {"kinetic", real, "J"},    {"potential", real, "J"},
                              {"work", real, "J"},     {"drive", real, "J"},      {"impact", real, "J"},
                              {"friction", real, "J"}, {"projection", real, "J"}, {"remainder", real, "J"}};
const Fields certificate_fields = {{"t", real, "s"}, {"residual", real, ""}, {"active", integer, ""}};

// In status_names.
int status_number(contact::ContactState state) {
  return state == contact::ContactState::open ? 0 : state == contact::ContactState::stick ? 1 : 2;
}

std::vector<std::string> names(const Fields& fields) {
  std::vector<std::string> result;
  for (const Hdf5Field& field : fields) result.push_back(field.name);
  return result;
}

std::filesystem::path prepared(const std::filesystem::path& folder) {
  prepare_folder(folder, run_file_names());
  // What an earlier run left must not stand beside the tables of this one.
  std::error_code error;
  for (const char* name : {"summary.json", "outputs.csv", "reactions.csv", "event_states.csv", "solutions.csv",
                           "theory.csv", "report.html"})
    std::filesystem::remove(folder / name, error);
  return folder;
}

constexpr auto flush_interval = std::chrono::seconds(1);

}  // namespace

std::vector<std::string> run_file_names() { return {std::begin(all_files), std::end(all_files)}; }

void prepare_folder(const std::filesystem::path& folder, const std::vector<std::string>& files) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw FileError("cannot create folder '" + folder.string() + "': " + error.message());
  if (!std::filesystem::is_directory(folder)) {
    throw FileError("cannot write to '" + folder.string() + "': it is not a folder");
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw FileError("cannot write to folder '" + folder.string() + "': " + std::strerror(errno));
  }
  for (const std::string& name : files) {
    const std::filesystem::path path = folder / name;
    if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path)) {
      throw FileError("cannot write '" + path.string() + "': it is not a file");
    }
  }
}

RunWriter::RunWriter(const std::filesystem::path& folder, const RunRequest& request)
    : folder_(prepared(folder)),
      model_(*request.model),
      state_columns_(1 + model_.coordinates.size() + model_.velocities.size()),
      output_columns_(model_.outputs.empty() ? 0 : 1 + model_.outputs.size()),
      states_(folder / "states.csv", names(state_fields(model_))),
      contacts_(folder / "contacts.csv", names(contact_fields(model_))),
      events_(folder / "events.csv", names(event_fields)),
      energy_(folder / "energy.csv", names(energy_fields)),
      hdf5_(folder / "result.h5"),
      h5_outputs_(model_.outputs.empty() ? nullptr : &hdf5_.add_table("outputs", output_fields(model_))),
      h5_reactions_(model_.constraints.empty() ? nullptr : &hdf5_.add_table("reactions", reaction_fields)),
      h5_states_(hdf5_.add_table("states", state_fields(model_))),
      h5_contacts_(hdf5_.add_table("contacts", contact_fields(model_))),
      h5_events_(hdf5_.add_table("events", event_fields)),
      h5_energy_(hdf5_.add_table("energy", energy_fields)),
      h5_certificate_(hdf5_.add_table("certificate", certificate_fields)),
      last_flush_(std::chrono::steady_clock::now()) {
  hdf5_.set_attribute("/", "picus_version", std::string(version()));
  hdf5_.set_attribute("/", "model", model_.name);
  for (const auto* list : {&model_.contacts, &model_.elements}) {
    for (const mechanics::ContactDescription& c : *list) contact_names_.push_back(c.name);
  }
  described_contacts_ = contact_names_.size();
  if (h5_reactions_ != nullptr) {
    reactions_.emplace(folder / "reactions.csv", names(reaction_fields));
    std::vector<std::string> constraints;
    for (const mechanics::Quantity& c : model_.constraints) constraints.push_back(c.name);
    hdf5_.set_attribute("/reactions", "constraint_names", constraints);
  }
  if (h5_outputs_ != nullptr) outputs_.emplace(folder / "outputs.csv", names(output_fields(model_)));
  if (request.options.step.method == stepping::Method::event_driven) {
    event_states_.emplace(folder / "event_states.csv", names(event_state_fields(model_)));
    h5_event_states_ = &hdf5_.add_table("event_states", event_state_fields(model_));
  }
  if (request.options.step.list_solutions) {
    solutions_.emplace(folder / "solutions.csv", names(solution_fields));
    h5_solutions_ = &hdf5_.add_table("solutions", solution_fields);
  }
  if (request.options.theory) {
    theory_.emplace(folder / "theory.csv", names(theory_fields));
    h5_theory_ = &hdf5_.add_table("theory", theory_fields);
    hdf5_.set_attribute("/theory", "answer_names", std::vector<std::string>{"no", "yes", "unknown"});
  }
  for (const stepping::Option* o : stepping::told_options(request.options)) {
    using Type = stepping::Option::Type;
    const double value = o->get(request.options);
    if (o->type == Type::choice || o->type == Type::flag) {
      hdf5_.set_attribute("/", std::string(o->name), o->text(value));
    } else {
      hdf5_.set_attribute("/", std::string(o->name), value);
    }
  }
  hdf5_.set_attribute("/contacts", "status_names", std::vector<std::string>{"open", "stick", "slip"});
  hdf5_.set_attribute("/events", "kind_names",
                      std::vector<std::string>{"impact", "touch", "lift-off", "stick", "slip", "jam"});
  if (!request.model_text.empty()) hdf5_.add_texts("model_file", {request.model_text});
  hdf5_.add_group("parameters");
  for (const auto& [name, value] : request.parameters) hdf5_.set_attribute("/parameters", name, value);
  hdf5_.flush();
}

void RunWriter::append(const stepping::Recording& r) {
  for (std::size_t i = 0; i + state_columns_ <= r.states.size(); i += state_columns_) {
    for (std::size_t c = 0; c < state_columns_; ++c) {
      states_.number(r.states[i + c]);
      h5_states_.real(r.states[i + c]);
    }
    states_.end_row();
  }
  for (std::size_t i = 0; outputs_ && i + output_columns_ <= r.outputs.size(); i += output_columns_) {
    for (std::size_t c = 0; c < output_columns_; ++c) {
      outputs_->number(r.outputs[i + c]);
      h5_outputs_->real(r.outputs[i + c]);
    }
    outputs_->end_row();
  }
  append_contacts(r);
  append_reactions(r);
  append_events(r);
  append_solutions(r);
  for (const stepping::EnergyRecord& e : r.energy) {
    for (double value :
         {e.t, e.kinetic, e.potential, e.work, e.drive, e.impact, e.friction, e.projection, e.remainder}) {
      energy_.number(value);
      h5_energy_.real(value);
    }
    energy_.end_row();
  }
  for (const stepping::CertificateRecord& c : r.certificates)
    h5_certificate_.real(c.t).real(c.residual).integer(c.active);
  flush_sometimes();
}

void RunWriter::append_contacts(const stepping::Recording& r) {
  // Those of the description come again from a run in which others come up.
  for (const std::string& name : r.contact_names) {
    if (named_ >= described_contacts_) contact_names_.push_back(name);
    ++named_;
  }
  for (const stepping::ContactRecord& c : r.contacts) {
    const std::string& contact = contact_names_[static_cast<std::size_t>(c.contact)];
    const std::size_t tangential = model_.in_space ? 3 : 1;
    const double gamma_T[] = {c.gamma_T, c.gamma_o, c.gamma_r}, Lambda_T[] = {c.Lambda_T, c.Lambda_o, c.Lambda_r};
    contacts_.number(c.t).text(contact).number(c.gap).number(c.gamma_N);
    h5_contacts_.real(c.t).integer(c.contact + 1).real(c.gap).real(c.gamma_N);
    const auto both = [&](double value) {
      contacts_.number(value);
      h5_contacts_.real(value);
    };
    for (std::size_t k = 0; k < tangential; ++k) both(gamma_T[k]);
    both(c.Lambda_N);
    for (std::size_t k = 0; k < tangential; ++k) both(Lambda_T[k]);
    contacts_.text(stepping::name_of(c.state)).end_row();
    h5_contacts_.integer(status_number(c.state));
  }
}

void RunWriter::append_reactions(const stepping::Recording& recording) {
  if (!reactions_) return;
  for (const stepping::ReactionRecord& r : recording.reactions) {
    reactions_->number(r.t).text(model_.constraints[static_cast<std::size_t>(r.constraint)].name).number(r.g);
    reactions_->number(r.Lambda).number(r.force).end_row();
    h5_reactions_->real(r.t).integer(r.constraint + 1).real(r.g).real(r.Lambda).real(r.force);
  }
}

void RunWriter::append_events(const stepping::Recording& r) {
  std::size_t state = 0;
  for (const stepping::EventRecord& e : r.events) {
    const std::string& contact = contact_names_[static_cast<std::size_t>(e.event.contact)];
    const char* kind = stepping::name_of(e.event.kind);
    events_.number(e.t).text(contact).text(kind).number(e.event.Lambda_N).end_row();
    h5_events_.real(e.t).integer(e.event.contact + 1).integer(static_cast<int>(e.event.kind)).real(e.event.Lambda_N);
    if (!event_states_ || state + state_columns_ - 1 > r.event_states.size()) continue;
    event_states_->number(e.t).text(contact).text(kind);
    h5_event_states_->real(e.t);
    for (int number : {e.event.contact + 1, static_cast<int>(e.event.kind)}) {
      if (state_columns_ + 2 > Hdf5File::most_fields) {
        h5_event_states_->real(number);
      } else {
        h5_event_states_->integer(number);
      }
    }
    for (std::size_t c = 1; c < state_columns_; ++c) {
      event_states_->number(r.event_states[state]);
      h5_event_states_->real(r.event_states[state++]);
    }
    event_states_->end_row();
  }
}

void RunWriter::append_solutions(const stepping::Recording& r) {
  if (!solutions_) return;
  for (const stepping::SolutionRecord& s : r.solutions) {
    solutions_->number(s.t).number(s.solution + 1).text(s.taken ? "yes" : "no");
    solutions_->text(contact_names_[static_cast<std::size_t>(s.contact)]);
    h5_solutions_->real(s.t).integer(s.solution + 1).integer(s.taken ? 1 : 0).integer(s.contact + 1);
    for (double value : {s.gamma_N, s.gamma_T, s.Lambda_N, s.Lambda_T}) {
      solutions_->number(value);
      h5_solutions_->real(value);
    }
    solutions_->text(stepping::name_of(s.state)).number(s.energy).end_row();
    h5_solutions_->integer(status_number(s.state)).real(s.energy);
  }
}

void RunWriter::append(const std::vector<theory::TheoryRecord>& records) {
  if (!theory_) return;
  for (const theory::TheoryRecord& r : records) {
    theory_->number(r.t);
    h5_theory_->real(r.t);
    for (int value : {r.contacts, r.rolling, r.sliding, r.solutions}) {
      theory_->number(value);
      h5_theory_->integer(value);
    }
    for (theory::Answer answer : {r.existence, r.uniqueness, r.erdmann}) {
      theory_->text(answers[static_cast<int>(answer)]);
      h5_theory_->integer(static_cast<int>(answer));
    }
    for (double value : {r.mu, r.mu_existence, r.mu_unique, r.mu_unique_simple}) {
      theory_->number(value);
      h5_theory_->real(value);
    }
    theory_->end_row();
  }
}

std::vector<CsvFile*> RunWriter::tables() {
  std::vector<CsvFile*> list = {&states_, &contacts_, &events_, &energy_};
  for (std::optional<CsvFile>* file : {&reactions_, &outputs_, &event_states_, &solutions_, &theory_}) {
    if (*file) list.push_back(&**file);
  }
  return list;
}

std::vector<std::string> RunWriter::file_names() const {
  std::vector<std::string> list;
  for (const char* name : all_files) {
    const std::string_view file = name;
    if ((!outputs_ && file == "outputs.csv") || (!reactions_ && file == "reactions.csv") ||
        (!event_states_ && file == "event_states.csv") || (!solutions_ && file == "solutions.csv") ||
        (!theory_ && file == "theory.csv") || file == "report.html") {
      continue;
    }
    list.emplace_back(name);
  }
  return list;
}

void RunWriter::flush_sometimes() {
  constexpr std::size_t enough = std::size_t{16} << 20;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_flush_ < flush_interval && h5_states_.buffered_bytes() < enough &&
      h5_contacts_.buffered_bytes() < enough) {
    return;
  }
  last_flush_ = now;
  for (CsvFile* file : tables()) file->flush();
  hdf5_.flush();
}

void RunWriter::finish(const RunSummary& summary) {
  for (CsvFile* file : tables()) file->close();
  const std::string text = to_json(summary);
  // Names of contacts by number; an attribute holds so many.
  constexpr std::size_t most_names = 3500;
  if (!contact_names_.empty() && contact_names_.size() <= most_names) {
    hdf5_.set_attribute("/contacts", "contact_names", contact_names_);
  }
  hdf5_.add_texts("contact_names", contact_names_);
  hdf5_.add_group("summary");
  hdf5_.set_attribute("/summary", "json", text);
  hdf5_.close();
  const std::filesystem::path path = folder_ / "summary.json";
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw FileError("cannot write '" + path.string() + "'");
}

}  // namespace picus::io
