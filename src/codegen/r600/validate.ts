/**
 * Checks a finished program against the rules of the chips, from the program alone and not by what made it: that instructions are in
 * slots that can run them, sources can be read, what the bundle before computed is there to be taken, clauses are no longer than they
 * may be, constants are locked, no register is read that nothing has written, and control flow goes where it should.
 */
import { knownNumbers } from './bundles.ts';
import {
  clauseTemporaries,
  literalsPerBundle,
  locksPerClause,
  usableRegisters,
  wordsPerAluClause,
} from './chips.ts';
import { bankSwizzles, readsOf } from './ports.ts';
import type { AluBundle, AluInstruction, ControlFlow, Operand, Place, Program } from './program.ts';

/** What is wrong with a program, each with the number of its clause; nothing if all is well. */
export function validate(program: Program): readonly string[] {
  return new Validator(program).run();
}

const slotOrder = 'xyzwt';

class Validator {
  readonly #program: Program;
  readonly #problems: string[] = [];
  #where = '';

  constructor(program: Program) {
    this.#program = program;
  }

  run(): readonly string[] {
    const { controlFlow } = this.#program;
    for (const [index, one] of controlFlow.entries()) {
      this.#where = String(index).padStart(2, '0');
      if (one.kind === 'alu') this.#aluClause(one);
      if (one.kind === 'fetch') this.#fetchClause(one);
      if (one.kind === 'branch') this.#branch(one, index);
    }
    this.#addresses();
    this.#flow();
    return this.#problems;
  }

