/** Loops whose own iterations run together where work-items run one by one: which they are, and that they leave the same. */
import { describe, expect, it } from 'vitest';
import { findDefinitions } from '../../src/ir/definitions.ts';
import type * as ir from '../../src/ir/ir.ts';
import { lanesOf as lanesOfType } from '../../src/ir/types.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { walkFunction } from '../../src/ir/walk.ts';
import { Memory } from '../../src/passes/analysis/alias.ts';
import { optimise, prepareForVectorising } from '../../src/passes/pipeline.ts';
import { findVectorLoops } from '../../src/passes/vectorize/loops/vector-loops.ts';
import type { VectorTarget } from '../../src/target/target.ts';
import { wasm } from '../../src/target/wasm.ts';
import { x64 } from '../../src/target/x64.ts';
import { buffer, compileForTest, value, wasmRunner } from '../support/run-kernel.ts';

/** A work-item for each row: neighbours would gather. */
const kernel = (body: string, type = 'float', more = ''): string => `
kernel void test(global ${type} *a, global const ${type} *b, int n, int pitch${more}) {
  int row = get_global_id(0) * pitch;
  ${type} factor = b[get_global_id(0)];
  ${body}
}`;

const scaled = 'for (int i = 0; i < n; i++) a[row + i] = factor * a[row + i];';

/** How many iterations of each loop may run together on a machine, as vector-loops.ts finds them. */
function lanesOf(source: string, target: VectorTarget = wasm as VectorTarget): number[] {
  const module = compileForTest(source);
  prepareForVectorising(module, { target, verify: assertValid });
  const [fn] = module.functions as [ir.Function];
  const definitions = findDefinitions(fn.body!);
  const found = findVectorLoops(fn.body!, definitions, new Memory(fn, definitions), target.vectors);
  return [...found.values()].map(({ lanes }) => lanes);
}

describe('iterations run together', () => {
  it.each([
    ['what each computes of its own place', scaled, 8],
    ['rows of one array that may meet', 'for (int i = 0; i < n; i++) a[row + i] -= factor * a[3 + i];', 8],
    ['unsigned counters', scaled.replace('int i', 'uint i'), 8],
    ['choices', 'for (int i = 0; i < n; i++) a[row + i] = a[row + i] > factor ? factor : 1.0f;', 8],
    ['a value of all iterations', 'for (int i = 0; i < n; i++) a[row + i] = factor;', 8],
  ])('%s', (_, body, expected) => {
    expect(lanesOf(kernel(body))).toEqual([expected]);
  });

  it('two registers of a machine, by what elements take of them', () => {
    expect(lanesOf(kernel(scaled), x64 as VectorTarget)).toEqual([16]);
    expect(lanesOf(kernel(scaled, 'double'))).toEqual([4]);
    expect(lanesOf(kernel('for (int i = 0; i < n; i++) a[row + i] ^= i;', 'int'))).toEqual([8]);
  });
});

describe('iterations run one after another', () => {
  it.each([
    ['a sum', 'float s = 0; for (int i = 0; i < n; i++) s += a[row + i]; a[row] = s;'],
    ['what the one before has stored', 'for (int i = 1; i < n; i++) a[row + i] += a[row + i - 1];'],
    ['what the one behind would load', 'for (int i = 0; i < n; i++) a[row + i] += a[row + i + 1];'],
    ['one place that may be among those stored', 'for (int i = 0; i < n; i++) a[row + i] *= a[2];'],
    ['places apart', 'for (int i = 0; i < n; i++) a[row + 2 * i] *= factor;'],
    ['larger steps', scaled.replace('i++', 'i += 2')],
    ['another way out', 'for (int i = 0; i < n && a[row + i] > 0; i++) a[row + i] *= factor;'],
    ['a condition', 'for (int i = 0; i < n; i++) if (a[row + i] > 0) a[row + i] *= factor;'],
    ['what the programmer does not want', `#pragma unroll 1\n${scaled}`],
    ['what others are to see', scaled.replaceAll('a[row', '((volatile global float *)a)[row')],
  ])('%s', (_, body) => {
    expect(lanesOf(kernel(body))).toEqual([]);
  });
});

