/** Which settings of a condition become branches: on stack code written here. */
import { expect, it } from 'vitest';
import { threadConditions } from '../../../../src/codegen/x64/stack-code/conditions.ts';
import type { StackInstruction } from '../../../../src/codegen/x64/stack-code/reader.ts';

/** Instructions by their names, with a number behind some. */
function code(text: string): StackInstruction[] {
  return text
    .trim()
    .split(/\s*\n\s*/)
    .map((line, at) => {
      const [name, value = '0'] = line.split(' ');
      const rest = { at, wide: 0n, offset: 0, bytes: undefined, labels: [], result: undefined, isDropped: false };
      return { name: name as StackInstruction['name'], value: Number(value), ...rest };
    });
}

function threaded(text: string): string[] {
  return threadConditions(code(text)).map(({ name, branching }) => {
    if (!branching) return name;
    const where = branching.leaves === undefined ? 'here' : `out of ${branching.leaves}`;
    return `${name}, ${branching.isNegated ? 'if not' : 'if'} ${where}`;
  });
}

const both = `local.get 1
  if
    local.get 2
    local.set 7
  else
    i32.const 0
    local.set 7
  end`;

it('that an if reads next', () => {
  expect(threaded(`${both}\n local.get 7\n i32.eqz\n if\n nop\n end\n end`)).toEqual([
    'local.get',
    'if',
    'local.get',
    'local.set, if not here',
    'else',
    'i32.const',
    'local.set, if not here',
    'end',
    'if, if not here',
    'nop',
    'end',
    'end',
  ]);
});

it('that a branch out of blocks reads next', () => {
  const names = threaded(`block\n ${both}\n local.get 7\n br_if 1\n end\n end`);
  expect(names.filter((name) => /local.set|br_if/.test(name))).toEqual([
    'local.set, if out of 1',
    'local.set, if out of 1',
  ]);
});

it('not what is read again, or set by one branch only', () => {
  const plain = (text: string): void => expect(threaded(text)).toEqual(code(text).map(({ name }) => name));
  plain(`${both}\n local.get 7\n if\n local.get 7\n drop\n end\n end`);
  plain('local.get 1\n if\n local.get 2\n local.set 7\n else\n nop\n end\n local.get 7\n if\n end\n end');
  plain(`${both}\n local.get 7\n local.set 8\n end`);
});
