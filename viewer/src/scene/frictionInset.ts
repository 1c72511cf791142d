import { instantAt } from '../data/lookup';
import { contactEntryAt, contactTitle, type RunData } from '../data/run';
import { formatNumber } from '../text/format';
import { isDark, paperColors } from '../theme';
import { labelHtml } from '../text/symbols';
import { el, html } from '../ui/dom';

const size = 132;
const stateNames = ['open', 'stick', 'slip'];

/** The friction set of one contact beside the picture: an interval in the plane, a disk in space, and the impulse in it. */
export class FrictionInset {
  readonly element: HTMLElement;
  private readonly canvas = el('canvas', { width: String(size * 2), height: String(size * 2), 'aria-hidden': 'true' });
  private readonly text = el('p');
  private drawnAt = '';
  contact = -1;

  constructor(private readonly run: RunData) {
    this.element = el('div', { class: 'inset' }, [this.canvas, this.text]);
    this.element.hidden = true;
  }

  draw(time: number): void {
    this.element.hidden = this.contact < 0;
    if (this.contact < 0) return;
    const { run, contact } = this;
    const { row } = instantAt(run.t, time);
    const key = `${contact} ${row} ${isDark()}`;
    if (key === this.drawnAt) return;
    this.drawnAt = key;
    const entry = contactEntryAt(run, row, contact);
    const read = (name: 'lambdaN' | 'lambdaT' | 'lambdaO'): number => (entry < 0 ? 0 : run.contactQuantities.get(name)?.[entry] || 0);
    const mu = run.source.contacts[contact]?.mu ?? 0;
    const n = read('lambdaN');
    const t = read('lambdaT');
    const o = read('lambdaO');
    const closed = entry >= 0 && n > 0;
    this.paint(closed ? t / (mu * n || 1) : NaN, closed ? o / (mu * n || 1) : NaN);
    const state = stateNames[run.contactState[entry] ?? 0] ?? '';
    this.text.replaceChildren(
      el('strong', {}, [contactTitle(run, contact)]),
      entry < 0 ? ' is open at this time' : ` ${state}`,
      ...(entry < 0 ? [] : closed ? [
        el('br'),
        html('span', 'friction-bound', labelHtml(`μΛ_N = ${formatNumber(mu * n, 3)} N s`)),
        el('br'),
        `friction: ${formatNumber((Math.hypot(t, o) / (mu * n || 1)) * 100, 3)} % of it`,
      ] : [el('br'), 'no impulse now']),
    );
  }

  /** The set has the size 1; the impulse is a point in it. */
  private paint(t: number, o: number): void {
    const ctx = this.canvas.getContext('2d')!;
    const middle = size / 2;
    const radius = size * 0.38;
    const blue = isDark() ? '#56B4E9' : '#0072B2';
    ctx.setTransform(2, 0, 0, 2, 0, 0);
    ctx.clearRect(0, 0, size, size);
    ctx.strokeStyle = paperColors().grid;
    ctx.beginPath();
    ctx.moveTo(4, middle);
    ctx.lineTo(size - 4, middle);
    ctx.moveTo(middle, 4);
    ctx.lineTo(middle, size - 4);
    ctx.stroke();
    ctx.strokeStyle = blue;
    ctx.globalAlpha = Number.isNaN(t) ? 0.35 : 1;
    const space = this.run.scene?.dimension === 3;
    ctx.beginPath();
    if (space) {
      ctx.arc(middle, middle, radius, 0, 2 * Math.PI);
      ctx.fillStyle = isDark() ? 'rgba(86,180,233,0.2)' : 'rgba(0,114,178,0.14)';
      ctx.fill();
      ctx.lineWidth = 2;
    } else {
      ctx.moveTo(middle - radius, middle);
      ctx.lineTo(middle + radius, middle);
      ctx.moveTo(middle - radius, middle - 8);
      ctx.lineTo(middle - radius, middle + 8);
      ctx.moveTo(middle + radius, middle - 8);
      ctx.lineTo(middle + radius, middle + 8);
      ctx.lineWidth = 5;
    }
    ctx.stroke();
    ctx.globalAlpha = 1;
    ctx.font = '11px system-ui, sans-serif';
    ctx.fillStyle = paperColors().faint;
    ctx.fillText('T', size - 12, middle - 5);
    if (space) ctx.fillText('O', middle + 5, 13);
    if (Number.isNaN(t)) return;
    ctx.fillStyle = '#D55E00';
    ctx.beginPath();
    ctx.arc(middle + clampUnit(t) * radius, middle - clampUnit(space ? o : 0) * radius, 5, 0, 2 * Math.PI);
    ctx.fill();
  }
}

function clampUnit(value: number): number {
  return Math.min(Math.max(value, -1.2), 1.2);
}
