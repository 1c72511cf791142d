import { formatNumber } from '../text/format';
import { lineColor, lineDash, stateColor } from '../theme';
import { download, el, html, labelledSelect } from '../ui/dom';
import { mostListed, type Card } from './catalogue';
import { Chart, valueAt, type Readout } from './chart';
import type { PlotContext } from './context';
import type { BandLine, Line, PlotSpec } from './line';
import { pngOfSvg, svgOfPicture } from './picture';
import { roundOffOf } from './range';

interface LegendEntry {
  line: Line;
  button: HTMLButtonElement;
  value: HTMLSpanElement;
}

function swatch(line: Line): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'swatch');
  svg.setAttribute('viewBox', '0 0 24 6');
  svg.setAttribute('aria-hidden', 'true');
  const stroke = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  stroke.setAttribute('d', 'M0 3H24');
  stroke.setAttribute('stroke', lineColor(line.color));
  stroke.setAttribute('stroke-width', '3');
  stroke.setAttribute('stroke-dasharray', lineDash(line.dash).join(' '));
  svg.append(stroke);
  return svg;
}

/** A plot with its heading, legend and exports. */
export class PlotCard {
  readonly element = el('section', { class: 'card plot-card' });
  private readonly heading = el('h3');
  private readonly host = el('div', { class: 'plot' });
  private readonly legend = el('div', { class: 'legend' });
  private readonly note = el('p', { class: 'note' });
  private readonly extras: HTMLElement;
  private chart: Chart | null = null;
  private entries: LegendEntry[] = [];
  private hovered: Readout | null = null;

  constructor(readonly id: string, private readonly context: PlotContext, controls: HTMLElement[] = []) {
    this.element.dataset.plot = id;
    this.extras = el('div', { class: 'plot-extras' }, controls);
    const headingId = `plot-${id.replace(/[^\w-]/g, '_')}`;
    this.heading.id = headingId;
    this.element.setAttribute('aria-labelledby', headingId);
    this.element.append(
      el('header', { class: 'plot-head' }, [this.heading, this.extras, this.exportButtons()]),
      this.host,
      this.legend,
      this.note,
    );
  }

  static of(card: Card, context: PlotContext): PlotCard {
    const controls: HTMLElement[] = [];
    let made: PlotCard | null = null;
    if (card.choices.length > 1) {
      const { box } = labelledSelect(`What ${card.title.toLowerCase()} shows`, card.choices.map((c, i) => ({ value: String(i), label: c.label })), (value) => {
        made?.show(card.choices[Number(value)]!.spec);
      }, false);
      controls.push(box);
    }
    made = new PlotCard(card.id, context, controls);
    made.show(card.choices[0]!.spec);
    return made;
  }

  private exportButtons(): HTMLElement {
    const button = (format: string, action: () => void): HTMLButtonElement =>
      el('button', { class: 'quiet', type: 'button', 'data-export': format.toLowerCase(), click: action, title: `Save what is seen as ${format}` }, [format]);
    return el('div', { class: 'exports', role: 'group', 'aria-label': 'Save or reset this plot' }, [
      el('button', { class: 'quiet', type: 'button', title: 'Show everything again', 'data-action': 'reset', click: () => this.chart?.resetView() }, ['Reset']),
      button('PNG', () => void this.savePng()),
      button('SVG', () => this.chart && download(`${this.fileName()}.svg`, new Blob([svgOfPicture(this.chart.picture())], { type: 'image/svg+xml' }))),
      button('CSV', () => this.chart && download(`${this.fileName()}.csv`, new Blob([this.chart.csv()], { type: 'text/csv' }))),
    ]);
  }

  private fileName(): string {
    return `picus-${this.id.replace(/[^\w-]+/g, '-')}`;
  }

  private async savePng(): Promise<void> {
    if (this.chart) download(`${this.fileName()}.png`, await pngOfSvg(svgOfPicture(this.chart.picture()), 2));
  }

  show(spec: PlotSpec): void {
    this.heading.textContent = spec.title;
    if (spec.y.label && spec.kind === 'time' && !spec.id.startsWith('figure')) this.heading.append(el('span', { class: 'unit' }, [spec.y.label]));
    this.note.textContent = spec.note;
    this.note.hidden = spec.note === '';
    this.chart?.destroy();
    this.host.replaceChildren();
    this.chart = new Chart(this.host, spec, this.context);
    this.host.setAttribute('role', 'img');
    this.host.setAttribute('aria-label', `${spec.title}: ${spec.kind === 'plane' ? `${spec.y.label} over ${spec.x.label}` : 'over time'}. Save it as CSV to read the numbers.`);
    this.chart.onHover = (readout) => {
      this.hovered = readout;
      this.showValues();
    };
    this.chart.onSeen = () => this.showValues();
    this.buildLegend(spec);
  }

