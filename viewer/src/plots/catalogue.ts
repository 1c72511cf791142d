import type { Figure, Group } from '../data/contract';
import { contactName, type ContactQuantity, type ContactTrack, type RunData } from '../data/run';
import { roundOff } from '../data/scale';
import { escapeHtml, labelHtml, symbolHtml, symbolText } from '../text/symbols';
import { remember, type BandLine, type Line, type LinePoints, type PlotSpec } from './line';

/** Lines that a plot shows without being asked, when there are many. */
const mostShown = 6;
/** Up to so many lines the legend lists all. */
export const mostListed = 12;
const mostBands = 12;

/** A quantity that some of the runs have. */
export interface Quantity {
  key: string;
  html: string;
  text: string;
  unit: string;
  /** Points over time of a run, or null when the run lacks it. */
  points: (run: RunData) => LinePoints | null;
  /** The larger, the earlier it is shown when there are many. */
  weight: (run: RunData) => number;
}

function spread(values: ArrayLike<number>): number {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const v = values[i]!;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return high >= low ? high - low : 0;
}

function columnQuantity(name: string, unit: string): Quantity {
  return {
    key: name,
    html: symbolHtml(name),
    text: symbolText(name),
    unit,
    points: (run) => {
      const column = run.columnByName.get(name);
      return column ? { x: run.t, y: column.values, t: run.t } : null;
    },
    weight: (run) => spread(run.columnByName.get(name)?.values ?? []),
  };
}

export function columnQuantities(runs: readonly RunData[], group: Group): Quantity[] {
  const found = new Map<string, Quantity>();
  for (const run of runs) {
    for (const column of run.columns) {
      if (column.group === group && !found.has(column.name)) found.set(column.name, columnQuantity(column.name, column.unit));
    }
  }
  return [...found.values()];
}

/**
 * A contact has values at some rows only. A gap has none in between (a break in the line); an impulse is zero there,
 * so that a blow of one step shows as a spike.
 */
export function trackPoints(run: RunData, track: ContactTrack, quantity: ContactQuantity): LinePoints {
  const values = run.contactQuantities.get(quantity);
  const x: number[] = [];
  const y: number[] = [];
  if (!values) return { x, y, t: x };
  const between = quantity.startsWith('lambda') ? 0 : NaN;
  const last = run.t.length - 1;
  let before = -1;
  for (const entry of track.entries) {
    const row = run.contactRow[entry]!;
    if (row === before) {
      y[y.length - 1] = values[entry]!;
      continue;
    }
    if (row > before + 1) {
      if (before >= 0 && before + 1 < row) { x.push(run.t[before + 1]!); y.push(between); }
      if (row - 1 > before + 1) { x.push(run.t[row - 1]!); y.push(between); }
      else if (before < 0 && row > 0) { x.push(run.t[row - 1]!); y.push(between); }
    }
    x.push(run.t[row]!);
    y.push(values[entry]!);
    before = row;
  }
  if (before >= 0 && before < last) { x.push(run.t[before + 1]!); y.push(between); }
  return { x, y: Float32Array.from(y), t: x };
}

function contactWeight(run: RunData, contact: number): number {
  const track = run.tracks.find((tr) => tr.contact === contact);
  const impulses = run.contactQuantities.get('lambdaN');
  if (!track || !impulses) return 0;
  let sum = 0;
  for (const entry of track.entries) if (impulses[entry]! > 0) sum += impulses[entry]!;
  return sum;
}

export function contactQuantity(runs: readonly RunData[], quantity: ContactQuantity, symbol: string, unit: string): Quantity[] {
  const found = new Map<string, Quantity>();
  for (const run of runs) {
    if (!run.contactQuantities.has(quantity)) continue;
    for (const { contact } of run.tracks) {
      const name = contactName(run, contact);
      if (found.has(name)) continue;
      const trackOf = (other: RunData): ContactTrack | undefined => other.tracks.find((tr) => contactName(other, tr.contact) === name);
      found.set(name, {
        key: `${quantity} ${name}`,
        html: `${symbolHtml(symbol)} ${escapeHtml(name)}`,
        text: `${symbolText(symbol)} ${name}`,
        unit,
        points: (other) => {
          const track = trackOf(other);
          return track ? trackPoints(other, track, quantity) : null;
        },
        weight: (other) => {
          const track = trackOf(other);
          return track ? contactWeight(other, track.contact) : 0;
        },
      });
    }
  }
  return [...found.values()];
}

