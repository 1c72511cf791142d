import type { DecodedShape, RunData } from '../data/run';
import { formatNumber } from '../text/format';
import { isDark, lineColor, paperColors, seenColor, stateColor } from '../theme';
import { linearTicks } from '../plots/ticks';
import { el } from '../ui/dom';
import { ContactEffects, type ContactEffect } from './effects';
import { listenToGestures } from './gestures';
import { FollowPath, PlanarMotion } from './motion2d';
import type { SceneView } from './view';

const labelFont = '12px system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif';

/** A planar scene on a canvas. */
export class PlanarView implements SceneView {
  readonly element = el('div', { class: 'view' });
  chosenContact = -1;
  following: boolean | null;
  onStale: () => void = () => undefined;
  private readonly canvas: HTMLCanvasElement;
  private readonly ctx: CanvasRenderingContext2D;
  private readonly motion: PlanarMotion;
  private readonly effects: ContactEffects;
  private readonly path: FollowPath;
  /** Radius in the middle of those of many moving circles; null where there are few. */
  private readonly bodyRadius: number | null;
  private width = 0;
  private height = 0;
  private ratio = 1;
  private zoom = 1;
  private panX = 0;
  private panY = 0;
  /** Pixels for a metre, and the world's point in the middle. */
  private scale = 1;
  private centreX = 0;
  private centreY = 0;

  constructor(private readonly run: RunData) {
    this.canvas = el('canvas', { class: 'surface', tabindex: '0', role: 'img', 'aria-label': `Animation of ${run.source.model.title || run.label}` });
    this.element.append(this.canvas);
    this.ctx = this.canvas.getContext('2d')!;
    this.motion = new PlanarMotion(run);
    this.effects = new ContactEffects(run);
    this.path = new FollowPath(this.motion, run);
    const [x0, x1, y0, y1] = run.scene!.box as [number, number, number, number];
    const radii = run.scene!.shapes.filter((s) => s.kind === 'circle' && s.frame >= 0 && s.numbers).map((s) => s.numbers![2]!).sort((a, b) => a - b);
    this.bodyRadius = radii.length > 12 ? radii[radii.length >> 1]! : null;
    const small = Math.max(this.path.width, this.path.height) < 0.4 * Math.max(x1 - x0, y1 - y0);
    this.following = this.path.width + this.path.height > 0 ? small : null;
    new ResizeObserver(() => this.resize()).observe(this.element);
    listenToGestures(this.canvas, this.element, {
      pan: (dx, dy) => {
        this.panX += dx;
        this.panY += dy;
        this.onStale();
      },
      zoom: (factor, x, y) => this.zoomAt(factor, x - this.width / 2, y - this.height / 2),
      reset: () => this.resetView(),
    });
  }

  private resize(): void {
    this.width = this.element.clientWidth;
    this.height = this.element.clientHeight;
    this.ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(this.width * this.ratio);
    this.canvas.height = Math.round(this.height * this.ratio);
    this.onStale();
  }

  resetView(): void {
    this.zoom = 1;
    this.panX = this.panY = 0;
    this.onStale();
  }

  zoomBy(factor: number): void {
    this.zoomAt(factor, 0, 0);
  }

  private zoomAt(factor: number, x: number, y: number): void {
    const next = Math.min(Math.max(this.zoom * factor, 0.05), 2000);
    const real = next / this.zoom;
    this.panX = x - (x - this.panX) * real;
    this.panY = y - (y - this.panY) * real;
    this.zoom = next;
    this.onStale();
  }

  private placeCamera(time: number): void {
    const [x0, x1, y0, y1] = this.run.scene!.box as [number, number, number, number];
    let w = x1 - x0;
    let h = y1 - y0;
    this.centreX = (x0 + x1) / 2;
    this.centreY = (y0 + y1) / 2;
    if (this.following) {
      w = this.path.width * 1.3;
      h = this.path.height * 1.3;
      [this.centreX, this.centreY] = this.path.at(time);
    }
    const fit = Math.min(this.width / Math.max(w * 1.12, 1e-12), this.height / Math.max(h * 1.12, 1e-12));
    this.scale = fit * this.zoom;
  }

