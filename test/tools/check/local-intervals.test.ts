/** Reads of local memory that need no watching must not hide races of those that do; the reports are written by hand. */
import { beforeAll, expect, it } from 'vitest';
import { local } from '../../../src/api/javascript/arguments.ts';
import { compile } from '../../../src/api/javascript/compile.ts';
import { type FoundReport, startChecking } from '../../../src/tools/check/index.ts';

let found: FoundReport[] = [];

beforeAll(() => {
  startChecking({ report: (report) => found.push(report), timeout: 2000 });
});

/** The reports for a kernel that is run by two groups of four, each with sixteen ints of local memory. */
async function check(body: string): Promise<string[]> {
  found = [];
  const source = `kernel void f(global int *out, local int *t, local int *u) {
    int l = get_local_id(0);
    int sum = 0;
${body}
    out[get_global_id(0)] = sum;
  }`;
  const program = await compile(source, { name: 'k.cl' });
  try {
    await program.kernel('f')({ global: [8], local: [4] }, new Int32Array(8), local(64), local(64));
  } finally {
    program.release();
  }
  return found.map(({ kind, place }) => `${kind} at ${place?.line}`);
}

const fence = 'barrier(CLK_LOCAL_MEM_FENCE);';

it('tiles that are filled, awaited, read and awaited have no race', async () => {
  const tiles = (last: string) => `for (int k = 0; k < 3; k++) {
      t[l] = k + l;
      ${fence}
      for (int j = 0; j < 4; j++) {
        sum += t[j];
      }
      ${last}
    }`;
  expect(await check(tiles(fence))).toEqual([]);
  // Without the second barrier the next turn writes what others read.
  expect(await check(tiles(''))).toEqual(['data-race at 5']);
});

it('a write behind the loop races with reads that leave it', async () => {
  const body = (between: string) => `    t[l] = l;
    for (int k = 0; ; k++) {
      ${fence}
      if (k == 2) break;
      sum += t[3 - l];
    }
    ${between}
    sum += t[3 - l];
    t[l] = 7;`;
  expect(await check(body(''))).toEqual(['data-race at 11']);
  expect(await check(body('').replace('    sum += t[3 - l];\n    t[l]', '    t[l]'))).toEqual([]);
});

it('a write on one way races with reads on the other', async () => {
  const body = `    t[l] = l;
    ${fence}
    if (l > 1) sum = t[l - 2];
    else t[l] = 9;`;
  expect(await check(body)).toEqual(['data-race at 6']);
});

it('a write of one object does not concern reads of another', async () => {
  const body = `    t[l] = l;
    ${fence}
    sum = t[3 - l];
    u[l] = sum;`;
  expect(await check(body)).toEqual([]);
});

it('a write through a pointer to either concerns both', async () => {
  const body = `    t[l] = u[l] = l;
    ${fence}
    local int *either = get_num_groups(0) == 2 ? t : u;
    sum = t[3 - l];
    either[l] = l + 20;`;
  // Work-item 2 reads what work-item 1 has written.
  expect(await check(body)).toEqual(['data-race at 7']);
});

it('a barrier for global memory alone does not part reads from writes', async () => {
  const body = `    t[l] = l;
    ${fence}
    sum = t[3 - l];
    barrier(CLK_GLOBAL_MEM_FENCE);
    t[l] = 9;`;
  expect(await check(body)).toEqual(['data-race at 8']);
});

it('what the group has not written is found where nobody writes', async () => {
  const body = (index: string) => `    t[l] = l;
    ${fence}
    sum = t[${index}];`;
  expect(await check(body('l + 1'))).toEqual(['uninitialised at 6']);
  expect(found[0]).toMatchObject({ workItem: { local: [3, 0, 0] }, object: { name: 't' } });
  const vector = `    t[l] = l;
    ${fence}
    sum = vload4(0, t + (l & 1)).w;`;
  expect(await check(vector)).toEqual(['uninitialised at 6']);
});
