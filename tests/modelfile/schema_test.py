"""models/schema.json accepts and refuses what the reader of model files does. Usage: schema_test.py PICUS MODELS"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import jsonschema
import yaml

PICUS = os.path.abspath(sys.argv.pop(1))
MODELS = os.path.abspath(sys.argv.pop(1))
SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src")

with open(os.path.join(MODELS, "schema.json")) as schema_file:
    SCHEMA = json.load(schema_file)


class AsReader(yaml.BaseLoader):
    """Scalars are texts, as the reader takes them; an absent value is nothing."""


class AsEditor(AsReader):
    """Scalars have the types of YAML 1.2, as editors take them."""


def add_type(loader, name, pattern, first, convert):
    tag = "tag:yaml.org,2002:" + name
    loader.add_implicit_resolver(tag, re.compile(pattern), first)
    loader.add_constructor(tag, lambda _, node: convert(node.value))


add_type(AsReader, "null", r"^(~|null|Null|NULL|)$", ["~", "n", "N", ""], lambda _: None)
add_type(AsEditor, "bool", r"^(true|True|TRUE|false|False|FALSE)$", list("tTfF"), lambda text: text.lower() == "true")
add_type(AsEditor, "float", r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$", list("-+.0123456789"), float)

BASE = """\
name: base
title: A test
parameters:
  m: {value: 2, unit: kg, range: positive}
  g: 9.81
coordinates:
  x: {velocity: u, unit: m}
  y: {velocity: {name: v, unit: m/s}, start: 1}
let:
  h: {for: i in 1..2, formula: y + i}
kinetic: m/2*(u^2 + v^2)
potential: m*g*y
contacts:
  - {gap: y, sliding: u, mu: 0.3, eN: 0.5}
elements:
  - {law: dry-friction, velocity: u, force: 2}
impulses:
  - {at: 0.5, on: {x: 0.1}}
outputs:
  height: {formula: y, unit: m}
drawing:
  - {circle: {center: [x, y], radius: 0.1}, fill: red}
  - {spring: {from: [0, 0], to: [x, y], width: 0.02}}
figures:
  - {note: Height, x: t, y: [y, height]}
