#!/usr/bin/env python3
"""Makes report pages from run folders by CONTRACT.md, with scenes written by hand. For development only.

    tools/mock_page.py OUT.html DIR [DIR...]    one page of one or several runs
    tools/mock_page.py --all                    the pages that the browser tests open, into mock/
"""
import argparse
import base64
import json
import math
import os
import pathlib

import h5py
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent.parent
RUNS = pathlib.Path(os.environ.get("PICUS_RUNS", "runs"))
TEMPLATE = HERE.parent / "src" / "report" / "template" / "report.html"
TYPES = {"f4": "<f4", "f8": "<f8", "i4": "<i4", "u1": "u1"}


def series(values, kind="f4"):
    raw = np.ascontiguousarray(np.asarray(values).reshape(-1), dtype=TYPES[kind])
    return {"n": int(raw.size), "type": kind, "b64": base64.b64encode(raw.tobytes()).decode()}


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def body_names(table, suffix):
    return [n[: -len(suffix)] for n in table.dtype.names if n.endswith(suffix)]


def box_of(points, margin):
    low, high = np.min(points, axis=0) - margin, np.max(points, axis=0) + margin
    return [float(v) for pair in zip(low, high) for v in pair]


def turned(cx, cy, angle, corners):
    c, s = np.cos(angle), np.sin(angle)
    columns = []
    for x, y in corners:
        columns += [cx + c * x - s * y, cy + s * x + c * y]
    return np.stack(columns, axis=1)


def woodpecker(q, p, names):
    y, a, b = q["y"], q["phi_M"], q["phi_S"]
    zero = np.zeros_like(y)
    r, h = p["r_M"], p["h_M"]
    sx, sy = p["l_M"] * np.cos(a), y + p["l_M"] * np.sin(a)
    bx, by = sx + p["l_G"] * np.cos(b) * 1.0, sy + p["l_G"] * np.sin(b)
    body = [(0.012 * math.cos(k), 0.0 + 0.006 * math.sin(k)) for k in np.linspace(0, 2 * math.pi, 24, endpoint=False)]
    body = [(0.5 * x - 0.35 * z + 0.002, 0.9 * x + 0.8 * z) for x, z in body]
    head = turned(bx, by, b, [(-0.006 + 0.0055 * math.cos(k), 0.0165 + 0.005 * math.sin(k)) for k in np.linspace(0, 2 * math.pi, 20, endpoint=False)])
    beak = turned(bx, by, b, [(-0.010, 0.0185), (-p["l_S"], p["h_S"]), (-0.0095, 0.0145)])
    spring = np.stack([r + zero, y, bx, by, zero + 0.004], axis=1)
    pole = [-p["r_O"], float(y.min()) - 0.05, p["r_O"], float(y.min()) - 0.05, p["r_O"], float(y.max()) + 0.06, -p["r_O"], float(y.max()) + 0.06]
    places = []
    for contact, (px, dy, n) in enumerate([(p["r_O"], p["h_S"], 1.0), (p["r_O"], -h, 1.0), (p["r_O"], h, 1.0)]):
        shift = p["h_S"] + sy - y if contact == 0 else dy
        places.append({"contact": contact, "point": np.stack([zero + px, y + shift], axis=1), "normal": np.stack([zero + n, zero], axis=1)})
    sleeve_left = turned(zero, y, a, [(-r - 0.0012, -h), (-r, -h), (-r, h), (-r - 0.0012, h)])
    sleeve_right = turned(zero, y, a, [(r, -h), (r + 0.0012, -h), (r + 0.0012, h), (r, h)])
    return {
        "dimension": 2, "box": [-0.015, 0.05, float(y.min()) - 0.03, float(y.max()) + 0.04], "up": [0, 0, 1], "frames": [],
        "shapes": [
            {"kind": "polygon", "frame": -1, "numbers": pole, "fill": "#b08d57", "color": "#7a5c30", "label": "pole"},
            {"kind": "spring", "frame": -1, "motion": series(spring), "coils": 7, "color": "#777777"},
            {"kind": "polygon", "frame": -1, "motion": series(sleeve_left), "fill": "#0072B2", "color": "#004a75"},
            {"kind": "polygon", "frame": -1, "motion": series(sleeve_right), "fill": "#0072B2", "color": "#004a75", "label": "sleeve"},
            {"kind": "polygon", "frame": -1, "motion": series(turned(bx, by, b, body)), "fill": "#D55E00", "color": "#8f3f00", "label": "woodpecker"},
            {"kind": "polygon", "frame": -1, "motion": series(head), "fill": "#D55E00", "color": "#8f3f00"},
            {"kind": "polygon", "frame": -1, "motion": series(beak), "fill": "#E69F00", "color": "#8f6300"},
        ],
        "contactPlaces": places,
    }


