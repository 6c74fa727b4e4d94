/**
 * Tells the host of what kernels do with pipes: reservations that are made, used and committed (it remembers them:
 * src/tools/check/reservations.ts), and packets that are lost since nobody asks whether there was room. Before or after the calls of
 * src/library/pipes.cl, which are functions of their own here.
 */
import { countUsesInRegion } from '../../../ir/count-uses.ts';
import type * as ir from '../../../ir/ir.ts';
import { i32, i64 } from '../../../ir/types.ts';
import { walkRegion } from '../../../ir/walk.ts';
import { pipePrefix } from '../../../ir/whole-program.ts';
import { codes } from '../codes.ts';
import { stateWords } from '../shadow-layout.ts';
import type { CheckWriter } from './check-writer.ts';

export class PipeChecks {
  readonly #writer: CheckWriter;
  /** Takes of a slot of which nobody is told whether there was one. */
  readonly #unseen: ReadonlySet<ir.Instruction>;

  constructor(writer: CheckWriter, body: ir.Region) {
    this.#writer = writer;
    this.#unseen = unseenTakes(body);
  }

  /** The call itself, too. False for calls that do nothing with pipes. */
  check(call: ir.Call): boolean {
    const { name } = call.callee;
    if (!name.startsWith(pipePrefix)) return false;
    const writer = this.#writer;
    const { builder } = writer;
    const [pipe, second, third] = call.operands as [ir.Value, ir.Value, ir.Value];
    const result = call.results[0];
    switch (name.slice(pipePrefix.length)) {
      case 'reserve':
        builder.append(call);
        this.#tell(codes.pipeReserve, pipe, result!, third);
        return true;
      case 'slot':
        this.#tell(codes.pipePacket, pipe, second, third);
        break;
      case 'commit':
        this.#tell(codes.pipeCommit, pipe, second, writer.number(0));
        break;
      case 'take':
        builder.append(call);
        if (this.#unseen.has(call)) {
          const isNone = builder.compare('eq', result!, writer.number(0));
          writer.when(isNone, () => this.#report(codes.pipeLost, pipe, second));
        }
        return true;
      default:
    }
    builder.append(call);
    return true;
  }

  /** The words of the reservation go by the state, as there are four numbers in a report. */
  #tell(code: number, pipe: ir.Value, reservation: ir.Value, number: ir.Value): void {
    const { builder, context } = this.#writer;
    const state = context.runtime.state(builder);
    const half = (word: number, value: ir.Value): void => {
      const at = builder.offset(state, this.#writer.number(4 * word));
      builder.store(at, builder.convert('trunc', value, i32), 4);
    };
    half(stateWords.oldValue, reservation);
    half(stateWords.newValue, builder.binary('ushr', reservation, builder.integer(i64, 32)));
    this.#report(code, pipe, number);
  }

  #report(code: number, pipe: ir.Value, number: ir.Value): void {
    const writer = this.#writer;
    const index = writer.fn.parameters.findIndex(({ value }) => value === pipe);
    const name = writer.fn.parameters[index]?.info?.name ?? 'a pipe';
    const who = writer.who('pipe', { kind: 'parameter', index, name }, 0);
    const { runtime } = writer.context;
    runtime.report(writer.builder, writer.number(code), who, writer.address(pipe), number);
  }
}

function unseenTakes(body: ir.Region): ReadonlySet<ir.Instruction> {
  const takes = new Map<ir.Value, ir.Instruction>();
  const choices = new Map<ir.Value, ir.Instruction>();
  const unseen = new Set<ir.Instruction>();
  walkRegion(body, (instruction) => {
    const { op, operands, results } = instruction;
    if (op === 'call' && instruction.callee.name === `${pipePrefix}take`) takes.set(results[0]!, instruction);
    const take = operands[0] && takes.get(operands[0]);
    if (op === 'compare' && take) choices.set(results[0]!, take);
  });
  if (takes.size === 0) return unseen;
  const uses = countUsesInRegion(body);
  walkRegion(body, ({ op, operands, results }) => {
    const take = operands[0] && choices.get(operands[0]);
    const isAlone = take && uses.get(operands[0]!) === 1;
    if (op === 'if' && isAlone && results.every((result) => !uses.has(result))) unseen.add(take);
  });
  return unseen;
}
