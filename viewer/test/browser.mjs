/** Opens the pages of mock/ from disk and checks what a person would: node test/browser.mjs [part of a test's name] */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { addressOf, launch, root } from './launch.mjs';

const browser = await launch();
const tests = [];
const test = (name, run) => tests.push({ name, run });
const wide = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

async function open(name, options = {}) {
  const context = await browser.newContext({ viewport: wide, reducedMotion: 'reduce', acceptDownloads: true, ...options });
  const page = await context.newPage();
  const errors = [];
  page.on('console', (m) => m.type() === 'error' && errors.push(m.text()));
  page.on('pageerror', (e) => errors.push(e.message));
  page.on('request', (r) => !/^(file|data|blob):/.test(r.url()) && errors.push(`asks for ${r.url()}`));
  await page.goto(addressOf(name));
  await page.waitForFunction(() => window.__picus !== undefined);
  await page.waitForTimeout(150);
  return {
    page,
    state: () => page.evaluate(() => window.__picus.state()),
    seek: (t) => page.evaluate((time) => window.__picus.seek(time), t),
    settle: () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))),
    close: async () => {
      assert.deepEqual(errors, []);
      await context.close();
    },
  };
}

/** The picture of the animation as bytes, for comparing. */
async function picture(page) {
  await page.evaluate(() => window.scrollTo(0, 0));
  const box = await page.locator('.surface').first().boundingBox();
  return page.screenshot({ clip: { x: Math.ceil(box.x) + 2, y: Math.ceil(box.y) + 2, width: Math.floor(box.width) - 6, height: Math.floor(box.height) - 6 } });
}
const cursorX = (page, plot) => page.locator(`[data-plot="${plot}"] .time-cursor`).evaluate((e) => e.getBoundingClientRect().left);

async function save(page, plot, format) {
  const waiting = page.waitForEvent('download');
  await page.locator(`[data-plot="${plot}"] [data-export="${format}"]`).click();
  const download = await waiting;
  return readFile(await download.path());
}

const pages = ['woodpecker', 'billiards', 'sphere-in-groove', 'sliding-sphere', 'marbles', 'hopper', 'slider-crank', 'painleve-rod', 'four-bar', 'bouncing-ball', 'compare', 'two', 'two-space', 'many', 'one-row'];

for (const name of pages) {
  test(`${name} opens from disk, and every plot is drawn`, async () => {
    const { page, state, close } = await open(name);
    const plots = page.locator('.plot-card');
    assert.ok((await plots.count()) >= 2);
    for (const plot of await plots.all()) await plot.scrollIntoViewIfNeeded();
    await page.waitForTimeout(200);
    assert.ok((await state()).redraws >= (await plots.count()), 'all plots drawn');
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), false, 'no scrolling sideways');
    await close();
  });
}

test('the template without data says so', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(pathToFileURL(path.join(root, 'dist', 'report.html')).href);
  assert.match(await page.locator('.no-data').innerText(), /empty report page/);
  await context.close();
});

for (const name of ['woodpecker', 'sphere-in-groove', 'slider-crank']) {
  test(`${name} moves when played`, async () => {
    const { page, state, close } = await open(name);
    const before = await picture(page);
    await page.locator('[data-action="play"]').click();
    await page.waitForTimeout(700);
    await page.locator('[data-action="play"]').click();
    const { time, playing } = await state();
    assert.ok(time > 0 && !playing);
    assert.notDeepEqual(await picture(page), before);
    await close();
  });
}

test('motion starts by itself, but not for people who asked for less', async () => {
  const lively = await open('woodpecker', { reducedMotion: 'no-preference' });
  assert.equal((await lively.state()).playing, true);
  await lively.close();
  const calm = await open('woodpecker');
  assert.equal((await calm.state()).playing, false);
  assert.equal((await calm.state()).time, 0);
  await calm.close();
});

test('scrubbing moves the cursor of the plots without drawing them again', async () => {
  const { page, state, settle, close } = await open('woodpecker');
  await page.locator('[data-plot="coordinate-m"]').scrollIntoViewIfNeeded();
  await page.waitForTimeout(200);
  const x = await cursorX(page, 'coordinate-m');
  const drawn = (await state()).redraws;
  await page.locator('.scrubber').evaluate((e) => { e.value = '5000'; e.dispatchEvent(new Event('input', { bubbles: true })); });
  await settle();
  assert.ok(Math.abs((await state()).time - 1) < 1e-9);
  const width = await page.locator('[data-plot="coordinate-m"] .u-over').evaluate((e) => e.clientWidth);
  assert.ok(Math.abs((await cursorX(page, 'coordinate-m')) - x - width / 2) < 2, 'cursor in the middle');
  assert.equal((await state()).redraws, drawn);
  await close();
});

