/** The programs of docs/javascript.md, docs/images.md and docs/array.md print what the text says behind `//`. */
import { readFileSync } from 'node:fs';
import * as millrace from 'millrace';
import * as array from 'millrace/array';
import * as opencl from 'millrace/opencl';
import { describe, expect, it } from 'vitest';

const modules: Readonly<Record<string, unknown>> = {
  millrace,
  'millrace/array': array,
  'millrace/opencl': opencl,
};

const AsyncFunction = (async () => {}).constructor as new (
  ...args: string[]
) => (modules: unknown, console: unknown) => Promise<void>;

/** What a program prints, a string each time; its imports are taken from `modules`. */
async function run(code: string): Promise<string[]> {
  const printed: string[] = [];
  const body = code.replace(/import (\{[^}]*\}) from '([^']*)';/g, "const $1 = modules['$2'];");
  const log = (...values: unknown[]) => printed.push(values.join(' '));
  await new AsyncFunction('modules', 'console', body)(modules, { log });
  return printed;
}

/** What stands behind the calls of console.log. */
function promised(code: string): string[] {
  return [...code.matchAll(/console\.log\(.*\/\/ (.*)/g)].flatMap((match) => match[1]!.split(', then '));
}

describe.each(['docs/javascript.md', 'docs/images.md', 'docs/array.md'])('%s', (file) => {
  const text = readFileSync(file, 'utf8');
  const blocks = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1]!);
  const programs = blocks.filter((block) => block.includes('import ') && promised(block).length > 0);

  it('has programs', () => expect(programs.length).toBeGreaterThan(1));

  it.each(programs.map((code, index) => [index + 1, code] as const))('program %i', async (_index, code) => {
    expect(await run(code)).toEqual(promised(code));
  });
});
