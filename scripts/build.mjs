// Builds dist/: the library is compiled and embedded, esbuild bundles the JavaScript (few files, so that a new
// process starts quickly), and tsc writes the type declarations.
//   --no-types   leaves the declarations out
//   --package    what users install (npm pack calls it): neither samples nor benchmarks nor conformance tests, and source maps
//                without the texts of what is generated
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { embeddedLibrary, embedLibrary } from './embed-library.mjs';
import { lightenMaps } from './lighten-maps.mjs';
import { mergeChunks } from './merge-chunks.mjs';
import { pruneTypes } from './prune-types.mjs';
import { splitRest } from './split-rest.mjs';

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
    'unplugin',
    'webgpu',
    'vscode-languageserver/*',
    'vscode-languageserver-textdocument',
  ],
};

/**
 * Comments go, lines and names stay: when an error is not caught, Node prints the line that it was thrown in, which is not to
 * be a whole file, and traces tell lines apart.
 */
const shipped = { ...common, minifySyntax: true };

/**
 * Files that have another one in their place in what is bundled for pages: `browser` in package.json says so, which is about files of
 * the package, so each stays one.
 */
const doors = {
  drivers: 'src/devices/icd/discover.ts',
  machine: 'src/build/machine.ts',
};
const doorsApart = {
  name: 'doors-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/(discover|machine)\.ts$/ }, ({ path, kind, resolveDir }) => {
      const name = Object.keys(doors).find((door) => resolve(doors[door]) === resolve(resolveDir, path));
      if (name === undefined || kind === 'entry-point') return undefined;
      return { path: `./${name}.js`, external: true, sideEffects: false };
    });
  },
};

/**
 * What `millrace` exports, in groups that have files of their own: an application that uses one of them gets no other. As entry points
 * they are nobody's.
 */
const groups = {
  'group-short-form': 'src/api/javascript/compile.ts',
  'group-local': 'src/api/javascript/local-memory.ts',
  'group-binary': 'src/build/is-program-binary.ts',
  'group-ir-text': 'src/build/is-ir-text.ts',
  'group-render': 'src/source/render.ts',
  'group-inspect': 'src/build/inspect.ts',
  'group-binaries': 'src/build/build-binary.ts',
  'group-check': 'src/tools/check/index.ts',
  'group-disk-files': 'src/build/disk-files.ts',
  'group-screen': 'src/api/javascript/screen.ts',
  'group-refused-file': 'src/source/refused-file.ts',
  'group-profile': 'src/tools/profile/index.ts',
};

/** What is loaded when it is first needed. Named, so that errors name files that one can find. */
const lazy = {
  'lazy-linker': 'src/api/javascript/build.ts',
  'lazy-reader': 'src/api/javascript/reader.ts',
  'lazy-binary': 'src/api/javascript/binary.ts',
  'lazy-ir-reader': 'src/build/compile-ir.ts',
  'lazy-generator': 'src/devices/wasm/compile-kernels.ts',
  'lazy-local-device': 'src/devices/wasm/local-wasm-device.ts',
  'lazy-interpreter': 'src/devices/interpreter/open-interpreter.ts',
  'lazy-webgpu': 'src/devices/webgpu/find-devices.ts',
  'lazy-native': 'src/devices/native/find-device.ts',
  'lazy-array': 'src/array/algorithms.ts',
};

/** What plain kernels do not need (scripts/split-rest.mjs). */
const rest = {
  'rest-of-ir': 'src/parts/rest-of-ir.ts',
  'rest-of-front-end': 'src/parts/rest-of-front-end.ts',
  'rest-of-back-end': 'src/parts/rest-of-back-end.ts',
};

/** Its parts, by names such as `library-double`. */
const library = Object.fromEntries(
  embeddedLibrary.map((file) => [file.replace(/^.*\/(\w+)\.ts$/, 'library-$1'), `src/${file}`]),
);

/** The code of threads, for where a file is missing that they start from. */
const threads = { 'thread-code': 'src/devices/wasm/embedded-threads.ts' };

/**
 * The files that others share, each with those whose modules it has: see scripts/merge-chunks.mjs. What the doors load comes before what
 * goes through them.
 */
