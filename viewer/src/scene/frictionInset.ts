import { instantAt } from '../data/lookup';
import { frictionSetOf, impulseAt, type FrictionImpulse } from '../data/friction';
import { contactEntryAt, contactTitle, type RunData } from '../data/run';
import { formatNumber, formatShare } from '../text/format';
import { isDark, paperColors } from '../theme';
import { labelHtml } from '../text/symbols';
import { el, html } from '../ui/dom';

const size = 132;
/** Where torsion is drawn. */
const edge = 8;
const stateNames = ['open', 'stick', 'slip'];

/** The friction set of one contact beside the picture: an interval in the plane, in space what friction along T and O can be, and the impulse in it. */
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
    const mu = run.source.contacts[contact]?.mu ?? 0;
    const impulse = impulseAt(run, entry, mu);
    this.paint(impulse);
    const state = stateNames[run.contactState[entry] ?? 0] ?? '';
    this.text.replaceChildren(
      el('strong', {}, [contactTitle(run, contact)]),
      entry < 0 ? ' is open at this time' : ` ${state}`,
      ...(entry < 0 ? [] : impulse ? [
        el('br'),
        html('span', 'friction-bound', labelHtml(`μΛ_N = ${formatNumber(impulse.bound, 3)} N s`)),
        el('br'),
        impulse.bound > 0 ? `friction${this.torsion() > 0 ? ' with torsion' : ''}: ${formatShare(impulse.share)} of the most it can be` : 'no friction',
      ] : [el('br'), 'no impulse now']),
    );
  }

  /** The largest torsion of the set, in units of the bound. */
  private torsion(): number {
    return this.run.scene?.dimension === 3 ? frictionSetOf(this.run, this.contact).torsion : 0;
  }

  /** The set as seen along the normal, torsion beside it as an interval, and the impulse as points in both. */
  private paint(impulse: FrictionImpulse | null): void {
    const ctx = this.canvas.getContext('2d')!;
    const middle = size / 2;
    const radius = size * 0.38;
    const blue = isDark() ? '#56B4E9' : '#0072B2';
    const space = this.run.scene?.dimension === 3;
    const torsion = this.torsion();
    const { outline } = frictionSetOf(this.run, this.contact);
    const unit = space ? radius / (Math.max(...outline.map(Math.abs)) || 1) : radius;
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
    ctx.globalAlpha = impulse ? 1 : 0.35;
    ctx.beginPath();
    if (space) {
      for (let i = 0; i + 1 < outline.length; i += 2) ctx.lineTo(middle + outline[i]! * unit, middle - outline[i + 1]! * unit);
      ctx.closePath();
      ctx.fillStyle = isDark() ? 'rgba(86,180,233,0.2)' : 'rgba(0,114,178,0.14)';
      ctx.fill();
      ctx.lineWidth = 2;
    } else {
      bar(ctx, middle - radius, middle, middle + radius, middle);
      ctx.lineWidth = 5;
    }
    ctx.stroke();
    if (torsion > 0) {
      ctx.beginPath();
      bar(ctx, edge, middle - radius, edge, middle + radius);
      ctx.lineWidth = 3;
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
    ctx.font = '11px system-ui, sans-serif';
    ctx.fillStyle = paperColors().faint;
    ctx.fillText('T', size - 12, middle - 5);
    if (space) ctx.fillText('O', middle + 5, 13);
    if (torsion > 0) ctx.fillText('R', edge - 4, 11);
    if (!impulse) return;
    dot(ctx, middle + clamp(impulse.t * unit, 1.2 * radius), middle - clamp((space ? impulse.o : 0) * unit, 1.2 * radius));
    if (torsion > 0) dot(ctx, edge, middle - clamp((impulse.r / torsion) * radius, 1.2 * radius));
  }
}

function dot(ctx: CanvasRenderingContext2D, x: number, y: number): void {
  ctx.fillStyle = '#D55E00';
  ctx.beginPath();
  ctx.arc(x, y, 5, 0, 2 * Math.PI);
  ctx.fill();
}

/** A line with a stroke across either end. */
function bar(ctx: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  const across = x0 === x1 ? [5, 0] : [0, 8];
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  for (const [x, y] of [[x0, y0], [x1, y1]] as const) {
    ctx.moveTo(x - across[0]!, y - across[1]!);
    ctx.lineTo(x + across[0]!, y + across[1]!);
  }
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, -most), most);
}
