/**
 * Selection: from a kernel in work-item form, simplified, to operations of the R600 family. Vectors become words, region results
 * registers that several operations write, structured control flow the marks that clauses are formed from. What the chip
 * has no instructions for is an R600Error with its place.
 *
 * Blocks and loops of the IR are loops of the chip, blocks such that run once: its only jumps out of something are those that
 * leave a loop. A jump that leaves more than one sets a flag, which the loops around look at.
 */
import type * as ir from '../../ir/ir.ts';
import { elementOf } from '../../ir/types.ts';
import { walkFunction } from '../../ir/walk.ts';
import {
  binaryLane,
  compareLane,
  comparePredicate,
  convertLane,
  type Lane,
  unaryLane,
} from './arithmetic.ts';
import { bitsOfFloat, rounded, wordsOfDouble } from './bits.ts';
import type { Chip } from './chips.ts';
import { allOnes, Emitter, literal, negated, registerSource, zero } from './emitter.ts';
import { R600Error } from './error.ts';
import { hardwareCall } from './library-calls.ts';
import { Memory } from './memory.ts';
import { opcode } from './opcodes.ts';
import { newRegister, type Register, type Source, type VirtualProgram } from './operations.ts';
import { laneWords, launchConstants } from './parameters.ts';
import { Pictures } from './pictures.ts';
import type { Program } from './program.ts';
import type { ParameterRoles } from './roles.ts';
import { Scope } from './scope.ts';

/** A loop of the chip, or the kernel itself, that control can leave or begin again. */
interface Target {
  readonly of: ir.Block | ir.Loop | undefined;
  readonly results: readonly Register[];
  readonly parameters: readonly Register[];
  /** Set before a jump out of an inner loop that means this one. */
  breakFlag?: Register | undefined;
  continueFlag?: Register | undefined;
}

/** Selects a kernel. @throws R600Error for what the chip cannot do */
export function select(
  fn: ir.Function,
  chip: Chip,
  { roles = new Map(), kind }: { roles?: ParameterRoles | undefined; kind?: Program['kind'] | undefined },
): VirtualProgram {
  return new Selection(fn, chip, roles, kind).run();
}

class Selection {
  readonly #fn: ir.Function;
  readonly #chip: Chip;
  readonly #emitter = new Emitter();
  readonly #scope: Scope;
  readonly #memory: Memory;
  readonly #pictures: Pictures;
  /** Innermost last. */
  readonly #targets: Target[] = [];

  constructor(fn: ir.Function, chip: Chip, roles: ParameterRoles, kind: Program['kind'] | undefined) {
    this.#fn = fn;
    this.#chip = chip;
    this.#scope = new Scope(fn, chip, roles, kind, this.#emitter);
    this.#memory = new Memory(this.#scope, this.#emitter, chip);
    this.#pictures = new Pictures(this.#scope, this.#emitter, this.#memory);
  }

