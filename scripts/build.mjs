// Builds dist/: the library is compiled and embedded, esbuild bundles the JavaScript (few files, so that a new
// process starts quickly), and tsc writes the type declarations.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { build } from 'esbuild';
import { embedLibrary } from './embed-library.mjs';

const typesToo = !process.argv.includes('--no-types');

rmSync('dist', { recursive: true, force: true });
await embedLibrary();

const present = (entries) =>
  Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(file)));
const common = {
  bundle: true,
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  sourcemap: true,
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
 * A new process reads all of it before it runs any, so white space and comments count. Names stay, for stack traces. Lines
 * are not broken: bundlers look for `new URL('./worker.js', import.meta.url)` as one piece.
 */
const shipped = { ...common, minifyWhitespace: true, minifySyntax: true };

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
// would not bring along what it imports.
await build({
  ...shipped,
  outdir: 'dist',
  entryPoints: present({
    processor: 'src/devices/wasm/processor-entry.ts',
    worker: 'src/devices/wasm/worker-entry.ts',
    icd: 'src/devices/icd/icd-entry.ts',
    program: 'src/chost/program-entry.ts',
  }),
});

// Samples, benchmarks and conformance tests are users: they import 'millrace' as anybody would.
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
// Conformance tests that need development packages are files of their own, so that the others run without.
await build({
  ...users,
  splitting: true,
  chunkNames: 'conformance/[name]-[hash]',
  entryPoints: ['conformance/run.ts'].filter((file) => existsSync(file)),
});

// npx starts the command as a program.
chmodSync('dist/millrace.js', 0o755);

if (typesToo) execFileSync('npx', ['tsc', '-p', 'tsconfig.types.json'], { stdio: 'inherit' });
