/**
 * Structured control flow as WGSL has it. A loop is a `for` that counts its iterations; a block that is left early is a `switch` with one
 * case, since `break` leaves that and `continue` passes through it. Both reach the innermost structure only: a jump further out sets a flag,
 * which is looked at behind each structure on its way.
 *
 * Why loops count: Tint (Dawn, Chromium) makes loops end that it cannot prove to end, by a counter of 64 bits, which costs six operations an
 * iteration. A `for` from 0 to a constant by steps of 1 it leaves as it is. A loop of 2^32 - 1 iterations is taken for an endless one, and
 * goes on without its body until the device's time-out. Which exit a loop took is known where it is taken, so that asking costs nothing.
 */
import type * as ir from '../../ir/ir.ts';
import { walkRegion } from '../../ir/walk.ts';
import { append } from '../../source/lists.ts';
import type { FunctionWriter, Line } from './function-writer.ts';
import { literal } from './literals.ts';
import { typeText } from './types.ts';

type Target = ir.Block | ir.Loop;

const mostIterations = '0xffffffffu';

/** A WGSL statement that `break` leaves. */
interface Construct {
  readonly target: Target | ir.Switch;
  /** Jumps that pass through on their way out, by flag. */
  readonly passing: Map<string, ir.Break | ir.Continue>;
  /** Of a loop: the variable that stays true if nothing but its count ends it. */
  readonly isEndless?: string;
}

export class ControlFlow {
  readonly #writer: FunctionWriter;
  readonly #constructs: Construct[] = [];
  readonly #breakFlags = new Map<Target, string>();
  readonly #continueFlags = new Map<Target, string>();
  /** What a yield in the region being written gives its values to. */
  #yields: readonly ir.Value[] = [];

  constructor(writer: FunctionWriter) {
    this.#writer = writer;
  }

  write(instruction: ir.Structured | ir.Terminator): void {
    const writer = this.#writer;
    switch (instruction.op) {
      case 'if':
        this.#if(instruction);
        return;
      case 'switch':
        this.#switch(instruction);
        return;
      case 'block':
        this.#block(instruction);
        return;
      case 'loop':
        this.#loop(instruction);
        return;
      case 'yield':
        this.#assign(this.#yields, instruction.operands);
        return;
      case 'break':
        this.#assign(instruction.target.results, instruction.operands);
        this.#jump(instruction);
        return;
      case 'continue':
        this.#assign(instruction.target.regions[0]!.parameters, instruction.operands);
        this.#jump(instruction);
        return;
      case 'return': {
        const [value] = instruction.operands;
        writer.line(value ? `return ${writer.value(value)};` : 'return;');
        return;
      }
    }
  }

