/** What `millrace check --json` prints of a source that does not compile. */
import { rmSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { folderWith } from './millrace.ts';
import { WarmCommand } from './warm.ts';

const folder = folderWith({
  'wrong.cl': '#warning mind the gap\nkernel void k(global int *p) { p[0] = q; }\n',
  'twice.cl': 'kernel void k(global int *p) { int a; float a; p[0] = 1; }\n',
});
const shared = new WarmCommand(folder);
afterAll(() => {
  shared.close();
  rmSync(folder, { recursive: true });
});

it('has the errors', async () => {
  const { code, stdout, stderr } = await shared.run('check', 'wrong.cl', '-g', '1', '--json');
  expect([code, stderr]).toEqual([1, expect.stringContaining('wrong.cl:2:39: error: ')]);
  const place = { file: 'wrong.cl', line: 2, column: 39, endLine: 2, endColumn: 40 };
  expect(JSON.parse(stdout)).toEqual([
    {
      kind: 'build-error',
      severity: 'error',
      message: "use of undeclared identifier 'q'",
      place,
      notes: [],
    },
  ]);
});

it('has their notes with places of their own', async () => {
  const { stdout } = await shared.run('check', 'twice.cl', '-g', '1', '--json');
  expect(JSON.parse(stdout)).toMatchObject([
    {
      kind: 'build-error',
      place: { line: 1, column: 45 },
      notes: [{ message: expect.any(String), place: { line: 1, column: 36 } }],
    },
  ]);
});