  private px(x: number): number {
    return this.width / 2 + this.panX + (x - this.centreX) * this.scale;
  }

  private py(y: number): number {
    return this.height / 2 + this.panY - (y - this.centreY) * this.scale;
  }

  draw(time: number, fading: number): void {
    if (this.width === 0) return;
    const { ctx } = this;
    this.placeCamera(time);
    ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    ctx.fillStyle = paperColors().scene;
    ctx.fillRect(0, 0, this.width, this.height);
    this.drawGrid();
    this.motion.moveTo(time);
    for (const shape of this.run.scene!.shapes) this.drawShape(shape);
    for (const shape of this.run.scene!.shapes) if (shape.label) this.drawLabel(shape);
    if (this.chosenContact >= 0) this.drawFrictionSet(time);
    for (const effect of this.effects.at(time, fading)) this.drawEffect(effect);
    this.drawScaleBar();
  }

  private drawGrid(): void {
    const { ctx } = this;
    const left = this.centreX - (this.width / 2 + this.panX) / this.scale;
    const right = left + this.width / this.scale;
    const bottom = this.centreY - (this.height / 2 - this.panY) / this.scale;
    const top = bottom + this.height / this.scale;
    const lines = Math.max(2, Math.round(Math.max(this.width, this.height) / 90));
    const step = tickStep(Math.max(right - left, top - bottom), lines);
    ctx.strokeStyle = isDark() ? '#1f252c' : '#eef1f4';
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (let x = Math.ceil(left / step) * step; x <= right; x += step) {
      const p = Math.round(this.px(x)) + 0.5;
      ctx.moveTo(p, 0);
      ctx.lineTo(p, this.height);
    }
    for (let y = Math.ceil(bottom / step) * step; y <= top; y += step) {
      const p = Math.round(this.py(y)) + 0.5;
      ctx.moveTo(0, p);
      ctx.lineTo(this.width, p);
    }
    ctx.stroke();
  }

  private drawScaleBar(): void {
    const { ctx } = this;
    const length = tickStep(this.width / this.scale, 8);
    const right = this.width - 14;
    const y = this.height - 14;
    ctx.strokeStyle = ctx.fillStyle = paperColors().faint;
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    ctx.moveTo(right - length * this.scale, y - 4);
    ctx.lineTo(right - length * this.scale, y);
    ctx.lineTo(right, y);
    ctx.lineTo(right, y - 4);
    ctx.stroke();
    ctx.font = labelFont;
    ctx.textAlign = 'right';
    ctx.fillText(`${formatNumber(length)} m`, right, y - 8);
  }

