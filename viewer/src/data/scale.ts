import type { RunData } from './run';

/** What is smaller than this share of the quantities of its unit is round-off. */
const roundOffShare = 1e-12;

function largest(values: ArrayLike<number>): number {
  let size = 0;
  for (let i = 0; i < values.length; i++) {
    const v = Math.abs(values[i]!);
    if (v > size && v < Infinity) size = v;
  }
  return size;
}

function measure(run: RunData): Map<string, number> {
  const scales = new Map<string, number>();
  const take = (unit: string, size: number): void => void scales.set(unit, Math.max(scales.get(unit) ?? 0, size));
  for (const column of run.columns) if (column.group !== 'certificate') take(column.unit, largest(column.values));
  for (const [name, unit] of [['gammaN', 'm/s'], ['gammaT', 'm/s'], ['gammaO', 'm/s'], ['gammaR', 'rad/s'], ['lambdaN', 'N s']] as const) {
    take(unit, largest(run.contactQuantities.get(name) ?? []));
  }
  // What moves within the picture, once in the run; one radian, once in the run.
  const box = run.scene?.box ?? [];
  let diagonal = 0;
  for (let i = 0; i + 1 < box.length; i += 2) diagonal = Math.hypot(diagonal, box[i + 1]! - box[i]!);
  const duration = run.t[run.t.length - 1]! - run.t[0]!;
  take('m', diagonal);
  take('rad', 1);
  if (duration > 0) {
    take('m/s', scales.get('m')! / duration);
    take('rad/s', 1 / duration);
  }
  take('N m s', Math.max(largest(run.contactQuantities.get('lambdaR') ?? []), (scales.get('N s') ?? 0) * scales.get('m')!));
  return scales;
}

const known = new WeakMap<RunData, Map<string, number>>();

/** Numbers of this unit that are smaller say nothing about the motion of the run. */
export function roundOff(run: RunData, unit: string): number {
  let scales = known.get(run);
  if (!scales) known.set(run, (scales = measure(run)));
  return roundOffShare * (scales.get(unit) ?? 0);
}
