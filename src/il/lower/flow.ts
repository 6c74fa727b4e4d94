/** Control flow: blocks become regions, and functions and macros stand where they are called. */
import type * as ir from '../../ir/ir.ts';
import { bool } from '../../ir/types.ts';
import type { Span } from '../../source/span.ts';
import { deepestBlocks } from '../check.ts';
import type { Instruction, Register, Source } from '../tree.ts';
import { CannotLower, type Context, type MacroFrame } from './context.ts';
import { type Counter, Counters } from './counters.ts';
import { convertHandlers, doubleHandlers, moveHandlers } from './double.ts';
import { floatHandlers, relationOf } from './float.ts';
import { type Handler, type Handlers, refused } from './handlers.ts';
import { integerHandlers, longHandlers } from './integer.ts';
import { memoryHandlers } from './memory.ts';
import { type Case, labelOf, macroNumber, type Statement, type Structure } from './structure.ts';
import { textureHandlers } from './texture.ts';
import { componentKey } from './variables.ts';
import { Written } from './written.ts';

const handlers: Handlers = {
  nop: () => undefined,
  ...moveHandlers,
  ...floatHandlers,
  ...integerHandlers,
  ...longHandlers,
  ...doubleHandlers,
  ...convertHandlers,
  ...textureHandlers,
  ...memoryHandlers,
};

/** What an instruction does, but for those of control flow. */
function handlerOf({ opcode }: Instruction): Handler | undefined {
  if (Object.hasOwn(handlers, opcode.name)) return handlers[opcode.name];
  return opcode.family === 'gds' ? refused('there is no memory that all groups share') : undefined;
}

/** Instructions that a program may come to, its functions where they are called. */
const mostInstructions = 100_000;

const counter: Register = { kind: 'aL', number: undefined, indices: [] };
const counterKey = componentKey('aL', undefined, 0);

/** What `break` and `continue` of a place lead to. */
interface Targets {
  readonly break: ir.Block | ir.Loop;
  readonly continue: ir.Loop | undefined;
  /** Of counted loops: what is done before the next turn. */
  readonly step?: () => ir.Value[];
}

export class Flow {
  readonly #cx: Context;
  readonly #structure: Structure;
  readonly #written: Written;
  readonly #targets: Targets[] = [];
  /** Where `ret` leads: the blocks around the functions that are being lowered, main's first. */
  readonly #returns: { readonly block: ir.Block | undefined; readonly targets: number }[] = [];
  readonly #calls: number[] = [];
  readonly #counters: Counters;
  /** Those of the loops that are being lowered. */
  readonly #counting: Counter[] = [];
  #instructions = 0;
  #depth = 0;

  constructor(cx: Context, structure: Structure) {
    this.#cx = cx;
    this.#structure = structure;
    this.#written = new Written(structure);
    this.#counters = new Counters(cx);
  }

  /** Lowers the main program. False if control does not come to its end. */
  main(): boolean {
    return this.#callable(this.#structure.main);
  }

  /** Statements that `ret` may leave. False if control does not go on behind them. */
  #callable(body: readonly Statement[]): boolean {
    const { code, variables } = this.#cx;
    const reached = upToReturn(body);
    // without early returns nothing but the end leaves them, and what they leave behind is known
    if (!reached.some(returnsInside)) {
      this.#returns.push({ block: undefined, targets: this.#targets.length });
      const goesOn = this.#statements(reached);
      this.#returns.pop();
      return goesOn;
    }
    const block = code.block();
    this.#returns.push({ block, targets: this.#targets.length });
    variables.inBlock(() => {
      code.within(block.regions[0]!, () => {
        if (this.#statements(body)) code.yield();
      });
    });
    this.#returns.pop();
    return true;
  }