test('clicking and dragging in a plot moves the time', async () => {
  const { page, state, close } = await open('woodpecker');
  const over = page.locator('[data-plot="coordinate-m"] .u-over');
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await page.mouse.move(box.x + box.width * 0.25, box.y + 50);
  await page.mouse.down();
  assert.ok(Math.abs((await state()).time - 0.5) < 0.02);
  await page.mouse.move(box.x + box.width * 0.75, box.y + 50, { steps: 4 });
  await page.mouse.up();
  assert.ok(Math.abs((await state()).time - 1.5) < 0.02);
  await close();
});

test('a click in a phase portrait goes to the nearest point', async () => {
  const { page, state, close } = await open('woodpecker');
  const over = page.locator('[data-plot="portrait"] .u-over');
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await page.mouse.click(box.x + box.width * 0.3, box.y + box.height * 0.1);
  assert.ok((await state()).time > 0);
  assert.equal(await page.locator('[data-plot="portrait"] .time-dot').count(), 1);
  await page.locator('[data-plot="portrait"] select').first().selectOption('t');
  await page.locator('[data-plot="portrait"] select').nth(1).selectOption('gap contact 1');
  await page.waitForTimeout(100);
  assert.match((await save(page, 'portrait', 'csv')).toString().split('\n')[0], /^t \(s\),t \(s\),g_N contact 1 \(m\)$/);
  await close();
});

test('zoom by dragging, buttons and wheel; pan; reset', async () => {
  const { page, state, close } = await open('woodpecker');
  const over = page.locator('[data-plot="coordinate-m"] .u-over');
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await page.locator('[data-tool="zoom"]').evaluate((e) => e.click());
  await page.mouse.move(box.x + box.width * 0.25, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 60, { steps: 3 });
  await page.mouse.up();
  let { visible } = await state();
  assert.ok(Math.abs(visible.from - 0.5) < 0.02 && Math.abs(visible.to - 1) < 0.02, JSON.stringify(visible));
  await page.locator('[data-action="later"]').evaluate((e) => e.click());
  ({ visible } = await state());
  assert.ok(Math.abs(visible.from - 0.75) < 0.02);
  await page.mouse.move(box.x + box.width * 0.5, box.y + 40);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -300);
  await page.keyboard.up('Control');
  await page.waitForTimeout(100);
  assert.ok((await state()).visible.to - (await state()).visible.from < 0.45);
  await page.locator('[data-plot="coordinate-m"] [data-action="reset"]').evaluate((e) => e.click());
  ({ visible } = await state());
  assert.deepEqual(visible, { from: 0, to: 2 });
  await close();
});

