import { shortestDigits } from '../text/format';
import type { BandLine, Line } from './line';

export interface Window {
  x: [number, number];
  y: [number, number];
}

function field(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

function digits(values: ArrayLike<number>, index: number): string {
  return shortestDigits(values[index]!, values instanceof Float32Array);
}

function heading(line: Line): string {
  return field(line.unit && line.unit !== '1' ? `${line.labelText} (${line.unit})` : line.labelText);
}

/** Lines over time: a row for each time at which one of them has a value. */
export function csvOverTime(lines: readonly Line[], from: number, to: number, xName: string): string {
  const shown = lines.filter((l) => l.visible);
  const rows = new Map<number, string[]>();
  shown.forEach((line, column) => {
    const { x, y } = line.points();
    for (let i = 0; i < x.length; i++) {
      const at = x[i]!;
      if (at < from || at > to || Number.isNaN(y[i]!)) continue;
      let row = rows.get(at);
      if (!row) rows.set(at, (row = new Array<string>(shown.length).fill('')));
      row[column] = digits(y, i);
    }
  });
  const times = [...rows.keys()].sort((a, b) => a - b);
  const text = [[field(xName), ...shown.map(heading)].join(',')];
  for (const time of times) text.push([String(time), ...rows.get(time)!].join(','));
  return `${text.join('\n')}\n`;
}

/** Lines in the plane: three columns for each, time and both quantities; points outside the window are left out. */
export function csvInPlane(lines: readonly Line[], window: Window, xName: string, yName: string): string {
  const shown = lines.filter((l) => l.visible);
  const columns = shown.map((line) => {
    const { x, y, t } = line.points();
    const rows: string[] = [];
    for (let i = 0; i < x.length; i++) {
      const inside = x[i]! >= window.x[0] && x[i]! <= window.x[1] && y[i]! >= window.y[0] && y[i]! <= window.y[1];
      if (inside) rows.push(`${digits(t, i)},${digits(x, i)},${digits(y, i)}`);
    }
    return rows;
  });
  const several = shown.length > 1;
  const head = shown.map((l) => ['t (s)', xName, yName].map((n) => field(several ? `${l.labelText}: ${n}` : n)).join(','));
  const text = [head.join(',')];
  const count = Math.max(0, ...columns.map((c) => c.length));
  for (let i = 0; i < count; i++) text.push(columns.map((c) => c[i] ?? ',,').join(','));
  return `${text.join('\n')}\n`;
}

const stateNames = ['open', 'stick', 'slip'];

export function csvOfBands(bands: readonly BandLine[], from: number, to: number): string {
  const text = ['contact,state,from (s),to (s)'];
  for (const band of bands) {
    if (!band.visible) continue;
    for (let i = 0; i < band.state.length; i++) {
      if (band.to[i]! < from || band.from[i]! > to) continue;
      text.push([field(band.labelText), stateNames[band.state[i]!] ?? '', String(band.from[i]), String(band.to[i])].join(','));
    }
  }
  return `${text.join('\n')}\n`;
}