  private buildLegend(spec: PlotSpec): void {
    this.legend.replaceChildren();
    this.entries = [];
    if (spec.kind === 'bands') {
      for (const [state, name] of ['open', 'stick', 'slip'].entries()) {
        const mark = el('span', { class: 'band-mark' });
        mark.style.background = stateColor(state);
        this.legend.append(el('span', { class: 'chip still' }, [mark, name]));
      }
      if (spec.bands.length > 1) this.legend.append(this.bandChooser(spec.bands));
      return;
    }
    for (const line of spec.lines) if (line.listed) this.addEntry(line);
    if (spec.lines.length > mostListed) this.legend.append(this.lineChooser(spec));
    this.showValues();
  }

  private addEntry(line: Line): void {
    const value = el('span', { class: 'value' });
    const button = el('button', { class: 'chip', type: 'button', 'aria-pressed': String(line.visible), title: 'Show or hide this line' }, [swatch(line), html('span', '', line.labelHtml), value]);
    button.addEventListener('click', () => this.toggle(line));
    const before = this.legend.querySelector('details');
    if (before) before.before(button);
    else this.legend.append(button);
    this.entries.push({ line, button, value });
  }

  private toggle(line: Line): void {
    line.visible = !line.visible;
    if (line.visible && !line.listed) {
      line.listed = true;
      const used = this.entries.filter((e) => e.line.visible).map((e) => e.line.color);
      // Lines that were not foreseen take the first colour that is free.
      for (let c = 0; c < 8; c++) if (!used.includes(c)) { line.color = c; break; }
      this.addEntry(line);
    }
    for (const entry of this.entries) entry.button.setAttribute('aria-pressed', String(entry.line.visible));
    this.chart?.invalidate();
    this.showValues();
  }

  /** A list with a filter, for plots with very many lines. */
  private chooser(title: () => string, items: { label: string; visible: () => boolean; toggle: () => void }[]): HTMLDetailsElement {
    const summary = el('summary', {}, [title()]);
    const details = el('details', { class: 'chooser' }, [summary]);
    details.addEventListener('toggle', () => {
      if (!details.open || details.childElementCount > 1) return;
      const list = el('div', { class: 'choices' });
      const fill = (filter: string): void => {
        const words = filter.toLowerCase();
        const found = items.filter((i) => i.label.toLowerCase().includes(words));
        list.replaceChildren(...found.slice(0, 200).map((item) => {
          const box = el('input', { type: 'checkbox', change: () => { item.toggle(); summary.textContent = title(); } });
          box.checked = item.visible();
          return el('label', {}, [box, item.label]);
        }));
        if (found.length > 200) list.append(el('p', { class: 'note' }, [`${found.length - 200} more: type a part of the name.`]));
      };
      const filter = el('input', { type: 'search', placeholder: 'Part of a name', 'aria-label': 'Filter the list', input: () => fill(filter.value) });
      details.append(filter, list);
      fill('');
    });
    return details;
  }

  private lineChooser(spec: PlotSpec): HTMLDetailsElement {
    const title = (): string => `Choose lines (${spec.lines.filter((l) => l.visible).length} of ${spec.lines.length} shown)`;
    return this.chooser(title, spec.lines.map((line) => ({ label: line.labelText, visible: () => line.visible, toggle: () => this.toggle(line) })));
  }

  private bandChooser(bands: BandLine[]): HTMLDetailsElement {
    const title = (): string => `Choose contacts (${bands.filter((b) => b.visible).length} of ${bands.length} shown)`;
    return this.chooser(title, bands.map((band) => ({
      label: band.labelText,
      visible: () => band.visible,
      toggle: () => { band.visible = !band.visible; this.chart?.invalidate(); },
    })));
  }

  /** Values at the pointer, else at the cursor of time. */
  showValues(): void {
    if (!this.chart?.seen) return;
    const { time } = this.context.clock;
    for (const { line, value } of this.entries) {
      const number = !line.visible ? NaN : this.hovered ? this.hovered(line) : valueAtTime(this.chart.spec, line, time);
      const text = Number.isNaN(number) ? '' : formatNumber(this.chart.spec.log || Math.abs(number) > roundOffOf(line) ? number : 0, 4);
      if (value.textContent !== text) value.textContent = text;
    }
  }

  moveCursor(time: number): void {
    this.chart?.moveCursor(time);
  }

  invalidate(): void {
    this.chart?.invalidate();
  }

  recolour(): void {
    if (this.chart) this.buildLegend(this.chart.spec);
    this.invalidate();
  }

  get drawn(): boolean {
    return this.chart?.drawn ?? true;
  }

  get redraws(): number {
    return this.chart?.redraws ?? 0;
  }
}

function valueAtTime(spec: PlotSpec, line: Line, time: number): number {
  if (spec.kind !== 'plane') return valueAt(line, time);
  const { y, t } = line.points();
  return valueAt({ ...line, points: () => ({ x: t, y, t }) }, time);
}
