/**
 * Simulation files, as Oclgrind reads them: which kernel of which file runs over which range, on what arguments.
 *
 *     saxpy.cl                      the program, beside this file
 *     saxpy                         the kernel
 *     64 1 1                        work-items
 *     16 1 1                        work-items in a group
 *     2.5                           one argument after another: a value,
 *     <size=256 fill=1 ro>          a buffer of so many bytes that kernels only read,
 *     <size=256 range=0:1:63>       from 0 in steps of 1 to 63,
 *     <size=64>                     local memory for a local pointer; else values follow
 *     <null>                        a null pointer
 *
 * What follows a # is a comment; `# ARGS: --build-options X` on the first line are build options. `noinit` buffers hold nothing,
 * `wo` ones are only written; `dump` and `hex`, which say what Oclgrind prints at the end, are passed over. A type's name
 * (`float`, `uchar`) says what values are, in the place of the kernel's own word.
 */
import { dirname, join } from 'node:path';
import {
  compile,
  type Device,
  type DeviceBuffer,
  type HostLayout,
  type KernelArgument,
  type KernelParameter,
  local,
  type Program,
} from 'millrace';
import { UsageError } from './errors.ts';
import { readBytes, textOf } from './files.ts';

export interface Simulation {
  readonly program: string;
  readonly kernel: string;
  readonly global: readonly number[];
  readonly local: readonly number[];
  readonly options: string;
  readonly arguments: readonly SimulatedArgument[];
}

interface SimulatedArgument {
  /** The words between < and >, by what stands before an equals sign; undefined for a value alone. */
  readonly words: ReadonlyMap<string, string> | undefined;
  readonly values: readonly string[];
}

/** @throws UsageError for what is no simulation */
export function readSimulation(text: string, path: string): Simulation {
  const options = /^# ARGS:.*--build-options\s+(\S+)/.exec(text)?.[1] ?? '';
  const words = text.replace(/#.*$/gm, '').match(/<[^>]*>|[^\s<]+/g) ?? [];
  let at = 0;
  const next = (what: string): string => {
    const word = words[at];
    if (word === undefined) throw new UsageError(`${path} ends where ${what} should stand`);
    at += 1;
    return word;
  };
  const sizes = (what: string): number[] =>
    [0, 1, 2].map(() => {
      const word = next(what);
      const size = Number(word);
      if (!Number.isInteger(size) || size < 1) throw new UsageError(`${path}: '${word}' is no size: ${what}`);
      return size;
    });
  const program = next('a program');
  const kernel = next('the name of a kernel');
  const global = sizes('the number of work-items');
  const group = sizes('the size of work-groups');
  const args: SimulatedArgument[] = [];
  while (at < words.length) {
    const word = words[at]!;
    if (!word.startsWith('<')) {
      args.push({ words: undefined, values: [word] });
      at += 1;
      continue;
    }
    at += 1;
    const attributes = new Map(
      word
        .slice(1, -1)
        .split(/\s+/)
        .filter((one) => one !== '')
        .map((one): [string, string] => {
          const [name = '', value = ''] = one.split('=');
          return [name, value];
        }),
    );
    const values: string[] = [];
    const isAlone = ['fill', 'range', 'noinit', 'null'].some((name) => attributes.has(name));
    while (!isAlone && at < words.length && !words[at]!.startsWith('<')) values.push(words[at++]!);
    args.push({ words: attributes, values });
  }
  return { program, kernel, global, local: group, options, arguments: args };
}

function readText(path: string): string {
  return textOf(path, readBytes(path));
}

export interface SimulationOptions {
  /** Default: the first. */
  readonly device?: Device;
  /** Gets the bytes that each buffer has at the end. */
  readonly buffers?: (index: number, bytes: Uint8Array) => void;
}

/** Runs what the file says. */
export async function runSimulation(
  path: string,
  { device, buffers }: SimulationOptions = {},
): Promise<void> {
  const simulation = readSimulation(readText(path), path);
  const file = join(dirname(path), simulation.program);
  const source = readText(file);
  const program = await compile(source, {
    name: file,
    options: simulation.options,
    ...(device ? { device } : {}),
  });
  try {
    if (!program.kernelNames.includes(simulation.kernel)) {
      throw new UsageError(`${file} has no kernel '${simulation.kernel}'`);
    }
    const kernel = program.kernel(simulation.kernel);
    if (kernel.parameters.length !== simulation.arguments.length) {
      const { length } = kernel.parameters;
      throw new UsageError(
        `${path} has ${simulation.arguments.length} arguments, and '${simulation.kernel}' has ${length}`,
      );
    }
    const args = kernel.parameters.map((parameter, index) =>
      argumentOf(program, parameter, simulation.arguments[index]!, path),
    );
    await kernel({ global: simulation.global, local: simulation.local }, ...args);
    if (!buffers) return;
    for (const [index, argument] of args.entries()) {
      if (isBuffer(argument)) buffers(index, await argument.read(Uint8Array));
    }
  } finally {
    program.release();
  }
}

function isBuffer(argument: KernelArgument): argument is DeviceBuffer {
  return argument !== null && typeof argument === 'object' && 'read' in argument;
}

function argumentOf(
  program: Program,
  parameter: KernelParameter,
  { words, values }: SimulatedArgument,
  path: string,
): KernelArgument {
  // A buffer of no bytes cannot be made.
  if (words?.has('null') || words?.get('size') === '0') return null;
  const element = numberOf(parameter.pointee ?? parameter.layout);
  const type = [...(words?.keys() ?? [])].map((word) => types[word]).find((one) => one) ?? element;
  const size = words?.has('size') ? Number(words.get('size')) : parameter.size;
  if (!Number.isInteger(size) || size < 1) {
    throw new UsageError(`${path}: '${parameter.name}' needs a size, as in <size=64>`);
  }
  if (parameter.kind === 'local') return local(size);
  const access = words?.has('ro') ? 'read-only' : words?.has('wo') ? 'write-only' : undefined;
  if (words?.has('noinit')) return program.buffer(size, access);
  const bytes = new Uint8Array(size);
  const count = Math.floor(size / type.size);
  const numbers = numbersOf(words, values, count);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < count; index += 1) type.set(view, index * type.size, numbers(index));
  return parameter.kind === 'value' || parameter.kind === 'aggregate' ? bytes : program.buffer(bytes, access);
}

