import { describe, expect, it } from 'vitest';
import { Clock, defaultSpeed } from '../src/clock';
import { decodeRun } from '../src/data/run';
import { defaultTangent } from '../src/scene/effects';
import { formatCount, formatNumber, formatShare, formatSpeed, formatTime, formatWithUnit, shortestDigits } from '../src/text/format';
import { labelHtml, symbolHtml, symbolText } from '../src/text/symbols';
import { findingsOf, sentence, troublesOf, worriesOf } from '../src/ui/findings';
import { smallRun } from './smallRun';

describe('numbers', () => {
  it('read well', () => {
    expect(formatNumber(0)).toBe('0');
    expect(formatNumber(-0.28)).toBe('−0.28');
    expect(formatNumber(1e-8)).toBe('10⁻⁸');
    expect(formatNumber(-3.10345e-5, 3)).toBe('−3.1·10⁻⁵');
    expect(formatNumber(1234567)).toBe('1.235·10⁶');
    expect(formatNumber(NaN)).toBe('–');
    expect(formatShare(0.90634)).toBe('90.6 %');
    expect(formatShare(0.9999999)).toBe('100 %');
    expect(formatShare(3.5e-16)).toBe('0 %');
    expect(formatShare(NaN)).toBe('–');
    expect(formatWithUnit(2, 'm')).toBe('2 m');
    expect(formatWithUnit(2, '1')).toBe('2');
    expect(formatCount(20000)).toBe('20\u2009000');
  });

  it('tell times and speeds', () => {
    expect(formatTime(0.5, 2)).toBe('0.5000');
    expect(formatSpeed(0.02)).toBe('1/50 ×');
    expect(formatSpeed(5)).toBe('5 ×');
  });

  it('need few digits', () => {
    expect(shortestDigits(Math.fround(0.1), true)).toBe('0.1');
    expect(shortestDigits(0.1 + 0.2, false)).toBe('0.30000000000000004');
  });
});

describe('symbols', () => {
  it('are mathematics', () => {
    expect(symbolHtml('phi_M')).toBe('<i>φ</i><sub>M</sub>');
    expect(symbolHtml('marble_1.vx')).toBe('marble 1 <i>v</i><sub>x</sub>');
    expect(symbolText('eN1')).toBe('e_N1');
    expect(symbolText('mu2')).toBe('μ_2');
    expect(symbolText('c_phi')).toBe('c_φ');
    expect(symbolText('corner_1')).toBe('corner 1');
    expect(symbolHtml('<b>')).not.toContain('<b>');
    expect(labelHtml('φ_M (rad)')).toBe('φ<sub>M</sub> (rad)');
  });
});

describe('clock', () => {
  it('makes a run last about ten seconds', () => {
    expect(defaultSpeed(2)).toBe(0.2);
    expect(defaultSpeed(0.16)).toBe(0.02);
    expect(defaultSpeed(1e-9)).toBe(0.001);
    expect(defaultSpeed(1e9)).toBe(10);
  });

  it('stops at the end, or begins again', () => {
    const clock = new Clock({ from: 0, to: 2 }, { from: 0.5, to: 1 });
    clock.setSpeed(1);
    clock.play();
    clock.advance(3);
    expect([clock.time, clock.playing]).toEqual([2, false]);
    clock.setLoop('period');
    clock.play();
    expect(clock.time).toBe(0.5);
    clock.advance(0.75);
    expect(clock.time).toBeCloseTo(0.75);
  });

  it('keeps a chosen range the right way round', () => {
    const clock = new Clock({ from: 0, to: 2 }, null);
    clock.setRangeEnd('from', 1.5);
    clock.setRangeEnd('to', 0.5);
    expect(clock.range).toEqual({ from: 0, to: 0.5 });
    expect(clock.loop).toBe('range');
    clock.setLoop('period');
    expect(clock.loop).toBe('off');
  });
});

describe('findings', () => {
  const findings = (summary: object): string[] => findingsOf(decodeRun({ ...smallRun(), summary }, 0)).map((f) => f.text);

  it('are none for a good run', () => {
    expect(findings({ status: 'done', steps: 10, certified_steps: 10, warnings: [], energy: { start: 1, end: 1, gain_steps: 0 } })).toEqual([]);
  });

  it('name every trouble', () => {
    const found = findings({
      status: 'uncertified', message: 'step 3', steps: 10, certified_steps: 8, multiple_solution_steps: 1, worst_penetration: 0.5, caution: 'hardly predictable',
      warnings: ['moved by 1e-06 m'], energy: { start: 1, end: 1, gain_steps: 2, largest_gain: { t: 0.5, contact: 'tip', energy: 0.1 } },
    });
    expect(found).toHaveLength(7);
    expect(found[0]).toContain('uncertified');
    expect(found[1]).toContain('2 steps are not certified: their results');
    expect(found.join(' ')).toContain('tip');
    expect(found.join(' ')).toContain('Moved by 10⁻⁶\u00a0m.');
  });

  it('have numbers as people write them', () => {
    expect(sentence('worst residual 0.0e+00; allowed 1e-08')).toBe('Worst residual 0; allowed 10⁻⁸.');
    expect(sentence('the step itself -5.4 J (-7 %).')).toBe('The step itself −5.4\u00a0J (−7\u00a0%).');
    expect(sentence('try --method moreau-jean')).toBe('Try --method moreau-jean.');
  });

  it('are those of the program where it wrote some, the worst first', () => {
    const run = decodeRun({ ...smallRun(), summary: { status: 'failed' }, worries: [{ level: 'fine', text: 'a' }, { level: 'look', text: 'b' }, { level: 'bad', text: 'c' }] }, 0);
    expect(worriesOf(run).map((w) => w.text)).toEqual(['A.', 'B.', 'C.']);
    expect(troublesOf(run).map((w) => w.text)).toEqual(['C.', 'B.']);
    expect(troublesOf(decodeRun({ ...smallRun(), summary: { status: 'failed' } }, 0))[0]!.level).toBe('bad');
    expect(troublesOf(decodeRun({ ...smallRun(), summary: { status: 'failed' }, worries: [] }, 0))).toEqual([]);
  });
});

describe('tangents', () => {
  it('lie across the normal', () => {
    expect(defaultTangent([0, 1])).toEqual([1, -0]);
    expect(defaultTangent([0, 1], -1)).toEqual([-1, 0]);
    expect(defaultTangent([0, 0, 1])).toEqual([1, -0, -0]);
    const t = defaultTangent([1, 0, 0]);
    expect(t[0]).toBeCloseTo(0);
    expect(Math.hypot(...t)).toBeCloseTo(1);
  });
});
