/**
 * Accesses that are no fault take short ways past the library (src/library/check.cl). They must note what the library would
 * have noted; the reports are written by hand.
 */
import { beforeAll, expect, it } from 'vitest';
import { local } from '../../../src/api/javascript/arguments.ts';
import { compile } from '../../../src/api/javascript/compile.ts';
import { type FoundReport, startChecking } from '../../../src/tools/check/index.ts';

let found: FoundReport[] = [];

beforeAll(() => {
  startChecking({ report: (report) => found.push(report), timeout: 2000 });
});

/** The reports for a kernel that is run by two groups of four, each with four ints of local memory. */
async function check(body: string): Promise<string[]> {
  found = [];
  const source = `kernel void f(global int *out, global uchar *bytes, local int *t) {
    int l = get_local_id(0), g = get_global_id(0), sum = 0;
${body}
    out[g] = sum;
  }`;
  const program = await compile(source, { name: 'k.cl' });
  try {
    const size = { global: [8], local: [4] };
    await program.kernel('f')(size, new Int32Array(8), new Uint8Array(16), local(16));
  } finally {
    program.release();
  }
  return found.map(({ kind, place }) => `${kind} at ${place?.line}`);
}

const fence = 'barrier(CLK_LOCAL_MEM_FENCE);';

it('bytes of global memory are parted where ints of local memory are not', async () => {
  const body = (index: string) => `    t[l] = g + 1;
    ${fence}
    sum = t[l] += 3;
    bytes[${index}] = g + 1;`;
  expect(await check(body('g'))).toEqual([]);
  expect(await check(body('g / 2'))).toEqual(['data-race at 6']);
});

it('a work-item that reads and writes its own has no race, one that comes to it later has', async () => {
  const body = (between: string) => `    t[l] = l;
    sum = t[l];
    t[l] = sum + 7;
    sum += t[l];
    ${between}
    if (l == 1) sum = t[0];`;
  expect(await check(body(''))).toEqual(['data-race at 8']);
  expect(await check(body(fence))).toEqual([]);
});

it('a write after reads of several is a race though one of them is its own', async () => {
  const body = (who: number) => `    if (l == 0) t[0] = 1;
    ${fence}
    if (l > 0) sum = t[0];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (l == ${who}) t[0] = 5;`;
  // The first to have read, and the last.
  expect(await check(body(1))).toEqual(['data-race at 7']);
  expect(await check(body(3))).toEqual(['data-race at 7']);
});

it('atomic operations that follow each other do not race, a plain access between them does', async () => {
  const body = (between: string) => `    t[l] = 0;
    ${fence}
    for (int k = 0; k < 3; k++) atomic_inc(&t[k]);
    ${between}
    sum = t[l];`;
  expect(await check(body(fence))).toEqual([]);
  expect(await check(body(`if (l == 2) t[1] = 9;\n${fence}`))).toEqual(['data-race at 6']);
});

it('reads beyond local memory are told once, where they are not watched, too', async () => {
  const body = `    t[l] = l;
    ${fence}
    sum = t[l + 100000];`;
  expect(await check(body)).toEqual(['out-of-bounds at 5']);
});

it('an atomic operation between two granules concerns both', async () => {
  const body = `    t[l] = 0;
    ${fence}
    if (l == 1) t[1] = 1;
    atomic_add((local int *)((local char *)t + 1), 1);`;
  // Work-item 0 was there before.
  expect(await check(body)).toContain('data-race at 5');
});
