// What OpenCL C 2.0 adds to the IR, through its text and binary forms and past the verifier.
import { expect, it } from 'vitest';
import { readModule } from '../../../src/ir/binary/read.ts';
import { writeModule } from '../../../src/ir/binary/write.ts';
import { parseModule } from '../../../src/ir/parse.ts';
import { printModule } from '../../../src/ir/print.ts';
import { verifyModule } from '../../../src/ir/verify.ts';
import { optimise } from '../../../src/passes/pipeline.ts';
import { wasm } from '../../../src/target/wasm.ts';
import { compileForTest } from '../../support/run-kernel.ts';

const source = `
  int kept = 3;
  kernel void k(global int *out, local int *l, int n) {
    int x = get_local_id(0);
    int *p = n > 2 ? (int *)l : (int *)out;
    if (to_local(p + x)) p[x] = get_enqueued_local_size(0);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    x += work_group_reduce_add(*p) + sub_group_broadcast(x, 3) + work_group_broadcast(x, n);
    out[x] = work_group_scan_exclusive_max(x) + kept++;
  }`;

it('both forms keep it', () => {
  const module = compileForTest(source, '-cl-std=CL2.0');
  const lowered = printModule(module);
  for (const word of [
    'in_space',
    'collective reduce',
    'collective broadcast',
    'scan_exclusive',
    ') sub-group',
    'cut_groups',
  ])
    expect(lowered).toContain(word);
  expect(printModule(parseModule(lowered))).toBe(lowered);
  // The names of values stay behind.
  const bytes = writeModule(module);
  const read = readModule(bytes);
  expect([...writeModule(read)]).toEqual([...bytes]);
  const operations = (text: string) =>
    text.match(/collective .*|in_space|sub-group|cut_groups|enqueued_local_size/g);
  expect(operations(printModule(read))?.length).toBe(operations(lowered)?.length);
  optimise(module, { target: wasm });
  const optimised = printModule(module);
  for (const word of ['copies_address', 'combine iadd']) expect(optimised).toContain(word);
  expect(printModule(parseModule(optimised))).toBe(optimised);
  expect(verifyModule(module)).toEqual([]);
});

const wrong = (body: string, head = 'work-group'): readonly string[] =>
  verifyModule(
    parseModule(`module address=32\n\nkernel @k(%p: ptr<global>) ${head} {\n${body}\n  return\n}\n`),
  );

it.each([
  [
    'a collective in work-group form',
    '  %0 = constant 1 : i32\n  %1 = collective reduce %0 iadd work-group : i32',
    'work-group form',
  ],
  [
    'a sum of floats made of integers',
    '  %0 = constant 1.0 : f32\n  %1 = collective reduce %0 iadd work-group : f32',
    'reduce of f32',
    '',
  ],
  ['a question about a pointer that is not generic', '  %0 = in_space %p local : bool', 'generic', ''],
  [
    'copies that do not lie by elements',
    '  %0 = variable private "v" size=4 align=4 per_item : ptr<private>\n  %1 = copies_address %0 : ptr<private>',
    'by elements',
  ],
  [
    'a slot of its own read outside',
    '  context_array $s : i32\n  %0 = context_read $s : i32',
    'outside work_item_loop',
  ],
])('the verifier finds %s', (_, body = '', message = '', head = 'work-group') => {
  expect(wrong(body, head).join('\n')).toContain(message);
});
