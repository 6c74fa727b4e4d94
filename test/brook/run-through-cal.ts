/**
 * Runs kernels in two ways: as the runtime of Brook+ does, through OpenCL C, and as programs in IL through CAL, with the resources,
 * constants and launch that docs/brook.md says. Elements are given and returned as the numbers of their components, one after
 * another, fields of structures in their order.
 */
import { type BrookArgument, type BrookDevice, brook } from 'millrace/brook';
import * as cal from 'millrace/cal';
import { expect } from 'vitest';
import type { CheckedKernel, Formal } from '../../src/brook/check/tree.ts';
import { compileBrook } from '../../src/brook/compile.ts';
import { emitIl } from '../../src/brook/il/kernel.ts';
import { leavesOf } from '../../src/brook/il/values.ts';
import {
  type ElementType,
  layoutOf,
  type ScalarName,
  scalarBytes,
  type ValueType,
} from '../../src/brook/types.ts';
import { bind, filled, finish, load, numbers, ok } from '../api/cal/il-programs.ts';

/** A stream or an array, x first; without sizes a value of the kernel. Of outputs, what is there before. */
export interface KernelData {
  readonly sizes?: readonly number[];
  readonly numbers: readonly number[];
}

export type KernelRun = Readonly<Record<string, KernelData>>;

/** Numbers of the outputs, by the names of their parameters. */
export type KernelResults = Readonly<Record<string, readonly number[]>>;

const isOutput = ({ role }: Formal): boolean => role === 'out' || role === 'scatter' || role === 'reduce';

/** The kernel `f` of a source. */
function kernelOf(source: string, strongTypes: boolean): CheckedKernel {
  const { kernels, report } = compileBrook('k.br', source, { kernelsOnly: true, strongTypes });
  // What is said without strong typing, messages.test.ts looks at.
  expect(strongTypes ? report.log : report.hasErrors).toBe(strongTypes ? '' : false);
  return kernels.find(({ name }) => name === 'f')!;
}

// ------------------------------------------------------------------------------------------------- through OpenCL C

/** Where the components of an element lie. */
function componentsOf(type: ElementType, offset = 0): { scalar: ScalarName; offset: number }[] {
  if (type.kind === 'value') {
    const bytes = scalarBytes(type.scalar);
    return Array.from({ length: type.width }, (_, index) => ({
      scalar: type.scalar,
      offset: offset + index * bytes,
    }));
  }
  let next = 0;
  return type.fields.flatMap(({ type: of }) => {
    const { size, alignment } = layoutOf(of);
    const at = Math.ceil(next / alignment) * alignment;
    next = at + size;
    return componentsOf(of, offset + at);
  });
}

const views = {
  char: ['setInt8', 'getInt8'],
  uchar: ['setUint8', 'getUint8'],
  short: ['setInt16', 'getInt16'],
  ushort: ['setUint16', 'getUint16'],
  int: ['setInt32', 'getInt32'],
  uint: ['setUint32', 'getUint32'],
  float: ['setFloat32', 'getFloat32'],
  double: ['setFloat64', 'getFloat64'],
} as const;

function packed(type: ElementType, list: readonly number[]): Uint8Array<ArrayBuffer> {
  const components = componentsOf(type);
  const { size } = layoutOf(type);
  const bytes = new Uint8Array((list.length / components.length) * size);
  const view = new DataView(bytes.buffer);
  for (const [index, number] of list.entries()) {
    const { scalar, offset } = components[index % components.length]!;
    view[views[scalar][0]](Math.floor(index / components.length) * size + offset, number, true);
  }
  return bytes;
}

function unpacked(type: ElementType, bytes: Uint8Array): number[] {
  const components = componentsOf(type);
  const { size } = layoutOf(type);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return Array.from({ length: (bytes.length / size) * components.length }, (_, index) => {
    const { scalar, offset } = components[index % components.length]!;
    return view[views[scalar][1]](Math.floor(index / components.length) * size + offset, true);
  });
}

/** What the kernel `f` of a source leaves in its outputs, on a device of the runtime. */
export function runOnBrook(
  device: BrookDevice,
  source: string,
  run: KernelRun,
  strongTypes = true,
): KernelResults {
  const { formals } = kernelOf(source, strongTypes);
  const { kernels, stream } = brook(source, { device, strongTypes });
  const made = new Map<string, BrookArgument>();
  for (const { name, type } of formals) {
    const { sizes, numbers: list } = run[name]!;
    const bytes = packed(type, list);
    if (!sizes) {
      made.set(name, type.kind === 'value' ? [...list] : bytes);
      continue;
    }
    const one = stream(type.kind === 'struct' ? type.name : nameOf(type), sizes);
    one.read(bytes);
    made.set(name, one);
  }
  kernels['f']!(...formals.map(({ name }) => made.get(name)!));
  return Object.fromEntries(
    formals.filter(isOutput).map(({ name, type }) => {
      const one = made.get(name) as ReturnType<typeof stream>;
      const bytes = new Uint8Array(one.byteLength);
      one.write(bytes);
      expect(one.errorLog()).toBe('');
      return [name, unpacked(type, bytes)];
    }),
  );
}

