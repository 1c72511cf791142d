import { defineConfig } from 'vitest/config';
import type { Plugin } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

/** KaTeX families that formulas of motion need; the others (script, gothic, typewriter …) stay out of the page. */
const keptFonts = ['Main-Regular', 'Main-Bold', 'Math-Italic', 'Math-BoldItalic', 'AMS-Regular', 'Caligraphic-Regular', 'Size1', 'Size2', 'Size3', 'Size4'];

/** Keeps woff2 only, and only the faces above: every browser that runs the page reads woff2. */
function fewKatexFonts(): Plugin {
  return {
    name: 'few-katex-fonts',
    enforce: 'pre',
    transform(code, id) {
      if (!id.includes('katex') || !id.split('?')[0]!.endsWith('.css')) return null;
      return code.replace(/@font-face\s*\{[^}]*\}/g, (face) => {
        if (!keptFonts.some((name) => face.includes(`KaTeX_${name}`))) return '';
        return face.replace(/,\s*url\([^)]*\.(woff|ttf)\)\s*format\([^)]*\)/g, '');
      });
    },
  };
}

export default defineConfig({
  plugins: [fewKatexFonts(), viteSingleFile({ removeViteModuleLoader: true })],
  build: {
    target: 'es2022',
    assetsInlineLimit: 100_000_000,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rollupOptions: { input: 'report.html' },
  },
  // A bare machine may not know the name localhost.
  server: { host: '127.0.0.1' },
  test: { include: ['test/*.test.ts'] },
});
