#!/usr/bin/python3
"""Writes the recordings anew. Usage: record.py PICUS [--only MODEL]... [--models FOLDER]; README.md tells how it goes about it."""

import argparse
import json
import math
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

import recordings
from recordings import Picus, Recorded

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = 4  # of states and energy that are kept
LOOKS = 200  # rows at which motions are compared to find the horizon
PATIENCE = 0.06  # s of computing, of one run
DISTURBANCE = 1e-12
LOOSEST = 1e-6  # tolerance


def disturbances(seen, parameters, units):
    """Values beside those of the model, by 1e-12 and less: what another processor or another order of sums might do at worst.
    Coordinates move by less than the gap up to which a contact is active. Where constraints say where bodies are, parameters
    move in their place."""
    def moved(seed, zero):
        rng = random.Random(seed)
        for name, value in parameters.items():
            unit = units.get(name)
            if "worst_drift" in seen.bounds:
                if unit is None and name[:2] not in ("mu", "eN", "eT"):
                    yield name, value * (1 + rng.choice((-1, 1)) * 0.1 * DISTURBANCE)
                continue
            if unit in ("m/s", "rad/s"):
                yield name, value * (1 + rng.choice((-1, 1)) * DISTURBANCE) if value else rng.choice((-1, 1)) * zero
            elif unit in ("m", "rad") and value:
                yield name, value * (1 + rng.choice((-1, 1)) * 0.1 * DISTURBANCE)
            elif name == "g":
                yield name, value * (1 + rng.choice((-1, 1)) * DISTURBANCE)
    for seed, zero in ((1, 0.0), (2, 1e-15)):
        yield [part for name, value in moved(seed, zero) if value for part in ("--set", f"{name}={value!r}")]


def predictable_until(one, other, relative):
    """The last of the common times before the motions part by a tenth of the tolerance."""
    until = 0.0
    for name in ("states", "energy"):
        t, until_here = one.tables[name], 0.0
        for a, b in zip(t.rows, other.tables[name].rows):
            if any(not abs(x - y) <= 0.1 * relative * s for x, y, s in zip(a, b, t.scales)):
                break
            until_here = a[0]
        until = until_here if name == "states" else min(until, until_here)
    return until


def events_agree_until(one, other, relative):
    a, b = one.tables["events"], other.tables["events"]
    for x, y in zip(a.rows, b.rows):
        if x[:2] != y[:2] or any(not abs(p - q) <= 0.1 * relative * s for p, q, s in zip(x[2:], y[2:], a.scales[2:])):
            return math.nextafter(min(x[2], y[2]), -1)
    longer = max(a.rows, b.rows, key=len)
    shorter = min(len(a.rows), len(b.rows))
    return math.nextafter(longer[shorter][2], -1) if len(longer) > shorter else math.inf