  #require(truth: boolean, problem: string): void {
    if (!truth) this.#problems.push(`${this.#where}: ${problem}`);
  }

  #aluClause(clause: Extract<ControlFlow, { kind: 'alu' }>): void {
    const { bundles, words, locks, name } = clause;
    this.#require(bundles.length > 0, 'an empty clause');
    this.#require(words <= wordsPerAluClause, 'a clause that is too long');
    this.#require(locks.length <= locksPerClause, 'too many locks of constants');
    const counted = bundles
      .map(({ instructions, literals }) => instructions.length + Math.ceil(literals.length / 2))
      .reduce((a, b) => a + b, 0);
    this.#require(counted === words, `CNT(${words}) of ${counted} words`);
    const written = new Map<string, number>();
    for (const [at, bundle] of bundles.entries()) {
      this.#bundle(bundle, bundles[at - 1], clause);
      for (const { sources } of bundle.instructions) {
        for (const source of sources) {
          if (source.kind === 'place' && source.file === 'temporary')
            this.#require(written.has(placeKey(source)), `T${source.index} is read before it is written`);
        }
      }
      for (const { target } of bundle.instructions) if (target) written.set(placeKey(target), at);
      const setting = bundle.instructions.filter(({ setsMask }) => setsMask);
      this.#require(setting.length <= 1, 'two predicates in a bundle');
      this.#require(
        setting.length === 0 || (at === bundles.length - 1 && name !== 'ALU'),
        'a predicate that is not the end of its clause',
      );
    }
    if (name === 'ALU_PUSH_BEFORE' || name === 'ALU_BREAK')
      this.#require(
        bundles.at(-1)?.instructions.some(({ setsMask }) => setsMask) === true,
        `${name} without a predicate`,
      );
  }

  #bundle(
    bundle: AluBundle,
    previous: AluBundle | undefined,
    { locks }: Extract<ControlFlow, { kind: 'alu' }>,
  ): void {
    const { instructions, literals } = bundle;
    this.#require(literals.length <= literalsPerBundle, 'too many literals');
    const order = instructions.map(({ slot }) => slotOrder.indexOf(slot));
    this.#require(
      order.every((slot, at) => at === 0 || slot > order[at - 1]!),
      'a slot that is taken twice',
    );
    const targets = instructions.flatMap(({ target }) => (target ? [placeKey(target)] : []));
    this.#require(new Set(targets).size === targets.length, 'a register that is written twice at a time');
    for (const instruction of instructions) {
      this.#slot(instruction, instructions);
      const { opcode, sources } = instruction;
      const parts = opcode.name === 'FLT32_TO_FLT64' ? 1 : opcode.sources;
      this.#require(sources.length === parts, `${opcode.name} with ${sources.length} sources`);
      for (const source of sources) this.#operand(source, instruction, previous, literals, locks);
    }
    const swizzles = bankSwizzles(instructions.map(readsOf), this.#program.chip.hasCompute);
    this.#require(swizzles !== undefined, `bundle ${bundle.number} reads more than its ports`);
  }

  #slot(instruction: AluInstruction, all: readonly AluInstruction[]): void {
    const { slot, opcode, target } = instruction;
    const isTrans = slot === 't';
    if (!isTrans && target)
      this.#require('xyzw'[target.channel] === slot, `slot ${slot} writes another channel`);
    const needsTrans =
      opcode.units === 'trans' || (opcode.units === 'shift' && !this.#program.chip.shiftsAnywhere);
    if (needsTrans) this.#require(isTrans, `${opcode.name.replace('_RADIANS', '')} outside of t`);
    if (opcode.units === 'vector') this.#require(!isTrans, `${opcode.name} in t`);
    if (opcode.units === 'pair' || opcode.units === 'quad') {
      this.#require(this.#program.chip.hasDoubles, `${opcode.name} on a chip without doubles`);
      const count = all.filter((one) => one.opcode === opcode).length;
      this.#require(
        !isTrans && count === (opcode.units === 'pair' ? 2 : 4),
        `${opcode.name} in ${count} slots`,
      );
    }
  }

  #operand(
    operand: Operand,
    { opcode }: AluInstruction,
    previous: AluBundle | undefined,
    literals: readonly number[],
    locks: Extract<ControlFlow, { kind: 'alu' }>['locks'],
  ): void {
    if (operand.negate || operand.absolute)
      this.#require(opcode.takesFloats, `${opcode.name} of a source with a modifier`);
    if (operand.absolute) this.#require(opcode.sources < 3, `${opcode.name} of a magnitude`);
    switch (operand.kind) {
      case 'place':
        this.#register(operand);
        break;
      case 'previous':
        this.#require(
          previous?.instructions.some(({ slot }) => slot === operand.slot) === true,
          `P${operand.slot === 't' ? 'S' : `V.${operand.slot}`}, which nothing computed`,
        );
        break;
      case 'constant': {
        const line = operand.index >> 4;
        const isLocked = locks.some(
          (lock) => lock.buffer === operand.buffer && line >= lock.line && line < lock.line + lock.count,
        );
        this.#require(isLocked, `CB${operand.buffer}[${operand.index}], which is not locked`);
        break;
      }
      case 'number':
        if (operand.literal === undefined)
          this.#require(knownNumbers.has(operand.bits), 'a literal that is not there');
        else this.#require(literals[operand.literal] === operand.bits, 'a literal that is another');
    }
  }

  #register({ file, index }: Place): void {
    const { registers } = this.#program;
    const limit = file === 'temporary' ? clauseTemporaries : registers;
    this.#require(index < limit, `${file === 'temporary' ? 'T' : 'R'}${index} of ${limit}`);
  }

  #fetchClause({ fetches }: Extract<ControlFlow, { kind: 'fetch' }>): void {
    this.#require(fetches.length > 0, 'an empty clause');
    this.#require(fetches.length <= this.#program.chip.fetchesPerClause, 'too many fetches in a clause');
    const written = new Set<string>();
    for (const { address, coordinates, target, components, number } of fetches) {
      for (const channel of coordinates)
        this.#require(
          !written.has(`${address}.${channel}`),
          `fetch ${number} waits for one of its own clause`,
        );
      for (const [channel, component] of components.entries())
        if (component !== undefined) written.add(`${target}.${channel}`);
      this.#require(target < usableRegisters, `R${target}`);
    }
  }

  #branch(branch: Extract<ControlFlow, { kind: 'branch' }>, index: number): void {
    const { controlFlow } = this.#program;
    this.#require(branch.to >= 0 && branch.to <= controlFlow.length, `${branch.name} leaves the program`);
    const isBack = branch.name === 'ENDLOOP';
    if (branch.name !== 'CONTINUE')
      this.#require(isBack ? branch.to <= index : branch.to > index, `${branch.name} goes to ${branch.to}`);
    if (isBack) {
      const begin = controlFlow[branch.to - 1];
      this.#require(begin?.kind === 'branch' && begin.name === 'LOOP_DX10', 'ENDLOOP without its loop');
    }
  }

  /** Clauses lie behind the control flow and do not overlap. */
  #addresses(): void {
    this.#where = 'addresses';
    let next = this.#program.controlFlow.length;
    const clauses = this.#program.controlFlow.flatMap((one) =>
      one.kind === 'alu'
        ? [{ from: one.address, words: one.words }]
        : one.kind === 'fetch'
          ? [{ from: one.address, words: one.fetches.length * 2 }]
          : [],
    );
    for (const { from, words } of clauses.sort((a, b) => a.from - b.from)) {
      this.#require(from >= next, `a clause at ${from}, where another lies`);
      next = from + words;
    }
  }

  /**
   * Every register that is read has been written on some way there, or the program begins with it. (Not on every way: those that a
   * flag leads past the code that would read, this cannot tell from others.)
   */
  #flow(): void {
    const { controlFlow, kind } = this.#program;
    const inputs =
      kind === 'compute' ? ['0.0', '0.1', '0.2', '0.3', '1.0', '1.1', '1.2', '1.3'] : ['0.0', '0.1'];
    const before: (Set<string> | undefined)[] = controlFlow.map(() => undefined);
    const pending: [number, ReadonlySet<string>][] = [[0, new Set(inputs)]];
    while (pending.length > 0) {
      const [index, known] = pending.pop()!;
      const one = controlFlow[index];
      if (!one) continue;
      const here = before[index];
      if (here && [...known].every((key) => here.has(key))) continue;
      const now = new Set([...(here ?? []), ...known]);
      before[index] = now;
      const after = new Set([...now, ...stepsOf(one).flatMap(([, writes]) => writes)]);
      for (const next of followers(controlFlow, index)) pending.push([next, after]);
    }
    for (const [index, one] of controlFlow.entries()) {
      const here = before[index];
      if (!here) continue;
      this.#where = String(index).padStart(2, '0');
      for (const [reads, writes] of stepsOf(one)) {
        for (const key of reads) this.#require(here.has(key), `R${named(key)} is read before it is written`);
        for (const key of writes) here.add(key);
      }
    }
  }
}

