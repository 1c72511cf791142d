/** The time that animation and plots share, and how it runs. */

export type LoopMode = 'off' | 'all' | 'period' | 'range';

export interface Span {
  from: number;
  to: number;
}

/** Speeds from 1/1000 to 10 in steps of 1, 2, 5. */
export const speeds: readonly number[] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/** The speed at which a run of this length lasts about ten seconds. */
export function defaultSpeed(duration: number): number {
  const wanted = Math.log(Math.max(duration, 1e-12) / 10);
  return speeds.reduce((best, s) => (Math.abs(Math.log(s) - wanted) < Math.abs(Math.log(best) - wanted) ? s : best), 1);
}

export class Clock {
  time: number;
  playing = false;
  speed: number;
  loop: LoopMode = 'off';
  /** The range a person chose. */
  range: Span;
  private readonly listeners = new Set<() => void>();

  constructor(readonly full: Span, readonly period: Span | null) {
    this.time = full.from;
    this.speed = defaultSpeed(full.to - full.from);
    this.range = { ...full };
  }

  /** Called on every change except the passing of time while playing. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  /** Where the motion begins again, or null. */
  loopSpan(): Span | null {
    switch (this.loop) {
      case 'off': return null;
      case 'all': return this.full;
      case 'period': return this.period;
      case 'range': return this.range;
    }
  }

  seek(time: number): void {
    this.time = Math.min(Math.max(time, this.full.from), this.full.to);
    this.changed();
  }

  play(): void {
    const span = this.loopSpan();
    if (span && (this.time < span.from || this.time >= span.to)) this.time = span.from;
    else if (this.time >= this.full.to) this.time = this.full.from;
    this.playing = true;
    this.changed();
  }

  pause(): void {
    this.playing = false;
    this.changed();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.changed();
  }

  /** One step of the list of speeds up or down. */
  stepSpeed(direction: 1 | -1): void {
    const nearest = speeds.reduce((best, s, i) => (Math.abs(Math.log(s / this.speed)) < Math.abs(Math.log(speeds[best]! / this.speed)) ? i : best), 0);
    this.setSpeed(speeds[Math.min(Math.max(nearest + direction, 0), speeds.length - 1)]!);
  }

  setLoop(loop: LoopMode): void {
    this.loop = loop === 'period' && !this.period ? 'off' : loop;
    this.changed();
  }

  nextLoop(): void {
    const modes: LoopMode[] = this.period ? ['off', 'all', 'period', 'range'] : ['off', 'all', 'range'];
    this.setLoop(modes[(modes.indexOf(this.loop) + 1) % modes.length]!);
  }

  /** Sets one end of the chosen range to a time and loops over it. */
  setRangeEnd(end: 'from' | 'to', time: number): void {
    this.range = { ...this.range, [end]: time };
    if (this.range.from >= this.range.to) {
      if (end === 'from') this.range.to = this.full.to;
      else this.range.from = this.full.from;
    }
    this.loop = 'range';
    this.changed();
  }

  /** Lets real time pass, in seconds. */
  advance(seconds: number): void {
    if (!this.playing) return;
    const span = this.loopSpan();
    // The first frame may be stamped before the press that started it.
    this.time += Math.max(0, seconds) * this.speed;
    if (span) {
      const length = span.to - span.from;
      if (this.time < span.from) this.time = span.from;
      else if (this.time >= span.to && length > 0) this.time = span.from + ((this.time - span.from) % length);
    } else if (this.time >= this.full.to) {
      this.time = this.full.to;
      this.pause();
    }
  }
}
