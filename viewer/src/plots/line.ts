import type { RunData } from '../data/run';

export interface LinePoints {
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  /** Time of each point, for the cursor. */
  t: ArrayLike<number>;
}

export interface Line {
  /** Key of the quantity; the same in all runs. */
  quantity: string;
  labelHtml: string;
  labelText: string;
  unit: string;
  /** Unit of its values, where `unit` is not told because the plot's label has it. */
  valueUnit?: string;
  run: RunData;
  /** Number in the palette, and in the list of dash patterns. */
  color: number;
  dash: number;
  visible: boolean;
  /** Whether the legend shows it without being asked. */
  listed: boolean;
  points: () => LinePoints;
}

export function remember<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

export interface BandLine {
  labelText: string;
  run: RunData;
  visible: boolean;
  from: ArrayLike<number>;
  to: ArrayLike<number>;
  state: ArrayLike<number>;
}

export interface Axis {
  label: string;
  from?: number;
  to?: number;
}

export interface PlotSpec {
  id: string;
  title: string;
  /** Over time, in the plane of two quantities, or bands of states over time. */
  kind: 'time' | 'plane' | 'bands';
  log: boolean;
  x: Axis;
  y: Axis;
  lines: Line[];
  bands: BandLine[];
  note: string;
}
