/**
 * Random OpenCL C kernels that mean one thing only: whatever runs them must leave the same bytes. They use no
 * undefined behaviour and nothing that an implementation may choose; they end; work-items do not race.
 *
 * How that is kept: every variable is declared with a value; indices are masked, divisors made odd; signed sums are
 * computed as unsigned; loops have counters of their own; a variable that changes inside an expression is touched by
 * nothing else of the statement (site.ts, `effects`); barriers stand where control is uniform (block.ts, `isTogether`)
 * and local memory is written only between two of them (exchange.ts); floating point uses exact and correctly rounded
 * operations, and a NaN is replaced before anything could look at its bits (site.ts, `knownFunction`); what is printed says whose
 * it is (print.ts), for the order among work-items is anybody's.
 */
import { Random } from '../../test/support/random.ts';
import type { Block } from './block.ts';
import { localItem } from './exchange.ts';
import { helperFunction, pointerText } from './helper-functions.ts';
import { fillBytes, tableText } from './literals.ts';
import { checksum, observeVariable, replaceNaNs } from './observe.ts';
import { makeArrays, makePalette, makeRecords } from './palette.ts';
import { type Accumulator, newName, type ProgramState, type Variable } from './site.ts';
import { fillBlock } from './statements.ts';
import { essential, line, type Program, printProgram, type Statement } from './syntax.ts';
import {
  type ArrayType,
  type DataType,
  declaration,
  hasPadding,
  isInteger,
  type RecordType,
  sizeOf,
  typeName,
  type ValueType,
  valueType,
} from './types.ts';

export type Size = 'small' | 'medium' | 'large';

/** What a host passes: the bytes of a buffer, of a value, or a size of local memory. */
export type KernelArgument = { buffer: Uint8Array } | { bytes: Uint8Array } | { local: number };

export interface GeneratedKernel {
  readonly source: string;
  /** The same as a tree, for `reduce`. */
  readonly program: Program;
  readonly kernel: string;
  readonly range: { global: number[]; local: number[]; offset: number[] };
  /** The buffers are what the kernel starts from; copy them for each run. */
  readonly arguments: KernelArgument[];
}

const sizes = {
  small: { statements: 6, helpers: 1, depth: 2, cost: 300, items: 8 },
  medium: { statements: 14, helpers: 3, depth: 3, cost: 1500, items: 16 },
  large: { statements: 30, helpers: 6, depth: 4, cost: 6000, items: 32 },
} as const;

export interface GenerateOptions {
  /** Default medium. */
  readonly size?: Size;
  /**
   * Leaves out what PoCL 3.1 gets wrong, so that it can be a judge of the rest: by-value struct arguments that the
   * kernel writes to, which its work-items share, and sizes in dimensions that are not there, which should be 1.
   */
  readonly isForPocl?: boolean;
  /** Work-items print, too. Default false. */
  readonly prints?: boolean;
}

/** The same seed and options give the same kernel. */
export function generateKernel(random: Random | number, options: GenerateOptions = {}): GeneratedKernel {
  return new KernelGenerator(typeof random === 'number' ? new Random(random) : random, options).generate();
}

class KernelGenerator {
  readonly #random: Random;
  readonly #limits: (typeof sizes)[Size];
  readonly #isForPocl: boolean;
  readonly #prints: boolean;
  readonly #range: GeneratedKernel['range'];
  readonly #arguments: KernelArgument[] = [];
  readonly #parameters: string[] = [];
  /** What the kernel's body sees from its start. */
  readonly #variables: Variable[] = [];
  readonly #tables: Variable[] = [];
  readonly #prologue: Statement[] = [];

  constructor(random: Random, { size = 'medium', isForPocl = false, prints = false }: GenerateOptions) {
    this.#random = random;
    this.#limits = sizes[size];
    this.#isForPocl = isForPocl;
    this.#prints = prints;
    this.#range = this.#makeRange();
  }