  run(): VirtualProgram {
    const { body } = this.#fn;
    if (!body) throw new R600Error(`'${this.#fn.name}' has no body`);
    if (leavesEarly(this.#fn)) {
      const target: Target = { of: undefined, results: [], parameters: [] };
      this.#emitter.mark('loop');
      this.#targets.push(target);
      this.#region(body, () => this.#emitter.mark('break'));
      this.#targets.pop();
      this.#emitter.mark('end-loop');
    } else this.#region(body, () => {});
    this.#memory.finish();
    return {
      items: this.#emitter.items,
      localBytes: this.#memory.localBytes,
      scratchBytes: this.#memory.scratchBytes,
      isCompute: this.#scope.isCompute,
      notes: this.#scope.notes,
    };
  }

  /** Selects a region; `atEnd` says what its `yield`, `return` or `continue` to the loop around does, with the operands. */
  #region(region: ir.Region, atEnd: (operands: readonly ir.Value[]) => void): void {
    for (const instruction of region.instructions) {
      this.#emitter.span = instruction.span ?? this.#emitter.span;
      switch (instruction.op) {
        case 'yield':
          atEnd(instruction.operands);
          break;
        case 'return':
          if (this.#targets.length === 0) atEnd([]);
          else this.#leave(this.#targets[0]!);
          break;
        case 'break':
          this.#break(instruction);
          break;
        case 'continue':
          this.#continue(instruction, atEnd);
          break;
        case 'unreachable':
          break;
        default:
          this.#instruction(instruction);
      }
    }
  }

  #instruction(instruction: ir.Instruction): void {
    const scope = this.#scope;
    const { operands, results } = instruction;
    switch (instruction.op) {
      case 'if':
        this.#if(instruction);
        break;
      case 'switch':
        this.#switch(instruction);
        break;
      case 'block':
        this.#block(instruction);
        break;
      case 'loop':
        this.#loop(instruction);
        break;
      case 'call': {
        const args = operands.map((operand) => scope.word(operand));
        const result = hardwareCall(this.#emitter, instruction.callee, args, this.#chip);
        if (!result) throw new R600Error(`the call of '${instruction.callee.name}'`, instruction.span);
        scope.set(results[0]!, [[result]]);
        break;
      }
      case 'query':
        scope.set(results[0]!, [[this.#query(instruction)]]);
        break;
      case 'fence':
        break;
      case 'barrier':
        this.#requireCompute('barriers', instruction);
        this.#emitter.block.operations.push({
          kind: 'alu',
          opcode: opcode('GROUP_BARRIER'),
          targets: [],
          sources: [],
          span: instruction.span,
        });
        break;
      case 'image_read':
      case 'image_write':
      case 'image_query':
        this.#pictures.select(instruction);
        break;
      default:
        if (this.#memory.select(instruction)) break;
        this.#compute(instruction);
    }
  }

  /** What computes its result lane by lane. */
  #compute(instruction: ir.Instruction): void {
    const scope = this.#scope;
    const emitter = this.#emitter;
    const { operands, results, span } = instruction;
    const type = results[0]?.type;
    if (type) scope.requireType(type, span);
    const lanes = (index: number): readonly Lane[] => scope.lanes(operands[index]!);
    const from = operands[0]?.type;
    const each = (make: (lane: number) => Lane, like: readonly Lane[]): void =>
      scope.set(
        results[0]!,
        like.map((_, lane) => make(lane)),
      );
    switch (instruction.op) {
      case 'constant':
        scope.set(results[0]!, constantLanes(instruction));
        break;
      case 'undefined':
        scope.set(results[0]!, scope.zeros(type!));
        break;
      case 'unary': {
        const a = lanes(0);
        each((lane) => unaryLane(emitter, instruction, from!, a[lane]!), a);
        break;
      }
      case 'binary': {
        const [a, b] = [lanes(0), lanes(1)];
        const fused = this.#fused(instruction);
        each((lane) => fused?.(lane) ?? binaryLane(emitter, instruction, from!, a[lane]!, b[lane]!), a);
        break;
      }
      case 'fma': {
        const [a, b, c] = [lanes(0), lanes(1), lanes(2)];
        each((lane) => this.#multiplyAdd(from!, a[lane]!, b[lane]!, c[lane]!), a);
        break;
      }
      case 'compare': {
        const [a, b] = [lanes(0), lanes(1)];
        each((lane) => [compareLane(emitter, instruction, from!, a[lane]!, b[lane]!)], a);
        break;
      }
      case 'select': {
        const product = this.#zeroProduct(results[0]!);
        if (product) {
          const [a, b] = product.map((value) => scope.lanes(value)) as [readonly Lane[], readonly Lane[]];
          each((lane) => [emitter.emit('MUL', a[lane]![0]!, b[lane]![0]!)], a);
          break;
        }
        const [condition, a, b] = [lanes(0), lanes(1), lanes(2)];
        each((lane) => {
          const [truth] = condition[condition.length === 1 ? 0 : lane]!;
          return a[lane]!.map((word, index) => emitter.emit('CNDE_INT', truth!, b[lane]![index]!, word));
        }, a);
        break;
      }
      case 'convert': {
        const a = lanes(0);
        if (instruction.fn === 'bitcast') {
          scope.setWords(results[0]!, a.flat());
          break;
        }
        const { fn, rounding, saturate } = instruction;
        const conversion = { fn, rounding, isSaturating: saturate === true };
        each((lane) => convertLane(emitter, conversion, from!, type!, a[lane]!), a);
        break;
      }
      case 'splat': {
        const count = type!.kind === 'vector' ? type!.lanes : 1;
        scope.set(results[0]!, Array<Lane>(count).fill(lanes(0)[0]!));
        break;
      }
      case 'build':
        scope.set(
          results[0]!,
          operands.flatMap((operand) => scope.lanes(operand)),
        );
        break;
      case 'extract':
        scope.set(results[0]!, [lanes(0)[instruction.lane]!]);
        break;
      case 'insert':
        scope.set(
          results[0]!,
          lanes(0).map((lane, index) => (index === instruction.lane ? lanes(1)[0]! : lane)),
        );
        break;
      case 'shuffle': {
        const all = [...lanes(0), ...lanes(1)];
        const nothing = scope.zeros(type!)[0]!;
        scope.set(
          results[0]!,
          instruction.lanes.map((lane) => all[lane] ?? nothing),
        );
        break;
      }
      default:
        throw new R600Error(`${described(instruction)}: the R600 family has nothing for it`, span);
    }
  }

  /**
   * The factors of a product that is 0 if one of them is, whatever the other: IL's `mul`, which R600 has besides the other
   * one, but the IR says as a choice: a = 0 or b = 0 ? 0 : a * b.
   */
  #zeroProduct(value: ir.Value): readonly [ir.Value, ir.Value] | undefined {
    const made = (one: ir.Value): ir.Instruction | undefined => this.#scope.definition(one);
    const choice = made(value);
    if (choice?.op !== 'select' || laneWords(value.type) === 2) return undefined;
    const [condition, zeros, otherwise] = choice.operands as [ir.Value, ir.Value, ir.Value];
    const product = made(otherwise);
    const either = made(condition);
    if (product?.op !== 'binary' || product.fn !== 'fmul') return undefined;
    if (either?.op !== 'binary' || either.fn !== 'or' || !this.#isZero(zeros)) return undefined;
    const tested = either.operands.map((operand) => {
      const test = made(operand);
      return test?.op === 'compare' && test.fn === 'feq' && this.#isZero(test.operands[1]!)
        ? test.operands[0]
        : undefined;
    });
    const [a, b] = product.operands as [ir.Value, ir.Value];
    return tested[0] === a && tested[1] === b ? [a, b] : undefined;
  }

  #isZero(value: ir.Value): boolean {
    const made = this.#scope.definition(value);
    return (
      made?.op === 'constant' && this.#scope.words(value).every((w) => w.kind === 'literal' && w.bits === 0)
    );
  }

  #multiplyAdd(type: ir.Value['type'], a: Lane, b: Lane, c: Lane): Lane {
    const element = elementOf(type);
    const isDouble = element.kind === 'float' && element.bits === 64;
    if (isDouble) return this.#emitter.emitWide('MULADD_64', [...a, ...b, ...c], true);
    return [this.#emitter.emit('MULADD_e', a[0]!, b[0]!, c[0]!)];
  }

  /** An addition or subtraction together with a multiplication that nobody else needs, where the source allows it. */
  #fused(sum: ir.Binary): ((lane: number) => Lane) | undefined {
    if (!sum.contract || (sum.fn !== 'fadd' && sum.fn !== 'fsub')) return undefined;
    const { type } = sum.operands[0]!;
    const isDouble = laneWords(type) === 2;
    const zeroAt =
      sum.fn === 'fadd' ? sum.operands.findIndex((operand) => this.#onceZeroProduct(operand)) : -1;
    if (zeroAt >= 0) {
      const factors = this.#zeroProduct(sum.operands[zeroAt]!)!;
      const [a, b, c] = [...factors, sum.operands[1 - zeroAt]!].map((value) => this.#scope.lanes(value));
      return (lane) => [this.#emitter.emit('MULADD', a![lane]![0]!, b![lane]![0]!, c![lane]![0]!)];
    }
    const at = sum.operands.findIndex((operand) => {
      const made = this.#scope.definition(operand);
      return made?.op === 'binary' && made.fn === 'fmul' && made.contract && this.#scope.uses(operand) === 1;
    });
    // a * b - c and c - a * b would need the sign of a double's high word: left alone.
    if (at < 0 || (isDouble && sum.fn === 'fsub')) return undefined;
    const product = this.#scope.definition(sum.operands[at]!)!;
    const [a, b, c] = [product.operands[0]!, product.operands[1]!, sum.operands[1 - at]!].map((value) =>
      this.#scope.lanes(value),
    );
    return (lane) => {
      let [x, z] = [a![lane]!, c![lane]!];
      if (sum.fn === 'fsub') {
        if (at === 0) z = [negated(z[0]!)];
        else x = [negated(x[0]!)];
      }
      return this.#multiplyAdd(type, x, b![lane]!, z);
    };
  }

  #onceZeroProduct(value: ir.Value): boolean {
    return this.#scope.uses(value) === 1 && this.#zeroProduct(value) !== undefined;
  }

  #query(query: ir.Query): Source {
    const { fn, dimension } = query;
    const emitter = this.#emitter;
    if (fn === 'global_id') return this.#scope.position(dimension);
    this.#requireCompute(`'${fn}'`, query);
    const { local, group, launch } = this.#scope;
    switch (fn) {
      case 'local_id':
        return local(dimension);
      case 'group_id':
        return group(dimension);
      case 'global_size':
        return launch(launchConstants.globalSize, dimension);
      case 'local_size':
      case 'enqueued_local_size':
        return launch(launchConstants.localSize, dimension);
      case 'num_groups':
        return launch(launchConstants.groups, dimension);
      case 'global_offset':
        return launch(launchConstants.offset, dimension);
      case 'work_dim':
        return launch(launchConstants.dimensions, 0);
      case 'linear_local_id': {
        const size = (of: 0 | 1 | 2): Source => launch(launchConstants.localSize, of);
        const rows = emitter.emit('ADD_INT', emitter.emit('MULLO_INT', local(2), size(1)), local(1));
        return emitter.emit('ADD_INT', emitter.emit('MULLO_INT', rows, size(0)), local(0));
      }
    }
  }

  #requireCompute(what: string, { span }: ir.Instruction): void {
    if (this.#scope.isCompute) return;
    throw new R600Error(
      `${what} need${what.startsWith("'") ? 's' : ''} groups of threads, which ${
        this.#chip.hasCompute ? 'kernels that write images or outputs have not' : `${this.#chip.name} has not`
      }`,
      span,
    );
  }

  // ------------------------------------------------------------------------------------------ control flow

  /** Registers for what comes out of several places. */
  #joining(values: readonly ir.Value[]): readonly Register[] {
    return values.flatMap((value) => this.#scope.join(value));
  }

  /** Sets such registers; sources that are among them are read before any is set. */
  #set(registers: readonly Register[], values: readonly ir.Value[]): void {
    const emitter = this.#emitter;
    const sources = values.flatMap((value) => this.#scope.words(value));
    const targets = new Set(registers);
    const saved = sources.map((source, index) => {
      const isOther =
        source.kind === 'register' && targets.has(source.register) && source.register !== registers[index];
      if (!isOther) return source;
      const copy = newRegister();
      emitter.move(copy, source);
      return registerSource(copy);
    });
    for (const [index, register] of registers.entries()) {
      const source = saved[index]!;
      if (source.kind === 'register' && source.register === register && !source.negate && !source.absolute)
        continue;
      emitter.move(register, source);
    }
  }

  /** Ends the block with the predicate that a condition holds, or fails. */
  #predicate(condition: ir.Value, holds: boolean): void {
    const made = this.#scope.definition(condition);
    if (made?.op === 'compare' && laneWords(made.operands[0]!.type) === 1) {
      const words = made.operands.map((operand) => this.#scope.word(operand)) as [Source, Source];
      if (comparePredicate(this.#emitter, made, words, holds)) return;
    }
    this.#emitter.predicate(holds ? 'PREDNE_INT' : 'PREDE_INT', [this.#scope.word(condition), zero]);
  }

  #if(instruction: ir.If): void {
    const [condition] = instruction.operands as [ir.Value];
    const [yes, no] = instruction.regions as [ir.Region, ir.Region];
    const results = this.#joining(instruction.results);
    const known = this.#scope.word(condition);
    const take = (region: ir.Region): void => this.#region(region, (values) => this.#set(results, values));
    if (known.kind === 'literal') {
      take(known.bits !== 0 ? yes : no);
      return;
    }
    const isLeaving = (region: ir.Region): boolean => this.#onlyLeaves(region);
    const isPlain = results.length === 0;
    if (isPlain && isEmpty(yes) && isLeaving(no)) {
      this.#breakUnless(condition, true, no);
      return;
    }
    if (isPlain && isEmpty(no) && isLeaving(yes)) {
      this.#breakUnless(condition, false, yes);
      return;
    }
    if (isPlain && isEmpty(yes) && isEmpty(no)) return;
    const emitter = this.#emitter;
    const isTurned = isPlain && isEmpty(yes);
    this.#predicate(condition, !isTurned);
    emitter.mark('if');
    take(isTurned ? no : yes);
    if (!isPlain || !isEmpty(isTurned ? yes : no)) {
      emitter.mark('else');
      take(isTurned ? yes : no);
    }
    emitter.mark('end-if');
  }

  /** Whether a region does nothing but leave the innermost loop with values that are known outside. */
  #onlyLeaves({ instructions }: ir.Region): boolean {
    const last = instructions.at(-1);
    return (
      last?.op === 'break' &&
      this.#targets.at(-1)?.of === last.target &&
      instructions.slice(0, -1).every(({ op }) => op === 'constant' || op === 'undefined')
    );
  }

  /** Leaves the innermost loop where a condition does not come out as it should. Its results are set in any case. */
  #breakUnless(condition: ir.Value, holds: boolean, { instructions }: ir.Region): void {
    for (const instruction of instructions.slice(0, -1)) this.#instruction(instruction);
    this.#set(this.#targets.at(-1)!.results, instructions.at(-1)!.operands);
    this.#predicate(condition, holds);
    this.#emitter.mark('break-if');
  }

  #switch(instruction: ir.Switch): void {
    const emitter = this.#emitter;
    const [value] = instruction.operands as [ir.Value];
    const results = this.#joining(instruction.results);
    const chosen = this.#scope.word(value);
    const take = (region: ir.Region): void => this.#region(region, (values) => this.#set(results, values));
    for (const [index, numbers] of instruction.cases.entries()) {
      const isOne = numbers
        .map((number) => emitter.emit('SETE_INT', chosen, literal(Number(number))))
        .reduce((a, b) => emitter.emit('OR_INT', a, b));
      emitter.predicate('PREDNE_INT', [isOne, zero]);
      emitter.mark('if');
      take(instruction.regions[index]!);
      emitter.mark('else');
    }
    take(instruction.regions.at(-1)!);
    for (const _ of instruction.cases) emitter.mark('end-if');
  }

  #block(instruction: ir.Block): void {
    const results = this.#joining(instruction.results);
    const body = instruction.regions[0]!;
    if (!hasBreakTo(body, instruction)) {
      this.#region(body, (values) => this.#set(results, values));
      return;
    }
    const target: Target = { of: instruction, results, parameters: [] };
    this.#enclosed(target, () =>
      this.#region(body, (values) => {
        this.#set(results, values);
        this.#emitter.mark('break');
      }),
    );
  }

  #loop(instruction: ir.Loop): void {
    const results = this.#joining(instruction.results);
    const body = instruction.regions[0]!;
    const parameters = this.#joining(body.parameters);
    this.#set(parameters, instruction.operands);
    this.#enclosed({ of: instruction, results, parameters }, () => {
      this.#region(body, (values) => this.#set(parameters, values));
    });
  }

  /** Flags that jumps have set in the loop that is being selected, or in those inside it. */
  #flagsSet = new Set<Register>();

  /** A loop of the chip, with what it needs before and behind for jumps that leave more than it. */
  #enclosed(target: Target, body: () => void): void {
    const emitter = this.#emitter;
    const before = emitter.block;
    const flagsOutside = this.#flagsSet;
    this.#flagsSet = new Set();
    emitter.mark('loop');
    this.#targets.push(target);
    body();
    this.#targets.pop();
    emitter.mark('end-loop');
    const flagsInside = this.#flagsSet;
    for (const [index, { breakFlag, continueFlag }] of this.#targets.entries()) {
      if (breakFlag && flagsInside.has(breakFlag)) {
        emitter.move(breakFlag, zero, before);
        this.#leaveIfSet(breakFlag);
      }
      if (!continueFlag || !flagsInside.has(continueFlag)) continue;
      emitter.move(continueFlag, zero, before);
      if (index === this.#targets.length - 1) {
        emitter.predicate('PREDNE_INT', [registerSource(continueFlag), zero]);
        emitter.mark('if');
        emitter.mark('continue');
        emitter.mark('end-if');
      } else this.#leaveIfSet(continueFlag);
    }
    this.#flagsSet = new Set([...flagsOutside, ...flagsInside]);
  }

  #leaveIfSet(flag: Register): void {
    this.#emitter.predicate('PREDE_INT', [registerSource(flag), zero]);
    this.#emitter.mark('break-if');
  }

  #break({ target, operands }: ir.Break): void {
    const found = this.#targets.find(({ of }) => of === target)!;
    this.#set(found.results, operands);
    this.#leave(found);
  }

  /** Goes on behind a target. */
  #leave(target: Target): void {
    if (target !== this.#targets.at(-1)) {
      target.breakFlag ??= newRegister();
      this.#flagsSet.add(target.breakFlag);
      this.#emitter.move(target.breakFlag, allOnes);
    }
    this.#emitter.mark('break');
  }

  #continue({ target, operands }: ir.Continue, atEnd: (operands: readonly ir.Value[]) => void): void {
    const found = this.#targets.find(({ of }) => of === target)!;
    const { instructions } = target.regions[0]!;
    // The last one of the loop's own body needs no jump: the loop's end is the next thing.
    if (
      instructions.at(-1)?.op === 'continue' &&
      (instructions.at(-1) as ir.Continue).operands === operands
    ) {
      atEnd(operands);
      return;
    }
    this.#set(found.parameters, operands);
    if (found === this.#targets.at(-1)) {
      this.#emitter.mark('continue');
      return;
    }
    found.continueFlag ??= newRegister();
    this.#flagsSet.add(found.continueFlag);
    this.#emitter.move(found.continueFlag, allOnes);
    this.#emitter.mark('break');
  }
}

/** Whether a kernel returns from inside of its control flow. */
function leavesEarly(fn: ir.Function): boolean {
  let found = false;
  walkFunction(fn, ({ op }, region) => {
    if (op === 'return' && region !== fn.body) found = true;
  });
  return found;
}

function hasBreakTo(region: ir.Region, block: ir.Block): boolean {
  return region.instructions.some(
    (instruction) =>
      (instruction.op === 'break' && instruction.target === block) ||
      instruction.regions.some((inner) => hasBreakTo(inner, block)),
  );
}

const isEmpty = ({ instructions }: ir.Region): boolean =>
  instructions.length === 1 && instructions[0]!.op === 'yield';

function constantLanes({ value, results }: ir.Constant): readonly Lane[] {
  const { type } = results[0]!;
  const element = elementOf(type);
  const scalars = Array.isArray(value)
    ? (value as readonly ir.ScalarConstant[])
    : [value as ir.ScalarConstant];
  return scalars.map((scalar): Lane => {
    if (typeof scalar === 'boolean') return [scalar ? allOnes : zero];
    if (element.kind !== 'float') return [literal(Number(BigInt.asIntN(32, BigInt(scalar))))];
    if (element.bits === 64) return wordsOfDouble(Number(scalar)).map(literal);
    return [literal(bitsOfFloat(rounded(Number(scalar))))];
  });
}

/** What an instruction is called in messages. */
function described(instruction: ir.Instruction): string {
  switch (instruction.op) {
    case 'atomic':
      return 'an atomic operation';
    case 'collective':
      return 'a function of the whole group';
    case 'copy':
    case 'fill':
      return 'a copy of a structure or array';
    case 'call_indirect':
    case 'function_address':
      return 'a pointer to a function';
    case 'in_space':
      return 'a generic pointer';
    default:
      return `'${instruction.op}'`;
  }
}
