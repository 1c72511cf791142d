import { firstAtOrAfter, lastAtOrBefore } from '../data/lookup';

/** How data become places on the paper, in pixels. */
export interface Mapping {
  x: (value: number) => number;
  y: (value: number) => number;
}

/** Pieces of a line as x, y, x, y …; a new piece begins where values are missing. */
export type Pieces = number[][];

/**
 * A line over ascending x. Of the points that fall on one pixel column only first, lowest, highest and last are kept:
 * the picture is the same, and its cost depends on the width only.
 */
export function piecesOverTime(x: ArrayLike<number>, y: ArrayLike<number>, from: number, to: number, map: Mapping): Pieces {
  const begin = Math.max(0, lastAtOrBefore(x, from));
  const end = Math.min(x.length - 1, firstAtOrAfter(x, to));
  const pieces: Pieces = [];
  let piece: number[] = [];
  let column = NaN;
  let firstX = 0, firstY = 0, lastY = 0, low = 0, high = 0, lowFirst = true, points = 0;

  const flush = (): void => {
    if (points === 0) return;
    // A point alone in its column keeps its own place: rows are not evenly spaced.
    piece.push(points > 1 ? column : firstX, firstY);
    if (points > 2) {
      const early = lowFirst ? low : high;
      const late = lowFirst ? high : low;
      if (early !== firstY) piece.push(column, early);
      if (late !== early && late !== lastY) piece.push(column, late);
    }
    if (points > 1) piece.push(column, lastY);
    points = 0;
  };
  const close = (): void => {
    flush();
    if (piece.length > 0) pieces.push(piece);
    piece = [];
    column = NaN;
  };

  // Where points are farther apart than pixels, their own places are kept instead of columns.
  const sparse = end - begin < Math.abs(map.x(to) - map.x(from)) * 2;
  for (let i = begin; i <= end; i++) {
    const value = y[i]!;
    if (!Number.isFinite(value)) {
      close();
      continue;
    }
    const py = map.y(value);
    const px = map.x(x[i]!);
    if (sparse) {
      piece.push(px, py);
      continue;
    }
    const c = Math.round(px);
    if (c !== column) {
      flush();
      column = c;
      firstX = px;
      firstY = lastY = low = high = py;
      lowFirst = true;
      points = 1;
    } else {
      if (py < low) { low = py; lowFirst = false; }
      if (py > high) { high = py; lowFirst = true; }
      lastY = py;
      points++;
    }
  }
  close();
  return pieces;
}

/** A line through the plane, in any direction: points nearer than half a pixel to the last one are left out. */
export function piecesInPlane(x: ArrayLike<number>, y: ArrayLike<number>, map: Mapping): Pieces {
  const pieces: Pieces = [];
  let piece: number[] = [];
  let lastX = NaN, lastY = NaN;
  const n = Math.min(x.length, y.length);
  for (let i = 0; i < n; i++) {
    const px = map.x(x[i]!);
    const py = map.y(y[i]!);
    if (!Number.isFinite(px) || !Number.isFinite(py)) {
      if (piece.length > 0) pieces.push(piece);
      piece = [];
      lastX = NaN;
      continue;
    }
    const far = !(Math.abs(px - lastX) < 0.5 && Math.abs(py - lastY) < 0.5);
    if (far || i === n - 1) {
      piece.push(px, py);
      lastX = px;
      lastY = py;
    }
  }
  if (piece.length > 0) pieces.push(piece);
  return pieces;
}

/** Smallest and largest value with x in a range, or null where there is none. */
export function rangeOfValues(x: ArrayLike<number>, y: ArrayLike<number>, from: number, to: number, ascending: boolean): [number, number] | null {
  const begin = ascending ? Math.max(0, lastAtOrBefore(x, from)) : 0;
  const end = ascending ? Math.min(x.length - 1, firstAtOrAfter(x, to)) : x.length - 1;
  let low = Infinity;
  let high = -Infinity;
  for (let i = begin; i <= end; i++) {
    const value = y[i]!;
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : null;
}
