import type { Clock, Span } from '../clock';

/** What dragging in a plot does. */
export type DragTool = 'scrub' | 'zoom' | 'pan';

/** What all plots over time share: the part of time they show, and the tool. */
export class PlotContext {
  tool: DragTool = 'scrub';
  visible: Span;
  private readonly listeners = new Set<() => void>();

  constructor(readonly clock: Clock) {
    this.visible = { ...clock.full };
  }

  onRange(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** Shows a part of time, kept within the run and no shorter than rounding allows. */
  show(from: number, to: number): void {
    const { full } = this.clock;
    const length = Math.min(Math.max(to - from, (full.to - full.from) * 1e-7), full.to - full.from);
    const start = Math.min(Math.max(from, full.from), full.to - length);
    this.visible = { from: start, to: start + length };
    for (const listener of this.listeners) listener();
  }

  reset(): void {
    this.show(this.clock.full.from, this.clock.full.to);
  }

  /** Shows less (factor below 1) or more of the time around a moment, by default that of the cursor if it is in view. */
  zoom(factor: number, around?: number): void {
    const { from, to } = this.visible;
    const { time } = this.clock;
    const fixed = around ?? (time >= from && time <= to ? time : (from + to) / 2);
    this.show(fixed - (fixed - from) * factor, fixed + (to - fixed) * factor);
  }

  pan(parts: number): void {
    const { from, to } = this.visible;
    const shift = (to - from) * parts;
    this.show(from + shift, to + shift);
  }
}