function named(key: string): string {
  return key.replace(/\d$/, (channel) => 'xyzw'[Number(channel)]!);
}

function placeKey({ file, index, channel }: Place): string {
  return `${file === 'temporary' ? 'T' : ''}${index}.${channel}`;
}

type Step = readonly [reads: readonly string[], writes: readonly string[]];

/** The general registers that an instruction reads and then writes, in turn. */
function stepsOf(one: ControlFlow): readonly Step[] {
  switch (one.kind) {
    case 'alu':
      return one.bundles.map(({ instructions }): Step => {
        const reads = instructions.flatMap(({ sources }) =>
          sources.flatMap((source) =>
            source.kind === 'place' && source.file === 'general' ? [placeKey(source)] : [],
          ),
        );
        const writes = instructions.flatMap(({ target }) =>
          target?.file === 'general' ? [placeKey(target)] : [],
        );
        return [reads, writes];
      });
    case 'fetch':
      return one.fetches.map(
        ({ address, coordinates, target, components }): Step => [
          coordinates.map((channel) => `${address}.${channel ?? 0}`),
          components.flatMap((component, channel) =>
            component === undefined ? [] : [`${target}.${channel}`],
          ),
        ],
      );
    case 'write': {
      const { source, channels, index } = one.write;
      const data = channels.flatMap((channel) => (channel === undefined ? [] : [`${source}.${channel}`]));
      return [[index ? [...data, placeKey(index)] : data, []]];
    }
    case 'branch':
      return [];
  }
}

/** Where control may go from an instruction. */
function followers(controlFlow: readonly ControlFlow[], index: number): readonly number[] {
  const one = controlFlow[index]!;
  const next = index + 1;
  if (one.kind === 'alu' && one.name === 'ALU_BREAK') return [next, loopEnd(controlFlow, index) + 1];
  if (one.kind !== 'branch') return [next];
  switch (one.name) {
    case 'JUMP': {
      const target = controlFlow[one.to];
      return [next, target?.kind === 'branch' && target.name === 'ELSE' ? one.to + 1 : one.to];
    }
    case 'BREAK':
      return [one.to + 1];
    case 'ELSE':
    case 'CONTINUE':
    case 'ENDLOOP':
      return [one.to];
    default:
      return [next];
  }
}

function loopEnd(controlFlow: readonly ControlFlow[], from: number): number {
  let depth = 0;
  for (let index = from; index < controlFlow.length; index += 1) {
    const one = controlFlow[index]!;
    if (one.kind !== 'branch') continue;
    if (one.name === 'LOOP_DX10') depth += 1;
    if (one.name !== 'ENDLOOP') continue;
    if (depth === 0) return index;
    depth -= 1;
  }
  return controlFlow.length;
}
