/** Why a function that a call might have meant cannot be called so, in words for the notes of the message. */
import { counted } from '../../source/counted.ts';

/** That the number of arguments is wrong; undefined if it is not. */
export function wrongCount(expected: number, isVariadic: boolean, have: number): string | undefined {
  if (have === expected || (isVariadic && have > expected)) return undefined;
  const least = isVariadic ? 'at least ' : '';
  const provided = have === 1 ? '1 was provided' : `${have} were provided`;
  return `requires ${least}${counted(expected, 'argument')}, but ${provided}`;
}

/** `1st` for the argument of index 0. */
export function ordinal(index: number): string {
  const number = index + 1;
  const isTeen = number % 100 >= 11 && number % 100 <= 13;
  const ending = isTeen ? undefined : ['st', 'nd', 'rd'][(number % 10) - 1];
  return `${number}${ending ?? 'th'}`;
}
