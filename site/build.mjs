// `npm run site`: the documents, the samples, the API and the playground as static files in site/dist, for any host of files.
//
//   npm run site                  builds it
//   npm run site -- --serve       builds it, and shows it on localhost
//   npm run site -- --dev         shows it while documents are written; pages are gathered once, at the start
//   node site/build.mjs --playground FOLDER     with a playground that has been built elsewhere, as tests do
//
// VitePress makes the pages, TypeDoc the reference from the docstrings. Both are packages of this folder alone, so that those who
// work on the compiler do not install them. What the pages are made of is gathered in assemble/.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { assemblePages } from './assemble/pages.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const mode = process.argv.includes('--dev') ? 'dev' : process.argv.includes('--serve') ? 'serve' : 'build';

const named = process.argv.indexOf('--playground');
const playground = named < 0 ? `${here}../playground/dist` : process.argv[named + 1];

const step = (text) => console.log(`== ${text}`);
// Builds make much that lives shortly: with the usual young space a fifth of the time goes into collecting it.
const vitepress = (...args) =>
  execFileSync(
    process.execPath,
    ['--max-semi-space-size=64', 'node_modules/vitepress/bin/vitepress.js', ...args],
    {
      cwd: here,
      stdio: 'inherit',
    },
  );

if (!existsSync(`${here}node_modules/vitepress`)) {
  step('the packages of the site');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: here, stdio: 'inherit' });
}
step('documents, samples and figures');
const { documents, samples } = assemblePages();
console.log(`${documents} documents, ${samples} samples`);
step('the reference');
// Its packages may have come only just now.
const { writeReference } = await import('./assemble/reference.mjs');
await writeReference();
if (mode === 'dev') {
  vitepress('dev');
} else {
  step('the pages');
  vitepress('build');
  cpSync(playground, `${here}dist/playground`, { recursive: true });
  console.log('The site is in site/dist.');
  if (mode === 'serve') vitepress('preview');
}
