/**
 * Four integers of 32 bits of the doubles of two vectors that were cut off, as functions of the runtime: called only where the machine has an
 * instruction for it in their place (`ownRoutines`), but they say what that does. All doubles are such as the integers can have, or 2^31, which is the
 * lowest integer then; of others any integer may come.
 */
import type { AssemblyFunction } from '../module/assembler.ts';

export function wholeDoublesName(sign: 's' | 'u'): string {
  return `whole_doubles_${sign}`;
}

/** The lower words of the doubles of two vectors. */
export const lowerWords: readonly number[] = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];

/** What makes the lower word of a double an integer of either sign, modulo 2^32: a double between 2^52 and 2^53 counts in ones. */
export const inOnes = 2 ** 52 + 2 ** 51;

export const wholeDoublesRoutines: readonly AssemblyFunction[] = (['s', 'u'] as const).map((sign) => {
  const words = (doubles: string): string =>
    `(f64x2.add (f64x2.trunc ${doubles}) (f64x2.splat (f64.const ${inOnes})))`;
  return {
    name: wholeDoublesName(sign),
    parameters: 'a:v128 b:v128',
    result: 'v128',
    body: `(i8x16.shuffle ${lowerWords.join(' ')} ${words('$a')} ${words('$b')})`,
  };
});
