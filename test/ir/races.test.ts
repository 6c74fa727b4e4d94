/** What depends on the order of work-items is found, and what does not is left alone. */
import { describe, expect, it } from 'vitest';
import { copyOf, imageOf } from '../support/images.ts';
import { buffer, compileForTest, runOnInterpreter, value } from '../support/run-kernel.ts';

/** Runs `body` for 8 work-items in groups of 4 over two buffers of ints, and gives what was complained of. */
function complaint(body: string, group = 4): string | undefined {
  const module = compileForTest(`
    kernel void k(global int *a, global int *b, int n) {
      local int shared[8];
      int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0);
      ${body}
    }`);
  const args = [buffer(Int32Array.from([9, 8, 7, 6, 5, 4, 3, 2])), buffer(new Int32Array(8)), value.int(8)];
  try {
    runOnInterpreter(module, 'k', { global: [8], local: [group] }, args, { checkRaces: true });
  } catch (error) {
    return (error as Error).message.replace(/^.*work-item \(\d, 0, 0\): /, '');
  }
  return undefined;
}

const barrier = 'barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);';

describe('has one outcome', () => {
  it.each([
    ['each its own element', 'b[i] = a[i]; b[i] += a[i];'],
    ['many readers', 'b[i] = a[0] + a[7];'],
    ['the same value from all', 'b[0] = 5;'],
    ['what is there already', 'a[0] = 9; b[i] = a[0];'],
    [
      'local memory between barriers',
      `shared[l] = i; ${barrier} b[i] = shared[3 - l]; ${barrier} shared[0] = i & 4;`,
    ],
    ['global memory of a group between barriers', `b[i] = i; ${barrier} a[i] = b[4 * g + 3 - l];`],
    ['readers, a barrier, a writer', `int x = a[4 * g]; ${barrier} a[i] = x;`],
    ['atomic sums', 'atomic_add(&b[0], i); atomic_max(&b[1], i);'],
    [
      'an atomic sum, a barrier, a reader',
      `if (l == 0) shared[0] = 0; ${barrier} atomic_inc(&shared[0]); ${barrier} b[i] = shared[0];`,
    ],
    ['an old value that nobody else changes', 'b[i] = atomic_xchg(&a[i], 3);'],
  ])('%s', (_, body) => {
    expect(complaint(body)).toBeUndefined();
  });
});

describe('depends on the order', () => {
  it.each([
    [
      'two writers',
      'b[0] = i;',
      "race: it writes byte 0 of 'buffer', which another work-item writes another value to with no",
    ],
    [
      'a reader after a writer',
      'b[i] = i; a[i] = b[i ^ 1];',
      "race: it writes byte 4 of 'buffer', which another work-item reads",
    ],
    [
      'a writer after readers',
      'b[i] = a[7]; if (i == 7) a[7] = 1;',
      "race: it writes byte 28 of 'buffer', which another work-item reads",
    ],
    [
      'another group behind a barrier',
      `b[i] = i; ${barrier} a[i] = b[7 - i];`,
      "race: it writes byte 16 of 'buffer', which another work-item reads",
    ],
    [
      'a missing barrier',
      'shared[l] = i; b[i] = shared[3 - l];',
      "race: it writes byte 8 of 'shared', which another work-item reads",
    ],
    [
      'an atomic sum that is looked at',
      'atomic_inc(&b[0]); a[i] = b[0];',
      "race: it changes byte 0 of 'buffer', which another work-item reads",
    ],
    [
      'a plain and an atomic writer',
      'if (i == 0) b[0] = 3; else atomic_add(&b[0], 1);',
      "race: it changes byte 0 of 'buffer', which another work-item writes",
    ],
    ['places by atomic_inc', 'a[atomic_inc(&b[0])] = i;', 'the order of atomic operations decides: several'],
    ['the last atomic_xchg', 'atomic_xchg(&b[0], i);', 'the order of atomic operations decides: several'],
    [
      'a group that reads what all groups add',
      `atomic_add(&b[0], i); ${barrier} a[i] = b[0];`,
      "race: it changes byte 0 of 'buffer', which another work-item reads",
    ],
  ])('%s', (_, body, expected) => {
    expect(complaint(body)).toContain(expected);
  });

  it('is said with the place and the work-item', () => {
    const module = compileForTest('kernel void k(global int *a) {\n  a[0] = get_global_id(0) + 1;\n}');
    const run = () =>
      runOnInterpreter(module, 'k', { global: [2], local: [1] }, [buffer(new Int32Array(1))], {
        checkRaces: true,
      });
    expect(run).toThrow("test.cl:2:3: kernel 'k', work-item (1, 0, 0): race: it writes byte 0 of 'buffer'");
  });
});

it('images are memory too', () => {
  const image = imageOf('image1d_t', ['R', 'UNSIGNED_INT8'], [8]);
  const written = (coordinate: string): (() => void) => {
    const source = `kernel void k(write_only image1d_t image) {
      uint i = get_global_id(0);
      write_imageui(image, ${coordinate}, (uint4)(i + 1));
    }`;
    const range = { global: [8], local: [4] };
    return () => runOnInterpreter(compileForTest(source), 'k', range, [copyOf(image)], { checkRaces: true });
  };
  expect(written('i')).not.toThrow();
  expect(written('i / 2')).toThrow(/byte 0 of 'pixels'/);
});
