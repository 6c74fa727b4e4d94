/** What runners ask of the folders that they are given: a folder that is missing is one message, and no stack trace. */
import { existsSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';

/** A folder (or file) of a command line, for commander. @throws InvalidArgumentError if there is none */
export function existing(path: string): string {
  if (!existsSync(path)) throw new InvalidArgumentError('There is no such file or folder.');
  return path;
}