const layers = [
  { name: 'chunk-host', roots: ['threads'] },
  {
    name: 'chunk-values',
    roots: ['group-local', 'group-binary', 'group-ir-text', 'group-refused-file', 'group-render'],
  },
  { name: 'chunk-runtime', roots: ['group-short-form', 'machine'], shared: true },
  { name: 'chunk-runtime', roots: ['group-short-form', 'drivers'], shared: true },
  { name: 'chunk-kernels', roots: ['kernels'] },
  { name: 'chunk-short-form', roots: ['group-short-form'] },
  ...['lazy-reader', 'lazy-linker'].flatMap((root) =>
    Object.keys(doors).map((door) => ({ name: 'chunk-ir', roots: [root, door], shared: true })),
  ),
  // Else the rest of the front end would load the back end for a function that both have from the IR.
  { name: 'chunk-ir', roots: ['lazy-generator', 'rest-of-front-end'], shared: true },
  { name: 'chunk-ir', roots: ['lazy-generator', 'rest-of-ir'], shared: true },
  { name: 'chunk-linker', roots: ['lazy-linker'] },
  { name: 'chunk-front-end', roots: ['lazy-reader'] },
  { name: 'chunk-back-end', roots: ['lazy-generator'] },
  { name: 'chunk-ir-rest', roots: ['rest-of-ir'] },
  { name: 'chunk-ir-rest', roots: ['rest-of-front-end', 'rest-of-back-end'], shared: true },
  { name: 'chunk-singles', roots: ['rest-of-front-end', 'machine'], shared: true },
  { name: 'chunk-front-end-rest', roots: ['rest-of-front-end'] },
  { name: 'chunk-back-end-rest', roots: ['rest-of-back-end'] },
  { name: 'chunk-verifier', roots: ['lazy-binary', 'lazy-ir-reader'], shared: true },
  { name: 'chunk-binary', roots: ['lazy-binary'] },
  { name: 'chunk-ir-reader', roots: ['lazy-ir-reader'] },
  { name: 'chunk-local-device', roots: ['lazy-local-device'] },
  { name: 'chunk-launcher', roots: ['array', 'fft'], shared: true },
  { name: 'chunk-routines', roots: ['blas', 'fft'], shared: true },
  { name: 'chunk-routines', roots: ['blas', 'blas-thread'], shared: true },
  { name: 'chunk-products', roots: ['blas', 'linalg'], shared: true },
  { name: 'chunk-array', roots: ['array'] },
  { name: 'chunk-array-algorithms', roots: ['lazy-array'] },
  { name: 'chunk-interpreter', roots: ['lazy-interpreter'] },
  { name: 'chunk-webgpu', roots: ['lazy-webgpu'] },
  { name: 'chunk-native', roots: ['lazy-native'] },
  ...Object.keys({ ...library, ...threads }).map((part) => ({ name: `chunk-${part}`, roots: [part] })),
  { name: 'chunk-devices', roots: ['opencl', 'machine'], shared: true },
  { name: 'chunk-machine', roots: ['machine', 'drivers'] },
  { name: 'chunk-disk-files', roots: ['group-disk-files'] },
  // What looks at sources only loads no passes and no code generator.
  { name: 'chunk-examine', roots: ['examine'] },
  { name: 'chunk-tools', roots: ['group-inspect', 'group-binaries', 'group-check', 'group-profile'] },
  { name: 'chunk-mpi', roots: ['mpi', 'c-host'], shared: true },
  { name: 'chunk-mpi', roots: ['mpi', 'cluster'], shared: true },
  { name: 'chunk-mpi', roots: ['mpi'] },
  { name: 'chunk-opencl', roots: ['opencl'] },
  { name: 'chunk-programs', roots: ['brook', 'cal', 'c-host'] },
];

