/** Searches in ascending arrays. */

/** Index of the last value that is not above x, or -1. */
export function lastAtOrBefore(values: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! <= x) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Index of the first value that is not below x; the length if there is none. */
export function firstAtOrAfter(values: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface Instant {
  /** Row at or before the time. */
  row: number;
  /** Way to the next row, 0 to 1. */
  part: number;
}

export function instantAt(t: ArrayLike<number>, time: number): Instant {
  const last = t.length - 1;
  const row = Math.min(Math.max(lastAtOrBefore(t, time), 0), Math.max(last, 0));
  if (row >= last) return { row, part: 0 };
  const length = t[row + 1]! - t[row]!;
  const part = length > 0 ? (time - t[row]!) / length : 0;
  return { row, part: Math.min(Math.max(part, 0), 1) };
}

/** The time of the nearest event before (−1) or after (+1) a time, farther away than a rounding error; null if there is none. */
export function neighbourTime(times: ArrayLike<number>, time: number, direction: 1 | -1): number | null {
  const slack = 1e-9 * Math.max(1e-6, Math.abs(time));
  if (direction > 0) {
    const i = lastAtOrBefore(times, time + slack) + 1;
    return i < times.length ? times[i]! : null;
  }
  const i = firstAtOrAfter(times, time - slack) - 1;
  return i >= 0 ? times[i]! : null;
}
