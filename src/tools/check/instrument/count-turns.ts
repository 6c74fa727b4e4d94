/**
 * Lets the host look at its clock while loops run: so many turns, and the kernel reports a tick, which is what time-outs of the checker
 * come from. Kernels that others launch have no other checks, but they have this.
 */
import { newRegion } from '../../../ir/builder.ts';
import type * as ir from '../../../ir/ir.ts';
import { i32 } from '../../../ir/types.ts';
import { walkRegion } from '../../../ir/walk.ts';
import { insert } from '../../../source/lists.ts';
import { codes } from '../codes.ts';
import { stateWords } from '../shadow-layout.ts';
import type { CheckContext } from './check-context.ts';
import { CheckWriter } from './check-writer.ts';

/** Takes turns from what there is before the host looks at its clock, and lets it look when all are gone. */
export function takeFuel(writer: CheckWriter, turns: ir.Value): void {
  const { builder } = writer;
  const fuel = builder.offset(writer.context.runtime.state(builder), writer.number(4 * stateWords.fuel));
  const left = builder.binary('isub', builder.load(i32, fuel, 4), turns);
  builder.store(fuel, left, 4);
  writer.reportIf(builder.compare('sle', left, writer.number(0)), { code: codes.tick, kind: 'loop' });
}

/** Counts the turns of all loops of a function, and does nothing else. */
export function countAllTurns(fn: ir.Function, body: ir.Region, context: CheckContext): void {
  const loops: ir.Instruction[] = [];
  walkRegion(body, (instruction) => {
    if (instruction.op === 'loop') loops.push(instruction);
  });
  if (loops.length === 0) return;
  const writer = new CheckWriter(fn, body, context);
  const { builder } = writer;
  const top = newRegion();
  builder.within(top, () => writer.askItem());
  for (const loop of loops) {
    const head = newRegion();
    builder.span = loop.span;
    builder.within(head, () => takeFuel(writer, writer.number(1)));
    loop.regions[0]!.instructions.unshift(...head.instructions);
  }
  insert(body.instructions, 0, top.instructions);
}
