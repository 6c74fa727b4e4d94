/** Which resources a program uses, and so which parameters its kernel has. */
import type { Diagnostics } from '../../source/diagnostics.ts';
import type { Span } from '../../source/span.ts';
import {
  constantIndex,
  type Declarations,
  declarationsOf,
  registerOperands,
  valuesOf,
} from '../declarations.ts';
import type { Instruction, Program } from '../tree.ts';
import type { LoweredParameter } from './interface.ts';

/** A buffer that is addressed by bytes, by words (typeless ones), or by elements. */
export interface Uav {
  readonly form: 'raw' | 'arena' | 'typeless' | 'typed' | 'struct';
  /** of structured ones, bytes of an element */
  readonly stride: number;
  /** of typed ones, whose elements are those of the resource that is bound */
  readonly dimensions: 1 | 2;
}

/** A group memory that is declared as a whole. */
export interface GroupMemory {
  readonly bytes: number;
  /** of structured ones, whose addresses are an element and a byte in it: bytes of an element */
  readonly stride: number | undefined;
}

export interface Plan {
  readonly shader: 'ps' | 'cs';
  readonly declarations: Declarations;
  /** elements of each constant buffer, as many as constant indices reach */
  readonly constantBuffers: ReadonlyMap<number, number>;
  readonly outputs: readonly number[];
  readonly usesGlobal: boolean;
  readonly uavs: ReadonlyMap<number, Uav>;
  readonly samplers: ReadonlyMap<number, ReadonlySet<number>>;
  readonly groupSize: readonly [number, number, number] | undefined;
  /** 32-bit words of group memory for each work-item, `dcl_lds_size_per_thread` */
  readonly wordsPerItem: number;
  /** bytes of the group memories that are declared as a whole, by id */
  readonly groupMemories: ReadonlyMap<number, GroupMemory>;
  /** values of `c#` and `b#`, defined by `def` and `defb` */
  readonly definitions: ReadonlyMap<string, readonly number[]>;
  readonly usesDouble: boolean;
}

/** The largest group memory of a device of the family. */
const mostGroupMemory = 32768;
const mostGroupItems = 1024;
const mostConstants = 4096;

export function planOf(program: Program, diagnostics: Diagnostics): Plan {
  return new Planner(program, diagnostics).plan();
}

class Planner {
  readonly #program: Program;
  readonly #diagnostics: Diagnostics;
  readonly #declarations: Declarations;
  readonly #constantBuffers = new Map<number, number>();
  readonly #outputs = new Set<number>();
  readonly #uavs = new Map<number, Uav>();
  readonly #samplers = new Map<number, Set<number>>();
  readonly #groupMemories = new Map<number, GroupMemory>();
  readonly #definitions = new Map<string, readonly number[]>();
  #usesGlobal = false;
  #usesDouble = false;
  #wordsPerItem = 0;

  constructor(program: Program, diagnostics: Diagnostics) {
    this.#program = program;
    this.#diagnostics = diagnostics;
    this.#declarations = declarationsOf(program);
  }

