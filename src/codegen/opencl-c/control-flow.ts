/**
 * Structured control flow as C has it. A loop is `while`, a block that jumps leave early is `do ... while (false)`,
 * and C's `break` and `continue` reach the innermost of them (or `switch`) only: a jump further out sets a flag,
 * which is looked at behind each statement on its way.
 */
import type * as ir from '../../ir/ir.ts';
import { isEmpty } from '../../ir/regions.ts';
import type { ScalarType } from '../../ir/types.ts';
import { append } from '../../source/lists.ts';
import { declaration, defaultMaskBits } from './c-types.ts';
import { type Expression, binary as joined, precedence, primary, unary, within } from './expression.ts';
import type { FunctionWriter, Line } from './function-writer.ts';
import { scalarLiteral } from './literals.ts';
import { negated } from './operations.ts';

type Target = ir.Block | ir.Loop;

/** A C statement that `break` leaves. */
interface Construct {
  readonly target: Target | ir.Switch;
  /** Jumps that pass through on their way out, by flag. */
  readonly passing: Map<string, ir.Break | ir.Continue>;
}

/** One of several assignments that happen at once. */
interface Assignment {
  readonly target: ir.Value;
  readonly value: ir.Value;
  /** The variable that has the value already. */
  aside: string | undefined;
}

/** What a yield in the region being written gives its values to. */
type Yields = (values: readonly ir.Value[]) => void;

export class ControlFlow {
  readonly #writer: FunctionWriter;
  readonly #constructs: Construct[] = [];
  /** The flags of jumps that are more than one statement away. */
  readonly #breakFlags = new Map<Target, string>();
  readonly #continueFlags = new Map<Target, string>();
  #yields: Yields = () => {};
  /** A loop whose body has just begun: a first `if` that leaves it is its condition. */
  #loopHead: { readonly loop: ir.Loop; condition?: Expression } | undefined;

  constructor(writer: FunctionWriter) {
    this.#writer = writer;
  }

