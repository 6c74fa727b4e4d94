/** What is taken out of work-item loops, and what must stay. */
import { expect, it } from 'vitest';
import { parseModule } from '../../src/ir/parse.ts';
import { printFunction } from '../../src/ir/print.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { liftFirstItem } from '../../src/passes/workgroup/lift-first-item.ts';
import { writeKernel } from './kernel-writer.ts';
import { expectSameThroughout, numbers } from './run-stages.ts';

/** The body of a kernel whose work-items do this, once the pass has seen it. */
function lifted(items: string): string {
  const module = parseModule(
    `module address=32
kernel @k(%p: ptr<global>, %n: i32) work-group {
  context_array $s : i32
  %zero = constant 0 : i32
  work_item_loop {
${items}
    yield
  }
  return
}`,
    'test.ir',
  );
  liftFirstItem(module.functions[0]!);
  assertValid(module, 'lift-first-item');
  const lines = printFunction(module.functions[0]!).split('\n').slice(3, -3);
  return lines.map((line) => line.trim()).join('\n');
}

const first = (body: string, behind = ''): string => `
    %item = query linear_local_id : i32
    %is = eq %item, %zero : bool
    if %is {
      ${body}
      yield
    } else {
      yield
    }
    ${behind}`;

const store = 'store %p, %n align=4';

it('what the first work-item does comes before all, and work-item loops goes if nothing is left', () => {
  expect(lifted(first(store))).toBe('store %p, %n align=4');
  const rest = '%id = query local_id 0 : i32\n    context_write $s, %id';
  expect(lifted(first(store, rest))).toBe(
    [
      'store %p, %n align=4',
      'work_item_loop {',
      '%item = query linear_local_id : i32',
      '%is = eq %item, %zero : bool',
      '%id = query local_id 0 : i32',
      'context_write $s, %id',
      'yield',
      '}',
    ].join('\n'),
  );
});

it('values that it takes are computed for the first work-item', () => {
  const text = lifted(`
    %own = query linear_local_id : i32
    %value = iadd %own, %n : i32
${first('store %p, %value align=4')}`);
  expect(text).toMatch(/^(%\S+) = constant 0 : i32\n(%\S+) = iadd \1, %n : i32\nstore %p, \2 align=4$/);
});

it.each([
  [
    'has a value that it must ask a work-item for',
    `%g = query global_id 0 : i32\n${first('store %p, %g align=4')}`,
  ],
  ['comes behind a store', `${store}\n${first(store)}`],
  ['keeps something for the work-item', first('context_write $s, %n')],
  [
    'has something for the others to do',
    first(store).replace(/else \{\s+yield/, `else {\n ${store}\n yield`),
  ],
  ['is of another work-item', first(store).replace('eq %item, %zero', 'eq %item, %n')],
])('stays where it %s', (_, items) => {
  expect(lifted(items)).toMatch(/^work_item_loop/);
});

it('in kernels with barriers, the same is computed before and after', () => {
  const kernel = writeKernel((k) => {
    const once = (value: number) =>
      k.if(k.eq(k.item(), 0), () => k.store(k.local, 0, k.add(k.load(k.local, 0), value)));
    once(5);
    k.barrier();
    k.for('i', 0, 3, (i) => {
      once(2);
      k.barrier();
      k.store(k.output, k.globalItem(), k.add(k.load(k.local, 0), k.get(i)));
      k.barrier();
    });
  });
  expectSameThroughout(kernel, { global: [8], local: [4] }, { input: numbers(8), n: 1 });
});