  plan(): Plan {
    let shader: 'ps' | 'cs' = 'ps';
    for (const [index, { size, span }] of this.#declarations.constantBuffers) {
      if (size > mostConstants)
        this.#diagnostics.error(span, `a constant buffer has at most ${mostConstants} elements`);
      this.#constantBuffers.set(index, Math.max(1, size));
    }
    for (const { size, given, span } of this.#declarations.tables.values()) {
      if (size < 1 || size > mostConstants)
        this.#diagnostics.error(span, `an immediate constant buffer has 1 to ${mostConstants} elements`);
      else if (given > size * 4)
        this.#diagnostics.error(span, `its ${size} elements have ${size * 4} numbers, not ${given}`);
    }
    for (const { register } of this.#declarations.outputs) {
      if (register.kind === 'o') this.#outputs.add(register.number ?? 0);
    }
    for (const item of this.#program.items) {
      if (item.kind === 'header') ({ shader } = item);
      else if (item.kind === 'instruction') {
        if (item.opcode.family === 'declaration') this.#declaration(item);
        else this.#use(item);
      }
    }
    return {
      shader,
      declarations: this.#declarations,
      constantBuffers: this.#constantBuffers,
      outputs: [...this.#outputs].sort((a, b) => a - b),
      usesGlobal: this.#usesGlobal,
      uavs: this.#uavs,
      samplers: this.#samplers,
      groupSize: shader === 'cs' ? this.#groupSize() : undefined,
      wordsPerItem: this.#wordsPerItem,
      groupMemories: this.#groupMemories,
      definitions: this.#definitions,
      usesDouble: this.#usesDouble,
    };
  }

  #groupSize(): readonly [number, number, number] {
    const size = this.#declarations.groupSize ?? [64, 1, 1];
    const items = size[0] * size[1] * size[2];
    if (items < 1 || items > mostGroupItems) {
      const declaration = this.#program.items.find(
        (item) => item.kind === 'instruction' && item.opcode.name.startsWith('dcl_num_thread_per'),
      );
      this.#diagnostics.error(
        declaration?.span ?? { file: this.#program.file, start: 0, end: 0 },
        `a group has 1 to ${mostGroupItems} threads, not ${items}`,
      );
      return [1, 1, 1];
    }
    return size;
  }

  #declaration(instruction: Instruction): void {
    const { opcode, operands, span } = instruction;
    const numbers = operands.flatMap((operand) => (operand.kind === 'number' ? [operand.bits] : []));
    const id = Number(valuesOf(instruction, 'id')[0] ?? 0);
    switch (opcode.name) {
      case 'dcl_lds_size_per_thread':
        this.#wordsPerItem = numbers[0] ?? 0;
        this.#checkGroupMemory(this.#wordsPerItem * 4, span);
        break;
      case 'dcl_lds':
        this.#addGroupMemory(id, numbers[0] ?? 0, undefined, span);
        break;
      case 'dcl_struct_lds':
        this.#addGroupMemory(id, (numbers[0] ?? 0) * (numbers[1] ?? 0), numbers[0] ?? 4, span);
        break;
      case 'dcl_raw_uav':
        this.#uavs.set(id, { form: 'raw', stride: 4, dimensions: 1 });
        break;
      case 'dcl_arena_uav':
        this.#uavs.set(id, { form: 'arena', stride: 4, dimensions: 1 });
        break;
      case 'dcl_struct_uav':
        this.#uavs.set(id, { form: 'struct', stride: numbers[0] ?? 4, dimensions: 1 });
        break;
      case 'dcl_uav':
      case 'dcl_typed_uav':
        this.#typedUav(instruction, id);
        break;
      case 'dcl_typeless_uav':
        this.#uavs.set(id, { form: 'typeless', stride: 4, dimensions: 1 });
        break;
      case 'dcl_gds':
      case 'dcl_struct_gds':
        this.#diagnostics.error(span, 'there is no memory that all groups share (gds) on this device');
        break;
      case 'dcl_raw_srv':
      case 'dcl_struct_srv':
        this.#diagnostics.error(span, 'raw and structured inputs (srv) are not supported; declare a uav');
        break;
      case 'dcl_shared_temp':
      case 'init_shared_registers':
        this.#diagnostics.error(
          span,
          'shared registers (sr) outlive groups, in an order that only the hardware knows; they are not supported',
        );
        break;
      case 'def':
      case 'defb': {
        const [register] = operands;
        if (register?.kind === 'source') {
          this.#definitions.set(`${register.register.kind}${register.register.number ?? 0}`, numbers);
        }
      }
    }
  }

  #typedUav(instruction: Instruction, id: number): void {
    const type = valuesOf(instruction, 'type')[0] ?? '1d';
    if (type !== '1d' && type !== '2d' && type !== 'buffer' && type !== 'unknown') {
      this.#diagnostics.error(
        instruction.span,
        `a uav of type ${type} is not supported; those of 1d and 2d are`,
      );
    }
    this.#uavs.set(id, { form: 'typed', stride: 4, dimensions: type === '2d' ? 2 : 1 });
  }

  #addGroupMemory(id: number, bytes: number, stride: number | undefined, span: Span): void {
    this.#checkGroupMemory(bytes, span);
    this.#groupMemories.set(id, { bytes, stride });
  }

  #checkGroupMemory(bytes: number, span: Span): void {
    if (bytes > mostGroupMemory) {
      this.#diagnostics.error(span, `group memory has at most ${mostGroupMemory} bytes, not ${bytes}`);
    }
  }

  #use(instruction: Instruction): void {
    const { family } = instruction.opcode;
    if (family === 'double' || /^(d2|f2d|[dfiu]tod$|dto)/.test(instruction.opcode.name))
      this.#usesDouble = true;
    for (const { register } of registerOperands(instruction.operands)) {
      const number = register.number ?? 0;
      if (register.kind === 'g') this.#usesGlobal = true;
      else if (register.kind === 'o') this.#outputs.add(number);
      else if (register.kind === 'cb') {
        const index = constantIndex(register) ?? 0;
        if (index < mostConstants) {
          this.#constantBuffers.set(number, Math.max(index + 1, this.#constantBuffers.get(number) ?? 1));
        }
      }
    }
    if (family === 'texture') {
      const input = Number(valuesOf(instruction, 'resource')[0] ?? 0);
      const sampler = valuesOf(instruction, 'sampler')[0];
      let list = this.#samplers.get(input);
      if (!list) {
        list = new Set();
        this.#samplers.set(input, list);
      }
      if (sampler !== undefined && instruction.opcode.name !== 'load') list.add(Number(sampler));
    }
  }
}

/** The parameters, in their order (interface.ts). */
export function parametersOf(plan: Plan): LoweredParameter[] {
  const list: LoweredParameter[] = [];
  const byNumber = <T>(map: ReadonlyMap<number, T>): [number, T][] => [...map].sort(([a], [b]) => a - b);
  if (plan.shader === 'ps') list.push({ kind: 'domain' });
  for (const [index, elements] of byNumber(plan.constantBuffers))
    list.push({ kind: 'constants', index, elements });
  for (const [index, { type, isUnnormalized }] of byNumber(plan.declarations.resources)) {
    const dimensions = type === '1d' || type === 'buffer' ? 1 : 2;
    const samplers = [...(plan.samplers.get(index) ?? [])].sort((a, b) => a - b);
    list.push({ kind: 'input', index, dimensions, isUnnormalized, samplers }, { kind: 'input-shape', index });
  }
  for (const index of plan.outputs) list.push({ kind: 'output', index }, { kind: 'output-shape', index });
  if (plan.usesGlobal) list.push({ kind: 'global' }, { kind: 'global-size' });
  for (const [index, { form }] of byNumber(plan.uavs))
    list.push({ kind: 'uav', index }, { kind: form === 'typed' ? 'uav-shape' : 'uav-size', index });
  return list;
}
