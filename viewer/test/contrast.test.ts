import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';

/** WCAG 2: 4.5 for text, 3 for what must be seen but not read. */
const text = 4.5;
const signs = 3;

function luminance(hex: string): number {
  const channel = (at: number): number => {
    const v = parseInt(hex.slice(at, at + 2), 16) / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const css = readFileSync(new URL('../src/styles.css', import.meta.url), 'utf8');

function variables(selector: string): (name: string) => string {
  const begin = css.indexOf(`${selector} {`);
  const block = css.slice(begin, css.indexOf('}', begin));
  return (name) => new RegExp(`--${name}:\\s*(#[0-9a-f]{6})`).exec(block)![1]!;
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

async function themeOf(dark: boolean): Promise<typeof import('../src/theme')> {
  vi.stubGlobal('window', { matchMedia: () => ({ matches: dark, addEventListener: () => undefined }) });
  return import('../src/theme');
}

for (const [scheme, selector, dark] of [['light', ':root', false], ['dark', ':root[data-theme="dark"]', true]] as const) {
  describe(`contrast, ${scheme}`, () => {
    const color = variables(selector);

    it('of text on cards and page', () => {
      for (const ink of ['text', 'faint', 'accent']) {
        for (const paper of ['background', 'card', 'soft']) {
          expect(contrast(color(ink), color(paper)), `${ink} on ${paper}`).toBeGreaterThanOrEqual(text);
        }
      }
      for (const [ink, paper] of [['accent-text', 'accent'], ['warn', 'warn-soft'], ['bad', 'bad-soft'], ['text', 'warn-soft'], ['text', 'bad-soft'], ['faint', 'warn-soft'], ['faint', 'bad-soft'], ['ok', 'card']] as const) {
        expect(contrast(color(ink), color(paper)), `${ink} on ${paper}`).toBeGreaterThanOrEqual(text);
      }
    });

    it('of text and lines in drawings', async () => {
      const theme = await themeOf(dark);
      const paper = theme.paperColors();
      for (const ink of [paper.text, paper.faint]) {
        for (const behind of [paper.background, paper.scene, paper.ground]) expect(contrast(ink, behind), `${ink} on ${behind}`).toBeGreaterThanOrEqual(text);
      }
      for (let i = 0; i < 8; i++) expect(contrast(theme.lineColor(i), paper.background), `line ${i}`).toBeGreaterThanOrEqual(signs);
      expect(paper.background).toBe(color('card'));
    });
  });
}
