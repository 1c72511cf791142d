import { speeds, type Clock, type LoopMode } from '../clock';
import type { RunData } from '../data/run';
import { firstAtOrAfter, lastAtOrBefore, neighbourTime } from '../data/lookup';
import { formatSpeed, formatTime } from '../text/format';
import { isDark, onThemeChange, paperColors } from '../theme';
import { el, labelledSelect } from './dom';
import { icon, type IconName } from './icons';

const steps = 10_000;

function union(lists: readonly ArrayLike<number>[]): Float64Array {
  if (lists.length === 1) return Float64Array.from(lists[0]!);
  const all = new Set<number>();
  for (const list of lists) for (let i = 0; i < list.length; i++) all.add(list[i]!);
  return Float64Array.from([...all].sort((a, b) => a - b));
}

/** Play, pause, scrub, steps, speed and loops. */
export class Transport {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly marks = el('canvas', { class: 'event-marks', 'aria-hidden': 'true' });
  private readonly play: HTMLButtonElement;
  private readonly speed: HTMLInputElement;
  private readonly speedText = el('output', { class: 'speed-text' });
  private readonly loop: HTMLSelectElement;
  private readonly timeText = el('output', { class: 'time-text', 'aria-live': 'off' });
  private readonly rangeText = el('span', { class: 'note' });
  /** Rows and events of all runs. */
  private readonly rows: Float64Array;
  private readonly events: Float64Array;
  private readonly span: number;
  private lastText = '';
  private paintedLoop = '';

  constructor(runs: readonly RunData[], private readonly clock: Clock) {
    this.rows = union(runs.map((r) => r.t));
    this.events = union(runs.map((r) => r.events.distinctTimes));
    this.span = clock.full.to - clock.full.from || 1;
    const button = (sign: IconName, title: string, name: string, action: () => void): HTMLButtonElement =>
      el('button', { type: 'button', title, 'aria-label': title, 'data-action': name, click: action }, [icon(sign)]);

    this.slider = el('input', { type: 'range', min: '0', max: String(steps), step: '1', value: '0', class: 'scrubber', 'aria-label': 'Time', input: () => {
      clock.pause();
      clock.seek(clock.full.from + (Number(this.slider.value) / steps) * this.span);
    } });
    this.play = button('play', 'Play (space)', 'play', () => clock.toggle());
    this.play.classList.add('primary');
    this.speed = el('input', { type: 'range', min: '0', max: String(speeds.length - 1), step: '1', 'aria-label': 'Speed', 'data-action': 'speed', input: () => clock.setSpeed(speeds[Number(this.speed.value)]!) });
    const modes: { value: LoopMode; label: string }[] = [
      { value: 'off', label: 'off' },
      { value: 'all', label: 'whole run' },
      ...(clock.period ? [{ value: 'period' as const, label: 'one period' }] : []),
      { value: 'range', label: 'chosen range' },
    ];
    const { box: loopBox, select } = labelledSelect('loop', modes, (value) => clock.setLoop(value as LoopMode));
    this.loop = select;
    this.loop.dataset.action = 'loop';

    this.element = el('div', { class: 'transport', role: 'group', 'aria-label': 'Playback' }, [
      el('div', { class: 'track' }, [this.marks, this.slider]),
      el('div', { class: 'transport-row' }, [
        el('div', { class: 'buttons' }, [
          button('previousEvent', 'Previous event (Shift + ←)', 'previous-event', () => this.stepEvent(-1)),
          button('previousRow', 'One row back (←)', 'previous-row', () => this.stepRow(-1)),
          this.play,
          button('nextRow', 'One row on (→)', 'next-row', () => this.stepRow(1)),
          button('nextEvent', 'Next event (Shift + →)', 'next-event', () => this.stepEvent(1)),
        ]),
        this.timeText,
      ]),
      el('div', { class: 'transport-row' }, [
        el('label', { class: 'field speed' }, [el('span', { class: 'field-name' }, ['speed']), this.speed, this.speedText]),
        loopBox,
        el('div', { class: 'range-buttons' }, [
          el('button', { type: 'button', class: 'quiet', title: 'The range begins at the current time ([)', click: () => clock.setRangeEnd('from', clock.time) }, ['from here']),
          el('button', { type: 'button', class: 'quiet', title: 'The range ends at the current time (])', click: () => clock.setRangeEnd('to', clock.time) }, ['to here']),
          this.rangeText,
        ]),
      ]),
    ]);
    clock.onChange(() => this.update());
    onThemeChange(() => this.paintMarks());
    new ResizeObserver(() => this.paintMarks()).observe(this.marks);
    this.update();
  }

