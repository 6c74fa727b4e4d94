/** The samples of README.md and docs/, in JavaScript as in TypeScript, type-check against the declarations that users get. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { hasTypes } from '../support/built-types.ts';

/** What samples take from a sample before them, or leave to the reader. */
const given: Readonly<Record<string, string>> = {
  CL: "typeof import('millrace/opencl').CL",
  context: "import('millrace/opencl').CLContext",
  device: "import('millrace/opencl').CLDevice",
  event: "import('millrace/opencl').CLEvent",
  kernel: "import('millrace/opencl').CLKernel",
  nodes: "import('millrace/opencl').CLSVMBuffer",
  queue: "import('millrace/opencl').CLCommandQueue",
  brook: "typeof import('millrace/brook').brook",
  compile: "typeof import('millrace').compile",
  webcl: "import('millrace/webcl').WebCL",
  factor: 'number',
  offset: 'number',
  source: 'string',
  input: 'Float32Array',
  other: 'Float32Array',
  output: 'Float32Array',
  picture: 'Float32Array',
  show: '(text: string) => void',
};

interface Sample {
  readonly place: string;
  readonly text: string;
}

function samplesOf(page: string): Sample[] {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(/^ *```(?:js|ts)\n([\s\S]*?)^ *```/gm)].map((match) => ({
    place: `${page}:${text.slice(0, match.index).split('\n').length}`,
    text: match[1]!,
  }));
}

/** Those that are no part of a program with Millrace's types: a service worker, what is made of a file of the reader's, a script for esbuild. */
const isElsewhere = ({ text }: Sample): boolean => /skipWaiting\(\)|from '\.\/|from 'esbuild'/.test(text);

/** The sample as a module, with what it does not declare itself of what is given. */
function moduleOf({ text }: Sample): string {
  const missing = Object.keys(given).filter(
    (name) =>
      new RegExp(`\\b${name}\\b`).test(text) &&
      !new RegExp(`\\b(?:const|let|using|import)\\s[^=;']*\\b${name}\\b`).test(text),
  );
  return `${missing.map((name) => `declare const ${name}: ${given[name]};`).join(' ')}export {};\n${text}`;
}

/** The declarations of a module, by the names that samples import it by: the package's, and that of its file in a page. */
function declarations(): Record<string, string[]> {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    exports: Record<string, string | { types: string; default: string }>;
  };
  return Object.fromEntries(
    Object.entries(exports).flatMap(([name, entry]) =>
      typeof entry === 'string'
        ? []
        : [join('millrace', name), join('/node_modules/millrace', entry.default)].map((imported) => [
            imported,
            [resolve(entry.types)],
          ]),
    ),
  );
}

/** The places of samples that do not type-check, each with what the compiler says. */
function complaints(samples: readonly Sample[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-samples-'));
  try {
    samples.forEach((sample, index) => {
      writeFileSync(join(folder, `${index}.ts`), moduleOf(sample));
    });
    const compilerOptions = {
      noEmit: true,
      strict: true,
      noUncheckedIndexedAccess: true,
      target: 'ES2022',
      lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'],
      typeRoots: [resolve('node_modules/@types')],
      types: ['node'],
      module: 'ESNext',
      moduleResolution: 'bundler',
      paths: declarations(),
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const { stdout } = spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', '.'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace(/^(\d+)\.ts/, (_, index) => samples[Number(index)]!.place));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.runIf(hasTypes)('samples type-check under strict rules', () => {
  const pages = ['README.md', ...readdirSync('docs').map((name) => join('docs', name))];
  const samples = pages
    .filter((page) => page.endsWith('.md'))
    .flatMap(samplesOf)
    .filter((sample) => !isElsewhere(sample));
  expect(samples.length).toBeGreaterThan(30);
  const wrong = { place: 'wrong', text: "import { compile } from 'millrace';\ncompile(1);\n" };
  expect(complaints([...samples, wrong])).toEqual([
    "wrong(3,9): error TS2345: Argument of type 'number' is not assignable to parameter of type 'string | Uint8Array<ArrayBufferLike>'.",
  ]);
});
