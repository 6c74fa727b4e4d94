/**
 * The arguments of a routine, checked in their order as the reference does; the first that is wrong is the error. A signature is the
 * list of parameters with what each is: `order transA:trans m:size alpha:scalar a:matrix lda:ld`.
 */
import { shown } from '../source/shown.ts';
import * as C from './constants.ts';
import { BlasError } from './errors.ts';
import type { Complex, NumberKind } from './number-kinds.ts';
import { faultOf, type Operand } from './operand.ts';

/** What is passed for a parameter. */
export type ParameterKind =
  | 'order'
  | 'trans'
  | 'uplo'
  | 'diag'
  | 'side'
  | 'size'
  | 'scalar'
  | 'real'
  | 'matrix'
  | 'vector'
  | 'inc'
  | 'anyInc'
  | 'ld'
  | 'stride'
  | 'integers';

export interface Parameter {
  readonly name: string;
  readonly kind: ParameterKind;
}

export function signatureOf(text: string): readonly Parameter[] {
  return text.split(' ').map((word) => {
    const [name, kind = name] = word.split(':') as [string, string?];
    return { name, kind: kind as ParameterKind };
  });
}

const enumerations: Readonly<Record<string, readonly [what: string, values: readonly number[]]>> = {
  order: ['Order', [C.CblasRowMajor, C.CblasColMajor]],
  trans: ['Trans', [C.CblasNoTrans, C.CblasTrans, C.CblasConjTrans, C.CblasConjNoTrans]],
  uplo: ['Uplo', [C.CblasUpper, C.CblasLower]],
  diag: ['Diag', [C.CblasNonUnit, C.CblasUnit]],
  side: ['Side', [C.CblasLeft, C.CblasRight]],
};

/** The arguments by the names of their parameters. */
export class Arguments {
  readonly routine: string;
  readonly kind: NumberKind;
  readonly #parameters: readonly Parameter[];
  readonly #values: ReadonlyMap<string, unknown>;

  /** @throws BlasError for the first argument that cannot be one of its parameter */
  constructor(
    routine: string,
    kind: NumberKind,
    parameters: readonly Parameter[],
    given: readonly unknown[],
  ) {
    this.routine = routine;
    this.kind = kind;
    this.#parameters = parameters;
    if (given.length !== parameters.length) {
      const names = parameters.map(({ name }) => name).join(', ');
      const which = Math.min(given.length, parameters.length) + 1;
      throw new BlasError(
        this.routine,
        which,
        `it takes ${parameters.length} arguments (${names}); ${given.length} were given`,
      );
    }
    parameters.forEach((parameter, index) => {
      const fault = this.#faultOf(parameter, given[index]);
      if (fault !== undefined) throw new BlasError(this.routine, index + 1, fault);
    });
    this.#values = new Map(parameters.map(({ name }, index) => [name, given[index]]));
  }

  #faultOf({ name, kind }: Parameter, value: unknown): string | undefined {
    const listed = enumerations[kind];
    if (listed)
      return listed[1].includes(value as number)
        ? undefined
        : `Illegal ${listed[0]} setting, ${shown(value)}`;
    switch (kind) {
      case 'size':
        return isWhole(value) && value >= 0 ? undefined : `${name} is ${shown(value)}`;
      case 'inc':
        return isWhole(value) && value !== 0 ? undefined : `${name} is ${shown(value)}`;
      case 'anyInc':
      case 'ld':
      case 'stride':
        return isWhole(value) ? undefined : `${name} is ${shown(value)}`;
      case 'integers':
        return value instanceof Int32Array ? undefined : `${name} is an Int32Array, not ${shown(value)}`;
      case 'real':
        return typeof value === 'number' ? undefined : `${name} is a number, not ${shown(value)}`;
      case 'scalar':
        return this.kind.isComplex
          ? faultOfComplex(name, value)
          : this.#faultOf({ name, kind: 'real' }, value);
      default: {
        const fault = faultOf(value, this.kind);
        return fault && `${name}: ${fault}`;
      }
    }
  }

  /** @throws BlasError that says of a parameter what is wrong with it */
  fail(name: string, why: string): never {
    const index = this.#parameters.findIndex((parameter) => parameter.name === name);
    throw new BlasError(this.routine, index + 1, why);
  }

  number(name: string): number {
    return this.#values.get(name) as number;
  }

  integers(name: string): Int32Array {
    return this.#values.get(name) as Int32Array;
  }

  operand(name: string): Operand {
    return this.#values.get(name) as Operand;
  }

  /** As a kernel takes it. */
  scalar(name: string): number | Complex {
    const value = this.#values.get(name) as number | ArrayLike<number>;
    if (!this.kind.isComplex) return value as number;
    return typeof value === 'number' ? [value, 0] : [value[0]!, value[1]!];
  }

  is(name: string, value: number): boolean {
    return this.#values.get(name) === value;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }
}

const isWhole = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(value as number) < 2 ** 31;

function faultOfComplex(name: string, value: unknown): string | undefined {
  if (typeof value === 'number') return undefined;
  const parts = value as ArrayLike<unknown> | null;
  if (typeof parts === 'object' && parts !== null && parts.length === 2) {
    if (typeof parts[0] === 'number' && typeof parts[1] === 'number') return undefined;
  }
  return `${name} is a number or its real and imaginary part, not ${shown(value)}`;
}

export const isZero = (scalar: number | Complex): boolean =>
  typeof scalar === 'number' ? scalar === 0 : scalar[0] === 0 && scalar[1] === 0;

export const isOne = (scalar: number | Complex): boolean =>
  typeof scalar === 'number' ? scalar === 1 : scalar[0] === 1 && scalar[1] === 0;
