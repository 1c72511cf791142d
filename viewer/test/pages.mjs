/** Reads pages as files: what a page holds tells the browser tests what it must show. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const bytesPerValue = { f4: 4, f8: 8, i4: 4, u1: 1 };
const readers = { f4: 'readFloatLE', f8: 'readDoubleLE', i4: 'readInt32LE', u1: 'readUInt8' };

/** Values of a series, by the contract and by no code of the page. */
export function valuesOf(series) {
  const bytes = Buffer.from(series.b64, 'base64');
  return Array.from({ length: series.n }, (_, i) => bytes[readers[series.type]](i * bytesPerValue[series.type]));
}

export async function pagesIn(folder) {
  return (await readdir(folder)).filter((name) => name.endsWith('.html')).map((name) => name.slice(0, -5)).sort();
}

const read = new Map();

/** The data in a page. */
export async function dataOf(folder, name) {
  const file = path.join(folder, `${name}.html`);
  if (!read.has(file)) {
    const found = /<script type="application\/json" id="picus-data">([^]*?)<\/script>/.exec(await readFile(file, 'utf8'));
    read.set(file, JSON.parse(found[1]));
  }
  return read.get(file);
}

/** Values in a column, or null where there is no such column. */
export function columnOf(run, name) {
  const column = run.columns.find((c) => c.name === name);
  return column ? valuesOf(column.data) : null;
}

/** A contact whose friction set can be drawn: its number, a time at which it pushes, and one at which it is open (or null). */
export function pushedContact(run) {
  const rows = run.contactRows;
  if (!run.scene || !rows.place || !rows.normal) return null;
  const d = run.scene.dimension;
  const [row, contact, lambdaN, place, t] = [rows.row, rows.contact, rows.lambdaN, rows.place, run.t].map(valuesOf);
  let best = -1;
  for (let i = 0; i < row.length; i++) {
    if (lambdaN[i] > 0 && !Number.isNaN(place[i * d]) && run.contacts[contact[i]].mu > 0 && (best < 0 || lambdaN[i] > lambdaN[best])) best = i;
  }
  if (best < 0) return null;
  const closed = new Set(row.filter((_, i) => contact[i] === contact[best]));
  const open = t.findIndex((_, i) => !closed.has(i));
  return { contact: contact[best], pushed: t[row[best]], open: open < 0 ? null : t[open] };
}
