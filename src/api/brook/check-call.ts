/** Whether a kernel can run on the streams that it was called with (2.5, A.4 and A.8 of the guide). */
import { sameElements, typeName } from '../../brook/types.ts';
import { messages } from './errors.ts';
import { isOutput, type KernelCall } from './kernel-call.ts';
import { isSame } from './overlaps.ts';
import { Stream } from './stream.ts';

/** Whether it can; the outputs are told why not. */
export function checkCall(call: KernelCall, permitsAliasing: boolean): boolean {
  const wrong = whatIsWrong(call, permitsAliasing);
  if (wrong !== undefined) {
    const isWrongCall = wrong === messages.aliased || wrong === messages.invalidOutput;
    call.fail(
      wrong,
      isWrongCall || wrong === messages.invalidInput ? 'BR_ERROR_INVALID_PARAMATER' : undefined,
    );
    return false;
  }
  if (call.inputs.some((input) => !input.hasContent)) call.warn(messages.uninitialized);
  return true;
}

/** In the order in which the real runtime looked. */
function whatIsWrong(call: KernelCall, permitsAliasing: boolean): string | undefined {
  const { session, outputs, inputs, missing } = call;
  if (missing.some(isOutput)) return messages.invalidOutput;
  if (missing.length > 0) return messages.invalidInput;
  for (const output of outputs) {
    if (!output.buffer) return output.isFaulty ? messages.badOutputs : messages.outputAllocation;
  }
  if (inputs.some((input) => input.isSpoilt)) return messages.badInputs;
  if (inputs.some((input) => !input.buffer)) return messages.inputsAllocation;
  if (outputs.some((output) => output.session !== session)) return messages.otherDeviceOutput;
  if (inputs.some((input) => input.session !== session)) return messages.otherDeviceInput;
  const mistyped = typeMismatch(call);
  if (mistyped !== undefined) return mistyped;
  const isWritten = (input: Stream): boolean => outputs.some((output) => isSame(output, input));
  return !permitsAliasing && inputs.some(isWritten) ? messages.aliased : undefined;
}

/** What is wrong with the elements of a stream: kernels would find other ones in its memory, and not where it ends. */
function typeMismatch({ kernel: { formals }, args }: KernelCall): string | undefined {
  for (const [index, { name, role, type }] of formals.entries()) {
    const arg = args[index];
    if (!(arg instanceof Stream) || sameElements(arg.type, type)) continue;
    const text = isOutput(role) ? messages.invalidOutput : messages.invalidInput;
    return `${text} '${name}' is of ${typeName(type)}, the stream of ${typeName(arg.type)}.`;
  }
  return undefined;
}
