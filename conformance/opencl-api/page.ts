/**
 * `npm run conformance -- opencl-api` writes docs/opencl-api.md: every function of the OpenCL host API to 3.0, where it is in
 * `millrace/opencl`, which tests call it. That a method is there is read from the built package; which tests call it,
 * from their texts.
 */
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import * as api from 'millrace/opencl';
import { filesUnder } from '../support/folder-files.ts';
import { type ApiFunction, sections } from './functions.ts';
import { askEverything } from './queries.ts';
import { readSignatures, type Signatures, signaturesOf } from './signatures.ts';

/** So many tests are named for a function. */
const shownTests = 3;

/** The tests, and which of them the page names now: those stay as long as they call what they are named for. */
interface Tests {
  readonly texts: readonly { readonly path: string; readonly text: string }[];
  readonly named: ReadonlyMap<string, readonly string[]>;
}

/** The page's text. `root` is the repository's folder. */
export function apiPage(root: string): string {
  const tests = readTests(root);
  const signatures = readSignatures(root);
  const lines = [...opening];
  for (const { title, functions, isLater } of sections) {
    const version = isLater ? '2.0 to 3.0' : '1.2';
    lines.push(
      `## ${title}`,
      '',
      `| OpenCL ${version} | Here | Tests | Remarks |`,
      '| --- | --- | --- | --- |',
    );
    for (const each of functions) {
      const place = each.place === undefined ? 'no' : placeText(each.place, signatures);
      const covered = each.place === undefined ? '-' : testsOf(each, tests);
      lines.push(`| \`${each.name}\` | ${place} | ${covered} | ${each.remark ?? '-'} |`);
    }
    lines.push('');
  }
  lines.push(...queryTables(tests), ...signatureBlocks(signatures));
  return `${lines.join('\n').trimEnd()}\n`;
}

/** What stands in the page but should not: functions that are not there or that no test calls, queries without an answer. */
export function gaps(page: string): string[] {
  return page.split('\n').filter((line) => line.startsWith('|') && /\*\*|\| *\|/.test(line));
}

const opening = [
  '# The OpenCL host API',
  '',
  '`millrace/opencl` is the host API of OpenCL 3.0 in JavaScript. It is for host programs in C that you want to bring over, and for what the',
  '[short form](javascript.md) does not have: several devices and queues, events, images with formats, sub-buffers, binaries. To run one',
  'kernel, use the short form.',
  '',
  '```ts',
  "import { CL, createContext, getPlatforms } from 'millrace/opencl';",
  '',
  'const device = getPlatforms()[0].getDevices()[0];',
  'const context = createContext(device);',
  'const queue = context.createCommandQueue(device);',
  'const program = context.createProgram(`kernel void scale(global float *x, float factor) {',
  '  x[get_global_id(0)] *= factor;',
  '}`);',
  'program.build();',
  "const kernel = program.createKernel('scale');",
  'const data = Float32Array.of(1, 2, 3, 4);',
  'const buffer = context.createBuffer(CL.MEM_READ_WRITE | CL.MEM_COPY_HOST_PTR, data.byteLength, data);',
  'kernel.setArg(0, buffer);',
  'kernel.setArg(1, 10);',
  'queue.enqueueNDRangeKernel(kernel, 1, null, [4]);',
  'queue.enqueueReadBuffer(buffer, false, 0, data.byteLength, data);',
  'await queue.finished();',
  "console.log(data.join(' ')); // 10 20 30 40",
  'context.releaseAll();',
  '```',
  '',
  '## What differs from C',
  '',
  '- A function of C is a method of the object that C passes first: `clEnqueueReadBuffer(queue, buffer, ...)` is `queue.enqueueReadBuffer(buffer, ...)`.',
  '  The other parameters are those of C, in its order. The few functions without such an object are imported.',
  '- Constants lose `CL_` and are in `CL`: `CL.MEM_READ_WRITE`.',
  "- Where C returns an error code, an `OpenCLError` is thrown. Its `code` is C's number, its `name` the constant (`CL_INVALID_VALUE`), and its message says",
  '  what is wrong. If several errors apply, it is the first in the order of the specification.',
  '- A list stands for a count and a pointer. Memory of the host is a typed array. A callback is a function, so there is no `user_data`.',
  '- A method that enqueues a command returns its event. As in C it can also fill in an event that you pass (`new CLEvent()`). The methods that map memory',
  '  are the exception: they return the mapped bytes, and fill in an event only if you pass one.',
  '- Objects have `retain` and `release`, and `context.releaseAll()` releases all of a context. Events that you drop need no `release`.',
  '- The main thread of a page must not block. There, pass `false` for `blocking_read` and its like. Wait with `await queue.finished()` or `await event.done`, or',
  '  give `finish`, `waitForEvents`, `build`, `compile` and `linkProgram` a callback. Elsewhere all calls may block, as in C.',
  '',
  '## How to read the tables',
  '',
  'Each section of the specification has a table. *Here* is the method or function of `millrace/opencl`; its parameters are under',
  '[signatures](#signatures), at the end. *Tests* are up to three files under `test`, without `.test.ts`, that call it. *Remarks* say what is different from',
  'C. The classes follow the handles of C: `cl_mem` is `CLMemory`, of which `CLBuffer`, `CLImage` and `CLPipe` are kinds; all its methods are theirs, too.',
  '',
  'The tables are made from the built package and from the tests: `npm run conformance -- opencl-api` writes this page.',
  '',
];

