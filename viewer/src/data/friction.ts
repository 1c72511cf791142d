import type { FrictionSet } from './contract';
import type { ContactQuantity, RunData } from './run';

const circle: FrictionSet = {
  outline: Array.from({ length: 128 }, (_, i) => (i % 2 === 0 ? Math.cos : Math.sin)(((i >> 1) * 2 * Math.PI) / 64)),
  torsion: 0,
};

/** The friction set of a contact in space: the disk where the data tell none. */
export function frictionSetOf(run: RunData, contact: number): FrictionSet {
  const number = run.source.contacts[contact]?.set;
  return (number === undefined ? undefined : run.source.frictionSets?.[number]) ?? circle;
}

/** Friction at a contact, in units of its bound μΛ_N. */
export interface FrictionImpulse {
  bound: number;
  t: number;
  o: number;
  r: number;
  /** Of the most that the contact can transmit. */
  share: number;
}

/** Null where the contact has no impulse. */
export function impulseAt(run: RunData, entry: number, mu: number): FrictionImpulse | null {
  const read = (name: ContactQuantity): number => (entry < 0 ? 0 : run.contactQuantities.get(name)?.[entry] || 0);
  const n = read('lambdaN');
  if (!(n > 0)) return null;
  const bound = mu * n;
  const of = (name: ContactQuantity): number => read(name) / (bound || 1);
  const shares = run.contactQuantities.get('share');
  return { bound, t: of('lambdaT'), o: of('lambdaO'), r: of('lambdaR'), share: shares ? shares[entry]! : NaN };
}
