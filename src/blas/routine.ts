/**
 * What a routine is: its names, its signature, and what it does. Families of routines (level-1-*.ts, level-2-*.ts, level-3-*.ts) are lists of
 * them; Blas gets a method for each.
 */
import type { Balance } from './balanced-gemm.ts';
import type { Call, Core } from './core.ts';
import { type Letter, type NumberKind, numberKinds } from './number-kinds.ts';
import { Arguments, signatureOf } from './read-arguments.ts';

export interface Routine {
  /** Without `cblas_`. */
  readonly name: string;
  /** What errors have before the name; default `cblas_`. */
  readonly prefix?: string;
  /** What errors have for the name, if it is another. */
  readonly shownName?: string;
  readonly kind: NumberKind;
  readonly signature: string;
  /** Checks what the signature does not say; `run` of the result is what is done in turn. Undefined if there is nothing to do. */
  readonly prepare: (args: Arguments) => Work;
}

/** What is to be done when a routine's time has come. */
export type Work = (call: Call) => Promise<unknown>;

/** One routine for several kinds: its name has their letter for `?`, and is the letter's own where one is given. */
export function routines(
  letters: string,
  name: string,
  signature: string | ((kind: NumberKind) => string),
  prepare: (args: Arguments) => Work,
): Routine[] {
  return [...letters].map((letter) => {
    const kind = numberKinds[letter as Letter];
    const text = typeof signature === 'string' ? signature : signature(kind);
    return { name: name.replace('?', letter), kind, signature: text, prepare };
  });
}

/** A routine as a function of a core. */
export function callOf({ name, kind, signature, prepare, prefix = 'cblas_', shownName = name }: Routine) {
  const parameters = signatureOf(signature);
  return async (core: Core, given: readonly unknown[], balance?: Balance): Promise<unknown> => {
    core.check();
    const args = new Arguments(`${prefix}${shownName}`, kind, parameters, given);
    // What it would not do is an error here.
    const work = prepare(args);
    return name.endsWith('gemm') && balance?.takes(args) ? balance.multiply(args) : core.run(work);
  };
}
