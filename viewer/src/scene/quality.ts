/** How much a machine can draw. Without a graphics card the browser computes every pixel itself. */
export interface Quality {
  antialias: boolean;
  shadows: boolean;
  /** Most device pixels for a pixel of the page. */
  pixelRatio: number;
  /** Corners that all moving balls may have together. */
  corners: number;
  anisotropy: number;
}

const good: Quality = { antialias: true, shadows: true, pixelRatio: 2, corners: 200_000, anisotropy: 8 };
const plain: Quality = { antialias: false, shadows: false, pixelRatio: 1, corners: 30_000, anisotropy: 1 };

/** Parts around the equator of a ball, when so many are drawn. */
export function segmentsOf(balls: number, corners: number): number {
  return Math.round(Math.min(48, Math.max(14, Math.sqrt(corners / Math.max(balls, 1) / 0.6))));
}

let context: WebGL2RenderingContext | null | undefined;

function probe(): WebGL2RenderingContext | null {
  context ??= document.createElement('canvas').getContext('webgl2');
  return context;
}

export function webGlWorks(): boolean {
  return probe() !== null;
}

export function quality(): Quality {
  const gl = probe();
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name) ? plain : good;
}

/** Watches the time between frames and tells once when drawing is too slow. */
export class Pace {
  private last = 0;
  private slow = 0;
  private told = false;

  constructor(private readonly onSlow: () => void) {}

  frame(now: number): void {
    const gap = now - this.last;
    this.last = now;
    // Pauses are no frames.
    if (this.told || gap > 1000) return;
    this.slow = gap > 45 ? this.slow + 1 : 0;
    if (this.slow > 20) {
      this.told = true;
      this.onSlow();
    }
  }
}
