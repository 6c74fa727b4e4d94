// Makes the source maps of a build those of the package: the texts of sources stay in them, as nothing else of the package has
// these; those of generated data go, which nobody steps through, and which are more than half of it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What scripts/embed-library.mjs and split-rest.mjs write. */
const generated = /\bsrc\/(?:library\/embedded|hosted\/embedded|parts\/rest-of-)/;

export function lightenMaps(folder) {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.js.map'))) {
    const path = join(folder, name);
    const map = JSON.parse(readFileSync(path, 'utf8'));
    map.sourcesContent = map.sources.map((source, index) =>
      generated.test(source) ? '' : (map.sourcesContent?.[index] ?? null),
    );
    writeFileSync(path, JSON.stringify(map));
  }
}
