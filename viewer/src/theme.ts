/** Light and dark. Colours of lines are those of Okabe and Ito, which colour-blind people tell apart. */

export type ThemeChoice = 'auto' | 'light' | 'dark';

const lightLines = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#B07A00', '#56B4E9', '#333333', '#7F6AB5'];
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

export interface PaperColors {
  background: string;
  text: string;
  faint: string;
  grid: string;
}

export function paperColors(): PaperColors {
  return isDark()
    ? { background: '#171b21', text: '#e6e9ee', faint: '#a7b0bc', grid: '#2c333c' }
    : { background: '#ffffff', text: '#1c2127', faint: '#59636e', grid: '#e7eaee' };
}

export const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)');
