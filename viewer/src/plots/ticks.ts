import { typographic } from '../text/format';

/** Round tick values (1, 2, 5 times a power of ten) within a range. */
export function linearTicks(from: number, to: number, most: number): number[] {
  const span = to - from;
  if (!(span > 0) || most < 1) return [from];
  const rough = span / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * (1 - 1e-9)) ?? 10 * power;
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  const ticks: number[] = [];
  for (let i = first; i <= last; i++) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

/** Powers of ten within a range, every one or every second, third … so that there are not too many. */
export function decadeTicks(from: number, to: number, most: number): number[] {
  const first = Math.ceil(Math.log10(from) - 1e-9);
  const last = Math.floor(Math.log10(to) + 1e-9);
  const step = Math.max(1, Math.ceil((last - first + 1) / Math.max(most, 1)));
  const ticks: number[] = [];
  for (let e = first; e <= last; e += step) ticks.push(Number(`1e${e}`));
  return ticks;
}

/** Labels with equally many decimals; very large and very small numbers as powers of ten. */
export function tickLabels(ticks: readonly number[]): string[] {
  const largest = Math.max(...ticks.map(Math.abs), 0);
  if (largest === 0) return ticks.map(() => '0');
  const step = ticks.length > 1 ? Math.abs(ticks[1]! - ticks[0]!) : largest;
  if (largest >= 1e5 || largest < 1e-3) {
    const exponent = Math.floor(Math.log10(largest) + 1e-9);
    const decimals = Math.max(0, exponent - Math.floor(Math.log10(step) + 1e-9));
    return ticks.map((v) => {
      if (v === 0) return '0';
      return typographic(`${Number((v / 10 ** exponent).toFixed(decimals))}e${exponent}`);
    });
  }
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return ticks.map((v) => typographic(v === 0 ? '0' : v.toFixed(decimals)));
}

export function decadeLabels(ticks: readonly number[]): string[] {
  return ticks.map((v) => typographic(`1e${Math.round(Math.log10(v))}`));
}
