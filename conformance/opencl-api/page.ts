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
  '`millrace/opencl` is OpenCL 3.0 for JavaScript: one function or method a function of C, named below, with the same order of',
  'parameters, on the object that C takes first. Where C returns an error code it throws an `OpenCLError` with the code and',
  "its name, the first that applies in the specification's order. Lists stand for counts and pointers, typed arrays for",
  'host memory, functions for callbacks and their `user_data`. What is enqueued gives its event; as in C a call may be handed one to',
  'fill in instead (`new CLEvent()`), and null says that none is wanted. The functions that map give the mapped bytes, and their event',
  'only to one that they are handed. Events that are dropped need no `release`, and hold nothing once their commands have ended.',
  '',
  'This page is written by `npm run conformance -- opencl-api`. *Here* names what the built package has; *Tests* are files under',
  '`test` that call it. The [signatures](#signatures) of all of it, as TypeScript declares them, are at the end.',
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
    'Written from the declarations that the package has. Parameters with `?` may be left out. `Handle` is what all objects have in common.',
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
    'What each `getInfo` and its like answers with on our device. Sizes are numbers, flags booleans. In TypeScript the commonest have these types by their constants.',
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
