/**
 * Pictures of pages for people to look at, wide and light, and on a phone in the dark.
 *
 *     node test/shots.mjs FOLDER [OUT] [--only PART]     every page of the folder; pictures go to OUT (shots/)
 *
 * For each page: what is seen first, and the whole page with all plots.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { addressOf, launch, root, until } from './launch.mjs';
import { dataOf, pagesIn, valuesOf } from './pages.mjs';

const args = process.argv.slice(2);
const onlyAt = args.indexOf('--only');
const only = onlyAt >= 0 ? args.splice(onlyAt, 2)[1] ?? '' : '';
const [folder, out = path.join(root, 'shots')] = args;
if (!folder) {
  console.error('usage: node test/shots.mjs FOLDER [OUT] [--only PART]');
  process.exit(2);
}
await mkdir(out, { recursive: true });

/** A time at which something is seen: shortly behind an impact in the middle of the run, else the middle. */
function interestingTime(run) {
  const t = valuesOf(run.t);
  const [from, to] = [t[0], t[t.length - 1]];
  const kinds = valuesOf(run.events.kind);
  const impact = run.eventKinds.indexOf('impact');
  const blows = valuesOf(run.events.t).filter((_, i) => kinds[i] === impact);
  const middle = (from + to) / 2;
  const best = blows.reduce((a, b) => (a === null || Math.abs(b - middle) < Math.abs(a - middle) ? b : a), null);
  return best === null ? middle : Math.min(best + (to - from) * 2e-4, to);
}

const browser = await launch();
let failed = 0;
for (const name of await pagesIn(folder)) {
  if (!name.includes(only)) continue;
  const time = interestingTime((await dataOf(folder, name)).runs[0]);
  for (const [look, viewport, colorScheme, deviceScaleFactor] of [['wide-light', { width: 1280, height: 900 }, 'light', 1], ['phone-dark', { width: 390, height: 844 }, 'dark', 2]]) {
    const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce', deviceScaleFactor, offline: true });
    const page = await context.newPage();
    const complain = (text) => { failed++; console.log(`${name}: ${text}`); };
    page.on('console', (m) => m.type() === 'error' && complain(m.text()));
    page.on('pageerror', (e) => complain(e.message));
    await page.goto(addressOf(folder, name));
    await page.waitForFunction(() => window.__picus !== undefined);
    await page.evaluate((t) => window.__picus.seek(t), time);
    const settle = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))));
    await settle();
    const shot = (part) => page.screenshot({ path: path.join(out, `${name}-${look}${part}.png`) });
    await shot('');
    // Plots draw when they come into sight.
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width: viewport.width, height: Math.min(height, 7000) });
    await settle();
    if (height <= 7000) await until(() => page.evaluate(() => window.__picus.state().undrawn.length === 0), 'all plots are drawn');
    await settle();
    await shot('-full');
    await context.close();
  }
  console.log(name);
}
await browser.close();
process.exitCode = failed > 0 ? 1 : 0;
