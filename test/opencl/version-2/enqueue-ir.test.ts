// What the front end makes of a block that is enqueued, in the IR's text form, which is read back and stored.
import { expect, it } from 'vitest';
import { BinaryError } from '../../../src/ir/binary/bytes.ts';
import { readModule } from '../../../src/ir/binary/read.ts';
import { writeModule } from '../../../src/ir/binary/write.ts';
import { parseModule } from '../../../src/ir/parse.ts';
import { printModule } from '../../../src/ir/print.ts';
import { assertValid, verifyModule } from '../../../src/ir/verify.ts';
import { optimise } from '../../../src/passes/pipeline.ts';
import { wasm } from '../../../src/target/wasm.ts';
import { compileForTest } from '../../support/run-kernel.ts';

const source = `
  kernel void k(global int *out, queue_t queue) {
    int x = out[0];
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4),
                   ^(local void *p) { *(local int *)p = x; out[1] = x; }, 4u);
  }`;
const compile = () => compileForTest(source, '-cl-std=CL2.0');

it('a kernel of its own, whose first parameter is the captures', () => {
  const module = compile();
  const text = printModule(module);
  const after = text.slice(text.indexOf('kernel @k.block1.kernel'));
  expect(after.slice(0, after.indexOf('}') + 1)).toMatchInlineSnapshot(`
    "kernel @k.block1.kernel(%captures: ptr<constant> aggregate(8, 4), %p: ptr<local>) cut_groups block {
      %0 = load %captures align=4 : i32
      %1 = constant 4 : i32
      %2 = offset %captures, %1 : ptr<constant>
      %3 = load %2 align=4 : ptr<global>
      call @k.block1(%0, %3, %p)
      return
    }"
  `);
  expect(text.match(/call @queue.*/)?.[0]).toMatchInlineSnapshot(
    `"call @queue.enqueue_kernel(%k.block1.kernel, %6, %7, %44, %41, %42, %43, %45, %46) : i32"`,
  );
  expect(text).toContain('%queue: i32 info("queue", "queue_t", queue)');
  expect(printModule(parseModule(text))).toBe(text);
});

it('is valid after every pass, and keeps its marks in binaries', () => {
  const bytes = writeModule(compile());
  const read = readModule(bytes);
  expect([...writeModule(read)]).toEqual([...bytes]);
  expect(read.functions.find(({ name }) => name === 'k.block1.kernel')?.attributes?.isBlock).toBe(true);
  expect(read.functions.find(({ name }) => name === 'queue.enqueue_kernel')?.imported).toEqual({
    module: 'queue',
    name: 'enqueue_kernel',
  });
  for (const module of [read, compile()])
    optimise(module, { verify: assertValid, target: wasm, vectorise: { lanes: 8 } });
  expect(verifyModule(read)).toEqual([]);
});

it('a binary that asks for what no device supplies is refused', () => {
  const module = compile();
  const enqueue = module.functions.find(({ imported }) => imported !== undefined)!;
  enqueue.imported = { module: 'queue', name: 'format_disk' };
  expect(() => readModule(writeModule(module))).toThrow(BinaryError);
  enqueue.imported = { module: 'queue', name: 'enqueue_marker' };
  expect(() => readModule(writeModule(module))).toThrow(BinaryError);
});