  /** False if control does not come to the end. */
  #statements(list: readonly Statement[]): boolean {
    this.#depth += 1;
    if (this.#depth > deepestBlocks)
      this.#tooMuch(list, `blocks and calls stand more than ${deepestBlocks} deep`);
    try {
      for (const statement of list) {
        if (this.#cx.diagnostics.isFull) return true;
        if (!this.#statement(statement)) return false;
      }
      return true;
    } finally {
      this.#depth -= 1;
    }
  }

  #tooMuch(list: readonly Statement[], message: string): never {
    const { span } = list[0]!.instruction;
    this.#cx.diagnostics.error(span, message);
    throw new TooMuch();
  }

  #statement(statement: Statement): boolean {
    const { code } = this.#cx;
    code.span = statement.instruction.span;
    switch (statement.kind) {
      case 'if':
        return this.#if(statement);
      case 'loop':
        return this.#loop(statement);
      case 'switch':
        return this.#switch(statement.instruction, statement.cases);
      case 'plain':
        return this.#plain(statement.instruction);
    }
  }

  // ------------------------------------------------------------------------------------------ instructions

  #plain(instruction: Instruction): boolean {
    this.#instructions += 1;
    if (this.#instructions > mostInstructions) {
      this.#tooMuch(
        [{ kind: 'plain', instruction }],
        `the program comes to more than ${mostInstructions} instructions with its functions where they are called`,
      );
    }
    try {
      const handler = handlerOf(instruction);
      if (!handler) return this.#jump(instruction);
      handler(this.#cx, instruction);
      if (this.#counting.length > 0) this.#counters.count(this.#counting, instruction);
    } catch (error) {
      if (!(error instanceof CannotLower)) throw error;
    }
    return true;
  }

  #jump(instruction: Instruction): boolean {
    const { name } = instruction.opcode;
    const [kind, condition] = splitJump(name);
    if (condition === undefined) return this.#leave(kind, instruction);
    const { code } = this.#cx;
    const { regions } = code.if(this.#condition(instruction));
    this.#cx.variables.inBlock(() => {
      code.within(regions[0]!, () => {
        if (this.#leave(kind, instruction)) code.yield();
      });
    });
    code.within(regions[1]!, () => code.yield());
    return true;
  }

  /** Does what a jump does; false if control does not go on behind it. */
  #leave(kind: string, instruction: Instruction): boolean {
    const { code } = this.#cx;
    const { span } = instruction;
    const target = this.#targets.at(-1);
    const here = this.#returns.at(-1)!;
    const isInside = this.#targets.length > here.targets;
    switch (kind) {
      case 'break':
        if (!target || !isInside) this.#cx.fail(span, 'break stands outside of a loop or a switch');
        code.break(target.break);
        return false;
      case 'continue': {
        const loop = isInside ? this.#targets.slice(here.targets).findLast((one) => one.continue) : undefined;
        if (!loop?.continue) this.#cx.fail(span, 'continue stands outside of a loop');
        code.continue(loop.continue, loop.step?.() ?? []);
        return false;
      }
      case 'ret':
        if (!here.block) throw new Error('a return was not foreseen');
        code.break(here.block);
        return false;
      case 'discard':
        code.return();
        return false;
      case 'call':
        this.#cx.variables.visit();
        return this.#call(labelOf(instruction), span);
      case 'mcall':
        this.#cx.variables.visit();
        return this.#macro(instruction);
      default:
        this.#cx.fail(span, `${instruction.opcode.name} is not supported`);
    }
  }

  #condition(instruction: Instruction): ir.Value {
    const { code } = this.#cx;
    const { name } = instruction.opcode;
    const [a, b] = this.#cx.sources(instruction);
    if (name.endsWith('c') && b) {
      return code.compare(relationOf(instruction, 'eq'), this.#cx.floats(a!)(0), this.#cx.floats(b)(0));
    }
    if (name === 'kill') return this.#isKilled(instruction, a!);
    const bits = this.#cx.integers(a!)(0);
    return code.compare(name.endsWith('logicalz') ? 'eq' : 'ne', bits, code.int(0));
  }

  /** As DirectX 9's texkill, which it is for: whether any number is below zero. */
  #isKilled({ modifiers }: Instruction, source: Source): ir.Value {
    const { code } = this.#cx;
    const [stage] = modifiers;
    if (stage) {
      const why = "it is of DirectX 9's texture stages, which compute devices have not";
      this.#cx.fail(stage.span, `_${stage.name} is not supported: ${why}`);
    }
    const read = this.#cx.floats(source);
    return [0, 1, 2, 3]
      .map((position) => code.compare('flt', read(position), code.float(0)))
      .reduce((some, below) => code.binary('or', some, below));
  }

  // ------------------------------------------------------------------------------------------------- calls

  #call(label: number, span: Span): boolean {
    const body = this.#structure.functions.get(label);
    if (!body) this.#cx.fail(span, `there is no function ${label}`);
    if (this.#calls.includes(label))
      this.#cx.fail(span, `function ${label} calls itself, which kernels cannot do`);
    this.#calls.push(label);
    const goesOn = this.#callable(body);
    this.#calls.pop();
    return goesOn;
  }

  #macro(instruction: Instruction): boolean {
    const number = macroNumber(instruction);
    const macro = this.#structure.macros.get(number);
    const { span } = instruction;
    if (!macro) this.#cx.fail(span, `there is no macro ${number}`);
    const key = -1 - number;
    if (this.#calls.includes(key)) this.#cx.fail(span, `macro ${number} calls itself`);
    const lists = instruction.operands.map((operand) =>
      operand.kind === 'arguments' ? operand.operands : [],
    );
    const outer = this.#cx.frame;
    const frame: MacroFrame = {
      outputs: (lists[0] ?? []).filter((operand) => operand.kind === 'destination'),
      inputs: (lists[1] ?? []).filter((operand) => operand.kind === 'source'),
      outer,
    };
    if (frame.outputs.length < macro.outputs || frame.inputs.length < macro.inputs) {
      this.#cx.fail(
        span,
        `macro ${number} takes ${macro.outputs} output and ${macro.inputs} input registers, ` +
          `here are ${frame.outputs.length} and ${frame.inputs.length}`,
      );
    }
    this.#calls.push(key);
    this.#cx.frame = frame;
    const goesOn = this.#callable(macro.body);
    this.#cx.frame = outer;
    this.#calls.pop();
    return goesOn;
  }

  // ------------------------------------------------------------------------------------------------ blocks

  #if({ instruction, then, otherwise }: Statement & { kind: 'if' }): boolean {
    const { code } = this.#cx;
    const condition = this.#tried(() => this.#condition(instruction)) ?? code.constant(bool, true);
    const { regions } = code.if(condition);
    this.#cx.branches += 1;
    const goesOn = [then, otherwise].map((list, index) => {
      let falls = true;
      this.#inBlock(regions[index]!, () => {
        falls = this.#statements(list);
        if (falls) code.yield();
      });
      return falls;
    });
    this.#cx.branches -= 1;
    if (goesOn.includes(true)) return true;
    code.unreachable();
    return false;
  }

  /** A region that control may leave out. */
  #inBlock(region: ir.Region, body: () => void): void {
    this.#cx.variables.inBlock(() => this.#cx.code.within(region, body));
  }

  #tried<T>(body: () => T): T | undefined {
    try {
      return body();
    } catch (error) {
      if (!(error instanceof CannotLower)) throw error;
      return undefined;
    }
  }

  #loop({ instruction, body }: Statement & { kind: 'loop' }): boolean {
    const { code, variables } = this.#cx;
    const count =
      instruction.opcode.name === 'loop' ? this.#tried(() => this.#count(instruction)) : undefined;
    const written = this.#written.of(body);
    const counters = written ? this.#counters.find(body, written) : [];
    if (written) {
      const own = counters.map(({ turns }) => componentKey(turns.kind, turns.number, 0));
      variables.forget([...written.keys(), counterKey, ...own]);
    }
    // the turn before may have done either
    Object.assign(this.#cx.group, { hasRead: true, hasWritten: true });
    const before = this.#counting.length;
    this.#counting.push(...counters);
    const loop = code.loop(count ? [code.int(0)] : []);
    const region = loop.regions[0]!;
    const turn = region.parameters[0];
    const step = (): ir.Value[] => (turn ? [code.binary('iadd', turn, code.int(1))] : []);
    const outer = this.#cx.counter;
    this.#targets.push({ break: loop, continue: loop, step });
    variables.inBlock(() => {
      if (!written) variables.forgetAll();
      code.within(region, () => {
        this.#counters.begin(counters);
        if (turn && count) {
          const { regions } = code.if(code.compare('sge', turn, count.turns));
          code.within(regions[0]!, () => code.break(loop));
          code.within(regions[1]!, () => code.yield());
          if (count.value) this.#setCounter(count.value(turn));
        }
        if (this.#statements(body)) code.continue(loop, step());
      });
    });
    if (!written) variables.forgetAll();
    if (count?.value) this.#setCounter(outer);
    this.#counting.length = before;
    this.#targets.pop();
    return true;
  }

  /** A counted loop: so many turns, and unless it only repeats, what aL begins with and is raised by. */
  #count(instruction: Instruction): {
    readonly turns: ir.Value;
    readonly value: ((turn: ir.Value) => ir.Value) | undefined;
  } {
    const { code } = this.#cx;
    const read = this.#cx.integers(this.#cx.sources(instruction)[0]!);
    const turns = read(0);
    if (instruction.modifiers.some(({ name }) => name === 'repeat')) return { turns, value: undefined };
    const [first, by] = [read(1), read(2)];
    return { turns, value: (turn) => code.binary('iadd', first, code.binary('imul', turn, by)) };
  }

  /** What aL is from here on: that of the innermost loop that counts. The variable is for debuggers, who look at it. */
  #setCounter(value: ir.Value | undefined): void {
    this.#cx.counter = value;
    if (value) this.#cx.variables.store(counter, 0, value);
  }

  /**
   * Cases that end with a jump become the regions of a switch. Where one goes on into the next, each stands behind a block
   * of its own, which the switch leaves.
   */
  #switch(instruction: Instruction, cases: readonly Case[]): boolean {
    const { code } = this.#cx;
    const read = this.#tried(() => this.#cx.integers(this.#cx.sources(instruction)[0]!)(0)) ?? code.int(0);
    const end = code.block();
    this.#targets.push({ break: end, continue: undefined });
    const labels = uniqueLabels(cases);
    const goesOn = cases.some(({ body }, index) => index < cases.length - 1 && !endsWithJump(body));
    const written = goesOn ? this.#written.of(cases.flatMap(({ body }) => body)) : undefined;
    this.#cx.branches += 1;
    this.#inBlock(end.regions[0]!, () => {
      if (!goesOn) this.#separateCases(cases, labels, read);
      if (!goesOn || this.#fallingCases(cases, labels, read, written)) code.yield();
    });
    this.#cx.branches -= 1;
    this.#targets.pop();
    return true;
  }

  #separateCases(cases: readonly Case[], labels: readonly (readonly number[])[], value: ir.Value): void {
    const { code } = this.#cx;
    const chosen = cases.flatMap((one, index) => (labels[index]!.length > 0 ? [{ one, index }] : []));
    const instruction = code.switch(
      value,
      chosen.map(({ index }) => labels[index]!),
    );
    const bodies = [
      ...chosen.map(({ one }) => one.body),
      cases.find(({ isDefault }) => isDefault)?.body ?? [],
    ];
    bodies.forEach((body, index) => {
      this.#inBlock(instruction.regions[index]!, () => {
        if (this.#statements(body)) code.yield();
      });
    });
  }

  #fallingCases(
    cases: readonly Case[],
    labels: readonly (readonly number[])[],
    value: ir.Value,
    written: ReadonlyMap<string, number> | undefined,
  ): boolean {
    const { code } = this.#cx;
    const end = this.#targets.at(-1)!.break;
    const blocks: ir.Block[] = [];
    const open = (index: number): void => {
      if (index < 0) {
        this.#choose(cases, labels, value, blocks, end);
        return;
      }
      const block = code.block();
      blocks[index] = block;
      code.within(block.regions[0]!, () => {
        open(index - 1);
        if (index > 0 && this.#caseBody(cases[index - 1]!, written)) code.yield();
      });
    };
    open(cases.length - 1);
    return this.#caseBody(cases.at(-1)!, written);
  }

  /** A case's body, which control may come to from several places. */
  #caseBody({ body }: Case, written: ReadonlyMap<string, number> | undefined): boolean {
    const { variables } = this.#cx;
    if (written) variables.forget(written.keys());
    else variables.forgetAll();
    let falls = true;
    variables.inBlock(() => {
      falls = this.#statements(body);
    });
    return falls;
  }

  #choose(
    cases: readonly Case[],
    labels: readonly (readonly number[])[],
    value: ir.Value,
    blocks: readonly ir.Block[],
    end: ir.Block | ir.Loop,
  ): void {
    const { code } = this.#cx;
    const chosen = cases.flatMap((_, index) => (labels[index]!.length > 0 ? [index] : []));
    const instruction = code.switch(
      value,
      chosen.map((index) => labels[index]!),
    );
    const otherwise = cases.findIndex(({ isDefault }) => isDefault);
    [...chosen, otherwise].forEach((index, at) => {
      code.within(instruction.regions[at]!, () => code.break(index < 0 ? end : blocks[index]!));
    });
    code.unreachable();
  }
}

