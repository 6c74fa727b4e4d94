// Splits the compiler in two when Millrace is built: what plain kernels need, and the rest, which a page loads when it meets a program that
// needs it (src/parts/rest.ts). Which functions those are is found out by compiling the kernels of plain-kernels.mjs under V8's coverage;
// what was not called goes, with the variables that nothing else refers to. The text of each module becomes two: one where the rest is
// blank, and one, PATH?rest, with nothing else, so lines and columns stay as source maps have them. A call from the first to the second goes
// through a stub; everything within the rest is as direct as before.
import { resolve } from 'node:path';
import { chooseFirst } from './split/choose-first.mjs';
import { listItems, originOfLocal, resolveImports } from './split/modules.mjs';
import { firstText, restText, userText } from './split/texts.mjs';
import { traceCalls } from './split/trace-calls.mjs';

/** What a page has loaded before it compiles, and what it loads to compile. */
const early = [
  'api/javascript/compile.ts',
  'api/javascript/load-program.ts',
  'api/javascript/kernels.ts',
  'api/javascript/local-memory.ts',
  'build/is-program-binary.ts',
  'build/is-ir-text.ts',
  'source/refused-file.ts',
  'source/render.ts',
  'devices/own.ts',
];
/** What else a page may load, and see to the rest for (build.ts there). */
const seeToIt = [
  'api/javascript/binary.ts',
  'build/compile-ir.ts',
  'build/machine.ts',
  'devices/icd/discover.ts',
];
const late = ['api/javascript/build.ts', 'api/javascript/reader.ts', 'devices/wasm/compile-kernels.ts'];

/** Modules that stay whole: their functions run once for each operation of an interpreted program, or judge errors, for which nothing can be loaded. */
const isWhole = (path) =>
  /^((api|build|devices|parts|library|ir\/interpreter)\/|source\/stack-full|runtime\/no-memory)/.test(path);

const partOf = (path) => {
  if (/^(ir|source)\//.test(path)) return 'ir';
  return /^(passes|codegen|target)\//.test(path) ? 'backEnd' : 'frontEnd';
};
const partFiles = {
  ir: 'parts/rest-of-ir.ts',
  frontEnd: 'parts/rest-of-front-end.ts',
  backEnd: 'parts/rest-of-back-end.ts',
};

/**
 * A plugin for esbuild that splits the modules under `src`.
 * @param isDoor whether an import leads to something that pages do not load
 */
export async function splitRest(src, isDoor) {
  const modules = await listItems(src);
  resolveImports(modules, isDoor);
  const before = closure(modules, early);
  const split = new Set([...closure(modules, late)].filter((path) => !before.has(path) && !isWhole(path)));
  const seeing = closure(modules, [...early, ...late, ...seeToIt]);
  const users = new Set([...usersOf(modules, split)].filter((path) => !seeing.has(path)));
  const rest = chooseFirst(modules, split, users, await traceCalls(modules));
  return plugin(src, modules, split, rest, numberStubs(rest, split), users);
}

/** The modules beside the split ones that call what is in these. They do so at any time, so they have the rest from the start. */
function usersOf(modules, split) {
  const users = new Set();
  for (const [path, { items }] of modules) {
    if (split.has(path)) continue;
    const uses = items.some(({ references }) =>
      [...references].some((name) => {
        const origin = originOfLocal(modules, path, name);
        return origin && split.has(origin.path) && /function|class/.test(origin.item.kind);
      }),
    );
    if (uses) users.add(path);
  }
  return users;
}

function closure(modules, roots) {
  const seen = new Set(roots);
  for (const path of seen) for (const { to } of modules.get(path).imports) if (to) seen.add(to);
  return seen;
}

/** For each module its stubs, which have numbers that follow each other: `{ part, first, names }`. */
function numberStubs({ stubbed }, split) {
  const counts = { ir: 0, frontEnd: 0, backEnd: 0 };
  const numbers = new Map();
  for (const path of [...split].sort()) {
    const names = stubbed.get(path) ?? [];
    if (names.length === 0) continue;
    const part = partOf(path);
    numbers.set(path, { part, first: counts[part], names });
    counts[part] += names.length;
  }
  return numbers;
}

function plugin(src, modules, split, rest, numbers, users) {
  const pathOf = (full) => full.slice(src.length + 1).replaceAll('\\', '/');
  const fullOf = (path) => resolve(src, path);
  /** The parts that a module may come to: those of all that it imports, directly or not. */
  const restsOf = (path) => {
    const parts = [...closure(modules, [path])].filter((one) => split.has(one)).map(partOf);
    return Object.entries(partFiles).filter(([part]) => parts.includes(part));
  };
  return {
    name: 'split-rest',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\?rest$/ }, ({ path, resolveDir }) => ({
        path: resolve(resolveDir, path.replace(/\?rest$/, '')),
        namespace: 'rest',
        sideEffects: false,
      }));
      onLoad({ filter: /./, namespace: 'rest' }, ({ path }) => ({
        contents: restText(modules, pathOf(path), split, rest),
        resolveDir: resolve(path, '..'),
        loader: 'js',
      }));
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const own = pathOf(path);
        const part = Object.keys(partFiles).find((name) => partFiles[name] === own);
        if (part)
          return { contents: partText(part, numbers, fullOf), resolveDir: resolve(path, '..'), loader: 'js' };
        if (users.has(own))
          return { contents: userText(modules, own, split, rest, restsOf(own)), loader: 'js' };
        if (!split.has(own)) return undefined;
        return { contents: firstText(modules, own, rest, numbers.get(own)), loader: 'js' };
      });
    },
  };
}

function partText(part, numbers, fullOf) {
  const lists = [...numbers].filter(([, stubs]) => stubs.part === part);
  const imports = lists.map(([path, { first, names }]) => {
    const list = names.map((name, index) => `${name} as f${first + index}`);
    return `import { ${list.join(', ')} } from ${JSON.stringify(`${fullOf(path)}?rest`)};`;
  });
  const all = lists.flatMap(([, { first, names }]) => names.map((_, index) => `f${first + index}`));
  return `${imports.join('\n')}\nexport const functions = [${all.join(', ')}];\n`;
}
