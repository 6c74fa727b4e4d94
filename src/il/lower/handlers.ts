/** How the families of instructions say what their members do. */
import type * as ir from '../../ir/ir.ts';
import type { Instruction, Source } from '../tree.ts';
import type { Context } from './context.ts';

export type Handler = (cx: Context, instruction: Instruction) => void;
export type Handlers = Readonly<Record<string, Handler>>;

/** A source's positions, read as they are asked for. */
export type Reader = (position: number) => ir.Value;

/** The same for each position that is written, of floats. */
export function eachFloat(
  compute: (cx: Context, values: ir.Value[], instruction: Instruction) => ir.Value,
): Handler {
  return (cx, instruction) => {
    const readers = cx.sources(instruction).map((source) => cx.floats(source));
    cx.writeFloats(instruction, (position) =>
      compute(
        cx,
        readers.map((read) => read(position)),
        instruction,
      ),
    );
  };
}

/** The same for each position that is written, of integers. */
export function eachInteger(compute: (cx: Context, values: ir.Value[]) => ir.Value): Handler {
  return (cx, instruction) => {
    const readers = cx.sources(instruction).map((source) => cx.integers(source));
    cx.write(instruction, (position) =>
      compute(
        cx,
        readers.map((read) => read(position)),
      ),
    );
  };
}

/** One result for all positions, computed once if any is written. */
export function broadcast(
  compute: (cx: Context, sources: Source[], instruction: Instruction) => ir.Value,
): Handler {
  return (cx, instruction) => {
    let value: ir.Value | undefined;
    cx.writeFloats(instruction, () => (value ??= compute(cx, cx.sources(instruction), instruction)));
  };
}

export const hasModifier = ({ modifiers }: Instruction, name: string): boolean =>
  modifiers.some((modifier) => modifier.name === name);

/** An instruction that cannot work here, with what to say. */
export function refused(why: string): Handler {
  return (cx, { opcode, span }) => cx.fail(span, `${opcode.name} is not supported: ${why}`);
}
