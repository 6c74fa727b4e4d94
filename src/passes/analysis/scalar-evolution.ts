/**
 * Analysis: integers and pointers as polynomials over the iteration numbers of the loops around them (loop-nests.ts), so that it can be
 * said by how much each differs in the next iteration of any of those loops. Iterations of the loops over work-items are local ids, those
 * of the loops over groups are group ids.
 *
 *     %x = query global_id 0                        item0 + local_size0 * group0 + offset0
 *     loop @l (%k = 3, %p = %row) {                 %k = 3 + l
 *       %q = offset %p, (imul %k, %n)               %q = row + l * pitch + 3 n + l * n
 *       continue @l (iadd %k, 1), (offset %p, %pitch)
 *
 *     change of %q along @l: pitch + n
 *
 * What is computed in another way is an atom of its own, of which only is asked along which loops it stays the same. Sums that wrap around
 * lose nothing, for all of one polynomial have one width or are cut off to it: conversions to more bits are atoms.
 */
import type * as ir from '../../ir/ir.ts';
import type { Dimension, LoopNests, NestLoop } from './loop-nests.ts';
import {
  addPolynomials,
  atomPolynomial,
  constantPolynomial,
  multiplyPolynomials,
  type Polynomial,
  zero,
} from './polynomials.ts';

/** What a polynomial has for an atom: the number of a loop's iteration, or a value. */
export type Atom =
  | { readonly kind: 'iteration'; readonly loop: NestLoop }
  | { readonly kind: 'value'; readonly value: ir.Value };

/** Computations that go deeper are atoms. */
const deepest = 64;

export class ScalarEvolution {
  readonly #nests: LoopNests;
  readonly #definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  readonly #known = new Map<ir.Value, Polynomial>();
  readonly #atoms: Atom[] = [];
  readonly #iterations = new Map<NestLoop, Polynomial>();
  readonly #queries = new Map<string, Polynomial>();

  constructor(nests: LoopNests, definitions: ReadonlyMap<ir.Value, ir.Instruction>) {
    this.#nests = nests;
    this.#definitions = definitions;
  }

  /** What an atom of a polynomial stands for. */
  atom(number: number): Atom {
    return this.#atoms[number]!;
  }

  of(value: ir.Value, depth = 0): Polynomial {
    let polynomial = this.#known.get(value);
    if (!polynomial) {
      polynomial = (depth < deepest ? this.#find(value, depth) : undefined) ?? this.#ofItself(value);
      this.#known.set(value, polynomial);
    }
    return polynomial;
  }

  /**
   * By how much a polynomial differs in the next iteration of a loop, with those of all other loops as they are; undefined if that is not
   * the same for all iterations of this loop.
   */
  change(polynomial: Polynomial, loop: NestLoop): Polynomial | undefined {
    let total: Polynomial = zero;
    for (const { factor, atoms } of polynomial.values()) {
      let moving: number | undefined;
      let step = 0;
      for (const atom of atoms) {
        const change = this.changeOfAtom(atom, loop);
        if (change === 0) continue;
        if (change === undefined || moving !== undefined) return undefined;
        moving = atom;
        step = change;
      }
      if (moving === undefined) continue;
      const at = atoms.indexOf(moving);
      const rest = atoms.filter((_, index) => index !== at);
      const sum = addPolynomials(total, new Map([[rest.join(' '), { factor: factor * step, atoms: rest }]]));
      if (!sum) return undefined;
      total = sum;
    }
    return total;
  }

  /** The same of an atom. */
  changeOfAtom(number: number, loop: NestLoop): number | undefined {
    const atom = this.atom(number);
    if (atom.kind === 'iteration') return atom.loop === loop ? 1 : 0;
    return this.#nests.change(atom.value, loop);
  }

  /** What is to be added to one polynomial for another; undefined if that grows too long. */
  difference(to: Polynomial, from: Polynomial): Polynomial | undefined {
    return addPolynomials(to, from, -1);
  }

  #find(value: ir.Value, depth: number): Polynomial | undefined {
    const loop = this.#nests.loopOfParameter(value);
    if (loop) {
      const induction = loop.inductions.get(value);
      if (induction?.kind !== 'additive') return undefined;
      const { terms, constant } = induction.stepForm;
      let step: Polynomial | undefined = constantPolynomial(constant);
      for (const [term, factor] of terms)
        step = step && addPolynomials(step, this.of(term, depth + 1), factor);
      const way = step && multiplyPolynomials(step, this.#iteration(loop));
      return way && addPolynomials(this.of(induction.start, depth + 1), way);
    }
    const definition = this.#definitions.get(value);
    if (!definition) return undefined;
    const operand = (index: number): Polynomial => this.of(definition.operands[index]!, depth + 1);
    switch (definition.op) {
      case 'constant': {
        const { value: constant } = definition;
        const isInteger = typeof constant === 'bigint' || typeof constant === 'number';
        if (!isInteger || value.type.kind !== 'int' || Math.abs(Number(constant)) > 2 ** 40) return undefined;
        return constantPolynomial(Number(constant));
      }
      case 'query':
        return this.#query(definition, value);
      case 'item_address':
        return this.#itemAddress(definition, depth);
      case 'offset':
        return addPolynomials(operand(0), operand(1));
      case 'convert': {
        const { kind } = definition.operands[0]!.type;
        const keeps = definition.fn === 'trunc' || definition.fn === 'space';
        const isAddress = definition.fn === 'ptoi' || definition.fn === 'itop';
        return (keeps && (kind === 'int' || kind === 'pointer')) || isAddress ? operand(0) : undefined;
      }
      case 'binary':
        return value.type.kind === 'int' ? this.#binary(definition, value.type.bits, operand) : undefined;
      default:
        return undefined;
    }
  }

  #binary({ fn }: ir.Binary, bits: number, operand: (index: number) => Polynomial): Polynomial | undefined {
    switch (fn) {
      case 'iadd':
        return addPolynomials(operand(0), operand(1));
      case 'isub':
        return addPolynomials(operand(0), operand(1), -1);
      case 'imul':
        return multiplyPolynomials(operand(0), operand(1));
      case 'shl': {
        const count = operand(1);
        const constant = count.size === 0 ? 0 : count.size === 1 ? count.get('')?.factor : undefined;
        if (constant === undefined) return undefined;
        return multiplyPolynomials(operand(0), constantPolynomial(2 ** (constant & (bits - 1))));
      }
      default:
        return undefined;
    }
  }

