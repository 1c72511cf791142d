import { instantAt, firstAtOrAfter, lastAtOrBefore } from '../data/lookup';
import { contactEntryAt, type Places, type RunData } from '../data/run';

/** Something to draw at a contact: an impulse, a flash, or both. */
export interface ContactEffect {
  contact: number;
  point: number[];
  normal: number[];
  tangent: number[];
  lambdaN: number;
  lambdaT: number;
  lambdaO: number;
  /** 0: open, 1: stick, 2: slip. */
  state: number;
  /** 1 when it happens now, fading to 0. */
  strength: number;
  /** 1 at a blow, fading to 0; 0 for a contact that merely lasts. */
  flash: number;
}

/** t of a contact when the data do not say: in the plane n turned clockwise, in space the direction across n nearest to x. */
export function defaultTangent(normal: readonly number[], turn = 1): number[] {
  if (normal.length === 2) return [turn * normal[1]!, -turn * normal[0]!];
  const [nx, ny, nz] = normal as [number, number, number];
  let t = [1 - nx * nx, -nx * ny, -nx * nz];
  let length = Math.hypot(...t);
  if (length < 1e-6) {
    t = [-ny * nx, 1 - ny * ny, -ny * nz];
    length = Math.hypot(...t);
  }
  return t.map((v) => v / length);
}

const unknown = -2;

/** Times nearer than this are the same but for rounding. */
function slackAt(time: number): number {
  return 1e-9 * Math.max(1, Math.abs(time));
}

export class ContactEffects {
  private readonly dimension: number;
  private readonly impactKinds: Set<number>;
  /** The largest impulse of a step: its arrow is the longest. */
  readonly largest: number;
  /** Part of their usual length that arrows have: where many contacts push at once they are shorter. */
  readonly room: number;

  /** Entry in the contact rows of each event, looked for when it is first drawn. */
  private readonly eventEntries: Int32Array;

  constructor(private readonly run: RunData) {
    this.dimension = run.scene?.dimension ?? 2;
    this.impactKinds = new Set(run.source.eventKinds.flatMap((kind, i) => (kind === 'impact' || kind === 'jam' ? [i] : [])));
    this.eventEntries = new Int32Array(run.events.t.length).fill(unknown);
    let largest = 0;
    for (const v of run.contactQuantities.get('lambdaN') ?? []) if (v > largest) largest = v;
    for (const v of run.events.lambdaN) if (v > largest) largest = v;
    this.largest = largest;
    let rows = 0;
    for (let row = 0; row < run.t.length; row++) if (run.contactStart[row + 1]! > run.contactStart[row]!) rows++;
    const together = rows > 0 ? run.contactRow.length / rows : 0;
    this.room = together > 6 ? Math.sqrt(6 / together) : 1;
  }

  /** Arrows grow with the root of the impulse: blows and lasting forces differ by orders of magnitude. */
  arrowLength(impulse: number, longest: number): number {
    if (!(impulse > 0) || this.largest === 0) return 0;
    return longest * Math.max(Math.sqrt(Math.min(impulse / this.largest, 1)), 0.12);
  }

  private vector(values: ArrayLike<number>, row: number): number[] {
    const d = this.dimension;
    return Array.from({ length: d }, (_, i) => values[row * d + i]!);
  }

  /** An effect without impulses at the place told in a row; null where no place is known. */
  private effectAt(contact: number, places: Places, row: number): ContactEffect | null {
    if (!places.place || !places.normal) return null;
    const point = this.vector(places.place, row);
    const normal = this.vector(places.normal, row);
    if (point.some(Number.isNaN) || normal.some(Number.isNaN)) return null;
    const given = places.tangent && this.dimension === 3 ? this.vector(places.tangent, row) : null;
    const tangent = given && !given.some(Number.isNaN) ? given : defaultTangent(normal, this.run.source.contacts[contact]?.turn ?? 1);
    return { contact, point, normal, tangent, lambdaN: 0, lambdaT: 0, lambdaO: 0, state: 0, strength: 1, flash: 0 };
  }

  private withImpulses(effect: ContactEffect, entry: number): ContactEffect {
    const { run } = this;
    const value = (name: 'lambdaN' | 'lambdaT' | 'lambdaO'): number => run.contactQuantities.get(name)?.[entry] || 0;
    effect.lambdaN = value('lambdaN');
    effect.lambdaT = value('lambdaT');
    effect.lambdaO = value('lambdaO');
    effect.state = run.contactState[entry]!;
    return effect;
  }

  /** Entry of a contact in the row of an event, which ends the step that the event belongs to; −1 when that row is not on the page. */
  private entryOfEvent(event: number): number {
    const known = this.eventEntries[event]!;
    if (known !== unknown) return known;
    const { run } = this;
    const time = run.events.t[event]!;
    const slack = slackAt(time);
    const { row } = instantAt(run.t, time + slack);
    const there = Math.abs(run.t[row]! - time) <= run.source.dt + slack;
    return (this.eventEntries[event] = there ? contactEntryAt(run, row, run.events.contact[event]!) : -1);
  }

  /** What to draw at a time; blows fade within `fading` seconds of the motion. */
  at(time: number, fading: number): ContactEffect[] {
    const { run } = this;
    const found = new Map<number, ContactEffect>();
    const entries = new Map<number, number>();
    const { row } = instantAt(run.t, time);
    for (let e = run.contactStart[row]!; e < run.contactStart[row + 1]!; e++) {
      const contact = run.contactOfRow[e]!;
      entries.set(contact, e);
      const effect = this.effectAt(contact, run.contactPlaces, e);
      if (effect && this.withImpulses(effect, e).lambdaN > 0) found.set(contact, effect);
    }
    const begin = firstAtOrAfter(run.events.t, time - fading);
    const end = lastAtOrBefore(run.events.t, time + slackAt(time));
    for (let i = begin; i <= end; i++) {
      if (!this.impactKinds.has(run.events.kind[i]!)) continue;
      const contact = run.events.contact[i]!;
      const left = 1 - Math.max(0, time - run.events.t[i]!) / Math.max(fading, 1e-12);
      // The mark of a blow travels with the contact as long as that is told; else it stays where the blow was.
      const now = entries.get(contact);
      const effect = (now !== undefined ? this.effectAt(contact, run.contactPlaces, now) : null) ?? this.effectAt(contact, run.events.places, i);
      if (!effect) continue;
      const blow = this.entryOfEvent(i);
      if (blow >= 0) this.withImpulses(effect, blow);
      effect.lambdaN = Math.max(effect.lambdaN, run.events.lambdaN[i]!);
      effect.strength = effect.flash = left;
      const lasting = found.get(contact);
      // The blow stays in sight until it has faded below what acts now.
      if (!lasting || lasting.lambdaN < effect.lambdaN * left * left) found.set(contact, effect);
      else lasting.flash = Math.max(lasting.flash, left);
    }
    return [...found.values()];
  }

  /** The contact a person chose, or null while it is open. */
  chosen(contact: number, time: number): ContactEffect | null {
    const { row } = instantAt(this.run.t, time);
    const entry = contactEntryAt(this.run, row, contact);
    const effect = entry < 0 ? null : this.effectAt(contact, this.run.contactPlaces, entry);
    return effect && this.withImpulses(effect, entry);
  }
}
