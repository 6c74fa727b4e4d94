/** Picks what stands where: the statements of a block. */
import { accumulate, assign, callWriter, copyRecord, storeVector } from './assignments.ts';
import type { Block } from './block.ts';
import { branch, choose, labelled, leave, loop } from './control-flow.ts';
import { declareAggregate, declarePointer, declareValue } from './declarations.ts';
import { cooperate } from './exchange.ts';
import { observeVariable } from './observe.ts';
import { print } from './print.ts';
import { chance, pick } from './site.ts';

/** Each adds one thing to the block, or returns false where it cannot. */
const kinds: readonly (readonly [weight: number, add: (block: Block) => boolean])[] = [
  [6, declareValue],
  [3, declareAggregate],
  [2, declarePointer],
  [10, assign],
  [1, copyRecord],
  [2, storeVector],
  [2, callWriter],
  [1, accumulate],
  [4, branch],
  [4, loop],
  [2, choose],
  [1, labelled],
  [3, leave],
  [4, cooperate],
  [2, observeAny],
];

const totalWeight = kinds.reduce((sum, [weight]) => sum + weight, 0);

/** Adds about `count` statements, fewer when the function has become long enough. */
export function fillBlock(block: Block, count: number): void {
  const { program, work } = block;
  for (let made = 0, tries = 0; made < count && tries < count * 4; tries++) {
    if (work.cost > work.maximum) return;
    work.cost += block.iterations;
    if (program.prints && chance(block, 15) && print(block)) {
      made++;
      continue;
    }
    let at = program.random.below(totalWeight);
    const [, add] = kinds.find(([weight]) => {
      at -= weight;
      return at < 0;
    })!;
    if (add(block)) made++;
  }
}

function observeAny(block: Block): boolean {
  const own = block.variables.filter(({ space }) => space === 'private');
  if (own.length === 0) return false;
  observeVariable(block, pick(block, own));
  return true;
}
