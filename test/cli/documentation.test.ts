// The examples of docs/command-line.md and the JavaScript of README.md do what they say; so do codes and numbers of these pages.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { formatVersion } from '../../src/ir/binary/schema.ts';
import { folderWith } from './millrace.ts';

const { PATH } = process.env;
const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(root, 'docs/command-line.md'), 'utf8');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

const files: Record<string, string> = {};
for (const [, name, text] of page.matchAll(/```c file=(\S+)\n(.*?)```/gs)) files[name!] = text!;
const folder = folderWith(files);
afterAll(() => rmSync(folder, { recursive: true }));

/** What a shell prints for a command, messages included; messages come before results in our commands. */
function shell(command: string): Promise<string> {
  const script = `millrace() { '${process.execPath}' '${root}dist/millrace.js' "$@"; }\n${command}`;
  const child = spawn('sh', ['-c', `exec 2>&1\n${script}`], {
    cwd: folder,
    env: { PATH, NO_COLOR: '1', MILLRACE_CACHE: '0' },
  });
  return new Promise((resolve) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (more: string) => {
      text += more;
    });
    child.on('close', () => resolve(text));
  });
}

/** Times differ from run to run, sizes of binaries from version to version. */
const steady = (text: string): string =>
  text
    .replace(/\d+\.\d+ m?s/g, '0 ms')
    .replace(/\d+ bytes$/gm, '0 bytes')
    .trimEnd();

describe('docs/command-line.md', () => {
  for (const [, block] of page.matchAll(/```console\n(.*?)```/gs)) {
    for (const example of block!.split(/^\$ /m).slice(1)) {
      const [command, ...printed] = example.trimEnd().split('\n');
      test(command!, async () => {
        const expected = steady(printed.join('\n'));
        const text = steady(await shell(command!));
        // Three dots at the end leave the rest out.
        if (expected.endsWith('\n...')) {
          expect(text.slice(0, expected.length - 3)).toBe(expected.slice(0, -3));
        } else {
          expect(text).toBe(expected);
        }
      });
    }
  }
});

test('docs/binaries.md has the version of the format that is written', () => {
  const text = readFileSync(join(root, 'docs/binaries.md'), 'utf8');
  expect(/version of the format: (\d+)/.exec(text)?.[1]).toBe(String(formatVersion));
});

test('the exit codes of --help are those of docs/command-line.md', async () => {
  const [, table = ''] = page.split('| Code |');
  const codes = [...table.matchAll(/^\| (\d+) /gm)].map(([, code]) => code!);
  const [, text = ''] = (await shell('millrace --help')).split('Exit codes:');
  const told = [...text.split('\n\n')[0]!.matchAll(/(?:^|[;\s])(\d+) [a-z]/g)].map(([, code]) => code!);
  expect(codes).toContain('134');
  expect(told).toEqual(codes);
});

describe.each(['images', 'webcl'])('docs/%s.md', (page) => {
  const document = readFileSync(join(root, `docs/${page}.md`), 'utf8');
  const snippets = [...document.matchAll(/```js\n(.*?)```/gs)].map(([, text]) => text!);

  test.each(snippets.map((text, index) => [index, text] as const))('snippet %i', async (index, text) => {
    const promised = [...text.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, line]) => line!);
    expect(promised.length).toBeGreaterThan(0);
    const file = join(root, 'test/cli', `${page}-${index}.generated.mjs`);
    writeFileSync(file, text);
    try {
      expect(await shell(`'${process.execPath}' '${file}'`)).toBe(`${promised.join('\n')}\n`);
    } finally {
      rmSync(file);
    }
  });
});

describe('README.md', () => {
  const snippets = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, text]) => text!);

  test.each(snippets.map((text, index) => [index, text] as const))('snippet %i', async (index, text) => {
    // Each prints nothing; what its comments promise about `y` is printed for it here.
    const file = join(root, 'test/cli', `readme-${index}.generated.mjs`);
    writeFileSync(file, `${text}\nconsole.log(y.slice(0, 3).join());\n`);
    try {
      expect(await shell(`'${process.execPath}' '${file}'`)).toBe('1,3,5\n');
    } finally {
      rmSync(file);
    }
  });
});