/** A place must have a signature, too. */
function placeText(place: string, signatures: Signatures): string {
  return signaturesOf(signatures, place).length > 0 ? `\`${place}\`` : '**no signature**';
}

function signatureBlocks({ functions, classes, types }: Signatures): string[] {
  const block = (title: string, lines: readonly string[]): string[] => [
    `### ${title}`,
    '',
    '```typescript',
    ...lines.map((line) => (line.startsWith('interface ') ? line : `${line};`)),
    '```',
    '',
  ];
  const inherited = (base: string | undefined): string =>
    base === undefined ? '' : `, with what \`${base}\` has`;
  return [
    '## Signatures',
    '',
    'The declarations of the package, by class. Parameters with `?` may be left out. `Handle` has what all objects have in common, `retain` and `release`. Of a method with',
    'several signatures the first that fits counts.',
    '',
    ...block('Functions', functions),
    ...classes.flatMap(({ name, base, members }) => block(`\`${name}\`${inherited(base)}`, members)),
    ...block('Types', types),
  ];
}

function readTests(root: string): Tests {
  const texts = filesUnder(`${root}/test`, ['.test.ts'])
    .map((path) => ({
      path: relative(`${root}/test`, path).replace(/\.test\.ts$/, ''),
      text: readFileSync(path, 'utf8'),
    }))
    // WebCL's objects have the same methods.
    .filter(({ path }) => path !== 'api/webcl');
  const page = `${root}/docs/opencl-api.md`;
  const rows = existsSync(page)
    ? readFileSync(page, 'utf8').matchAll(/^\| `(\w+)` \|[^|]*\| ([^|*]*) \|/gm)
    : [];
  return { texts, named: new Map([...rows].map(([, name, list]) => [name!, list!.split(', ')])) };
}

/** Whether a class or a function of the package has it. */
function exists(place: string): boolean {
  const [name, method] = place.split('.') as [string, string | undefined];
  const found: unknown = Object.entries(api).find(([exported]) => exported === name)?.[1];
  if (typeof found !== 'function') return false;
  return method === undefined || method in (found as { prototype: object }).prototype;
}

function testsOf({ name, place, call }: ApiFunction, tests: Tests): string {
  if (!exists(place!)) return '**it is not there**';
  const method = place!.split('.').at(-1)!;
  return mentions(name, tests, call ?? new RegExp(`(?:\\.|\\b)${method}\\(`));
}

/** The tests whose texts match, those that do most often first. */
function mentions(name: string, { texts, named }: Tests, pattern: RegExp): string {
  const every = new RegExp(pattern.source, 'g');
  const found = texts
    .map(({ path, text }) => ({ path, times: text.match(every)?.length ?? 0 }))
    .filter(({ times }) => times > 0)
    .sort((a, b) => b.times - a.times || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
  if (found.length === 0) return '**none**';
  const kept = named.get(name);
  return (kept?.every((path) => found.includes(path)) ? kept : found.slice(0, shownTests)).join(', ');
}

function queryTables(tests: Tests): string[] {
  const lines = [
    '## Query parameters',
    '',
    'What `getInfo` and its like return for each parameter on the device of compute threads. Sizes are numbers; what is a `cl_bool` in C is a boolean; bits and',
    'enumerations are numbers, to be compared with constants of `CL`. For the commonest parameters TypeScript knows the type of the answer.',
    '',
  ];
  for (const { title, queries } of askEverything()) {
    lines.push(`### ${title}`, '', '| Parameter | Answer | Tests |', '| --- | --- | --- |');
    for (const { name, answer } of queries) {
      lines.push(`| \`${name}\` | ${answer} | ${mentions(name, tests, new RegExp(`CL\\.${name}\\b`))} |`);
    }
    lines.push('');
  }
  return lines;
}