  /** Paints one shape; strokes are in pixels, whatever the zoom. */
  private drawShape(shape: DecodedShape): void {
    const { ctx } = this;
    const n = this.motion.numbers(shape);
    const inFrame = !shape.motion && shape.frame >= 0;
    const pose = inFrame ? this.motion.pose(shape.frame) : null;
    const c = pose ? Math.cos(pose.phi) : 1;
    const s = pose ? Math.sin(pose.phi) : 0;
    const X = (i: number): number => this.px(pose ? pose.x + c * n[i]! - s * n[i + 1]! : n[i]!);
    const Y = (i: number): number => this.py(pose ? pose.y + s * n[i]! + c * n[i + 1]! : n[i + 1]!);
    const moving = this.motion.moves(shape);
    const own = moving ? lineColor(Math.max(shape.frame, 0)) : paperColors().faint;
    const stroke = shape.color ? seenColor(shape.color) : own;
    ctx.strokeStyle = stroke;
    ctx.lineWidth = 2;
    ctx.lineJoin = 'round';
    ctx.lineCap = 'round';
    switch (shape.kind) {
      case 'point':
        ctx.fillStyle = shape.fill ?? (shape.color ? stroke : paperColors().text);
        ctx.beginPath();
        ctx.arc(X(0), Y(0), 4, 0, 2 * Math.PI);
        ctx.fill();
        break;
      case 'segment':
        ctx.lineWidth = moving ? 5 : 2.5;
        ctx.beginPath();
        ctx.moveTo(X(0), Y(0));
        ctx.lineTo(X(2), Y(2));
        ctx.stroke();
        break;
      case 'circle': {
        const r = n[2]! * this.scale;
        const x = X(0);
        const y = Y(0);
        ctx.beginPath();
        ctx.arc(x, y, Math.max(r, 0.5), 0, 2 * Math.PI);
        fillSoftly(ctx, shape.fill ?? stroke, shape.fill !== undefined);
        ctx.stroke();
        // A radius that turns with the body shows how it rolls.
        ctx.beginPath();
        ctx.moveTo(x, y);
        ctx.lineTo(x + r * c, y - r * s);
        ctx.lineWidth = 1.5;
        ctx.stroke();
        break;
      }
      case 'polygon':
        ctx.beginPath();
        for (let i = 0; i + 1 < n.length; i += 2) {
          if (i === 0) ctx.moveTo(X(i), Y(i));
          else ctx.lineTo(X(i), Y(i));
        }
        ctx.closePath();
        fillSoftly(ctx, shape.fill ?? stroke, shape.fill !== undefined);
        ctx.lineWidth = 1.5;
        ctx.stroke();
        break;
      case 'spring':
        this.drawSpring(X(0), Y(0), X(2), Y(2), (n[4] ?? 0) * this.scale, shape.coils ?? 8);
        break;
      case 'half_plane':
        this.drawHalfPlane(X(0), Y(0), pose ? c * n[2]! - s * n[3]! : n[2]!, pose ? s * n[2]! + c * n[3]! : n[3]!);
        break;
      default:
    }
  }

  private drawSpring(x1: number, y1: number, x2: number, y2: number, width: number, coils: number): void {
    const { ctx } = this;
    const dx = x2 - x1;
    const dy = y2 - y1;
    const length = Math.hypot(dx, dy) || 1;
    const nx = (-dy / length) * Math.max(width / 2, 3);
    const ny = (dx / length) * Math.max(width / 2, 3);
    const turns = Math.max(2, Math.round(coils)) * 2;
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    ctx.moveTo(x1, y1);
    for (let i = 1; i < turns; i++) {
      const f = 0.1 + 0.8 * (i / turns);
      const side = i % 2 === 0 ? -1 : 1;
      ctx.lineTo(x1 + dx * f + nx * side, y1 + dy * f + ny * side);
    }
    ctx.lineTo(x2, y2);
    ctx.stroke();
  }

  private drawHalfPlane(x: number, y: number, nx: number, ny: number): void {
    const { ctx } = this;
    const length = Math.hypot(nx, ny) || 1;
    // On the screen y points down.
    const ux = nx / length;
    const uy = -ny / length;
    const far = 2 * (this.width + this.height) + Math.hypot(x, y);
    ctx.save();
    ctx.beginPath();
    ctx.moveTo(x - uy * far, y + ux * far);
    ctx.lineTo(x + uy * far, y - ux * far);
    ctx.lineTo(x + uy * far - ux * far, y - ux * far - uy * far);
    ctx.lineTo(x - uy * far - ux * far, y + ux * far - uy * far);
    ctx.closePath();
    ctx.fillStyle = paperColors().ground;
    ctx.fill();
    ctx.restore();
    ctx.beginPath();
    ctx.moveTo(x - uy * far, y + ux * far);
    ctx.lineTo(x + uy * far, y - ux * far);
    ctx.stroke();
  }