def work():
    """Seconds of computing of the runs so far, whatever else this computer does."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


class Recorder:
    def __init__(self, picus, given):
        self.picus, self.given, self.units = picus, given, picus.units(given)
        self.entries = []
        self.ends = {}  # of an earlier recording, by options: what was cheap stays, however fast this computer is
        self.columns = {}
        self.slow = []

    def run(self, options, end, every, *more):
        return self.picus.run(self.given, options, "--end", repr(end), "--every", str(every), *more, timeout=100 * PATIENCE)

    def cheap(self, options, end, first):
        """A run that does not take long."""
        if options in self.ends:
            return self.run(options, self.ends[options], 1)
        every = max(1, first.steps // LOOKS)
        while True:
            start = work()
            try:
                seen = self.picus.run(self.given, options, "--end", repr(end), "--every", str(every), timeout=30 * PATIENCE)
            except subprocess.TimeoutExpired:
                seen = None
            spent = work() - start
            if seen is not None and spent < PATIENCE or end <= 4.5 * first.dt:
                return seen
            end = max(4, round(end / first.dt * (0.6 if spent < 2 * PATIENCE else 0.2))) * first.dt

    def measure(self, options, first):
        """(end, every, entry); with a larger tolerance where that makes the run much longer."""
        relative = recordings.tolerance(options)
        found = self.measure_with(options, first, relative)
        longer = found if found is None or relative >= LOOSEST else self.measure_with(options, first, LOOSEST)
        if found is None or longer is None or longer[0] < 4 * found[0]:
            return found
        longer[2]["tolerance"] = LOOSEST
        return longer

    def measure_with(self, options, first, relative):
        seen = self.cheap(options, min(first.end, first.dt * first.steps), first)
        if seen is None:
            return None
        others = list(disturbances(seen, self.picus.parameters, self.units))
        others.append(["--smooth-tolerance", "1e-11"] if "event-driven" in options else ["--tolerance", "1e-9"])
        end = seen.end
        while True:
            every = max(1, seen.steps // LOOKS)
            seen = self.run(options, end, every)
            horizon = min(predictable_until(seen, o, relative) for o in self.disturbed(options, end, every, others))
            if horizon > end - every * seen.dt * 1.5 or end < 1.5 * seen.dt:
                break
            end = max(1, math.floor(max(0.8 * horizon, 0.05 * end) / seen.dt)) * seen.dt
        every = max(1, math.floor(round(end / seen.dt, 6)) // ROWS)
        seen = self.run(options, end, every)
        runs = self.disturbed(options, end, every, others)
        until = min(events_agree_until(seen, o, relative) for o in runs)
        entry = recordings.entry_of(seen, relative, end if until == math.inf else until, ())
        for o in runs:
            for key in entry["bounds"]:
                entry["bounds"][key] = max(entry["bounds"][key], float(f"{o.bounds[key][0]:.1e}"))
        left_out = set()
        if until != math.inf:
            left_out.add("events")  # their number, among what is exact
        for o in runs:
            for what, *_ in recordings.differences(Recorded(entry, self.tables_of(seen)), o, relative):
                left_out.add(what if what in entry["exact"] or what in entry["bounds"] or what in entry["numbers"] else what.split()[0])
        return end, every, self.keep(seen, relative, entry, left_out)

    def disturbed(self, options, end, every, others):
        """Another tolerance may take its time; the disturbed runs may not."""
        runs = [self.run(options, end, every, *o) for o in others[:-1]]
        try:
            return runs + [self.run(options, end, every, *others[-1])]
        except subprocess.TimeoutExpired:
            return runs

    def tables_of(self, seen):
        self.columns = {name: t.columns for name, t in seen.tables.items() if t.columns}
        return self.columns

    def keep(self, seen, relative, entry, left_out):
        if not left_out:
            return entry
        exact_events = "events" in left_out
        kept = recordings.entry_of(seen, relative, entry["events_until"], left_out - {"events"})
        kept["bounds"] = {key: bound for key, bound in entry["bounds"].items() if key not in left_out}
        if exact_events:
            kept["exact"].pop("events", None)
        kept["left_out"] = sorted(left_out)
        return kept

    def record(self, options, first):
        if self.joins(options):
            return
        try:
            measured = self.measure(options, first)
        except subprocess.TimeoutExpired:  # of a disturbed run
            measured = None
        if measured is None:
            self.slow.append(options)
            return
        end, every, entry = measured
        self.entries.append({"options": options, "run": f"--end {end!r} --every {every}", **entry, "also": {}})

    def joins(self, options):
        """It does what an earlier one does."""
        seen = {}
        for entry in self.entries:
            relative = recordings.tolerance(options, entry)
            arguments = entry["run"]
            if arguments not in seen:
                start = work()
                try:
                    seen[arguments] = self.picus.run(self.given, options, *arguments.split(), timeout=20 * PATIENCE)
                except subprocess.TimeoutExpired:
                    seen[arguments] = None
                if work() - start > 2 * PATIENCE:
                    seen[arguments] = None  # it has a shorter run of its own
            now = seen[arguments]
            if now is None:
                continue
            was = Recorded({**entry, "bounds": {}}, self.columns)
            if not any(True for _ in recordings.differences(was, now, 0.1 * relative)):
                entry["also"][options] = {k: float(f"{max(x, least):.1e}") for k, (x, least) in now.bounds.items()}
                return True
        return False


def dump(recording):
    """JSON, a row a line."""
    def block(value, depth):
        pad = "  " * depth
        if isinstance(value, dict) and value and depth < 6:
            return "{\n" + ",\n".join(f"{pad}  {json.dumps(k)}: {block(v, depth + 1)}" if k != "exact"
                                      else f"{pad}  {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items()) + f"\n{pad}}}"
        if isinstance(value, list) and value and isinstance(value[0], (dict, list)):
            return "[\n" + ",\n".join(f"{pad}  {block(v, depth + 1)}" for v in value) + f"\n{pad}]"
        return json.dumps(value, ensure_ascii=False)
    return block(recording, 0) + "\n"


def record(picus, name, given):
    recorder = Recorder(picus, given)
    path = os.path.join(HERE, name + ".json")
    if os.path.exists(path):
        with open(path) as file:
            recorder.ends = {entry["options"]: float(entry["run"].split()[1]) for entry in json.load(file)["recorded"]}
    first = picus.run(given, "", "--every", "1000000")
    with open(os.path.join(picus.folder, "run", "summary.json")) as file:
        own = json.load(file)
    picus.parameters = own["parameters"]
    refused, short = [], f"--end {min(first.dt * first.steps, 4 * first.dt)!r}"

    def accepted(options):
        return picus.run(given, options, *short.split()) is not None

    for options, taken in recordings.variants(own, accepted):
        if taken:
            recorder.record(options, first)
        else:
            refused.append(options)
    return {"model": name, "columns": recorder.columns, "short": short, "refused": refused, "too_slow": recorder.slow, "recorded": recorder.entries}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("picus")
    parser.add_argument("--only", action="append", default=[], metavar="MODEL")
    parser.add_argument("--models", default=os.path.join(HERE, "..", "..", "models"))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="picus-recordings-") as folder:
        picus = Picus(arguments.picus, folder)
        known = recordings.catalogue(picus, os.path.abspath(arguments.models))
        for name in arguments.only:
            if name not in known:
                sys.exit(f"record.py: no model {name}; known: {', '.join(known)}")
        for name in arguments.only or known:
            start = time.perf_counter()
            found = record(picus, name, known[name])
            with open(os.path.join(HERE, name + ".json"), "w") as file:
                file.write(dump(found))
            print(f"{name}: {len(found['recorded'])} recorded, {sum(len(e['also']) for e in found['recorded'])} like these, "
                  f"{len(found['refused'])} refused, {time.perf_counter() - start:.1f} s", flush=True)


if __name__ == "__main__":
    main()
