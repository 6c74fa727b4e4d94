/**
 * Calls that read and write parts of one stream which overlap. In the real runtime parts had memory of their own, so that a kernel
 * read what was there before it; here they are views, and such inputs are copied first.
 */
import { isOutput, KernelCall } from './kernel-call.ts';
import { Stream } from './stream.ts';

/** Whether two streams have elements in common. */
function overlap(left: Stream, right: Stream): boolean {
  return left.buffer === right.buffer && left.shape.overlaps(right.shape);
}

/** Whether two streams are the same elements. */
export function isSame(left: Stream, right: Stream): boolean {
  return overlap(left, right) && left.shape.start === right.shape.start && left.shape.sameSizes(right.shape);
}

/** The call with copies in place of inputs that overlap an output; `copies` are to be released behind it. */
export function withCopies(call: KernelCall): {
  readonly call: KernelCall;
  readonly copies: readonly Stream[];
} {
  const copies = new Map<Stream, Stream>();
  for (const input of call.inputs) {
    const isWritten = input.hasContent && call.outputs.some((output) => overlap(output, input));
    if (!isWritten || copies.has(input)) continue;
    const { session, type, shape } = input;
    const copy = new Stream(session, type, shape.sizes.slice(0, shape.rank));
    copy.assign(input);
    copies.set(input, copy);
  }
  if (copies.size === 0) return { call, copies: [] };
  const args = call.args.map((arg, index) => {
    const isInput =
      arg instanceof Stream && call.inputs.includes(arg) && !isOutput(call.kernel.formals[index]!.role);
    return isInput ? (copies.get(arg) ?? arg) : arg;
  });
  return { call: new KernelCall(call.session, call.kernel, args), copies: [...copies.values()] };
}
