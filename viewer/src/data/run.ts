import type { Figure, Group, PlaceSeries, Run, Scene, SceneShape } from './contract';
import { decodeSeries, type Numbers } from './decode';

export type ContactQuantity =
  | 'gap' | 'gammaN' | 'gammaT' | 'gammaO' | 'gammaR'
  | 'lambdaN' | 'lambdaT' | 'lambdaO' | 'lambdaR' | 'share';

export interface DataColumn {
  name: string;
  unit: string;
  group: Group;
  values: Numbers;
}

/** Places of contacts, some numbers for each row beside them; null where the page has none. */
export interface Places {
  place: Numbers | null;
  normal: Numbers | null;
  tangent: Numbers | null;
}

/** Rows of one contact: places in the contact tables, ascending in time. */
export interface ContactTrack {
  contact: number;
  entries: Int32Array;
}

export interface Events {
  t: Numbers;
  contact: Numbers;
  kind: Numbers;
  lambdaN: Numbers;
  places: Places;
  /** Every time at which something happens, once. */
  distinctTimes: Float64Array;
}

export interface Band {
  contact: number;
  from: Numbers;
  to: Numbers;
  state: Numbers;
}

export interface DecodedShape extends Omit<SceneShape, 'motion'> {
  motion: Numbers | null;
  /** Numbers in a row of the motion. */
  count: number;
}

export interface DecodedScene extends Omit<Scene, 'shapes' | 't'> {
  shapes: DecodedShape[];
  /** Times of the rows of motions. */
  t: ArrayLike<number>;
}

/** A run with all series decoded. */
export interface RunData {
  index: number;
  source: Run;
  /** How the run is told apart on a page with several. */
  label: string;
  t: Float64Array;
  columns: DataColumn[];
  columnByName: Map<string, DataColumn>;
  contactRow: Numbers;
  contactOfRow: Numbers;
  contactState: Numbers;
  contactQuantities: Map<ContactQuantity, Numbers>;
  contactPlaces: Places;
  /** Where the contact rows of each row of t begin; one more at the end. */
  contactStart: Int32Array;
  tracks: ContactTrack[];
  events: Events;
  bands: Band[];
  scene: DecodedScene | null;
  figures: Figure[];
}

const quantityNames: ContactQuantity[] = ['gap', 'gammaN', 'gammaT', 'gammaO', 'gammaR', 'lambdaN', 'lambdaT', 'lambdaO', 'lambdaR', 'share'];

function distinct(sorted: Numbers): Float64Array {
  const kept: number[] = [];
  for (const time of sorted) if (kept.length === 0 || time > kept[kept.length - 1]!) kept.push(time);
  return Float64Array.from(kept);
}

function startsOfRows(rows: Numbers, count: number): Int32Array {
  const start = new Int32Array(count + 1);
  for (const row of rows) start[row + 1]!++;
  for (let i = 0; i < count; i++) start[i + 1]! += start[i]!;
  return start;
}

function tracksOf(contacts: Numbers): ContactTrack[] {
  const lists = new Map<number, number[]>();
  contacts.forEach((contact, entry) => {
    const list = lists.get(contact);
    if (list) list.push(entry);
    else lists.set(contact, [entry]);
  });
  return [...lists.entries()]
    .sort((a, b) => a[0] - b[0])
    .map(([contact, entries]) => ({ contact, entries: Int32Array.from(entries) }));
}

function decodeShape(shape: SceneShape, rows: number): DecodedShape {
  const motion = shape.motion ? decodeSeries(shape.motion) : null;
  return { ...shape, motion, count: motion ? motion.length / rows : (shape.numbers ?? []).length };
}

function decodeScene(scene: Scene, t: Float64Array): DecodedScene {
  const times = scene.t ? decodeSeries(scene.t) : t;
  return { ...scene, t: times, shapes: scene.shapes.map((shape) => decodeShape(shape, times.length)) };
}

/** Places are of use in a scene only: without one there is nothing to draw them in. */
function decodePlaces(source: PlaceSeries, rows: number, scene: Scene | null): Places {
  const decode = (name: keyof PlaceSeries): Numbers | null => {
    const series = source[name];
    if (!series || !scene) return null;
    if (series.n !== rows * scene.dimension) throw new Error(`${rows} rows of contacts have ${series.n} numbers as “${name}”`);
    return decodeSeries(series);
  };
  return { place: decode('place'), normal: decode('normal'), tangent: decode('tangent') };
}

export function decodeRun(source: Run, index: number): RunData {
  const t = decodeSeries(source.t) as Float64Array;
  const columns = source.columns.map((c) => ({ name: c.name, unit: c.unit, group: c.group, values: decodeSeries(c.data) }));
  const rows = source.contactRows;
  const contactRow = decodeSeries(rows.row);
  const contactOfRow = decodeSeries(rows.contact);
  const contactQuantities = new Map<ContactQuantity, Numbers>();
  for (const name of quantityNames) {
    const series = rows[name];
    if (series) contactQuantities.set(name, decodeSeries(series));
  }
  const eventTimes = decodeSeries(source.events.t);
  return {
    index,
    source,
    label: source.label || source.name,
    t,
    columns,
    columnByName: new Map(columns.map((c) => [c.name, c])),
    contactRow,
    contactOfRow,
    contactState: decodeSeries(rows.state),
    contactQuantities,
    contactPlaces: decodePlaces(rows, contactRow.length, source.scene),
    contactStart: startsOfRows(contactRow, t.length),
    tracks: tracksOf(contactOfRow),
    events: {
      t: eventTimes,
      contact: decodeSeries(source.events.contact),
      kind: decodeSeries(source.events.kind),
      lambdaN: decodeSeries(source.events.lambdaN),
      places: decodePlaces(source.events, eventTimes.length, source.scene),
      distinctTimes: distinct(eventTimes),
    },
    bands: source.bands.map((b) => ({ contact: b.contact, from: decodeSeries(b.from), to: decodeSeries(b.to), state: decodeSeries(b.state) })),
    scene: source.scene && decodeScene(source.scene, t),
    figures: source.figures,
  };
}

/** Entry of a contact in the contact tables at a row of t, or -1 when it is not active there. */
export function contactEntryAt(run: RunData, row: number, contact: number): number {
  for (let e = run.contactStart[row]!; e < run.contactStart[row + 1]!; e++) {
    if (run.contactOfRow[e] === contact) return e;
  }
  return -1;
}

export function contactName(run: RunData, contact: number): string {
  const name = run.source.contacts[contact]?.name ?? String(contact + 1);
  return /^\d+$/.test(name) ? `contact ${name}` : name;
}

/** The name, and what it means where the model says so. */
export function contactTitle(run: RunData, contact: number): string {
  const meaning = run.source.contacts[contact]?.meaning;
  return meaning ? `${contactName(run, contact)} (${meaning})` : contactName(run, contact);
}
