import 'katex/dist/katex.css';
import 'uplot/dist/uPlot.min.css';
import './styles.css';
import { Clock } from './clock';
import { parsePage } from './data/decode';
import type { Page } from './data/contract';
import { decodeRun, type RunData } from './data/run';
import { PlotBoard } from './plots/board';
import { PlotContext } from './plots/context';
import { Stage } from './scene/stage';
import { onThemeChange, reducedMotion, setTheme, startTheme, themeChoice, type ThemeChoice } from './theme';
import { comparison } from './ui/compare';
import { el, labelledSelect } from './ui/dom';
import { Help } from './ui/help';
import { listenToKeys } from './ui/keyboard';
import { summaryOf } from './ui/summary';
import { Transport } from './ui/transport';

/** For tests: script time of frames, and a way to move the time. */
interface Probe {
  frames: number[];
  seek: (time: number) => void;
  state: () => { time: number; playing: boolean; speed: number; loop: string; visible: { from: number; to: number }; redraws: number; undrawn: string[] };
}

declare global {
  interface Window {
    __picus?: Probe;
  }
}

const framesKept = 600;

function header(page: Page, help: Help): HTMLElement {
  const { box } = labelledSelect('Theme', [{ value: 'auto', label: 'Auto' }, { value: 'light', label: 'Light' }, { value: 'dark', label: 'Dark' }], (value) => setTheme(value as ThemeChoice), false);
  const select = box.querySelector('select')!;
  select.dataset.action = 'theme';
  select.value = themeChoice();
  return el('header', { class: 'page-head' }, [
    el('h1', {}, [page.title]),
    el('span', { class: 'version' }, [`Picus ${page.picus}`]),
    el('div', { class: 'head-tools' }, [
      box,
      el('button', { type: 'button', title: 'Keys and gestures (?)', 'aria-label': 'Keys and gestures', 'data-action': 'help', click: () => help.open() }, ['?']),
    ]),
  ]);
}

function summaries(runs: readonly RunData[]): HTMLElement {
  const section = el('section', { class: 'summary', 'aria-label': 'Summary' });
  if (runs.length === 1) {
    section.append(summaryOf(runs[0]!));
    return section;
  }
  let table = comparison(runs);
  section.append(table);
  onThemeChange(() => {
    const next = comparison(runs);
    table.replaceWith(next);
    table = next;
  });
  for (const run of runs) {
    section.append(el('details', { class: 'run-details' }, [el('summary', {}, [`More about ${run.label}`]), summaryOf(run)]));
  }
  return section;
}

function show(page: Page): void {
  const runs = page.runs.map(decodeRun);
  document.title = `${page.title} – Picus`;
  const from = Math.min(...runs.map((r) => r.t[0] ?? 0));
  const end = Math.max(...runs.map((r) => r.t[r.t.length - 1] ?? 1));
  // A run that ended at once still gets an axis of time.
  const to = end > from ? end : from + (runs[0]!.source.dt || 1);
  const clock = new Clock({ from, to }, runs.find((r) => r.source.period)?.source.period ?? null);
  const context = new PlotContext(clock);
  const stage = new Stage(runs, clock);
  const transport = new Transport(runs, clock);
  const board = new PlotBoard(runs, context);
  const help = new Help();

  document.body.replaceChildren(
    header(page, help),
    el('main', { class: runs.length > 1 ? 'several' : '' }, [
      el('section', { class: 'animation', 'aria-label': 'Animation' }, [stage.element, transport.element, stage.viewBar]),
      summaries(runs),
      board.element,
    ]),
    help.dialog,
  );
  listenToKeys(clock, transport, help, () => {
    stage.resetView();
    context.reset();
  });

  let last = performance.now();
  let shownTime = NaN;
  const frames: number[] = [];
  const frame = (now: number): void => {
    const begin = performance.now();
    clock.advance(Math.min((now - last) / 1000, 0.1));
    last = now;
    stage.draw();
    transport.show();
    if (clock.time !== shownTime) {
      board.moveCursor(clock.time, now, clock.playing);
      shownTime = clock.time;
    }
    frames.push(performance.now() - begin);
    if (frames.length > framesKept) frames.shift();
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  // Someone who asked for less motion starts it by hand.
  if (!reducedMotion.matches) clock.play();

  window.__picus = {
    frames,
    seek: (time) => clock.seek(time),
    state: () => ({
      time: clock.time, playing: clock.playing, speed: clock.speed, loop: clock.loop, visible: context.visible,
      redraws: board.cards.reduce((sum, card) => sum + card.redraws, 0),
      undrawn: board.cards.filter((card) => !card.drawn).map((card) => card.id),
    }),
  };
}

function say(message: string): void {
  document.body.replaceChildren(el('p', { class: 'no-data' }, [message]));
}

startTheme();
try {
  const page = parsePage(document.getElementById('picus-data')?.textContent ?? '');
  if (page && page.runs.length > 0) show(page);
  else say('This is the empty report page of Picus: “picus report” fills it with a run.');
} catch (error) {
  say(`The data of this page cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  throw error;
}