/** The text of the element of that number. */
function numbersOf(
  words: ReadonlyMap<string, string> | undefined,
  values: readonly string[],
  count: number,
): (index: number) => string {
  const fill = words?.get('fill');
  if (fill !== undefined) return () => fill;
  const range = words?.get('range');
  if (range !== undefined) {
    const [start = 0, step = 1] = range.split(':').map(Number);
    return (index) => String(start + index * step);
  }
  if (values.length < count) {
    throw new UsageError(`${values.length} values for an argument of ${count}`);
  }
  return (index) => values[index]!;
}

interface NumberKind {
  readonly size: number;
  set(view: DataView, at: number, text: string): void;
}

function integer(size: 1 | 2 | 4 | 8): NumberKind {
  const set = (view: DataView, at: number, text: string): void => {
    const value = BigInt(text);
    if (size === 1) view.setUint8(at, Number(value & 0xffn));
    else if (size === 2) view.setUint16(at, Number(value & 0xffffn), true);
    else if (size === 4) view.setUint32(at, Number(value & 0xffffffffn), true);
    else view.setBigUint64(at, value, true);
  };
  return { size, set };
}

const single: NumberKind = { size: 4, set: (view, at, text) => view.setFloat32(at, Number(text), true) };
const double: NumberKind = { size: 8, set: (view, at, text) => view.setFloat64(at, Number(text), true) };

const types: Readonly<Record<string, NumberKind>> = {
  char: integer(1),
  uchar: integer(1),
  short: integer(2),
  ushort: integer(2),
  int: integer(4),
  uint: integer(4),
  long: integer(8),
  ulong: integer(8),
  float: single,
  double,
};

/** The numbers that something is made of; bytes for what is made of several kinds. */
function numberOf(layout: HostLayout | undefined): NumberKind {
  switch (layout?.kind) {
    case 'integer':
      return integer(layout.size);
    case 'float':
      return layout.size === 8 ? double : single;
    case 'vector':
    case 'array':
      return numberOf(layout.element);
    default:
      return integer(1);
  }
}
