/**
 * Floats that count the turns of a loop, as most loops of IL do: written once in a turn, where a whole number is added.
 *
 *     mov r1.x, l0.z                  ; 0.5
 *     whileloop
 *       ge r2.x, r1.x, cb0[0].x
 *       break_logicalnz r2.x
 *       sample_resource(0)_sampler(0) r3, r1.xy
 *       add r1.x, r1.x, l0.y          ; 1.0
 *     endloop
 *
 * An integer counts along, and r1.x is known to be that integer and a half. So the comparison and the sample's address are
 * computed from it, which the passes understand better; the float stays what it is.
 */
import type { Instruction, Register } from '../tree.ts';
import type { Context } from './context.ts';
import type { Statement } from './structure.ts';
import { swizzleOf } from './swizzle.ts';
import { componentKey } from './variables.ts';

/** A component that counts, and the integer beside it. */
export interface Counter {
  readonly register: Register;
  readonly component: number;
  readonly start: number;
  readonly step: number;
  /** what adds the step */
  readonly instruction: Instruction;
  /** a register of ours that no program can name */
  readonly turns: Register;
}

const mostStep = 16;
const mostStart = 0x4000;

export class Counters {
  readonly #cx: Context;
  #made = 0;

  constructor(cx: Context) {
    this.#cx = cx;
  }

  /** Finds the counters of a loop that is about to begin, and begins to count. */
  find(body: readonly Statement[], written: ReadonlyMap<string, number>): Counter[] {
    const { variables, code } = this.#cx;
    const found = body.flatMap((statement) =>
      statement.kind === 'plain' ? this.#countersOf(statement.instruction, written) : [],
    );
    for (const { turns } of found) variables.store(turns, 0, code.int(0));
    return found;
  }

  /** At the start of a turn: says what is known. */
  begin(counters: readonly Counter[]): void {
    const { variables, code } = this.#cx;
    for (const { register, component, start, step, turns } of counters) {
      const base = variables.load(turns, 0, 'int');
      const value = variables.load(register, component, 'float');
      code.know(value, { base, scale: step, offset: start, isSmall: true });
    }
  }

  /** Behind an instruction that adds steps. */
  count(counters: readonly Counter[], instruction: Instruction): void {
    const { variables, code } = this.#cx;
    for (const counter of counters) {
      if (counter.instruction !== instruction) continue;
      variables.store(
        counter.turns,
        0,
        code.binary('iadd', variables.load(counter.turns, 0, 'int'), code.int(1)),
      );
    }
  }

  #countersOf(instruction: Instruction, written: ReadonlyMap<string, number>): Counter[] {
    const { opcode, modifiers, operands } = instruction;
    const [target, a, b] = operands;
    if (opcode.name !== 'add' || modifiers.length > 0) return [];
    if (target?.kind !== 'destination' || a?.kind !== 'source' || b?.kind !== 'source') return [];
    if (target.register.kind !== 'r' || a.modifiers.length > 0 || b.modifiers.length > 0) return [];
    const [own, other] = a.register.kind === 'l' ? [b, a] : [a, b];
    const { register } = target;
    if (own.register.kind !== 'r' || own.register.number !== register.number || other.register.kind !== 'l')
      return [];
    const bits = this.#cx.plan.declarations.literals.get(other.register.number ?? 0)?.bits;
    return target.mask.flatMap((write, component) => {
      const pick = swizzleOf(other)[component]!;
      if (write !== 'write' || swizzleOf(own)[component] !== component || typeof pick !== 'number') return [];
      const step = floatOf(bits?.[pick] ?? 0);
      const start = this.#startOf(register, component);
      const places = written.get(componentKey('r', register.number, component));
      if (places !== 1 || start === undefined || !Number.isInteger(step) || step < 1 || step > mostStep)
        return [];
      this.#made += 1;
      const turns: Register = { kind: 'aL', number: this.#made, indices: [] };
      return [{ register, component, start, step, instruction, turns }];
    });
  }

  /** What a counter begins with: whole numbers and halves are exact in all that is done with them. */
  #startOf(register: Register, component: number): number | undefined {
    const { code, variables } = this.#cx;
    if (variables.kindOf(register, component) !== 'float') return undefined;
    const value = variables.known(register, component);
    const start = value && code.constantOf(value);
    if (start === undefined || !Number.isInteger(start * 2) || Math.abs(start) > mostStart) return undefined;
    return start;
  }
}

const floatOf = (bits: number): number => new Float32Array(Uint32Array.of(bits).buffer)[0]!;