const isDoor = (path) => Object.values(doors).includes(`src/${path}`);
const { metafile } = await build({
  ...shipped,
  splitting: true,
  metafile: true,
  outdir: 'dist',
  plugins: [doorsApart, await splitRest(resolve('src'), isDoor)],
  entryPoints: present({
    ...doors,
    'no-drivers': 'src/devices/icd/no-drivers.ts',
    'no-machine': 'src/build/no-machine.ts',
    index: 'src/index.ts',
    ...groups,
    ...lazy,
    ...rest,
    ...library,
    ...threads,
    opencl: 'src/api/opencl/index.ts',
    examine: 'src/tools/examine/index.ts',
    'language-service': 'src/tools/language-service/index.ts',
    'examine-brook': 'src/tools/examine/examine-brook.ts',
    'examine-il': 'src/tools/examine/examine-il.ts',
    webcl: 'src/api/webcl/index.ts',
    analyze: 'src/tools/analyze/index.ts',
    assembly: 'src/build/assembly.ts',
    roofline: 'src/tools/roofline/index.ts',
    debug: 'src/tools/debug/index.ts',
    threads: 'src/api/javascript/threads.ts',
    kernels: 'src/api/javascript/kernels.ts',
    'il-kernel': 'src/api/javascript/il-kernel.ts',
    hot: 'src/api/javascript/hot.ts',
    array: 'src/array/index.ts',
    blas: 'src/blas/index.ts',
    'blas-thread': 'src/blas/c/thread-entry.ts',
    fft: 'src/fft/index.ts',
    linalg: 'src/linalg/index.ts',
    brook: 'src/api/brook/index.ts',
    cluster: 'src/cluster/index.ts',
    mpi: 'src/mpi/index.ts',
    modules: 'src/modules/index.ts',
    vite: 'src/modules/vite.ts',
    rollup: 'src/modules/rollup.ts',
    rolldown: 'src/modules/rolldown.ts',
    webpack: 'src/modules/webpack.ts',
    rspack: 'src/modules/rspack.ts',
    esbuild: 'src/modules/esbuild.ts',
    bun: 'src/modules/bun.ts',
    register: 'src/modules/register.ts',
    'module-hooks': 'src/modules/node-hooks.ts',
    'brook-vite': 'src/modules/brook-vite.ts',
    'brook-register': 'src/modules/brook-register.ts',
    cal: 'src/api/cal/index.ts',
    'c-host': 'src/chost/index.ts',
    millrace: 'src/cli/main.ts',
    brcc: 'src/cli/brcc.ts',
  }),
});

await mergeChunks('dist', metafile.outputs, layers, true);
for (const name of Object.keys({ ...lazy, ...rest, ...library, ...threads })) giveCode(`dist/${name}.js`);
for (const name of Object.keys(groups)) {
  for (const ending of ['.js', '.js.map']) rmSync(`dist/${name}${ending}`, { force: true });
}

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
    'native-worker': 'src/devices/native/worker-entry.ts',
    icd: 'src/devices/icd/icd-entry.ts',
    gpu: 'src/devices/webgpu/gpu-entry.ts',
    program: 'src/chost/program-entry.ts',
    member: 'src/chost/threads/member-entry.ts',
  }),
});

if (forPackage) lightenMaps('dist');
else await buildUsers();

// npx starts the command as a program.
for (const command of ['millrace', 'brcc']) chmodSync(`dist/${command}.js`, 0o755);

if (typesToo) {
  execFileSync('npx', ['tsc', '-p', 'tsconfig.types.json'], { stdio: 'inherit' });
  pruneTypes();
}

/**
 * Gives a file that only hands on what others have names of its own for it. Rollup moves a module without code into one that has some,
 * which may be an application's that is waiting at a top-level await for just that module.
 */
function giveCode(file) {
  const text = readFileSync(file, 'utf8');
  const own = text.replace(/export \{([^}]*)\};/, (statement, list) => {
    const names = list.split(',').map((name) => name.trim());
    if (!names.every((name) => new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\}`).test(text)))
      return statement;
    const aliases = names.map((name) => `$${name} = ${name}`);
    return `const ${aliases.join(', ')}; export {${names.map((name) => ` $${name} as ${name}`).join(',')} };`;
  });
  writeFileSync(file, own);
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
    entryPoints: [
      'conformance/run.ts',
      'conformance/fuzz/child.ts',
      'conformance/binaries/child.ts',
      'conformance/hostile/child.ts',
      'conformance/dialects/child.ts',
      'conformance/dialects/lost-child.ts',
      'conformance/models/child.ts',
      'conformance/soak/child.ts',
      'conformance/faults/child.ts',
      'conformance/faults/in-thread.ts',
      'conformance/faults/driver-run.ts',
      'conformance/faults/cache-run.ts',
    ].filter((file) => existsSync(file)),
  });
}
