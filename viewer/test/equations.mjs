/**
 * All equations that the command prints are formulas that KaTeX takes, with nothing left over.
 *
 *     node test/equations.mjs PICUS FOLDER      every model of the folder
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import katex from 'katex';

const [picus, folder] = process.argv.slice(2);
if (!picus || !folder) {
  console.error('usage: node test/equations.mjs PICUS FOLDER');
  process.exit(2);
}
let blocks = 0;
let failed = 0;
const complain = (model, text) => {
  failed++;
  console.log(`FAIL ${model}: ${text}`);
};
for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml'))) {
  const latex = execFileSync(picus, ['check', path.join(folder, file), '--latex'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const rest = latex.replace(/\\begin\{align\}\n([\s\S]*?)\\end\{align\}\n/g, (_, body) => {
    blocks++;
    try {
      katex.renderToString(`\\begin{aligned}\n${body}\\end{aligned}`, { displayMode: true, throwOnError: true, strict: 'error', trust: false });
    } catch (error) {
      complain(file, error.message);
    }
    return '';
  });
  const strange = rest.split('\n').filter((line) => line !== '' && !line.startsWith('%'));
  if (strange.length > 0) complain(file, `neither a formula nor a comment: ${strange[0]}`);
}
console.log(`${blocks} formulas, ${failed} failed`);
process.exit(failed > 0 || blocks < 100 ? 1 : 0);