cycle: {travel: y}
run: {dt: 1e-4, end: 1}
"""
MATRICES = "mass: [[m], [0, m]]\nforce: [0, -m*g]"

# A part of BASE, and what stands there instead. Refused however scalars are read.
REFUSED = [
    ("gap: y,", "gap: y, normal: [0, 1],"),
    ("gap: y,", "gap: y, at: x,"),
    ("gap: y,", "gap: y, at: [x, y, 0],"),
    ("note: Height, x: t, y: [y, height]", "note: Height, x: t"),
    ("note: Height, x: t, y: [y, height]", "x: t, y: []"),
    ("note: Height, x: t, y: [y, height]", "y: v, z: x"),
    ("note: Height, x: t, y: [y, height]", "y: v, x_range: 3"),
    ("note: Height, x: t, y: [y, height]", "y: v, x_range: [0, 1, 2]"),
    # keys that are unknown, at each level
    ("title:", "titel:"),
    ("unit: kg", "units: kg"),
    ("velocity: u, unit: m", "velocity: u, units: m"),
    ("name: v, unit", "name: v, from"),
    ("formula: y + i", "formula: y + i, unit: m"),
    ("eN: 0.5", "en: 0.5"),
    ("force: 2", "force: 2, stiffness: 3"),
    ("at: 0.5", "at: 0.5, time: 1"),
    ("formula: y, unit", "formula: y, start: 1, unit"),
    ("fill: red", "stroke: red"),
    ("radius: 0.1", "radius: 0.1, color: red"),
    ("width: 0.02", "width: 0.02, turns: 3"),
    ("travel: y", "travels: y"),
    ("dt: 1e-4", "step: 1e-4"),
    # keys that are missing
    ("name: base\n", ""),
    ("value: 2, ", ""),
    ("velocity: u, unit: m", "unit: m"),
    ("{name: v, unit: m/s}", "{unit: m/s}"),
    ("for: i in 1..2, ", ""),
    ("kinetic: m/2*(u^2 + v^2)\n", ""),
    ("kinetic: m/2*(u^2 + v^2)", "mass: [[m], [0, m]]"),
    ("gap: y, ", ""),
    ("law: dry-friction, ", ""),
    (", force: 2", ""),
    ("at: 0.5, ", ""),
    (", on: {x: 0.1}", ""),
    (", on: {x: 0.1}", ", along: x"),
    (", on: {x: 0.1}", ", size: 1"),
    ("formula: y, unit", "unit"),
    ("center: [x, y], ", ""),
    (", width: 0.02", ""),
    ("circle: {center: [x, y], radius: 0.1}, ", ""),
    # alternatives
    ("potential:", MATRICES + "\npotential:"),
    ("kinetic: m/2*(u^2 + v^2)", MATRICES + "\ndissipation: u^2"),
    ("kinetic: m/2*(u^2 + v^2)", MATRICES + "\nforces: {x: 1}"),
    ("sliding: u", "sliding: u, tangent: x"),
    ("sliding: u, ", ""),
    ("sliding: u, mu: 0.3", "eT: 0.3"),
    ("sliding: u, mu: 0.3", "friction_force: 0.3"),
    ("sliding: u, mu: 0.3", "mu_static: 0.3"),
    ("sliding: u, mu: 0.3", "v_s: 0.3"),
    ("sliding: u, mu: 0.3", "mu_inf: 0, v_s: 0.3"),
    ("mu: 0.3", "mu: 0.3, mu_inf: 0.1"),
    ("velocity: u, force: 2", "velocity: u, displacement: x, force: 2"),
    ("velocity: u, force: 2", "force: 2"),
    ("dry-friction", "one-way-clutch"),
    ("dry-friction", "prestressed-spring"),
    ("on: {x: 0.1}", "on: {x: 0.1}, along: x, size: 1"),
    ("on: {x: 0.1}", "on: {x: 0.1}, size: 1"),
    ("fill: red", "point: [0, 0]"),
    ("contacts:\n  - {gap: y, sliding: u, mu: 0.3, eN: 0.5}\n", ""),
    # words and names
    ("positive", "negative"),
    ("dry-friction", "viscous"),
    ("dt: 1e-4", "method: euler"),
    ("dt: 1e-4", "method: stewart-trinkle"),
    ("title: A test", "dimension: 3"),
    ("dt: 1e-4", "impact: poison"),
    ("dt: 1e-4", "solver: simplex"),
    ("dt: 1e-4", "project_drift: on"),
    ("dt: 1e-4", "impact_at_start: 1"),
    ("name: base", "name: my model"),
    ("name: base", "name:"),
    ("name: base", "name: " + "a" * 65),
    ("  m: {", "  2m: {"),
    ("  g: 9.81", "  sin: 9.81"),
    ("  x: {", "  t: {"),
    ("velocity: u, unit", "velocity: 2u, unit"),
    ("name: v", "name: pi"),
    ("  h: {", "  h-1: {"),
    ("i in 1..2", "i from 1 to 2"),
    ("i in 1..2", "t in 1..2"),
    ("gap: y", "gap: y, name: the floor"),
    ("gap: y", 'gap: y, name: "floor{i}"'),
    ("  height:", "  t:"),
    ("  height:", "  height{i}:"),
    ("fill: red", "fill: dark red"),
    ("fill: red", 'fill: "red{i}"'),
    # types
    ("title: A test", "title: [A, test]"),
    ("value: 2", "value: [2]"),
    ("value: 2", "value:"),
    ("  g: 9.81", "  g:"),
    ("coordinates:", "coordinates: []\nsource:"),
    ("{velocity: u, unit: m}", "u"),
    ("start: 1", "start: {value: 1}"),
    ("{for: i in 1..2, formula: y + i}", "[]"),
    ("m/2*(u^2 + v^2)", ""),
    ("m/2*(u^2 + v^2)", "m/2*u²"),
    ("m/2*(u^2 + v^2)", "[m/2*u^2]"),
    ("kinetic: m/2*(u^2 + v^2)", "mass: m\nforce: [0, 0]"),
    ("kinetic: m/2*(u^2 + v^2)", "mass: [m, m]\nforce: [0, 0]"),
    ("kinetic: m/2*(u^2 + v^2)", "mass: [[m], [0, m]]\nforce: 0"),
    ("potential: m*g*y", "potential: m*g*y\nforces: [0, 0]"),
    ("potential: m*g*y", "potential: m*g*y\nforces:"),
    ("  - {gap:", "  floor: {gap:"),
    ("  - {law:", "  brake: {law:"),
    ("  - {at:", "  blow: {at:"),
    ("height: {formula: y, unit: m}", "- y"),
    ("height: {formula: y, unit: m}", "height: [y]"),
    ("gap: y", "gap: y, meaning: [a, b]"),
    ("formula: y, unit: m", "formula: y, unit: [m]"),
    ("at: 0.5", "at: {value: 0.5}"),
    ("on: {x: 0.1}", "on: [x]"),
    ("center: [x, y]", "center: [x, y, 0]"),
    ("center: [x, y]", "center: x"),
    ("circle: {center: [x, y], radius: 0.1}", "circle: [x, y]"),
    ("circle: {center: [x, y], radius: 0.1}", "segment: [[0, 0]]"),
    ("circle: {center: [x, y], radius: 0.1}", "polygon: [[0, 0], [1, 1]]"),
    ("cycle: {travel: y}", "cycle: y"),
    ("cycle: {travel: y}", "cycle:"),
    ("travel: y", "contact:"),
    ("run: {dt: 1e-4, end: 1}", "run:"),
    ("dt: 1e-4", "dt:"),
    ("potential: m*g*y", "potential: m*g*y\nforces: {x: [1]}"),
    ("on: {x: 0.1}", "on: {x: [1]}"),
    ("{for: i in 1..2, formula: y + i}", "[[1]]"),
    ("kinetic: m/2*(u^2 + v^2)", "mass: [[m], [[0], m]]\nforce: [0, 0]"),
    ("kinetic: m/2*(u^2 + v^2)", "mass: [[m], [0, m]]\nforce: [0, [0]]"),
    ("contacts:\n  - {gap: y, sliding: u, mu: 0.3, eN: 0.5}", "contacts: []"),
    ("gap: y, sliding", "for: i in 1..2, name: [a, b c], gap: y, sliding"),
    ("gap: y, sliding", "for: i in 1..2, meaning: [a, [b]], gap: y, sliding"),
    ("force: 2", 'force: 2, name: "brake{i}"'),
    ("force: 2", "force: 2, meaning: [a]"),
    ("center: [x, y]", "center: [x]"),
    ("center: [x, y]", "center: [x, [y]]"),
    ("fill: red", 'color: "red{i}"'),
    ("fill: red", "label: [a]"),
    ("fill: red", "for: i in 1..2, fill: [red, dark red]"),
    ("circle: {center: [x, y], radius: 0.1}", "segment: [[0, 0], [1, 1], [2, 2]]"),
    ("circle: {center: [x, y], radius: 0.1}", "segment: [0, 0]"),
    ("circle: {center: [x, y], radius: 0.1}", "polygon: [0, 0, 0]"),
    ("  height:", "  2a:"),
    # sizes
    ("\n  x: {velocity: u, unit: m}\n  y: {velocity: {name: v, unit: m/s}, start: 1}", " {}"),
    ("gap: y", "gap: y, name: " + "a" * 65),
    ("fill: red", "fill: " + "a" * 33),
    ("  x: {", "".join(f"  x_{i}: {{velocity: v_{i}}}\n" for i in range(11)) + "  x: {"),
    # parts that need bodies
    ("potential: m*g*y", "potential: m*g*y\ngravity: [0, -9.81]"),
    ("potential: m*g*y", "potential: m*g*y\njoints: []"),
    ("potential: m*g*y", "potential: m*g*y\nsprings: []"),
    ("potential: m*g*y", "potential: m*g*y\nmotors: []"),
    ("potential: m*g*y", "potential: m*g*y\ncollisions: []"),
]

# Numbers beyond their limits: refused where scalars have types.
BEYOND = [
    ("value: 2", "value: 0"),
    ("value: 2, unit: kg, range: positive", "value: -1, range: nonnegative"),
    ("value: 2, unit: kg, range: positive", "value: 1.1, range: unit-interval"),
    ("value: 2, unit: kg, range: positive", "value: -0.1, range: unit-interval"),
    ("eN: 0.5", "eN: 1.1"),
    ("eN: 0.5", "eN: -0.1"),
    ("eN: 0.5", "eT: 1.1"),
    ("eN: 0.5", "eT: -0.1"),
    ("mu: 0.3", "mu: -0.1"),
    ("at: 0.5", "at: -0.5"),
    ("at: 0.5", "at: [0.5, -0.5]"),
    ("width: 0.02", "width: 0.02, coils: 0"),
    ("width: 0.02", "width: 0.02, coils: 101"),
    ("width: 0.02", "width: 0.02, coils: 2.5"),
    ("dt: 1e-4", "dt: 0"),
    ("end: 1", "end: -1"),
    ("end: 1", "theta: 0.4"),
    ("end: 1", "theta: 1.1"),
    ("end: 1", "every: 0"),
    ("end: 1", "every: 1.5"),
    ("end: 1", "every: 1e16"),
]

# Laws beyond their limits: 'picus run' refuses them.
BEYOND_IN_RUN = [
    ("mu: 0.3", "friction_force: -1"),
    ("mu: 0.3", "mu_static: -1"),
    ("mu: 0.3", "mu: 0.3, v_s: 1, mu_inf: -1"),
    ("mu: 0.3", "v_s: -1"),
    ("mu: 0.3", "stiffness: 0"),
    ("force: 2", "force: -2"),
    ("force: 2", "force: 2, e: 1.5"),
    ("force: 2", "force: 2, e: -0.5"),
    ("dry-friction, velocity: u, force: 2", "prestressed-spring, displacement: x, force: 2, e: 0.5"),
]

ACCEPTED = [
    ("name: base", "name: 2nd_base-A"),
    ("title: A test", "title: 5\nsource: true\nnotes: >-\n  two\n  lines\ncaution: careful"),
    ("title: A test\n", ""),
    ("title: A test", "dimension: 2"),
    ("title: A test", "title:"),
    ("  g: 9.81", "  g: {value: 2*m + y, unit: 1, meaning: of 'm', range: any}\n  rod.k: 1\n  e: 1"),
    ("range: positive", "range: nonnegative"),
    ("value: 2, unit: kg, range: positive", "value: 1, range: unit-interval"),
    ("velocity: u, unit: m", "velocity: u, unit: rad, meaning: an angle, start: g/10"),
    ("unit: m/s}", "unit: m/s, meaning: speed, start: -0.5}"),
    ("  h: {", "  a: x + 1\n  b: [1, x, a]\n  c: [0]\n  d: 2\n  h: {"),
    ("formula: y + i", "formula: 'if(x < 1 and y >= 2, h2(4), -max(x, y, 3)) + x**2 - sin(pi)'}\n  h2: {for: i in 0 .. 3, formula: i"),
    ("y + i", "i"),
    ("potential: m*g*y", "dissipation: u^2/2\nforces: {x: -u, y: sin(t)}"),
    ("potential: m*g*y", "potential: 0\nforces: {}"),
    ("kinetic: m/2*(u^2 + v^2)", MATRICES),
    ("kinetic: m/2*(u^2 + v^2)", "mass: [[m, x], [x, m]]\nforce: [0, -u]"),
    ("sliding: u, mu: 0.3", "tangent: x + t, mu: 0.2 + y^2, eT: 1, friction_force: 0.5, name: floor-1.a, meaning: floor"),
    ("mu: 0.3", "mu: 0.3, mu_static: 0.3 + x^2, mu_inf: 0.1, v_s: 0.01*(1 + t), stiffness: m"),
    ("mu: 0.3", "mu: 0.3, mu_static: 0, v_s: 1"),
    ("sliding: u, mu: 0.3", "stiffness: 1e6"),
    ("sliding: u, mu: 0.3, eN: 0.5}", 'eN: 0}\n  - {for: i in 2..3, name: "c{i}", meaning: [a, b], gap: x + i}'),
    ("gap: y", "gap: y, name: 1, meaning: 1"),
    ("velocity: u, force: 2", "displacement: x - t, force: 2*m, e: 0.5, name: brake, meaning: a brake"),
    ("dry-friction, velocity: u, force: 2", "one-way-clutch, velocity: v - u"),
    ("dry-friction, velocity: u, force: 2", "prestressed-spring, displacement: x, force: 2"),
    ("velocity: u, force: 2", "for: i in 1..2, meaning: 'number {i}', velocity: i*u, force: i"),
    ("at: 0.5, on: {x: 0.1}", "for: i in 1..2, meaning: push, at: [0.1*i, 0.5, m], along: x*y, size: 2"),
    ("height: {formula: y, unit: m}", "height: y\n  two: 2\n  t_0: {formula: t, meaning: time}\n  sin: sin(t)"),
    ("height:", "h_{i}: {for: i in 1..2, formula: h(i), unit: [m, 1], meaning: 'height {i}'}\n  height:"),
    ("fill: red", 'color: "#2060a0", label: 1'),
    ("fill: red", 'for: i in 1..2, color: [red, "#00f"], fill: "#{i}00", label: ["{i}", b]'),
    ("circle: {center: [x, y], radius: 0.1}", "point: [x, 0]"),
    ("circle: {center: [x, y], radius: 0.1}", "segment: [[x, 0], [0, h(1)]]"),
    ("circle: {center: [x, y], radius: 0.1}", "polygon: [[x, 0], [0, 1], [1, 1], [2, y]]"),
    ("width: 0.02", "width: m/100, coils: 4"),
    ("gap: y,", "gap: y, at: [x, y - t],"),
    ("gap: y,", "gap: y, at: [x, 0], normal: [0, m],"),
    ("note: Height, x: t, y: [y, height]", "y: v"),
    ("note: Height, x: t, y: [y, height]", "x: x, y: u, x_label: way, y_label: speed, x_range: [0, 2*pi], y_range: [-1, 1], title: a title"),
    ("travel: y", "name: hop, plural: hops, contact: 1, travel: x, travel_name: way, sign: -1"),
    ("travel: y", ""),
    ("dt: 1e-4, end: 1", "method: moreau-jean, impact: newton, solver: lemke, theta: 0.75, dt: 1/2000, end: 2*pi, every: 10"),
    ("dt: 1e-4", "project_drift: true, impact_at_start: false, solver: gauss-seidel"),
    ("dt: 1e-4, end: 1", ""),
    ("  - {gap:", "  - {gap: x}\n" * 8 + "  - {gap:"),
    ("  - {law:", "  - {law: one-way-clutch, velocity: u}\n" * 8 + "  - {law:"),
    ("potential: m*g*y", "constraints:\n  rope: x^2 + y^2 - 1\n"
                         "  r_{i}: {for: i in 1..2, formula: i*x - i, unit: [m, m], meaning: 'round {i+1}'}"),
    ("potential: m*g*y", "constraints: {rope: {formula: x - y + 1, unit: m, meaning: a rope}}"),
    ("potential: m*g*y", "constraints:"),
    (BASE, "name: a\nparameters:\nlet:\ncontacts:\nelements:\nimpulses:\noutputs:\ndrawing:\n"
           "coordinates: {x: {velocity: v}}\nkinetic: v^2/2\n"),
]

BODIES = """\
name: base
parameters: {m: 2, l: 1}
gravity: [0, -9.81]
bodies:
  floor: {fixed: true, start: {y: -1}, shapes: [half_plane: {normal: [0, 1]}]}
  rod: {mass: m, inertia: m*l^2/12, start: {x: l/2, omega: 1}}
  ball: {mass: 1, shapes: [circle: {radius: 0.1}], start: {x: 3}, group: balls}
  stone: {density: 2000, outline: [[5, 0], [6, 0], [5, 1]]}
  link_{i}: {for: i in 1..3, mass: 1, inertia: 0.1, start: {x: 10 + i}}