it('what is left of long vectors runs in short ones', () => {
  const lanesStored = (source: string, target: VectorTarget): number[] => {
    const module = compileForTest(source);
    optimise(module, { target, verify: assertValid });
    const lanes: number[] = [];
    walkFunction(module.functions[0]!, (instruction) => {
      if (instruction.op === 'store') lanes.push(lanesOfType(instruction.operands[1]!.type));
    });
    return lanes.filter((one) => one > 1);
  };
  expect(lanesStored(kernel(scaled), x64 as VectorTarget)).toEqual([16, 4]);
  expect(lanesStored(kernel(scaled), wasm as VectorTarget)).toEqual([8, 4]);
  expect(lanesStored(kernel(scaled, 'double'), wasm as VectorTarget)).toEqual([4, 2]);
});

it('the planner takes them where neighbours would gather', () => {
  const isVector = (module: ir.Module): boolean => {
    let found = false;
    walkFunction(module.functions[0]!, (instruction) => {
      if (instruction.op === 'work_item_loop') expect(instruction.lanes).toBe(undefined);
      found ||= instruction.op === 'store' && instruction.operands[1]!.type.kind === 'vector';
    });
    return found;
  };
  for (const vectorise of [true, false]) {
    const module = compileForTest(kernel(scaled));
    optimise(module, { target: wasm, vectorise, verify: assertValid });
    expect(isVector(module)).toBe(vectorise);
  }
});

/** What is left of an array of integers, by the letter of C: one iteration after another. */
type Reference = (a: Int32Array, row: number, n: number, factor: number, shift: number) => void;

const loops: readonly [string, string, Reference][] = [
  [
    'a row less another one, wherever that is',
    'for (int i = 0; i < n; i++) a[row + i] -= factor * a[row + shift + i];',
    (a, row, n, factor, shift) => {
      for (let i = 0; i < n; i += 1) a[row + i] = a[row + i]! - Math.imul(factor, a[row + shift + i]!);
    },
  ],
  [
    'two stores in turn',
    'for (int i = 0; i < n; i++) { a[row + i] += i; a[row + shift + i] ^= factor; }',
    (a, row, n, factor, shift) => {
      for (let i = 0; i < n; i += 1) {
        a[row + i] = a[row + i]! + i;
        a[row + shift + i] = a[row + shift + i]! ^ factor;
      }
    },
  ],
  [
    'choices and counters below zero',
    'for (int i = -9; i < n - 9; i++) a[row + 9 + i] = i < 0 ? a[row + shift + 9 + i] << 3 : i * 3 - factor;',
    (a, row, n, factor, shift) => {
      for (let i = -9; i < n - 9; i += 1)
        a[row + 9 + i] = i < 0 ? a[row + shift + 9 + i]! << 3 : Math.imul(i, 3) - factor;
    },
  ],
];

describe.each(loops)('%s', (_, body, reference) => {
  it('is right for all lengths and distances', () => {
    const launch = wasmRunner(compileForTest(kernel(body, 'int', ', int shift')));
    const middle = 40;
    for (const n of [-1, 0, 1, 7, 8, 9, 15, 16, 17, 31, 33]) {
      for (let shift = -20; shift <= 20; shift += 1) {
        const a = Int32Array.from({ length: 128 }, (_, at) => Math.imul(at + 1, 0x9e3779b1));
        const b = Int32Array.of(0, 0x1234567);
        const expected = a.slice();
        reference(expected, middle, n, b[1]!, shift);
        // One work-item, the second, whose row is in the middle of the array.
        const range = { global: [1], local: [1], offset: [1] };
        launch('test', range, [buffer(a), buffer(b), ...[n, middle, shift].map(value.int)]);
        expect(a).toEqual(expected);
      }
    }
  });
});