const nameOf = ({ scalar, width }: ValueType): string => (width === 1 ? scalar : `${scalar}${width}`);

// ------------------------------------------------------------------------------------------------------ through CAL

/** Formats of resources; of 8 and 16 bits they are unsigned. */
function formatOf({ scalar, width }: ValueType): number {
  const components = width === 3 ? 4 : width;
  const name = { char: 'UBYTE', uchar: 'UBYTE', short: 'USHORT', ushort: 'USHORT' } as Partial<
    Record<ScalarName, string>
  >;
  const format = `CAL_FORMAT_${name[scalar] ?? scalar.toUpperCase()}_${components}`;
  return (cal as unknown as Readonly<Record<string, number>>)[format]!;
}

/** Width and height of the resource of an array: dimensions behind the second lie below each other. */
function rectangle(sizes: readonly number[]): [number, number] {
  const [width = 1, ...rows] = sizes;
  return [width, rows.reduce((all, size) => all * size, 1)];
}

/** As {@link runOnBrook}, through CAL on a context. */
export function runThroughCal(
  { device, context }: { readonly device: number; readonly context: number },
  source: string,
  run: KernelRun,
  strongTypes = true,
): KernelResults {
  const kernel = kernelOf(source, strongTypes);
  const made = emitIl(kernel);
  if ('reason' in made) throw new Error(made.reason);
  const { module, func } = load(context, made.text);
  const { formals, form, groupSize } = kernel;
  const outputs = formals.filter(isOutput);
  const isInput = ({ role }: Formal): boolean =>
    role === 'stream' || role === 'gather' || (role === 'value' && form === 'reduce');
  let [inputs, targets] = [0, 0];
  const results: [Formal, number[]][] = [];
  const inGlobal = (formal: Formal): boolean =>
    formal.role === 'scatter' || (formal.role === 'out' && groupSize !== undefined);
  for (const formal of formals) {
    const { sizes, numbers: list } = run[formal.name]!;
    if (!sizes || inGlobal(formal)) continue;
    const [width, height] = rectangle(sizes);
    const resources = leavesOf(formal.type).map(({ type }, leaf) =>
      filled(device, width, height, formatOf(type), (index) => componentAt(formal.type, list, leaf, index)),
    );
    if (isInput(formal)) for (const one of resources) bind(context, module, `i${inputs++}`, one);
    else for (const one of resources) bind(context, module, `o${targets++}`, one);
    if (isOutput(formal)) results.push([formal, resources]);
  }
  const global = outputs.find(inGlobal);
  const globalSizes = global ? run[global.name]!.sizes! : [];
  const buffer = global && globalBuffer(device, global, run[global.name]!);
  if (buffer !== undefined) bind(context, module, 'g', buffer);
  const words = constants(kernel, run);
  if (words.length > 0) {
    const cb = filled(device, words.length / 4, 1, cal.CAL_FORMAT_UINT_4, (index) => words[index]!);
    bind(context, module, 'cb0', cb);
  }
  const [width, height] = rectangle(domainOf(kernel, run));
  if (groupSize === undefined) {
    finish(context, ok(cal.calCtxRunProgram(context, func, { x: 0, y: 0, width, height })));
  } else {
    const [one, groups] = [
      { width: groupSize, height: 1, depth: 1 },
      Math.ceil((width * height) / groupSize),
    ];
    const grid = { func, gridBlock: one, gridSize: { width: groups, height: 1, depth: 1 }, flags: 0 };
    finish(context, ok(cal.calCtxRunProgramGrid(context, grid)));
  }
  const found = results.map(([formal, resources]) => {
    const { sizes } = run[formal.name]!;
    const lists = resources.map((one) => numbers(one, ...rectangle(sizes!)));
    return [formal.name, interleaved(formal.type, lists, sizes!)] as const;
  });
  if (global && buffer !== undefined) {
    const type = global.type as ValueType;
    const count = globalSizes.reduce((all, size) => all * size, 1);
    const view = new DataView(Uint32Array.from(numbers(buffer, count, 1)).buffer);
    const list = Array.from({ length: count * type.width }, (_, index) => {
      const at = Math.floor(index / type.width) * 16 + (index % type.width) * wordBytes(type);
      return view[views[wordScalar(type)][1]](at, true);
    });
    found.push([global.name, list]);
  }
  return Object.fromEntries(found);
}

