import type { RunData } from '../data/run';
import { formatCount, formatNumber, formatWithUnit } from '../text/format';
import { escapeHtml, symbolHtml } from '../text/symbols';
import { lineColor } from '../theme';
import { html } from './dom';
import { troublesOf } from './findings';

/** Parameters whose values are not the same in all runs. */
export function differingParameters(runs: readonly RunData[]): string[] {
  const names = new Set(runs.flatMap((r) => r.source.parameters.map((p) => p.name)));
  return [...names].filter((name) => {
    const values = runs.map((r) => r.source.parameters.find((p) => p.name === name)?.value);
    return values.some((v) => v !== values[0]);
  });
}

/** A table with a column for each run. */
export function comparison(runs: readonly RunData[]): HTMLElement {
  const rows: { name: string; value: (run: RunData) => string }[] = [
    { name: 'Method', value: (r) => escapeHtml(r.source.summary.method ?? '–') },
    { name: 'Step', value: (r) => formatWithUnit(r.source.dt, 's') },
    ...differingParameters(runs).slice(0, 12).map((name) => ({
      name: symbolHtml(name),
      value: (r: RunData): string => formatNumber(r.source.parameters.find((p) => p.name === name)?.value, 6),
    })),
    {
      name: 'Certified',
      value: (r) => {
        const { steps, certified_steps: certified } = r.source.summary;
        return steps === undefined || certified === undefined ? '–' : certified === steps ? `all ${formatCount(steps)}` : `${formatCount(certified)} of ${formatCount(steps)}`;
      },
    },
    { name: 'Worst residual', value: (r) => formatNumber(r.source.summary.worst_residual, 2) },
    { name: 'Impacts', value: (r) => formatCount(impacts(r)) },
    { name: 'Energy at the end', value: (r) => formatWithUnit(r.source.summary.energy?.end, 'J') },
    { name: 'Unexplained energy', value: (r) => formatWithUnit(r.source.summary.energy?.remainder, 'J', 2) },
    { name: 'Largest overlap', value: (r) => formatWithUnit(r.source.summary.worst_penetration, 'm', 2) },
    {
      name: 'To worry about',
      value: (r) => {
        const count = troublesOf(r).length;
        return count === 0 ? 'nothing' : `${count} ${count === 1 ? 'thing' : 'things'}`;
      },
    },
  ];
  const head = runs.map((r) => `<th scope="col"><span class="run-mark" style="background:${lineColor(r.index)}"></span>${escapeHtml(r.label)}</th>`).join('');
  const body = rows.map((row) => `<tr><th scope="row">${row.name}</th>${cellsOf(runs.map(row.value))}</tr>`).join('');
  return html('section', 'card comparison', `<h2>Runs compared</h2><div class="table-scroll" tabindex="0"><table><thead><tr><td></td>${head}</tr></thead><tbody>${body}</tbody></table></div>`);
}

/** A cell for each value, or one for all where they are the same. */
function cellsOf(values: readonly string[]): string {
  if (values.every((v) => v === values[0])) return `<td colspan="${values.length}">${values[0]!} <span class="note">in all</span></td>`;
  return values.map((v) => `<td>${v}</td>`).join('');
}

function impacts(run: RunData): number {
  const kind = run.source.eventKinds.indexOf('impact');
  let count = 0;
  for (const k of run.events.kind) if (k === kind) count++;
  return count;
}
