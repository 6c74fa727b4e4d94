// Makes few files of the many chunks that esbuild splits the package into: one for each set of entry points that share modules, which
// are too many to be loaded quickly, one after the other. A layer has all chunks that its roots load and that no layer before it
// has, so layers import earlier ones only.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const chunkName = /^chunk-[A-Z0-9]{8}\.js$/;
/** As esbuild writes them, on one line or several. */
const staticImport = /^import \{([^}]*)\} from "\.\/(chunk-[A-Z0-9]{8}\.js)";$/gm;
const bareImport = /^import "\.\/chunk-[A-Z0-9]{8}\.js";$/gm;

/**
 * Merges the chunks of a build with splitting.
 * @param folder where it has written its files, one beside the other
 * @param outputs of its metafile
 * @param layers in their order: the `name` of the new file, without `.js`, and its `roots`; if it is `shared` it gets only what all of
 *   them load. Of one name there may be several, one after the other.
 * @param sourcemap whether the new files have source maps
 */
export async function mergeChunks(folder, outputs, layers, sourcemap) {
  const files = new Map(
    Object.entries(outputs).flatMap(([path, { imports, exports }]) => {
      const name = path.slice(folder.length + 1);
      if (!name.endsWith('.js')) return [];
      const loaded = imports.filter(({ kind }) => kind === 'import-statement').map((each) => each.path);
      return [[name, { exports, loads: loaded.map((each) => each.slice(folder.length + 1)) }]];
    }),
  );
  dropBareImports(folder, files);
  const layerOf = assignLayers(files, layers);
  const names = [...new Set(layers.map(({ name }) => name))];
  const renamed = new Map(names.map((layer) => [layer, uniqueExports(files, layerOf, layer)]));
  for (const name of files.keys()) rewriteImports(join(folder, name), layerOf.get(name), layerOf, renamed);
  await Promise.all(names.map((layer) => buildLayer(folder, layer, renamed.get(layer), sourcemap)));
  for (const chunk of layerOf.keys()) {
    for (const ending of ['', '.map']) rmSync(join(folder, chunk + ending), { force: true });
  }
  const left = [...files.keys()].filter((name) => !layerOf.has(name));
  checkOrder(folder, [...names.map((name) => `${name}.js`), ...left]);
}

/** @throws Error if a file needs itself: what stands in one of them would be used before it has been evaluated */
function checkOrder(folder, names) {
  const done = new Set();
  const visit = (name, path) => {
    if (path.includes(name)) throw new Error(`files import each other: ${[...path, name].join(', ')}`);
    if (done.has(name) || !names.includes(name)) return;
    const text = readFileSync(join(folder, name), 'utf8');
    for (const [, imported] of text.matchAll(/\bfrom "\.\/([\w-]+\.js)";/g)) visit(imported, [...path, name]);
    done.add(name);
  };
  for (const name of names) visit(name, []);
}

/**
 * esbuild has each file import all chunks that a module of it might have been evaluated after. No module of ours does anything when
 * it is evaluated, and an application that is bundled in chunks would get them all at once. Lines stay, for source maps.
 */
function dropBareImports(folder, files) {
  for (const [name, file] of files) {
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8').replace(bareImport, '');
    writeFileSync(path, text);
    file.loads = [...text.matchAll(staticImport)].map(([, , chunk]) => chunk);
  }
}

/** The layer of each chunk that has one. */
function assignLayers(files, layers) {
  const layerOf = new Map();
  for (const { name: layer, roots, shared } of layers) {
    const loaded = roots.map((root) => chunksLoadedBy(files, `${root}.js`));
    for (const chunk of new Set(loaded.flat())) {
      if (shared && !loaded.every((chunks) => chunks.includes(chunk))) continue;
      if (!layerOf.has(chunk)) layerOf.set(chunk, layer);
    }
  }
  return layerOf;
}

function chunksLoadedBy(files, root) {
  const seen = new Set([root]);
  for (const name of seen) {
    if (!files.has(name)) throw new Error(`there is no ${name}, of whose chunks a layer is to be made`);
    for (const chunk of files.get(name).loads) seen.add(chunk);
  }
  return [...seen].filter((name) => chunkName.test(name));
}

/** Names for all that the chunks of a layer export, by chunk and the name there: two chunks may have one of the same name. */
function uniqueExports(files, layerOf, layer) {
  const taken = new Set();
  const names = new Map();
  for (const [chunk, { exports }] of files) {
    if (layerOf.get(chunk) !== layer) continue;
    const own = new Map();
    for (const name of exports) {
      let unique = name;
      for (let number = 2; taken.has(unique); number += 1) unique = `${name}_${number}`;
      taken.add(unique);
      own.set(name, unique);
    }
    names.set(chunk, own);
  }
  return names;
}

/** Has a file import other layers in the place of their chunks. */
function rewriteImports(path, ownLayer, layerOf, renamed) {
  const text = readFileSync(path, 'utf8');
  const rewritten = text.replace(staticImport, (statement, list, chunk) => {
    const layer = layerOf.get(chunk);
    if (layer === undefined || layer === ownLayer) return statement;
    const names = renamed.get(layer).get(chunk);
    const newList = list.replace(/([\w$]+)( as [\w$]+)?/g, (_, name, as) => {
      const unique = names.get(name);
      return unique === name ? `${name}${as ?? ''}` : `${unique}${as ?? ` as ${name}`}`;
    });
    return `import {${newList}} from "./${layer}.js";`;
  });
  writeFileSync(path, rewritten);
}

/** Bundles the chunks of a layer to a file, which imports other layers. */
async function buildLayer(folder, layer, chunks, sourcemap) {
  const contents = [...chunks]
    .filter(([, names]) => names.size > 0)
    .map(([chunk, names]) => {
      const list = [...names].map(([name, unique]) => (name === unique ? name : `${name} as ${unique}`));
      return `export { ${list.join(', ')} } from './${chunk}';`;
    })
    .join('\n');
  await build({
    stdin: { contents, resolveDir: folder, sourcefile: `<${layer}>` },
    outfile: join(folder, `${layer}.js`),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    minifySyntax: true,
    sourcemap,
    logLevel: 'warning',
    plugins: [
      {
        name: 'other-files-apart',
        setup({ onResolve }) {
          onResolve({ filter: /./ }, ({ path, kind }) => {
            const isOurs = kind !== 'dynamic-import' && chunks.has(path.slice('./'.length));
            return isOurs ? undefined : { path, external: true, sideEffects: false };
          });
        },
      },
    ],
  });
}
