import { describe, expect, it } from 'vitest';
import { frictionSetOf, impulseAt } from '../src/data/friction';
import { decodeRun } from '../src/data/run';
import { ContactEffects } from '../src/scene/effects';
import { FollowPath, PlanarMotion } from '../src/scene/motion2d';
import { series, smallRun, smallScene } from './smallRun';

/** Contact 1 touches at 0.1 and 0.2 s, contact 2 is struck at 0.2 s. */
function withPlaces(): ReturnType<typeof smallRun> {
  const run = smallRun();
  run.scene = smallScene();
  run.contactRows.place = series('f4', [1, 0, 2, 0, NaN, NaN]);
  run.contactRows.normal = series('f4', [0, 1, 0, 1, NaN, NaN]);
  run.events.place = series('f4', [1, 0, 2, 0, 5, 5]);
  run.events.normal = series('f4', [0, 1, 0, 1, 1, 0]);
  return run;
}

describe('motion', () => {
  it('is straight between its own rows, whatever rows the run has', () => {
    const run = decodeRun({ ...smallRun(), scene: smallScene() }, 0);
    const motion = new PlanarMotion(run);
    const point = run.scene!.shapes[1]!;
    motion.moveTo(0.1);
    expect(motion.numbers(point)[0]).toBeCloseTo(1);
    expect(motion.numbers(point)[1]).toBeCloseTo(2);
    expect(motion.pose(0).y).toBeCloseTo(0.5);
    motion.moveTo(9);
    expect([...Array.from(motion.numbers(point))]).toEqual([3, 6]);
  });

  it('is followed over time, not over rows', () => {
    const source = smallRun();
    // Half of the rows lie within a hundredth of the time.
    source.t = series('f8', [0, 0.001, 0.002, 1]);
    source.scene = { ...smallScene(), t: series('f8', [0, 1]), shapes: [{ kind: 'point', frame: -1, motion: series('f4', [0, 0, 10, 0]) }] };
    const run = decodeRun(source, 0);
    const path = new FollowPath(new PlanarMotion(run), run);
    expect(path.at(0.5)[0]).toBeCloseTo(5, 1);
    expect(path.at(0.25)[0]).toBeCloseTo(2.5, 1);
  });
});

describe('effects at contacts', () => {
  const effects = new ContactEffects(decodeRun(withPlaces(), 0));

  it('are where the row says', () => {
    const [effect] = effects.at(0.15, 0);
    expect(effect).toMatchObject({ contact: 0, point: [1, 0], normal: [0, 1], tangent: [1, -0], lambdaN: 3, flash: 0 });
  });

  it('flash where the event says when the row does not know', () => {
    const flash = effects.at(0.2, 0.05).find((e) => e.contact === 1);
    expect(flash).toMatchObject({ point: [5, 5], normal: [1, 0], lambdaN: 5, flash: 1 });
    expect(effects.at(0.3, 0.15).find((e) => e.contact === 1)).toMatchObject({ point: [5, 5] });
  });

  it('travel with the contact while it has a row', () => {
    const flash = effects.at(0.2, 1).find((e) => e.contact === 0);
    expect(flash!.point).toEqual([2, 0]);
    expect(flash!.flash).toBeCloseTo(0.9);
  });

  it('are none at an open contact, and none where no place is known', () => {
    expect(effects.chosen(0, 0.05)).toBeNull();
    expect(effects.chosen(0, 0.1)).not.toBeNull();
    expect(effects.chosen(1, 0.2)).toBeNull();
    expect(new ContactEffects(decodeRun({ ...smallRun(), scene: smallScene() }, 0)).at(0.2, 1)).toEqual([]);
  });

  it('have a tangent that turns as the contact says', () => {
    const source = withPlaces();
    source.contacts[0]!.turn = -1;
    expect(new ContactEffects(decodeRun(source, 0)).at(0.1, 0)[0]!.tangent).toEqual([-1, 0]);
  });
});

describe('friction', () => {
  it('is a share of the most that the contact can transmit, torsion included', () => {
    const source = smallRun();
    source.contactRows.lambdaR = series('f4', [0.36, 0, 0]);
    source.contactRows.share = series('f4', [1, 0.5, NaN]);
    const run = decodeRun(source, 0);
    const spinning = impulseAt(run, 0, 0.3)!;
    expect([spinning.t, spinning.o]).toEqual([0, 0]);
    expect(spinning.bound).toBeCloseTo(0.9);
    expect(spinning.r).toBeCloseTo(0.4);
    expect(spinning.share).toBe(1);
    expect(impulseAt(run, -1, 0.3)).toBeNull();
    // Pages whose data tell no share show none, not a false one.
    expect(impulseAt(decodeRun(smallRun(), 0), 0, 0.3)!.share).toBeNaN();
  });

  it('has the set that the data tell, else the disk', () => {
    const source = smallRun();
    source.frictionSets = [{ outline: [2, 0, 0, 1, -2, 0, 0, -1], torsion: 0.4 }];
    source.contacts[1]!.set = 0;
    const run = decodeRun(source, 0);
    expect(frictionSetOf(run, 1).torsion).toBe(0.4);
    const disk = frictionSetOf(run, 0).outline;
    for (let i = 0; i < disk.length; i += 2) expect(Math.hypot(disk[i]!, disk[i + 1]!)).toBeCloseTo(1);
  });
});
