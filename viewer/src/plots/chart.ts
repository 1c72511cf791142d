import uPlot from 'uplot';
import { firstAtOrAfter, instantAt, lastAtOrBefore } from '../data/lookup';
import { lineColor, lineDash, paperColors, stateColor } from '../theme';
import { formatNumber } from '../text/format';
import { csvInPlane, csvOfBands, csvOverTime } from './csv';
import { piecesInPlane, piecesOverTime, rangeOfValues, type Mapping, type Pieces } from './decimate';
import type { Line, PlotSpec } from './line';
import type { Picture } from './picture';
import type { PlotContext } from './context';
import { padded, roundOffOf, span, type Range } from './range';
import { drawRichText } from './richText';
import { decadeLabels, decadeTicks, linearTicks, tickLabels } from './ticks';

const bandHeight = 22;
const axisFont = '12px system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif';

/** Values under the pointer, or at the cursor of time. */
export type Readout = (line: Line) => number;

/** One plot: uPlot draws axes and holds the scales; lines are drawn here, thinned to what the pixels can show. */
export class Chart {
  private readonly plot: uPlot;
  private readonly cursor = document.createElement('div');
  private readonly hover = document.createElement('div');
  private readonly dots: HTMLDivElement[] = [];
  private xRange: Range = [0, 1];
  private yRange: Range = [0, 1];
  /** Ranges a person chose in a plot that does not share the time. */
  private ownX: Range | null = null;
  private ownY: Range | null = null;
  private dirty = true;
  /** Whether the plot is in sight, or nearly. */
  seen = false;
  private pointers = new Map<number, { x: number; y: number }>();
  private dragFrom: { x: number; y: number; xRange: Range; yRange: Range } | null = null;
  /** Called when values under the pointer change; null when the pointer leaves. */
  onHover: (readout: Readout | null) => void = () => undefined;
  /** Called when the plot comes into sight. */
  onSeen: () => void = () => undefined;
  redraws = 0;

  constructor(private readonly host: HTMLElement, public spec: PlotSpec, private readonly context: PlotContext) {
    this.computeRanges();
    this.plot = new uPlot(this.options(), [[0, 1], [0, 1]], host);
    this.cursor.className = 'time-cursor';
    this.hover.className = 'hover-line';
    this.hover.hidden = true;
    this.plot.over.append(this.hover, this.cursor);
    this.listen();
    new ResizeObserver(() => this.resize()).observe(host);
    new IntersectionObserver((entries) => {
      this.seen = entries.some((e) => e.isIntersecting);
      if (!this.seen) return;
      this.drawIfNeeded();
      this.moveCursor(this.context.clock.time);
      this.onSeen();
    }, { rootMargin: '200px' }).observe(host);
  }

  /** Whether what the plot shows is up to date; it is first drawn when it comes into sight. */
  get drawn(): boolean {
    return !this.dirty;
  }

  private get linked(): boolean {
    return this.spec.kind !== 'plane' && this.spec.x.from === undefined && this.spec.x.to === undefined;
  }

  /** Where the heading tells the unit, the axis need not. */
  private get labelledY(): boolean {
    return this.spec.y.label !== '' && (this.spec.kind === 'plane' || !this.linked);
  }

  private get visibleBands(): PlotSpec['bands'] {
    return this.spec.bands.filter((b) => b.visible);
  }

  private heightWanted(): number {
    if (this.spec.kind === 'bands') return Math.max(2, this.visibleBands.length) * bandHeight + 58;
    return this.spec.kind === 'plane' ? 300 : 220;
  }