/** One line for each quantity of each run. With several runs colour tells the run, with one it tells the quantity. */
export function linesOf(runs: readonly RunData[], quantities: readonly Quantity[], show: (quantity: Quantity) => boolean = () => true): Line[] {
  const several = runs.length > 1;
  const room = Math.max(1, Math.floor((several ? 8 : mostShown) / runs.length));
  const wanted = quantities.filter(show);
  const few = quantities.length * runs.length <= mostListed;
  const shown = new Set(
    wanted.length <= (several ? room : mostListed) && few
      ? wanted
      : [...wanted].sort((a, b) => b.weight(runs[0]!) - a.weight(runs[0]!)).slice(0, room),
  );
  const lines: Line[] = [];
  let colour = 0;
  quantities.forEach((quantity) => {
    const visible = shown.has(quantity);
    const own = colour;
    if (visible || few) colour++;
    for (const run of runs) {
      const points = remember(() => quantity.points(run) ?? { x: [], y: [], t: [] });
      lines.push({
        quantity: quantity.key,
        labelHtml: several ? `${quantity.html} · ${escapeHtml(run.label)}` : quantity.html,
        labelText: several ? `${quantity.text} · ${run.label}` : quantity.text,
        unit: quantity.unit,
        run,
        color: several ? run.index : own,
        dash: several ? own : Math.floor(own / 8),
        visible,
        listed: visible || few,
        points,
      });
    }
  });
  return lines;
}

function timeSpec(id: string, title: string, unit: string, lines: Line[], log = false): PlotSpec {
  return { id, title, kind: 'time', log, x: { label: 't (s)' }, y: { label: unit === '1' ? '' : unit }, lines, bands: [], note: '' };
}

/** A group of columns as one plot for each unit. */
function columnSpecs(runs: readonly RunData[], group: Group, title: string): PlotSpec[] {
  const byUnit = new Map<string, Quantity[]>();
  for (const quantity of columnQuantities(runs, group)) {
    const list = byUnit.get(quantity.unit);
    if (list) list.push(quantity);
    else byUnit.set(quantity.unit, [quantity]);
  }
  return [...byUnit.entries()].map(([unit, quantities]) => {
    const orientation = quantities.every((q) => /(^|\.)q[wxyz]$/.test(q.key));
    return timeSpec(`${group}-${unit}`, orientation ? 'Orientation (unit quaternions)' : title, unit, linesOf(runs, quantities));
  });
}

export interface Choice {
  label: string;
  spec: PlotSpec;
}

/** A card of the page: one plot, or several to choose from. */
export interface Card {
  id: string;
  title: string;
  choices: Choice[];
}

interface ContactChoice {
  quantity: ContactQuantity;
  symbol: string;
  unit: string;
  label: string;
}

const impulseChoices: ContactChoice[] = [
  { quantity: 'lambdaN', symbol: 'Lambda_N', unit: 'N s', label: 'normal Λ_N' },
  { quantity: 'lambdaT', symbol: 'Lambda_T', unit: 'N s', label: 'friction Λ_T' },
  { quantity: 'lambdaO', symbol: 'Lambda_O', unit: 'N s', label: 'friction Λ_O' },
  { quantity: 'lambdaR', symbol: 'Lambda_R', unit: 'N m s', label: 'drilling Λ_R' },
];
const rateChoices: ContactChoice[] = [
  { quantity: 'gammaN', symbol: 'gamma_N', unit: 'm/s', label: 'normal γ_N' },
  { quantity: 'gammaT', symbol: 'gamma_T', unit: 'm/s', label: 'sliding γ_T' },
  { quantity: 'gammaO', symbol: 'gamma_O', unit: 'm/s', label: 'sliding γ_O' },
  { quantity: 'gammaR', symbol: 'gamma_R', unit: 'rad/s', label: 'drilling γ_R' },
];
const gapChoice: ContactChoice = { quantity: 'gap', symbol: 'g_N', unit: 'm', label: 'gap' };

function contactCard(runs: readonly RunData[], id: string, title: string, choices: ContactChoice[]): Card[] {
  const made = choices
    .map((c) => ({ label: c.label, quantities: contactQuantity(runs, c.quantity, c.symbol, c.unit), unit: c.unit }))
    .filter((c) => c.quantities.length > 0)
    .map((c) => ({ label: c.label, spec: timeSpec(id, title, c.unit, linesOf(runs, c.quantities)) }));
  return made.length > 0 ? [{ id, title, choices: made }] : [];
}

