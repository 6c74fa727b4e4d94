/**
 * Writes checks into a function. It is done in two stages, between which the passes turn variables into values.
 *
 * In the first, private variables that are accessed at constant places get companions (companions.ts): afterwards most
 * of them are values, and nothing would tell any more that one was never set. In the second, pointers lead to their objects,
 * and every access that is left is checked:
 *
 *     %x = load %p               %off = ...                                  how far into its object
 *                                %bad = off + 4 > bytes of the object
 *                        =>      %q = if %bad { report; yield %scratch } else { yield %p }
 *                                if %watched { if check_read(%q, 4, who) != 0 { report } }
 *                                %x = load %q
 *
 * Bytes of arguments, and whether anybody must watch them, come with the launch as further parameters (check-module.ts).
 *
 * Here is the way through the function, and what concerns neither memory (access-checks.ts) nor the group (group-checks.ts).
 */
import { newRegion } from '../../../ir/builder.ts';
import type * as ir from '../../../ir/ir.ts';
import { isBarrier } from '../../../ir/ir.ts';
import { walkRegion } from '../../../ir/walk.ts';
import { insert } from '../../../source/lists.ts';
import { AccessChecks } from './access-checks.ts';
import { accessesOf } from './accesses-of.ts';
import { takeBarrierFlags } from './barrier-flags.ts';
import { Bounds } from './bounds.ts';
import type { CheckContext, Stage } from './check-context.ts';
import { CheckWriter } from './check-writer.ts';
import { Companions } from './companions.ts';
import { CopyChecks } from './copy-checks.ts';
import { takeFuel } from './count-turns.ts';
import { movedOperands } from './definedness.ts';
import { DivisionChecks } from './division-checks.ts';
import { GroupChecks, planOf } from './group-checks.ts';
import { ImageChecks } from './image-checks.ts';
import { LocalCounters } from './local-counters.ts';
import { LocalIntervals } from './local-intervals.ts';
import { nothingProven, type Proven, versionLoops } from './loop-versions.ts';
import { Objects } from './objects.ts';
import { PipeChecks } from './pipe-checks.ts';
import { PointerRoots } from './pointer-roots.ts';
import { shortLoops } from './short-loops.ts';
import { Updates } from './updates.ts';

const noFlags: ReadonlyMap<ir.Instruction, ir.Value> = new Map();

/** Rewrites the body of a function in work-item form. */
export function checkFunction(fn: ir.Function, stage: Stage, context: CheckContext): void {
  if (fn.body) new FunctionChecker(fn, fn.body, stage, context).run();
}

class FunctionChecker {
  readonly #body: ir.Region;
  readonly #stage: Stage;
  readonly #proven: Proven;
  readonly #writer: CheckWriter;
  readonly #objects: Objects;
  readonly #bounds: Bounds;
  readonly #companions: Companions;
  readonly #copies: CopyChecks;
  readonly #accesses: AccessChecks;
  readonly #images: ImageChecks;
  readonly #divisions: DivisionChecks;
  readonly #pipes: PipeChecks;
  /** Undefined in the first stage. */
  readonly #group: GroupChecks | undefined;
  readonly #shortLoops: ReadonlySet<ir.Loop>;
  /** Accesses to companions of the stage before, and looks before loops. */
  readonly #own: ReadonlySet<ir.Instruction>;

  constructor(fn: ir.Function, body: ir.Region, stage: Stage, context: CheckContext) {
    this.#body = body;
    this.#stage = stage;
    this.#writer = new CheckWriter(fn, body, context);
    const barrierFlags = stage === 'accesses' ? takeBarrierFlags(body) : noFlags;
    const counters = new LocalCounters(this.#writer, body);
    this.#proven = stage === 'accesses' ? this.#versionLoops(counters) : nothingProven();
    const roots = new PointerRoots(fn);
    this.#objects = new Objects(this.#writer, roots);
    this.#bounds = new Bounds(this.#writer, this.#objects, roots);
    this.#companions = new Companions(this.#writer, this.#objects, roots, stage);
    let hasFence = false;
    walkRegion(body, ({ op }) => {
      if (op === 'fence') hasFence = true;
    });
    this.#group =
      stage === 'accesses' ? new GroupChecks(this.#writer, body, counters, barrierFlags) : undefined;
    this.#copies = new CopyChecks(this.#writer, this.#objects, this.#bounds, this.#companions);
    this.#accesses = new AccessChecks(
      this.#writer,
      this.#objects,
      this.#bounds,
      this.#companions,
      this.#copies,
      {
        hasFence,
        hasBarrierFlags: barrierFlags.size > 0,
        localIntervals:
          this.#group?.isTogether && !context.tracksLocal ? new LocalIntervals(body, roots) : undefined,
        counters,
        proven: this.#proven,
        updates: new Updates(body),
      },
    );
    this.#images = new ImageChecks(this.#writer, this.#objects);
    this.#pipes = new PipeChecks(this.#writer, body);
    this.#divisions = new DivisionChecks(this.#writer, this.#objects);
    this.#shortLoops = stage === 'accesses' ? shortLoops(body) : new Set();
    this.#own = stage === 'accesses' ? this.#findOwn(new Set(context.settled.values())) : new Set();
  }

  /** Before all else, for what it writes is looked at like the program. */
  #versionLoops(counters: LocalCounters): Proven {
    const writer = this.#writer;
    const roots = new PointerRoots(writer.fn);
    const plan = planOf(writer.fn, this.#body);
    return versionLoops(this.#body, {
      writer,
      objects: new Objects(writer, roots),
      counters,
      localIntervals:
        plan?.isTogether && !writer.context.tracksLocal ? new LocalIntervals(this.#body, roots) : undefined,
      mayRest: writer.context.mayRest,
    });
  }

  /** What the checker itself has written. */
  #findOwn(companions: ReadonlySet<ir.Value>): Set<ir.Instruction> {
    const own = new Set<ir.Instruction>(this.#proven.own);
    walkRegion(this.#body, (instruction) => {
      const { operands, op } = instruction;
      if (op !== 'load' && op !== 'store' && op !== 'copy' && op !== 'fill') return;
      const root = this.#objects.rootOf(operands[0]!);
      if (root && companions.has(root.value)) own.add(instruction);
    });
    return own;
  }

