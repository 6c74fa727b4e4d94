/**
 * Makes ALU operations for selection, simpler ones where sources are known: arithmetic on literals is done, additions of zero and
 * multiplications by powers of two are not multiplications, an integer that was a float becomes one again by TRUNC.
 */
import type { Span } from '../../source/span.ts';
import { opcode } from './opcodes.ts';
import {
  type Alu,
  type Block,
  type Channel,
  type Item,
  newGroup,
  newRegister,
  type Register,
  type Source,
} from './operations.ts';

export const literal = (bits: number): Source => ({ kind: 'literal', bits: bits | 0 });
export const zero = literal(0);
export const allOnes = literal(-1);

export const registerSource = (register: Register): Source => ({ kind: 'register', register });

const commutative = new Set(['ADD_INT', 'AND_INT', 'OR_INT', 'XOR_INT', 'MULLO_INT']);

export class Emitter {
  readonly items: Item[] = [];
  /** Where operations go; a mark ends it. */
  block: Block;
  span: Span | undefined;
  /** What made each register that is made once. */
  readonly definitions = new Map<Register, Alu>();

  constructor() {
    this.block = this.#newBlock();
  }

  #newBlock(): Block {
    const block: Block = { kind: 'block', operations: [] };
    this.items.push(block);
    return block;
  }

  /** How many branches and loops are open. */
  depth = 0;

  mark(kind: Exclude<Item['kind'], 'block'>): void {
    if (kind === 'if' || kind === 'loop') this.depth += 1;
    if (kind === 'end-if' || kind === 'end-loop') this.depth -= 1;
    this.items.push({ kind, span: this.span });
    this.block = this.#newBlock();
  }

  /** A one-word operation whose result is a new register, or something simpler. */
  emit(name: string, ...sources: Source[]): Source {
    return this.#simpler(name, sources) ?? registerSource(this.emitTo(newRegister(), name, sources));
  }

  emitTo(target: Register, name: string, sources: readonly Source[]): Register {
    const code = opcode(name);
    const given = sources.map((source) => this.plain(source, code.takesFloats, sources.length === 3));
    const alu: Alu = { kind: 'alu', opcode: code, targets: [target], sources: given, span: this.span };
    this.block.operations.push(alu);
    this.definitions.set(target, alu);
    return target;
  }

  /** An operation with doubles: sources and result by words. */
  emitWide(name: string, sources: readonly Source[], isDouble: boolean): readonly Source[] {
    const targets = isDouble ? [newRegister(0), newRegister(1)] : [newRegister(0)];
    this.block.operations.push({
      kind: 'alu',
      opcode: opcode(name),
      targets,
      sources: [...sources],
      span: this.span,
    });
    return targets.map(registerSource);
  }

  /** Ends the block with a predicate. */
  predicate(name: string, sources: readonly Source[]): void {
    const code = opcode(name);
    const given =
      code.units === 'pair'
        ? [...sources]
        : sources.map((source) => this.plain(source, code.takesFloats, false));
    this.block.predicate = { kind: 'alu', opcode: code, targets: [], sources: given, span: this.span };
  }

  move(target: Register, source: Source, block = this.block): void {
    block.operations.push({
      kind: 'alu',
      opcode: opcode('MOV'),
      targets: [target],
      sources: [source],
      span: this.span,
    });
  }

  /** A register that holds a source. */
  register(source: Source): Register {
    if (source.kind === 'register' && !source.negate && !source.absolute) return source.register;
    const target = newRegister();
    this.move(target, source);
    return target;
  }

  /** Registers of one group that hold sources; `fixed` puts each in the channel of its place. */
  together(sources: readonly (Source | undefined)[], isFixed = false): readonly (Register | undefined)[] {
    const present = sources.filter((source) => source !== undefined);
    const members = [...newGroup(present.length)];
    return sources.map((source, lane) => {
      if (!source) return undefined;
      const member = members.shift()!;
      if (isFixed) member.channel = lane as Channel;
      this.move(member, source);
      return member;
    });
  }

  /** A source without modifiers that the operation would not understand. */
  plain(source: Source, takesFloats: boolean, isThree: boolean): Source {
    if (source.kind === 'literal') return source;
    const isBad = takesFloats ? isThree && source.absolute : source.negate || source.absolute;
    if (!isBad) return source;
    const target = newRegister();
    this.move(target, source);
    return registerSource(target);
  }

  #simpler(name: string, sources: Source[]): Source | undefined {
    const bits = sources.map((source) => (source.kind === 'literal' ? source.bits : undefined));
    const { compute } = opcode(name);
    const bound = boundComparison(name, sources);
    if (bound) return bound;
    if (compute && bits.every((one) => one !== undefined)) {
      return literal(compute(bits[0] ?? 0, bits[1] ?? 0, bits[2] ?? 0));
    }
    if (commutative.has(name) && bits[0] !== undefined && bits[1] === undefined) {
      return this.emit(name, sources[1]!, sources[0]!);
    }
    const [first, second, third] = sources;
    const known = bits[1];
    switch (name) {
      case 'ADD_INT':
      case 'SUB_INT':
      case 'OR_INT':
      case 'XOR_INT':
      case 'LSHL_INT':
      case 'LSHR_INT':
      case 'ASHR_INT':
        if (known === 0) return first;
        return name === 'OR_INT' && known === -1 ? allOnes : undefined;
      case 'AND_INT':
        return known === 0 ? zero : known === -1 ? first : undefined;
      case 'MULLO_INT':
        if (known === undefined) return undefined;
        if (known === 0) return zero;
        if (known === 1) return first;
        return known > 0 && (known & (known - 1)) === 0
          ? this.emit('LSHL_INT', first!, literal(31 - Math.clz32(known)))
          : undefined;
      case 'CNDE_INT':
        if (bits[0] !== undefined) return bits[0] === 0 ? second : third;
        return undefined;
      case 'RCP_e': {
        const made = this.made(first!);
        return made?.opcode.name === 'SQRT_e' ? this.emit('RSQ_e', made.sources[0]!) : undefined;
      }
      case 'INT_TO_FLT':
      case 'UINT_TO_FLT': {
        const made = this.made(first!);
        const whole = name === 'INT_TO_FLT' ? 'FLT_TO_INT' : 'FLT_TO_UINT';
        return made?.opcode.name === whole ? this.emit('TRUNC', made.sources[0]!) : undefined;
      }
    }
    return undefined;
  }

  /** The operation that made a source. */
  made(source: Source): Alu | undefined {
    if (source.kind !== 'register' || source.negate || source.absolute) return undefined;
    return this.definitions.get(source.register);
  }
}

/** Whether a position is inside of an output: always. */
function boundComparison(name: string, [first, second]: readonly Source[]): Source | undefined {
  if (!/^SETG[TE]_U?INT$/.test(name)) return undefined;
  if (first?.kind === 'literal' && first.isBound) return allOnes;
  if (second?.kind === 'literal' && second.isBound) return zero;
  return undefined;
}

export function negated(source: Source): Source {
  if (source.kind === 'literal') return literal(source.bits ^ 0x80000000);
  return { ...source, negate: !source.negate };
}

export function magnitude(source: Source): Source {
  if (source.kind === 'literal') return literal(source.bits & 0x7fffffff);
  return { ...source, negate: false, absolute: true };
}