  write(instruction: ir.Structured | ir.Terminator, next: ir.Instruction | undefined): void {
    const writer = this.#writer;
    if (instruction.op !== 'if') this.#loopHead = undefined;
    switch (instruction.op) {
      case 'if':
        this.#if(instruction, next);
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
        this.#yields(instruction.operands);
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
        const text = value ? `return ${this.#returned(value)};` : 'return;';
        writer.line(text);
        return;
      }
    }
  }

  #returned(value: ir.Value): string {
    const writer = this.#writer;
    if (writer.isMask(value)) return writer.mask(value, defaultMaskBits).text;
    return value.type.kind === 'vector' ? writer.unsigned(value).text : writer.value(value).text;
  }

  // ------------------------------------------------------------------------------------------- branches

  #if(instruction: ir.If, next: ir.Instruction | undefined): void {
    const writer = this.#writer;
    const [value] = instruction.operands as [ir.Value];
    const [first, second] = instruction.regions as [ir.Region, ir.Region];
    const head = this.#loopHead;
    this.#loopHead = undefined;
    const before = writer.lines.length;
    if (head && before === 0 && isEmpty(first) && this.#onlyLeaves(second, head.loop)) {
      const condition = writer.value(value);
      writer.flush();
      if (writer.lines.length === 0) head.condition = condition;
      else this.#writeIf(condition, [], this.#branch(second, undefined)[0]);
      return;
    }
    if (isEmpty(first) && instruction.results.length === 0) {
      const condition = negated(writer, value);
      writer.flush();
      const [lines] = this.#branch(second, undefined);
      this.#writeIf(condition, lines, []);
      return;
    }
    const condition = writer.value(value);
    writer.flush();
    const results = instruction.results.map((result) => this.#variable(result));
    const [thenLines, thenValues] = this.#branch(first, instruction.results);
    const [elseLines, elseValues] = this.#branch(second, instruction.results);
    const [result] = instruction.results;
    const isChoice = thenLines.length + elseLines.length === 0 && results.length === 1;
    if (result && isChoice && thenValues?.[0] && elseValues?.[0]) {
      const chosen = choice(condition, thenValues[0], elseValues[0], result);
      if (next?.operands.includes(result) && next.op === 'if' && writer.plan.usesOf(result) === 1) {
        writer.bind(result, chosen);
      } else writer.line(`${declaration(writer.typeOf(result), results[0]!)} = ${chosen.text};`);
      return;
    }
    for (const [index, name] of results.entries()) {
      if (writer.plan.usesOf(instruction.results[index]!) === 0) continue;
      writer.line(`${declaration(writer.typeOf(instruction.results[index]!), name)};`);
      assignLast(thenLines, name, thenValues?.[index], writer.depth + 1);
      assignLast(elseLines, name, elseValues?.[index], writer.depth + 1);
    }
    this.#writeIf(condition, thenLines, elseLines);
  }

  #writeIf(condition: Expression, thenLines: readonly Line[], elseLines: readonly Line[]): void {
    const writer = this.#writer;
    if (thenLines.length === 0 && elseLines.length === 0) return;
    if (thenLines.length === 0) {
      this.#writeIf(unary(`!${within(condition, precedence.unary)}`), elseLines, []);
      return;
    }
    if (elseLines.length === 0 && thenLines.length === 1 && isJump(thenLines[0]!.text)) {
      writer.line(`if (${condition.text}) ${thenLines[0]!.text}`);
      return;
    }
    writer.line(`if (${condition.text}) {`);
    append(writer.lines, thenLines);
    if (elseLines.length > 0) {
      writer.line('} else {');
      append(writer.lines, elseLines);
    }
    writer.line('}');
  }

  /** The lines of a branch, and what it yields; no values if it ends in a jump. */
  #branch(region: ir.Region, results: readonly ir.Value[] | undefined): [Line[], Expression[] | undefined] {
    let values: Expression[] | undefined;
    const lines = this.#withYields(
      (operands) => {
        values = operands.map((operand, index) => {
          const to = results?.[index];
          return to ? this.#writer.assigned(to, operand) : this.#writer.value(operand);
        });
        this.#writer.flush();
      },
      () => this.#writer.nested(() => this.#writer.region(region)),
    );
    return [lines, values];
  }

  #withYields<T>(yields: Yields, body: () => T): T {
    const outer = this.#yields;
    this.#yields = yields;
    const result = body();
    this.#yields = outer;
    return result;
  }

  #onlyLeaves(region: ir.Region, loop: ir.Loop): boolean {
    const [only] = region.instructions;
    if (only?.op !== 'break' || only.target !== loop) return false;
    // Results that are parameters need no assignment.
    return only.operands.every((operand, index) => this.#keepsParameter(loop, index) === operand);
  }

  #switch(instruction: ir.Switch): void {
    const writer = this.#writer;
    const [value] = instruction.operands as [ir.Value];
    const subject = writer.signed(value);
    writer.flush();
    for (const result of instruction.results) this.#declareResult(result);
    const construct: Construct = { target: instruction, passing: new Map() };
    this.#constructs.push(construct);
    writer.line(`switch (${subject.text}) {`);
    writer.depth += 1;
    for (const [index, region] of instruction.regions.entries()) {
      const values = instruction.cases[index];
      const labels = (values ?? []).map(
        (each) => `case ${scalarLiteral(caseType(value.type as ScalarType), each, true).text}:`,
      );
      if (!values) labels.push('default:');
      for (const [at, label] of labels.entries())
        writer.line(at === labels.length - 1 ? `${label} {` : label);
      const lines = writer.nested(() => this.#body(region, instruction.results));
      append(writer.lines, lines);
      if (!isJump(lines.at(-1)?.text ?? '')) writer.lines.push({ depth: writer.depth + 1, text: 'break;' });
      writer.line('}');
    }
    writer.depth -= 1;
    writer.line('}');
    this.#constructs.pop();
    this.#passOn(construct);
  }

  /** A region whose yield assigns to variables. */
  #body(region: ir.Region, results: readonly ir.Value[]): void {
    this.#withYields(
      (values) => this.#assign(results, values),
      () => this.#writer.region(region),
    );
  }

  // --------------------------------------------------------------------------------------- blocks, loops

  #block(instruction: ir.Block): void {
    const writer = this.#writer;
    writer.flush();
    for (const result of instruction.results) this.#declareResult(result);
    const [body] = instruction.regions as [ir.Region];
    if (!writer.plan.left.has(instruction)) {
      this.#body(body, instruction.results);
      return;
    }
    const construct: Construct = { target: instruction, passing: new Map() };
    this.#constructs.push(construct);
    const lines = writer.nested(() => this.#body(body, instruction.results));
    this.#constructs.pop();
    this.#declareFlag(this.#breakFlags.get(instruction));
    writer.line('do {');
    append(writer.lines, lines);
    writer.line('} while (false);');
    this.#passOn(construct);
  }

  #loop(instruction: ir.Loop): void {
    const writer = this.#writer;
    writer.flush();
    const [body] = instruction.regions as [ir.Region];
    for (const [index, parameter] of body.parameters.entries()) {
      const start = writer.assigned(parameter, instruction.operands[index]!);
      const name = writer.name(parameter.name ?? 'v');
      writer.line(`${declaration(writer.typeOf(parameter), name)} = ${start.text};`);
      writer.bind(parameter, primary(name, writer.isMask(parameter)));
    }
    for (const [index, result] of instruction.results.entries()) {
      const parameter = this.#keepsParameter(instruction, index);
      if (parameter) writer.bind(result, writer.value(parameter));
      else this.#declareResult(result);
    }
    const construct: Construct = { target: instruction, passing: new Map() };
    this.#constructs.push(construct);
    const head: { loop: ir.Loop; condition?: Expression } = { loop: instruction };
    this.#loopHead = head;
    const lines = writer.nested(() => this.#body(body, []));
    this.#loopHead = undefined;
    this.#constructs.pop();
    this.#declareFlag(this.#breakFlags.get(instruction));
    if (instruction.unroll !== undefined) {
      writer.line(instruction.unroll > 0 ? `#pragma unroll ${instruction.unroll}` : '#pragma unroll');
    }
    writer.line(`while (${head.condition?.text ?? 'true'}) {`);
    const flag = this.#continueFlags.get(instruction);
    if (flag !== undefined) writer.lines.push({ depth: writer.depth + 1, text: `bool ${flag} = false;` });
    append(writer.lines, lines);
    writer.line('}');
    this.#passOn(construct);
  }

  /** The parameter that every break gives for a result: its variable then holds the result too. */
  #keepsParameter(loop: ir.Loop, index: number): ir.Value | undefined {
    const breaks = this.#writer.plan.breaks.get(loop) ?? [];
    const first = breaks[0]?.operands[index];
    const { parameters } = loop.regions[0]!;
    if (!first || !parameters.includes(first)) return undefined;
    return breaks.every((each) => each.operands[index] === first) ? first : undefined;
  }

  // ---------------------------------------------------------------------------------------------- jumps

  #jump(jump: ir.Break | ir.Continue): void {
    const writer = this.#writer;
    writer.flush();
    if (writer.plan.silent.has(jump)) return;
    const { target } = jump;
    // A switch lets `continue` through, but no other statement does.
    let near = this.#constructs.length - 1;
    while (jump.op === 'continue' && this.#constructs[near]?.target.op === 'switch') near -= 1;
    if (this.#constructs[near]?.target === target) {
      writer.line(`${jump.op};`);
      return;
    }
    const flag = this.#flagOf(jump);
    for (let index = this.#constructs.length - 1; this.#constructs[index]!.target !== target; index -= 1) {
      this.#constructs[index]!.passing.set(flag, jump);
    }
    writer.line(`${flag} = true;`);
    writer.line('break;');
  }

  #flagOf(jump: ir.Break | ir.Continue): string {
    const flags = jump.op === 'break' ? this.#breakFlags : this.#continueFlags;
    let flag = flags.get(jump.target);
    if (flag === undefined) {
      flag = this.#writer.name(jump.op === 'break' ? 'leave' : 'next');
      flags.set(jump.target, flag);
    }
    return flag;
  }

  #declareFlag(flag: string | undefined): void {
    if (flag !== undefined) this.#writer.line(`bool ${flag} = false;`);
  }

  /** Behind a statement: jumps that left it on their way to others go on. */
  #passOn({ passing }: Construct): void {
    const breaking: string[] = [];
    for (const [flag, jump] of passing) {
      const here = this.#constructs.at(-1)?.target === jump.target;
      if (jump.op === 'continue' && here) this.#writer.line(`if (${flag}) continue;`);
      else breaking.push(flag);
    }
    if (breaking.length > 0) this.#writer.line(`if (${breaking.join(' || ')}) break;`);
  }

  // ------------------------------------------------------------------------------------------- variables

  /** A name for the variable of a result, whose value it is from now on. */
  #variable(result: ir.Value): string {
    const name = this.#writer.name(result.name ?? 'r');
    this.#writer.bind(result, primary(name, this.#writer.isMask(result)));
    return name;
  }

  #declareResult(result: ir.Value): void {
    if (this.#writer.plan.usesOf(result) === 0) return;
    const name = this.#variable(result);
    this.#writer.line(`${declaration(this.#writer.typeOf(result), name)};`);
  }

  /** Assigns all values at once: none of them sees another's new value. */
  #assign(targets: readonly ir.Value[], values: readonly ir.Value[]): void {
    const writer = this.#writer;
    let open: Assignment[] = [];
    for (const [index, target] of targets.entries()) {
      const value = values[index]!;
      if (!writer.has(target)) continue;
      if (writer.has(value) && writer.value(target).text === writer.value(value).text) continue;
      open.push({ target, value, aside: undefined });
    }
    while (open.length > 0) {
      const waits = ({ value, aside }: Assignment, target: ir.Value): boolean =>
        aside === undefined && writer.mentions(value, writer.value(target));
      const free = open.find((each) => open.every((other) => other === each || !waits(other, each.target)));
      if (!free) {
        // They wait for one another: the first one that is not computed yet is computed aside.
        const first = open.find(({ aside }) => aside === undefined)!;
        first.aside = writer.name('t');
        const text = writer.assigned(first.target, first.value).text;
        writer.line(`${declaration(writer.typeOf(first.target), first.aside)} = ${text};`);
        continue;
      }
      const text = free.aside ?? writer.assigned(free.target, free.value).text;
      writer.line(`${writer.value(free.target).text} = ${text};`);
      open = open.filter((each) => each !== free);
    }
  }
}

/** `c ? a : b`, or what is shorter for truth values. */
function choice(condition: Expression, a: Expression, b: Expression, result: ir.Value): Expression {
  if (result.type.kind === 'bool') {
    if (a.text === 'true') return joined('||', precedence.either, condition, b);
    if (b.text === 'false') return joined('&&', precedence.both, condition, a);
  }
  const first = within(condition, precedence.conditional + 1);
  const text = `${first} ? ${within(a, precedence.conditional + 1)} : ${within(b, precedence.conditional)}`;
  return { text, precedence: precedence.conditional, signed: a.signed && b.signed };
}

function assignLast(lines: Line[], name: string, value: Expression | undefined, depth: number): void {
  if (value) lines.push({ depth, text: `${name} = ${value.text};` });
}

function isJump(text: string): boolean {
  return text === 'break;' || text === 'continue;' || text === 'return;' || text.startsWith('return ');
}

/** A case's value is promoted like what is switched on, so narrow ones need no cast. */
function caseType(type: ScalarType): ScalarType {
  return type.kind === 'int' && type.bits < 32 ? { kind: 'int', bits: 32 } : type;
}
