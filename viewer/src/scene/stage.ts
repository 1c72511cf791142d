import type { Clock } from '../clock';
import { contactTitle, type RunData } from '../data/run';
import { onThemeChange } from '../theme';
import { el, labelledSelect } from '../ui/dom';
import { FrictionInset } from './frictionInset';
import { PlanarView } from './planarView';
import { webGlWorks } from './quality';
import { SpatialView } from './spatialView';
import type { SceneView } from './view';

/** Real seconds in which a blow fades. */
const fadingSeconds = 0.35;

interface Place {
  run: RunData;
  view: SceneView | null;
  inset: FrictionInset;
}

function makeView(run: RunData): SceneView | null {
  if (!run.scene) return null;
  if (run.scene.dimension === 2) return new PlanarView(run);
  return webGlWorks() ? new SpatialView(run) : null;
}

/** Whether a picture is much wider than high: such pictures stand better on top of each other. */
function isFlat(run: RunData): boolean {
  if (run.scene?.dimension !== 2) return false;
  const [x0, x1, y0, y1] = run.scene.box as [number, number, number, number];
  return x1 - x0 > 1.7 * (y1 - y0);
}

function reasonForNone(run: RunData): string {
  return run.scene ? 'This browser offers no 3D graphics (WebGL). The plots show the whole run.' : 'This model has no drawing. The plots show the whole run.';
}

/** Contacts that a page offers for their friction sets, at most: longer lists help nobody. */
const mostChoices = 200;

/** Contacts whose places are told, those with most impulse where there are very many. */
function contactsToChoose(runs: readonly RunData[]): number[] {
  const sums = new Map<number, number>();
  for (const run of runs) {
    const impulses = run.contactQuantities.get('lambdaN');
    if (!run.scene || !run.contactPlaces.place || !run.contactPlaces.normal) continue;
    for (const { contact, entries } of run.tracks) {
      if (run.source.contacts[contact]?.mu === null) continue;
      let sum = sums.get(contact) ?? 0;
      for (const entry of entries) sum += Math.max(impulses?.[entry] || 0, 0);
      sums.set(contact, sum);
    }
  }
  const most = [...sums].sort((a, b) => b[1] - a[1]).slice(0, mostChoices);
  return most.map(([contact]) => contact).sort((a, b) => a - b);
}

/** The animation: one picture for each run, side by side, at the same time. */
export class Stage {
  readonly element: HTMLElement;
  /** Buttons for the view. */
  readonly viewBar: HTMLElement;
  private readonly places: Place[];
  private stale = true;
  private lastTime = NaN;

  constructor(runs: readonly RunData[], private readonly clock: Clock) {
    this.places = runs.map((run) => ({ run, view: makeView(run), inset: new FrictionInset(run) }));
    const several = runs.length > 1;
    const pictures = this.places.map(({ run, view, inset }) => {
      const caption = several ? [el('figcaption', {}, [run.label])] : [];
      const body = view ? view.element : el('p', { class: 'no-picture' }, [reasonForNone(run)]);
      if (view) {
        view.onStale = () => { this.stale = true; };
        view.element.append(inset.element);
      }
      return el('figure', { class: 'picture' }, [...caption, body]);
    });
    const grid = el('div', { class: `pictures count-${Math.min(runs.length, 4)}` }, pictures);
    grid.classList.toggle('empty', this.views.length === 0);
    grid.classList.toggle('stacked', several && runs.length <= 3 && runs.every(isFlat));
    this.element = el('div', { class: 'stage' }, [grid]);
    this.viewBar = this.bar();
    const spatial = this.views.filter((v) => v instanceof SpatialView);
    spatial.forEach((view) => { view.onCamera = () => spatial.forEach((other) => other !== view && other.copyCamera(view)); });
    onThemeChange(() => { this.stale = true; });
    clock.onChange(() => { this.stale = true; });
  }

  private get views(): SceneView[] {
    return this.places.flatMap((p) => (p.view ? [p.view] : []));
  }

  private bar(): HTMLElement {
    const views = this.views;
    const bar = el('div', { class: 'view-bar' });
    if (views.length === 0) return bar;
    const button = (label: string, title: string, name: string, action: () => void): HTMLButtonElement =>
      el('button', { type: 'button', class: 'quiet', title, 'aria-label': title, 'data-action': name, click: action }, [label]);
    bar.append(el('div', { class: 'segments', role: 'group', 'aria-label': 'View' }, [
      button('−', 'Zoom out', 'view-out', () => views.forEach((v) => v.zoomBy(1 / 1.3))),
      button('+', 'Zoom in', 'view-in', () => views.forEach((v) => v.zoomBy(1.3))),
      button('Reset view', 'Show everything again', 'view-reset', () => this.resetView()),
    ]));
    if (views.some((v) => v.following !== null)) {
      const follow = el('input', { type: 'checkbox', change: () => this.setFollowing(follow.checked) });
      follow.checked = views.some((v) => v.following === true);
      bar.append(el('label', { class: 'field' }, [follow, 'follow the bodies']));
    }
    const first = this.places[0]!.run;
    const drawable = contactsToChoose(this.places.map((p) => p.run));
    if (drawable.length > 0) {
      const options = [{ value: '-1', label: 'none' }, ...drawable.map((c) => ({ value: String(c), label: contactTitle(first, c) }))];
      const { box, select } = labelledSelect('friction set', options, (value) => this.chooseContact(Number(value)));
      select.dataset.action = 'friction';
      bar.append(box);
    }
    if (this.places.some((p) => p.run.scene && (p.run.contactPlaces.place || p.run.events.places.place))) {
      bar.append(el('p', { class: 'note' }, ['Arrows: impulses of a step; their length grows with the root of the impulse.']));
    }
    return bar;
  }

  resetView(): void {
    this.views.forEach((v) => v.resetView());
  }

  private setFollowing(on: boolean): void {
    for (const view of this.views) if (view.following !== null) view.following = on;
    this.stale = true;
  }

  private chooseContact(contact: number): void {
    for (const { view, inset } of this.places) {
      if (view) view.chosenContact = contact;
      inset.contact = contact;
    }
    this.stale = true;
  }

  /** Draws when something changed. */
  draw(): void {
    const { time, speed } = this.clock;
    if (!this.stale && time === this.lastTime) return;
    this.stale = false;
    this.lastTime = time;
    for (const { view, inset } of this.places) {
      view?.draw(time, fadingSeconds * speed);
      inset.draw(time);
    }
  }
}