test('lines hide and show, and exports hold what is seen', async () => {
  const { page, close } = await open('woodpecker');
  const card = page.locator('[data-plot="coordinate-rad"]');
  await card.scrollIntoViewIfNeeded();
  let csv = (await save(page, 'coordinate-rad', 'csv')).toString().trim().split('\n');
  assert.equal(csv[0], 't (s),φ_M (rad),φ_S (rad)');
  assert.equal(csv.length, 20002);
  const states = (await readFile(`${process.env.PICUS_RUNS ?? 'runs'}/woodpecker/states.csv`, 'utf8')).split('\n');
  const given = states[1 + 9000].split(',').map(Number);
  const row = csv[1 + 9000].split(',').map(Number);
  assert.equal(row[0], given[0]);
  assert.equal(Math.fround(row[1]), Math.fround(given[2]), 'full precision of what the page holds');
  let svg = (await save(page, 'coordinate-rad', 'svg')).toString();
  assert.equal(svg.match(/<path class="line" d="M/g).length, 2);
  assert.ok(svg.includes('class="legend"') && !svg.includes('<image'));
  await card.locator('.chip').first().click();
  assert.equal(await card.locator('.chip').first().getAttribute('aria-pressed'), 'false');
  csv = (await save(page, 'coordinate-rad', 'csv')).toString().trim().split('\n');
  assert.equal(csv[0], 't (s),φ_S (rad)');
  svg = (await save(page, 'coordinate-rad', 'svg')).toString();
  assert.equal(svg.match(/<path class="line" d="M/g).length, 1);
  await card.locator('.chip').first().click();
  const png = await save(page, 'coordinate-rad', 'png');
  assert.deepEqual([...png.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10]);
  assert.ok(png.length > 5000);
  // Only the visible range is written.
  await page.locator('[data-action="zoom-in"]').evaluate((e) => e.click());
  csv = (await save(page, 'coordinate-rad', 'csv')).toString().trim().split('\n');
  assert.ok(csv.length > 9000 && csv.length < 11000, String(csv.length));
  await close();
});

test('bands, log axis and figures are exported, too', async () => {
  const { page, close } = await open('woodpecker');
  assert.match((await save(page, 'bands', 'csv')).toString(), /contact 2,(stick|slip),/);
  assert.ok((await save(page, 'bands', 'svg')).toString().match(/class="band"/g).length > 20);
  assert.match((await save(page, 'certificate', 'svg')).toString(), />10⁻/);
  const figure = (await save(page, 'figure-1', 'svg')).toString();
  assert.ok(figure.includes('Fig. 4') && figure.includes('>−0.6<') && figure.includes('>0.2<'), 'axes of the paper');
  await close();
});

test('keyboard', async () => {
  const { page, state, close } = await open('woodpecker');
  await page.keyboard.press('ArrowRight');
  assert.ok(Math.abs((await state()).time - 1e-4) < 1e-9, 'one row');
  await page.keyboard.press('ArrowLeft');
  assert.equal((await state()).time, 0);
  await page.keyboard.press('Shift+ArrowRight');
  const first = (await state()).time;
  await page.keyboard.press('Shift+ArrowRight');
  assert.ok(first > 0 && (await state()).time > first, 'events');
  await page.keyboard.press('End');
  assert.equal((await state()).time, 2);
  await page.keyboard.press('Home');
  assert.equal((await state()).time, 0);
  const { speed } = await state();
  await page.keyboard.press('+');
  assert.ok((await state()).speed > speed);
  await page.keyboard.press('-');
  assert.equal((await state()).speed, speed);
  await page.keyboard.press('l');
  await page.keyboard.press('l');
  assert.equal((await state()).loop, 'period');
  await page.keyboard.press('Space');
  assert.equal((await state()).playing, true);
  await page.waitForTimeout(300);
  assert.ok((await state()).time > 1, 'within the period');
  await page.keyboard.press('Space');
  assert.equal((await state()).playing, false);
  await page.keyboard.press('?');
  assert.equal(await page.locator('dialog.help').evaluate((d) => d.open), true);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('dialog.help').evaluate((d) => d.open), false);
  await close();
});

test('every control has a name', async () => {
  for (const name of ['woodpecker', 'compare', 'marbles']) {
    const { page, close } = await open(name);
    const nameless = await page.evaluate(() => [...document.querySelectorAll('button, select, input, canvas[tabindex]')]
      .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label')?.textContent.trim()))
      .map((e) => e.outerHTML.slice(0, 120)));
    assert.deepEqual(nameless, []);
    await close();
  }
});

test('on a phone: animation, controls, summary, plots, and no scrolling sideways', async () => {
  for (const name of ['woodpecker', 'marbles', 'compare', 'two-space', 'painleve-rod']) {
    const { page, close } = await open(name, { viewport: phone, deviceScaleFactor: 2, hasTouch: true, isMobile: true });
    const tops = await page.evaluate(() => ['.stage', '.transport', '.summary', '.plots'].map((s) => document.querySelector(s).getBoundingClientRect().top));
    assert.deepEqual(tops, [...tops].sort((a, b) => a - b));
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390), `${name} scrolls sideways`);
    for (const details of await page.locator('summary').all()) await details.evaluate((e) => { e.parentElement.open = true; });
    await page.waitForTimeout(200);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390), `${name} scrolls sideways with everything open`);
    await close();
  }
});

test('summary: equations, parameters, command, thinning', async () => {
  const wood = await open('woodpecker');
  await wood.page.getByText('Equations (3)').click();
  await wood.page.waitForTimeout(100);
  assert.equal(await wood.page.locator('.katex-display').count(), 3);
  assert.equal(await wood.page.locator('.katex-error').count(), 0);
  await wood.page.getByText('Parameters (28)').click();
  assert.match(await wood.page.locator('.parameters tbody tr').first().innerText(), /N1/);
  assert.match(await wood.page.locator('.command code').innerText(), /^picus run woodpecker/);
  await wood.page.locator('[data-action="copy"]').click();
  await wood.page.getByText('Copied').waitFor();
  await wood.close();
  const balls = await open('billiards');
  assert.match(await balls.page.locator('.worry').innerText(), /Nothing\./);
  assert.match(await balls.page.locator('.thinned').innerText(), /15.001 of 30.001 rows.*result\.h5 holds all rows/);
  await balls.close();
});

