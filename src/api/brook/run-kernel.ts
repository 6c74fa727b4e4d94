/** Calls of kernels: what their arguments must be like (2.5, A.4 and A.8 of the guide), and their launch over a domain. */
import type { CheckedKernel, Formal } from '../../brook/check/tree.ts';
import { ownSubscripts } from '../../brook/emit/inside.ts';
import { emitMap, entryName } from '../../brook/emit/map.ts';
import { layoutOf, sameElements, typeName } from '../../brook/types.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { CLBuffer } from '../opencl/buffer.ts';
import { CL } from '../opencl/constants.ts';
import type { ArgumentValue } from '../opencl/kernel-arguments.ts';
import { messages } from './errors.ts';
import { runReduction } from './run-reduction.ts';
import type { BrookSession } from './session.ts';
import type { Sizes } from './shape.ts';
import { Stream } from './stream.ts';
import { valueArgument } from './values.ts';

/** A stream, or the bytes of a value as host memory has it; for the result of a reduction those that it goes to. */
export type KernelArgument = Stream | Uint8Array;

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
  if (!checkStreams(session, kernel, args, permitsAliasing)) return;
  const outputs = streamsOf(kernel, args, isOutput);
  const tell = tellerOf(kernel, args);
  try {
    if (kernel.form === 'reduce') runReduction(session, kernel, args);
    else if (!launch(session, kernel, args, domain)) return;
  } catch (error) {
    if (!(error instanceof OpenCLError)) throw error;
    const isBuild = error.name === 'CL_BUILD_PROGRAM_FAILURE';
    const text = `${isBuild ? messages.program : messages.launch}\n${error.message}`;
    tell(text);
    return;
  }
  for (const output of outputs) output.markWritten();
}

const isOutput = ({ role }: Formal): boolean => role === 'out' || role === 'scatter' || role === 'reduce';

function streamsOf(
  { formals }: CheckedKernel,
  args: readonly KernelArgument[],
  wanted: (formal: Formal) => boolean,
): Stream[] {
  return args.filter((arg, index) => arg instanceof Stream && wanted(formals[index]!)) as Stream[];
}

/** Who is told that a call failed: its outputs; of a reduction to a variable, which cannot keep an error, the input. */
function tellerOf(kernel: CheckedKernel, args: readonly KernelArgument[]): (text: string) => void {
  const outputs = streamsOf(kernel, args, isOutput);
  const told = outputs.length > 0 ? outputs : streamsOf(kernel, args, () => true);
  return (text) => {
    for (const stream of told) stream.fail('BR_ERROR_KERNEL', text);
  };
}

/** Whether a kernel can run on its streams; tells the outputs if not. */
function checkStreams(
  session: BrookSession,
  kernel: CheckedKernel,
  args: readonly KernelArgument[],
  permitsAliasing: boolean,
): boolean {
  const outputs = streamsOf(kernel, args, isOutput);
  const inputs = streamsOf(kernel, args, (formal) => !isOutput(formal));
  const tell = tellerOf(kernel, args);
  const refuse = (text: string): false => {
    tell(text);
    return false;
  };
  if (outputs.some((output) => !output.buffer)) return refuse(messages.badOutputs);
  if (inputs.some((input) => input.isFaulty || !input.buffer)) return refuse(messages.badInputs);
  if (outputs.some((output) => output.session !== session)) return refuse(messages.otherDeviceOutput);
  if (inputs.some((input) => input.session !== session)) return refuse(messages.otherDeviceInput);
  const mistyped = typeMismatch(kernel, args);
  if (mistyped !== undefined) return refuse(mistyped);
  const isSame = (input: Stream): boolean =>
    outputs.some((output) => output.buffer === input.buffer && output.shape.overlaps(input.shape));
  if (!permitsAliasing && inputs.some(isSame)) return refuse(messages.aliased);
  if (inputs.some((input) => !input.hasContent)) {
    for (const output of outputs) output.warn(messages.uninitialized);
  }
  return true;
}

/** What is wrong with the elements of a stream: kernels would find other ones in its memory, and not where it ends. */
function typeMismatch({ formals }: CheckedKernel, args: readonly KernelArgument[]): string | undefined {
  for (const [index, formal] of formals.entries()) {
    const arg = args[index];
    if (!(arg instanceof Stream) || sameElements(arg.type, formal.type)) continue;
    const text = isOutput(formal) ? messages.invalidOutput : messages.invalidInput;
    return `${text} '${formal.name}' is of ${typeName(formal.type)}, the stream of ${typeName(arg.type)}.`;
  }
  return undefined;
}

