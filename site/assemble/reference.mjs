// The reference of the package's entries, made by TypeDoc from the docstrings: a page for each entry of package.json that
// programs import.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Application } from 'typedoc';
import { pagesFolder, projectFolder } from './places.mjs';

/** The source of each entry, by the path that `exports` has for its types. */
export function entrySources() {
  const { exports: entries } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
  const sources = [];
  for (const [name, entry] of Object.entries(entries)) {
    const types = typeof entry === 'object' ? entry.types : undefined;
    if (types === undefined) continue;
    const source = join(projectFolder, types.replace('./dist/types/', 'src/').replace(/\.d\.ts$/, '.ts'));
    if (!existsSync(source)) throw new Error(`package.json: ${name} has no source at ${source}`);
    sources.push({ name: name === '.' ? 'millrace' : `millrace/${name.slice(2)}`, source });
  }
  return sources;
}

/** @throws Error if TypeDoc finds an error */
export async function writeReference() {
  const out = join(pagesFolder, 'reference');
  rmSync(out, { recursive: true, force: true });
  const application = await Application.bootstrapWithPlugins({
    entryPoints: entrySources().map(({ source }) => source),
    tsconfig: join(projectFolder, 'site/tsconfig.reference.json'),
    plugin: ['typedoc-plugin-markdown', 'typedoc-vitepress-theme'],
    docsRoot: pagesFolder,
    out,
    name: 'Reference',
    readme: 'none',
    disableSources: true,
    excludePrivate: true,
    excludeInternal: true,
    skipErrorChecking: true,
    hideBreadcrumbs: true,
    hidePageHeader: true,
    router: 'module',
    parametersFormat: 'table',
    enumMembersFormat: 'table',
    logLevel: 'Error',
  });
  // Each call of this reads all sources anew, so the entries are asked for once; application.convert() would ask again.
  const entryPoints = application.getDefinedEntryPoints();
  if (entryPoints === undefined) throw new Error('TypeDoc could not read the sources');
  const project = application.converter.convert(entryPoints);
  const names = new Map(entrySources().map(({ name, source }) => [source, name]));
  for (const module of project.children ?? []) {
    const file = entryPoints.find(({ displayName }) => displayName === module.name)?.sourceFile.fileName;
    if (names.has(file)) module.name = names.get(file);
  }
  await application.generateOutputs(project);
}
