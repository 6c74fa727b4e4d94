/** Numbers as options of commands. */
import { InvalidArgumentError } from 'commander';

/** @throws InvalidArgumentError */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('write a whole number');
  return Number(text);
}

/** A fraction, too. @throws InvalidArgumentError */
export function positiveNumber(text: string): number {
  const count = Number(text);
  if (!(count > 0)) throw new InvalidArgumentError('write a number above 0');
  return count;
}
