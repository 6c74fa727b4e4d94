// Builds dist/: the library is compiled and embedded, esbuild bundles the JavaScript (few files, so that a new
// process starts quickly), and tsc writes the type declarations.
//   --no-types   leaves the declarations out
//   --package    what users install (npm pack calls it): no source maps, and neither samples nor benchmarks nor conformance tests
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { build } from 'esbuild';
import { embedLibrary } from './embed-library.mjs';
import { pruneTypes } from './prune-types.mjs';

const typesToo = !process.argv.includes('--no-types');
const forPackage = process.argv.includes('--package');

rmSync('dist', { recursive: true, force: true });
await embedLibrary();

const present = (entries) =>
  Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(file)));
const common = {
  bundle: true,
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  sourcemap: !forPackage,
  logLevel: 'warning',
  external: [
    'node:*',
    'esbuild',
    'playwright-core',
    'vite',
    'millrace',
    'millrace/*',
    'commander',
    'fast-png',
    'jpeg-js',
    'picocolors',
    '@vscode/debugadapter',
    'koffi',
    'vscode-languageserver/*',
    'vscode-languageserver-textdocument',
  ],
};

/**
 * Comments go, lines and names stay: when an error is not caught, Node prints the line that it was thrown in, which is not to
 * be a whole file, and traces tell lines apart.
 */
const shipped = { ...common, minifySyntax: true };

await build({
  ...shipped,
  splitting: true,
  outdir: 'dist',
  entryPoints: present({
    index: 'src/index.ts',
    opencl: 'src/api/opencl/index.ts',
    examine: 'src/examine.ts',
    'language-service': 'src/language-service/index.ts',
    'examine-brook': 'src/api/examine-brook.ts',
    'examine-il': 'src/api/examine-il.ts',
    webcl: 'src/api/webcl/index.ts',
    analyze: 'src/api/analyze/index.ts',
    roofline: 'src/api/roofline/index.ts',
    debug: 'src/api/debug.ts',
    threads: 'src/api/threads.ts',
    brook: 'src/api/brook/index.ts',
    'brook-vite': 'src/api/brook/vite.ts',
    'brook-register': 'src/api/brook/register.ts',
    'brook-hooks': 'src/api/brook/node-hooks.ts',
    cal: 'src/api/cal/index.ts',
    'c-host': 'src/chost/index.ts',
    millrace: 'src/cli/main.ts',
  }),
});

// Each thread's file stands alone: bundlers copy what `new URL('./worker.js', import.meta.url)` names as it is, and
// would not bring along what it imports. Pages load it as it is, so white space goes, too; lines are not broken, for bundlers
// look for that address as one piece.
await build({
  ...shipped,
  minifyWhitespace: true,
  outdir: 'dist',
  entryPoints: present({
    processor: 'src/devices/wasm/processor-entry.ts',
    worker: 'src/devices/wasm/worker-entry.ts',
    icd: 'src/devices/icd/icd-entry.ts',
    program: 'src/chost/program-entry.ts',
  }),
});

if (!forPackage) await buildUsers();

// npx starts the command as a program.
chmodSync('dist/millrace.js', 0o755);

if (typesToo) {
  execFileSync('npx', ['tsc', '-p', 'tsconfig.types.json'], { stdio: 'inherit' });
  pruneTypes();
}

/** Samples, benchmarks and conformance tests are users: they import 'millrace' as anybody would. */
async function buildUsers() {
  const users = { ...common, outdir: 'dist', outbase: '.' };
  await build({
    ...users,
    entryPoints: [
      'samples/show.ts',
      'samples/pages.ts',
      'samples/cal-show.ts',
      'samples/vertex-waves/page.ts',
      'bench/run.ts',
    ].filter((file) => existsSync(file)),
  });
  // Conformance tests that need development packages are files of their own, so that the others run without; so is what child
  // processes run.
  await build({
    ...users,
    splitting: true,
    chunkNames: 'conformance/[name]-[hash]',
    entryPoints: ['conformance/run.ts', 'conformance/fuzz/child.ts'].filter((file) => existsSync(file)),
  });
}
