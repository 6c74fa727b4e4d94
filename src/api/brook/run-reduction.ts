/** Runs reductions (A.4.4 of the guide): to a variable in a few passes over less and less, to a stream block by block. */
import { emitReduce, reduceEntries, reduceGroup } from '../../brook/emit/reduce.ts';
import { layoutOf } from '../../brook/types.ts';
import { keepsDebugInfo } from '../../opencl/debug-info.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { CLBuffer } from '../opencl/buffer.ts';
import { CL } from '../opencl/constants.ts';
import type { EntryArgument } from './entry.ts';
import { messages } from './errors.ts';
import type { KernelCall } from './kernel-call.ts';
import { Shape, type Sizes } from './shape.ts';
import { Stream } from './stream.ts';

/** Work-items of the first pass and of those behind it, unless there are too few elements for them. */
const widestPass = 4096;
const narrowPass = 64;
/** A work-item is worth its start from so many elements on. */
const leastShare = 16;

/** Blocks of so many elements, or columns of so many rows, are worth being folded in parts. */
const largeBlock = 4096;
const longColumn = 64;
/** Rows of a block from this length on are folded by a work-group. */
const longRow = 512;

/**
 * One input stream and one result. The bytes of a variable are set when this returns. Whether it was done: streams are told why
 * not.
 * @throws OpenCLError if the device cannot build the kernel
 */
export function runReduction(call: KernelCall): boolean {
  const { session, kernel, args, inputs } = call;
  const place = kernel.formals.findIndex(({ role }) => role === 'reduce');
  const [input] = inputs;
  const result = args[place];
  if (!input || !result) return false;
  try {
    if (!(result instanceof Stream)) {
      const bytes = layoutOf(kernel.formals[place]!.type).size;
      const target = session.context.createBuffer(CL.MEM_READ_WRITE, bytes);
      foldAll(call, input, target);
      session.queue.enqueueReadBuffer(
        target,
        false,
        0,
        bytes,
        result.subarray(0, bytes),
        null,
        call.newEvent(),
      );
      session.queue.waitForEnd();
      target.release();
      return true;
    }
    if (result.shape.rank > input.shape.rank) {
      result.fail('BR_ERROR_INVALID_PARAMATER', messages.reduceRank);
      return false;
    }
    if (result.shape.count > 1 || result.shape.start > 0) return foldBlocks(call, input, result);
    foldAll(call, input, result.buffer!);
    return true;
  } catch (error) {
    if (!(error instanceof OpenCLError) || error.name === 'CL_BUILD_PROGRAM_FAILURE') throw error;
    const isMemory =
      error.name === 'CL_MEM_OBJECT_ALLOCATION_FAILURE' || error.name === 'CL_OUT_OF_RESOURCES';
    call.fail(isMemory ? messages.reduceTemporary : `${messages.reducePass}\n${error.message}`);
    return false;
  }
}

type Pass = keyof typeof reduceEntries;

function runPass(
  call: KernelCall,
  pass: Pass,
  args: readonly EntryArgument[],
  global: readonly number[],
  local: readonly number[] | null = null,
): void {
  const { session, kernel } = call;
  const entry = session.entry(kernel, '', () => emitReduce(kernel, keepsDebugInfo()), reduceEntries[pass]);
  entry.launch(session.queue, args, global, local, call.newEvent());
}

/** Folds all of a stream to the first element of `target`. */
function foldAll(call: KernelCall, input: Stream, target: CLBuffer): void {
  const { context } = call.session;
  const whole = contiguous(input);
  const bytes = layoutOf(input.type).size;
  let from = whole.buffer!;
  let count = input.shape.count;
  let pass: Pass = 'fold';
  const temporary: CLBuffer[] = [];
  for (;;) {
    const items = workItems(count, pass === 'fold');
    const to = items === 1 ? target : context.createBuffer(CL.MEM_READ_WRITE, items * bytes);
    runPass(call, pass, [from, Uint32Array.of(count), to], [items]);
    if (items === 1) break;
    temporary.push(to);
    from = to;
    count = items;
    pass = 'combine';
  }
  for (const buffer of temporary) buffer.release();
  if (whole !== input) whole.release();
}

