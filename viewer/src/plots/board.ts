import type { RunData } from '../data/run';
import { onThemeChange } from '../theme';
import { el } from '../ui/dom';
import { cardsOf, portraitQuantities, portraitSpec, swinging, type Quantity } from './catalogue';
import type { DragTool, PlotContext } from './context';
import { PlotCard } from './plotCard';

function axisSelect(label: string, groups: Map<string, Quantity[]>, chosen: Quantity, onChange: (quantity: Quantity) => void): HTMLElement {
  const byKey = new Map([...groups.values()].flat().map((q) => [q.key, q]));
  const select = el('select', { change: () => onChange(byKey.get(select.value)!) });
  for (const [title, list] of groups) {
    select.append(el('optgroup', { label: title }, list.map((q) => el('option', { value: q.key }, [q.text]))));
  }
  select.value = chosen.key;
  return el('label', { class: 'field' }, [el('span', { class: 'field-name' }, [label]), select]);
}

/** The pair a reader would look at first: a coordinate that swings, and its velocity. */
function firstPair(runs: readonly RunData[], groups: Map<string, Quantity[]>): [Quantity, Quantity] {
  const coordinates = groups.get('Coordinates') ?? [];
  const velocities = groups.get('Velocities') ?? [];
  const number = coordinates.length === velocities.length ? swinging(runs[0]!, coordinates) : 0;
  const all = [...groups.values()].flat();
  return [coordinates[number] ?? all[0]!, velocities[number] ?? all[1] ?? all[0]!];
}

function portraitCard(runs: readonly RunData[], context: PlotContext): PlotCard {
  const groups = portraitQuantities(runs);
  let [x, y] = firstPair(runs, groups);
  const show = (): void => card.show(portraitSpec(runs, x, y));
  const card = new PlotCard('portrait', context, [
    axisSelect('x', groups, x, (q) => { x = q; show(); }),
    axisSelect('y', groups, y, (q) => { y = q; show(); }),
  ]);
  show();
  return card;
}

/** All plots, and the bar with what they share. */
export class PlotBoard {
  readonly element: HTMLElement;
  readonly cards: PlotCard[];
  private lastValues = 0;

  constructor(runs: readonly RunData[], private readonly context: PlotContext) {
    this.cards = cardsOf(runs).map((card) => PlotCard.of(card, context));
    this.cards.push(portraitCard(runs, context));
    this.element = el('section', { class: 'plots', 'aria-label': 'Plots' }, [this.bar(), el('div', { class: 'plot-grid' }, this.cards.map((c) => c.element))]);
    context.onRange(() => this.cards.forEach((c) => c.invalidate()));
    onThemeChange(() => this.cards.forEach((c) => c.recolour()));
  }

  private bar(): HTMLElement {
    const { context } = this;
    const action = (label: string, title: string, run: () => void, name: string): HTMLButtonElement =>
      el('button', { type: 'button', class: 'quiet', title, 'aria-label': title, 'data-action': name, click: run }, [label]);
    const tools: { tool: DragTool; label: string; title: string }[] = [
      { tool: 'scrub', label: 'Move time', title: 'Dragging in a plot moves the time' },
      { tool: 'zoom', label: 'Zoom', title: 'Dragging in a plot zooms (also Shift and drag)' },
      { tool: 'pan', label: 'Pan', title: 'Dragging in a plot pans (also Alt and drag)' },
    ];
    const buttons = tools.map(({ tool, label, title }) => el('button', { type: 'button', title, 'data-tool': tool, 'aria-pressed': String(tool === context.tool) }, [label]));
    buttons.forEach((button, i) => button.addEventListener('click', () => {
      context.tool = tools[i]!.tool;
      buttons.forEach((b, k) => b.setAttribute('aria-pressed', String(k === i)));
    }));
    return el('div', { class: 'plot-bar' }, [
      el('h2', {}, ['Plots']),
      el('div', { class: 'segments', role: 'group', 'aria-label': 'What dragging in a plot does' }, buttons),
      el('div', { class: 'segments', role: 'group', 'aria-label': 'Part of time that is shown' }, [
        action('−', 'Show more time', () => context.zoom(2), 'zoom-out'),
        action('+', 'Show less time', () => context.zoom(0.5), 'zoom-in'),
        action('◂', 'Earlier', () => context.pan(-0.5), 'earlier'),
        action('▸', 'Later', () => context.pan(0.5), 'later'),
        action('All', 'Show the whole time', () => context.reset(), 'all'),
      ]),
    ]);
  }

  /** Called on every frame. Values in the legends follow ten times a second, which is as fast as they can be read. */
  moveCursor(time: number, now: number, playing: boolean): void {
    for (const card of this.cards) card.moveCursor(time);
    if (!playing || now - this.lastValues > 100) {
      this.lastValues = now;
      for (const card of this.cards) card.showValues();
    }
  }
}