  #query({ fn, dimension }: ir.Query, value: ir.Value): Polynomial | undefined {
    const definition = this.#definitions.get(value)!;
    const around = this.#nests.around(definition);
    switch (fn) {
      case 'local_id':
        return this.#localId(around, dimension);
      case 'global_id': {
        const local = this.#localId(around, dimension);
        const start = local && this.#groupStart(value, dimension);
        const offset = this.#same(`global_offset ${dimension}`, value);
        const id = start && addPolynomials(local, start);
        return id && addPolynomials(id, offset);
      }
      case 'linear_local_id':
        return this.#linearId(around, value);
      case 'group_id':
        return this.#iteration(this.#nests.groupLoop(dimension));
      case 'local_size':
      case 'enqueued_local_size':
        return this.#size(dimension, value, fn);
      default:
        return this.#same(`${fn} ${dimension}`, value);
    }
  }

  #localId(around: NestLoop, dimension: Dimension): Polynomial | undefined {
    const loop = this.#nests.itemLoop(around, dimension);
    return loop && multiplyPolynomials(this.#iteration(loop), constantPolynomial(loop.step));
  }

  /** The first local id's global id, without the launch's offset. */
  #groupStart(value: ir.Value, dimension: Dimension): Polynomial | undefined {
    const group = this.#iteration(this.#nests.groupLoop(dimension));
    return multiplyPolynomials(group, this.#size(dimension, value, 'enqueued_local_size'));
  }

  /** (z * size_y + y) * size_x + x */
  #linearId(around: NestLoop, value: ir.Value): Polynomial | undefined {
    let id: Polynomial | undefined = zero;
    for (const dimension of [2, 1, 0] as const) {
      const local = this.#localId(around, dimension);
      const scaled: Polynomial | undefined =
        id && multiplyPolynomials(id, this.#size(dimension, value, 'local_size'));
      id = scaled && local && addPolynomials(scaled, local);
    }
    return id;
  }

  /** Copies follow each other element by element, in the order of linear ids. */
  #itemAddress(definition: ir.ItemAddress, depth: number): Polynomial | undefined {
    const [variable] = definition.operands as [ir.Value];
    const declared = this.#definitions.get(variable);
    const [result] = definition.results as [ir.Value];
    if (declared?.op !== 'variable' || declared.elementSize === undefined) return undefined;
    let id = this.#linearId(this.#nests.around(definition), result);
    const { row = 0 } = definition;
    id = id && addPolynomials(id, this.#size(0, result, 'local_size'), row);
    const distance = id && multiplyPolynomials(id, constantPolynomial(declared.elementSize));
    return distance && addPolynomials(this.of(variable, depth + 1), distance);
  }

  /** The size of a group: a number if the kernel says so. */
  #size(dimension: Dimension, value: ir.Value, fn: ir.QueryFunction): Polynomial {
    const size = this.#nests.groupSize(dimension);
    return size === undefined ? this.#same(`${fn} ${dimension}`, value) : constantPolynomial(size);
  }

  /** One atom for all queries of the same; the value of the first stands for it. */
  #same(key: string, value: ir.Value): Polynomial {
    let polynomial = this.#queries.get(key);
    if (!polynomial) {
      polynomial = this.#newAtom({ kind: 'value', value: { type: value.type, name: key } });
      this.#queries.set(key, polynomial);
    }
    return polynomial;
  }

  #iteration(loop: NestLoop): Polynomial {
    let polynomial = this.#iterations.get(loop);
    if (!polynomial) {
      polynomial = this.#newAtom({ kind: 'iteration', loop });
      this.#iterations.set(loop, polynomial);
    }
    return polynomial;
  }

  #ofItself(value: ir.Value): Polynomial {
    return this.#newAtom({ kind: 'value', value });
  }

  #newAtom(atom: Atom): Polynomial {
    this.#atoms.push(atom);
    return atomPolynomial(this.#atoms.length - 1);
  }
}
