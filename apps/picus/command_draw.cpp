#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "model_argument.hpp"
#include "picus/model/picture.hpp"
#include "picus/options/option_table.hpp"
#include "picus/options/options.hpp"
#include "picus/support/error.hpp"
#include "picus/support/parse.hpp"

namespace picus::app {
namespace {

struct DrawArguments {
  std::string model;
  std::vector<std::string> assignments;
  std::string frames = "1";
  std::optional<std::string> end, out;
};

// Instants of a run with the model's own method and time step, evenly spaced from the start to the end.
std::vector<model::PlacedDrawing> instants(const std::shared_ptr<const model::Mechanism>& of, int frames, double end,
                                           bool& certified) {
  std::vector<model::PlacedDrawing> list;
  const mechanics::ModelDescription& description = of->description();
  list.push_back(of->place_drawing(of->start().q, 0));
  if (frames == 1) return list;
  const options::StepOptions options = options::resolve(description.defaults, {}).step;
  const std::int64_t steps = options::count_steps(options.dt, end);
  const auto simulation =
      std::make_shared<const run::BoundFormulaModel>(of)->simulate(options, {steps > 0 ? steps : 1});
  run::Recording recording;
  for (int k = 1; k < frames; ++k) {
    const std::int64_t target = steps / (frames - 1) * k + steps % (frames - 1) * k / (frames - 1);
    const bool went_on = simulation->advance(target - simulation->totals().steps, recording);
    recording.clear();
    std::vector<double> q = simulation->state();
    q.resize(description.coordinates.size());
    list.push_back(of->place_drawing(q, simulation->time()));
    if (!went_on) {
      fmt::print(stderr, "picus: {}\n", run::describe(simulation->failure(), description));
      certified = false;
      break;
    }
  }
  const stepping::Totals& totals = simulation->totals();
  certified = certified && totals.certified_steps == totals.steps && totals.uncertified_impacts == 0;
  return list;
}

int draw(const DrawArguments& a) {
  const std::unique_ptr<run::FormulaModel> model = model_from_file(a.model);
  if (!model->definition().space && model->definition().drawing.shapes.empty()) {
    throw InputError("the model '" + model->description().name + "' has no 'drawing'; accepted: a model file with one");
  }
  mechanics::ParameterValues values(model->description());
  for (const std::string& assignment : a.assignments) values.set(assignment);
  const double frames = parse_number("--frames", a.frames);
  if (!(frames >= 1 && frames <= 1000) || frames != std::floor(frames)) {
    throw InputError("--frames is '" + a.frames + "'; accepted: a whole number from 1 to 1000");
  }
  double end = model->description().defaults.end;
  if (a.end) {
    end = parse_number("--end", *a.end);
    mechanics::check_range("--end", end, mechanics::Range::positive);
  }
  bool certified = true;
  const std::string picture = model::to_svg(
      instants(model->mechanism(values), static_cast<int>(frames), end, certified), model->description().title);
  const std::string path = a.out.value_or(model->description().name + ".svg");
  std::ofstream file(path, std::ios::binary);
  file << picture;
  file.close();
  if (!file) throw FileError("cannot write '" + path + "'");
  fmt::print("{}\n", path);
  return certified ? exit_done : exit_uncertified;
}

}  // namespace

Command add_draw(CLI::App& app) {
  CLI::App* c = app.add_subcommand("draw", "Draw a model as SVG: its start, or several instants of its motion");
  auto a = std::make_shared<DrawArguments>();
  c->add_option("MODEL", a->model, "path of a model file, or name of a model")->required();
  add_set_option(*c, a->assignments);
  c->add_option("--frames", a->frames, "instants from the start to the end, laid over each other (1: the start)")
      ->type_name("N");
  c->add_option("--end", a->end, "time of the last instant, s (the model's)")->type_name("S");
  c->add_option("--out", a->out, "file to write (NAME.svg)")->type_name("FILE");
  return [a] { return draw(*a); };
}

}  // namespace picus::app