  private drawLabel(shape: DecodedShape): void {
    const { ctx } = this;
    const n = this.motion.numbers(shape);
    const pose = !shape.motion && shape.frame >= 0 ? this.motion.pose(shape.frame) : { x: 0, y: 0, phi: 0 };
    let x: number;
    let y: number;
    if (shape.kind === 'circle' || shape.kind === 'point') {
      x = this.px(pose.x + Math.cos(pose.phi) * n[0]! - Math.sin(pose.phi) * n[1]!);
      y = this.py(pose.y + Math.sin(pose.phi) * n[0]! + Math.cos(pose.phi) * n[1]!) - (shape.kind === 'circle' ? n[2]! * this.scale : 6) - 5;
      ctx.textAlign = 'center';
    } else if (shape.kind === 'half_plane') {
      x = 12;
      y = Math.min(this.py(n[1]!) + 18, this.height - 12);
      ctx.textAlign = 'left';
    } else if (shape.kind === 'polygon') {
      // Beside the rightmost corner.
      let best = -Infinity;
      x = y = 0;
      const c = Math.cos(pose.phi);
      const s = Math.sin(pose.phi);
      for (let i = 0; i + 1 < n.length; i += 2) {
        const at = pose.x + c * n[i]! - s * n[i + 1]!;
        if (at > best) {
          best = at;
          x = this.px(at) + 7;
          y = this.py(pose.y + s * n[i]! + c * n[i + 1]!) + 4;
        }
      }
      ctx.textAlign = 'left';
      if (!this.motion.moves(shape)) y = Math.min(Math.max(y, 20), this.height - 30);
    } else {
      const c = Math.cos(pose.phi);
      const s = Math.sin(pose.phi);
      const [mx, my] = [(n[0]! + n[2]!) / 2, (n[1]! + n[3]!) / 2];
      const [dx, dy] = [n[2]! - n[0]!, n[3]! - n[1]!];
      // Above a flat one, beside a steep one.
      const steep = Math.abs(s * dx + c * dy) > Math.abs(c * dx - s * dy);
      x = this.px(pose.x + c * mx - s * my) + (steep ? 10 : 0);
      y = this.py(pose.y + s * mx + c * my) + (steep ? 4 : -9);
      ctx.textAlign = steep ? 'left' : 'center';
      if (!steep && !this.motion.moves(shape)) {
        // Below the right end of a floor: bodies stand on its middle.
        const right = n[0]! > n[2]! ? 0 : 2;
        x = this.px(pose.x + c * n[right]! - s * n[right + 1]!);
        y = this.py(pose.y + s * n[right]! + c * n[right + 1]!) + 16;
        ctx.textAlign = 'right';
      }
    }
    ctx.font = labelFont;
    const width = ctx.measureText(shape.label!).width;
    const leftOf = ctx.textAlign === 'center' ? width / 2 : ctx.textAlign === 'right' ? width : 0;
    // A name stays readable at the edge while its body is in sight.
    if (x > 0 && x - leftOf < this.width) x = Math.min(Math.max(x, leftOf + 6), this.width - width + leftOf - 6);
    ctx.lineWidth = 3;
    ctx.strokeStyle = paperColors().scene;
    ctx.strokeText(shape.label!, x, y);
    ctx.fillStyle = paperColors().faint;
    ctx.fillText(shape.label!, x, y);
  }

  private longestArrow(): number {
    return Math.min(120, Math.min(this.width, this.height) * 0.28, 8 * this.grain()) * this.effects.room;
  }

  /** Pixels that marks at contacts are measured by: among many small bodies they are small, too. */
  private grain(): number {
    return this.bodyRadius === null ? 16 : Math.min(16, Math.max(4, this.bodyRadius * this.scale * 1.2));
  }

