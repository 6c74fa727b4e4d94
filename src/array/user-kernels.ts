/**
 * Kernels of which the user writes what is done to one element, after PyOpenCL's ElementwiseKernel, ReductionKernel and
 * GenericScanKernel. Parameters are declared as in C: `float *x` is an array, of which `x[i]` is the element.
 */
import type { KernelArgument } from '../api/javascript/arguments.ts';
import { shown } from '../source/shown.ts';
import type { Engine } from './engine.ts';
import { invalid } from './errors.ts';
import { roundUp } from './expression.ts';
import { NdArray } from './nd-array.ts';
import { Node } from './node.ts';
import { checkType, type NumberType, numberTypes } from './number-types.ts';
import { reduce } from './reduce.ts';
import { scan } from './scan.ts';
import { shapeText, sizeOf } from './shape.ts';

export type UserArgument = NdArray | number | bigint;

interface Parameter {
  readonly declaration: string;
  readonly name: string;
  /** Of the elements, if it is an array. */
  readonly c: string | undefined;
}

function readParameters(text: string): Parameter[] {
  if (typeof text !== 'string')
    throw invalid(`parameters are a text, such as 'float a, float *x', not ${shown(text)}`);
  return text.split(',').map((part) => {
    const match =
      /^\s*(?:(?:const|global|__global)\s+)*(\w[\w ]*?)\s*(\*\s*(?:(?:const|restrict)\s+)*)?\b(\w+)\s*$/.exec(
        part,
      );
    const [, c, star, name] = match ?? [];
    if (c === undefined || name === undefined) {
      throw invalid(`'${part.trim()}' declares no parameter; write for instance 'float *x' or 'int n'`);
    }
    const isConst = /\bconst\b/.test(part);
    const declaration = star ? `global ${isConst ? 'const ' : ''}${c} *${name}` : `${c} ${name}`;
    return { declaration, name, c: star ? c : undefined };
  });
}

const aliases: Readonly<Record<string, string>> = {
  'unsigned char': 'uchar',
  'unsigned short': 'ushort',
  'unsigned int': 'uint',
  unsigned: 'uint',
  'unsigned long': 'ulong',
};

/** What a call gives, as arguments of a kernel, in the order of its parameters; and how many elements its arrays have. */
interface Bound {
  readonly values: KernelArgument[];
  readonly size: number;
}

async function bind(
  engine: Engine,
  what: string,
  parameters: readonly Parameter[],
  given: readonly UserArgument[],
): Promise<Bound> {
  checkCount(what, parameters, given);
  return bindNodes(engine, parameters, given, nodesOf(engine, what, given));
}

/** What the arrays among the arguments are computed from. */
function nodesOf(engine: Engine, what: string, given: readonly UserArgument[]): Node[] {
  return given.flatMap((value) => (value instanceof NdArray ? [value.nodeFor(engine, what)] : []));
}

/** What can be said before anything is computed. */
function checkCount(what: string, parameters: readonly Parameter[], given: readonly UserArgument[]): void {
  if (given.length !== parameters.length) {
    const names = parameters.map(({ name }) => name).join(', ');
    throw invalid(`${what} takes ${parameters.length} arguments (${names}); ${given.length} were given`);
  }
  let first: NdArray | undefined;
  parameters.forEach(({ name, c }, p) => {
    const value = given[p];
    if ((c !== undefined) !== value instanceof NdArray) {
      throw invalid(
        `${what}: '${name}' is ${c === undefined ? 'a number' : 'an array'}, not ${shown(value)}`,
      );
    }
    if (!(value instanceof NdArray) || c === undefined) return;
    const own = numberTypes[value.type].c;
    if (own !== (aliases[c] ?? c)) {
      throw invalid(`${what}: '${name}' is an array of ${c}, not of ${value.type}, which is ${own}`);
    }
    if (first && value.size !== first.size) {
      throw invalid(
        `${what}: arrays of shapes ${shapeText(first.shape)} and ${shapeText(value.shape)} have different sizes`,
      );
    }
    first ??= value;
  });
  if (!first)
    throw invalid(`${what} has no parameter that is an array, which says how many elements there are`);
}

export interface UserOptions {
  /** As messages and the profiler call it. */
  readonly name?: string;
  /** Functions and types before the kernel. */
  readonly preamble?: string;
}

