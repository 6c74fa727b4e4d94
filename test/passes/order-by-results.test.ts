/** Straight vector code that computes a few results at a time, and how much of it goes through memory. */
import { describe, expect, it } from 'vitest';
import type * as ir from '../../src/ir/ir.ts';
import { parseModule } from '../../src/ir/parse.ts';
import { walkFunction } from '../../src/ir/walk.ts';
import { vectorRegion } from '../../src/ir/work-item-loops.ts';
import { spillsOf } from '../../src/passes/analysis/cost/spills.ts';
import { orderByResults } from '../../src/passes/vectorize/emit/order-by-results.ts';
import { hasVectors, type VectorTarget } from '../../src/target/target.ts';
import { wasm } from '../../src/target/wasm.ts';
import { buffer, compileForTest, wasmRunner } from '../support/run-kernel.ts';
import { afterPass } from './run-stages.ts';

if (!hasVectors(wasm)) throw new Error('wasm has vectors');
const target: VectorTarget = wasm;

/** Four registers of four floats each. */
const small: VectorTarget = {
  ...target,
  vectors: { ...target.vectors, registers: 4, allocatable: 4 },
};

/** Sums in context arrays, to each of which `rounds` products of what is loaded are added. */
function sums(count: number, rounds: number, between = ''): string {
  const lines: string[] = [];
  const indices = Array.from({ length: count }, (_, at) => at);
  for (const at of indices) lines.push(`%s${at}.0 = context_read $s${at} : f32x4`);
  for (let round = 0; round < rounds; round += 1) {
    lines.push(
      `%o${round} = constant ${16 * round} : i32`,
      `%p${round} = offset %p, %o${round} : ptr<global>`,
    );
    lines.push(`%a${round} = load %p${round} align=4 : f32x4`, between);
    for (const at of indices) lines.push(`%s${at}.${round + 1} = fadd %s${at}.${round}, %a${round} : f32x4`);
  }
  for (const at of indices) lines.push(`context_write $s${at}, %s${at}.${rounds}`);
  return `kernel @test(%p: ptr<global>) work-group {
    ${indices.map((at) => `context_array $s${at} : f32`).join('\n')}
    work_item_loop {
      yield
    } vector 4 {
      ${lines.filter((line) => line !== '').join('\n')}
      yield
    }
    return
  }`;
}

function vectorCode(text: string): ir.Instruction[] {
  let found: ir.Instruction[] = [];
  walkFunction(
    parseModule(text.includes('module') ? text : `module address=32\n${text}`).functions[0]!,
    (one) => {
      if (one.op === 'work_item_loop') found = vectorRegion(one)!.instructions.slice(0, -1);
    },
  );
  return found;
}

/** A list that counts how many instructions are copied out of it. */
class CountedList extends Array<ir.Instruction> {
  copied = 0;

  override slice(from?: number, end?: number): ir.Instruction[] {
    const copy = Array.from(this).slice(from, end);
    this.copied += copy.length;
    return copy;
  }
}

/** The order of context reads and writes: `r0 w0 r1 w1`. */
const order = (text: string, machine: VectorTarget): string =>
  vectorCode(afterPass(text, (fn) => orderByResults(fn, machine)))
    .flatMap((one) =>
      one.op === 'context_read' || one.op === 'context_write'
        ? [`${one.op === 'context_read' ? 'r' : 'w'}${one.contextArray.name.slice(1)}`]
        : [],
    )
    .join(' ');

