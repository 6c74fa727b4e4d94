/**
 * Runs IL programs in tests: on the interpreter from the IR as it was lowered, and as WebAssembly after all passes, four work-items at
 * once and the rest one by one. Both must
 * leave the same bytes.
 */
import { expect, it } from 'vitest';
import { compileIl } from '../../../src/api/compile-il.ts';
import {
  type Bindings,
  defaultFormat,
  type ElementFormat,
  kernelName,
  type LoweredParameter,
  type LoweredProgram,
  type SamplerState,
} from '../../../src/il/lower/interface.ts';
import { elementBytes } from '../../../src/il/lower/texel.ts';
import { verifyModule } from '../../../src/ir/verify.ts';
import { runOnInterpreter, type TestArgument, wasmRunner } from '../../support/run-kernel.ts';

type Numbers =
  | Float32Array
  | Int32Array
  | Uint32Array
  | Float64Array
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array;

export interface TestResource {
  readonly width: number;
  /** default 1 */
  readonly height?: number;
  /** in elements; default the width */
  readonly pitch?: number;
  /** default four floats */
  readonly format?: ElementFormat;
  /** changed in place where the program writes */
  readonly data: Numbers;
}

export interface IlRun {
  /** x, y, width, height; default one position */
  readonly domain?: readonly [number, number, number, number];
  /** groups of a compute program; default one */
  readonly groups?: readonly number[];
  readonly constants?: Readonly<Record<number, Numbers>>;
  readonly inputs?: Readonly<Record<number, TestResource>>;
  readonly outputs?: Readonly<Record<number, TestResource>>;
  readonly samplers?: Readonly<Record<number, SamplerState>>;
  readonly global?: Numbers;
  readonly uavs?: Readonly<Record<number, Numbers>>;
}

/** Compiles, or throws with what the compiler says. */
export function loweredIl(text: string, bindings: Bindings = {}): LoweredProgram {
  const { program, log } = compileIl(text, { name: 'a.il', bindings });
  if (!program) throw new Error(`the program does not compile:\n${log}`);
  expect(verifyModule(program.module)).toEqual([]);
  return program;
}

/** Errors and warnings of a program that is not to run. */
export const compileLog = (text: string): string => compileIl(text, { name: 'a.il' }).log;

/** Runs a program; outputs, the global buffer and uavs are changed in place. */
export function runIl(text: string, run: IlRun): void {
  const formats = (list: Readonly<Record<number, TestResource>> = {}): Map<number, ElementFormat> =>
    new Map(Object.entries(list).map(([index, { format }]) => [Number(index), format ?? defaultFormat]));
  const bindings: Bindings = {
    inputs: formats(run.inputs),
    outputs: formats(run.outputs),
    samplers: new Map(Object.entries(run.samplers ?? {}).map(([index, state]) => [Number(index), state])),
  };
  const written = [
    ...Object.values(run.outputs ?? {}).map(({ data }) => data),
    ...Object.values(run.uavs ?? {}),
  ];
  if (run.global) written.push(run.global);
  const before = written.map(bytesOf).map((bytes) => bytes.slice());

  const program = loweredIl(text, bindings);
  runOnInterpreter(program.module, kernelName, rangeOf(program, run), argumentsOf(program, run));
  const expected = written.map(bytesOf).map((bytes) => bytes.slice());

  for (const [index, array] of written.entries()) bytesOf(array).set(before[index]!);
  const again = loweredIl(text, bindings);
  wasmRunner(again.module, { verify: false, lanes: 4 })(
    kernelName,
    rangeOf(again, run),
    argumentsOf(again, run),
  );
  written.forEach((array, index) => {
    expect(sameNaNs(array), `the devices differ:\n${text}`).toEqual(
      sameNaNs(new (array.constructor as Float32ArrayConstructor)(expected[index]!.buffer as ArrayBuffer)),
    );
  });
}

const bytesOf = (array: Numbers): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** Floats without the bits of NaNs, which no device promises. */
const sameNaNs = (array: ArrayLike<number>): number[] => Array.from(array);

function rangeOf({ groupSize }: LoweredProgram, { domain = [0, 0, 1, 1], groups = [1] }: IlRun) {
  if (!groupSize) return { global: [domain[2], domain[3]], local: [domain[2], 1] };
  return {
    global: groupSize.map((size, dimension) => size * (groups[dimension] ?? 1)),
    local: [...groupSize],
  };
}

function argumentsOf({ parameters }: LoweredProgram, run: IlRun): TestArgument[] {
  const ints = (...numbers: number[]): TestArgument => ({ bytes: bytesOf(Int32Array.from(numbers)) });
  const shape = ({ width, height = 1, pitch = width }: TestResource): TestArgument =>
    ints(width, height, pitch, 0);
  const found = <T>(list: Readonly<Record<number, T>> | undefined, parameter: LoweredParameter): T => {
    const index = 'index' in parameter ? parameter.index : 0;
    const value = list?.[index];
    if (value === undefined) throw new Error(`the test gives no ${parameter.kind} ${index}`);
    return value;
  };
  const argumentFor = (parameter: LoweredParameter): TestArgument => {
    switch (parameter.kind) {
      case 'domain':
        return ints(...(run.domain ?? [0, 0, 1, 1]));
      case 'constants': {
        const bytes = new Uint8Array(parameter.elements * 16);
        bytes.set(bytesOf(found(run.constants, parameter)).subarray(0, bytes.length));
        return { buffer: bytes };
      }
      case 'input':
        return { buffer: bytesOf(checked(found(run.inputs, parameter))) };
      case 'input-shape':
        return shape(found(run.inputs, parameter));
      case 'output':
        return { buffer: bytesOf(checked(found(run.outputs, parameter))) };
      case 'output-shape':
        return shape(found(run.outputs, parameter));
      case 'global':
        return { buffer: bytesOf(run.global!) };
      case 'global-size':
        return ints(run.global!.byteLength / 16);
      case 'uav':
        return { buffer: bytesOf(found(run.uavs, parameter)) };
      case 'uav-size':
        return ints(found(run.uavs, parameter).byteLength);
    }
  };
  return parameters.map(argumentFor);
}

function checked({ width, height = 1, pitch = width, format = defaultFormat, data }: TestResource): Numbers {
  const needed = pitch * height * elementBytes(format);
  if (data.byteLength < needed) throw new Error(`a test's resource needs ${needed} bytes`);
  return data;
}

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