/** @returns a function that resolves when the launch has been queued; arrays are written in place */
export function elementwiseKernel(
  engine: Engine,
  parameterText: string,
  operation: string,
  { name = 'elementwise', preamble = '' }: UserOptions = {},
): (...given: UserArgument[]) => Promise<void> {
  const parameters = readParameters(parameterText);
  const declarations = parameters.map(({ declaration }) => declaration).join(', ');
  const source = `${preamble}\nkernel void ${name}(${declarations}, uint size) {
  int i = get_global_id(0), n = size;
  if (i < n) {
    ${operation};
  }
}
`;
  return async (...given) => {
    const { values, size } = await bind(engine, name, parameters, given);
    if (size > 0) await engine.launch(source, { global: [roundUp(size, 64)] }, [...values, size]);
  };
}

export interface ReductionOptions extends UserOptions {
  /** Of the parameters, as in C. */
  readonly parameters: string;
  /** The value of the element `i`. */
  readonly map: string;
  /** Joins the values `a` and `b`; associative and commutative. */
  readonly reduce: string;
  readonly neutral: string;
}

/** @returns a function that gives the array of one number */
export function reductionKernel<T extends NumberType>(
  engine: Engine,
  type: T,
  {
    parameters: parameterText,
    map,
    reduce: join,
    neutral,
    name = 'reduction',
    preamble = '',
  }: ReductionOptions,
): (...given: UserArgument[]) => NdArray<T> {
  checkType(type);
  const parameters = readParameters(parameterText);
  const { c } = numberTypes[type];
  return (...given) => {
    checkCount(name, parameters, given);
    const inputs = nodesOf(engine, name, given);
    const run = async () => {
      const { values, size } = await bindNodes(engine, parameters, given, inputs);
      const reduction = {
        helpers: `${preamble}\nstatic ${c} reduce_join(${c} a, ${c} b) { return ${join}; }\n`,
        state: [c],
        neutral: [neutral],
        element: () => [map],
        join: 'a0 = reduce_join(a0, b0);',
        result: 0,
      };
      const counted = new Node('int32', [size], { kind: 'range', start: 0, step: 1 });
      const more = { parameters: parameters.map(({ declaration }) => declaration), arguments: values };
      return reduce(engine, counted, { outer: 1, length: size, inner: 1 }, reduction, type, more);
    };
    return new NdArray<T>(engine, engine.task(type, [], inputs, run));
  };
}

async function bindNodes(
  engine: Engine,
  parameters: readonly Parameter[],
  given: readonly UserArgument[],
  nodes: readonly Node[],
): Promise<Bound> {
  const values: KernelArgument[] = [];
  let next = 0;
  for (const [p, parameter] of parameters.entries()) {
    if (parameter.c === undefined) values.push(given[p] as number);
    else {
      values.push(await engine.dense(nodes[next]!));
      next += 1;
    }
  }
  return { values, size: sizeOf(nodes[0]!.shape) };
}

export interface ScanOptions extends UserOptions {
  readonly parameters: string;
  /** The value of the element `i`. */
  readonly input: string;
  /** Joins the value `a` of all before with `b`; associative. */
  readonly scan: string;
  readonly neutral: string;
  /** A statement for each element: `item` is its result, `prev_item` that without the element itself; `i` and `n` are its index and their number. */
  readonly output: string;
}

/** @returns a function that resolves when the launches have been queued; arrays are written in place */
export function scanKernel(
  engine: Engine,
  type: NumberType,
  {
    parameters: parameterText,
    input,
    scan: join,
    neutral,
    output,
    name = 'scan',
    preamble = '',
  }: ScanOptions,
): (...given: UserArgument[]) => Promise<void> {
  checkType(type);
  const parameters = readParameters(parameterText);
  const { c, bytes } = numberTypes[type];
  return async (...given) => {
    const { values, size } = await bind(engine, name, parameters, given);
    const code = {
      helpers: `${preamble}\n`,
      c,
      bytes,
      neutral,
      join,
      statements: '    uint n = length;\n',
      value: input,
      output: `${output};`,
      parameters: parameters.map(({ declaration }) => declaration),
      arguments: values,
    };
    await scan(engine, code, { outer: 1, length: size, inner: 1 });
  };
}