def disks(q, p, names):
    bodies = body_names(q, ".phi")
    radius = [p["r"] * (1 if i % 2 == 0 else p.get("ratio", 1)) for i in range(len(bodies))]
    points = np.concatenate([np.stack([q[b + ".x"], q[b + ".y"]], axis=1) for b in bodies])
    shapes = [{"kind": "circle", "frame": i, "numbers": [0, 0, radius[i]], "label": b if len(bodies) < 10 else ""} for i, b in enumerate(bodies)]
    if "mouth" in p:
        m, w = p["mouth"] / 2, p["width"] / 2
        rise = (w - m) * p["slope"]
        shapes += [{"kind": "segment", "frame": -1, "numbers": n} for n in ([-w, rise, -m, 0], [w, rise, m, 0], [-w, rise, -w, rise + 2], [w, rise, w, rise + 2])]
    else:
        shapes.append({"kind": "half_plane", "frame": -1, "numbers": [0, 0, 0, 1], "label": "table"})
    places = []
    for i, name in enumerate(names):
        a, _, b = name.partition("/")
        if b not in bodies:
            continue
        pb = np.stack([q[b + ".x"], q[b + ".y"]], axis=1)
        if a in bodies:
            pa = np.stack([q[a + ".x"], q[a + ".y"]], axis=1)
            n = pb - pa
            n /= np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-12)
            places.append({"contact": i, "point": (pa + pb) / 2, "normal": n})
        elif a == "table":
            n = np.tile([0.0, 1.0], (len(q), 1))
            places.append({"contact": i, "point": np.stack([q[b + ".x"], 0 * q[b + ".x"]], axis=1), "normal": n})
    return {"dimension": 2, "box": box_of(points, max(radius)), "up": [0, 0, 1],
            "frames": [{"name": b, "columns": [b + ".x", b + ".y", b + ".phi"]} for b in bodies], "shapes": shapes, "contactPlaces": places}


def spheres(q, p, names):
    several = any("." in n for n in q.dtype.names)
    prefixes = [b + "." for b in body_names(q, ".qw")] if several else [""]
    centres = [np.stack([q[b + c] for c in "xyz"], axis=1) for b in prefixes]
    r = p["r"]
    shapes = [{"kind": "sphere", "frame": i, "numbers": [0, 0, 0, r]} for i in range(len(prefixes))]
    fixed = {}
    if "R_1" in p:
        shapes += [{"kind": "sphere", "frame": -1, "numbers": [0, 0, 0, p["R_1"]], "color": "#9aa5b1", "label": "large"},
                   {"kind": "sphere", "frame": -1, "numbers": [0, p["d"], 0, p["R_2"]], "color": "#c0b49a", "label": "small"}]
        fixed = {"large": ((0, 0, 0), p["R_1"]), "small": ((0, p["d"], 0), p["R_2"])}
    elif "R" in p:
        shapes.append({"kind": "hollow_sphere", "frame": -1, "numbers": [0, 0, p["R"], p["R"]], "label": "bowl"})
    else:
        shapes.append({"kind": "half_space", "frame": -1, "numbers": [0, 0, 0, 0, 0, 1], "label": "floor"})
    index = {b.rstrip("."): c for b, c in zip(prefixes, centres)}
    places = []
    for i, name in enumerate(names):
        a, _, b = name.partition("/")
        c = index.get(b, centres[0] if not several else None)
        if c is None or len(places) > 300:
            continue
        if a in index:
            n = c - index[a]
        elif a in fixed:
            n = c - np.array(fixed[a][0])
        elif a == "bowl":
            n = np.array([0, 0, p["R"]]) - c
        else:
            n = np.tile([0.0, 0.0, 1.0], (len(c), 1))
        n = n / np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-12)
        places.append({"contact": i, "point": c - r * n, "normal": n})
    return {"dimension": 3, "box": box_of(np.concatenate(centres), r), "up": [0, 0, 1],
            "frames": [{"name": b.rstrip(".") or "ball", "columns": [b + c for c in ("x", "y", "z", "qw", "qx", "qy", "qz")]} for b in prefixes],
            "shapes": shapes, "contactPlaces": places}


