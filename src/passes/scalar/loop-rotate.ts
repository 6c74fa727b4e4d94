/**
 * Moves the exit test of loops to their end:
 *
 *     loop @L (%x = %start) {                        %x2.0 = fmul %start, %start
 *       %x2 = fmul %x, %x                            %go.0 = flt %x2.0, %four
 *       %go = flt %x2, %four                         if %go.0 {
 *       if %go { yield } else { break @L }             loop @L (%x = %start, %x2 = %x2.0) {
 *       %next = fadd %x2, %k                             %next = fadd %x2, %k
 *       continue @L %next                                %x2.1 = fmul %next, %next
 *     }                                                  %go.1 = flt %x2.1, %four
 *                                                        if %go.1 { yield } else { break @L }
 *                                                        continue @L %next, %x2.1
 *                                                      }
 *                                                      yield
 *                                                    } else { yield }
 *
 * Same steps in the same order, with one branch less an iteration. More important is what compilers of the generated code make of it: some move
 * computations from before a loop to where they are used, and take them out of the loop again only if they are used in every
 * iteration, up to its end. Behind an exit test at the loop's start that is not so, and `%k` would be computed anew each time.
 *
 * What is the same in all lanes of a vector is not handed on: the loop makes it again of its scalar, so that one sees that it is.
 *
 * Tests of plain counters stay, for code generators rotate those themselves.
 */
import { newValue } from '../../ir/builder.ts';
import { cloneInstruction } from '../../ir/clone.ts';
import { countUses } from '../../ir/count-uses.ts';
import type * as ir from '../../ir/ir.ts';
import { walkRegion, walkRegionsInsideOut } from '../../ir/walk.ts';

/** Tests of more instructions are not written twice. */
const longestTest = 24;

/** A loop that starts with its exit test. */
interface TestedLoop {
  readonly loop: ir.Loop;
  /** What comes before the test's branch. */
  readonly test: readonly ir.Instruction[];
  readonly branch: ir.If;
  /** Which region of the branch leaves the loop. */
  readonly exitSide: 0 | 1;
  /** What follows in an iteration, without the jump back. */
  readonly rest: readonly ir.Instruction[];
  readonly jump: ir.Continue;
}

export function rotateLoops(fn: ir.Function): void {
  if (!fn.body) return;
  const uses = countUses(fn);
  walkRegionsInsideOut(fn.body, (region) => {
    region.instructions = region.instructions.flatMap((instruction) => {
      const found = instruction.op === 'loop' ? findTest(instruction, uses) : undefined;
      return found ? rotated(found) : [instruction];
    });
  });
}

function findTest(loop: ir.Loop, uses: ReadonlyMap<ir.Value, number>): TestedLoop | undefined {
  const { instructions } = loop.regions[0]!;
  const at = instructions.findIndex(({ regions }) => regions.length > 0);
  const branch = instructions[at];
  const jump = instructions.at(-1);
  if (branch?.op !== 'if' || branch.results.length > 0 || at > longestTest) return undefined;
  if (jump?.op !== 'continue' || jump.target !== loop) return undefined;
  const exitSide = branch.regions.findIndex((region) => leaves(region, loop));
  if (exitSide < 0 || branch.regions[1 - exitSide]!.instructions.at(-1)?.op !== 'yield') return undefined;
  const test = instructions.slice(0, at);
  if (isPlain(test, uses)) return undefined;
  let jumps = 0;
  let hasItemLoop = false;
  walkRegion(loop.regions[0]!, (one) => {
    if (one.op === 'continue' && one.target === loop) jumps += 1;
    if (one.op === 'work_item_loop') hasItemLoop = true;
  });
  if (jumps !== 1 || hasItemLoop) return undefined;
  const rest = instructions.slice(at + 1, -1);
  return { loop, test, branch, exitSide: exitSide as 0 | 1, rest, jump };
}

/** Whether the region does little more than break out of the loop. */
function leaves({ instructions }: ir.Region, loop: ir.Loop): boolean {
  const last = instructions.at(-1);
  const isBreak = last?.op === 'break' && last.target === loop;
  return isBreak && instructions.length <= 8 && instructions.every(({ regions }) => regions.length === 0);
}

/** Whether it is a test such as the code generator inverts: computations of scalars that only the next one wants. */
function isPlain(test: readonly ir.Instruction[], uses: ReadonlyMap<ir.Value, number>): boolean {
  return test.every(({ op, results: [result] }) => {
    if (op === 'constant') return true;
    const isComputed =
      op === 'binary' || op === 'compare' || op === 'unary' || op === 'convert' || op === 'offset';
    return (
      isComputed && result !== undefined && result.type.kind !== 'vector' && (uses.get(result) ?? 0) <= 1
    );
  });
}

function rotated({ loop, test, branch, exitSide, rest, jump }: TestedLoop): ir.Instruction[] {
  const body = loop.regions[0]!;
  const staying = branch.regions[1 - exitSide]!.instructions.slice(0, -1);
  const computed = new Set(test.flatMap(({ results }) => results));
  const repeated = test.filter(({ op, operands }) => op === 'splat' && !computed.has(operands[0]!));
  const tested = test.flatMap((one) => (repeated.includes(one) ? [] : one.results));

  // The test before the loop, on what the loop starts with.
  const before = new Map<ir.Value, ir.Value>();
  body.parameters.forEach((parameter, index) => {
    before.set(parameter, loop.operands[index]!);
  });
  const first = test.map((one) => cloneInstruction(one, before));
  const choice: ir.If = {
    op: 'if',
    operands: [copied(branch.operands[0]!, before)],
    results: loop.results,
    regions: [],
    span: branch.span,
  };
  const skipped = branch.regions[exitSide]!.instructions.map((one): ir.Instruction => {
    if (one.op !== 'break') return cloneInstruction(one, before);
    return yielding(one.operands.map((value) => copied(value, before)));
  });

  // The test at the end of an iteration, on what the next one starts with.
  const after = new Map<ir.Value, ir.Value>();
  body.parameters.forEach((parameter, index) => {
    after.set(parameter, jump.operands[index]!);
  });
  const again = test.map((one) => cloneInstruction(one, after));
  const exit = branch.regions[exitSide]!.instructions.map((one): ir.Instruction => {
    if (one.op !== 'break') return cloneInstruction(one, after);
    return { ...one, operands: one.operands.map((value) => copied(value, after)) };
  });
  const sides = [
    { parameters: [], instructions: [yielding([])] },
    { parameters: [], instructions: exit },
  ];
  const last: ir.If = {
    ...branch,
    operands: [copied(branch.operands[0]!, after)],
    regions: exitSide === 1 ? sides : sides.reverse(),
  };
  const next: ir.Continue = {
    ...jump,
    operands: [...jump.operands, ...tested.map((value) => copied(value, after))],
  };

  // What the test computes is a parameter of the loop now.
  loop.operands = [...loop.operands, ...tested.map((value) => copied(value, before))];
  loop.results = loop.results.map((result) => newValue(result.type, result.name));
  body.parameters.push(...tested);
  body.instructions = [...repeated, ...staying, ...rest, ...again, last, next];

  const around = [
    { parameters: [], instructions: [loop, yielding([...loop.results])] },
    { parameters: [], instructions: skipped },
  ];
  choice.regions = exitSide === 1 ? around : around.reverse();
  return [...first, choice];
}

function copied(value: ir.Value, copies: ReadonlyMap<ir.Value, ir.Value>): ir.Value {
  return copies.get(value) ?? value;
}

function yielding(operands: ir.Value[]): ir.Yield {
  return { op: 'yield', operands, results: [], regions: [] };
}
