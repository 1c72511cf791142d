import { instantAt, type Instant } from '../data/lookup';
import type { DecodedShape, RunData } from '../data/run';

export interface Pose {
  x: number;
  y: number;
  phi: number;
}

/** Places of bodies and shapes of a planar scene at a time, straight between recorded rows. */
export class PlanarMotion {
  /** The time among the rows of the run, and among those of motions, which may be fewer. */
  private inRun: Instant = { row: 0, part: 0 };
  private inMotions: Instant = { row: 0, part: 0 };
  private readonly poses: Pose[];
  private readonly columns: (ArrayLike<number>[] | null)[];
  private scratch = new Float64Array(0);

  constructor(private readonly run: RunData) {
    const frames = run.scene!.frames;
    this.poses = frames.map((f) => ({ x: f.fixed?.[0] ?? 0, y: f.fixed?.[1] ?? 0, phi: f.fixed?.[2] ?? 0 }));
    this.columns = frames.map((f) => f.columns?.map((name) => run.columnByName.get(name)?.values ?? new Float32Array(run.t.length)) ?? null);
  }

  /** Sets the time that all else is asked for. */
  moveTo(time: number): void {
    const { t, scene } = this.run;
    this.inRun = instantAt(t, time);
    this.inMotions = scene!.t === t ? this.inRun : instantAt(scene!.t, time);
  }

  pose(frame: number): Pose {
    const { row, part } = this.inRun;
    const pose = this.poses[frame]!;
    const columns = this.columns[frame];
    if (!columns) return pose;
    const next = Math.min(row + 1, this.run.t.length - 1);
    const value = (i: number): number => {
      const column = columns[i];
      return column ? column[row]! + (column[next]! - column[row]!) * part : 0;
    };
    pose.x = value(0);
    pose.y = value(1);
    pose.phi = value(2);
    return pose;
  }

  moves(shape: DecodedShape): boolean {
    return shape.motion !== null || (shape.frame >= 0 && this.columns[shape.frame] !== null);
  }

  /** The numbers of a shape, in its frame or, for a motion, in the world. The array is used again by the next call. */
  numbers(shape: DecodedShape): ArrayLike<number> {
    const { row, part } = this.inMotions;
    const { motion, count } = shape;
    if (!motion) return shape.numbers ?? [];
    if (this.scratch.length < count) this.scratch = new Float64Array(count);
    const here = row * count;
    const next = Math.min(row + 1, this.run.scene!.t.length - 1) * count;
    for (let i = 0; i < count; i++) this.scratch[i] = motion[here + i]! + (motion[next + i]! - motion[here + i]!) * part;
    return this.scratch.subarray(0, count);
  }

  /** Box around all that moves: xmin, xmax, ymin, ymax; null when nothing does. */
  movingBox(): [number, number, number, number] | null {
    let box: [number, number, number, number] | null = null;
    const include = (x: number, y: number, r: number): void => {
      if (Number.isNaN(x + y)) return;
      box = box
        ? [Math.min(box[0], x - r), Math.max(box[1], x + r), Math.min(box[2], y - r), Math.max(box[3], y + r)]
        : [x - r, x + r, y - r, y + r];
    };
    for (const shape of this.run.scene!.shapes) {
      if (!this.moves(shape) || shape.kind === 'half_plane') continue;
      const n = this.numbers(shape);
      const pose = shape.motion || shape.frame < 0 ? { x: 0, y: 0, phi: 0 } : this.pose(shape.frame);
      const c = Math.cos(pose.phi);
      const s = Math.sin(pose.phi);
      const points = shape.kind === 'circle' || shape.kind === 'point' ? 1 : shape.kind === 'spring' ? 2 : Math.floor(n.length / 2);
      const r = shape.kind === 'circle' ? n[2]! : 0;
      for (let i = 0; i < points; i++) {
        const x = n[2 * i]!;
        const y = n[2 * i + 1]!;
        include(pose.x + c * x - s * y, pose.y + s * x + c * y, r);
      }
    }
    return box;
  }
}

/** The way of the middle of the moving bodies, smoothed over time so that the picture does not shake with them. */
export class FollowPath {
  private readonly begin: number;
  private readonly length: number;
  private readonly xs: number[] = [];
  private readonly ys: number[] = [];
  /** Width and height of a picture that follows this way and always shows all moving bodies. */
  readonly width: number = 0;
  readonly height: number = 0;

  constructor(motion: PlanarMotion, run: RunData, samples = 240) {
    this.begin = run.t[0] ?? 0;
    this.length = (run.t[run.t.length - 1] ?? 0) - this.begin;
    const boxes: [number, number, number, number][] = [];
    for (let i = 0; i <= samples; i++) {
      motion.moveTo(this.begin + (i / samples) * this.length);
      const box = motion.movingBox();
      if (!box) continue;
      boxes.push(box);
    }
    const window = Math.round(samples / 20);
    for (const [i, box] of boxes.entries()) {
      const from = Math.max(0, i - window);
      const to = Math.min(boxes.length - 1, i + window);
      let x = 0;
      let y = 0;
      for (let k = from; k <= to; k++) {
        x += (boxes[k]![0] + boxes[k]![1]) / 2;
        y += (boxes[k]![2] + boxes[k]![3]) / 2;
      }
      x /= to - from + 1;
      y /= to - from + 1;
      this.xs.push(x);
      this.ys.push(y);
      this.width = Math.max(this.width, 2 * (x - box[0]), 2 * (box[1] - x));
      this.height = Math.max(this.height, 2 * (y - box[2]), 2 * (box[3] - y));
    }
  }

  /** Middle at a time. */
  at(time: number): [number, number] {
    if (this.xs.length === 0) return [0, 0];
    const part = this.length > 0 ? (time - this.begin) / this.length : 0;
    const place = Math.min(Math.max(part, 0), 1) * (this.xs.length - 1);
    const i = Math.min(Math.floor(place), this.xs.length - 2 < 0 ? 0 : this.xs.length - 2);
    const f = place - i;
    const next = Math.min(i + 1, this.xs.length - 1);
    return [this.xs[i]! + (this.xs[next]! - this.xs[i]!) * f, this.ys[i]! + (this.ys[next]! - this.ys[i]!) * f];
  }
}
