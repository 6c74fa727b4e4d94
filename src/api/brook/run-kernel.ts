/** Calls of kernels: their launch over a domain (2.5 and A.4 of the guide). */
import type { CheckedKernel, Formal } from '../../brook/check/tree.ts';
import { insideSubscripts, type Limit } from '../../brook/emit/inside.ts';
import { emitMap, entryName } from '../../brook/emit/map.ts';
import { layoutOf } from '../../brook/types.ts';
import { keepsDebugInfo } from '../../opencl/debug-info.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { CLBuffer } from '../opencl/buffer.ts';
import { CL } from '../opencl/constants.ts';
import { checkCall } from './check-call.ts';
import type { EntryArgument } from './entry.ts';
import { messages } from './errors.ts';
import { type KernelArgument, KernelCall } from './kernel-call.ts';
import { withCopies } from './overlaps.ts';
import { runReduction } from './run-reduction.ts';
import type { BrookSession } from './session.ts';
import type { Sizes } from './shape.ts';
import { Stream } from './stream.ts';
import { valueArgument } from './values.ts';

/** Where a kernel runs instead of over all of its first output (`domainOffset` and `domainSize`). */
export interface Domain {
  readonly offset?: Sizes | undefined;
  readonly size?: Sizes | undefined;
}

/**
 * Calls a kernel. What is wrong is kept by the outputs, or by the input of a reduction to a variable, and a call whose inputs or
 * outputs are wrong does nothing else.
 * Reductions to variables wait for the result; other calls return at once.
 */
export function runKernel(
  session: BrookSession,
  kernel: CheckedKernel,
  args: readonly KernelArgument[],
  domain: Domain = {},
  permitsAliasing = false,
): void {
  const asked = new KernelCall(session, kernel, args);
  if (!checkCall(asked, permitsAliasing)) return;
  const { call, copies } = permitsAliasing ? { call: asked, copies: [] } : withCopies(asked);
  try {
    const isDone = kernel.form === 'reduce' ? runReduction(call) : launch(call, domain);
    if (!isDone) return;
  } catch (error) {
    if (!(error instanceof OpenCLError)) throw error;
    const isBuild = error.name === 'CL_BUILD_PROGRAM_FAILURE';
    call.fail(`${isBuild ? messages.program : messages.launch}\n${error.message}`);
    return;
  } finally {
    call.end();
    for (const copy of copies) copy.release();
  }
  for (const output of call.outputs) output.markWritten();
}

const nowhere: Sizes = [0, 0, 0, 0];

/** Whether there is a launch; the outputs are told why not. */
function launch(call: KernelCall, domain: Domain): boolean {
  const { session, kernel, outputs } = call;
  const [first] = outputs;
  if (!first) return false;
  for (const output of outputs) {
    if (output.shape.rank !== first.shape.rank) output.warn(messages.outputRank);
    else if (!output.shape.sameSizes(first.shape)) output.warn(messages.outputSize);
  }
  const size = domainSize(first, domain);
  const end = domainEnd(size, domain);
  // What a kernel scatters has nothing to do with where it stands.
  const scatters = kernel.form === 'scatter';
  const isBeyond = ({ shape }: Stream): boolean =>
    end?.some((last, axis) => last > shape.sizes[axis]!) === true;
  if (!end || (!scatters && outputs.some(isBeyond))) {
    call.fail(end ? messages.execSize : messages.execPositive);
    return false;
  }
  const whole = scatters && domain.size ? end : first.shape.sizes;
  if (!scatters && call.elements.some(({ shape }) => shape.rank !== first.shape.rank)) {
    call.fail(messages.inputRank, 'BR_ERROR_INVALID_PARAMATER');
    return false;
  }
  const isResized = call.elements.some(({ shape }) => shape.sizes.some((own, axis) => own !== whole[axis]));
  if (isResized) call.warn(messages.inputSize);
  const offset = domain.offset ?? nowhere;
  const isInside = fitsInside(call, size, offset);
  // An array that is scattered to may have fewer dimensions than the place of the domain.
  const rank = rankOf(first.shape.sizes, end);
  const { groupSize } = kernel;
  const isLinear = groupSize !== undefined && size[0] % groupSize !== 0;
  const isAtOrigin = offset.every((one) => one === 0);
  // Debuggers show the .br file.
  const hasLines = keepsDebugInfo();
  const variant = { rank, isResized, isLinear, isAtOrigin, isInside, hasLines };
  const flags = [isResized && 'r', isLinear && 'l', isAtOrigin && 'o', isInside && 'i'];
  const key = [rank, ...flags.filter((flag) => flag !== false)].join('');
  const entry = session.entry(kernel, key, () => emitMap(kernel, variant), entryName(kernel));
  const temporary: CLBuffer[] = [];
  const values = bound(call, temporary);
  if (!values) return false;
  values.push(Uint32Array.from(size), Uint32Array.from(offset), Uint32Array.from(whole));
  const [x, y, z, w] = size;
  const threads = isLinear ? [Math.ceil((x * y * z * w) / groupSize) * groupSize] : [x, y, z * w];
  while (threads.length > 1 && threads[threads.length - 1] === 1) threads.pop();
  const local = groupSize === undefined ? null : threads.map((_, axis) => (axis === 0 ? groupSize : 1));
  entry.launch(session.queue, values, threads, local, call.newEvent());
  for (const buffer of temporary) buffer.release();
  return true;
}

