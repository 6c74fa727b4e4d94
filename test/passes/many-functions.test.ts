/** Programs of very many functions or instructions: inlining must not multiply them until no memory is left. The campaign found it (opencl, seed 1795859429463). */
import { expect, it } from 'vitest';
import { newValue } from '../../src/ir/builder.ts';
import type * as ir from '../../src/ir/ir.ts';
import { parseModule } from '../../src/ir/parse.ts';
import { countModuleInstructions } from '../../src/ir/regions.ts';
import { inlineCalls } from '../../src/passes/scalar/inline.ts';
import { compileForTest } from '../support/run-kernel.ts';

it('all functions together grow by a million instructions at most', () => {
  // Each is called twice by each of the others, which all stay, for they are kernels.
  const statements = Array.from({ length: 40 }, (_, at) => `x = x * ${at + 3} + (x >> ${at % 7});`).join(' ');
  const kernels = Array.from(
    { length: 5000 },
    (_, at) => `kernel void k${at}(global int *p) { p[0] = f(p[1]) + f(p[2]); }`,
  );
  const module = compileForTest(`int f(int x) { ${statements} return x; }\n${kernels.join('\n')}`);
  const helper = module.functions.find(({ name }) => name === 'f')!;
  const before = countModuleInstructions(module);
  const one = countModuleInstructions({ ...module, functions: [helper] });
  expect(5000 * 2 * one).toBeGreaterThan(1_200_000);
  expect(inlineCalls(module)).toEqual([]);
  const after = countModuleInstructions(module);
  expect(after).toBeLessThan(before + 1_000_000);
  // As far as that goes they are inlined.
  expect(after).toBeGreaterThan(before + 900_000);
  expect(module.functions).toContain(helper);
}, 60_000);

it('what a function is by itself is not held against its calls', () => {
  // generic_address_space of the OpenCL-CTS: hundreds of calls with a thousand pointers each, of which the helper looks at one.
  const module = parseModule(
    `module address=32
    function @same(%x: i32) -> i32 {
      return %x
    }
    kernel @k(%p: ptr<global>) {
      %c = constant 7 : i32
      %r = call @same(%c) : i32
      store %p, %r align=4
      return
    }`,
    'test.ir',
  );
  // A text of so many lines would take longer to read than all the rest.
  const { instructions } = module.functions[1]!.body!;
  const [constant] = instructions as [ir.Constant];
  for (let count = 0; count <= 1_000_000; count += 1) {
    instructions.push({ ...constant, results: [newValue(constant.results[0]!.type)] });
  }
  instructions.push(...instructions.splice(1, 3));
  const before = countModuleInstructions(module);
  expect(inlineCalls(module)).toEqual([]);
  expect(module.functions.map(({ name }) => name)).toEqual(['k']);
  // The call and the helper's return are gone.
  expect(countModuleInstructions(module)).toBe(before - 2);
}, 60_000);
