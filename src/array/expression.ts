/**
 * Writes the code that computes an element of a node from its index: all operations that lead to it in one piece, with what they
 * load. Numbers that may change from one use to the next (constants, strides, lengths) are arguments, so that one kernel does for
 * all of them.
 */
import type { KernelArgument } from '../api/javascript/arguments.ts';
import type { DeviceBuffer } from '../api/javascript/device-buffer.ts';
import type { Node } from './node.ts';
import { castCode, type NumberType, numberTypes } from './number-types.ts';
import { type Operation, operations } from './operations.ts';
import { broadcastStrides, collapse, denseStrides, type Shape, sizeOf } from './shape.ts';

/** An expression over a shape, to be computed at any of its indices. */
export interface Expression {
  readonly type: NumberType;
  /** The dimensions that are left when those are merged that all arrays go through in one stride. */
  readonly shape: readonly number[];
  readonly helpers: string;
  readonly parameters: readonly string[];
  readonly arguments: readonly KernelArgument[];
  /**
   * Statements that declare what `value` needs.
   * @param index code of the index in the whole, from 0 on; or of that in each dimension of `shape`
   */
  code(index: string | readonly string[]): { readonly statements: string; readonly value: string };
}

interface Leaf {
  readonly node: Node;
  readonly strides: readonly number[];
  readonly name: string;
  readonly offset: number;
}

/**
 * @param node whatever is cut in it must have been computed
 * @param prefix begins the names of parameters and variables
 */
export function expressionOf(node: Node, prefix = 'x'): Expression {
  const { shape } = node;
  const leaves: Leaf[] = [];
  const order = orderOf(node);
  for (const each of order) {
    const { content } = each;
    if (content.kind === 'map' || content.kind === 'constant') continue;
    const view = content.kind === 'view' ? content : undefined;
    const own = broadcastStrides(each.shape, view?.strides ?? denseStrides(each.shape), shape);
    leaves.push({ node: each, strides: own, name: `${prefix}${leaves.length}`, offset: view?.offset ?? 0 });
  }
  const flat = collapse(shape, [denseStrides(shape), ...leaves.map(({ strides }) => strides)]);
  const parameters: string[] = [];
  const values: KernelArgument[] = [];
  const parameter = (declaration: string, value: KernelArgument): void => {
    parameters.push(declaration);
    values.push(value);
  };
  const lengths = flat.shape.map((length, d) => {
    if (d === 0) return '';
    parameter(`uint ${prefix}n${d}`, length);
    return `${prefix}n${d}`;
  });
  const buffers = new Map<DeviceBuffer, string>();
  const places = new Map<Node, (index: readonly string[]) => string>();
  leaves.forEach((leaf, l) => {
    const place = placeOf(leaf, flat.strides[l + 1]!, parameter);
    places.set(leaf.node, loadOf(leaf, place, buffers, parameter));
  });
  const constants = new Map<Node, string>();
  for (const each of order) {
    if (each.content.kind !== 'constant') continue;
    const name = `${prefix}c${constants.size}`;
    constants.set(each, name);
    parameter(`${numberTypes[each.type].c} ${name}`, each.content.value);
  }
  return {
    type: node.type,
    shape: flat.shape,
    helpers: helpersOf(order),
    parameters,
    arguments: values,
    code(index) {
      let statements = '';
      let coordinates: readonly string[];
      if (typeof index === 'string') {
        const split = splitIndex(index, lengths, prefix);
        statements += split.statements;
        coordinates = split.coordinates;
      } else coordinates = index;
      const names = new Map<Node, string>();
      order.forEach((each, e) => {
        const constant = constants.get(each);
        if (constant !== undefined) {
          names.set(each, constant);
          return;
        }
        const load = places.get(each);
        const name = `${prefix}v${e}`;
        const value = load ? load(coordinates) : mapCode(each, names);
        statements += `    ${numberTypes[each.type].c} ${name} = ${value};\n`;
        names.set(each, name);
      });
      return { statements, value: names.get(node)! };
    },
  };
}

/** What is computed, each after its inputs. */
function orderOf(root: Node): Node[] {
  const order: Node[] = [];
  const seen = new Set<Node>();
  const visit = (node: Node): void => {
    if (seen.has(node)) return;
    seen.add(node);
    if (node.content.kind === 'map') for (const input of node.content.inputs) visit(input);
    order.push(node);
  };
  visit(root);
  return order;
}

type Declare = (declaration: string, value: KernelArgument) => void;

/** Code of the place of a leaf's element, by the coordinates. */
function placeOf(
  { name, offset }: Leaf,
  strides: readonly number[],
  parameter: Declare,
): (index: readonly string[]) => string {
  const terms = strides.map((stride, d) => {
    if (stride === 0) return undefined;
    if (stride === 1) return '';
    parameter(`int ${name}s${d}`, stride);
    return ` * ${name}s${d}`;
  });
  if (offset !== 0) parameter(`int ${name}o`, offset);
  return (index) => {
    const parts = terms.flatMap((term, d) => (term === undefined ? [] : `(int)${index[d]}${term}`));
    if (offset !== 0) parts.push(`${name}o`);
    return parts.join(' + ') || '0';
  };
}