  stepRow(direction: 1 | -1): void {
    this.clock.pause();
    const next = neighbourTime(this.rows, this.clock.time, direction);
    if (next !== null) this.clock.seek(next);
  }

  stepEvent(direction: 1 | -1): void {
    this.clock.pause();
    const next = neighbourTime(this.events, this.clock.time, direction);
    this.clock.seek(next ?? (direction > 0 ? this.clock.full.to : this.clock.full.from));
  }

  private update(): void {
    const { clock } = this;
    this.play.replaceChildren(icon(clock.playing ? 'pause' : 'play'));
    this.play.setAttribute('aria-label', clock.playing ? 'Pause (space)' : 'Play (space)');
    this.play.title = clock.playing ? 'Pause (space)' : 'Play (space)';
    const nearest = speeds.reduce((best, s, i) => (Math.abs(Math.log(s / clock.speed)) < Math.abs(Math.log(speeds[best]! / clock.speed)) ? i : best), 0);
    this.speed.value = String(nearest);
    this.speedText.textContent = formatSpeed(clock.speed);
    this.speed.setAttribute('aria-valuetext', formatSpeed(clock.speed));
    this.loop.value = clock.loop;
    const span = clock.loopSpan();
    this.rangeText.textContent = span && clock.loop !== 'all' ? `${formatTime(span.from, this.span)} to ${formatTime(span.to, this.span)} s` : '';
    const key = `${clock.loop} ${span?.from} ${span?.to}`;
    if (key !== this.paintedLoop) this.paintMarks();
    this.paintedLoop = key;
    this.show();
  }

  /** Called on every frame. */
  show(): void {
    const { clock } = this;
    const text = `${formatTime(clock.time, this.span)} s`;
    if (text === this.lastText) return;
    this.lastText = text;
    this.timeText.textContent = `t = ${text}`;
    this.slider.value = String(Math.round(((clock.time - clock.full.from) / this.span) * steps));
    this.slider.setAttribute('aria-valuetext', text);
  }

  /** Events as ticks above the slider, and the part that repeats. */
  private paintMarks(): void {
    const width = this.marks.clientWidth;
    const height = this.marks.clientHeight;
    if (width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    this.marks.width = Math.round(width * ratio);
    this.marks.height = Math.round(height * ratio);
    const ctx = this.marks.getContext('2d')!;
    ctx.scale(ratio, ratio);
    const { clock } = this;
    const x = (time: number): number => ((time - clock.full.from) / this.span) * width;
    const span = clock.loopSpan();
    if (span && clock.loop !== 'all') {
      ctx.fillStyle = isDark() ? 'rgba(86,180,233,0.3)' : 'rgba(0,114,178,0.18)';
      ctx.fillRect(x(span.from), 0, Math.max(2, x(span.to) - x(span.from)), height);
    }
    ctx.fillStyle = paperColors().faint;
    ctx.globalAlpha = 0.7;
    for (let column = 0; column < width; column++) {
      const from = clock.full.from + (column / width) * this.span;
      const to = clock.full.from + ((column + 1) / width) * this.span;
      if (lastAtOrBefore(this.events, to) >= firstAtOrAfter(this.events, from)) ctx.fillRect(column, height - 7, 1, 7);
    }
  }
}