/** Dimensions in which there is more than one element. */
function rankOf(...all: readonly Sizes[]): number {
  return Math.max(...all.map((sizes) => sizes.findLastIndex((size) => size > 1) + 1), 1);
}

/** Whether all arrays have the elements that inside.ts wants to know of. */
function fitsInside({ kernel, args }: KernelCall, size: Sizes, offset: Sizes): boolean {
  const end = (limit: Limit): number => {
    if (limit.kind === 'axis') return offset[limit.axis]! + size[limit.axis]!;
    if (limit.kind === 'number') return limit.number;
    const { type } = limit.formal;
    const bytes = args[kernel.formals.indexOf(limit.formal)];
    if (type.kind !== 'value' || !(bytes instanceof Uint8Array)) return Number.POSITIVE_INFINITY;
    return valueArgument(type, bytes)[0]!;
  };
  return insideSubscripts(kernel).all.every(({ array, dimension, limit }) => {
    const arg = args[kernel.formals.indexOf(array)];
    return arg instanceof Stream && end(limit) <= arg.shape.sizes[dimension]!;
  });
}

/** The part of the output that is computed. */
function domainSize(first: Stream, { offset, size }: Domain): Sizes {
  if (size) return size;
  const [x, y, z, w] = first.shape.sizes;
  const { threads } = first;
  first.threads = undefined;
  if (threads !== undefined) return [threads, 1, 1, 1];
  if (!offset) return [x, y, z, w];
  return [x - offset[0], y - offset[1], z - offset[2], w - offset[3]];
}

/** Where the part ends, after its last element; undefined if it has none or begins before the first. */
function domainEnd(size: Sizes, { offset = nowhere }: Domain): Sizes | undefined {
  if (!size.every((one) => Number.isInteger(one) && one > 0)) return undefined;
  if (!offset.every((one) => Number.isInteger(one) && one >= 0)) return undefined;
  return [size[0] + offset[0], size[1] + offset[1], size[2] + offset[2], size[3] + offset[3]];
}

/**
 * The values of a kernel's parameters in the order that emitMap gives them; buffers for the call alone go to `temporary`.
 * Undefined if there is no memory for one, of which the outputs are told.
 */
function bound(call: KernelCall, temporary: CLBuffer[]): EntryArgument[] | undefined {
  const values: EntryArgument[] = [];
  for (const [index, arg] of call.args.entries()) {
    if (arg instanceof Stream) values.push(arg.buffer!, arg.shape.argument);
    else if (arg !== null) {
      const value = boundValue(call, call.kernel.formals[index]!, arg, temporary);
      if (!value) return undefined;
      values.push(value);
    }
  }
  return values;
}

function boundValue(
  call: KernelCall,
  { type }: Formal,
  bytes: Uint8Array,
  temporary: CLBuffer[],
): EntryArgument | undefined {
  if (type.kind === 'value') return valueArgument(type, bytes);
  // Structures go through memory, since host and device lay them out differently.
  const flags = CL.MEM_READ_ONLY | CL.MEM_COPY_HOST_PTR;
  try {
    const buffer = call.session.context.createBuffer(flags, bytes.subarray(0, layoutOf(type).size));
    temporary.push(buffer);
    return buffer;
  } catch (error) {
    if (!(error instanceof OpenCLError)) throw error;
    for (const buffer of temporary) buffer.release();
    call.fail(messages.constants);
    return undefined;
  }
}
