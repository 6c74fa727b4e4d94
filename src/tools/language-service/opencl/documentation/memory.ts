/** Built-in functions of work-items, memory and groups (OpenCL 1.2, 6.12.1 and 6.12.7 to 6.12.11; 2.0, 6.13.8 to 6.13.15). */
import type { Line } from './entry.ts';

const widths = [2, 3, 4, 8, 16];
const modes = ['', '_rte', '_rtz', '_rtp', '_rtn'];
const names = (prefixes: readonly string[], tails: readonly (string | number)[]): string =>
  prefixes.flatMap((prefix) => tails.map((tail) => `${prefix}${tail}`)).join(' ');

const workItemLines: readonly Line[] = [
  ['get_work_dim', '', 'How many dimensions the range has: 1, 2 or 3.'],
  [
    'get_global_size',
    'dimindx',
    'How many work-items the whole range has in a dimension (0 is the first); 1 beyond the last.',
  ],
  [
    'get_global_id',
    'dimindx',
    'Where this work-item is in the whole range, in a dimension (0 is the first). Neighbours in dimension 0 run together: let them touch neighbouring memory.',
  ],
  ['get_local_size', 'dimindx', 'How many work-items this work-group has in a dimension.'],
  [
    'get_enqueued_local_size',
    'dimindx',
    'How many work-items a full work-group has: `get_local_size` may be smaller at the end of a range.',
  ],
  ['get_local_id', 'dimindx', 'Where this work-item is in its work-group.'],
  ['get_num_groups', 'dimindx', 'How many work-groups the range has in a dimension.'],
  ['get_group_id', 'dimindx', 'Which work-group of the range this is, in a dimension.'],
  ['get_global_offset', 'dimindx', 'The offset that the launch gave: what `get_global_id` begins with.'],
  ['get_global_linear_id', '', 'The number of this work-item among all of the range, without the offset.'],
  ['get_local_linear_id', '', 'The number of this work-item in its work-group.'],
  [
    'get_sub_group_size get_max_sub_group_size',
    '',
    'How many work-items a sub-group has: this one, or the largest of the group.',
    'cl_khr_subgroups',
  ],
  [
    'get_num_sub_groups get_enqueued_num_sub_groups',
    '',
    'How many sub-groups a work-group has: this one, or a full one.',
    'cl_khr_subgroups',
  ],
  ['get_sub_group_id', '', 'Which sub-group of the work-group this is.', 'cl_khr_subgroups'],
  ['get_sub_group_local_id', '', 'Where this work-item is in its sub-group.', 'cl_khr_subgroups'],
];

const vectorLines: readonly Line[] = [
  [
    names(['vload'], widths),
    'offset p',
    'Reads a vector from `p + offset * n`, where n is its width. The address need be aligned for one element only.',
  ],
  [
    names(['vstore'], widths),
    'data offset p',
    'Writes a vector to `p + offset * n`, where n is its width. The address need be aligned for one element only.',
  ],
  [
    names(['vload_half'], ['', ...widths]),
    'offset p',
    'Reads halves and gives them as floats. Works without `cl_khr_fp16`.',
  ],
  [
    names(['vloada_half'], widths),
    'offset p',
    'As `vload_half`, from an address aligned for the whole vector; three lie as four.',
  ],
  [
    names(
      modes.map((mode) => `vstore_half${mode}`),
      [''],
    ),
    'data offset p',
    'Writes a float or double as a half. The ending says how it is rounded: to nearest (`rte`), to zero (`rtz`), up (`rtp`), down (`rtn`).',
  ],
  [
    widths.flatMap((n) => modes.map((mode) => `vstore_half${n}${mode}`)).join(' '),
    'data offset p',
    'Writes floats or doubles as halves. The ending says how they are rounded: to nearest (`rte`), to zero (`rtz`), up (`rtp`), down (`rtn`).',
  ],
  [
    widths.flatMap((n) => modes.map((mode) => `vstorea_half${n}${mode}`)).join(' '),
    'data offset p',
    'As `vstore_half`, to an address aligned for the whole vector; three lie as four.',
  ],
  ['shuffle', 'x mask', 'A vector whose components are those of x that the mask names by number.'],
  [
    'shuffle2',
    'x y mask',
    'A vector whose components come from x and y; the mask counts those of y after those of x.',
  ],
  [
    'vec_step',
    'a',
    'How many components a type or value has; 4 for vectors of three. Known when the program is compiled.',
  ],
];

const synchronisation: readonly Line[] = [
  [
    'barrier',
    'flags',
    'Waits until all work-items of the group are here, and orders their accesses to local (`CLK_LOCAL_MEM_FENCE`) or global memory (`CLK_GLOBAL_MEM_FENCE`). All of them must come here, or none.',
  ],
  [
    'work_group_barrier',
    'flags scope',
    'Waits until all work-items of the group are here, and orders their accesses to the memories of the flags.',
  ],
  [
    'sub_group_barrier',
    'flags scope',
    'Waits until all work-items of the sub-group are here.',
    'cl_khr_subgroups',
  ],
  [
    'mem_fence',
    'flags',
    "Orders this work-item's reads and writes before it with those behind it. It waits for nobody.",
  ],
  ['read_mem_fence', 'flags', "Orders this work-item's reads."],
  ['write_mem_fence', 'flags', "Orders this work-item's writes."],
  [
    'async_work_group_copy',
    'dst src num_elements event',
    'The whole group copies between local and global memory. All work-items call it with the same arguments, and `wait_group_events` before they touch the data.',
  ],
  [
    'async_work_group_strided_copy',
    'dst src num_elements stride event',
    'As `async_work_group_copy`, with a distance between elements in global memory.',
  ],
  ['wait_group_events', 'num_events event_list', 'Waits for copies that the group began.'],
  ['prefetch', 'p num_elements', 'A hint that global memory is needed soon.'],
];

