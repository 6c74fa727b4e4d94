/**
 * Who a work-item is. Launches larger than WebGPU allows are made in parts, so that the group's number is that of the part's, and
 * where the part begins. The launch's words (launchWords) lie before the arguments of the kernel.
 */
import type * as ir from '../../ir/ir.ts';

/** Words of a launch's block, in front of the arguments. */
export const launchWords = {
  /** Groups before the first one of this part, in three dimensions. */
  firstGroup: 0,
  workDimensions: 3,
  globalOffset: 4,
  /** Where the program's variables lie. */
  globals: 7,
  globalSize: 8,
  /** Always 0, which compilers of shaders do not know. */
  zero: 11,
  numberOfGroups: 12,
  /** Where a range of one dimension has more groups than WebGPU takes, its groups lie in rows of so many; else 0. */
  rowOfGroups: 15,
  /** Of groups that are not cut off. */
  localSize: 16,
  arguments: 20,
} as const;

const letters = 'xyzw';

export function argumentWord(word: number): string {
  return `arguments[${word >> 2}].${letters[word & 3]}`;
}

/** The number of a group in the range, from its number in the dispatch. */
export function groupText(given: string): string {
  const row = argumentWord(launchWords.rowOfGroups);
  const inRows = `vec3<u32>(${given}.x + ${given}.y * ${row}, 0u, ${given}.z)`;
  return `arguments[${launchWords.firstGroup >> 2}].xyz + select(${given}, ${inRows}, ${row} != 0u)`;
}

/** The names that a kernel has for itself, and functions as variables of the work-item. */
export const itemNames = { local: 'local_id', group: 'group_id', linear: 'local_index' } as const;

export function queryText({ fn, dimension }: ir.Query): string {
  const letter = letters[dimension]!;
  switch (fn) {
    case 'local_id':
      return `${itemNames.local}.${letter}`;
    case 'group_id':
      return `${itemNames.group}.${letter}`;
    case 'linear_local_id':
      return itemNames.linear;
    case 'global_id': {
      const first = `${itemNames.group}.${letter} * ${argumentWord(launchWords.localSize + dimension)}`;
      return `(${first} + ${itemNames.local}.${letter} + ${argumentWord(launchWords.globalOffset + dimension)})`;
    }
    case 'global_size':
      return argumentWord(launchWords.globalSize + dimension);
    case 'local_size':
      return `size_${letter}`;
    case 'enqueued_local_size':
      return argumentWord(launchWords.localSize + dimension);
    case 'num_groups':
      return argumentWord(launchWords.numberOfGroups + dimension);
    case 'global_offset':
      return argumentWord(launchWords.globalOffset + dimension);
    case 'work_dim':
      return argumentWord(launchWords.workDimensions);
  }
}
