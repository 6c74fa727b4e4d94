/**
 * How instructions read their sources: as floats, as integers, as bits that are only handed on, and in pairs of components. A modifier
 * means what the type makes of it: `_neg` is a float's sign, an integer's complement, a double's sign in its high word.
 *
 * The inputs of a macro stand for the sources that it is called with, modifiers and all, and are read as the macro's instructions read
 * them.
 */
import type * as ir from '../../ir/ir.ts';
import { f64, i64 } from '../../ir/types.ts';
import type { Source } from '../tree.ts';
import { floatBits, type Kind } from './code.ts';
import { type Context, signOf } from './context.ts';
import { divisorOf, isNegated, type Step, stepsAt } from './source-modifiers.ts';
import { swizzleOf } from './swizzle.ts';

/** A position's value, of the kind that is wanted where bits are read. */
type Read = (position: number, kind: Kind) => ir.Value;

/** What the bits of a source are to the instruction that reads them. */
type Meaning = 'float' | 'integer' | 'bits';

/** Of a float, and of a double's high word. */
const signBit = -0x80000000;

export class Sources {
  readonly #cx: Context;

  constructor(cx: Context) {
    this.#cx = cx;
  }

  floats(source: Source): (position: number) => ir.Value {
    if (source.modifiers.some(({ name, components }) => name === 'divcomp' && components === 'unknown')) {
      this.#cx.fail(
        source.span,
        '_divcomp(unknown) divides by what a sampler says, and no sampler says it here',
      );
    }
    const read = this.#plain(source, 'float');
    return (position) => this.#float(source, position, read);
  }

  integers(source: Source): (position: number) => ir.Value {
    const read = this.#plain(source, 'integer');
    return (position) => this.#integer(source, position, read(position, 'int'));
  }

  /**
   * Bits that are only handed on. Compilers negate a double by `_neg(y)`: its low word must not become a float, which might be a NaN
   * whose bits change, so signs are changed as bits where no float is wanted.
   */
  bits(source: Source): Read {
    const read = this.#plain(source, 'bits');
    return (position, kind) => {
      const steps = stepsAt(source, position);
      if (steps.length === 0) return read(position, kind);
      if (kind === 'float' || !steps.every((step) => step === 'abs' || step === 'neg')) {
        return this.#float(source, position, read);
      }
      const { code } = this.#cx;
      return steps.reduce(
        (value, step) =>
          step === 'neg'
            ? code.binary('xor', value, code.int(signBit))
            : code.binary('and', value, code.int(~signBit)),
        read(position, 'int'),
      );
    };
  }

  /** The double in a source's first two positions, low word first. */
  double(source: Source): ir.Value {
    return this.#pair(source, [0, 1], {
      type: f64,
      what: 'a double',
      negated: (value) => this.#cx.code.unary('fneg', value),
      absolute: (value) => this.#cx.code.unary('fabs', value),
    });
  }

  /** The 64-bit integer in a source's first two positions, low word first. */
  long(source: Source): ir.Value {
    const { code } = this.#cx;
    const negated = (value: ir.Value): ir.Value => code.binary('isub', code.integer(i64, 0), value);
    return this.#pair(source, [0, 1], {
      type: i64,
      what: 'an integer',
      negated,
      absolute: (value) => code.binary('smax', value, negated(value)),
    });
  }

  /** What stands at the positions before the modifiers. */
  #plain(source: Source, meaning: Meaning): Read {
    const { register, span } = source;
    const picks = swizzleOf(source);
    let components: Read | undefined;
    return (position, kind) => {
      const pick = picks[position]!;
      if (typeof pick !== 'number') return this.#cx.code.bits(pick === 'zero' ? 0 : floatBits(1), kind);
      components ??=
        register.kind === 'in' ? this.#given(source, meaning) : this.#cx.components(register, span);
      return components(pick, kind);
    };
  }

  /** What a macro was called with. */
  #given(source: Source, meaning: Meaning): Read {
    const { register, span } = source;
    const given = this.#cx.macroInput(register.number ?? 0, span);
    const read = this.#cx.outside((): Read => {
      if (meaning === 'bits') return this.bits(given);
      return meaning === 'float' ? this.floats(given) : this.integers(given);
    });
    return (position, kind) =>
      this.#cx.code.as(
        kind,
        this.#cx.outside(() => read(position, kind)),
      );
  }

  #float(source: Source, position: number, read: Read): ir.Value {
    const steps = stepsAt(source, position);
    return this.#after(source, position, steps, read);
  }

  /** A float after some of its steps. */
  #after(source: Source, position: number, steps: readonly Step[], read: Read): ir.Value {
    const { code } = this.#cx;
    let value = read(position, 'float');
    for (const [index, step] of steps.entries()) {
      switch (step) {
        case 'invert':
          value = code.binary('fsub', code.float(1), value);
          break;
        case 'bias':
          value = code.binary('fsub', value, code.float(0.5));
          break;
        case 'x2':
          value = code.binary('fmul', value, code.float(2));
          break;
        case 'sign':
          value = signOf(code, value);
          break;
        case 'divcomp': {
          const divisor = divisorOf(source);
          value = code.binary('fdiv', value, this.#after(source, divisor, steps.slice(0, index), read));
          break;
        }
        case 'abs':
          value = code.unary('fabs', value);
          break;
        case 'neg':
          value = code.unary('fneg', value);
          break;
        case 'sat':
          value = code.clamped(value, 0, 1);
      }
    }
    return value;
  }

  /** Compilers write `iadd r0, r1, r2_neg(xyzw)` for a difference, so integers are negated as integers. */
  #integer(source: Source, position: number, plain: ir.Value): ir.Value {
    const { code } = this.#cx;
    let value = plain;
    for (const step of stepsAt(source, position)) {
      const negative = code.binary('isub', code.int(0), value);
      if (step === 'neg') value = negative;
      else if (step === 'abs') value = code.binary('smax', value, negative);
      else this.#refuse(source, step, 'an integer');
    }
    return value;
  }

  #pair(source: Source, positions: readonly [number, number], kind: PairKind): ir.Value {
    const { code } = this.#cx;
    const [low, high] = positions.map((position) => swizzleOf(source)[position]!);
    let value: ir.Value;
    if (source.register.kind === 'in' && typeof low === 'number' && typeof high === 'number') {
      const given = this.#cx.macroInput(source.register.number ?? 0, source.span);
      value = this.#cx.outside(() => this.#pair(given, [low, high], kind));
    } else {
      const read = this.#plain(source, 'bits');
      value = code.joined(read(positions[0], 'int'), read(positions[1], 'int'), kind.type);
    }
    const steps = new Set(positions.flatMap((position) => stepsAt(source, position)));
    for (const step of steps) {
      if (step !== 'abs' && step !== 'neg') this.#refuse(source, step, kind.what);
    }
    if (steps.has('abs')) value = kind.absolute(value);
    return positions.some((position) => isNegated(source, position)) ? kind.negated(value) : value;
  }

  #refuse({ modifiers, span }: Source, step: Step, what: string): never {
    const name = modifiers.find((modifier) => modifier.name === step)?.name ?? 'bx2';
    this.#cx.fail(span, `_${name} has no meaning for ${what}`);
  }
}

/** What two words are together. */
interface PairKind {
  readonly type: typeof i64 | typeof f64;
  readonly what: string;
  readonly negated: (value: ir.Value) => ir.Value;
  readonly absolute: (value: ir.Value) => ir.Value;
}