def slider_crank(q, p, names):
    a1, a2, a3 = q["theta_1"], q["theta_2"], q["theta_3"]
    zero = np.zeros_like(a1)
    x1, y1 = p["l_1"] * np.cos(a1), p["l_1"] * np.sin(a1)
    x2, y2 = x1 + p["l_2"] * np.cos(a2), y1 + p["l_2"] * np.sin(a2)
    a, b = p["a"], p["b"]
    corners = [(-a, b), (a, b), (-a, -b), (a, -b)]
    slider = turned(x2, y2, a3, [(-a, -b), (a, -b), (a, b), (-a, b)])
    half = p["d"] / 2
    places = []
    for i, corner in enumerate(corners):
        side = 1.0 if corner[1] > 0 else -1.0
        places.append({"contact": i, "point": turned(x2, y2, a3, [corner]), "normal": np.stack([zero, zero - side], axis=1)})
    return {
        "dimension": 2, "box": [-0.17, 0.53, -0.17, 0.17], "up": [0, 0, 1], "frames": [],
        "shapes": [
            {"kind": "segment", "frame": -1, "numbers": [0.08, -half, 0.53, -half]},
            {"kind": "segment", "frame": -1, "numbers": [0.08, half, 0.53, half]},
            {"kind": "polygon", "frame": -1, "motion": series(slider), "label": "slider"},
            {"kind": "segment", "frame": -1, "motion": series(np.stack([zero, zero, x1, y1], axis=1)), "color": "#D55E00", "label": "crank"},
            {"kind": "segment", "frame": -1, "motion": series(np.stack([x1, y1, x2, y2], axis=1)), "color": "#009E73", "label": "rod"},
            {"kind": "point", "frame": -1, "numbers": [0, 0]},
            {"kind": "point", "frame": -1, "motion": series(np.stack([x1, y1], axis=1))},
            {"kind": "point", "frame": -1, "motion": series(np.stack([x2, y2], axis=1))},
        ],
        "contactPlaces": places,
    }


SCENES = {"woodpecker": woodpecker, "billiards": disks, "hopper": disks, "sphere-in-groove": spheres, "sliding-sphere": spheres,
          "marbles": spheres, "slider-crank": slider_crank}

EQUATIONS = {
    "woodpecker": [
        r"\begin{aligned}(m_S+m_M)\,\ddot y + m_S\, l_M\,\ddot\varphi_M + m_S\, l_G\,\ddot\varphi_S &= -(m_S+m_M)\,g + \lambda_{T1}+\lambda_{T2}+\lambda_{T3}\\"
        r" m_S\, l_M\,\ddot y + (J_M+m_S l_M^2)\,\ddot\varphi_M + m_S l_M l_G\,\ddot\varphi_S &= -c_\varphi(\varphi_M-\varphi_S) - m_S g\, l_M + \dots\\"
        r" m_S\, l_G\,\ddot y + m_S l_M l_G\,\ddot\varphi_M + (J_S+m_S l_G^2)\,\ddot\varphi_S &= -c_\varphi(\varphi_S-\varphi_M) - m_S g\, l_G + \dots\end{aligned}",
        r"\mathbf{M}\,(\mathbf{u}_E-\mathbf{u}_A) - \mathbf{h}\,\Delta t = \mathbf{W}_N\boldsymbol{\Lambda}_N + \mathbf{W}_T\boldsymbol{\Lambda}_T",
        r"0 \le \xi_{N} \perp \Lambda_{N} \ge 0, \qquad -\xi_T \in \mathcal{N}_{[-\mu\Lambda_N,\,\mu\Lambda_N]}(\Lambda_T)",
    ],
    "slider-crank": [r"\gamma_{Ti} = \frac{\mathrm{d}}{\mathrm{d}t}\left(l_1\cos\theta_1 + l_2\cos\theta_2 \pm a\cos\theta_3\right)"],
}
TITLES = {"woodpecker": "Woodpecker toy", "billiards": "Balls in a row", "slider-crank": "Slider-crank with clearance", "marbles": "Marbles in a bowl",
          "sphere-in-groove": "Ball in the groove of two spheres", "sliding-sphere": "Sphere that slides and spins", "hopper": "Hopper"}