function bandCard(runs: readonly RunData[]): Card[] {
  const several = runs.length > 1;
  const all: { line: BandLine; weight: number }[] = [];
  for (const run of runs) {
    for (const band of run.bands) {
      const name = contactName(run, band.contact);
      let closed = 0;
      for (let i = 0; i < band.state.length; i++) if (band.state[i] !== 0) closed += band.to[i]! - band.from[i]!;
      all.push({
        line: { labelText: several ? `${name} · ${run.label}` : name, run, visible: false, from: band.from, to: band.to, state: band.state },
        weight: closed,
      });
    }
  }
  if (all.length === 0) return [];
  const most = [...all].sort((a, b) => b.weight - a.weight).slice(0, Math.max(mostBands, 4 * runs.length));
  for (const { line } of most) line.visible = true;
  const spec: PlotSpec = {
    id: 'bands', title: 'Contact states', kind: 'bands', log: false, x: { label: 't (s)' }, y: { label: '' }, lines: [], bands: all.map((a) => a.line), note: '',
  };
  return [{ id: 'bands', title: 'Contact states', choices: [{ label: '', spec }] }];
}

function single(spec: PlotSpec): Card {
  return { id: spec.id, title: spec.title, choices: [{ label: '', spec }] };
}

/** Number of the coordinate that moves to and fro most: large as others of its unit, and back where it began. */
export function swinging(run: RunData, coordinates: readonly Quantity[]): number {
  const widths = coordinates.map((q) => q.weight(run));
  const largest = new Map<string, number>();
  coordinates.forEach((q, i) => largest.set(q.unit, Math.max(largest.get(q.unit) ?? 0, widths[i]!)));
  let best = 0;
  let least = Infinity;
  coordinates.forEach((q, i) => {
    const values = run.columnByName.get(q.key)?.values;
    if (!values || !(widths[i]! > Math.max(0.05 * largest.get(q.unit)!, roundOff(run, q.unit)))) return;
    const travel = Math.abs(values[values.length - 1]! - values[0]!) / widths[i]!;
    // The last of equals: models count from the ground up.
    if (travel <= least + 0.25) {
      least = Math.min(least, travel);
      best = i;
    }
  });
  return best;
}

/** All quantities that can be an axis of a phase portrait; "t" is the time. */
export function portraitQuantities(runs: readonly RunData[]): Map<string, Quantity[]> {
  const groups = new Map<string, Quantity[]>();
  const time: Quantity = { key: 't', html: '<i>t</i>', text: 't', unit: 's', points: (run) => ({ x: run.t, y: run.t, t: run.t }), weight: () => 0 };
  groups.set('Time', [time]);
  const add = (title: string, list: Quantity[]): void => { if (list.length > 0) groups.set(title, list); };
  add('Coordinates', columnQuantities(runs, 'coordinate'));
  add('Velocities', columnQuantities(runs, 'velocity'));
  add('Outputs', columnQuantities(runs, 'output'));
  add('Energy', columnQuantities(runs, 'energy'));
  add('Certificate', columnQuantities(runs, 'certificate'));
  const contacts = [gapChoice, ...rateChoices, ...impulseChoices].flatMap((c) => contactQuantity(runs, c.quantity, c.symbol, c.unit));
  // Selects with thousands of entries help nobody: contacts are offered up to a number that can be read.
  if (contacts.length <= 400) add('Contacts', contacts);
  return groups;
}

/** Values of a quantity at the rows of a run: contacts, which have values at some rows only, are spread over all. */
function valuesAtRows(run: RunData, quantity: Quantity): ArrayLike<number> {
  const points = quantity.points(run);
  if (!points) return new Float32Array(run.t.length).fill(NaN);
  if (points.y.length === run.t.length && points.x === run.t) return points.y;
  const dense = new Float32Array(run.t.length).fill(quantity.key.startsWith('lambda') ? 0 : NaN);
  let row = 0;
  for (let i = 0; i < points.x.length; i++) {
    while (row < run.t.length && run.t[row]! < points.x[i]!) row++;
    if (run.t[row] === points.x[i]) dense[row] = points.y[i]!;
  }
  return dense;
}

function withUnit(text: string, unit: string): string {
  return unit && unit !== '1' ? `${text} (${unit})` : text;
}

export function portraitSpec(runs: readonly RunData[], x: Quantity, y: Quantity): PlotSpec {
  const lines = runs.map((run): Line => ({
    quantity: 'portrait',
    labelHtml: runs.length > 1 ? escapeHtml(run.label) : `${y.html} over ${x.html}`,
    labelText: runs.length > 1 ? run.label : `${y.text} over ${x.text}`,
    unit: y.unit,
    run,
    color: run.index,
    dash: 0,
    visible: true,
    listed: true,
    points: remember(() => ({ x: valuesAtRows(run, x), y: valuesAtRows(run, y), t: run.t })),
  }));
  return {
    id: 'portrait', title: 'Phase portrait', kind: 'plane', log: false, x: { label: withUnit(x.text, x.unit) }, y: { label: withUnit(y.text, y.unit) }, lines, bands: [], note: '',
  };
}

