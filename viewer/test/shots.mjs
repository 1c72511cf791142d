/** Pictures of the pages for people to look at: node test/shots.mjs [page...] */
import path from 'node:path';
import { addressOf, launch, root } from './launch.mjs';

const all = [
  ['woodpecker', 0.9], ['billiards', 2.2], ['slider-crank', 0.06], ['sphere-in-groove', 1.6], ['sliding-sphere', 0.3],
  ['marbles', 0.3], ['hopper', 0.25], ['painleve-rod', 0.4], ['four-bar', 0.5], ['compare', 0.05], ['two', 0.7], ['two-space', 2], ['many', 0.7],
];
const asked = process.argv.slice(2);
const browser = await launch();
for (const [name, time] of all) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  for (const [size, viewport] of [['wide', { width: 1280, height: 900 }], ['phone', { width: 390, height: 844 }]]) {
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce', deviceScaleFactor: size === 'phone' ? 2 : 1 });
      const page = await context.newPage();
      page.on('console', (m) => m.type() === 'error' && console.log(name, m.text()));
      page.on('pageerror', (e) => console.log(name, e.message));
      await page.goto(addressOf(name));
      await page.waitForFunction(() => window.__picus);
      await page.evaluate((t) => window.__picus.seek(t), time);
      await page.waitForTimeout(300);
      const shot = (part, options) => page.screenshot({ path: path.join(root, 'shots', `${name}-${size}-${colorScheme}${part}.png`), ...options });
      await shot('', {});
      if (colorScheme === 'light') {
        // Plots draw when they come into sight.
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        await page.setViewportSize({ width: viewport.width, height: Math.min(height, 7000) });
        await page.waitForTimeout(500);
        await shot('-full', {});
      }
      await context.close();
    }
  }
}
await browser.close();
