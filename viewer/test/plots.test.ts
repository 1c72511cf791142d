import { describe, expect, it } from 'vitest';
import { decodeRun } from '../src/data/run';
import { columnQuantities, contactQuantity, swinging, trackPoints } from '../src/plots/catalogue';
import { csvInPlane, csvOfBands, csvOverTime } from '../src/plots/csv';
import { piecesInPlane, piecesOverTime, rangeOfValues, type Mapping } from '../src/plots/decimate';
import type { Line } from '../src/plots/line';
import { pathData, svgOfPicture, type Picture } from '../src/plots/picture';
import { padded, roundOffOf } from '../src/plots/range';
import { decadeLabels, decadeTicks, linearTicks, tickLabels } from '../src/plots/ticks';
import { series, smallRun } from './smallRun';

const same: Mapping = { x: (v) => v, y: (v) => v };

function line(x: ArrayLike<number>, y: ArrayLike<number>, labelText: string, visible = true): Line {
  return { quantity: labelText, labelHtml: labelText, labelText, unit: 'm', run: decodeRun(smallRun(), 0), color: 0, dash: 0, visible, listed: true, points: () => ({ x, y, t: x }) };
}

describe('decimation over time', () => {
  const n = 20_000;
  const x = Float64Array.from({ length: n }, (_, i) => i / n);
  const y = Float32Array.from({ length: n }, (_, i) => Math.sin(i / 50));
  const map: Mapping = { x: (v) => v * 400, y: (v) => v };

  it('keeps few points and all extremes of each column', () => {
    y[12_345] = 9;
    const pieces = piecesOverTime(x, y, 0, 1, map);
    expect(pieces).toHaveLength(1);
    expect(pieces[0]!.length / 2).toBeLessThan(400 * 4 + 8);
    expect(Math.max(...pieces[0]!.filter((_, i) => i % 2 === 1))).toBe(9);
  });

  it('keeps the order of low and high within a column', () => {
    const many = Float64Array.from({ length: 100 }, (_, i) => i * 1e-4);
    const values = Float32Array.from({ length: 100 }, (_, i) => (i === 30 ? -5 : i === 60 ? 5 : 0));
    const ys = piecesOverTime(many, values, 0, 1, same)[0]!.filter((_, i) => i % 2 === 1);
    expect(ys).toEqual([0, -5, 5, 0]);
  });

  it('breaks where values are missing', () => {
    expect(piecesOverTime([0, 1, 2, 3, 4], [1, 1, NaN, 2, 2], 0, 4, same)).toEqual([[0, 1, 1, 1], [3, 2, 4, 2]]);
  });

  it('takes one point on each side of the range', () => {
    expect(piecesOverTime([0, 10, 20, 30], [1, 2, 3, 4], 12, 18, { x: (v) => v * 10, y: (v) => v })[0]).toEqual([100, 2, 200, 3]);
  });
});

describe('decimation in the plane', () => {
  it('drops points that lie on each other', () => {
    const x = Array.from({ length: 1000 }, (_, i) => i * 0.01);
    const piece = piecesInPlane(x, x, same)[0]!;
    expect(piece.length / 2).toBeLessThan(25);
    expect(piece.slice(-2)).toEqual([x[999], x[999]]);
  });

  it('breaks at NaN', () => {
    expect(piecesInPlane([0, 5, 9, 12], [0, NaN, 3, 4], same)).toEqual([[0, 0], [9, 3, 12, 4]]);
  });
});

describe('ranges', () => {
  it('looks at visible values only', () => {
    expect(rangeOfValues([0, 1, 2, 3, 4], [9, 1, 2, 3, -9], 1, 3, true)).toEqual([1, 3]);
    expect(rangeOfValues([0, 1], [NaN, Infinity], 0, 1, true)).toBeNull();
  });
});

