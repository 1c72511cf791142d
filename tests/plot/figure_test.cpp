// From recordings to curves: the right columns, gaps where a contact was not active, equal times paired.
#include "picus/plot/run_figure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "model.hpp"

namespace {

using namespace picus;
using namespace picus::plot;
using Values = std::vector<double>;

constexpr double gap_mark = -1234;  // for NaN, which equals nothing

Values marked(Values values) {
  for (double& v : values) v = std::isnan(v) ? gap_mark : v;
  return values;
}

std::string plain(const Label& label) {
  std::string text;
  for (const Piece& p : label) text += (p.script < 0 ? "_" : "") + p.text;
  return text;
}

class RunFigure : public testing::Test {
 protected:
  // Hands over rows 0 … 9 in two recordings, with those contacts.
  Figure figure(const std::string& text, const std::vector<run::ContactRecord>& contacts = {},
                const std::vector<std::string>& come_up = {}) {
    const mechanics::ModelDescription model = come_up.empty() ? test::model() : test::model_with_collisions();
    const PlotRequest request = parse_plot(text, Quantities(model));
    RunData data(model);
    data.want(request.x);
    for (const Quantity& q : request.y) data.want(q);
    for (const auto& [first, last] : {std::pair{0, 4}, std::pair{5, 9}}) {
      run::Recording r = test::rows(first, last);
      for (const run::ContactRecord& c : contacts) {
        if (c.t >= r.states.front() && c.t <= last / 10.0) r.contacts.push_back(c);
      }
      if (first == 0) r.contact_names = come_up;
      data.append(r);
    }
    warnings_.clear();
    return figure_of(request, data, warnings_);
  }
  checks::Diagnostics warnings_;
};

TEST_F(RunFigure, EachUnitHasAPanelWithItsColumns) {
  const Figure f = figure("a.svg");
  ASSERT_EQ(f.panels.size(), 4u);
  const double factor[] = {1, 10, 20, -1};
  const char* labels[] = {"y (m)", "φ_S (rad)", "v (m/s)", "ω_S (rad/s)"};
  for (std::size_t i = 0; i < 4; ++i) {
    ASSERT_EQ(f.panels[i].curves.size(), 1u);
    const Curve& c = f.panels[i].curves.front();
    ASSERT_EQ(c.y.size(), 10u);
    EXPECT_EQ(plain(f.panels[i].label), labels[i]);
    for (std::size_t k = 0; k < 10; ++k) {
      EXPECT_EQ(c.x[k], static_cast<double>(k) / 10);
      EXPECT_EQ(c.y[k], factor[i] * static_cast<double>(k));
    }
  }
  EXPECT_EQ(plain(f.label), "t (s)");
  EXPECT_EQ(f.begin, 0);
  EXPECT_EQ(f.end, 0.9);
}

TEST_F(RunFigure, OutputsEnergiesAndResidual) {
  const Figure f = figure("a.svg:corner_1,friction,residual");
  ASSERT_EQ(f.panels.size(), 3u);
  EXPECT_EQ(f.panels[0].curves[0].y[9], 81);
  EXPECT_EQ(f.panels[1].curves[0].y[9], 54);
  EXPECT_EQ(f.panels[2].curves[0].y[9], 9e-16);
  EXPECT_EQ(plain(f.panels[1].label), "friction (J)");
  EXPECT_TRUE(f.panels[2].logarithmic);
  EXPECT_TRUE(f.panels[2].curves[0].dots);
  EXPECT_FALSE(f.panels[0].logarithmic);
}

TEST_F(RunFigure, EachEnergyIsItsColumnAndSumsThatStayZeroAreLeftOut) {
  const Figure f = figure("a.svg:energy");
  ASSERT_EQ(f.panels.size(), 1u);
  const char* names[] = {"kinetic", "potential", "work", "drive", "impact", "friction", "projection"};
  ASSERT_EQ(f.panels[0].curves.size(), 7u);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(plain(f.panels[0].curves[i].label), names[i]);
    EXPECT_EQ(f.panels[0].curves[i].y[3], 3.0 * static_cast<double>(i + 1));
  }
  EXPECT_EQ(plain(f.panels[0].label), "energy (J)");
}

TEST_F(RunFigure, PhasePortrait) {
  const Figure f = figure("a.svg:omega_S@phi_S");
  EXPECT_FALSE(f.over_time);
  EXPECT_EQ(plain(f.label), "φ_S (rad)");
  EXPECT_EQ(f.panels[0].curves[0].x, (Values{0, 10, 20, 30, 40, 50, 60, 70, 80, 90}));
  EXPECT_EQ(f.panels[0].curves[0].y, (Values{0, -1, -2, -3, -4, -5, -6, -7, -8, -9}));
}

const std::vector<run::ContactRecord> touches = {
    test::contact(0.1, 0, 1), test::contact(0.2, 0, 2), test::contact(0.2, 1, 20), test::contact(0.4, 0, 4),
    test::contact(0.5, 0, 5), test::contact(0.5, 0, 6), test::contact(0.9, 0, 9)};

TEST_F(RunFigure, ContactsAreInterruptedWhereTheyAreNotActive) {
  const Figure f = figure("a.svg:gap.1", touches);
  const Curve& c = f.panels[0].curves[0];
  // Rows 4 and 5 lie in two recordings; two records of one time are no gap.
  EXPECT_EQ(marked(c.y), (Values{1, 2, gap_mark, 4, 5, 6, gap_mark, 9}));
  EXPECT_EQ(c.x, (Values{0.1, 0.2, 0.4, 0.4, 0.5, 0.5, 0.9, 0.9}));
  EXPECT_EQ(plain(f.panels[0].label), "gap of contact 1 (m)");
  EXPECT_FALSE(c.stems);
}

