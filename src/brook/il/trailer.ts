/** What stands behind a program that brcc writes: what the runtime has to know of its arguments. */
import type { CheckedKernel, Role } from '../check/tree.ts';
import { leavesOf } from './values.ts';

const letters: Readonly<Record<Role, string>> = {
  value: 'c',
  stream: 's',
  gather: 's',
  out: 'o',
  scatter: 'o',
  reduce: 'o',
};

/**
 * Arguments with their components, a line for each leaf of a structure, and of which outputs this pass writes which. A reduction's
 * pass folds as many elements as the launch says, which is 0 here.
 */
export function trailer({ formals }: CheckedKernel): string {
  const list = formals.flatMap(({ role, type, name }) => {
    // A reduction may have its input as a plain parameter.
    const isInput = role === 'value' && formals.some((other) => other.role === 'reduce');
    const letter = isInput ? 's' : letters[role];
    return leavesOf(type).map((leaf) => `##${letter}:${leaf.type.width}:${name}${leaf.path}`);
  });
  const outputs = list.filter((line) => line.startsWith('##o:')).length;
  const lines = [
    ' ',
    '##!!BRCC',
    `##narg:${list.length}`,
    ...list,
    '##workspace:1024',
    `##!!multipleOutputInfo:0:${outputs}:`,
    '##!!fullAddressTrans:0:',
    '##!!reductionFactor:0:',
  ];
  return lines.map((line) => `${line}\n`).join('');
}
