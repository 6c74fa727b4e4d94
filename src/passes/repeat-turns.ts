/**
 * Writes four turns of a short loop after one another, where work-items run one by one:
 *
 *     loop @l (%s = %zero, %k = %first) {             loop @l (%s = %zero, %k = %first) {
 *       %more = ult %k, %end                            %more = ult %k, %end
 *       if %more { yield } else { break @l %s }         if %more { yield } else { break @l %s }
 *       %v = load (offset %p, %k * 4)                   %left = isub %end, %k
 *       %t = fadd %s, %v                        =>      %q = offset %p, %k * 4
 *       %n = iadd %k, 1                                 %t = fadd %s, (load %q)
 *       continue @l %t, %n                              if (ugt %left, 1) { yield } else { break @l %t }
 *     }                                                 %t.1 = fadd %t, (load (offset %q, 4))
 *                                                       if (ugt %left, 2) { yield } else { break @l %t.1 }
 *                                                       ...
 *                                                       continue @l %t.3, (iadd %k, 4)
 *                                                     }
 *
 * An engine that unrolls such a loop by itself counts and computes all addresses in each turn. Here they are those of the first
 * turn and a constant, and the exit tests compare one number with constants. In a sum over short rows, where a processor does
 * nothing but fetch instructions, a third of them is saved. As `%k` is below the bound, the distance to it is
 * right as an unsigned number.
 */
import { Builder, newRegion } from '../ir/builder.ts';
import { cloneInstruction } from '../ir/clone.ts';
import { findDefinitions } from '../ir/definitions.ts';
import * as ir from '../ir/ir.ts';
import { walkRegion } from '../ir/walk.ts';
import { type CountedLoop, findCount } from './counted-loops.ts';
import { foldConstants } from './fold-constants.ts';
import { numberValues } from './number-values.ts';

const turns = 4;
/** Longer turns gain little, and the code grows. */
const longestTurn = 24;

export function repeatTurns(fn: ir.Function, addressBits: 32 | 64): void {
  if (!fn.body) return;
  let definitions: ReadonlyMap<ir.Value, ir.Instruction> | undefined;
  let isChanged = false;
  walkRegion(fn.body, (items) => {
    if (items.op !== 'items' || items.regions.length > 1) return;
    walkRegion(items.regions[0]!, (loop) => {
      if (loop.op !== 'loop' || !isShort(loop)) return;
      definitions ??= findDefinitions(fn.body!);
      const counted = findCount(loop, definitions);
      if (!counted || !mayRepeat(counted)) return;
      repeat(counted, addressBits);
      isChanged = true;
    });
  });
  if (!isChanged) return;
  // Addresses become the first turn's and a constant.
  foldConstants(fn, addressBits);
  numberValues(fn, addressBits);
}

/** Whether a turn is a few instructions that load something, one after another. */
function isShort(loop: ir.Loop): boolean {
  const { instructions } = loop.regions[0]!;
  return (
    loop.unroll === undefined &&
    instructions.length <= longestTurn &&
    instructions.some(({ op }) => op === 'load') &&
    instructions.filter(({ regions }) => regions.length > 0).length === 1 &&
    !instructions.some(({ op }) => op === 'call' || op === 'atomic')
  );
}

function mayRepeat({ loop, step, isSigned, testAt }: CountedLoop): boolean {
  const { instructions } = loop.regions[0]!;
  const before = instructions.slice(0, testAt);
  const given = exitOf(instructions[testAt]!).operands;
  return (
    // Unsigned counters may wrap around with larger steps, and go on.
    (step === 1 || isSigned) &&
    before.every(ir.isPure) &&
    !before.some(({ results }) => results.some((result) => given.includes(result)))
  );
}

/** The jump out of the loop, on the other side of the test. */
function exitOf({ regions }: ir.Instruction): ir.Instruction {
  return regions[1]!.instructions[0]!;
}

function repeat({ loop, counter, step, bound, testAt }: CountedLoop, addressBits: 32 | 64): void {
  const { parameters, instructions } = loop.regions[0]!;
  const test = instructions[testAt]!;
  const given = exitOf(test).operands;
  const once = [...instructions.slice(0, testAt), ...instructions.slice(testAt + 1, -1)];
  const next = instructions.pop()!.operands;
  const region = newRegion();
  const builder = new Builder(region, addressBits);
  const left = builder.binary('isub', bound, counter);
  instructions.splice(testAt + 1, 0, ...region.instructions);
  builder.region = loop.regions[0]!;
  let current: readonly ir.Value[] = next;
  for (let turn = 1; turn < turns; turn += 1) {
    const values = new Map(parameters.map((parameter, at) => [parameter, current[at]!]));
    const goesOn = builder.compare('ugt', left, builder.integer(counter.type, turn * step));
    const exit = builder.if(goesOn);
    exit.span = test.span;
    builder.within(exit.regions[0]!, () => builder.yield());
    builder.within(exit.regions[1]!, () =>
      builder.break(
        loop,
        given.map((value) => values.get(value) ?? value),
      ),
    );
    for (const instruction of once) instructions.push(cloneInstruction(instruction, values));
    current = next.map((value) => values.get(value) ?? value);
  }
  builder.continue(loop, [...current]);
}