function workItems(count: number, isFirst: boolean): number {
  if (count <= narrowPass) return 1;
  const most = isFirst ? widestPass : narrowPass;
  const wanted = Math.floor(count / leastShare);
  return wanted >= most ? most : narrowPass;
}

/** The elements of a stream from the start of a buffer: its own, or a copy. */
function contiguous(stream: Stream): Stream {
  const { session, shape, type } = stream;
  if (shape.isContiguous && shape.start === 0) return stream;
  const copy = new Stream(session, type, shape.sizes.slice(0, shape.rank));
  copy.assign(stream);
  return copy;
}

/**
 * Folds a block of the input to each element of the output. Of an output with fewer dimensions its slowest are the input's
 * slowest: s<100, 200> to t<100> folds rows.
 */
function foldBlocks(call: KernelCall, input: Stream, result: Stream): boolean {
  const target = result.shape.slower(input.shape.rank);
  const block = input.shape.sizes.map((size, axis) => Math.floor(size / target.sizes[axis]!));
  if (input.shape.sizes.some((size, axis) => size % target.sizes[axis]! !== 0))
    result.warn(messages.reduceSize);
  const [x = 0, y = 0, z = 0, w = 0] = block;
  if (block.some((size) => size < 1)) {
    result.fail('BR_ERROR_INVALID_PARAMATER', messages.reduceSize);
    return false;
  }
  foldParts(call, input, result.buffer!, target, [x, y, z, w]);
  return true;
}

/**
 * Large blocks are folded in parts first, so that there is work for many, then these: blocks are cut along their slowest
 * dimension, which keeps the order of elements.
 */
function foldParts(call: KernelCall, input: Stream, to: CLBuffer, target: Shape, block: Sizes): void {
  const { session } = call;
  const axis = block.findLastIndex((size) => size > 1);
  const parts = axis < 0 ? 1 : partsOf(block, axis, target.count);
  if (parts === 1) {
    foldEach(call, 'partial', [input.buffer!, input.shape.argument], to, target, block);
    return;
  }
  const scaled = (sizes: Sizes, by: number): Sizes =>
    sizes.map((size, at) => (at === axis ? size * by : size)) as unknown as Sizes;
  const between = Shape.whole(scaled(target.sizes, parts));
  const buffer = session.context.createBuffer(CL.MEM_READ_WRITE, between.count * input.elementBytes);
  const part = scaled(block, 1 / parts);
  foldEach(call, 'partial', [input.buffer!, input.shape.argument], buffer, between, part);
  const joined = [0, 1, 2, 3].map((at) => (at === axis ? parts : 1)) as unknown as Sizes;
  foldEach(call, 'join', [buffer, between.argument], to, target, joined);
  buffer.release();
}

/** How many parts a block is cut into: a divisor of its size along the axis. */
function partsOf(block: Sizes, axis: number, targets: number): number {
  const size = block[axis]!;
  const elements = block.reduce((product, one) => product * one, 1);
  const forAll = elements >= largeBlock ? Math.floor(widestPass / targets) : 1;
  const isColumn = axis > 0 && block[0] < narrowPass / 4;
  const wanted = Math.max(isColumn ? Math.floor(size / longColumn) : 1, forAll);
  let parts = Math.max(Math.min(wanted, size), 1);
  while (size % parts !== 0) parts -= 1;
  return parts;
}

/** One launch: a work-item, or a group of them, for each element of the target. */
function foldEach(
  call: KernelCall,
  pass: 'partial' | 'join',
  from: readonly [CLBuffer, Uint32Array<ArrayBuffer>],
  to: CLBuffer,
  target: Shape,
  block: Sizes,
): void {
  const [x, y, z, w] = target.sizes;
  const args = [...from, to, target.argument, Uint32Array.from(block)];
  const { reduceOperator, formals } = call.kernel;
  const isKnown = reduceOperator !== undefined && formals[0]!.type.kind === 'value';
  if (pass === 'partial' && isKnown && block[0] >= longRow)
    runPass(call, 'group', args, [x * reduceGroup, y, z * w], [reduceGroup, 1, 1]);
  else runPass(call, pass, args, [x, y, z * w]);
}
