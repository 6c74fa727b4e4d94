// What Millrace adds to a page: an application is bundled by esbuild, minified and in chunks, from dist/ as it is packed. `npm run
// size` prints what is in it; test/house/page-size.test.ts holds it to a budget.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Files of Millrace's that are loaded when a program is compiled from its source, and from a binary. */
const forBinaries = ['lazy-generator', 'lazy-binary'];
const forSources = ['lazy-generator', 'lazy-linker', 'lazy-reader'];

/**
 * Bundles an application that imports Millrace.
 * @returns what its page loads at first, once it compiles a binary (of an executable), and once it compiles a
 *   source: each the bytes with gzip and with brotli, and the bytes without of each of Millrace's files; and `all` that is in the bundle
 */
export async function measurePage(application) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-size-'));
  try {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules/millrace'));
    const { outputFiles, metafile } = await build({
      stdin: { contents: application, resolveDir: folder, sourcefile: 'application.js' },
      absWorkingDir: folder,
      outdir: folder,
      bundle: true,
      minify: true,
      splitting: true,
      format: 'esm',
      write: false,
      metafile: true,
      logLevel: 'error',
    });
    const bytes = new Map(outputFiles.map(({ path, contents }) => [path, contents]));
    const outputs = Object.entries(metafile.outputs).map(([path, output]) => [resolve(folder, path), output]);
    const entries = (names) =>
      outputs
        .filter(([, { entryPoint = '' }]) => names.some((name) => entryPoint.endsWith(`/${name}.js`)))
        .map(([path]) => path);
    const first = [join(folder, 'stdin.js')];
    const sizeOf = (paths) => sizeOfFiles(loadedBy(paths, new Map(outputs), folder), bytes, new Map(outputs));
    return {
      first: sizeOf(first),
      binaries: sizeOf([...first, ...entries(forBinaries)]),
      sources: sizeOf([...first, ...entries(forSources)]),
      all: sizeOf(outputs.map(([path]) => path)),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function loadedBy(paths, outputs, folder) {
  const loaded = new Set(paths);
  for (const path of loaded) {
    for (const { path: imported, kind, external } of outputs.get(path).imports) {
      if (kind === 'import-statement' && !external) loaded.add(resolve(folder, imported));
    }
  }
  return [...loaded];
}

function sizeOfFiles(paths, bytes, outputs) {
  let gzip = 0;
  let brotli = 0;
  const files = {};
  for (const path of paths) {
    gzip += gzipSync(bytes.get(path), { level: 9 }).length;
    brotli += brotliCompressSync(bytes.get(path)).length;
    for (const [input, { bytesInOutput }] of Object.entries(outputs.get(path).inputs)) {
      const name = input.replace(/^.*\//, '');
      if (bytesInOutput > 0) files[name] = (files[name] ?? 0) + bytesInOutput;
    }
  }
  return { gzip, brotli, files };
}

/** The applications that are measured. */
export const applications = {
  local: "import { local } from 'millrace';\nglobalThis.local = local;",
  compile: "import { compile } from 'millrace';\nglobalThis.compile = compile;",
  kernels: "import { loadProgram } from 'millrace/kernels';\nglobalThis.loadProgram = loadProgram;",
  opencl: "import { createContext } from 'millrace/opencl';\nglobalThis.createContext = createContext;",
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const kilobytes = (count) => `${(count / 1000).toFixed(1)} kB`.padStart(9);
  for (const [name, application] of Object.entries(applications)) {
    const page = await measurePage(application);
    console.log(`\n${application.split('\n')[0]}`);
    const later = { compile: ['binaries', 'sources'], kernels: ['binaries', 'all'] };
    const moments = ['first', ...(later[name] ?? [])];
    for (const moment of moments) {
      const { gzip, brotli } = page[moment];
      console.log(`  ${moment.padEnd(9)}${kilobytes(gzip)} gzip ${kilobytes(brotli)} brotli`);
    }
    const files = Object.entries(page[moments.at(-1)].files).sort(([, a], [, b]) => b - a);
    for (const [file, size] of files) console.log(`    ${kilobytes(size)}  ${file}`);
  }
}
