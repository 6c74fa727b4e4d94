/** How a launch is divided: whole work-groups along one dimension, as equal as possible. */
import type * as ir from '../ir/ir.ts';
import { walkFunction } from '../ir/walk.ts';

/** Ids from `first` on, `count` of them, of the dimension that is divided. */
export interface Chunk {
  readonly first: number;
  readonly count: number;
}

/** Of each rank; some may be empty. */
export function chunksOf(size: number, local: number, ranks: number): Chunk[] {
  const groups = Math.ceil(size / local);
  return Array.from({ length: ranks }, (_, rank) => {
    const [from, to] = [rank, rank + 1].map((place) =>
      Math.min(Math.floor((groups * place) / ranks) * local, size),
    );
    return { first: from!, count: to! - from! };
  });
}

/** What a kernel asks that would have another answer in a part of a launch, in OpenCL's words; undefined if it asks nothing such. */
export function asksOfWhole(fn: ir.Function, dimension: number): string | undefined {
  let found: string | undefined;
  walkFunction(fn, (instruction) => {
    if (instruction.op !== 'query' || instruction.dimension !== dimension) return;
    found ??= functions[instruction.fn];
  });
  return found;
}

const functions: Readonly<Partial<Record<ir.QueryFunction, string>>> = {
  group_id: 'get_group_id',
  num_groups: 'get_num_groups',
  global_size: 'get_global_size',
  global_offset: 'get_global_offset',
};
