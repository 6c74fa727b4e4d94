/**
 * Integers and pointers as sums: so many times each of some values, and a constant. Two addresses whose terms are the same
 * are a known number of bytes apart, wherever they are.
 *
 *     %b = shl (iadd %row, %k), 2                 4 %row + 4 %k + %p
 *     %q = offset %p, %b
 *
 * What wraps around loses nothing by that, for all of one sum have one width: other conversions end it.
 *
 * On request it looks closer: products of two sums are multiplied out, as in (%row + 1) * %n, and queries of the same are one
 * value. The products in a sum are terms whose values stand for themselves: no instruction computes them.
 */
import type * as ir from '../../ir/ir.ts';
import { addTerms } from './terms.ts';

export interface AffineForm {
  readonly terms: ReadonlyMap<ir.Value, number>;
  readonly constant: number;
}

/** Sums with more terms, and computations that go deeper, are values of their own. */
const mostTerms = 8;
const deepest = 64;
/** So are sums with factors larger than that, which might not be exact. */
const largest = 2 ** 40;

export class AffineForms {
  readonly #definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  readonly #forms = new Map<ir.Value, AffineForm>();
  /** What stands for the product of two values, and for the answer to a query. */
  readonly #products = new Map<ir.Value, Map<ir.Value, ir.Value>>();
  readonly #queries = new Map<string, ir.Value>();
  readonly #looksCloser: boolean;

  constructor(definitions: ReadonlyMap<ir.Value, ir.Instruction>, { looksCloser = false } = {}) {
    this.#definitions = definitions;
    this.#looksCloser = looksCloser;
  }

  of(value: ir.Value, depth = 0): AffineForm {
    let form = this.#forms.get(value);
    if (!form) {
      form = (depth < deepest ? this.#find(value, depth) : undefined) ?? ofItself(value);
      this.#forms.set(value, form);
    }
    return form;
  }

  #find(value: ir.Value, depth: number): AffineForm | undefined {
    const definition = this.#definitions.get(value);
    if (!definition) return undefined;
    const operand = (index: number): AffineForm => this.of(definition.operands[index]!, depth + 1);
    switch (definition.op) {
      case 'constant': {
        const { value: constant } = definition;
        const isInteger = typeof constant === 'bigint' || typeof constant === 'number';
        return isInteger && value.type.kind === 'int' ? checked(new Map(), Number(constant)) : undefined;
      }
      case 'query':
        return this.#looksCloser ? ofItself(this.#answerTo(definition, value)) : undefined;
      case 'offset':
        return sum(operand(0), operand(1), 1);
      case 'binary': {
        if (value.type.kind !== 'int') return undefined;
        const { bits } = value.type;
        switch (definition.fn) {
          case 'iadd':
            return sum(operand(0), operand(1), 1);
          case 'isub':
            return sum(operand(0), operand(1), -1);
          case 'shl': {
            const count = operand(1);
            return count.terms.size > 0 ? undefined : scaled(operand(0), 2 ** (count.constant & (bits - 1)));
          }
          case 'imul': {
            const [a, b] = [operand(0), operand(1)];
            if (b.terms.size === 0) return scaled(a, b.constant);
            return a.terms.size === 0 ? scaled(b, a.constant) : this.#multiplied(a, b);
          }
          default:
            return undefined;
        }
      }
      default:
        return undefined;
    }
  }

  #multiplied(a: AffineForm, b: AffineForm): AffineForm | undefined {
    if (!this.#looksCloser || a.terms.size * b.terms.size > mostTerms) return undefined;
    let result = checked(new Map(), a.constant * b.constant);
    const add = (form: AffineForm | undefined): void => {
      result = result && form && sum(result, form, 1);
    };
    add(scaled({ terms: a.terms, constant: 0 }, b.constant));
    add(scaled({ terms: b.terms, constant: 0 }, a.constant));
    for (const [left, factor] of a.terms) {
      for (const [right, times] of b.terms)
        add(scaled(ofItself(this.#productOf(left, right)), factor * times));
    }
    return result;
  }

  #answerTo({ fn, dimension }: ir.Query, value: ir.Value): ir.Value {
    const key = `${fn} ${dimension}`;
    const known = this.#queries.get(key);
    if (known && known.type === value.type) return known;
    this.#queries.set(key, value);
    return value;
  }

  /** One value for both orders. */
  #productOf(a: ir.Value, b: ir.Value): ir.Value {
    const known = this.#products.get(a)?.get(b);
    if (known) return known;
    const product: ir.Value = { type: a.type };
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const ofOne = this.#products.get(one) ?? new Map<ir.Value, ir.Value>();
      this.#products.set(one, ofOne.set(other, product));
    }
    return product;
  }
}

function ofItself(value: ir.Value): AffineForm {
  return { terms: new Map([[value, 1]]), constant: 0 };
}

function sum(a: AffineForm, b: AffineForm, sign: 1 | -1): AffineForm | undefined {
  return checked(addTerms(a.terms, b.terms, sign), a.constant + sign * b.constant);
}

function scaled(form: AffineForm, factor: number): AffineForm | undefined {
  if (factor === 0) return checked(new Map(), 0);
  const terms = new Map([...form.terms].map(([value, own]) => [value, own * factor]));
  return checked(terms, form.constant * factor);
}

function checked(terms: ReadonlyMap<ir.Value, number>, constant: number): AffineForm | undefined {
  if (terms.size > mostTerms || Math.abs(constant) > largest) return undefined;
  for (const factor of terms.values()) if (Math.abs(factor) > largest) return undefined;
  return { terms, constant };
}
