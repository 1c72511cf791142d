/** Light and dark. Colours of lines are those of Okabe and Ito, which colour-blind people tell apart. */

export type ThemeChoice = 'auto' | 'light' | 'dark';

const lightLines = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#B07A00', '#2F95D0', '#333333', '#7F6AB5'];
const darkLines = ['#56B4E9', '#E69F00', '#2FBF96', '#CC79A7', '#F0E442', '#E8743B', '#D0D0D0', '#9F8FD8'];
const dashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [9, 3, 2, 3], [12, 5], [4, 2]];

/** open, stick, slip */
const lightStates = ['#DDE1E6', '#0072B2', '#E69F00'];
const darkStates = ['#343B44', '#56B4E9', '#E69F00'];

const systemDark = window.matchMedia('(prefers-color-scheme: dark)');
let choice: ThemeChoice = 'auto';
const listeners = new Set<() => void>();

function apply(): void {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
  for (const listener of listeners) listener();
}

export function isDark(): boolean {
  return choice === 'auto' ? systemDark.matches : choice === 'dark';
}

export function themeChoice(): ThemeChoice {
  return choice;
}

export function setTheme(next: ThemeChoice): void {
  choice = next;
  apply();
}

export function onThemeChange(listener: () => void): void {
  listeners.add(listener);
}

export function startTheme(): void {
  systemDark.addEventListener('change', apply);
  apply();
}

export function lineColor(index: number): string {
  const colors = isDark() ? darkLines : lightLines;
  return colors[index % colors.length]!;
}

export function lineDash(index: number): readonly number[] {
  return dashes[index % dashes.length]!;
}

export function stateColor(state: number): string {
  return (isDark() ? darkStates : lightStates)[state] ?? '#888888';
}

function luminance(hex: string): number {
  const part = (at: number): number => {
    const v = parseInt(hex.slice(at, at + 2), 16) / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

/** A colour that a model gave for a line: models are drawn on white, so dark ones are made lighter on a dark page. */
export function seenColor(color: string): string {
  if (!isDark() || !/^#[0-9a-f]{6}$/i.test(color) || luminance(color) > 0.09) return color;
  const lighter = [1, 3, 5].map((at) => Math.round(parseInt(color.slice(at, at + 2), 16) * 0.5 + 127.5).toString(16).padStart(2, '0'));
  return `#${lighter.join('')}`;
}

export interface PaperColors {
  background: string;
  /** Behind animations, and what half planes are filled with. */
  scene: string;
  ground: string;
  text: string;
  faint: string;
  grid: string;
}

export function paperColors(): PaperColors {
  return isDark()
    ? { background: '#171b21', scene: '#12161b', ground: '#232a32', text: '#e6e9ee', faint: '#a7b0bc', grid: '#2c333c' }
    : { background: '#ffffff', scene: '#fbfcfd', ground: '#e9edf1', text: '#1c2127', faint: '#59636e', grid: '#e7eaee' };
}

export const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)');