  generate(): GeneratedKernel {
    const random = this.#random;
    const palette = makePalette(random);
    const records = makeRecords(random, palette, random.below(4));
    const accumulators: Accumulator[] = Array.from({ length: random.below(4) }, (_, index) => {
      const element = random.pick(['int', 'uint'] as const);
      return {
        element,
        place: element === 'int' ? `(global int*)&totals[${index}]` : `&totals[${index}]`,
        operation: random.pick(['add', 'and', 'or', 'xor', 'min', 'max'] as const),
      };
    });
    const program: ProgramState = {
      random,
      maximumDepth: this.#limits.depth,
      maximumCost: this.#limits.cost,
      palette,
      arrays: makeArrays(random, palette, records),
      records,
      helpers: [],
      accumulators,
      prelude: new Map(),
      names: 0,
      isForPocl: this.#isForPocl,
      prints: this.#prints,
    };
    const definitions = records.map(recordText).map((text) => essential`${text}`);
    const tables = this.#makeTables(program);
    const helpers = Array.from({ length: random.below(this.#limits.helpers + 1) }, () =>
      helperFunction(program, this.#tables, 2 + random.below(this.#limits.statements / 2)),
    );
    const body = this.#makeBody(program);
    const kernel = essential`kernel void generated(\n  ${this.#parameters.join(',\n  ')}\n) ${body}`;
    const statements = [
      essential`#pragma OPENCL EXTENSION cl_khr_fp64 : enable`,
      essential`#pragma OPENCL FP_CONTRACT OFF`,
      ...[...program.prelude.values()].map((text) => essential`${text}`),
      ...definitions,
      ...tables,
      ...helpers,
      kernel,
    ];
    return {
      source: printProgram({ statements }),
      program: { statements },
      kernel: 'generated',
      range: this.#range,
      arguments: this.#arguments,
    };
  }

  #makeRange(): GeneratedKernel['range'] {
    const random = this.#random;
    const dimensions = 1 + random.below(3);
    const local: number[] = [];
    const groups: number[] = [];
    let items = 1;
    for (let dimension = 0; dimension < dimensions; dimension++) {
      const most = Math.max(1, Math.floor(this.#limits.items / items));
      const size = 1 + random.below(dimension === 0 ? most : Math.min(most, 4));
      local.push(size);
      items *= size;
      groups.push(1 + random.below(dimension === 0 ? 3 : 2));
    }
    return {
      local,
      global: local.map((size, dimension) => size * groups[dimension]!),
      offset: local.map(() => (random.below(4) === 0 ? random.below(100) : 0)),
    };
  }

  #makeTables(program: ProgramState): Statement[] {
    const types = [...program.arrays].filter(() => this.#random.below(2) === 0);
    return types.map((type) => {
      const name = newName(program, 'table');
      this.#tables.push(variable(name, type, { space: 'constant', isUniform: true }));
      return essential`constant ${declaration(type, name)} = ${tableText(this.#random, type)};`;
    });
  }

  #makeBody(program: ProgramState): Statement[] {
    const random = this.#random;
    const items = this.#range.local.reduce((a, b) => a * b);
    const inputs = this.#makeParameters(program);
    const shared = this.#makeShared(program, items);
    const tallies = Array.from({ length: random.below(3) }, (_, index) => `tally_${index}`);
    for (const name of tallies) {
      this.#prologue.push(essential`local uint ${name};`);
    }
    const block: Block = {
      program,
      work: { cost: 0, maximum: program.maximumCost, asksWho: false },
      statements: [],
      variables: [...this.#tables, ...this.#variables],
      isTogether: true,
      mayAskWho: true,
      iterations: 1,
      nesting: 0,
      breakable: undefined,
      continuable: undefined,
      label: undefined,
      result: undefined,
      group: { items, shared, tallies, inputs },
    };
    block.statements.push(...this.#prologue);
    const before = block.variables.length;
    fillBlock(block, this.#limits.statements);
    const declared = block.variables.slice(before);
    for (const one of [...this.#variables.filter(({ isWritable }) => isWritable), ...declared]) {
      observeVariable(block, one);
    }
    for (const one of this.#variables.filter(({ isWritable, space }) => isWritable && space === 'global')) {
      replaceNaNs(block, one);
    }
    const raw = declared.filter(
      ({ type, isPointer }) =>
        !isPointer && type.kind === 'value' && type.lanes === 1 && isInteger(type.element),
    );
    const results = rawResults + 1;
    block.statements.push(line`result[item * ${results}] = ${checksum};`);
    for (const [index, { name }] of raw.slice(-rawResults).entries()) {
      block.statements.push(line`result[item * ${results} + ${index + 1}] = (ulong)${name};`);
    }
    return block.statements;
  }

  /** Declares the kernel's parameters, makes their values, and returns the read-only buffers. */
  #makeParameters(program: ProgramState): Variable[] {
    const random = this.#random;
    const { global } = this.#range;
    const count = global.reduce((a, b) => a * b);
    this.#pass('global ulong* result', { buffer: this.#bytes(valueType('ulong'), count * (rawResults + 1)) });
    this.#pass('global uint* totals', { buffer: this.#bytes(valueType('uint'), 4) });
    this.#prologue.push(
      essential`const uint ${localItem} = ((uint)get_local_id(2) * (uint)get_local_size(1) + (uint)get_local_id(1)) * (uint)get_local_size(0) + (uint)get_local_id(0);`,
      essential`const uint item = (((uint)get_global_id(2) - (uint)get_global_offset(2)) * (uint)get_global_size(1) + (uint)get_global_id(1) - (uint)get_global_offset(1)) * (uint)get_global_size(0) + (uint)get_global_id(0) - (uint)get_global_offset(0);`,
      essential`ulong ${checksum} = 1;`,
    );
    this.#variables.push(variable(localItem, valueType('uint'), {}), variable('item', valueType('uint'), {}));
    const inputs: Variable[] = [];
    for (const type of program.arrays) {
      const choice = random.below(5);
      if (choice === 0) {
        const name = newName(program, 'input');
        this.#pass(`global const ${pointerText(type, name)}`, { buffer: this.#bytes(type, 1) });
        const input = variable(name, type, { space: 'global', isUniform: true, isPointer: true });
        this.#variables.push(input);
        if (type.element.kind === 'value') inputs.push(input);
      } else if (choice === 1) {
        const name = newName(program, 'coefficients');
        this.#pass(`constant ${pointerText(type, name)}`, { buffer: this.#bytes(type, 1) });
        this.#variables.push(variable(name, type, { space: 'constant', isUniform: true, isPointer: true }));
      } else if (choice === 2 && !hasPadding(type)) {
        const name = newName(program, 'data');
        const slice = newName(program, 'slice');
        this.#pass(`global ${pointerText(type, name)}`, { buffer: this.#bytes(type, count) });
        this.#prologue.push(essential`global ${pointerText(type, slice)} = ${name} + item * ${type.length};`);
        this.#variables.push(variable(slice, type, { space: 'global', isWritable: true, isPointer: true }));
      }
    }
    const values: readonly (ValueType | RecordType)[] = [...program.palette, ...program.records];
    for (const type of values.filter((type) => random.below(4) === 0 && !isBool(type))) {
      const name = newName(program, 'argument');
      const isWritable = random.below(2) === 0 && !(type.kind === 'record' && this.#isForPocl);
      this.#pass(declaration(type, name), { bytes: this.#bytes(type, 1) });
      this.#variables.push(variable(name, type, { isWritable, isUniform: !isWritable }));
    }
    return inputs;
  }

  /** Arrays in local memory, of the kernel's own and as arguments, filled before anything else happens. */
  #makeShared(program: ProgramState, items: number): Variable[] {
    const random = this.#random;
    const length = Math.max(2, 2 ** Math.ceil(Math.log2(items)));
    const types = program.palette.filter((type) => !isBool(type) && random.below(4) === 0);
    if (types.length === 0) types.push(valueType('uint'));
    const arrays = types.slice(0, 4).map((element) => {
      const name = newName(program, 'shared');
      const type: ArrayType = { kind: 'array', element, length };
      if (random.below(3) === 0) this.#pass(`local ${pointerText(type, name)}`, { local: sizeOf(type) });
      else this.#prologue.push(essential`local ${declaration(type, name)};`);
      return variable(name, type, { space: 'local', isUniform: true });
    });
    for (const { name, type } of arrays) {
      const element = typeName((type as ArrayType).element as ValueType);
      this.#prologue.push(
        essential`for (uint i = ${localItem}; i < ${length}; i += ${items}) ${name}[i] = (${element})(i);`,
      );
    }
    this.#prologue.push(essential`barrier(CLK_LOCAL_MEM_FENCE);`);
    this.#variables.push(...arrays);
    return arrays;
  }

  #pass(parameter: string, argument: KernelArgument): void {
    this.#parameters.push(parameter);
    this.#arguments.push(argument);
  }

  #bytes(type: DataType, count: number): Uint8Array {
    const bytes = new Uint8Array(sizeOf(type) * count);
    const view = new DataView(bytes.buffer);
    for (let index = 0; index < count; index++) fillBytes(this.#random, type, view, index * sizeOf(type));
    return bytes;
  }
}

/** Scalars that each work-item writes besides its checksum. */
const rawResults = 3;

function isBool(type: DataType): boolean {
  return type.kind === 'value' && type.element === 'bool';
}

function variable(name: string, type: DataType, changes: Partial<Variable>): Variable {
  return {
    name,
    type,
    space: 'private',
    isWritable: false,
    isUniform: false,
    isPointer: false,
    root: name,
    ...changes,
  };
}

function recordText(record: RecordType): string {
  const members = record.members.map(({ name, type }) => `  ${declaration(type, name)};\n`).join('');
  return `${typeName(record)} {\n${members}};`;
}