  private options(): uPlot.Options {
    const labelSize = 20;
    const axis = (): Partial<uPlot.Axis> => ({
      stroke: () => paperColors().faint,
      grid: { stroke: () => paperColors().grid, width: 1 },
      ticks: { show: false },
      font: axisFont,
      labelFont: axisFont,
      labelSize,
      labelGap: 2,
    });
    return {
      width: Math.max(this.host.clientWidth, 200),
      height: this.heightWanted(),
      padding: [8, 14, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, auto: false, range: () => this.xRange },
        y: { auto: false, distr: this.spec.log ? 3 : 1, range: () => this.yRange },
      },
      axes: [
        { ...axis(), size: 26, gap: 6, label: ' ', splits: () => this.xTicks(), values: () => tickLabels(this.xTicks()) },
        {
          ...axis(),
          gap: 6,
          size: () => this.axisWidth(),
          label: this.labelledY ? ' ' : undefined,
          splits: () => this.yTicks().map((tick) => tick.value),
          values: () => this.yTicks().map((tick) => tick.label),
        },
      ],
      series: [{}, { show: true, paths: () => null, points: { show: false } }],
      hooks: { draw: [() => { this.drawData(); this.drawLabels(); }] },
    };
  }

  private axisWidth(): number {
    if (this.spec.kind !== 'bands') return 62;
    const longest = Math.max(4, ...this.visibleBands.map((b) => b.labelText.length));
    return Math.min(longest * 6.6 + 14, Math.max(this.host.clientWidth, 200) * 0.36);
  }

  private xTicks(): number[] {
    return linearTicks(this.xRange[0], this.xRange[1], Math.max(2, Math.floor((this.host.clientWidth - 80) / 64)));
  }

  private yTicks(): { value: number; label: string }[] {
    if (this.spec.kind === 'bands') {
      const most = Math.floor(this.axisWidth() / 6.4);
      return this.visibleBands.map((b, i) => ({
        value: this.visibleBands.length - i - 0.5,
        label: b.labelText.length > most ? `${b.labelText.slice(0, most - 1)}…` : b.labelText,
      }));
    }
    const room = Math.max(2, Math.floor(this.heightWanted() / 45));
    const ticks = this.spec.log ? decadeTicks(this.yRange[0], this.yRange[1], room) : linearTicks(this.yRange[0], this.yRange[1], room);
    const labels = this.spec.log ? decadeLabels(ticks) : tickLabels(ticks);
    return ticks.map((value, i) => ({ value, label: labels[i]! }));
  }

  private computeRanges(): void {
    const { spec } = this;
    const lines = spec.lines.filter((l) => l.visible);
    if (this.linked) {
      this.xRange = [this.context.visible.from, this.context.visible.to];
    } else if (this.ownX) {
      this.xRange = this.ownX;
    } else {
      const all = lines.map((l) => rangeOfValues(l.points().x, l.points().x, -Infinity, Infinity, false)).filter((r) => r !== null);
      const fit = spec.kind === 'time' ? span(all) : padded(span(all));
      this.xRange = [spec.x.from ?? fit[0], spec.x.to ?? fit[1]];
    }
    if (spec.kind === 'bands') {
      this.yRange = [0, Math.max(1, this.visibleBands.length)];
    } else if (this.ownY) {
      this.yRange = this.ownY;
    } else if (spec.log) {
      this.yRange = this.logRange(lines);
    } else {
      const over = spec.kind === 'time';
      const all = lines.map((l) => rangeOfValues(l.points().x, l.points().y, over ? this.xRange[0] : -Infinity, over ? this.xRange[1] : Infinity, over)).filter((r) => r !== null);
      const fit = padded(span(all), Math.max(0, ...lines.map(roundOffOf)));
      this.yRange = [spec.y.from ?? fit[0], spec.y.to ?? fit[1]];
    }
  }

  /** Whole decades around the positive values; zeros lie at the bottom. */
  private logRange(lines: readonly Line[]): Range {
    let low = Infinity;
    let high = 0;
    for (const line of lines) {
      const { y } = line.points();
      for (let i = 0; i < y.length; i++) {
        const v = y[i]!;
        if (v > 0 && v < low) low = v;
        if (v > high) high = v;
      }
    }
    if (!(low < Infinity)) return [1e-17, 1e-7];
    const top = Math.ceil(Math.log10(high) + 1e-9);
    const bottom = Math.max(Math.floor(Math.log10(low)) - 1, top - 18);
    return [10 ** bottom, 10 ** Math.max(top, bottom + 2)];
  }

  /** Marks the plot as out of date; it is drawn again when it is in sight. */
  invalidate(): void {
    this.dirty = true;
    if (this.seen) this.drawIfNeeded();
  }

  private drawIfNeeded(): void {
    if (!this.dirty) return;
    this.dirty = false;
    this.computeRanges();
    const height = this.heightWanted();
    if (this.plot.height !== height) this.plot.setSize({ width: this.plot.width, height });
    this.plot.batch(() => {
      this.plot.setScale('x', { min: this.xRange[0], max: this.xRange[1] });
      this.plot.setScale('y', { min: this.yRange[0], max: this.yRange[1] });
      this.plot.redraw(true, true);
    });
    this.moveCursor(this.context.clock.time);
  }

  private resize(): void {
    const width = this.host.clientWidth;
    if (width < 50 || width === this.plot.width) return;
    this.plot.setSize({ width, height: this.heightWanted() });
    this.invalidate();
  }

  /** Back to everything. */
  resetView(): void {
    this.ownX = this.ownY = null;
    if (this.linked) this.context.reset();
    this.invalidate();
  }

  private mapping(left: number, top: number, width: number, height: number): Mapping {
    const [x0, x1] = this.xRange;
    const sx = width / (x1 - x0);
    if (this.spec.log) {
      const low = Math.log10(this.yRange[0]);
      const sy = height / (Math.log10(this.yRange[1]) - low);
      return {
        x: (v) => left + (v - x0) * sx,
        y: (v) => (v > this.yRange[0] ? top + height - (Math.log10(v) - low) * sy : v <= this.yRange[0] ? top + height : NaN),
      };
    }
    const [y0, y1] = this.yRange;
    const sy = height / (y1 - y0);
    return { x: (v) => left + (v - x0) * sx, y: (v) => top + height - (v - y0) * sy };
  }

  private piecesOf(line: Line, map: Mapping): Pieces {
    const { x, y } = line.points();
    return this.spec.kind === 'time' ? piecesOverTime(x, y, this.xRange[0], this.xRange[1], map) : piecesInPlane(x, y, map);
  }

  private bandRects(left: number, top: number, width: number, height: number): Picture['bands'] {
    const rects: Picture['bands'] = [];
    const [x0, x1] = this.xRange;
    const scale = width / (x1 - x0);
    const rows = this.visibleBands;
    const rowHeight = height / Math.max(1, rows.length);
    rows.forEach((band, i) => {
      const y = top + i * rowHeight + rowHeight * 0.14;
      const begin = Math.max(0, lastAtOrBefore(band.from, x0));
      const end = Math.min(band.from.length - 1, firstAtOrAfter(band.from, x1));
      for (let k = begin; k <= end; k++) {
        const from = Math.max(left, left + (band.from[k]! - x0) * scale);
        const to = Math.min(left + width, left + (band.to[k]! - x0) * scale);
        if (to < left || from > left + width) continue;
        // Of bands narrower than a pixel closed ones stay visible.
        const state = band.state[k]!;
        const least = state === 0 ? 0 : 1;
        if (to - from < 0.2 && state === 0) continue;
        rects.push({ x: from, y, width: Math.max(to - from, least), height: rowHeight * 0.72, color: stateColor(state) });
      }
    });
    return rects;
  }

  private drawData(): void {
    this.redraws++;
    const { ctx, bbox } = this.plot;
    const ratio = uPlot.pxRatio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const rect of this.spec.kind === 'bands' ? this.bandRects(bbox.left, bbox.top, bbox.width, bbox.height) : []) {
      ctx.fillStyle = rect.color;
      ctx.fillRect(rect.x, rect.y, rect.width, rect.height);
    }
    const map = this.mapping(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.lineWidth = 1.6 * ratio;
    ctx.lineJoin = 'round';
    ctx.lineCap = 'round';
    for (const line of this.spec.lines) {
      if (!line.visible) continue;
      ctx.strokeStyle = lineColor(line.color);
      ctx.setLineDash(lineDash(line.dash).map((d) => d * ratio));
      ctx.beginPath();
      for (const piece of this.piecesOf(line, map)) {
        ctx.moveTo(piece[0]!, piece[1]!);
        if (piece.length === 2) ctx.lineTo(piece[0]! + 0.01, piece[1]!);
        for (let i = 2; i < piece.length; i += 2) ctx.lineTo(piece[i]!, piece[i + 1]!);
      }
      ctx.stroke();
    }
    ctx.restore();
  }

  /** Names of the axes; uPlot keeps the room for them but knows no subscripts. */
  private drawLabels(): void {
    const { ctx, bbox } = this.plot;
    const ratio = uPlot.pxRatio;
    const color = paperColors().faint;
    drawRichText(ctx, this.spec.x.label, bbox.left + bbox.width / 2, ctx.canvas.height - 5 * ratio, 0, 12 * ratio, color);
    if (this.labelledY) drawRichText(ctx, this.spec.y.label, 13 * ratio, bbox.top + bbox.height / 2, -Math.PI / 2, 12 * ratio, color);
  }

  /** Moves the line (or the dots) of the current time; nothing is drawn again. */
  moveCursor(time: number): void {
    if (!this.seen) return;
    // From the plot's own record: asking the page would make it lay itself out on every frame.
    const width = this.plot.bbox.width / uPlot.pxRatio;
    const height = this.plot.bbox.height / uPlot.pxRatio;
    if (this.spec.kind !== 'plane') {
      const x = ((time - this.xRange[0]) / (this.xRange[1] - this.xRange[0])) * width;
      this.cursor.style.transform = `translateX(${x.toFixed(1)}px)`;
      this.cursor.style.visibility = x >= -1 && x <= width + 1 ? 'visible' : 'hidden';
      return;
    }
    this.cursor.style.visibility = 'hidden';
    const map = this.mapping(0, 0, width, height);
    let used = 0;
    for (const line of this.spec.lines) {
      if (!line.visible) continue;
      const { x, y, t } = line.points();
      if (x.length === 0) continue;
      const { row } = instantAt(t, time);
      const px = map.x(x[row]!);
      const py = map.y(y[row]!);
      const dot = (this.dots[used] ??= this.makeDot());
      used++;
      const inside = px >= 0 && px <= width && py >= 0 && py <= height;
      dot.hidden = !inside;
      if (!inside) continue;
      dot.style.transform = `translate(${px.toFixed(1)}px, ${py.toFixed(1)}px)`;
      dot.style.background = lineColor(line.color);
    }
    for (let i = used; i < this.dots.length; i++) this.dots[i]!.hidden = true;
  }

  private makeDot(): HTMLDivElement {
    const dot = document.createElement('div');
    dot.className = 'time-dot';
    this.plot.over.append(dot);
    return dot;
  }

  // Pointer, wheel and touch

  private listen(): void {
    const { over } = this.plot;
    over.tabIndex = -1;
    over.addEventListener('pointerdown', (e) => this.pointerDown(e));
    over.addEventListener('pointermove', (e) => this.pointerMove(e));
    over.addEventListener('pointerup', (e) => this.pointerUp(e));
    over.addEventListener('pointercancel', (e) => this.pointerUp(e));
    over.addEventListener('pointerleave', () => {
      this.hover.hidden = true;
      this.onHover(null);
    });
    over.addEventListener('dblclick', () => this.resetView());
    over.addEventListener('wheel', (e) => {
      if (!e.ctrlKey && !e.metaKey && document.activeElement !== over) return;
      e.preventDefault();
      const { x, y } = this.place(e);
      this.zoomAt(Math.exp(e.deltaY * 0.0016), x / over.clientWidth, 1 - y / over.clientHeight);
    }, { passive: false });
  }

  private place(e: MouseEvent): { x: number; y: number } {
    const box = this.plot.over.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  }

  private toX(px: number): number {
    return this.xRange[0] + (px / this.plot.over.clientWidth) * (this.xRange[1] - this.xRange[0]);
  }

  private toY(py: number): number {
    return this.yRange[1] - (py / this.plot.over.clientHeight) * (this.yRange[1] - this.yRange[0]);
  }

  /** Zooms about a place given as parts of the width and height. */
  private zoomAt(factor: number, partX: number, partY: number): void {
    const x = this.xRange[0] + partX * (this.xRange[1] - this.xRange[0]);
    if (this.linked) {
      this.context.zoom(factor, x);
      return;
    }
    const y = this.yRange[0] + partY * (this.yRange[1] - this.yRange[0]);
    this.ownX = [x - (x - this.xRange[0]) * factor, x + (this.xRange[1] - x) * factor];
    if (this.spec.kind === 'plane') this.ownY = [y - (y - this.yRange[0]) * factor, y + (this.yRange[1] - y) * factor];
    this.invalidate();
  }

  private nearest(px: number, py: number): { line: Line; index: number } | null {
    const map = this.mapping(0, 0, this.plot.over.clientWidth, this.plot.over.clientHeight);
    let best: { line: Line; index: number } | null = null;
    let least = Infinity;
    for (const line of this.spec.lines) {
      if (!line.visible) continue;
      const { x, y } = line.points();
      for (let i = 0; i < x.length; i++) {
        const dx = map.x(x[i]!) - px;
        const dy = map.y(y[i]!) - py;
        const d = dx * dx + dy * dy;
        if (d < least) {
          least = d;
          best = { line, index: i };
        }
      }
    }
    return best;
  }

  private scrubTo(px: number, py: number): void {
    if (this.spec.kind !== 'plane') {
      this.context.clock.seek(this.toX(px));
      return;
    }
    const found = this.nearest(px, py);
    if (found) this.context.clock.seek(found.line.points().t[found.index]!);
  }

  private pointerDown(e: PointerEvent): void {
    const at = this.place(e);
    this.plot.over.focus({ preventScroll: true });
    this.plot.over.setPointerCapture(e.pointerId);
    this.pointers.set(e.pointerId, at);
    this.dragFrom = { ...at, xRange: [...this.xRange], yRange: [...this.yRange] };
    if (this.pointers.size === 1 && this.toolOf(e) === 'scrub') {
      this.context.clock.pause();
      this.scrubTo(at.x, at.y);
    }
  }

  /** With Shift dragging zooms, with Alt it pans, whatever the tool. */
  private toolOf(e: PointerEvent): PlotContext['tool'] {
    return e.shiftKey ? 'zoom' : e.altKey ? 'pan' : this.context.tool;
  }

  private pointerMove(e: PointerEvent): void {
    const at = this.place(e);
    const before = this.pointers.get(e.pointerId);
    if (!before || !this.dragFrom) {
      this.showHover(at.x, at.y);
      return;
    }
    if (this.pointers.size === 2) {
      const other = [...this.pointers].find(([id]) => id !== e.pointerId)![1];
      const apart = Math.abs(before.x - other.x);
      const now = Math.abs(at.x - other.x);
      if (apart > 10 && now > 10) this.zoomAt(apart / now, (at.x + other.x) / 2 / this.plot.over.clientWidth, 0.5);
      this.pointers.set(e.pointerId, at);
      return;
    }
    this.pointers.set(e.pointerId, at);
    const { x, y, xRange, yRange } = this.dragFrom;
    switch (this.toolOf(e)) {
      case 'scrub':
        this.scrubTo(Math.min(Math.max(at.x, 0), this.plot.over.clientWidth), at.y);
        break;
      case 'zoom': {
        const plane = this.spec.kind === 'plane';
        this.plot.setSelect({
          left: Math.min(x, at.x),
          width: Math.abs(at.x - x),
          top: plane ? Math.min(y, at.y) : 0,
          height: plane ? Math.abs(at.y - y) : this.plot.over.clientHeight,
        }, false);
        break;
      }
      case 'pan': {
        const dx = ((x - at.x) / this.plot.over.clientWidth) * (xRange[1] - xRange[0]);
        const dy = ((at.y - y) / this.plot.over.clientHeight) * (yRange[1] - yRange[0]);
        if (this.linked) this.context.show(xRange[0] + dx, xRange[1] + dx);
        else {
          this.ownX = [xRange[0] + dx, xRange[1] + dx];
          if (this.spec.kind === 'plane') this.ownY = [yRange[0] + dy, yRange[1] + dy];
          this.invalidate();
        }
      }
    }
  }

  private pointerUp(e: PointerEvent): void {
    const at = this.place(e);
    const from = this.dragFrom;
    const alone = this.pointers.size === 1;
    this.pointers.delete(e.pointerId);
    if (from && alone && this.toolOf(e) === 'zoom' && Math.abs(at.x - from.x) > 6) {
      const x: Range = [this.toX(Math.min(from.x, at.x)), this.toX(Math.max(from.x, at.x))];
      if (this.linked) this.context.show(x[0], x[1]);
      else {
        this.ownX = x;
        if (this.spec.kind === 'plane') this.ownY = [this.toY(Math.max(from.y, at.y)), this.toY(Math.min(from.y, at.y))];
        this.invalidate();
      }
    }
    this.plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    if (this.pointers.size === 0) this.dragFrom = null;
  }

  private showHover(px: number, py: number): void {
    if (this.spec.kind === 'plane') {
      const found = this.nearest(px, py);
      if (!found) return;
      const { x, y, t } = found.line.points();
      this.plot.over.title = `t = ${formatNumber(t[found.index]!, 5)} s: ${formatNumber(x[found.index]!, 5)}, ${formatNumber(y[found.index]!, 5)}`;
      this.onHover((line) => (line === found.line ? y[found.index]! : NaN));
      return;
    }
    this.hover.hidden = false;
    this.hover.style.transform = `translateX(${px}px)`;
    const time = this.toX(px);
    this.onHover((line) => valueAt(line, time));
  }

  // What is seen, in other forms

  picture(): Picture {
    if (this.dirty) {
      this.dirty = false;
      this.computeRanges();
    }
    const width = this.plot.width;
    const height = this.plot.height;
    const left = this.axisWidth() + (this.spec.y.label ? 20 : 4);
    const frame = { left, top: 8, width: width - left - 14, height: height - 8 - 46 };
    const map = this.mapping(frame.left, frame.top, frame.width, frame.height);
    const shown = this.spec.lines.filter((l) => l.visible);
    const xTicks = this.xTicks();
    const xLabels = tickLabels(xTicks);
    const states = this.spec.kind === 'bands' ? ['open', 'stick', 'slip'] : [];
    return {
      title: this.spec.title,
      width,
      height,
      frame,
      xLabel: this.spec.x.label,
      yLabel: this.spec.y.label,
      xTicks: xTicks.map((v, i) => ({ at: map.x(v), label: xLabels[i]! })),
      yTicks: this.yTicks().map((tick) => ({ at: map.y(tick.value), label: tick.label })),
      lines: shown.map((l) => ({ label: l.labelText, color: lineColor(l.color), dash: lineDash(l.dash), pieces: this.piecesOf(l, map) })),
      bands: this.spec.kind === 'bands' ? this.bandRects(frame.left, frame.top, frame.width, frame.height) : [],
      legend: [
        ...shown.map((l) => ({ label: l.labelText, color: lineColor(l.color), dash: lineDash(l.dash), filled: false })),
        ...states.map((label, i) => ({ label, color: stateColor(i), dash: [], filled: true })),
      ],
      colors: paperColors(),
    };
  }

  csv(): string {
    if (this.dirty) this.computeRanges();
    const { spec } = this;
    if (spec.kind === 'bands') return csvOfBands(spec.bands, this.xRange[0], this.xRange[1]);
    if (spec.kind === 'time') return csvOverTime(spec.lines, this.xRange[0], this.xRange[1], spec.x.label);
    return csvInPlane(spec.lines, { x: this.xRange, y: this.yRange }, spec.x.label, spec.y.label);
  }

  destroy(): void {
    this.plot.destroy();
  }
}

/** Value of a line over time at or before a moment. */
export function valueAt(line: Line, time: number): number {
  const { x, y } = line.points();
  if (x.length === 0) return NaN;
  const i = lastAtOrBefore(x, time * (1 + 1e-12));
  return i < 0 ? NaN : y[i]!;
}
