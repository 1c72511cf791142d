/**
 * Builds the page into the template that is part of the sources of the command.
 *
 *     node tools/template.mjs write     builds and writes the template
 *     node tools/template.mjs verify    builds aside and compares; ends with 1 when the template is not what the sources give
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const template = path.join(root, '..', 'src', 'report', 'template', 'report.html');
const mark = '__PICUS_DATA__';

async function built() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'picus-viewer-'));
  try {
    await build({ root, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });
    return await readFile(path.join(folder, 'report.html'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const task = process.argv[2];
if (task !== 'write' && task !== 'verify') {
  console.error('usage: node tools/template.mjs write|verify');
  process.exit(2);
}
const page = await built();
if (page.toString().split(mark).length !== 2) {
  console.error(`The page must hold ${mark} exactly once.`);
  process.exit(1);
}
const shown = 'src/report/template/report.html';
if (task === 'write') {
  await mkdir(path.dirname(template), { recursive: true });
  await writeFile(template, page);
  console.log(`${shown}: ${(page.length / 1e6).toFixed(2)} MB`);
} else {
  const committed = await readFile(template).catch(() => null);
  if (committed === null || !committed.equals(page)) {
    console.error(`${shown} ${committed === null ? 'is missing' : 'is not what viewer/ builds'}: run make viewer`);
    process.exit(1);
  }
  console.log(`${shown} is what viewer/ builds.`);
}