  run(): void {
    const top = newRegion();
    this.#writer.builder.within(top, () => {
      this.#hoistVariables();
      this.#companions.make();
      this.#writer.askItem();
      this.#group?.begin();
    });
    this.#region(this.#body);
    insert(this.#body.instructions, 0, top.instructions);
  }

  /** Variables keep their bytes wherever they stand; at the top their addresses can be used everywhere. */
  #hoistVariables(): void {
    const visit = (region: ir.Region): void => {
      for (const instruction of region.instructions) {
        if (instruction.op === 'variable') this.#writer.builder.append(instruction);
        for (const nested of instruction.regions) visit(nested);
      }
      region.instructions = region.instructions.filter(({ op }) => op !== 'variable');
    };
    visit(this.#body);
  }

  #region(region: ir.Region): void {
    const { builder } = this.#writer;
    const { definedness } = this.#companions;
    const old = region.instructions;
    region.instructions = [];
    definedness.open();
    builder.within(region, () => {
      for (const instruction of old) {
        builder.span = instruction.span;
        if (this.#own.has(instruction)) builder.append(instruction);
        else this.#instruction(instruction);
      }
    });
    definedness.close();
  }

  #instruction(instruction: ir.Instruction): void {
    const { definedness } = this.#companions;
    const isFollowed = instruction.op === 'store' && this.#companions.of(instruction.operands[0]!);
    definedness.uses(instruction, isFollowed ? [1] : movedOperands(instruction));
    if (this.#stage === 'values') this.#value(instruction);
    else this.#access(instruction);
    definedness.rearranged(instruction);
  }

  /** The first stage. */
  #value(instruction: ir.Instruction): void {
    for (const nested of instruction.regions) this.#region(nested);
    const accesses = accessesOf(instruction);
    for (const { pointer } of accesses) this.#bounds.checkSubscripts(pointer, instruction);
    this.#writer.builder.append(instruction);
    this.#companions.followFixed(instruction);
  }

  /** The second stage. */
  #access(instruction: ir.Instruction): void {
    const { builder } = this.#writer;
    const group = this.#group!;
    switch (instruction.op) {
      case 'load':
      case 'store':
        this.#accesses.loadOrStore(instruction);
        return;
      case 'atomic':
        this.#accesses.atomic(instruction);
        return;
      case 'copy':
        this.#accesses.copy(instruction);
        return;
      case 'fill':
        this.#accesses.fill(instruction);
        return;
      case 'image_read':
      case 'image_write':
        this.#images.check(instruction);
        break;
      case 'loop':
        group.withinLoop(() => this.#region(instruction.regions[0]!));
        if (!this.#shortLoops.has(instruction)) this.#countTurns(instruction);
        builder.append(instruction);
        return;
      case 'binary':
        this.#divisions.check(instruction);
        break;
      case 'call':
        if (this.#copyMark(instruction)) return;
        if (group.asyncMark(instruction) || this.#pipes.check(instruction)) return;
        break;
      case 'return':
        group.checkEnd();
        break;
      default:
    }
    if (isBarrier(instruction)) {
      group.barrier(instruction as ir.Barrier | ir.Collective);
      return;
    }
    for (const nested of instruction.regions) this.#region(nested);
    builder.append(instruction);
  }

  /** False for other calls. */
  #copyMark(call: ir.Call): boolean {
    const mark = this.#writer.context.copies.of(call);
    if (mark) this.#copies.mark(call, mark);
    return mark !== undefined;
  }

  /** So many turns, and the host looks at its clock: at the head of a loop's body, or before it where it says how many there will be. */
  #countTurns(loop: ir.Loop): void {
    const writer = this.#writer;
    const { builder } = writer;
    const count = (turns: ir.Value): void => takeFuel(writer, turns);
    const turns = this.#proven.turns.get(loop);
    if (turns) {
      count(builder.binary('umin', turns, writer.number(2 ** 30)));
      return;
    }
    const head = newRegion();
    builder.within(head, () => this.#group!.onceInLoop(loop, () => count(writer.number(1))));
    loop.regions[0]!.instructions.unshift(...head.instructions);
  }
}
