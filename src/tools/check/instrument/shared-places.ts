/** Code for places in memory that work-items share, and only for those. */
import type * as ir from '../../../ir/ir.ts';
import type { CheckWriter } from './check-writer.ts';
import type { Objects, Place } from './objects.ts';

/** The address spaces of memory that work-items share. */
export type SharedSpace = 'global' | 'local';

/** Writes code for a place, if it is in shared memory; to be done only where the launch says that somebody must watch. */
export function whereShared(
  writer: CheckWriter,
  objects: Objects,
  { pointer, root }: Pick<Place, 'pointer' | 'root'>,
  write: (space: SharedSpace) => void,
): void {
  const space = pointer.type.kind === 'pointer' ? pointer.type.space : 'generic';
  const actual = space === 'generic' && root ? objects.spaceOf(root) : space;
  if (actual !== 'global' && actual !== 'local') return;
  if (root && objects.isPipe(root)) return;
  const facts = objects.factsOf(root);
  if (!facts || actual === 'local') write(actual);
  else {
    const { builder } = writer;
    const isWatched: ir.Value = builder.compare('ne', facts.watched, writer.number(0));
    writer.when(isWatched, () => write(actual));
  }
}
