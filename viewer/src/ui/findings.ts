import type { Worry } from '../data/contract';
import type { RunData } from '../data/run';
import { formatCount, formatNumber, formatWithUnit, typographic } from '../text/format';

/** What a reader should know before trusting a run, in plain words. */

function listOf(value: string | string[] | undefined): string[] {
  if (!value) return [];
  return (Array.isArray(value) ? value : [value]).filter((v) => v !== '');
}

/** Numbers as people write them, a capital letter and a full stop: 1e-08 becomes 10⁻⁸. */
export function sentence(text: string): string {
  const trimmed = text.trim()
    .replace(/-?\d+(\.\d+)?e[+-]?\d+/g, (number) => (Number(number) === 0 ? '0' : typographic(number)))
    .replace(/(^|[\s(])-(?=\d)/g, '$1−')
    .replace(/([\d⁰¹²³⁴⁵⁶⁷⁸⁹]) (J|N|m|s|rad|kg|%)(?![\w/])/g, '$1\u00a0$2')
    .replace(/(?<![\d.])\d{5,}(?![\d.])/g, (number) => formatCount(Number(number)));
  const first = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

function plural(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Overlap that is seen with the eye: a thousandth of the size of the motion. */
export function largeOverlap(run: RunData): number {
  const box = run.source.scene?.box;
  if (!box || box.length < 4) return 1e-3;
  let square = 0;
  for (let i = 0; i + 1 < box.length; i += 2) square += (box[i + 1]! - box[i]!) ** 2;
  return 1e-3 * Math.sqrt(square);
}

/** Sentences of the program where it wrote some, else those made here from the summary. */
export function worriesOf(run: RunData): readonly Worry[] {
  return run.source.worries?.map((w) => ({ level: w.level, text: sentence(w.text) })) ?? findingsOf(run);
}

/** Those that a reader must know of: the worst first. */
export function troublesOf(run: RunData): Worry[] {
  const worries = worriesOf(run);
  return [...worries.filter((w) => w.level === 'bad'), ...worries.filter((w) => w.level === 'look')];
}

export function findingsOf(run: RunData): Worry[] {
  const s = run.source.summary;
  const found: Worry[] = [];
  const bad = (text: string): void => void found.push({ text, level: 'bad' });
  const trouble = (text: string): void => void found.push({ text, level: 'look' });
  const note = (text: string): void => void found.push({ text, level: 'fine' });

  if (s.status && s.status !== 'done') bad(sentence(`The run ended as “${s.status}”${s.message ? `: ${s.message}` : ''}`));
  const missing = (s.steps ?? 0) - (s.certified_steps ?? s.steps ?? 0);
  if (missing > 0) bad(`${plural(missing, 'step is', 'steps are')} not certified: its result may not obey the laws of contact to the tolerance.`.replace(/^(.*steps are.*): its result/, '$1: their results'));
  if ((s.multiple_solution_steps ?? 0) > 0) {
    trouble(`In ${plural(s.multiple_solution_steps!, 'step', 'steps')} several solutions fit the laws; the program took one of them, and the motion could have gone on differently.`);
  }
  const energy = s.energy;
  if (energy && (energy.gain_steps ?? 0) > 0) {
    const worst = energy.largest_gain ?? energy.first_gain;
    trouble(`Contacts fed in energy in ${plural(energy.gain_steps!, 'step', 'steps')}${worst ? `, at most ${formatWithUnit(worst.energy, 'J', 3)} at t = ${formatNumber(worst.t, 5)} s (${worst.contact})` : ''}.`);
  }
  if ((s.worst_penetration ?? 0) > largeOverlap(run)) {
    trouble(`Bodies overlap by up to ${formatWithUnit(s.worst_penetration, 'm', 3)}, which is visible at the size of this motion: try a smaller dt.`);
  }
  if ((s.impulses_without_collision ?? 0) > 0) {
    const first = s.first_impulse_without_collision;
    trouble(`${plural(s.impulses_without_collision!, 'impulse', 'impulses')} without a collision (jam)${first ? `, the first at t = ${formatNumber(first.t, 5)} s (${first.contact})` : ''}.`);
  }
  if ((s.theory?.none ?? 0) > 0) trouble(`In ${plural(s.theory!.none!, 'recorded state', 'recorded states')} no solution was found by theory.`);
  if ((s.theory?.several ?? 0) > 0) trouble(`In ${plural(s.theory!.several!, 'recorded state', 'recorded states')} theory finds several solutions.`);
  for (const warning of listOf(s.warnings)) trouble(sentence(warning));
  for (const caution of listOf(s.caution)) trouble(sentence(caution));
  for (const remark of listOf(s.remarks)) note(sentence(remark));
  if ((s.contact_steps ?? 0) > 0 && s.uniqueness_examined_steps === 0) note('Whether steps have a single solution was not examined.');
  return found;
}