TEST_F(RunFigure, EachContactQuantityIsItsColumn) {
  const std::pair<const char*, double> columns[] = {
      {"gap.2", 20}, {"gamma_N.2", 20.1}, {"gamma_T.2", 20.2}, {"Lambda_N.2", 20.3}, {"Lambda_T.2", 20.4}};
  for (const auto& [name, value] : columns) {
    const Figure f = figure(std::string("a.svg:") + name, touches);
    EXPECT_EQ(f.panels[0].curves[0].y, (Values{value})) << name;
    EXPECT_EQ(f.panels[0].curves[0].stems, name[0] == 'L') << name;
  }
}

TEST_F(RunFigure, InSpaceEachRowOfFrictionIsItsColumn) {
  mechanics::ModelDescription model = test::model();
  model.in_space = true;
  run::Recording r = test::rows(0, 1);
  run::ContactRecord c = test::contact(0.1, 0, 1);
  c.gamma_o = 2, c.gamma_r = 3, c.Lambda_o = 4, c.Lambda_r = 5;
  r.contacts = {c};
  const std::pair<const char*, double> columns[] = {{"gamma_Tt", 1.2},  {"gamma_To", 2},  {"gamma_Tr", 3},
                                                    {"Lambda_Tt", 1.4}, {"Lambda_To", 4}, {"Lambda_Tr", 5}};
  for (const auto& [name, value] : columns) {
    const PlotRequest request = parse_plot("a.svg:" + std::string(name) + ".1", Quantities(model));
    RunData data(model);
    data.want(request.y.front());
    data.append(r);
    EXPECT_EQ(figure_of(request, data, warnings_).panels[0].curves[0].y, (Values{value})) << name;
  }
}

TEST_F(RunFigure, AWordForAllContactsGivesThoseThatCameUp) {
  const Figure f = figure("a.svg:Lambda_N", touches);
  ASSERT_EQ(f.panels[0].curves.size(), 2u);
  EXPECT_EQ(plain(f.panels[0].curves[0].label), "contact 1");
  EXPECT_EQ(plain(f.panels[0].curves[1].label), "contact 2");
  EXPECT_EQ(plain(f.panels[0].label), "Λ_N (N s)");
}

TEST_F(RunFigure, ContactsAndCoordinatesArePairedByTime) {
  const Figure f = figure("a.svg:gap.1@phi_S", touches);
  EXPECT_EQ(f.panels[0].curves[0].x, (Values{10, 20, 40, 40, 50, 50, 90, 90}));
  EXPECT_EQ(marked(f.panels[0].curves[0].y), (Values{1, 2, gap_mark, 4, 5, 6, gap_mark, 9}));
  const Figure turned = figure("a.svg:phi_S@gap.1", touches);
  EXPECT_EQ(marked(turned.panels[0].curves[0].x),
            (Values{gap_mark, 1, 2, gap_mark, gap_mark, 4, 5, gap_mark, gap_mark, gap_mark, gap_mark, 9}));
  EXPECT_EQ(turned.panels[0].curves[0].y[5], 40);
  EXPECT_EQ(turned.panels[0].curves[0].y[11], 90);
}

TEST_F(RunFigure, ContactsThatComeUpHaveTheirNames) {
  // The names of the description come first, again.
  const std::vector<std::string> names = {"1", "2", "brake", "floor/a:c1", "floor/a:c2"};
  const Figure f = figure("a.svg:gap.floor/a:c2", {test::contact(0.3, 3, 7), test::contact(0.3, 4, 8)}, names);
  EXPECT_EQ(f.panels[0].curves[0].y, (Values{8}));
  EXPECT_TRUE(warnings_.empty());
  const Figure none = figure("a.svg:gap.floor/b", {test::contact(0.3, 3, 7)}, names);
  EXPECT_TRUE(none.panels[0].curves[0].y.empty());
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_NE(warnings_[0].text.find("gap.floor/b, that contact was never active"), std::string::npos);
}

TEST_F(RunFigure, OfManyContactsTheFirstAreKept) {
  std::vector<std::string> names = {"1", "2", "brake"};
  std::vector<run::ContactRecord> records;
  for (int i = 0; i < 30; ++i) {
    names.push_back("a/b_" + std::to_string(i));
    records.push_back(test::contact(0.1, 3 + i, i));
  }
  const Figure f = figure("a.svg:gap", records, names);
  ASSERT_EQ(f.panels[0].curves.size(), RunData::most_contacts);
  EXPECT_EQ(plain(f.panels[0].curves[11].label), "a/b_11");
  const Figure named = figure("a.svg:gap,Lambda_N.a/b_29", records, names);
  EXPECT_EQ(named.panels[1].curves[0].y, (Values{29.3}));
}

TEST_F(RunFigure, ARunWithoutRowsGivesAnEmptyFigure) {
  const mechanics::ModelDescription model = test::model();
  for (const char* text : {"a.svg", "a.svg:energy", "a.svg:gap", "a.svg:v@y", "a.svg:gap.1@gap.2"}) {
    const PlotRequest request = parse_plot(text, Quantities(model));
    const RunData data(model);
    const bool asks_for_sums = std::string(text) == "a.svg:energy";  // those that stay zero are left out
    EXPECT_EQ(figure_of(request, data, warnings_).panels.empty(), asks_for_sums) << text;
  }
}

}  // namespace