describe('what goes through memory', () => {
  it('looks behind runs only where they have too many results: the time for many runs grows with their number', () => {
    const count = 500;
    const stores = Array.from({ length: count }, () => 'store %p, %v align=4').join('\n');
    const module = parseModule(`module address=32
      kernel @test(%p: ptr<global>) work-group {
        work_item_loop {
          yield
        } vector 4 {
          %v = load %p align=4 : f32x4
          ${stores}
          yield
        }
        return
      }`);
    let list: CountedList | undefined;
    walkFunction(module.functions[0]!, (one) => {
      if (one.op !== 'work_item_loop') return;
      const region = vectorRegion(one)!;
      list = CountedList.from(region.instructions) as CountedList;
      region.instructions = list;
    });
    expect(orderByResults(module.functions[0]!, target)).toBe(false);
    expect(list!.length).toBe(count + 2);
    expect(list!.copied).toBeLessThan(4 * count);
  });

  it.each([
    ['three sums and what is added to them', 3, 2, 0],
    ['one sum', 1, 8, 0],
  ])('is nothing of %s in four registers', (_, count, rounds, expected) => {
    expect(spillsOf(vectorCode(sums(count, rounds)), new Set(), small.vectors)).toBe(expected);
  });

  it('is two values stored and loaded where five are wanted at a time', () => {
    // Four sums are there when %a0 comes: the last gives way. It comes back to be added to, while the new sums and %a0 fill the registers:
    // one of these gives way until it is written.
    expect(spillsOf(vectorCode(sums(4, 1)), new Set(), small.vectors)).toBe(4);
  });

  it('counts what is wanted behind it', () => {
    const code = vectorCode(sums(3, 1));
    const loaded = code.find(({ op }) => op === 'load')!.results[0]!;
    expect(spillsOf(code, new Set(), small.vectors)).toBe(0);
    expect(spillsOf([...code, ...vectorCode(sums(4, 1))], new Set([loaded]), small.vectors)).toBeGreaterThan(
      2,
    );
  });
});

describe('the order', () => {
  it('is of two sums at a time where six do not fit', () => {
    expect(order(sums(6, 8), small)).toBe('r0 r1 w0 w1 r2 r3 w2 w3 r4 r5 w4 w5');
  });

  it.each([
    ['all fits', sums(6, 8), target],
    ['there is little to gain', sums(5, 1), small],
    ['something may write what is loaded', sums(6, 8, 'store %p, %p align=4'), small],
    ['it waits for others', sums(6, 8, 'fence (global) acq_rel device'), small],
  ])('stays where %s', (_, text, machine) => {
    const before = order(text, { ...machine, vectors: { ...machine.vectors, allocatable: 100 } });
    expect(order(text, machine)).toBe(before);
  });

  it('keeps reads of a context array before what overwrites it', () => {
    // Each sum is kept where the one before was read.
    const text = sums(6, 8).replace(
      /context_write \$s(\d)/g,
      (_, at) => `context_write $s${(Number(at) + 1) % 6}`,
    );
    const found = order(text, small).split(' ');
    for (let at = 0; at < 6; at += 1) expect(found.indexOf(`r${at}`)).toBeLessThan(found.indexOf(`w${at}`));
  });
});

it('leaves what sixteen sums of a work-item are', () => {
  const source = `kernel void test(global const float *a, global const float *b, global float *c, local float *row) {
    int x = get_local_id(0);
    float s[16];
    for (int j = 0; j < 16; j++) s[j] = j;
    for (int t = 0; t < 3; t++) {
      row[x] = b[t * 16 + x];
      barrier(1);
      for (int k = 0; k < 4; k++) for (int j = 0; j < 16; j++) s[j] += a[(4 * t + k) * 16 + x] * row[(j + k) & 15];
      barrier(1);
    }
    for (int j = 0; j < 16; j++) c[j * 16 + x] = s[j];
  }`;
  const a = Float32Array.from({ length: 192 }, (_, at) => (at * 7) % 13);
  const b = Float32Array.from({ length: 48 }, (_, at) => (at * 5) % 11);
  const c = new Float32Array(256);
  wasmRunner(compileForTest(source))('test', { global: [16], local: [16] }, [
    buffer(a),
    buffer(b),
    buffer(c),
    { local: 64 },
  ]);
  const expected = Array.from(c, (_, at) => {
    const [j, x] = [Math.floor(at / 16), at % 16];
    let s = j;
    for (let t = 0; t < 3; t += 1) {
      for (let k = 0; k < 4; k += 1) s += a[(4 * t + k) * 16 + x]! * b[t * 16 + ((j + k) & 15)]!;
    }
    return s;
  });
  expect([...c]).toEqual(expected);
});
