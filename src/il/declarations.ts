/** What a program declares, gathered from all of its text: some programs declare registers behind their first use. */
import type { Span } from '../source/span.ts';
import type { Destination, Instruction, NumberOperand, Operand, Program, Register, Source } from './tree.ts';

/** An array of elements of four components. */
export interface DeclaredArray {
  /** in elements */
  readonly size: number;
  readonly span: Span;
}

/** An immediate constant buffer, whose elements stand in the program. */
export interface DeclaredTable extends DeclaredArray {
  /** 32 bits for each component of each element; 0 where the program says nothing */
  readonly bits: readonly number[];
  /** how many of them the program says */
  readonly given: number;
}

export interface DeclaredLiteral {
  /** 32 bits for each of x, y, z and w */
  readonly bits: readonly number[];
  readonly span: Span;
}

/** An image that is sampled or loaded from. */
export interface DeclaredResource {
  /** `1d`, `2d` */
  readonly type: string;
  /** coordinates count elements; otherwise they go from 0 to 1 */
  readonly isUnnormalized: boolean;
  /** of x, y, z and w; `unknown` where nothing is said */
  readonly formats: readonly string[];
  readonly span: Span;
}

/** A register that the program gets or gives. */
export interface DeclaredRegister {
  readonly register: Register;
  /** the names of the declaration's modifiers: `position`, `generic` */
  readonly usages: readonly string[];
  /** how the values of inputs lie between the corners: `linear_noperspective`; empty for outputs */
  readonly interpolation: string;
  readonly span: Span;
}

export interface Declarations {
  readonly constantBuffers: ReadonlyMap<number, DeclaredArray>;
  /** by the number of `icb#`, 0 where it has none */
  readonly tables: ReadonlyMap<number, DeclaredTable>;
  readonly temporaryArrays: ReadonlyMap<number, DeclaredArray>;
  readonly literals: ReadonlyMap<number, DeclaredLiteral>;
  readonly resources: ReadonlyMap<number, DeclaredResource>;
  readonly inputs: readonly DeclaredRegister[];
  readonly outputs: readonly DeclaredRegister[];
  /** threads of a group in each dimension; undefined if the program does not say it */
  readonly groupSize: readonly [number, number, number] | undefined;
}

export function declarationsOf(program: Program): Declarations {
  const constantBuffers = new Map<number, DeclaredArray>();
  const tables = new Map<number, DeclaredTable>();
  const temporaryArrays = new Map<number, DeclaredArray>();
  const literals = new Map<number, DeclaredLiteral>();
  const resources = new Map<number, DeclaredResource>();
  const inputs: DeclaredRegister[] = [];
  const outputs: DeclaredRegister[] = [];
  let groupSize: [number, number, number] | undefined;
  for (const item of program.items) {
    if (item.kind !== 'instruction' || item.opcode.family !== 'declaration') continue;
    switch (item.opcode.name) {
      case 'dcl_cb':
        if (registerOf(item)?.kind === 'icb') tables.set(registerOf(item)?.number ?? 0, tableOf(item));
        else addArray(constantBuffers, item);
        break;
      case 'dcl_indexed_temp_array':
        addArray(temporaryArrays, item);
        break;
      case 'dcl_literal':
        literals.set(registerOf(item)?.number ?? 0, { bits: numbersOf(item), span: item.span });
        break;
      case 'dcl_resource':
        resources.set(Number(valuesOf(item, 'id')[0]), resourceOf(item));
        break;
      case 'dcl_input':
        addRegister(inputs, item);
        break;
      case 'dcl_output':
        addRegister(outputs, item);
        break;
      case 'dcl_num_thread_per_group':
      case 'dcl_num_thread_per_blk': {
        const [x = 1, y = 1, z = 1] = numbersOf(item);
        groupSize = [x, y, z];
      }
    }
  }
  return { constantBuffers, tables, temporaryArrays, literals, resources, inputs, outputs, groupSize };
}

/** A number that does not depend on registers; undefined for other indices. */
export function constantIndex({ indices }: Register): number | undefined {
  const [index] = indices;
  if (indices.length !== 1 || index === undefined) return undefined;
  return index.terms.reduce<number | undefined>(
    (sum, term) => (sum === undefined || term.kind !== 'number' ? undefined : sum + term.bits),
    0,
  );
}

/** The values in the parentheses of a modifier; none if the instruction does not have it. */
export function valuesOf({ modifiers }: Instruction, name: string): readonly string[] {
  return modifiers.find((modifier) => modifier.name === name)?.values ?? [];
}

function addArray(arrays: Map<number, DeclaredArray>, instruction: Instruction): void {
  const register = registerOf(instruction);
  if (register === undefined) return;
  const size = constantIndex(register) ?? 0;
  const before = arrays.get(register.number ?? 0)?.size ?? 0;
  arrays.set(register.number ?? 0, { size: Math.max(size, before), span: instruction.span });
}

function tableOf(instruction: Instruction): DeclaredTable {
  const register = registerOf(instruction);
  const size = (register && constantIndex(register)) ?? 0;
  const given = numbersOf(instruction);
  // how large it may be is checked elsewhere
  const bits = Array.from({ length: Math.min(size, 4096) * 4 }, (_, index) => given[index] ?? 0);
  return { size, bits, given: given.length, span: instruction.span };
}

function resourceOf(instruction: Instruction): DeclaredResource {
  const types = valuesOf(instruction, 'type');
  return {
    type: types.find((type) => type !== 'unnorm') ?? 'unknown',
    isUnnormalized: types.includes('unnorm'),
    formats: ['fmtx', 'fmty', 'fmtz', 'fmtw'].map((name) => valuesOf(instruction, name)[0] ?? 'unknown'),
    span: instruction.span,
  };
}

function addRegister(list: DeclaredRegister[], instruction: Instruction): void {
  const register = registerOf(instruction);
  if (register === undefined) return;
  const usages = instruction.modifiers.flatMap(({ name, values }) => {
    if (name === 'usage') return values;
    return name === 'interp' ? [] : [name];
  });
  const interpolation = valuesOf(instruction, 'interp')[0] ?? '';
  list.push({ register, usages, interpolation, span: instruction.span });
}

function registerOf({ operands }: Instruction): Register | undefined {
  const [first] = operands;
  return first?.kind === 'source' || first?.kind === 'destination' ? first.register : undefined;
}

function numbersOf({ operands }: Instruction): number[] {
  return operands
    .filter((operand): operand is NumberOperand => operand.kind === 'number')
    .map(({ bits }) => bits);
}

/** All operands that name registers, those in brackets and in the arguments of macros among them. */
export function* registerOperands(operands: readonly Operand[]): Generator<Source | Destination> {
  for (const operand of operands) {
    if (operand.kind === 'arguments') {
      yield* registerOperands(operand.operands);
    } else if (operand.kind === 'source' || operand.kind === 'destination') {
      yield operand;
      for (const { terms } of operand.register.indices) yield* registerOperands(terms);
    }
  }
}
