import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
export const template = path.join(root, '..', 'src', 'report', 'template', 'report.html');

export function addressOf(folder, name) {
  return pathToFileURL(path.resolve(folder, `${name}.html`)).href;
}

/** Debian's Chromium; pixels are computed without a graphics card, so that pictures are the same everywhere. */
export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

/** Waits until something holds: asks again and again, and fails with a sentence when it takes too long. */
export async function until(holds, what, seconds = 40) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    if (await holds()) return;
    if (Date.now() > end) throw new Error(`waited ${seconds} s in vain: ${what}`);
    await new Promise((done) => setTimeout(done, 15));
  }
}
