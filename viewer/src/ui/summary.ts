import katex from 'katex';
import type { Parameter } from '../data/contract';
import type { RunData } from '../data/run';
import { formatCount, formatNumber, formatWithUnit } from '../text/format';
import { escapeHtml, symbolHtml } from '../text/symbols';
import { el, html } from './dom';
import { sentence, troublesOf, worriesOf } from './findings';

function fact(name: string, value: string): string {
  return `<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function parameterHtml(p: Parameter): string {
  const unit = p.unit && p.unit !== '1' ? ` ${escapeHtml(p.unit)}` : '';
  return `${symbolHtml(p.name)} = ${formatNumber(p.value, 6)}${unit}`;
}

/** A text of which the first lines are shown, with a button for the rest. */
function longText(text: string): HTMLElement {
  const paragraph = el('p', { class: 'note' }, [text]);
  if (text.length < 200) return paragraph;
  paragraph.classList.add('cut');
  const button = el('button', { type: 'button', class: 'more-text', 'aria-expanded': 'false', click: () => {
    const cut = paragraph.classList.toggle('cut');
    button.textContent = cut ? 'more' : 'less';
    button.setAttribute('aria-expanded', String(!cut));
  } }, ['more']);
  return el('div', {}, [paragraph, button]);
}

function modelCard(run: RunData): HTMLElement {
  const { model, summary: s, parameters } = run.source;
  const changed = parameters.filter((p) => p.changed);
  const card = el('section', { class: 'card' }, [el('h2', {}, ['What was run'])]);
  const source = model.source ? ` <span class="note">${escapeHtml(model.source)}</span>` : '';
  card.append(html('p', '', `<strong>${escapeHtml(model.title || model.name)}</strong>${source}`));
  if (model.description) card.append(longText(model.description));
  const method = [s.method, s.theta !== undefined ? `θ = ${formatNumber(s.theta)}` : '', s.impact ? `${s.impact} impact law` : ''].filter(Boolean).join(', ');
  card.append(html('dl', 'facts', [
    fact('Method', escapeHtml(method || 'not told')),
    fact('Time', `${formatWithUnit(run.t[run.t.length - 1], 's')}${s.steps === undefined ? '' : ` in ${formatCount(s.steps)} steps of ${formatWithUnit(run.source.dt, 's')}`}`),
    fact('Changed', changed.length > 0 ? changed.map((p) => `<span class="pill">${parameterHtml(p)}</span>`).join(' ') : 'nothing: the model as it comes'),
  ].join('')));
  return card;
}

/** What happened to the energy: every sum with its sign, and what no cause explains. */
function energyLine(run: RunData): string {
  const e = run.source.summary.energy;
  if (!e) return '';
  const causes: [string, number | undefined][] = [['impacts', e.impact], ['friction', e.friction], ['drive', e.drive], ['other forces', e.work], ['projection', e.projection]];
  const parts = causes.filter(([, v]) => v !== undefined && v !== 0).map(([name, v]) => `${name} ${formatWithUnit(v, 'J', 3)}`);
  return `${formatWithUnit(e.start, 'J', 4)} → ${formatWithUnit(e.end, 'J', 4)}<br><span class="note">${parts.join(', ')}${parts.length > 0 ? '; ' : ''}unexplained ${formatWithUnit(e.remainder, 'J', 2)}</span>`;
}

function proofCard(run: RunData): HTMLElement {
  const s = run.source.summary;
  const card = el('section', { class: 'card proof' }, [el('h2', {}, ['What was proven'])]);
  const { proven } = run.source;
  if (proven) {
    card.append(proven.length > 0 ? el('ul', {}, proven.map((text) => el('li', {}, [sentence(text)]))) : el('p', {}, ['Nothing.']));
    return card;
  }
  const facts: string[] = [];
  if (s.steps !== undefined && s.certified_steps !== undefined) {
    const all = s.certified_steps === s.steps;
    facts.push(fact('Certified', `<strong>${all ? 'all ' : ''}${formatCount(s.certified_steps)}${all ? '' : ` of ${formatCount(s.steps)}`} steps</strong>`));
  }
  if (s.worst_residual !== undefined) facts.push(fact('Worst residual', `${formatNumber(s.worst_residual, 2)} <span class="note">allowed ${formatNumber(s.tolerance, 2)}</span>`));
  if (s.uniqueness_examined_steps) {
    const several = s.multiple_solution_steps ?? 0;
    const unexamined = (s.contact_steps ?? 0) > s.uniqueness_examined_steps ? ` <span class="note">of ${formatCount(s.contact_steps!)} with contact</span>` : '';
    facts.push(fact('Single solution', several === 0 ? `in all ${formatCount(s.uniqueness_examined_steps)} examined steps${unexamined}` : `in ${formatCount(s.uniqueness_examined_steps - several)} of ${formatCount(s.uniqueness_examined_steps)}`));
  }
  const energy = energyLine(run);
  if (energy) facts.push(fact('Energy', energy));
  if (s.worst_penetration !== undefined) facts.push(fact('Largest overlap', formatWithUnit(s.worst_penetration, 'm', 2)));
  if (s.worst_drift !== undefined) facts.push(fact('Largest drift', formatNumber(s.worst_drift, 2)));
  if (s.cycles?.period) facts.push(fact(`Period (${escapeHtml(s.cycles.name ?? 'cycle')})`, `${formatWithUnit(s.cycles.period.mean, 's')} ± ${formatNumber(s.cycles.period.deviation, 2)}`));
  card.append(html('dl', 'facts', facts.join('')));
  return card;
}

function worryCard(run: RunData): HTMLElement {
  const trouble = troublesOf(run);
  const bad = trouble.some((w) => w.level === 'bad');
  const card = el('section', { class: `card worry ${bad ? 'bad' : trouble.length > 0 ? 'some' : 'none'}` }, [el('h2', {}, ['What to worry about'])]);
  const fine = worriesOf(run).filter((w) => w.level === 'fine').map((w) => w.text);
  if (trouble.length === 0) {
    // A single sentence of the program says it all.
    const alone = run.source.worries && fine.length === 1 ? fine.pop()! : 'Nothing.';
    card.append(el('p', { class: 'all-well' }, [el('span', { class: 'mark ok', 'aria-hidden': 'true' }, ['✓']), el('strong', {}, [alone])]));
  } else {
    card.append(el('ul', {}, trouble.map((w) => el('li', { class: w.level }, [w.text]))));
  }
  for (const text of fine) card.append(el('p', { class: 'note' }, [text]));
  return card;
}

function copyButton(text: string): HTMLButtonElement {
  const button = el('button', { type: 'button', 'data-action': 'copy', 'aria-label': 'Copy the command' }, ['Copy']);
  button.addEventListener('click', () => void copy(text, button));
  return button;
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages from disk may not use the clipboard; the old way still works.
    const area = el('textarea', { 'aria-hidden': 'true' });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  button.textContent = 'Copied';
  setTimeout(() => { button.textContent = 'Copy'; }, 1500);
}

function parameterTable(parameters: readonly Parameter[]): HTMLElement {
  const sorted = [...parameters.filter((p) => p.changed), ...parameters.filter((p) => !p.changed)];
  const withMeaning = sorted.some((p) => p.meaning !== '');
  const withUnit = sorted.some((p) => p.unit !== '' && p.unit !== '1');
  const row = (p: Parameter): string =>
    `<tr${p.changed ? ' class="changed"' : ''}><th scope="row">${symbolHtml(p.name)}</th><td class="number">${formatNumber(p.value, 8)}</td>${withUnit ? `<td>${p.unit === '1' ? '' : escapeHtml(p.unit)}</td>` : ''}${withMeaning ? `<td>${escapeHtml(p.meaning)}</td>` : ''}</tr>`;
  const heads = `<tr><th scope="col">name</th><th scope="col" class="number">value</th>${withUnit ? '<th scope="col">unit</th>' : ''}${withMeaning ? '<th scope="col">meaning</th>' : ''}</tr>`;
  const box = html('div', 'table-scroll', `<table class="parameters${withMeaning ? '' : ' narrow'}"><thead>${heads}</thead><tbody>${sorted.map(row).join('')}</tbody></table>`);
  box.tabIndex = 0;
  return box;
}

/** Filled when it is opened: thousands of rows or formulas cost nothing before. */
function lazyDetails(title: string, make: () => HTMLElement): HTMLDetailsElement {
  const details = el('details', { class: 'card more' }, [el('summary', {}, [title])]);
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) details.append(make());
  });
  return details;
}

function equationList(equations: readonly string[]): HTMLElement {
  const list = el('div', { class: 'equations' });
  for (const equation of equations) {
    const box = el('div', { class: 'equation', tabindex: '0' });
    katex.render(equation, box, { displayMode: true, throwOnError: false, output: 'htmlAndMathml', trust: false });
    list.append(box);
  }
  return list;
}

/** All that is said about one run. */
export function summaryOf(run: RunData): HTMLElement {
  const { source } = run;
  const section = el('div', { class: 'run-summary' });
  section.append(el('div', { class: 'strip' }, [modelCard(run), proofCard(run), worryCard(run)]));
  const command = el('div', { class: 'card command' }, [
    el('span', { class: 'field-name' }, ['Run it again']),
    el('code', { tabindex: '0' }, [source.command]),
    copyButton(source.command),
  ]);
  const more = el('div', { class: 'more-row' }, [command]);
  if (source.parameters.length > 0) {
    more.append(lazyDetails(`Parameters (${formatCount(source.parameters.length)})`, () => parameterTable(source.parameters)));
  }
  if (source.equations.length > 0) {
    more.append(lazyDetails(`Equations (${source.equations.length})`, () => equationList(source.equations)));
  }
  section.append(more);
  if (source.thinned) {
    const { rows, kept, note } = source.thinned;
    section.append(el('p', { class: 'note thinned' }, [note || `This page shows ${formatCount(kept)} of ${formatCount(rows)} rows; result.h5 holds all rows.`]));
  }
  return section;
}
