/**
 * What a launch does, counted: some of its work-groups run in the interpreter, in the form that the front end gives the kernel,
 * before any pass; what they do is scaled to all work-items. Counted are
 *
 * - floating-point operations: sums, products, quotients, minima and maxima, square roots, roundings; two of a fused
 *   multiplication and addition; one a lane. Not comparisons, conversions, changes of sign. A built-in function is what it is
 *   made of.
 * - integer operations: the same, bit operations and shifts too; computing indices is among them.
 * - bytes loaded and stored in buffers, images and shared memory, each time that they are asked for: no cache is modelled.
 *   Private and local memory are not counted, and neither are tables that lie in the program. An atomic operation is a load
 *   and a store.
 */

import { type CompileOptions, compileOn, type Program } from '../../api/javascript/compile.ts';
import { runGroup } from '../../ir/interpreter/execute.ts';
import { type Allocation, Fault } from '../../ir/interpreter/memory.ts';
import type { MemoryObserver } from '../../ir/interpreter/observer.ts';
import { Interpreter, InterpreterError } from '../../ir/interpreter.ts';
import type * as ir from '../../ir/ir.ts';
import { lanesOf } from '../../ir/types.ts';
import type { LaunchCounts } from '../../model/roofline.ts';
import { CapturingDevice } from '../debug/capturing-device.ts';
import type { DebugLaunch } from '../debug/launch.ts';
import { spread } from './spread.ts';

/** Steps of the interpreter after which no other group begins: about half a second. */
const enoughSteps = 8_000_000;
/** Steps that one group may take. */
const mostSteps = 400_000_000;

/** The counts of a launch, and of how many of its work-items they were taken. */
export interface CountedLaunch extends LaunchCounts {
  readonly workItems: number;
  readonly sampledItems: number;
}

/** A program whose first launch is counted, not run. */
export interface CountingProgram {
  readonly program: Program;
  /**
   * @throws CountError if there was no launch yet, if it does something wrong, or takes too long to be counted
   */
  count(): CountedLaunch;
}

/** Why a launch could not be counted. */
export class CountError extends Error {
  override readonly name = 'CountError';
}

/** Compiles as {@link compile} does; a launch returns at once and leaves its arguments as they are. */
export async function compileForCounting(
  source: string | Uint8Array,
  options: Omit<CompileOptions, 'device'> = {},
): Promise<CountingProgram> {
  const device = new CapturingDevice({ runs: false, keepsDebugInfo: false });
  const program = await compileOn(device, source, options);
  return {
    program,
    count: () => {
      if (!device.captured) throw new CountError('there was no launch');
      return countLaunch(device.captured);
    },
  };
}

/** Counts a launch that was captured; the copies of its buffers change. */
function countLaunch(launch: DebugLaunch): CountedLaunch {
  const tally = { float: 0, integer: 0, loaded: 0, stored: 0 };
  const tables = new Set<number>();
  const isCounted = ({ space, start }: Allocation): boolean =>
    space === 'global' || (space === 'constant' && !tables.has(start));
  const observer: MemoryObserver = {
    read: (allocation, _offset, size) => {
      if (isCounted(allocation)) tally.loaded += size;
    },
    write: (allocation, _offset, bytes) => {
      if (isCounted(allocation)) tally.stored += bytes.length;
    },
    atomic: (allocation, _offset, size) => {
      if (!isCounted(allocation)) return;
      tally.loaded += size;
      tally.stored += size;
    },
  };
  const interpreter = new Interpreter(launch.module, {
    observer: () => observer,
    counter: (instruction) => {
      const float = floatOperations(instruction);
      if (float > 0) {
        return () => {
          tally.float += float;
        };
      }
      const integer = integerOperations(instruction);
      if (integer === 0) return undefined;
      return () => {
        tally.integer += integer;
      };
    },
  });
  try {
    const open = interpreter.open(launch.kernel, launch.range, launch.args, () => true, launch.shared);
    for (const global of launch.module.globals) {
      const address = open.addressOf(global);
      if (address !== undefined) tables.add(address);
    }
    const budget = { steps: mostSteps, slice: Number.POSITIVE_INFINITY };
    let items = 0;
    for (const serial of spread(open.groupCount)) {
      const { group } = open.beginGroup(serial);
      // Never pauses: its slice has no end.
      runGroup(group, open.code, open.parameters, budget).next();
      open.endGroup();
      items += group.itemCount;
      if (mostSteps - budget.steps > enoughSteps) break;
    }
    const workItems = open.launch.globalSize.reduce((product, size) => product * size, 1);
    const scale = (count: number): number => (count * workItems) / items;
    return {
      floatOperations: scale(tally.float),
      integerOperations: scale(tally.integer),
      bytesLoaded: scale(tally.loaded),
      bytesStored: scale(tally.stored),
      bufferBytes: bytesOfBuffers(launch),
      workItems,
      sampledItems: items,
    };
  } catch (error) {
    if (error instanceof InterpreterError || error instanceof Fault)
      throw new CountError(`the launch cannot be counted: ${error.message}`);
    throw error;
  }
}

function bytesOfBuffers({ args, shared }: DebugLaunch): number {
  // Parts of one buffer, or one buffer given twice, are views of the same copy: each byte counts once.
  const ends = new Map<ArrayBufferLike, { first: number; end: number }>();
  const buffers = args.flatMap((argument) =>
    argument.kind === 'image' ? [argument.pixels] : argument.kind === 'buffer' ? [argument] : [],
  );
  for (const one of [...buffers, ...(shared ?? [])]) {
    const { buffer, byteOffset, length } = one.bytes();
    const { first, end } = ends.get(buffer) ?? { first: byteOffset, end: byteOffset };
    ends.set(buffer, {
      first: Math.min(first, byteOffset),
      end: Math.max(end, byteOffset + length),
    });
  }
  return [...ends.values()].reduce((sum, { first, end }) => sum + end - first, 0);
}

const binaryFloats: ReadonlySet<ir.BinaryFunction> = new Set([
  'fadd',
  'fsub',
  'fmul',
  'fdiv',
  'fmin',
  'fmax',
] as const);

function floatOperations(instruction: ir.Instruction): number {
  const lanes = (): number => lanesOf(instruction.results[0]!.type);
  switch (instruction.op) {
    case 'fma':
      return 2 * lanes();
    case 'binary':
      return binaryFloats.has(instruction.fn) ? lanes() : 0;
    case 'unary':
      return /^f(?!neg|abs)/.test(instruction.fn) ? lanes() : 0;
    default:
      return 0;
  }
}

function integerOperations(instruction: ir.Instruction): number {
  if (instruction.op !== 'binary' && instruction.op !== 'unary') return 0;
  const { type } = instruction.results[0]!;
  const element = type.kind === 'vector' ? type.element : type;
  return element.kind === 'int' ? lanesOf(type) : 0;
}
