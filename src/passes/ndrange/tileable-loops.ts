/**
 * Which loops of a kernel its work-items may go through together, a strip after another, with a barrier after each: what
 * tile-loops.ts and tile-grid-stride-loops.ts ask in the same way.
 */
import type * as ir from '../../ir/ir.ts';
import { containsLoop, privateBytes } from '../../ir/regions.ts';
import { lanesOf } from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';
import type { Uniformity } from '../analysis/uniformity.ts';
import { type Guard, guardOf } from './distribute-guards.ts';

/** Loops that keep more scalars from iteration to iteration stay whole, for each costs a load and a store a strip. */
const mostCarried = 8;
/** But those that compute so many for each that they keep. */
const computedForCarried = 4;
/** Bytes of a work-item's private variables, which must be kept for all work-items of a group at a time. */
const mostPrivateBytes = 4096;

/** Where a loop is. */
export interface Place {
  readonly region: ir.Region;
  /** The guards directly around it that not all work-items pass, innermost first, and the regions in which those are. */
  readonly guards: readonly { guard: Guard; region: ir.Region }[];
}

/** The body of a kernel in work-item form that has loops, if barriers may be put into it. */
export function bodyToCut({ body, kind, form }: ir.Function): ir.Region | undefined {
  if (!body || kind !== 'kernel' || form === 'work-group' || !containsLoop(body)) return undefined;
  return privateBytes(body) <= mostPrivateBytes ? body : undefined;
}

/**
 * Visits the loops that all work-items of a group come to, but for those that guards keep out, if they all come to the end of
 * the kernel, and that may be cut by what is kept from iteration to iteration.
 * @returns whether all work-items that come to the region come to its end
 */
export function loopsOfAll(
  body: ir.Region,
  group: Uniformity,
  visit: (loop: ir.Loop, place: Place) => void,
): boolean {
  /**
   * @param carried scalars that the loops around keep for each work-item
   * @param guards what keeps work-items out of the region; undefined if they may part here in other ways
   */
  const inRegion = (region: ir.Region, carried: number, guards: Place['guards'] | undefined): boolean => {
    const isApart = guards?.length !== 0;
    for (const instruction of region.instructions) {
      if ((instruction.op === 'return' || instruction.op === 'unreachable') && isApart) return false;
      if (instruction.regions.length === 0) continue;
      const structure = instruction as ir.Structured;
      let kept = carried;
      if (structure.op === 'loop') {
        for (const parameter of structure.regions[0]!.parameters) {
          if (!group.isUniform(parameter)) kept += lanesOf(parameter.type);
        }
        const most = Math.max(mostCarried, computedIn(structure) / computedForCarried);
        if (guards && kept <= most) visit(structure, { region, guards });
      }
      const parts = isApart || group.isDivergent(structure);
      const isWhole = structure.regions.every((nested, side) => {
        const guard = guards && parts ? guardOf(structure, side) : undefined;
        const around = guard ? [{ guard, region }, ...guards!] : undefined;
        return inRegion(nested, kept, parts ? around : []);
      });
      if (!isWhole) return false;
    }
    return true;
  };
  return inRegion(body, 0, []);
}

/** Scalars that one iteration of a loop computes. */
function computedIn(loop: ir.Loop): number {
  let scalars = 0;
  walkRegion(loop.regions[0]!, ({ results }) => {
    for (const { type } of results) scalars += lanesOf(type);
  });
  return scalars;
}

/**
 * Whether what goes from iteration to iteration is the counter and values of each work-item's own. What steps evenly next to the
 * counter would not be known to do so any more when it comes out of a strip.
 */
export function allCarry(loop: ir.Loop, counter: ir.Value, row: Uniformity): boolean {
  const { parameters } = loop.regions[0]!;
  return parameters.every((one) => one === counter || row.of(one).kind === 'varying');
}