/** Thrown and caught inside the lowering: there is no point in going on. */
export class TooMuch extends Error {}

/** `break_logicalnz` is a break under a condition. */
function splitJump(name: string): [kind: string, condition: string | undefined] {
  if (name === 'kill') return ['discard', 'nz'];
  if (name === 'ret_dyn' || name === 'endmain') return ['ret', undefined];
  const [, kind, condition] =
    /^(break|continue|ret|discard|call)(c|nz|_logicalnz|_logicalz)?$/.exec(name) ?? [];
  return kind === undefined ? [name, undefined] : [kind, condition];
}

/** The values of each case that no earlier one has. */
function uniqueLabels(cases: readonly Case[]): number[][] {
  const seen = new Set<number>();
  return cases.map(({ values }) =>
    values.filter((value) => {
      const isNew = !seen.has(value);
      seen.add(value);
      return isNew;
    }),
  );
}

function endsWithJump(body: readonly Statement[]): boolean {
  const last = body.at(-1);
  return last?.kind === 'plain' && /^(break|continue|ret|ret_dyn)$/.test(last.instruction.opcode.name);
}

/** What is reached before a return that always happens. */
function upToReturn(body: readonly Statement[]): readonly Statement[] {
  const end = body.findIndex((statement) => statement.kind === 'plain' && isReturn(statement.instruction));
  return end < 0 ? body : body.slice(0, end);
}

/** Whether something in a statement leaves the function. */
function returnsInside(statement: Statement): boolean {
  switch (statement.kind) {
    case 'if':
      return [...statement.then, ...statement.otherwise].some(returnsInside);
    case 'loop':
      return statement.body.some(returnsInside);
    case 'switch':
      return statement.cases.some(({ body }) => body.some(returnsInside));
    case 'plain':
      return /^(ret|endmain)/.test(statement.instruction.opcode.name);
  }
}

const isReturn = ({ opcode }: Instruction): boolean => /^(ret|ret_dyn|endmain)$/.test(opcode.name);
