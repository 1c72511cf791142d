import { el } from '../ui/dom';

export interface GestureTargets {
  pan: (dx: number, dy: number) => void;
  zoom: (factor: number, x: number, y: number) => void;
  reset: () => void;
}

/** A wheel over a picture scrolls the page, unless the picture was clicked or Ctrl is held; this tells people so. */
export function wheelGuard(surface: HTMLElement, holder: HTMLElement): (e: WheelEvent) => boolean {
  const hint = el('div', { class: 'wheel-hint', 'aria-hidden': 'true' }, ['Click the picture, or hold Ctrl, to zoom with the wheel']);
  holder.append(hint);
  let timer = 0;
  return (e) => {
    if (e.ctrlKey || e.metaKey || document.activeElement === surface) return true;
    hint.classList.add('seen');
    window.clearTimeout(timer);
    timer = window.setTimeout(() => hint.classList.remove('seen'), 1200);
    return false;
  };
}

/** Pan and zoom of a flat picture by mouse, wheel and touch. */
export function listenToGestures(surface: HTMLElement, holder: HTMLElement, targets: GestureTargets): void {
  const pointers = new Map<number, { x: number; y: number }>();
  const mayZoom = wheelGuard(surface, holder);
  surface.addEventListener('pointerdown', (e) => {
    surface.setPointerCapture(e.pointerId);
    pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
  });
  surface.addEventListener('pointermove', (e) => {
    const before = pointers.get(e.pointerId);
    if (!before) return;
    const now = { x: e.clientX, y: e.clientY };
    if (pointers.size === 2) {
      const other = [...pointers].find(([id]) => id !== e.pointerId)![1];
      const apart = Math.hypot(before.x - other.x, before.y - other.y);
      const nowApart = Math.hypot(now.x - other.x, now.y - other.y);
      const box = surface.getBoundingClientRect();
      if (apart > 5) targets.zoom(nowApart / apart, (now.x + other.x) / 2 - box.left, (now.y + other.y) / 2 - box.top);
      targets.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    } else {
      targets.pan(now.x - before.x, now.y - before.y);
    }
    pointers.set(e.pointerId, now);
  });
  const end = (e: PointerEvent): void => void pointers.delete(e.pointerId);
  surface.addEventListener('pointerup', end);
  surface.addEventListener('pointercancel', end);
  surface.addEventListener('dblclick', targets.reset);
  surface.addEventListener('wheel', (e) => {
    if (!mayZoom(e)) return;
    e.preventDefault();
    const box = surface.getBoundingClientRect();
    targets.zoom(Math.exp(-e.deltaY * 0.0016), e.clientX - box.left, e.clientY - box.top);
  }, { passive: false });
}
