import type { Instant } from '../data/lookup';
import type { DecodedShape, RunData } from '../data/run';

export interface Pose {
  x: number;
  y: number;
  phi: number;
}

/** Places of bodies and shapes of a planar scene at any time, straight between recorded rows. */
export class PlanarMotion {
  private readonly poses: Pose[];
  private readonly columns: (ArrayLike<number>[] | null)[];
  private scratch = new Float64Array(0);

  constructor(private readonly run: RunData) {
    const frames = run.scene!.frames;
    this.poses = frames.map((f) => ({ x: f.fixed?.[0] ?? 0, y: f.fixed?.[1] ?? 0, phi: f.fixed?.[2] ?? 0 }));
    this.columns = frames.map((f) => f.columns?.map((name) => run.columnByName.get(name)?.values ?? new Float32Array(run.t.length)) ?? null);
  }

  pose(frame: number, { row, part }: Instant): Pose {
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
  numbers(shape: DecodedShape, { row, part }: Instant): ArrayLike<number> {
    const { motion, count } = shape;
    if (!motion) return shape.numbers ?? [];
    if (this.scratch.length < count) this.scratch = new Float64Array(count);
    const here = row * count;
    const next = Math.min(row + 1, this.run.t.length - 1) * count;
    for (let i = 0; i < count; i++) this.scratch[i] = motion[here + i]! + (motion[next + i]! - motion[here + i]!) * part;
    return this.scratch.subarray(0, count);
  }

  /** Box around all that moves: xmin, xmax, ymin, ymax; null when nothing does. */
  movingBox(instant: Instant): [number, number, number, number] | null {
    let box: [number, number, number, number] | null = null;
    const include = (x: number, y: number, r: number): void => {
      if (Number.isNaN(x + y)) return;
      box = box
        ? [Math.min(box[0], x - r), Math.max(box[1], x + r), Math.min(box[2], y - r), Math.max(box[3], y + r)]
        : [x - r, x + r, y - r, y + r];
    };
    for (const shape of this.run.scene!.shapes) {
      if (!this.moves(shape) || shape.kind === 'half_plane') continue;
      const n = this.numbers(shape, instant);
      const pose = shape.motion || shape.frame < 0 ? { x: 0, y: 0, phi: 0 } : this.pose(shape.frame, instant);
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

/** The way of the middle of the moving bodies, smoothed so that the picture does not shake with them. */
export class FollowPath {
  private readonly xs: number[] = [];
  private readonly ys: number[] = [];
  /** Largest width and height of the moving bodies. */
  readonly width: number = 0;
  readonly height: number = 0;

  constructor(motion: PlanarMotion, run: RunData, samples = 240) {
    const rawX: number[] = [];
    const rawY: number[] = [];
    for (let i = 0; i <= samples; i++) {
      const row = Math.round((i / samples) * (run.t.length - 1));
      const box = motion.movingBox({ row, part: 0 });
      if (!box) continue;
      rawX.push((box[0] + box[1]) / 2);
      rawY.push((box[2] + box[3]) / 2);
      this.width = Math.max(this.width, box[1] - box[0]);
      this.height = Math.max(this.height, box[3] - box[2]);
    }
    const window = Math.round(samples / 20);
    for (let i = 0; i < rawX.length; i++) {
      const from = Math.max(0, i - window);
      const to = Math.min(rawX.length - 1, i + window);
      let x = 0;
      let y = 0;
      for (let k = from; k <= to; k++) {
        x += rawX[k]!;
        y += rawY[k]!;
      }
      this.xs.push(x / (to - from + 1));
      this.ys.push(y / (to - from + 1));
    }
  }

  /** Middle at a part (0 to 1) of the rows. */
  at(part: number): [number, number] {
    if (this.xs.length === 0) return [0, 0];
    const place = Math.min(Math.max(part, 0), 1) * (this.xs.length - 1);
    const i = Math.min(Math.floor(place), this.xs.length - 2 < 0 ? 0 : this.xs.length - 2);
    const f = place - i;
    const next = Math.min(i + 1, this.xs.length - 1);
    return [this.xs[i]! + (this.xs[next]! - this.xs[i]!) * f, this.ys[i]! + (this.ys[next]! - this.ys[i]!) * f];
  }
}