joints:
  - {name: A, revolute: [ground, rod], at: [[0, 0], [-l/2, 0]]}
  - {for: i in 1..2, name: "h_{i}", revolute: ["link_{i}", "link_{i+1}"], at: [[0.5, 0], [-0.5, 0]]}
springs:
  - {between: [ground, ball], at: [[3, 1], [0, 0]], stiffness: 100, length: 1}
motors:
  - {turning: [ground, rod], torque: 0.1}
collisions:
  - {between: [floor, balls], mu: 0.3, eN: 0.5}
constraints:
  c: {formula: ball.x - 3, unit: m}
"""
HINGE = "name: A, revolute: [ground, rod], at: [[0, 0], [-l/2, 0]]"  # of BODIES
GUIDE = HINGE.replace("revolute", "prismatic")


def pin(law):
    return f"{HINGE}, clearance: {{{law}}}"


def slider(law):
    return f"{GUIDE}, clearance: {{{law}}}"


REFUSED_BODIES = [
    # keys that are unknown, at each level
    ("mass: m", "weight: m"),
    ("omega: 1", "spin: 1"),
    ("radius: 0.1", "radius: 0.1, angle: 1"),
    ("circle: {radius: 0.1}", "box: {width: 1, height: 1, depth: 1}"),
    ("normal: [0, 1]", "normals: [0, 1]"),
    ("circle: {radius: 0.1}", "ellipse: {radius: 0.1}"),
    (HINGE, HINGE + ", hinge: 1"),
    ("stiffness: 100", "stifness: 100"),
    ("torque: 0.1", "torque: 0.1, speed: 1"),
    ("mu: 0.3", "nu: 0.3"),
    ("unit: m}", "start: 1}"),
    # keys that are missing
    ("mass: m, ", ""),
    ("inertia: m*l^2/12, ", ""),
    ("density: 2000, ", ""),
    (", outline: [[5, 0], [6, 0], [5, 1]]", ""),
    ("for: i in 1..3, ", ""),
    ("radius: 0.1", ""),
    ("circle: {radius: 0.1}", "box: {width: 1}"),
    ("circle: {radius: 0.1}", "box: {height: 1}"),
    ("circle: {radius: 0.1}", "polygon: [[0, 0], [1, 0], [0, 1]]"),
    ("circle: {radius: 0.1}", "circle: {radius: 0.1}, box: {width: 1, height: 1}"),
    ("[circle: {radius: 0.1}]", "[{circle: {radius: 0.1}}, {box: {width: 1, height: 1}}]"),
    ("[circle: {radius: 0.1}]", "[]"),
    (HINGE, "name: A"),
    (HINGE, "name: A, revolute: [ground, rod]"),
    (HINGE, "name: A, prismatic: [ground, rod]"),
    (HINGE, "name: A, distance: [ground, rod]"),
    (HINGE, "name: A, gear: [ground, rod]"),
    (HINGE, "name: A, driven: rod.phi"),
    ("between: [ground, ball], ", ""),
    ("at: [[3, 1], [0, 0]], ", ""),
    (", length: 1", ""),
    ("turning: [ground, rod], ", ""),
    (", torque: 0.1", ""),
    ("between: [floor, balls], ", ""),
    ("formula: ball.x - 3, ", ""),
    # alternatives
    ("gravity:", "coordinates: {s: {velocity: v}}\ngravity:"),
    ("gravity:", "mass: [[m]]\nforce: [1]\ngravity:"),
    ("gravity:", "force: [1]\ngravity:"),
    ("fixed: true", "fixed: true, mass: 1"),
    ("fixed: true", "fixed: true, inertia: 1"),
    ("start: {y: -1}", "start: {vy: -1}"),
    ("density: 2000", "density: 2000, mass: 1"),
    ("density: 2000", "density: 2000, inertia: 1"),
    ("density: 2000", "density: 2000, shapes: [circle: {radius: 1}]"),
    ("density: 2000", "density: 2000, start: {phi: 1}"),
    (HINGE, HINGE + ", fixed: [ground, rod]"),
    (HINGE, HINGE + ", axis: [1, 0]"),
    (HINGE, HINGE + ", length: 1"),
    (HINGE, HINGE + ", mu: 0.1"),
    (HINGE, HINGE + ", clearance: 0.1"),
    (HINGE, pin("")),
    (HINGE, pin("mu: 0.1")),
    (HINGE, pin("size: 0.1, length: 1")),
    (HINGE, GUIDE + ", length: 1"),
    (HINGE, GUIDE + ", clearance: 0.1"),
    (HINGE, slider("size: 0.1, length: 1")),
    (HINGE, slider("size: 0.1, width: 1")),
    (HINGE, slider("length: 1, width: 1")),
    (HINGE, slider("size: 0.1, length: 1, width: 1, radius: 0.1")),
    (HINGE, pin("size: 0.1").replace("revolute", "distance")),
    (HINGE, HINGE.replace("revolute", "fixed")),
    (HINGE, "name: A, gear: [ground, rod], ratio: 1, angle: 1"),
    (HINGE, "name: A, driven: rod.phi, to: t, ratio: 1"),
    ("stiffness: 100", "stiffness: 100, turning: [ground, ball]"),
    ("stiffness: 100", "stiffness: 100, angle: 1"),
    ("between: [ground, ball], at: [[3, 1], [0, 0]]", "turning: [ground, ball]"),
    ("between: [ground, ball], at: [[3, 1], [0, 0]], stiffness: 100, length: 1", "turning: [ground, ball], at: [0, 0]"),
    ("mu: 0.3, eN: 0.5", "never: true, mu: 0.3"),
    ("mu: 0.3, eN: 0.5", "never: true, eN: 0.5"),
    ("mu: 0.3, eN: 0.5", "never: true, eT: 0.5"),
    *(("mu: 0.3, eN: 0.5", "never: true, " + law)
      for law in ("friction_force: 1", "mu_static: 1", "v_s: 1", "stiffness: 1", "v_s: 1, mu_inf: 0")),
    ("mu: 0.3, eN: 0.5", "mu: 0.3, mu_inf: 0.1"),
    (HINGE, pin("size: 0.1, mu: 0.3, mu_inf: 0.1")),
    (HINGE, slider("size: 0.1, length: 1, width: 1, mu: 0.3, mu_inf: 0.1")),
    ("constraints:", "cycle: {travel: rod.x}\nconstraints:"),
    # words and names
    ("  rod:", "  all:"),
    ("  rod:", "  rod.a:"),
    ("  rod:", "  2rod:"),
    ("link_{i}:", "link_{i*2}:"),
    ("fixed: true", "fixed: yes"),
    ("group: balls", "group: all"),
    ("group: balls", "group: two balls"),
    ("group: balls", 'group: "balls_{i}"'),
    ("name: A", "name: 2A"),
    ("name: A", "name: hinge A"),
    ("name: A", 'name: "A_{i}"'),
    ("mu: 0.3, eN: 0.5", "never: yes"),
    ("  c: {", "  2c: {"),
    ("  c: {", "  c_{i}: {"),
    # types
    ("[0, -9.81]", "-9.81"),
    ("[0, -9.81]", "[0, 0, -9.81]"),
    ("[0, -9.81]", "[0]"),
    ("bodies:", "bodies: []\nsource:"),
    ("{x: l/2, omega: 1}", "[l/2, 0]"),
    ("[half_plane: {normal: [0, 1]}]", "{half_plane: {normal: [0, 1]}}"),
    ("[half_plane: {normal: [0, 1]}]", "[half_plane]"),
    ("half_plane: {normal: [0, 1]}", "half_plane: {normal: 1}"),
    ("half_plane: {normal: [0, 1]}", "segment: [[0, 0]]"),
    ("half_plane: {normal: [0, 1]}", "segment: [[0, 0], [1, 0], [2, 0]]"),
    ("half_plane: {normal: [0, 1]}", "polygon: [[0, 0], [1, 0]]"),
    ("half_plane: {normal: [0, 1]}", "polygon: [0, 1, 2]"),
    ("radius: 0.1", "radius: 0.1, center: 0"),
    ("outline: [[5, 0], [6, 0], [5, 1]]", "outline: [5, 0, 6, 0, 5, 1]"),
    (BODIES[BODIES.index("joints:"):BODIES.index("springs:")], "joints: {A: {fixed: [ground, rod]}}\n"),
    (HINGE, "name: A, revolute: rod, at: [0, 0]"),
    (HINGE, "name: A, revolute: [rod], at: [0, 0]"),
    (HINGE, "name: A, revolute: [ground, rod, ball], at: [0, 0]"),
    (HINGE, "name: A, revolute: [ground, rod], at: 0"),
    (HINGE, "name: A, revolute: [ground, rod], at: [0, 0, 0]"),
    (HINGE, "name: A, revolute: [ground, rod], at: [0, [0, 0]]"),
    (HINGE, "name: A, revolute: [ground, rod], at: [[0, 0]]"),
    (HINGE, "name: A, prismatic: [ground, rod], at: [0, 0], axis: 1"),
    (HINGE, "name: A, driven: [rod.phi], to: t"),
    ("  - {between: [ground", "  s: {between: [ground"),
    ("  - {turning:", "  m: {turning:"),
    ("  - {between: [floor, balls]", "  c: {between: [floor, balls]"),
    ("between: [floor, balls]", "between: floor"),
    ("between: [floor, balls]", "between: [floor]"),
    ("between: [floor, balls]", "between: [floor, balls, rod]"),
    ("between: [floor, balls]", "between: [[floor, balls], rod]"),
    ("  c: {formula: ball.x - 3, unit: m}", "  - ball.x"),
    ("  c: {formula: ball.x - 3, unit: m}", "  c: [ball.x]"),
    ("  c: {formula: ball.x - 3, unit: m}", "  c:"),
    ("unit: m}", "unit: [m]}"),
]

BEYOND_LAWS = ["mu: -0.1", "eN: 1.1", "eN: -0.1", "eT: 1.1", "eT: -0.1", "friction_force: -1",
               "mu_static: -1", "v_s: 1, mu_inf: -1", "v_s: -1", "stiffness: 0", "stiffness: -1"]
BEYOND_BODIES = [
    ("mass: m", "mass: 0"),
    ("inertia: m*l^2/12", "inertia: -1"),
    ("density: 2000", "density: 0"),
    ("radius: 0.1", "radius: 0"),
    ("circle: {radius: 0.1}", "box: {width: 0, height: 1}"),
    ("circle: {radius: 0.1}", "box: {width: 1, height: -1}"),
    (HINGE, pin("size: 0")),
    (HINGE, pin("size: 1, radius: -1")),
    *((HINGE, pin("size: 1, " + law)) for law in BEYOND_LAWS),
    *((HINGE, slider("size: 1, length: 1, width: 1, " + law)) for law in BEYOND_LAWS),
    (HINGE, slider("size: 0, length: 1, width: 1")),
    (HINGE, slider("size: 1, length: -1, width: 1")),
    (HINGE, slider("size: 1, length: 1, width: 0")),
    (HINGE, HINGE.replace("revolute", "distance") + ", length: 0"),
    *(("mu: 0.3, eN: 0.5", law) for law in BEYOND_LAWS),
]

REFINED = "mu_static: 0.2, mu_inf: 0.05, v_s: 0.1*l, stiffness: 2"  # beside a mu of 0.1
ACCEPTED_BODIES = [
    ("gravity: [0, -9.81]\n", ""),
    ("gravity:", "coordinates: {s: {velocity: v}}\nkinetic: m*v^2\npotential: s*rod.x\nforces: {rod.phi: sin(t)}\n"
                 "dissipation: rod.omega^2\ngravity:"),
    ("gravity:", "outputs: {tip: rod.y + sin(rod.phi)}\nimpulses: [{at: 1, on: {ball.x: 1}}]\ngravity:"),
    ("normal: [0, 1]", "normal: [0.1, l], point: [0, m]"),
    ("half_plane: {normal: [0, 1]}", "half_plane: {}"),
    ("half_plane: {normal: [0, 1]}", "segment: [[-l, 0], [l, 0]]"),
    ("half_plane: {normal: [0, 1]}", "polygon: [[-l, 0], [l, 0], [0, -1]]"),
    ("[half_plane: {normal: [0, 1]}]", "[]"),
    ("start: {y: -1}", "start: {x: m, y: -1, phi: pi/4}"),
    ("fixed: true", "fixed: true, group: walls, meaning: the floor"),
    ("{x: l/2, omega: 1}", "{x: l/2, y: ball.y, phi: 0, vx: 0, vy: 1, omega: 1}"),
    ("inertia: m*l^2/12", "inertia: 1, fixed: false"),
    ("inertia: m*l^2/12", "inertia: 1, fill: red"),
    ("circle: {radius: 0.1}", "box: {width: l, height: 1, center: [0, 0], angle: pi/3}"),
    ("circle: {radius: 0.1}", "circle: {radius: l, center: [0, 0]}"),
    ("[circle: {radius: 0.1}]", "[circle: {radius: 1}, box: {width: 1, height: 1, center: [1, 0]}], inertia: 3"),
    ("density: 2000", "density: 2000, start: {vx: 1, vy: 0, omega: 2}"),
    ("for: i in 1..3, mass: 1", "for: i in 1..3, group: links, meaning: 'link {i}', mass: i"),
    ("for: i in 1..3, mass: 1", "for: i in 1..3, group: [a, b, 'c_{i-1}'], meaning: [a, b, c], mass: i"),
    ("name: A, ", ""),
    (HINGE, HINGE + ", meaning: a hinge"),
    (HINGE, "revolute: [ground, rod], at: [0, rod.y]"),
    (HINGE, pin("size: 1e-3")),
    (HINGE, pin("size: 1e-3, radius: 0.01, mu: 0.1, eN: 0.5, eT: 0, friction_force: 1, " + REFINED)),
    (HINGE, slider("size: 1e-3, length: l, width: 0.1*l")),
    (HINGE, slider("size: 1e-3, length: 1, width: 1, mu: 0.1, eN: 0.5, eT: 0, friction_force: 1, " + REFINED)),
    (HINGE, slider("size: 1e-3, length: 1, width: 1") + ", axis: [1, 0], angle: 0"),
    (HINGE, HINGE + "}\n  - {name: B, gear: [rod, ball], ratio: -2"),
    (HINGE, "name: A, prismatic: [ground, rod], at: [0, 0], axis: [1, l]"),
    (HINGE, "name: A, fixed: [ground, rod]"),
    (HINGE, "name: A, distance: [ground, rod], at: [[0, 0], [0, 0]]"),
    (HINGE, "name: A, distance: [ground, rod], at: [[0, 0], [0, 0]], length: l + t"),
    (HINGE, "name: A, driven: rod.phi - ball.phi, to: 150*t"),
    ("name: \"h_{i}\"", "name: [a, 'b_{i}'], meaning: [a, b]"),
    ("stiffness: 100", "stiffness: 100*l, damping: 2"),
    ("between: [ground, ball], at: [[3, 1], [0, 0]], stiffness: 100, length: 1",
     "for: i in 1..3, turning: [ground, 'link_{i}'], stiffness: i, damping: 1, angle: pi/i"),
    ("torque: 0.1", "torque: 2*sin(t) - rod.omega"),
    ("{turning: [ground, rod]", "{for: i in 1..2, turning: ['link_{i}', 'link_{i+1}']"),
    ("eN: 0.5", "eN: 0.5, eT: 0.1, friction_force: 1, meaning: floor, never: false"),
    ("mu: 0.3", "mu: 0.1, " + REFINED),
    ("eN: 0.5}", "eN: 0.5}\n  - {for: i in 1..2, between: ['link_{i}', 'link_{i+1}'], never: true, meaning: [a, b]}"),
    ("between: [floor, balls]", "between: [all, all]"),
    ("  c: {formula: ball.x - 3, unit: m}", "  c: ball.x - 3\n  a.b: ball.y"),
    ("joints:\n  - {" + HINGE, "cycle: {contact: A, travel: rod.phi}\njoints:\n  - {" + pin("size: 1e-3")),
    (BODIES, "name: a\nbodies: {p: {mass: 1, inertia: 1}}\njoints:\nsprings:\nmotors:\ncollisions:\nconstraints:\n"),
]

SPACE = """\
name: base
dimension: 3
parameters: {m: 2, r: 0.5}
gravity: [0, 0, -9.81]
bodies:
  floor: {fixed: true, start: {z: -1}, shapes: [half_space: {normal: [0, 0, 1]}]}
  ball: {mass: m, shapes: [sphere: {radius: r}], start: {z: r, wz: 1}, group: balls}
  rod: {mass: 1, inertia: [1, 1, 0.1], start: {x: 5}}
  bead_{i}: {for: i in 1..3, mass: 1, inertia: 0.1, start: {x: 10 + i}}