test('friction set, views and themes', async () => {
  for (const [name, time] of [['woodpecker', 0.9], ['sphere-in-groove', 1.6]]) {
    const { page, seek, settle, close } = await open(name);
    await seek(time);
    await settle();
    const plain = await picture(page);
    await page.locator('[data-action="friction"]').selectOption({ index: name === 'woodpecker' ? 2 : 1 });
    await settle();
    assert.ok(await page.locator('.inset').isVisible());
    assert.match(await page.locator('.inset').innerText(), /μΛ_N/);
    assert.notDeepEqual(await picture(page), plain);
    await page.locator('[data-action="friction"]').selectOption('-1');
    await page.locator('[data-action="view-in"]').click();
    await settle();
    assert.notDeepEqual(await picture(page), plain);
    await page.locator('[data-action="view-reset"]').click();
    await page.waitForTimeout(100);
    assert.deepEqual(await picture(page), plain, 'reset shows what was seen before');
    await page.locator('[data-action="theme"]').selectOption('dark');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await close();
  }
});

test('dragging turns a scene in space and moves one in the plane', async () => {
  for (const name of ['woodpecker', 'sphere-in-groove']) {
    const { page, settle, close } = await open(name);
    const before = await picture(page);
    const box = await page.locator('.surface').first().boundingBox();
    await page.mouse.move(box.x + 200, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 260, box.y + 130, { steps: 4 });
    await page.mouse.up();
    await settle();
    assert.notDeepEqual(await picture(page), before);
    await close();
  }
});

test('several runs: side by side, one line for each, a table', async () => {
  const { page, close } = await open('compare');
  assert.equal(await page.locator('.picture').count(), 3);
  assert.equal(await page.locator('.comparison thead th').count(), 3);
  const names = await page.locator('[data-plot="coordinate-rad"] .chip[aria-pressed="true"]').allInnerTexts();
  for (const label of ['eN = 0.1', 'eN = 0.4', 'eN = 0.7']) assert.ok(names.some((n) => n.includes(label)));
  const csv = (await save(page, 'coordinate-rad', 'csv')).toString().split('\n')[0];
  assert.equal(csv.split(',').length, 1 + names.length);
  await close();
  const two = await open('two-space');
  assert.equal(await two.page.locator('.picture canvas.surface').count(), 2);
  await two.close();
});

for (const [name, options] of [['woodpecker', {}], ['many', {}], ['compare', {}], ['woodpecker', { viewport: phone, deviceScaleFactor: 2 }]]) {
  test(`script time of a frame: ${name}${options.viewport ? ' on a phone' : ''}`, async () => {
    const { page, close } = await open(name, options);
    await page.locator('[data-action="play"]').click();
    await page.waitForTimeout(800);
    await page.evaluate(() => { window.__picus.frames.length = 0; });
    await page.waitForTimeout(3000);
    const frames = await page.evaluate(() => [...window.__picus.frames].sort((a, b) => a - b));
    const at = (part) => frames[Math.floor((frames.length - 1) * part)];
    console.log(`    ${frames.length} frames: median ${at(0.5).toFixed(2)} ms, 95 % ${at(0.95).toFixed(2)} ms, worst ${at(1).toFixed(2)} ms`);
    assert.ok(at(0.95) <= 8, 'at most 8 ms');
    await close();
  });
}

test('zooming in plots is quick', async () => {
  const { page, close } = await open('woodpecker');
  await page.locator('[data-plot="energy"]').scrollIntoViewIfNeeded();
  await page.waitForTimeout(200);
  const ms = await page.evaluate(async () => {
    const button = document.querySelector('[data-action="zoom-in"]');
    let sum = 0;
    for (let i = 0; i < 5; i++) {
      const begin = performance.now();
      button.click();
      sum += performance.now() - begin;
      await new Promise((done) => setTimeout(done, 30));
    }
    return sum / 5;
  });
  console.log(`    ${ms.toFixed(1)} ms for a zoom step of all plots in sight`);
  assert.ok(ms < 40);
  await close();
});

const part = process.argv[2] ?? '';
let failed = 0;
let passed = 0;
for (const { name, run } of tests) {
  if (!name.includes(part)) continue;
  try {
    await run();
    passed++;
    console.log(`ok   ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}\n     ${error.stack.split('\n').slice(0, 12).join('\n     ')}`);
  }
}
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