/** In the global buffer small integers are words, too. */
const wordScalar = ({ scalar }: ValueType): ScalarName => (scalarBytes(scalar) < 4 ? 'int' : scalar);
const wordBytes = (type: ValueType): number => scalarBytes(wordScalar(type));

/** The sizes of the streams that a kernel runs over. */
function domainOf({ formals }: CheckedKernel, run: KernelRun): readonly number[] {
  const over =
    formals.find(({ role }) => role === 'out' || role === 'reduce') ??
    formals.find(({ role }) => role === 'stream')!;
  return run[over.name]!.sizes!;
}

/** A number of a leaf's resource: elements with three components have four there. */
function componentAt(type: ElementType, list: readonly number[], leaf: number, index: number): number {
  const leaves = leavesOf(type);
  const all = leaves.reduce((sum, one) => sum + one.type.width, 0);
  const before = leaves.slice(0, leaf).reduce((sum, one) => sum + one.type.width, 0);
  const { width } = leaves[leaf]!.type;
  const components = width === 3 ? 4 : width;
  const component = index % components;
  return component < width ? (list[Math.floor(index / components) * all + before + component] ?? 0) : 0;
}

function interleaved(
  type: ElementType,
  lists: readonly (readonly number[])[],
  sizes: readonly number[],
): number[] {
  const count = sizes.reduce((all, size) => all * size, 1);
  return Array.from({ length: count }, (_, element) =>
    leavesOf(type).flatMap((leaf, index) => {
      const { scalar, width } = leaf.type;
      const components = width === 3 ? 4 : width;
      const bits = scalar === 'char' ? 8 : scalar === 'short' ? 16 : 0;
      const own = lists[index]!.slice(element * components, element * components + width);
      return bits === 0 ? own : own.map((number) => (number << (32 - bits)) >> (32 - bits));
    }),
  ).flat();
}

function globalBuffer(device: number, { type }: Formal, { sizes, numbers: list }: KernelData): number {
  const own = type as ValueType;
  // The device wants whole multiples of 64 elements.
  const count = Math.ceil(sizes!.reduce((all, size) => all * size, 1) / 64) * 64;
  const view = new DataView(new ArrayBuffer(count * 16));
  for (const [index, number] of list.entries()) {
    const at = Math.floor(index / own.width) * 16 + (index % own.width) * wordBytes(own);
    view[views[wordScalar(own)][0]](at, number, true);
  }
  const words = new Uint32Array(view.buffer);
  const flags = cal.CAL_RESALLOC_GLOBAL_BUFFER;
  return filled(device, count, 1, cal.CAL_FORMAT_UINT_4, (index) => words[index]!, flags);
}

/** The words of cb0: values by their leaves, the sizes of arrays, those of a group's domain; of a reduction its blocks. */
function constants({ formals, form, groupSize }: CheckedKernel, run: KernelRun): readonly number[] {
  if (form === 'reduce') {
    const [input, output] = [false, true].map((isTarget) => {
      const { name } = formals.find(({ role }) => (role === 'reduce') === isTarget)!;
      return rectangle(run[name]!.sizes!);
    }) as [[number, number], [number, number]];
    return [input[0] / output[0], input[1] / output[1], ...input];
  }
  const sizesOf = (sizes: readonly number[]): number[] => [0, 1, 2, 3].map((axis) => sizes[axis] ?? 1);
  const values = formals
    .filter(({ role }) => role === 'value')
    .flatMap(({ name, type }) => {
      let next = 0;
      return leavesOf(type).flatMap(({ type: leaf }) => {
        const list = run[name]!.numbers.slice(next, next + leaf.width);
        next += leaf.width;
        const view = new DataView(new ArrayBuffer(16));
        for (const [index, number] of list.entries())
          view[views[wordScalar(leaf)][0]](index * wordBytes(leaf), number, true);
        return [...new Uint32Array(view.buffer)];
      });
    });
  const arrays = formals
    .filter(({ role, rank }) => role === 'scatter' || (role === 'gather' && rank > 2))
    .flatMap(({ name }) => sizesOf(run[name]!.sizes!));
  const domain = groupSize === undefined ? [] : rectangle(domainOf({ formals } as CheckedKernel, run));
  return [...values, ...arrays, ...(domain.length > 0 ? [...domain, 0, 0] : [])];
}