FIGURES = {
    "woodpecker": [
        {"title": "Fig. 4: phase portrait of the woodpecker", "x": {"label": "φ_S (rad)", "from": -0.6, "to": 0.2}, "y": {"label": "ω_S (rad/s)", "from": -20, "to": 20},
         "lines": [{"x": "phi_S", "y": "omega_S", "label": "woodpecker"}], "note": "The limit cycle is reached after the first peck."},
        {"title": "Fig. 5: phase portrait of the sleeve", "x": {"label": "φ_M (rad)"}, "y": {"label": "ω_M (rad/s)"}, "lines": [{"x": "phi_M", "y": "omega_M", "label": "sleeve"}]},
    ],
    "slider-crank": [{"title": "Fig. 3: corners of the slider", "x": {"label": "t (s)", "from": 0, "to": 0.16}, "y": {"label": "corner / clearance", "from": -1.1, "to": 1.1},
                      "lines": [{"x": "t", "y": f"corner_{k}", "label": f"corner {k}"} for k in (1, 2, 3, 4)]}],
}


def places_at(scene, names, rows, contacts):
    """Places and normals of contacts at rows of the motion, one after the other; NaN where the scene knows none."""
    d = scene["dimension"]
    known = {p["contact"]: p for p in scene["contactPlaces"]}
    point, normal = np.full((len(rows), d), np.nan), np.full((len(rows), d), np.nan)
    for number in set(contacts.tolist()) & set(known):
        here = contacts == number
        point[here], normal[here] = known[number]["point"][rows[here]], known[number]["normal"][rows[here]]
    return {"place": series(point), "normal": series(normal)}


