// Gathers the pages: docs/, the project's own documents, a page for each sample, the site's own pages, and the tables of
// figures as data for the charts.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { measuredTables } from './figures.mjs';
import { pageOf, pagesFolder, projectDocuments, projectFolder, withLinks } from './places.mjs';
import { samplePages } from './samples.mjs';

const read = (path) => readFileSync(join(projectFolder, path), 'utf8');

/**
 * Writes the pages into a folder, in which nothing else is left.
 * @returns how many documents and samples there are
 */
export function assemblePages(folder = pagesFolder) {
  const writePage = (page, text) => {
    const file = join(folder, page);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  rmSync(folder, { recursive: true, force: true });
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
  cpSync(new URL('../content/', import.meta.url), folder, { recursive: true });
  // For the links of documents, and, by fixed addresses, for the first page.
  for (const images of ['images', 'public/images']) {
    cpSync(join(projectFolder, 'docs/images'), join(folder, images), { recursive: true });
  }
  cpSync(join(projectFolder, 'playground/isolate.js'), join(folder, 'public/isolate.js'));
  writePage('benchmark-tables.json', JSON.stringify(measuredTables(read('docs/benchmarks.md'))));
  return { documents: documents.length + projectDocuments.length, samples: samples.size };
}