  private drawEffect(effect: ContactEffect): void {
    const { ctx } = this;
    const x = this.px(effect.point[0]!);
    const y = this.py(effect.point[1]!);
    if (effect.flash > 0) {
      ctx.globalAlpha = 0.75 * effect.flash;
      ctx.fillStyle = '#F0E442';
      ctx.strokeStyle = '#D55E00';
      ctx.lineWidth = Math.min(2, this.grain() / 6);
      ctx.beginPath();
      const strong = Math.sqrt(Math.min(effect.lambdaN / (this.effects.largest || 1), 1));
      ctx.arc(x, y, this.grain() * (0.3 + 0.7 * (1 - effect.flash * 0.6)) * (0.6 + 0.4 * strong), 0, 2 * Math.PI);
      ctx.fill();
      ctx.stroke();
    }
    ctx.globalAlpha = Math.min(1, 0.25 + 0.75 * effect.strength);
    const { lambdaN, lambdaT, normal, tangent } = effect;
    const total = Math.hypot(lambdaN, lambdaT);
    const length = this.effects.arrowLength(total, this.longestArrow());
    if (length > 0) {
      const dx = (normal[0]! * lambdaN + tangent[0]! * lambdaT) / total;
      const dy = (normal[1]! * lambdaN + tangent[1]! * lambdaT) / total;
      drawArrow(ctx, x, y, x + dx * length, y - dy * length, Math.min(2.5, this.grain() / 5), isDark() ? '#F0E442' : '#A63A00');
    }
    ctx.fillStyle = stateColor(Math.max(effect.state, 1));
    ctx.beginPath();
    ctx.arc(x, y, Math.min(3, this.grain() / 4), 0, 2 * Math.PI);
    ctx.fill();
    ctx.globalAlpha = 1;
  }

  /** The friction cone at the chosen contact: every impulse that friction allows ends on the bar. */
  private drawFrictionSet(time: number): void {
    const effect = this.effects.chosen(this.chosenContact, time);
    if (!effect) return;
    const { ctx } = this;
    const mu = this.run.source.contacts[this.chosenContact]?.mu ?? 0;
    const x = this.px(effect.point[0]!);
    const y = this.py(effect.point[1]!);
    const length = Math.max(this.effects.arrowLength(effect.lambdaN, this.longestArrow()), 26);
    const [nx, ny] = effect.normal as [number, number];
    const [tx, ty] = effect.tangent as [number, number];
    const tip = (side: number): [number, number] => [x + (nx + side * mu * tx) * length, y - (ny + side * mu * ty) * length];
    const [ax, ay] = tip(-1);
    const [bx, by] = tip(1);
    ctx.globalAlpha = effect.lambdaN > 0 ? 1 : 0.5;
    ctx.fillStyle = isDark() ? 'rgba(86,180,233,0.25)' : 'rgba(0,114,178,0.18)';
    ctx.strokeStyle = isDark() ? '#56B4E9' : '#0072B2';
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(ax, ay);
    ctx.lineTo(bx, by);
    ctx.closePath();
    ctx.fill();
    ctx.stroke();
    ctx.lineWidth = 4;
    ctx.beginPath();
    ctx.moveTo(ax, ay);
    ctx.lineTo(bx, by);
    ctx.stroke();
    ctx.globalAlpha = 1;
  }
}

/** A round distance, so that about `parts` of them fill a length. */
function tickStep(length: number, parts: number): number {
  const ticks = linearTicks(0, length, parts);
  return ticks.length > 1 ? ticks[1]! - ticks[0]! : length;
}

function fillSoftly(ctx: CanvasRenderingContext2D, color: string, given: boolean): void {
  ctx.save();
  ctx.globalAlpha = given ? 0.9 : 0.22;
  ctx.fillStyle = color;
  ctx.fill();
  ctx.restore();
}

function drawArrow(ctx: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number, width: number, color: string): void {
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const head = Math.min(4 * width, Math.hypot(x2 - x1, y2 - y1) * 0.5);
  ctx.strokeStyle = ctx.fillStyle = color;
  ctx.lineWidth = width;
  ctx.beginPath();
  ctx.moveTo(x1, y1);
  ctx.lineTo(x2 - Math.cos(angle) * head * 0.8, y2 - Math.sin(angle) * head * 0.8);
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(x2, y2);
  ctx.lineTo(x2 - head * Math.cos(angle - 0.42), y2 - head * Math.sin(angle - 0.42));
  ctx.lineTo(x2 - head * Math.cos(angle + 0.42), y2 - head * Math.sin(angle + 0.42));
  ctx.closePath();
  ctx.fill();
}
