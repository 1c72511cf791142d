import { describe, expect, it } from 'vitest';
import { decodeSeries, parsePage } from '../src/data/decode';
import { contactEntryAt, contactName, decodeRun } from '../src/data/run';
import { firstAtOrAfter, instantAt, lastAtOrBefore, neighbourTime } from '../src/data/lookup';
import { series, smallRun, smallScene } from './smallRun';

describe('series', () => {
  it('decodes every type', () => {
    expect([...decodeSeries(series('f4', [1.5, -2]))]).toEqual([1.5, -2]);
    expect([...decodeSeries(series('f8', [0.1, 1e300]))]).toEqual([0.1, 1e300]);
    expect([...decodeSeries(series('i4', [-7, 2 ** 30]))]).toEqual([-7, 2 ** 30]);
    expect([...decodeSeries(series('u1', [0, 255]))]).toEqual([0, 255]);
    expect(decodeSeries(series('f4', []))).toHaveLength(0);
  });

  it('keeps NaN', () => {
    expect(decodeSeries(series('f4', [NaN]))[0]).toBeNaN();
  });

  it('refuses a wrong length', () => {
    expect(() => decodeSeries({ ...series('f4', [1, 2]), n: 3 })).toThrow(/3 values/);
  });
});

describe('page', () => {
  it('tells a template without data', () => {
    expect(parsePage('__PICUS' + '_DATA__')).toBeNull();
    expect(parsePage('  ')).toBeNull();
  });

  it('reads escaped signs', () => {
    expect(parsePage('{"title":"a \\u003c b","runs":[],"picus":"1"}')?.title).toBe('a < b');
  });
});

describe('run', () => {
  const run = decodeRun(smallRun(), 0);

  it('finds the rows of contacts', () => {
    expect([...run.contactStart]).toEqual([0, 0, 1, 3, 3]);
    expect(contactEntryAt(run, 2, 1)).toBe(2);
    expect(contactEntryAt(run, 0, 0)).toBe(-1);
    expect(run.tracks.map((t) => [t.contact, [...t.entries]])).toEqual([[0, [0, 1]], [1, [2]]]);
  });

  it('lists each time of an event once', () => {
    expect([...run.events.distinctTimes]).toEqual([0.1, 0.2]);
  });

  it('names contacts', () => {
    expect(contactName(run, 0)).toBe('contact 1');
    expect(contactName(run, 1)).toBe('floor/ball');
  });
});

describe('places of contacts', () => {
  it('lie beside the rows they belong to', () => {
    const source = { ...smallRun(), scene: smallScene() };
    source.contactRows.place = series('f4', [1, 2, 3, 4, 5, 6]);
    const run = decodeRun(source, 0);
    expect([...run.contactPlaces.place!]).toEqual([1, 2, 3, 4, 5, 6]);
    expect(run.contactPlaces.normal).toBeNull();
    expect(run.events.places.place).toBeNull();
  });

  it('must be as many as the scene has dimensions', () => {
    const source = { ...smallRun(), scene: smallScene() };
    source.events.place = series('f4', [1, 2, 3]);
    expect(() => decodeRun(source, 0)).toThrow(/3 rows of contacts have 3 numbers/);
  });
});

describe('scene', () => {
  it('has times of its own, or those of the run', () => {
    const scene = smallScene();
    const own = decodeRun({ ...smallRun(), scene }, 0).scene!;
    expect([...Array.from(own.t)]).toEqual([0, 0.3]);
    expect(own.shapes.map((s) => s.count)).toEqual([3, 2]);
    delete scene.t;
    const run = decodeRun({ ...smallRun(), scene }, 0);
    expect(run.scene!.t).toBe(run.t);
    expect(run.scene!.shapes[1]!.count).toBe(1);
  });
});

describe('time', () => {
  const t = [0, 1, 2, 4];

  it('finds rows', () => {
    expect(lastAtOrBefore(t, -1)).toBe(-1);
    expect(lastAtOrBefore(t, 1)).toBe(1);
    expect(lastAtOrBefore(t, 3.9)).toBe(2);
    expect(firstAtOrAfter(t, 1)).toBe(1);
    expect(firstAtOrAfter(t, 5)).toBe(4);
  });

  it('gives the way to the next row', () => {
    expect(instantAt(t, 3)).toEqual({ row: 2, part: 0.5 });
    expect(instantAt(t, 9)).toEqual({ row: 3, part: 0 });
    expect(instantAt(t, -9)).toEqual({ row: 0, part: 0 });
  });

  it('finds neighbours in spite of rounding', () => {
    expect(neighbourTime(t, 1 + 1e-12, 1)).toBe(2);
    expect(neighbourTime(t, 1 - 1e-12, 1)).toBe(2);
    expect(neighbourTime(t, 1 + 1e-12, -1)).toBe(0);
    expect(neighbourTime(t, 4, 1)).toBeNull();
    expect(neighbourTime(t, 0, -1)).toBeNull();
  });
});
