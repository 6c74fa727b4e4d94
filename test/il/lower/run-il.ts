/**
 * Runs IL programs in tests: on the interpreter from the IR as it was lowered, also as debuggers want it, and as WebAssembly after all passes, four work-items at
 * once and the rest one by one. Both must
 * leave the same bytes.
 */
import { expect, it } from 'vitest';
import { compileIl } from '../../../src/build/compile-il.ts';
import { type Bindings, kernelName, type LoweredProgram } from '../../../src/il/lower/interface.ts';
import type { LowerIlOptions } from '../../../src/il/lower/lower.ts';
import { verifyModule } from '../../../src/ir/verify.ts';
import {
  argumentsOf,
  bindingsOf,
  bytesOf,
  type IlRun,
  type Numbers,
  rangeOf,
} from '../../support/launch-il.ts';
import { runOnInterpreter, wasmRunner } from '../../support/run-kernel.ts';

export type { IlRun, TestResource } from '../../support/launch-il.ts';

/** Compiles, or throws with what the compiler says. */
export function loweredIl(
  text: string,
  bindings: Bindings = {},
  options: LowerIlOptions = {},
): LoweredProgram {
  const { program, log } = compileIl(text, { name: 'a.il', bindings, ...options });
  if (!program) throw new Error(`the program does not compile:\n${log}`);
  expect(verifyModule(program.module)).toEqual([]);
  return program;
}

/** Errors and warnings of a program that is not to run. */
export const compileLog = (text: string): string => compileIl(text, { name: 'a.il' }).log;

/** Runs a program; outputs, the global buffer and uavs are changed in place. */
export function runIl(text: string, run: IlRun): void {
  const bindings = bindingsOf(run);
  const written = [
    ...[...Object.values(run.outputs ?? {}), ...Object.values(run.typedUavs ?? {})].map(({ data }) => data),
    ...Object.values(run.uavs ?? {}),
  ];
  if (run.global) written.push(run.global);
  const before = written.map(bytesOf).map((bytes) => bytes.slice());

  const program = loweredIl(text, bindings);
  runOnInterpreter(program.module, kernelName, rangeOf(program, run), argumentsOf(program, run));
  const expected = written.map(bytesOf).map((bytes) => bytes.slice());

  // What debuggers run leaves the same.
  for (const [index, array] of written.entries()) bytesOf(array).set(before[index]!);
  const kept = loweredIl(text, bindings, { keepsRegisters: true });
  runOnInterpreter(kept.module, kernelName, rangeOf(kept, run), argumentsOf(kept, run));
  expectSame(written, expected, `with registers kept it differs:\n${text}`);

  for (const [index, array] of written.entries()) bytesOf(array).set(before[index]!);
  const again = loweredIl(text, bindings);
  wasmRunner(again.module, { verify: false, lanes: 4 })(
    kernelName,
    rangeOf(again, run),
    argumentsOf(again, run),
  );
  expectSame(written, expected, `the devices differ:\n${text}`);
}

function expectSame(written: readonly Numbers[], expected: readonly Uint8Array[], message: string): void {
  written.forEach((array, index) => {
    expect(sameNaNs(array), message).toEqual(
      sameNaNs(new (array.constructor as Float32ArrayConstructor)(expected[index]!.buffer as ArrayBuffer)),
    );
  });
}

/** Floats without the bits of NaNs, which no device promises. */
const sameNaNs = (array: ArrayLike<number>): number[] => Array.from(array);

/** Instructions on r1, r2, ..., the bits of these, and the bits that r0 then has; it begins with zeros. */
export type Row = readonly [
  instructions: string,
  registers: readonly (readonly number[])[],
  expected: readonly number[],
];

/** Runs each row's instructions on its registers, all in one program, and gives r0 for each as its bits. */
export function evaluateAll(
  rows: readonly (readonly [instructions: string, registers: readonly (readonly number[])[], ...unknown[]])[],
): Uint32Array[] {
  const elements = rows.flatMap(([, registers]) =>
    registers.map((values) => values.map((value) => value >>> 0)),
  );
  let next = 0;
  const lines = rows.flatMap(([instructions, registers], row) => [
    'mov r0, l0',
    ...registers.map((_, index) => `mov r${index + 1}, cb0[${next++}]`),
    instructions,
    `mov g[${row}], r0`,
  ]);
  const text = `il_ps_2_0\ndcl_cb cb0[${elements.length}]\ndcl_literal l0, 0, 0, 0, 0\n${lines.join('\n')}\nend\n`;
  const global = new Uint32Array(rows.length * 4);
  const constants = new Uint32Array(elements.length * 4);
  for (const [index, values] of elements.entries()) constants.set(values, index * 4);
  // so many work-items that whole packs run, and one that is left over; all write the same
  runIl(text, { domain: [0, 0, 9, 1], constants: { 0: constants }, global });
  return rows.map((_, row) => global.slice(row * 4, row * 4 + 4));
}

/** As {@link evaluateAll}, for one. */
export const evaluate = (instructions: string, ...registers: (readonly number[])[]): Uint32Array =>
  evaluateAll([[instructions, registers]])[0]!;

/**
 * A test for each row, of one program.
 * @param shown what of the results is compared with what is expected
 */
export function testRows(
  rows: readonly Row[],
  shown: (bits: Uint32Array) => number[] = (bits) => [...bits],
): void {
  let results: Uint32Array[] | undefined;
  it.each(rows.map((row, index) => [row[0], index] as const))('%s', (_, index) => {
    results ??= evaluateAll(rows);
    const wanted = rows[index]![2];
    expect(shown(results[index]!)).toEqual([...wanted]);
  });
}

/** The bits of floats. */
export const floats = (...values: number[]): number[] =>
  Array.from(new Uint32Array(Float32Array.from(values).buffer));

/** The bits of doubles, low words first. */
export const doubles = (...values: number[]): number[] =>
  Array.from(new Uint32Array(Float64Array.from(values).buffer));

/** Bits read as floats, for messages that can be read. */
export const asFloats = (bits: Uint32Array): number[] => Array.from(new Float32Array(bits.slice().buffer));

export const asDoubles = (bits: Uint32Array): number[] => Array.from(new Float64Array(bits.slice().buffer));
