import { el, html } from './dom';

const keys: [string, string][] = [
  ['Space', 'play, pause'],
  ['← →', 'one row back, on'],
  ['Shift + ← →', 'previous, next event'],
  ['Home, End', 'beginning, end'],
  ['+ −', 'faster, slower'],
  ['L', 'loop: off, whole run, one period, chosen range'],
  ['[ ]', 'the range begins, ends here'],
  ['R', 'reset the view and the plots'],
  ['?', 'this help'],
];

const hints: [string, string][] = [
  ['Plots', 'click or drag to move the time; Shift and drag to zoom, Alt and drag to pan; Ctrl and wheel, or two fingers, to zoom; double click to see all again'],
  ['Picture', 'drag to move (in space: to turn); Ctrl and wheel, or two fingers, to zoom; double click to reset'],
  ['Legend', 'press a name to hide or show its line'],
];

function table(rows: [string, string][], keyboard: boolean): string {
  const cell = (text: string): string => (keyboard ? text.split(/, | \+ /).map((k) => `<kbd>${k}</kbd>`).join(' ') : text);
  return `<table>${rows.map(([a, b]) => `<tr><th scope="row">${cell(a)}</th><td>${b}</td></tr>`).join('')}</table>`;
}

export class Help {
  readonly dialog = el('dialog', { class: 'help', 'aria-labelledby': 'help-title' });

  constructor() {
    const close = el('button', { type: 'button', click: () => this.dialog.close() }, ['Close']);
    this.dialog.append(
      html('div', '', `<h2 id="help-title">Keys and gestures</h2>${table(keys, true)}${table(hints, false)}`),
      close,
    );
    this.dialog.addEventListener('click', (e) => { if (e.target === this.dialog) this.dialog.close(); });
  }

  open(): void {
    if (!this.dialog.open) this.dialog.showModal();
  }
}