describe('ticks', () => {
  it('are round', () => {
    expect(linearTicks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(linearTicks(-0.3, 0.3, 3)).toEqual([-0.2, 0, 0.2]);
    expect(linearTicks(3, 3, 5)).toEqual([3]);
  });

  it('have equally many decimals and a real minus', () => {
    expect(tickLabels([-0.5, 0, 0.5])).toEqual(['−0.5', '0', '0.5']);
    expect(tickLabels([0.9, 1, 1.1])).toEqual(['0.9', '1.0', '1.1']);
    expect(tickLabels([0, 2e-5, 4e-5])).toEqual(['0', '2·10⁻⁵', '4·10⁻⁵']);
  });

  it('are decades on a log axis', () => {
    expect(decadeTicks(1e-17, 1e-8, 5)).toEqual([1e-17, 1e-15, 1e-13, 1e-11, 1e-9]);
    expect(decadeLabels([1e-9])).toEqual(['10⁻⁹']);
  });
});

describe('contacts', () => {
  const run = decodeRun(smallRun(), 0);

  it('draw a blow of one step as a spike', () => {
    const { x, y } = trackPoints(run, run.tracks[1]!, 'lambdaN');
    expect(Array.from(x)).toEqual([0.1, 0.2, 0.3]);
    expect(Array.from(y)).toEqual([0, 5, 0]);
  });

  it('leave a gap open where there is no value', () => {
    const { y } = trackPoints(run, run.tracks[0]!, 'gap');
    expect(Array.from(y)).toEqual([NaN, 0, 0, NaN]);
  });

  it('are found by name', () => {
    expect(contactQuantity([run], 'lambdaN', 'Lambda_N', 'N s').map((q) => q.text)).toEqual(['Λ_N contact 1', 'Λ_N floor/ball']);
    expect(contactQuantity([run], 'lambdaO', 'Lambda_O', 'N s')).toEqual([]);
  });
});

describe('CSV', () => {
  it('holds visible lines in the visible range', () => {
    const x = Float64Array.from([0, 0.1, 0.2, 0.3]);
    const text = csvOverTime([line(x, Float32Array.from([1, 0.1, NaN, 4]), 'a'), line(x, x, 'hidden', false), line([0.2], [7], 'b')], 0.05, 0.25, 't (s)');
    expect(text).toBe('t (s),a (m),b (m)\n0.1,0.1,\n0.2,,7\n');
  });

  it('gives the same 32-bit numbers back', () => {
    const y = Float32Array.from([Math.PI, 1e-30 / 3, 123456.789]);
    const rows = csvOverTime([line([0, 1, 2], y, 'a')], 0, 2, 't').trim().split('\n').slice(1);
    expect(rows.map((r) => Math.fround(Number(r.split(',')[1])))).toEqual([...y]);
  });

  it('writes points of the plane inside the window', () => {
    const text = csvInPlane([line([0, 1, 2], [0, 1, 5], 'a')], { x: [0, 2], y: [0, 2] }, 'x', 'y, z');
    expect(text).toBe('t (s),x,"y, z"\n0,0,0\n1,1,1\n');
  });

  it('writes bands', () => {
    const band = { labelText: 'floor', run: decodeRun(smallRun(), 0), visible: true, from: [0, 1], to: [1, 2], state: [0, 2] };
    expect(csvOfBands([band], 0, 2)).toBe('contact,state,from (s),to (s)\nfloor,open,0,1\nfloor,slip,1,2\n');
  });
});

describe('SVG', () => {
  const picture: Picture = {
    title: 'A < B', width: 400, height: 220, frame: { left: 60, top: 8, width: 326, height: 166 }, xLabel: 't (s)', yLabel: 'φ_M',
    xTicks: [{ at: 60, label: '0' }], yTicks: [{ at: 20, label: '−1' }],
    lines: [{ label: 'a', color: '#000', dash: [], pieces: [[60, 8, 100, 20]] }, { label: 'b', color: '#111', dash: [2, 3], pieces: [[60, 8]] }],
    bands: [], legend: [{ label: 'a', color: '#000', dash: [], filled: false }], colors: { background: '#fff', scene: '#fff', ground: '#eee', text: '#000', faint: '#555', grid: '#eee' },
  };

  it('has one path for each line, and escaped text', () => {
    const svg = svgOfPicture(picture);
    expect(svg.match(/<path class="line"/g)).toHaveLength(2);
    expect(svg).toContain('A &lt; B');
    expect(svg).toContain('stroke-dasharray="2 3"');
    expect(svg).not.toContain('<image');
  });

  it('draws a single point as a dot', () => {
    expect(pathData([[1, 2]])).toBe('M1 2h0');
    expect(pathData([[0, 0, 1.005, 2]])).toBe('M0 0L1 2');
  });
});

describe('round-off', () => {
  const source = smallRun();
  source.columns.push({ name: 'phi', unit: 'rad', group: 'coordinate', data: series('f4', [0, 1e-15, -2e-15, 1e-15]) });
  source.columns.push({ name: 'x', unit: 'm', group: 'coordinate', data: series('f4', [0, 1e-8, 3e-8, 0]) });
  const run = decodeRun(source, 0);

  it('is no motion: it has the range of a line that stands still', () => {
    const angle = { ...line([0, 1], [0, 0], 'phi'), unit: 'rad', run };
    expect(roundOffOf(angle)).toBeGreaterThan(2e-15);
    expect(padded([-2e-15, 1e-15], roundOffOf(angle))).toEqual([-1, 1]);
    const [low, high] = padded([0.5 - 1e-15, 0.5 + 1e-15], roundOffOf(angle));
    expect(high - low).toBeGreaterThan(0.05);
    // The unit of a figure's values counts, though its label tells it.
    expect(roundOffOf({ ...angle, unit: '', valueUnit: 'rad' })).toBe(roundOffOf(angle));
  });

  it('small is not round-off', () => {
    const small = { ...line([0, 1], [0, 3e-8], 'x'), run };
    const [low, high] = padded([0, 3e-8], roundOffOf(small));
    expect(high - low).toBeLessThan(1e-7);
  });

  it('is not what a reader looks at first', () => {
    const quantities = columnQuantities([run], 'coordinate');
    expect(quantities[swinging(run, quantities)]!.key).toBe('y');
  });
});
