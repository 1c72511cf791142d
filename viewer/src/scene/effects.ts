import { instantAt, firstAtOrAfter, lastAtOrBefore } from '../data/lookup';
import { contactEntryAt, type DecodedPlace, type RunData } from '../data/run';

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
export function defaultTangent(normal: readonly number[]): number[] {
  if (normal.length === 2) return [normal[1]!, -normal[0]!];
  const [nx, ny, nz] = normal as [number, number, number];
  let t = [1 - nx * nx, -nx * ny, -nx * nz];
  let length = Math.hypot(...t);
  if (length < 1e-6) {
    t = [-ny * nx, 1 - ny * ny, -ny * nz];
    length = Math.hypot(...t);
  }
  return t.map((v) => v / length);
}

export class ContactEffects {
  private readonly places = new Map<number, DecodedPlace>();
  private readonly dimension: number;
  private readonly impactKinds: Set<number>;
  /** The largest impulse of a step: its arrow is the longest. */
  readonly largest: number;

  constructor(private readonly run: RunData) {
    this.dimension = run.scene?.dimension ?? 2;
    for (const place of run.scene?.places ?? []) this.places.set(place.contact, place);
    this.impactKinds = new Set(run.source.eventKinds.flatMap((kind, i) => (kind === 'impact' || kind === 'jam' ? [i] : [])));
    let largest = 0;
    for (const v of run.contactQuantities.get('lambdaN') ?? []) if (v > largest) largest = v;
    for (const v of run.events.lambdaN) if (v > largest) largest = v;
    this.largest = largest;
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

  private effectAt(contact: number, row: number): ContactEffect | null {
    const place = this.places.get(contact);
    if (!place) return null;
    const point = this.vector(place.point, row);
    if (point.some(Number.isNaN)) return null;
    const normal = this.vector(place.normal, row);
    const tangent = place.tangent ? this.vector(place.tangent, row) : defaultTangent(normal);
    return { contact, point, normal, tangent, lambdaN: 0, lambdaT: 0, lambdaO: 0, state: 0, strength: 1, flash: 0 };
  }

  private withImpulses(effect: ContactEffect, row: number): ContactEffect {
    const { run } = this;
    const entry = contactEntryAt(run, row, effect.contact);
    if (entry < 0) return effect;
    const value = (name: 'lambdaN' | 'lambdaT' | 'lambdaO'): number => run.contactQuantities.get(name)?.[entry] || 0;
    effect.lambdaN = value('lambdaN');
    effect.lambdaT = value('lambdaT');
    effect.lambdaO = value('lambdaO');
    effect.state = run.contactState[entry]!;
    return effect;
  }

  /** What to draw at a time; blows fade within `fading` seconds of the motion. */
  at(time: number, fading: number): ContactEffect[] {
    const { run } = this;
    if (this.places.size === 0) return [];
    const found = new Map<number, ContactEffect>();
    const { row } = instantAt(run.t, time);
    for (let e = run.contactStart[row]!; e < run.contactStart[row + 1]!; e++) {
      const effect = this.effectAt(run.contactOfRow[e]!, row);
      if (effect) {
        this.withImpulses(effect, row);
        if (effect.lambdaN > 0) found.set(effect.contact, effect);
      }
    }
    const begin = firstAtOrAfter(run.events.t, time - fading);
    const slack = 1e-9 * Math.max(1, Math.abs(time));
    const end = lastAtOrBefore(run.events.t, time + slack);
    for (let i = begin; i <= end; i++) {
      if (!this.impactKinds.has(run.events.kind[i]!)) continue;
      const contact = run.events.contact[i]!;
      const left = 1 - Math.max(0, time - run.events.t[i]!) / Math.max(fading, 1e-12);
      const at = instantAt(run.t, run.events.t[i]! + slack).row;
      // The mark of a blow travels with the contact.
      const effect = this.effectAt(contact, row) ?? this.effectAt(contact, at);
      if (!effect) continue;
      this.withImpulses(effect, at);
      effect.lambdaN = Math.max(effect.lambdaN, run.events.lambdaN[i]!);
      effect.strength = effect.flash = left;
      const now = found.get(contact);
      // The blow stays in sight until it has faded below what acts now.
      if (!now || now.lambdaN < effect.lambdaN * left * left) found.set(contact, effect);
      else now.flash = Math.max(now.flash, left);
    }
    return [...found.values()];
  }

  /** The contact a person chose, whether it is closed or not. */
  chosen(contact: number, time: number): ContactEffect | null {
    const { row } = instantAt(this.run.t, time);
    const effect = this.effectAt(contact, row);
    return effect && this.withImpulses(effect, row);
  }
}
