/**
 * Generated programs in five languages: all compute what JavaScript computes, and one that fails is made small. Needs the built dist/.
 */
import { devices } from 'millrace';
import { describe, expect, it } from 'vitest';
import { asOpenCL12 } from '../../conformance/dialects/as-c.ts';
import { checkCommon, pairsOf, reportOf } from '../../conformance/dialects/check.ts';
import { evaluateCommon } from '../../conformance/dialects/evaluate.ts';
import { generateCommon } from '../../conformance/dialects/generate.ts';
import { reduceCommon } from '../../conformance/dialects/reduce.ts';
import type { CommonProgram, Expression } from '../../conformance/dialects/tree.ts';

const own = devices().filter(({ id }) => id === 'wasm' || id === 'interpreter');

describe('generated programs in every language', () => {
  it('are there in five of them', () => {
    const names = new Set(pairsOf(own).map(([{ name }]) => name));
    expect([...names]).toEqual(['OpenCL C 1.2', 'OpenCL C 2.0', 'Brook+', 'AMD IL', 'C host']);
    expect(generateCommon(5)).toEqual(generateCommon(5));
    expect(asOpenCL12(generateCommon(5))).not.toBe(asOpenCL12(generateCommon(6)));
  });

  it('compute alike on our own devices', { timeout: 300_000 }, async () => {
    for (let seed = 1; seed <= 12; seed += 1) {
      const program = generateCommon(seed);
      const failure = await checkCommon(program, own);
      if (failure) throw new Error(`seed ${seed}: ${await reportOf(program, failure, 30_000)}`);
    }
  });

  it('do not compute the same for every seed and work-item', () => {
    const results = new Set<number>();
    for (let seed = 1; seed <= 20; seed += 1)
      for (const value of evaluateCommon(generateCommon(seed))) results.add(value);
    expect(results.size).toBeGreaterThan(200);
  });
});

/** What a compiler would make of a program that takes `x ^ y` for `x | y`. */
function withFault(program: CommonProgram): CommonProgram {
  const changed = <T>(part: T): T => {
    if (Array.isArray(part)) return part.map(changed) as T;
    if (ArrayBuffer.isView(part) || typeof part !== 'object' || part === null) return part;
    const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, changed(value)]));
    return (copy['kind'] === 'binary' && copy['op'] === '^' ? { ...copy, op: '|' } : copy) as T;
  };
  return changed(program);
}

describe('the reducer', () => {
  const fails = (program: CommonProgram): boolean => {
    const [right, wrong] = [evaluateCommon(program), evaluateCommon(withFault(program))];
    return right.some((value, item) => value !== wrong[item]);
  };
  const failing = Array.from({ length: 400 }, (_, seed) => generateCommon(seed)).filter(fails);

  it('leaves one operator of a program of which one operator is compiled wrong, and one work-item', async () => {
    expect(failing.length).toBeGreaterThan(20);
    for (const program of failing.slice(0, 20)) {
      const small = await reduceCommon(program, fails, 60_000);
      expect(fails(small)).toBe(true);
      expect(small.inputs[0]).toHaveLength(1);
      expect(operatorsOf(small)).toEqual(['^']);
      // Bits that both have: 1 and 1 are the smallest numbers that have one.
      expect(asOpenCL12(small).length).toBeLessThan(400);
    }
  });

  it('takes everything away from what always fails, and nothing from what fails in one form only', async () => {
    const program = generateCommon(3);
    const least = await reduceCommon(program, () => true);
    expect(least.main.body).toEqual([]);
    expect(least.helpers).toEqual([]);
    expect(least.main.variables).toEqual([]);
    expect(least.main.result).toEqual({ kind: 'constant', type: 'int', value: 0 });
    expect(await reduceCommon(program, (candidate) => candidate === program)).toBe(program);
  });

  it('takes parameters of helpers away with what calls pass for them', async () => {
    const program = Array.from({ length: 50 }, (_, seed) => generateCommon(seed)).find(
      ({ helpers, main }) => helpers.length === 1 && JSON.stringify(main).includes('"call"'),
    )!;
    const small = await reduceCommon(program, ({ main }) => JSON.stringify(main).includes('"call"'));
    expect(small.helpers).toHaveLength(1);
    expect(small.helpers[0]!.parameters).toEqual([]);
    expect(JSON.stringify(small.main)).toContain('"args":[]');
  });
});

/** Every operator of the program's expressions. */
function operatorsOf(program: CommonProgram): string[] {
  const found: string[] = [];
  const look = (part: unknown): void => {
    if (ArrayBuffer.isView(part) || typeof part !== 'object' || part === null) return;
    if (!Array.isArray(part) && (part as Expression).kind === 'binary')
      found.push((part as { op: string }).op);
    for (const value of Object.values(part)) look(value);
  };
  look(program);
  return found;
}
