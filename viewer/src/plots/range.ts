import { roundOff } from '../data/scale';
import type { Line } from './line';

export type Range = [number, number];

/** Values of a line below this are round-off. */
export function roundOffOf(line: Line): number {
  return roundOff(line.run, line.valueUnit ?? line.unit);
}

export function span(ranges: readonly Range[]): Range {
  if (ranges.length === 0) return [0, 1];
  return [Math.min(...ranges.map((r) => r[0])), Math.max(...ranges.map((r) => r[1]))];
}

/** A range with some room; `least`: what is smaller is round-off. */
export function padded([low, high]: Range, least = 0): Range {
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (size <= least) return [-1, 1];
  // A line that is constant but for rounding is drawn as a constant.
  if (high - low <= Math.max(1e-9 * size, least) || high === low) {
    const room = size > 0 ? size * 0.1 : 1;
    return [low - room, high + room];
  }
  const room = (high - low) * 0.06;
  return [low - room, high + room];
}
