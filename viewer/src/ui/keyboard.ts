import type { Clock } from '../clock';
import type { Help } from './help';
import type { Transport } from './transport';

function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox';
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}

/** Space on a button presses the button; on a heading of a list it opens the list. */
function pressable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('button, summary, a, input') !== null;
}

export function listenToKeys(clock: Clock, transport: Transport, help: Help, resetAll: () => void): void {
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || help.dialog.open) return;
    const scrubber = e.target instanceof HTMLElement && e.target.classList.contains('scrubber');
    if (typing(e.target) && !scrubber) return;
    const action = actionOf(e);
    if (!action || (e.key === ' ' && pressable(e.target) && !scrubber)) return;
    e.preventDefault();
    action();
  });

  function actionOf(e: KeyboardEvent): (() => void) | null {
    switch (e.key) {
      case ' ': return () => clock.toggle();
      case 'ArrowLeft': return () => (e.shiftKey ? transport.stepEvent(-1) : transport.stepRow(-1));
      case 'ArrowRight': return () => (e.shiftKey ? transport.stepEvent(1) : transport.stepRow(1));
      case 'Home': return () => clock.seek(clock.full.from);
      case 'End': return () => clock.seek(clock.full.to);
      case '+': case '=': return () => clock.stepSpeed(1);
      case '-': case '−': return () => clock.stepSpeed(-1);
      case 'l': case 'L': return () => clock.nextLoop();
      case '[': return () => clock.setRangeEnd('from', clock.time);
      case ']': return () => clock.setRangeEnd('to', clock.time);
      case 'r': case 'R': return resetAll;
      case '?': return () => help.open();
      default: return null;
    }
  }
}