const groupText = 'All work-items of the group must call it.';
const ways = { add: 'the sum', min: 'the smallest', max: 'the largest' } as const;

function groupLines(group: 'work_group' | 'sub_group'): Line[] {
  const needs =
    group === 'sub_group' ? 'cl_khr_subgroups' : '__opencl_c_work_group_collective_functions in OpenCL C 3.0';
  const lines: Line[] = [
    [
      `${group}_all`,
      'predicate',
      `Not 0 where the predicate holds for all work-items of the group. ${groupText}`,
      needs,
    ],
    [
      `${group}_any`,
      'predicate',
      `Not 0 where the predicate holds for some work-item of the group. ${groupText}`,
      needs,
    ],
    [
      `${group}_broadcast`,
      group === 'sub_group' ? 'a sub_group_local_id' : 'a local_id_x local_id_y local_id_z',
      `The value that one work-item of the group gave, for all. ${groupText}`,
      needs,
    ],
  ];
  for (const [way, what] of Object.entries(ways)) {
    lines.push(
      [
        `${group}_reduce_${way}`,
        'x',
        `For every work-item ${what} of the values of all. ${groupText}`,
        needs,
      ],
      [
        `${group}_scan_exclusive_${way}`,
        'x',
        `For every work-item ${what} of the values of those before it. ${groupText}`,
        needs,
      ],
      [
        `${group}_scan_inclusive_${way}`,
        'x',
        `For every work-item ${what} of the values of those before it and its own. ${groupText}`,
        needs,
      ],
    );
  }
  return lines;
}

const whole = 'in one step that no other work-item can come between; gives the old value.';

const older: Readonly<Record<string, string>> = {
  add: 'Adds to what p points to',
  sub: 'Subtracts from what p points to',
  xchg: 'Stores a value',
  inc: 'Adds one to what p points to',
  dec: 'Subtracts one from what p points to',
  cmpxchg: 'Stores val if cmp is what p points to',
  min: 'Stores the smaller of the old value and val',
  max: 'Stores the larger of the old value and val',
  and: 'Keeps the bits that are set in val',
  or: 'Sets the bits that are set in val',
  xor: 'Turns the bits that are set in val',
};

function parametersOf(way: string): string {
  if (way === 'inc' || way === 'dec') return 'p';
  return way === 'cmpxchg' ? 'p cmp val' : 'p val';
}

const atomicLines: readonly Line[] = [
  ...Object.entries(older).flatMap(([way, what]): Line[] => [
    [`atomic_${way}`, parametersOf(way), `${what}, ${whole}`],
    [
      `atom_${way}`,
      parametersOf(way),
      `${what}, ${whole} The older name; for 64 bits the only one.`,
      'cl_khr_global_int32_base_atomics or its like; cl_khr_int64_base_atomics for 64 bits',
    ],
  ]),
  ['atomic_init', 'obj value', 'Gives an atomic object its first value. Not atomic itself.'],
  ['atomic_work_item_fence', 'flags order scope', 'Orders memory accesses without touching any.'],
  ['atomic_store atomic_store_explicit', 'object desired order scope', 'Stores a value in an atomic object.'],
  ['atomic_load atomic_load_explicit', 'object order scope', 'Reads an atomic object.'],
  [
    'atomic_exchange atomic_exchange_explicit',
    'object desired order scope',
    'Stores a value and gives the old one.',
  ],
  [
    'atomic_compare_exchange_strong atomic_compare_exchange_strong_explicit atomic_compare_exchange_weak atomic_compare_exchange_weak_explicit',
    'object expected desired success failure scope',
    'Stores `desired` if the object holds what `expected` points to, else stores there what it holds; says whether it did. The weak form may fail for no reason.',
  ],
  ...['add', 'sub', 'or', 'xor', 'and', 'min', 'max'].map(
    (way): Line => [
      `atomic_fetch_${way} atomic_fetch_${way}_explicit`,
      'object operand order scope',
      `Combines the object with the operand (${way}), ${whole}`,
    ],
  ),
  [
    'atomic_flag_test_and_set atomic_flag_test_and_set_explicit',
    'object order scope',
    'Sets a flag and says whether it was set.',
  ],
  ['atomic_flag_clear atomic_flag_clear_explicit', 'object order scope', 'Clears a flag.'],
  ['get_fence', 'ptr', 'The flag of the memory that a generic pointer leads to.'],
  [
    'to_global to_local to_private',
    'ptr',
    'The pointer in that address space, or NULL where it leads elsewhere.',
  ],
];

export const memoryLines: readonly Line[] = [
  ...workItemLines,
  ...vectorLines,
  ...synchronisation,
  ...groupLines('work_group'),
  ...groupLines('sub_group'),
  ...atomicLines,
];