function loadOf(
  { node, name }: Leaf,
  place: (index: readonly string[]) => string,
  buffers: Map<DeviceBuffer, string>,
  parameter: Declare,
): (index: readonly string[]) => string {
  const { content, type } = node;
  const { c } = numberTypes[type];
  if (content.kind === 'range') {
    parameter(`${c} ${name}a`, content.start);
    parameter(`${c} ${name}b`, content.step);
    const { last } = content;
    if (last === undefined) return (index) => `(${c})(${name}a + (${c})(${place(index)}) * ${name}b)`;
    parameter(`${c} ${name}l`, last);
    parameter(`int ${name}e`, sizeOf(node.shape) - 1);
    return (index) =>
      `(${place(index)}) == ${name}e ? ${name}l : ${name}a + (${c})(${place(index)}) * ${name}b`;
  }
  const buffer = bufferOf(content.kind === 'view' ? content.base : node);
  let known = buffers.get(buffer);
  if (known === undefined) {
    known = `${name}p`;
    buffers.set(buffer, known);
    parameter(`global const ${c} *${known}`, buffer);
  }
  return (index) => `${known}[${place(index)}]`;
}

export function bufferOf(node: Node): DeviceBuffer {
  if (node.content.kind !== 'stored') throw new Error(`a node of kind ${node.content.kind} has no buffer`);
  return node.content.buffer;
}

function mapCode(node: Node, names: ReadonlyMap<Node, string>): string {
  const { content } = node;
  if (content.kind !== 'map') throw new Error('only operations are computed');
  const inputs = content.inputs.map((input) => ({ name: names.get(input)!, type: input.type }));
  if (content.operation === 'cast') return castCode(inputs[0]!.name, inputs[0]!.type, node.type);
  const operation: Operation = operations[content.operation];
  const { of } = operation.types(inputs.map(({ type }) => type));
  const operands = inputs.map(({ name, type }, i) => (type === of[i] ? name : castCode(name, type, of[i]!)));
  return operation.code(operands, of[0]!, of.at(-1)!);
}

function helpersOf(order: readonly Node[]): string {
  const helpers = new Set<string>();
  for (const { content } of order) {
    if (content.kind !== 'map' || content.operation === 'cast') continue;
    const operation: Operation = operations[content.operation];
    const { of } = operation.types(content.inputs.map(({ type }) => type));
    if (operation.helpers) helpers.add(operation.helpers(of[0]!));
  }
  return [...helpers].join('');
}

/** From an index in the whole to that in each dimension. */
function splitIndex(
  index: string,
  lengths: readonly string[],
  prefix: string,
): { readonly statements: string; readonly coordinates: readonly string[] } {
  if (lengths.length <= 1) return { statements: '', coordinates: lengths.map(() => index) };
  const coordinates = lengths.map((_, d) => `${prefix}i${d}`);
  let statements = '';
  let rest = index;
  for (let d = lengths.length - 1; d > 0; d -= 1) {
    statements += `    uint ${prefix}i${d} = ${rest} % ${lengths[d]}, ${prefix}r${d} = ${rest} / ${lengths[d]};\n`;
    rest = `${prefix}r${d}`;
  }
  statements += `    uint ${prefix}i0 = ${rest};\n`;
  return { statements, coordinates };
}

/** How kernels are launched that compute each element of a shape once. */
export interface Launch {
  readonly global: readonly number[];
  /** Statements that find the index, and return for work-items without one; then the index in the whole is `i`. */
  readonly begin: string;
  readonly index: string | readonly string[];
  readonly parameters: readonly string[];
  readonly arguments: readonly KernelArgument[];
}

export const roundUp = (count: number, to: number): number => Math.ceil(count / to) * to;

/** Rows of at least so many elements are a dimension of their own, so that no index is divided. */
const longRow = 32;

export function launchOver(shape: Shape): Launch {
  const inner = shape.at(-1) ?? 1;
  if (shape.length < 2 || shape.length > 3 || inner < longRow) {
    return {
      global: [roundUp(sizeOf(shape), 64)],
      begin: '  uint i = get_global_id(0);\n  if (i >= size) return;\n',
      index: 'i',
      parameters: ['uint size'],
      arguments: [sizeOf(shape)],
    };
  }
  const names = shape.length === 2 ? ['i0', 'i1'] : ['i0', 'i1', 'i2'];
  const last = names.at(-1)!;
  const ids = names.map((name, d) => `  uint ${name} = get_global_id(${names.length - 1 - d});\n`).join('');
  const whole = names.length === 2 ? 'i0 * width + i1' : '(i0 * (uint)get_global_size(1) + i1) * width + i2';
  return {
    global: [roundUp(inner, 64), ...shape.slice(0, -1).reverse()],
    begin: `${ids}  if (${last} >= width) return;\n  uint i = ${whole};\n`,
    index: names,
    parameters: ['uint width'],
    arguments: [inner],
  };
}