/** Whether there is a launch; the outputs are told why not. */
function launch(
  session: BrookSession,
  kernel: CheckedKernel,
  args: readonly KernelArgument[],
  domain: Domain,
): boolean {
  const [first, ...others] = streamsOf(kernel, args, isOutput);
  if (!first) return false;
  for (const output of others) {
    if (output.shape.rank !== first.shape.rank) output.warn(messages.outputRank);
    else if (!output.shape.sameSizes(first.shape)) output.warn(messages.outputSize);
  }
  const size = domainSize(first, domain);
  const end = domainEnd(size, domain);
  const isBeyond = ({ shape }: Stream): boolean =>
    end?.some((last, axis) => last > shape.sizes[axis]!) === true;
  if (!end || streamsOf(kernel, args, ({ role }) => role === 'out').some(isBeyond)) {
    tellerOf(kernel, args)(end ? messages.execSize : messages.execPositive);
    return false;
  }
  // What a kernel scatters has nothing to do with where it stands.
  const whole = kernel.form === 'scatter' && domain.size ? end : first.shape.sizes;
  const isResized = checkInputs(kernel, args, first, whole);
  const isInside = fitsInside(kernel, args, size, domain);
  const rank = rankOf(first.shape.sizes, size);
  const { groupSize } = kernel;
  const isLinear = groupSize !== undefined && size[0] % groupSize !== 0;
  const variant = { rank, isResized, isLinear, isInside };
  const key = `${rank}${isResized ? 'r' : ''}${isLinear ? 'l' : ''}${isInside ? 'i' : ''}`;
  const entry = session.entry(kernel, key, () => emitMap(kernel, variant), entryName(kernel));
  const temporary: CLBuffer[] = [];
  const values = [...boundArguments(session, kernel, args, temporary), Uint32Array.from(size)];
  values.push(Uint32Array.from(domain.offset ?? [0, 0, 0, 0]), Uint32Array.from(whole));
  for (const [index, value] of values.entries()) entry.setArg(index, value);
  const [x, y, z, w] = size;
  const threads = isLinear ? [Math.ceil((x * y * z * w) / groupSize) * groupSize] : [x, y, z * w];
  while (threads.length > 1 && threads[threads.length - 1] === 1) threads.pop();
  const local = groupSize === undefined ? null : threads.map((_, axis) => (axis === 0 ? groupSize : 1));
  session.queue.enqueueNDRangeKernel(entry, threads.length, null, threads, local);
  for (const buffer of temporary) buffer.release();
  return true;
}

/** Dimensions in which there is more than one element. */
function rankOf(...all: readonly Sizes[]): number {
  return Math.max(...all.map((sizes) => sizes.findLastIndex((size) => size > 1) + 1), 1);
}

/** Whether all arrays that the kernel reads at its own position have an element there for every thread. */
function fitsInside(
  kernel: CheckedKernel,
  args: readonly KernelArgument[],
  size: Sizes,
  { offset }: Domain,
): boolean {
  return ownSubscripts(kernel).all.every(({ array, dimension, axis }) => {
    const arg = args[kernel.formals.indexOf(array)];
    if (!(arg instanceof Stream)) return false;
    return (offset?.[axis] ?? 0) + size[axis]! <= arg.shape.sizes[dimension]!;
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
function domainEnd(size: Sizes, { offset = [0, 0, 0, 0] }: Domain): Sizes | undefined {
  if (!size.every((one) => Number.isInteger(one) && one > 0)) return undefined;
  if (!offset.every((one) => Number.isInteger(one) && one >= 0)) return undefined;
  return [size[0] + offset[0], size[1] + offset[1], size[2] + offset[2], size[3] + offset[3]];
}

/** Whether an input stream has other sizes than `whole` and is to be resized; the first output says so. */
function checkInputs(
  kernel: CheckedKernel,
  args: readonly KernelArgument[],
  first: Stream,
  whole: Sizes,
): boolean {
  let isResized = false;
  for (const input of streamsOf(kernel, args, ({ role }) => role === 'stream')) {
    if (input.shape.sizes.every((size, axis) => size === whole[axis])) continue;
    isResized = true;
    first.warn(input.shape.rank === first.shape.rank ? messages.inputSize : messages.inputRank);
  }
  return isResized;
}

/** The values of a kernel's parameters in the order that emitMap gives them; buffers for the call alone go to `temporary`. */
function boundArguments(
  session: BrookSession,
  { formals }: CheckedKernel,
  args: readonly KernelArgument[],
  temporary: CLBuffer[],
): ArgumentValue[] {
  return args.flatMap((arg, index): ArgumentValue[] => {
    if (arg instanceof Stream) return [arg.buffer!, arg.shape.argument];
    const { type } = formals[index]!;
    if (type.kind === 'value') return [valueArgument(type, arg)];
    // Structures go through memory, since host and device lay them out differently.
    const flags = CL.MEM_READ_ONLY | CL.MEM_COPY_HOST_PTR;
    const buffer = session.context.createBuffer(flags, arg.subarray(0, layoutOf(type).size));
    temporary.push(buffer);
    return [buffer];
  });
}