  #body(region: ir.Region, results: readonly ir.Value[]): void {
    const outer = this.#yields;
    this.#yields = results;
    this.#writer.region(region);
    this.#yields = outer;
  }

  #declareResults(values: readonly ir.Value[]): void {
    const writer = this.#writer;
    for (const value of values) writer.line(`var ${writer.declareName(value)}: ${typeText(value.type)};`);
  }

  /** Assignments that happen at once. */
  #assign(targets: readonly ir.Value[], values: readonly ir.Value[]): void {
    const writer = this.#writer;
    const changed = targets
      .map((target, index) => ({ target, value: values[index]! }))
      .filter(({ target, value }) => target !== value);
    // What is assigned and read later on is kept aside.
    const aside = new Map<ir.Value, string>();
    for (const [index, { value }] of changed.entries()) {
      if (aside.has(value) || !changed.slice(0, index).some(({ target }) => target === value)) continue;
      const name = writer.temporary();
      aside.set(value, name);
    }
    for (const [value, name] of aside) writer.line(`let ${name} = ${writer.value(value)};`);
    for (const { target, value } of changed) {
      writer.line(`${writer.value(target)} = ${aside.get(value) ?? writer.value(value)};`);
    }
  }

  #condition(instruction: ir.If | ir.Switch, text: string, isBool: boolean): string {
    const writer = this.#writer;
    return writer.isUnified(instruction) ? writer.unified(text, isBool) : text;
  }

  #if(instruction: ir.If): void {
    const writer = this.#writer;
    const [value] = instruction.operands as [ir.Value];
    const [first, second] = instruction.regions as [ir.Region, ir.Region];
    this.#declareResults(instruction.results);
    const condition = this.#condition(instruction, writer.value(value), true);
    const thenLines = writer.nested(() => this.#body(first, instruction.results));
    const elseLines = writer.nested(() => this.#body(second, instruction.results));
    if (thenLines.length === 0 && elseLines.length === 0) return;
    if (thenLines.length === 0) {
      writer.line(`if (!${condition}) {`);
      append(writer.lines, elseLines);
    } else {
      writer.line(`if (${condition}) {`);
      append(writer.lines, thenLines);
      if (elseLines.length > 0) {
        writer.line('} else {');
        append(writer.lines, elseLines);
      }
    }
    writer.line('}');
  }

  #switch(instruction: ir.Switch): void {
    const writer = this.#writer;
    const [value] = instruction.operands as [ir.Value];
    this.#declareResults(instruction.results);
    const construct: Construct = { target: instruction, passing: new Map() };
    const isWide = value.type.kind === 'int' && value.type.bits === 64;
    const subject = this.#condition(
      instruction,
      isWide ? this.#wideSubject(instruction, value) : writer.value(value),
      false,
    );
    this.#constructs.push(construct);
    const lines: Line[] = [];
    for (const [index, region] of instruction.regions.entries()) {
      const values = instruction.cases[index];
      const labels = values?.map((each) =>
        isWide ? `${index + 1}u` : literal(value.type, each, (name) => writer.use(name)),
      );
      const unique = [...new Set(labels)];
      writer.depth += 1;
      const head: Line = {
        depth: writer.depth,
        text: labels ? `case ${unique.join(', ')}: {` : 'default: {',
      };
      lines.push(head, ...writer.nested(() => this.#body(region, instruction.results)), {
        depth: writer.depth,
        text: '}',
      });
      writer.depth -= 1;
    }
    this.#constructs.pop();
    writer.line(`switch ${subject} {`);
    append(writer.lines, lines);
    writer.line('}');
    this.#passOn(construct);
  }

  /** WGSL chooses by words only: the number of the case. */
  #wideSubject(instruction: ir.Switch, value: ir.Value): string {
    const writer = this.#writer;
    const name = writer.temporary();
    writer.line(`var ${name} = 0u;`);
    for (const [index, values] of instruction.cases.entries()) {
      for (const each of values) {
        const text = literal(value.type, each, (used) => writer.use(used));
        writer.line(`if (${writer.use('i64_eq')}(${writer.value(value)}, ${text})) {`);
        writer.line(`  ${name} = ${index + 1}u;`);
        writer.line('}');
      }
    }
    return name;
  }

  #block(instruction: ir.Block): void {
    const writer = this.#writer;
    this.#declareResults(instruction.results);
    const [body] = instruction.regions as [ir.Region];
    if (!isLeft(instruction, body)) {
      this.#body(body, instruction.results);
      return;
    }
    const construct: Construct = { target: instruction, passing: new Map() };
    this.#constructs.push(construct);
    writer.depth += 1;
    const lines = writer.nested(() => this.#body(body, instruction.results));
    writer.depth -= 1;
    this.#constructs.pop();
    this.#declareFlag(this.#breakFlags.get(instruction));
    writer.line('switch 0u {');
    writer.lines.push({ depth: writer.depth + 1, text: 'default: {' });
    append(writer.lines, lines);
    writer.lines.push({ depth: writer.depth + 1, text: '}' });
    writer.line('}');
    this.#passOn(construct);
  }

  #loop(instruction: ir.Loop): void {
    const writer = this.#writer;
    const [body] = instruction.regions as [ir.Region];
    this.#declareResults(instruction.results);
    for (const [index, parameter] of body.parameters.entries()) {
      const initial = writer.value(instruction.operands[index]!);
      writer.line(`var ${writer.declareName(parameter)}: ${typeText(parameter.type)} = ${initial};`);
    }
    const isEndless = writer.temporary('is_endless');
    const construct: Construct = { target: instruction, passing: new Map(), isEndless };
    this.#constructs.push(construct);
    const lines = writer.nested(() => this.#body(body, []));
    this.#constructs.pop();
    this.#declareFlag(this.#breakFlags.get(instruction));
    const turns = writer.temporary('turns');
    writer.line(`var ${isEndless} = true;`);
    writer.line(`for (var ${turns} = 0u; ${turns} < ${mostIterations}; ${turns}++) {`);
    const flag = this.#continueFlags.get(instruction);
    if (flag) writer.lines.push({ depth: writer.depth + 1, text: `var ${flag} = false;` });
    const last = lines.at(-1);
    if (last?.text === 'continue;' && last.depth === writer.depth + 1) lines.pop();
    append(writer.lines, lines);
    writer.line('}');
    writer.line(`if (${isEndless}) { loop { if (${writer.never()}) { break; } } }`);
    this.#passOn(construct);
  }

  #declareFlag(flag: string | undefined): void {
    if (flag) this.#writer.line(`var ${flag} = false;`);
  }

  /** The statement that gets to the target of a jump, from where the innermost construct is. */
  #jump(jump: ir.Break | ir.Continue): void {
    const writer = this.#writer;
    const inner = this.#constructs.at(-1);
    if (jump.op === 'break' && inner?.target === jump.target) {
      this.#break(inner);
      return;
    }
    if (jump.op === 'continue') {
      const loop = this.#constructs.findLast(({ target }) => target.op === 'loop');
      if (loop?.target === jump.target) {
        writer.line('continue;');
        return;
      }
    }
    const flags = jump.op === 'break' ? this.#breakFlags : this.#continueFlags;
    let flag = flags.get(jump.target);
    if (!flag) {
      flag = writer.temporary();
      flags.set(jump.target, flag);
    }
    inner!.passing.set(flag, jump);
    writer.line(`${flag} = true;`);
    this.#break(inner!);
  }

  #break({ isEndless }: Construct): void {
    if (isEndless) this.#writer.line(`${isEndless} = false;`);
    this.#writer.line('break;');
  }

  /** Behind a construct: jumps that came out of it go on. */
  #passOn({ passing }: Construct): void {
    const writer = this.#writer;
    for (const [flag, jump] of passing) {
      writer.line(`if (${flag}) {`);
      writer.depth += 1;
      const inner = this.#constructs.at(-1);
      const loop = this.#constructs.findLast(({ target }) => target.op === 'loop');
      if (jump.op === 'break' && inner?.target === jump.target) this.#break(inner);
      else if (jump.op === 'continue' && loop?.target === jump.target) writer.line('continue;');
      else {
        inner!.passing.set(flag, jump);
        this.#break(inner!);
      }
      writer.depth -= 1;
      writer.line('}');
    }
  }
}

function isLeft(block: ir.Block, body: ir.Region): boolean {
  let found = false;
  walkRegion(body, (instruction) => {
    if (instruction.op === 'break' && instruction.target === block) found = true;
  });
  return found;
}