/** A column by its name, as people write it. */
function namedColumn(run: RunData, name: string): Quantity {
  return columnQuantity(name, name === 't' ? 's' : run.columnByName.get(name)?.unit ?? '1');
}

/** The label of an axis that the data leave to the page: its quantity, or the unit of several. */
function figureAxisLabel(given: string, names: readonly string[], owner: RunData): string {
  if (given !== '') return given;
  const quantities = [...new Set(names)].map((name) => namedColumn(owner, name));
  const [first] = quantities;
  if (!first) return '';
  if (quantities.length === 1) return withUnit(first.text, first.unit);
  return quantities.every((q) => q.unit === first.unit) && first.unit !== '1' ? first.unit : '';
}

function figureSpec(runs: readonly RunData[], figure: Figure, owner: RunData, id: string): PlotSpec {
  const overTime = figure.lines.every((l) => l.x === 't');
  const lines: Line[] = [];
  figure.lines.forEach((line, number) => {
    const among = line.run !== undefined ? runs.filter((r) => r.index === line.run) : runs.length > 1 ? runs : [owner];
    const quantity = namedColumn(owner, line.y);
    const html = line.label === '' || line.label === line.y ? quantity.html : labelHtml(line.label);
    const text = line.label === '' || line.label === line.y ? quantity.text : line.label;
    for (const run of among) {
      const several = among.length > 1;
      const values = (name: string): ArrayLike<number> => (name === 't' ? run.t : run.columnByName.get(name)?.values ?? []);
      lines.push({
        quantity: text, labelHtml: several ? `${html} · ${labelHtml(run.label)}` : html, labelText: several ? `${text} · ${run.label}` : text,
        unit: '', valueUnit: quantity.unit, run, color: several ? run.index : number, dash: several ? number : 0, visible: true, listed: true,
        points: remember(() => ({ x: values(line.x), y: values(line.y), t: run.t })),
      });
    }
  });
  const x = { ...figure.x, label: figureAxisLabel(figure.x.label, figure.lines.map((l) => l.x), owner) };
  const y = { ...figure.y, label: figureAxisLabel(figure.y.label, figure.lines.map((l) => l.y), owner) };
  return { id, title: figure.title, kind: overTime ? 'time' : 'plane', log: false, x, y, lines, bands: [], note: figure.note ?? '' };
}

/** Figures of the first run that has them; runs of one model share theirs. */
function figureCards(runs: readonly RunData[]): Card[] {
  const seen = new Set<string>();
  const cards: Card[] = [];
  for (const run of runs) {
    for (const figure of run.figures) {
      if (seen.has(figure.title)) continue;
      seen.add(figure.title);
      cards.push(single(figureSpec(runs, figure, run, `figure-${cards.length + 1}`)));
    }
  }
  return cards;
}

export function cardsOf(runs: readonly RunData[]): Card[] {
  const energy = columnQuantities(runs, 'energy');
  const moves = (q: Quantity): boolean => runs.some((run) => q.weight(run) > 0 || q.key === 'kinetic');
  const certificate = columnQuantities(runs, 'certificate');
  const certificateChoices = certificate.map((q) => ({
    label: q.key === 'residual' ? 'residual' : q.key === 'active' ? 'active contacts' : q.text,
    spec: timeSpec('certificate', 'Certificate of each step', q.unit, linesOf(runs, [q]), q.key === 'residual'),
  }));
  return [
    ...figureCards(runs),
    ...columnSpecs(runs, 'coordinate', 'Coordinates').map(single),
    ...columnSpecs(runs, 'velocity', 'Velocities').map(single),
    ...bandCard(runs),
    ...contactCard(runs, 'gaps', 'Gaps', [gapChoice]),
    ...contactCard(runs, 'impulses', 'Impulses of each step', impulseChoices),
    ...contactCard(runs, 'rates', 'Velocities at contacts', rateChoices),
    ...columnSpecs(runs, 'output', 'Outputs').map(single),
    ...(energy.length > 0 ? [single(timeSpec('energy', 'Energy ledger', 'J', linesOf(runs, energy, moves)))] : []),
    ...(certificateChoices.length > 0 ? [{ id: 'certificate', title: 'Certificate of each step', choices: certificateChoices }] : []),
  ];
}
