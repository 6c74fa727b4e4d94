// Gathers the pages: docs/, the project's own documents, a page for each sample, the site's own pages, and the tables of
// figures as data for the charts.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { measuredTables } from './figures.mjs';
import { pageOf, pagesFolder, projectDocuments, projectFolder, withLinks } from './places.mjs';
import { samplePages } from './samples.mjs';

const read = (path) => readFileSync(join(projectFolder, path), 'utf8');

function writePage(page, text) {
  const file = join(pagesFolder, page);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** @returns how many documents and samples there are */
export function assemblePages() {
  rmSync(pagesFolder, { recursive: true, force: true });
  const samples = samplePages(read('samples/README.md'));
  const names = new Set(samples.keys());
  const exists = (path) => existsSync(join(projectFolder, path));
  const documents = readdirSync(join(projectFolder, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  for (const path of [...documents, ...projectDocuments]) {
    writePage(pageOf(path, names), withLinks(read(path), path, names, exists));
  }
  for (const [name, text] of samples) writePage(`samples/${name}.md`, text);
  cpSync(new URL('../content/', import.meta.url), pagesFolder, { recursive: true });
  // For the links of documents, and, by fixed addresses, for the first page.
  for (const folder of ['images', 'public/images']) {
    cpSync(join(projectFolder, 'docs/images'), join(pagesFolder, folder), { recursive: true });
  }
  cpSync(join(projectFolder, 'playground/isolate.js'), join(pagesFolder, 'public/isolate.js'));
  writePage('benchmark-tables.json', JSON.stringify(measuredTables(read('docs/benchmarks.md'))));
  return { documents: documents.length + projectDocuments.length, samples: samples.size };
}
