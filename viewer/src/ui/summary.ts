import katex from 'katex';
import type { Parameter } from '../data/contract';
import type { RunData } from '../data/run';
import { formatCount, formatNumber, formatWithUnit } from '../text/format';
import { escapeHtml, symbolHtml } from '../text/symbols';
import { el, html } from './dom';
import { findingsOf } from './findings';

function fact(name: string, value: string): string {
  return `<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function parameterHtml(p: Parameter): string {
  const unit = p.unit && p.unit !== '1' ? ` ${escapeHtml(p.unit)}` : '';
  return `${symbolHtml(p.name)} = ${formatNumber(p.value, 6)}${unit}`;
}

function modelCard(run: RunData): HTMLElement {
  const { model, summary: s, parameters } = run.source;
  const changed = parameters.filter((p) => p.changed);
  const card = el('section', { class: 'card' }, [el('h2', {}, ['What was run'])]);
  const source = model.source ? ` <span class="note">${escapeHtml(model.source)}</span>` : '';
  card.append(html('p', '', `<strong>${escapeHtml(model.title || model.name)}</strong>${source}`));
  if (model.description) card.append(el('p', { class: 'note' }, [model.description]));
  const method = [s.method, s.theta !== undefined ? `θ = ${formatNumber(s.theta)}` : '', s.impact ? `${s.impact} impact law` : ''].filter(Boolean).join(', ');
  card.append(html('dl', 'facts', [
    fact('Method', escapeHtml(method || 'not told')),
    fact('Time', `${formatWithUnit(run.t[run.t.length - 1], 's')} in ${formatCount(s.steps ?? run.t.length - 1)} steps of ${formatWithUnit(run.source.dt, 's')}`),
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
  const card = el('section', { class: 'card' }, [el('h2', {}, ['What was proven'])]);
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
  const findings = findingsOf(run);
  const trouble = findings.filter((f) => f.weight === 'trouble');
  const notes = findings.filter((f) => f.weight === 'note');
  const card = el('section', { class: `card worry ${trouble.length > 0 ? 'some' : 'none'}` }, [el('h2', {}, ['What to worry about'])]);
  if (trouble.length === 0) card.append(html('p', 'all-well', '<span class="mark ok" aria-hidden="true">✓</span><strong>Nothing.</strong>'));
  else card.append(el('ul', {}, trouble.map((f) => el('li', {}, [f.text]))));
  for (const f of notes) card.append(el('p', { class: 'note' }, [f.text]));
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
  return html('div', 'table-scroll', `<table class="parameters${withMeaning ? '' : ' narrow'}"><thead>${heads}</thead><tbody>${sorted.map(row).join('')}</tbody></table>`);
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
    section.append(el('p', { class: 'note thinned' }, [`This page shows ${formatCount(kept)} of ${formatCount(rows)} rows${note ? ` (${note})` : ''}; result.h5 holds all rows.`]));
  }
  return section;
}