def thinned_rows(t, most, events, dt):
    """Every so many rows, and beside them those around events."""
    stride = max(1, -(-len(t) // most))
    keep = set(range(0, len(t), stride)) | {len(t) - 1}
    if stride > 1:
        for beside in (-1, 0, 1):
            keep |= set(np.clip(np.searchsorted(t, events - dt * 0.25) + beside, 0, len(t) - 1).tolist())
    return np.array(sorted(keep))


def contact_bands(table, number, dt, start, end):
    states = table["status"][table["contact"] == number + 1]
    times = table["t"][table["contact"] == number + 1]
    begin, finish, state = [], [], []
    last = start
    for t, s in zip(times, states):
        left = max(t - dt, start)
        if state and state[-1] == s and left <= finish[-1] + 1e-9 * dt + dt * 1e-3:
            finish[-1] = t
        else:
            if left > last + dt * 1e-3:
                begin.append(last), finish.append(left), state.append(0)
            begin.append(left), finish.append(t), state.append(int(s))
        last = t
    if last < end:
        begin.append(last), finish.append(end), state.append(0)
    return {"contact": number, "from": series(begin, "f8"), "to": series(finish, "f8"), "state": series(state, "u1")}


def make_run(folder, most_rows, changed, motion_stride=1):
    """The data of a run; with motion_stride the motion of its scene has rows of its own, every so many."""
    folder = pathlib.Path(folder)
    summary = json.loads((folder / "summary.json").read_text())
    p, name = summary["parameters"], summary["model"]
    with h5py.File(folder / "result.h5") as f:
        states, energy, certificate, contacts, events = (f[k][:] for k in ("states", "energy", "certificate", "contacts", "events"))
        outputs = f["outputs"][:] if "outputs" in f else None
        units = {t: {k[5:]: text(v) for k, v in f[t].attrs.items() if k.startswith("unit:")} for t in ("states", "energy", "outputs") if t in f}
        names = [text(n) for n in f["contacts"].attrs.get("contact_names", [])]
        kinds = [text(n) for n in f["events"].attrs["kind_names"]]
    rows = len(states)
    keep = thinned_rows(states["t"], most_rows, events["t"], summary["dt"]) if most_rows > 1 else np.array([0])
    states, energy, certificate = states[keep], energy[keep], certificate[keep]
    t = states["t"]
    dt = summary["dt"]
    columns = []
    for table, unit, group in ((states, units["states"], None), (outputs[keep] if outputs is not None else None, units.get("outputs", {}), "output"),
                               (energy, units["energy"], "energy"), (certificate, {}, "certificate")):
        if table is None:
            continue
        for n in table.dtype.names:
            if n == "t":
                continue
            u = unit.get(n, "1")
            columns.append({"name": n, "unit": u, "group": group or ("velocity" if u.endswith("/s") else "coordinate"), "data": series(table[n])})
    row = np.searchsorted(t, contacts["t"] - dt * 0.25)
    there = (row < len(t)) & (np.abs(t[np.minimum(row, len(t) - 1)] - contacts["t"]) < dt * 0.5)
    kept, row = contacts[there], row[there]
    space = "gamma_Tt" in contacts.dtype.names
    tangential = [("T", "Tt"), ("O", "To"), ("R", "Tr")] if space else [("T", "T")]
    contact_rows = {"row": series(row, "i4"), "contact": series(kept["contact"] - 1, "i4"), "state": series(kept["status"], "u1"), "gap": series(kept["gap"]),
                    "gammaN": series(kept["gamma_N"]), "lambdaN": series(kept["Lambda_N"])}
    for short, long in tangential:
        contact_rows["gamma" + short] = series(kept["gamma_" + long])
        contact_rows["lambda" + short] = series(kept["Lambda_" + long])
    event_rows = np.clip(np.searchsorted(t, events["t"] + dt * 0.25) - 1, 0, len(t) - 1)
    event_places = {}
    scene = None
    if name in SCENES:
        places = SCENES[name](states, p, names)
        contact_rows |= places_at(places, names, row, kept["contact"] - 1)
        event_places = places_at(places, names, event_rows, events["contact"] - 1)
        scene = SCENES[name](states[::motion_stride], p, names)
        scene["box"] = places["box"]
        if motion_stride > 1:
            scene["t"] = series(t[::motion_stride], "f8")
        del scene["contactPlaces"]
    impacts = events["t"][(events["contact"] == 1) & (events["kind"] == 0)]
    pecks = impacts[np.concatenate([[True], np.diff(impacts) > 0.05])] if len(impacts) else impacts
    period = {"from": float(pecks[-3]), "to": float(pecks[-2])} if name == "woodpecker" and len(pecks) > 3 else None
    if name == "slider-crank":
        period = {"from": 0.0, "to": 2 * math.pi / 150}
    return {
        "name": name, "label": "", "model": {"name": name, "title": TITLES.get(name, name), "source": "after C. Glocker" if name == "woodpecker" else "", "description": ""},
        "command": f"picus run {name}" + "".join(f" --set {k}={p[k]}" for k in changed if k in p),
        "summary": summary, "equations": EQUATIONS.get(name, []),
        "parameters": [{"name": k, "value": v, "unit": "", "meaning": "", "changed": k in changed} for k, v in p.items()],
        "contacts": [{"name": n, "mu": p.get(f"mu{i + 1}", p.get("mu", p.get("mu1")))} | ({"turn": -1} if name == "woodpecker" else {}) for i, n in enumerate(names)],
        "thinned": {"rows": rows, "kept": len(keep), "note": f"This page shows {len(keep)} of {rows} rows; result.h5 holds all of them."} if len(keep) < rows else None,
        "t": series(t, "f8"), "columns": columns, "contactRows": contact_rows, "dt": dt,
        "events": {"t": series(events["t"], "f8"), "contact": series(events["contact"] - 1, "i4"), "kind": series(events["kind"], "u1"), "lambdaN": series(events["Lambda_N"])} | event_places,
        "eventKinds": kinds, "bands": [contact_bands(contacts, i, dt, float(t[0]), float(t[-1])) for i in range(len(names))],
        "period": period, "scene": scene, "figures": FIGURES.get(name, []),
    }


def many_spheres(count, rows):
    """A made-up 3D run with many bodies: a grid of bouncing, spinning spheres."""
    t = np.linspace(0, 2, rows)
    columns, frames, shapes = [], [], []
    side = math.ceil(math.sqrt(count))
    for i in range(count):
        x, y = (i % side) * 0.1, (i // side) * 0.1
        phase = 0.37 * i
        z = 0.04 + 0.2 * np.abs(np.cos(3 * t + phase))
        spin = 2 * t + phase
        for n, v in zip(("x", "y", "z", "qw", "qx", "qy", "qz"), (x + 0 * t, y + 0 * t, z, np.cos(spin / 2), np.sin(spin / 2), 0 * t, 0 * t)):
            columns.append({"name": f"s{i}.{n}", "unit": "m" if len(n) == 1 else "1", "group": "coordinate", "data": series(v)})
        frames.append({"name": f"s{i}", "columns": [f"s{i}.{n}" for n in ("x", "y", "z", "qw", "qx", "qy", "qz")]})
        shapes.append({"kind": "sphere", "frame": i, "numbers": [0, 0, 0, 0.04]})
    shapes.append({"kind": "half_space", "frame": -1, "numbers": [0, 0, 0, 0, 0, 1]})
    empty = {k: series([], kind) for k, kind in (("row", "i4"), ("contact", "i4"), ("state", "u1"))} | {k: series([]) for k in ("gap", "gammaN", "gammaT", "lambdaN", "lambdaT")}
    return {"name": "many", "label": "", "model": {"name": "many", "title": f"{count} spheres", "source": "", "description": ""}, "command": "picus run many",
            "summary": {"model": "many", "status": "done", "method": "moreau-midpoint", "steps": rows - 1, "certified_steps": rows - 1, "dt": 0.01, "end": 2.0},
            "equations": [], "parameters": [], "contacts": [], "thinned": None, "t": series(t, "f8"), "columns": columns, "contactRows": empty, "dt": 0.01,
            "events": {"t": series([], "f8"), "contact": series([], "i4"), "kind": series([], "u1"), "lambdaN": series([])}, "eventKinds": [], "bands": [], "period": None,
            "scene": {"dimension": 3, "box": [-0.1, side * 0.1, -0.1, side * 0.1, 0, 0.3], "up": [0, 0, 1], "frames": frames, "shapes": shapes}, "figures": []}


def write_page(out, runs, title):
    page = {"picus": "0.1.0", "title": title, "runs": runs}
    data = json.dumps(page, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    template = TEMPLATE.read_text()
    assert template.count("__PICUS_DATA__") == 1
    out.parent.mkdir(exist_ok=True)
    out.write_text(template.replace("__PICUS_DATA__", data))
    print(f"{out}: {out.stat().st_size / 1e6:.1f} MB")


def write_all():
    target = HERE / "mock"
    for name, changed in (("woodpecker", ["eN1"]), ("billiards", []), ("sphere-in-groove", []), ("sliding-sphere", []), ("marbles", []),
                          ("hopper", []), ("slider-crank", []), ("painleve-rod", ["mu"]), ("four-bar", []), ("bouncing-ball", [])):
        run = make_run(RUNS / name, 20001, changed, motion_stride=4 if name in ("woodpecker", "slider-crank") else 1)
        if name == "painleve-rod":
            run["worries"] = [{"level": "bad", "text": "This is a sentence of the program about something bad."}, {"level": "look", "text": "This is one about something to look at."},
                              {"level": "fine", "text": "And this is fine."}]
            run["proven"] = ["A sentence of what was proven.", "Another one."]
        write_page(target / f"{name}.html", [run], run["model"]["title"])
    runs = [make_run(RUNS / f"slider-crank-e{e}", 8001, ["eN1"]) for e in ("0.1", "0.4", "0.7")]
    for run, e in zip(runs, ("0.1", "0.4", "0.7")):
        run["label"] = f"eN = {e}"
    write_page(target / "compare.html", runs, "Slider-crank: restitution compared")
    two = [make_run(RUNS / d, 5001, []) for d in ("woodpecker", "woodpecker-jean")]
    for run, label in zip(two, ("moreau-midpoint", "moreau-jean")):
        run["label"] = label
    write_page(target / "two.html", two, "Woodpecker: two methods")
    groove = [make_run(RUNS / "sphere-in-groove", 1000, []), make_run(RUNS / "sphere-in-groove", 20, [])]
    for run, label in zip(groove, ("all rows", "thinned")):
        run["label"] = label
    write_page(target / "two-space.html", groove, "Ball in a groove: two runs in space")
    write_page(target / "one-row.html", [make_run(RUNS / "sliding-sphere", 1, [])], "One row")
    write_page(target / "many.html", [many_spheres(200, 401)], "200 spheres")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--rows", type=int, default=20001, help="rows to keep at most")
    parser.add_argument("paths", nargs="*")
    given = parser.parse_args()
    if given.all:
        write_all()
    else:
        out, *folders = map(pathlib.Path, given.paths)
        runs = [make_run(d, given.rows, []) for d in folders]
        write_page(out, runs, ", ".join(r["model"]["title"] for r in runs))


if __name__ == "__main__":
    main()