collisions:
  - {between: [floor, balls], mu: 0.3, eN: 0.5}
outputs:
  speed: {formula: ball.vx, unit: m/s}
run: {dt: 1e-3, end: 1}
"""
LAW = "mu: 0.3, eN: 0.5"

REFUSED_SPACE = [
    # the dimension, and what it excludes
    ("dimension: 3", "dimension: 4"),
    ("dimension: 3", "dimension: space"),
    ("dimension: 3", "dimension: [3]"),
    ("dimension: 3", "dimension: 2"),
    ("dimension: 3\n", ""),
    *(("run:", f"{part}\nrun:") for part in (
        "joints: []", "springs: []", "motors: []", "contacts: []", "elements: []", "impulses: []", "drawing: []",
        "constraints: {c: rod.x}", "potential: rod.x", "dissipation: rod.vx^2", "forces: {}", "kinetic: rod.vx^2",
        "coordinates: {s: {velocity: v}}", "mass: [[1]]", "force: [1]", "cycle: {}")),
    ("dt: 1e-3", "project_drift: true"),
    ("dt: 1e-3", "method: euler"),
    # keys that are unknown, or of the plane
    ("mass: m", "density: m"),
    ("wz: 1", "omega: 1"),
    ("radius: r", "radius: r, angle: 1"),
    ("sphere: {radius: r}", "circle: {radius: r}"),
    ("normal: [0, 0, 1]", "normals: [0, 0, 1]"),
    *((LAW, law) for law in ("friction_force: 1", "mu_static: 1", "v_s: 1", "v_s: 1, mu_inf: 0", "stiffness: 1")),
    (LAW, "friction: {ellips: [1, 1]}"),
    (LAW, "directions: {ring: 8}"),
    # keys that are missing
    ("mass: m, ", ""),
    ("inertia: [1, 1, 0.1], ", ""),
    ("radius: r", ""),
    ("for: i in 1..3, ", ""),
    ("between: [floor, balls], ", ""),
    ("sphere: {radius: r}", "hollow_sphere: {radius: r}"),
    (LAW, "directions: {from: 1}"),
    # alternatives
    ("fixed: true", "fixed: true, mass: 1"),
    ("fixed: true", "fixed: true, inertia: 1"),
    ("fixed: true", "fixed: true, force: [0, 0, 1]"),
    ("fixed: true", "fixed: true, moment: [0, 0, 1]"),
    ("start: {z: -1}", "start: {vz: -1}"),
    (LAW, "friction: {ellipse: [1, 1], hull: [[1, 0]]}"),
    (LAW, "friction: {hull: [[1, 0], [-1, 0]]}, directions: 4"),
    (LAW, "directions: {around: 4, matrix: [[1, 0]]}"),
    (LAW, "directions: {matrix: [[1, 0]], from: 1}"),
    *((LAW, "never: true, " + law) for law in
      ("mu: 0.3", "eN: 0.3", "eT: 0.3", "friction: disk", "directions: 4", "tangent: [1, 0, 0]")),
    # types and sizes
    ("[0, 0, -9.81]", "[0, -9.81]"),
    ("[0, 0, -9.81]", "[0, 0, 0, -9.81]"),
    ("[1, 1, 0.1]", "[1, 1]"),
    ("inertia: [1, 1, 0.1]", "inertia: 1, force: [1, 0]"),
    ("inertia: [1, 1, 0.1]", "inertia: 1, moment: 1"),
    ("radius: r", "radius: r, center: [0, 0]"),
    ("normal: [0, 0, 1]", "normal: [0, 1]"),
    ("normal: [0, 0, 1]", "point: 1"),
    ("half_space: {normal: [0, 0, 1]}", "half_space"),
    (LAW, "friction: square"),
    (LAW, "friction: [1, 1]"),
    (LAW, "friction: {ellipse: [1, 1, 1]}"),
    (LAW, "friction: {ellipsoid: [1, 1]}"),
    (LAW, "friction: {disk_and_interval: [1, 1]}"),
    (LAW, "friction: {hull: []}"),
    (LAW, "friction: {hull: [1, 0]}"),
    (LAW, "friction: {hull: [[1, 0, 0, 0]]}"),
    (LAW, "friction: {half_spaces: [[1]]}"),
    (LAW, "friction: {ellipsoid: [1, 1, 1]}, directions: {circles: [[1, 2, 3]]}"),
    (LAW, "friction: {ellipsoid: [1, 1, 1]}, directions: {latitudes: 3}"),
    (LAW, "tangent: [1, 0]"),
]

BEYOND_SPACE = [
    ("mass: m", "mass: 0"),
    ("[1, 1, 0.1]", "-1"),
    ("[1, 1, 0.1]", "[1, 1, 0]"),
    ("radius: r", "radius: 0"),
    *((LAW, law) for law in ("mu: -0.1", "eN: 1.1", "eN: -0.1", "eT: 1.1", "eT: -0.1")),
    (LAW, "friction: {ellipse: [1, -1]}"),
    (LAW, "friction: {ellipsoid: [1, 1, -1]}"),
    (LAW, "friction: {disk_and_interval: [-1, 1, 1]}"),
    (LAW, "directions: 0"),
    (LAW, "directions: 2.5"),
    (LAW, "directions: 101"),
    (LAW, "directions: {around: 0}"),
    (LAW, "friction: {ellipsoid: [1, 1, 1]}, directions: [1, 0, 1]"),
]

ACCEPTED_SPACE = [
    ("gravity: [0, 0, -9.81]\n", "title: a\nsource: b\nnotes: c\ncaution: d\nlet: {a: 2*m}\n"),
    ("start: {z: -1}", "start: {x: m, y: 1, z: -1, qw: 1, qx: 0, qy: 1/2, qz: 0}"),
    ("start: {z: r, wz: 1}", "start: {x: 0, y: 0, z: r, qw: 0, qx: 1, qy: 0, qz: 0, vx: 1, vy: 1, vz: 1, wx: 1, wy: 1, wz: 1}"),
    ("fixed: true", "fixed: true, group: walls, meaning: the floor, fill: red"),
    ("mass: m", "mass: m, fixed: false, inertia: 0.1*m, force: [-ball.x, 0, sin(t)], moment: [0, 0, -ball.wz]"),
    ("sphere: {radius: r}", "sphere: {radius: r, center: [0, 0, 0]}"),
    ("half_space: {normal: [0, 0, 1]}", "half_space: {normal: [0, m, 1], point: [0, 0, r]}"),
    ("half_space: {normal: [0, 0, 1]}", "half_space: {}"),
    ("half_space: {normal: [0, 0, 1]}", "hollow_sphere: {radius: 3, center: [0, 0, 1]}"),
    ("for: i in 1..3, mass: 1", "for: i in 1..3, group: [a, b, 'c_{i-1}'], meaning: [a, b, c], mass: i"),
    (LAW, LAW + ", eT: 0.1, meaning: floor, never: false, friction: disk, directions: 6, tangent: [1, m, 0]"),
    (LAW + "}", LAW + "}\n  - {for: i in 1..2, between: ['bead_{i}', 'bead_{i+1}'], never: true, meaning: [a, b]}"),
    (LAW, "friction: {ellipse: [1, r]}, directions: {around: 5, from: pi/4}"),
    (LAW, "friction: {ellipsoid: [1, 1, r]}, directions: [1, 6, 8, 10, 8, 6, 1]"),
    (LAW, "friction: {ellipsoid: [1, 1, r]}, directions: {latitudes: [1, 4, 1], from: 1}"),
    (LAW, "friction: {ellipsoid: [1, 1, r]}, directions: {circles: [[pi/2, 1], [0, 8], [-pi/2, 1]]}"),
    (LAW, "friction: {disk_and_interval: [1, 1, r]}, directions: {matrix: [[1, 0, 0], [-1, 0, 0], [0, 0, 1]]}"),
    (LAW, "friction: {hull: [[1, 0], [0, 1], [-1, -1]]}"),
    (LAW, "friction: {half_spaces: [[1, 0], [-1, 0], [0, 1], [0, -1]]}"),
    ("dt: 1e-3", "method: stewart-trinkle, project_drift: false, dt: 1e-3"),
    ("dt: 1e-3", "method: tzitzouris-pang, theta: 0.5"),
    (SPACE, "name: a\ndimension: 3\nbodies: {p: {mass: 1, inertia: 1}}\ncollisions:\noutputs:\nparameters:\nlet:\n"),
]


def changed(old, new, base=BASE):
    assert base.count(old) == 1, f"'{old}' is {base.count(old)} times in the model"
    return base.replace(old, new)


def variants(of_base, of_bodies, of_space):
    """(what stands there instead, the model)"""
    return [(f"{old} -> {new}", changed(old, new, base))
            for base, changes in ((BASE, of_base), (BODIES, of_bodies), (SPACE, of_space)) for old, new in changes]


VALIDATOR = jsonschema.Draft7Validator(SCHEMA)


def mistakes(text, loader):
    found = VALIDATOR.iter_errors(yaml.load(text, loader))
    return [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}" for e in found]


def at(pointer):
    node = SCHEMA
    for part in pointer.split("/")[1:]:
        node = node[int(part) if isinstance(node, list) else part]
    return node


def closed_objects(node=None, pointer="#"):
    """The places of the schema that list all keys of an object."""
    node = SCHEMA if node is None else node
    if isinstance(node, dict) and "properties" in node and node.get("additionalProperties") is False:
        yield pointer
    for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield from closed_objects(value, f"{pointer}/{key}")


def keys_used(value, pointer="#"):
    """(place in the schema, key, the object that has it) of everything in a model that is valid."""
    node = at(pointer)
    if "$ref" in node:
        yield from keys_used(value, node["$ref"])
        return
    for kind in ("allOf", "anyOf"):
        for i in range(len(node.get(kind, []))):
            yield from keys_used(value, f"{pointer}/{kind}/{i}")
    if isinstance(value, list) and "items" in node:
        for item in value:
            yield from keys_used(item, pointer + "/items")
    if not isinstance(value, dict) or node.get("type", "object") == "array":
        return
    for key, item in value.items():
        if node.get("additionalProperties") is False and key in node.get("properties", {}):
            yield pointer, key, value
            yield from keys_used(item, f"{pointer}/properties/{key}")
        elif isinstance(node.get("additionalProperties"), dict):
            yield from keys_used(item, pointer + "/additionalProperties")
        for pattern in node.get("patternProperties", {}):
            if re.search(pattern, key):
                yield from keys_used(item, node["patternProperties"][pattern]["$ref"])


class SchemaTest(unittest.TestCase):
    def picus(self, command, text):
        with tempfile.TemporaryDirectory(prefix="picus-test-") as folder:
            path = os.path.join(folder, "model.yaml")
            with open(path, "w") as file:
                file.write(text)
            more = ["--quiet", "--end", "0.01", "--out", os.path.join(folder, "out")] if command == "run" else []
            return subprocess.run([PICUS, command, path, *more], capture_output=True, text=True, timeout=50)


class Itself(SchemaTest):
    def test_is_draft_07(self):
        self.assertEqual(SCHEMA["$schema"], "http://json-schema.org/draft-07/schema#")
        self.assertNotIn("$id", SCHEMA)
        jsonschema.Draft7Validator.check_schema(SCHEMA)

    def test_every_key_has_a_description(self):
        for pointer in closed_objects():
            for key, entry in at(pointer)["properties"].items():
                self.assertRegex(entry.get("description", ""), r"^\S.{10,}\.$", f"{pointer} {key}")

    def test_references_stand_alone_and_lead_somewhere(self):
        """Draft 07 ignores what stands beside $ref."""
        def check(node):
            if isinstance(node, dict) and "$ref" in node:
                self.assertEqual(list(node), ["$ref"])
                at(node["$ref"])
            for value in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
                check(value)
        check(SCHEMA)

    def test_examples_are_valid(self):
        def check(node):
            if isinstance(node, dict) and isinstance(node.get("examples"), list):
                for example in node["examples"]:
                    schema = {"definitions": SCHEMA["definitions"], **node}
                    errors = [e.message for e in jsonschema.Draft7Validator(schema).iter_errors(example)]
                    self.assertEqual(errors, [], example)
            for value in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
                check(value)
        check(SCHEMA["properties"])
        check(SCHEMA["definitions"])


class Files(SchemaTest):
    def accept(self, text):
        for loader in (AsReader, AsEditor):
            self.assertEqual(mistakes(text, loader), [], loader.__name__)
        result = self.picus("show", text)
        self.assertEqual(result.returncode, 0, result.stderr)

    def refuse(self, text, loaders, command="show"):
        for loader in loaders:
            self.assertNotEqual(mistakes(text, loader), [], f"the schema accepts it ({loader.__name__})")
        result = self.picus(command, text)
        self.assertEqual(result.returncode, 2, "picus accepts it" + result.stderr)
        self.assertEqual(result.stdout, "")

    def test_models(self):
        paths = sorted(glob.glob(os.path.join(MODELS, "*.yaml")))
        self.assertGreaterEqual(len(paths), 4)
        for path in paths:
            with self.subTest(path), open(path) as file:
                text = file.read()
                self.accept(text)
                self.assertEqual(text.splitlines()[0], "# yaml-language-server: $schema=schema.json")

    def test_variants_are_accepted(self):
        self.accept(BASE)
        self.accept(BODIES)
        self.accept(SPACE)
        for what, model in variants(ACCEPTED, ACCEPTED_BODIES, ACCEPTED_SPACE):
            with self.subTest(what):
                self.accept(model)

    def test_variants_use_every_key(self):
        used = set()
        for _, model in variants(ACCEPTED, ACCEPTED_BODIES, ACCEPTED_SPACE):
            used |= {found[:2] for found in keys_used(yaml.load(model, AsReader))}
        self.assertEqual(used, {(pointer, key) for pointer in closed_objects() for key in at(pointer)["properties"]})

    def test_wrong_types_are_refused_at_every_key(self):
        """A list where an object stood, an object elsewhere."""
        seen = set()
        for _, text in variants(ACCEPTED, ACCEPTED_BODIES, ACCEPTED_SPACE):
            model = yaml.load(text, AsReader)
            for pointer, key, parent in list(keys_used(model)):
                value = parent[key]
                kind = (pointer, key, type(value))
                if kind in seen or value is None:
                    continue
                seen.add(kind)
                parent[key] = ["wrong"] if isinstance(value, dict) else {"wrong": "1"}
                with self.subTest(f"{pointer} {key}"):
                    self.refuse(json.dumps(model), (AsReader,))
                parent[key] = value

    def test_mistakes_are_refused(self):
        for what, model in variants(REFUSED, REFUSED_BODIES, REFUSED_SPACE):
            with self.subTest(what):
                self.refuse(model, (AsReader, AsEditor))

    def test_numbers_beyond_limits_are_refused(self):
        for what, model in variants(BEYOND, BEYOND_BODIES, BEYOND_SPACE):
            with self.subTest(what):
                self.refuse(model, (AsEditor,))
        for old, new in BEYOND_IN_RUN:
            with self.subTest(new):
                self.refuse(changed(old, new), (AsEditor,), "run")

    def test_colour_that_became_a_comment_is_refused(self):
        for loader in (AsReader, AsEditor):
            self.assertNotEqual(mistakes(changed("fill: red", "fill: #ff0000\n   "), loader), [])


class Sources(SchemaTest):
    """The lists of the reader are those of the schema."""

    PLACES = {
        "a model file": "#",
        "parameter": "#/definitions/parameter/anyOf/1",
        "coordinate": "#/definitions/coordinate",
        "the velocity of": "#/definitions/coordinate/properties/velocity/anyOf/1",
        "let": "#/definitions/letEntry/anyOf/2",
        "a contact": "#/definitions/contact",
        "an element": "#/definitions/element",
        "an impulse": "#/definitions/impulse",
        "output": "#/definitions/outputEntry",
        "a shape": "#/definitions/shape",
        "picture_and_run.cpp: a circle": "#/definitions/shape/properties/circle",
        "picture_and_run.cpp: a spring": "#/definitions/shape/properties/spring",
        "a figure": "#/definitions/figure",
        "cycle": "#/properties/cycle",
        "run": "#/properties/run",
        "body": "#/definitions/body",
        "the start of body": "#/definitions/body/properties/start",
        "outlines_and_shapes.cpp: a circle": "#/definitions/bodyShape/properties/circle",
        "a box": "#/definitions/bodyShape/properties/box",
        "a half_plane": "#/definitions/bodyShape/properties/half_plane",
        "a collision": "#/definitions/collision",
        "a joint": "#/definitions/joint",
        "the clearance of a revolute joint": "#/definitions/pinClearance",
        "the clearance of a prismatic joint": "#/definitions/sliderClearance",
        "forces_between_bodies.cpp: a spring": "#/definitions/springBetweenBodies",
        "a motor": "#/definitions/motor",
        "constraint": "#/definitions/constraintEntry",
        "space_bodies.cpp: body": "#/definitions/spatialBody",
        "space_bodies.cpp: the start of body": "#/definitions/spatialBody/properties/start",
        "space_shapes.cpp: a shape": "#/definitions/spatialShape",
        "a sphere": "#/definitions/sphere",
        "a half_space": "#/definitions/spatialShape/properties/half_space",
        "space_collisions.cpp: a collision": "#/definitions/spatialCollision",
        "friction": "#/definitions/frictionSet",
        "directions": "#/definitions/directions/anyOf/2",
    }
    BY_COORDINATE = {"forces": "#/properties/forces", "'on'": "#/definitions/impulse/properties/on"}

    def source(self, pattern):
        paths = sorted(glob.glob(os.path.join(SOURCES, pattern)))
        self.assertTrue(paths, pattern)
        text = ""
        for path in paths:
            with open(path, encoding="utf-8") as file:
                text += file.read()
        return text

    def words(self, text, pattern):
        found = re.findall(pattern + r"\s*\{([^{}]*)\}", text)
        self.assertEqual(len(found), 1, pattern)
        return re.findall(r'"([^"]*)"', found[0])

    def listed(self, text, variable):
        """The words of a list that a source builds: its own, and those of lists that it takes over."""
        own = re.findall(rf'\b{variable} =\s*\{{([^{{}}]*)\}}', text)
        taken = re.findall(rf"\b{variable}(?:\.insert\({variable}\.end\(\), |\()(\w+)\.begin\(\), \w+\.end\(\)\)", text)
        self.assertEqual(len(own) or bool(taken), 1, variable)
        return sum((self.listed(text, other) for other in taken), re.findall(r'"([^"]*)"', "".join(own)))

    def test_keys(self):
        keys = {"#/definitions/bodyShape": sorted(self.listed(self.source("modelfile/outlines_and_shapes.cpp"), "kinds"))}
        count = 0
        entries = self.source("modelfile/entries.cpp")
        law = self.words(entries, r"for \(const char\* key :")
        of_formula = sorted(re.findall(r'"(\w+)"', re.findall(r'key\.name \+ "\'", \{([^{}]*)\}', entries)[0]))
        for path in sorted(glob.glob(os.path.join(SOURCES, "modelfile/*.cpp"))):
            name = os.path.basename(path)
            if name == "entries.cpp":  # reads what the others ask for
                continue
            text = self.source("modelfile/" + name)
            calls = list(re.finditer(
                r'(?:expect_map|read_entries)\(\s*\*?\w+(?:\("\w+"\))?,\s*(?:"([^"]*?)(?: \')?"(?:\s*\+[^,{}]*)?|(\w+)),'
                r'\s*(keys_with_law\(|)(?:\{([^{}]*)\}(?:, \{([^{}]*)\})?|(\w+))\s*[,)]', text))
            asked = len(re.findall(r"\b(?:expect_map|read_entries)\(", text)) - text.count("Reading::expect_map(")
            self.assertEqual(len(calls), asked, f"calls of expect_map and read_entries in {name}")
            count += len(calls)
            for what in re.findall(r'read_named_formulas\(\s*\*\w+, "(\w+)"', text):
                keys[self.PLACES[what]] = of_formula
            for call in calls:
                what, named, with_law, listed, behind, variable = call.groups()
                if named:  # the text is a variable
                    what = re.findall(rf'\b{named} =\s*"([^",]*)', text[:call.start()])[-1]
                if variable == "coordinates":
                    self.assertNotIn("properties", at(self.BY_COORDINATE[what]))
                    continue
                place = self.PLACES.get(f"{name}: {what}") or self.PLACES[what]
                self.assertNotIn(place, keys)
                if what == "run":  # from the table of options, which test_options compares
                    keys[place] = sorted(at(place)["properties"])
                    continue
                own = self.listed(text, variable) if variable else re.findall(r'"([^"]*)"', listed + (behind or ""))
                keys[place] = sorted(own + (law if with_law else []))
        self.assertGreater(count, 20)
        self.assertEqual(keys, {pointer: sorted(at(pointer)["properties"]) for pointer in closed_objects()})

    def test_keys_in_space(self):
        text = self.source("modelfile/space_bodies.cpp")
        self.assertEqual(sorted(SCHEMA["allOf"][0]["then"]["propertyNames"]["enum"]), sorted(self.listed(text, "keys_in_space")))

    def test_keys_of_joints(self):
        text = self.source("modelfile/joints.cpp")
        further = text[text.index(" further = {"):]
        further = dict(re.findall(r'\{"(\w+)", \{([^{}]*)\}\}', further[:further.index("};")]))
        self.assertEqual(list(further), self.listed(text, "joint_kinds"))
        branches = at("#/definitions/joint")["oneOf"]
        alternatives = {branch["required"][0]: branch["propertyNames"]["enum"] for branch in branches}
        for kind, keys in further.items():
            expected = ["for", "name", "meaning", kind] + re.findall(r'"(\w+)"', keys)
            self.assertEqual(sorted(alternatives.pop(kind)), sorted(expected))
        self.assertEqual(alternatives, {})

    def test_words(self):
        text = self.source("modelfile/*.cpp")
        lists = {
            "#/definitions/parameter/anyOf/1/properties/range": r"range_names =",
            "#/definitions/element/properties/law": r"laws =",
        }
        for pointer, pattern in lists.items():
            self.assertEqual(at(pointer)["enum"], self.words(text, pattern))

    def test_names_that_are_taken(self):
        functions = re.findall(r'\{Op::\w+, "(\w+)"', self.source("formula/functions.hpp"))
        others = re.findall(r'name == "(\w+)"', self.source("modelfile/names.cpp"))
        self.assertGreater(len(functions), 20)
        self.assertEqual(sorted(others), ["and", "der", "not", "or", "pi", "t"])
        taken = at("#/definitions/name")["not"]["enum"]
        self.assertEqual(sorted(taken), sorted(functions + others))
        self.assertEqual(at("#/definitions/for")["not"]["pattern"], f"^({'|'.join(taken)}) in ")

    def test_sizes(self):
        limits = dict(re.findall(r"(\w+)_limit = (\d+)[,;]", self.source("modelfile/definition.hpp")))
        self.assertEqual(at("#/properties/coordinates")["maxProperties"], int(limits["coordinate"]))
        for key in ("mass", "force"):
            self.assertEqual(at(f"#/properties/{key}")["maxItems"], int(limits["coordinate"]))
        for key in ("contacts", "elements", "joints"):
            self.assertEqual(at(f"#/properties/{key}")["maxItems"], int(limits["row"]))
        self.assertEqual(at("#/properties/constraints")["maxProperties"], int(limits["row"]))
        self.assertEqual(at("#/properties/bodies")["maxProperties"], int(limits["body"]))
        rounds = re.findall(r"most_rounds = (\d+);", self.source("modelfile/reading.cpp"))
        self.assertEqual([str(at("#/definitions/roundsOfText")["maxItems"])], rounds)


if __name__ == "__main__":
    unittest.main(verbosity=2)
