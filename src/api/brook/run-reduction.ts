/** Runs reductions (A.4.4 of the guide): to a variable in a few passes over less and less, to a stream block by block. */
import type { CheckedKernel } from '../../brook/check/tree.ts';
import { emitReduce, reduceEntries } from '../../brook/emit/reduce.ts';
import { layoutOf } from '../../brook/types.ts';
import type { CLBuffer } from '../opencl/buffer.ts';
import { CL } from '../opencl/constants.ts';
import type { CLKernel } from '../opencl/kernel.ts';
import { messages } from './errors.ts';
import type { KernelArgument } from './run-kernel.ts';
import type { BrookSession } from './session.ts';
import { Stream } from './stream.ts';

/** Work-items of the first pass and of those behind it, unless there are too few elements for them. */
const widestPass = 4096;
const narrowPass = 64;
/** A work-item is worth its start from so many elements on. */
const leastShare = 16;

/** One input stream and one result, whose bytes are set when this returns. */
export function runReduction(
  session: BrookSession,
  kernel: CheckedKernel,
  args: readonly KernelArgument[],
): void {
  const place = kernel.formals.findIndex(({ role }) => role === 'reduce');
  const input = args[1 - place]!;
  const result = args[place]!;
  if (!(input instanceof Stream)) return;
  if (!(result instanceof Stream)) {
    const bytes = layoutOf(kernel.formals[place]!.type).size;
    const target = session.context.createBuffer(CL.MEM_READ_WRITE, bytes);
    foldAll(session, kernel, input, target);
    session.queue.enqueueReadBuffer(target, true, 0, bytes, result.subarray(0, bytes));
    target.release();
    return;
  }
  if (result.shape.rank > input.shape.rank) {
    result.fail('BR_ERROR_INVALID_PARAMATER', messages.reduceRank);
    return;
  }
  if (result.shape.count === 1 && result.shape.start === 0) foldAll(session, kernel, input, result.buffer!);
  else foldBlocks(session, kernel, input, result);
}

type Pass = keyof typeof reduceEntries;

function passOf(session: BrookSession, kernel: CheckedKernel, pass: Pass): CLKernel {
  return session.entry(kernel, '', () => emitReduce(kernel), reduceEntries[pass]);
}

/** Folds all of a stream to the first element of `target`. */
function foldAll(session: BrookSession, kernel: CheckedKernel, input: Stream, target: CLBuffer): void {
  const whole = contiguous(session, input);
  let from = whole.buffer!;
  let count = input.shape.count;
  let entry: Pass = 'fold';
  const temporary: CLBuffer[] = [];
  for (;;) {
    const items = workItems(count, entry === 'fold');
    const to =
      items === 1
        ? target
        : session.context.createBuffer(CL.MEM_READ_WRITE, items * layoutOf(input.type).size);
    const pass = passOf(session, kernel, entry);
    pass.setArg(0, from);
    pass.setArg(1, Uint32Array.of(count));
    pass.setArg(2, to);
    session.queue.enqueueNDRangeKernel(pass, 1, null, [items], null);
    if (items === 1) break;
    temporary.push(to);
    from = to;
    count = items;
    entry = 'combine';
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
function contiguous(session: BrookSession, stream: Stream): Stream {
  if (stream.shape.isContiguous && stream.shape.start === 0) return stream;
  const { shape, type } = stream;
  const copy = new Stream(session, type, shape.sizes.slice(0, shape.rank));
  copy.assign(stream);
  return copy;
}

/**
 * Folds a block of the input to each element of the output. Of an output with fewer dimensions its slowest are the input's
 * slowest: s<100, 200> to t<100> folds rows.
 */
function foldBlocks(session: BrookSession, kernel: CheckedKernel, input: Stream, result: Stream): void {
  const target = result.shape.slower(input.shape.rank);
  const block = input.shape.sizes.map((size, axis) => Math.floor(size / target.sizes[axis]!));
  if (input.shape.sizes.some((size, axis) => size % target.sizes[axis]! !== 0))
    result.warn(messages.reduceSize);
  if (block.some((size) => size < 1)) {
    result.fail('BR_ERROR_INVALID_PARAMATER', messages.reduceSize);
    return;
  }
  const pass = passOf(session, kernel, 'partial');
  const args = [
    input.buffer!,
    input.shape.argument,
    result.buffer!,
    target.argument,
    Uint32Array.from(block),
  ];
  for (const [index, value] of args.entries()) pass.setArg(index, value);
  const [x, y, z, w] = target.sizes;
  session.queue.enqueueNDRangeKernel(pass, 3, null, [x, y, z * w], null);
}
