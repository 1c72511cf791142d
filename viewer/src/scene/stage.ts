import type { Clock } from '../clock';
import { contactName, type RunData } from '../data/run';
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

function reasonForNone(run: RunData): string {
  return run.scene ? 'This browser offers no 3D graphics (WebGL). The plots show the whole run.' : 'This model has no drawing. The plots show the whole run.';
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
    const drawable = [...new Set(this.places.flatMap((p) => p.run.scene?.places.map((place) => place.contact) ?? []))].sort((a, b) => a - b);
    if (drawable.length > 0) {
      const options = [{ value: '-1', label: 'none' }, ...drawable.map((c) => ({ value: String(c), label: contactName(first, c) }))];
      const { box, select } = labelledSelect('friction set', options, (value) => this.chooseContact(Number(value)));
      select.dataset.action = 'friction';
      bar.append(box);
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
