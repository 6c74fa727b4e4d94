/** What blocks may be enqueued, and with what (OpenCL 2.0, 6.13.17.1 and 6.13.17.2). */
import type { BuiltinCall } from '../../c/ast.ts';
import { literalOf } from '../../c/check/blocks.ts';
import type { Reporter } from '../../c/dialect.ts';
import type { QualifiedType } from '../../c/types.ts';
import { isKept } from './handles.ts';

/** Reports what is wrong with a call that takes a block. False if it cannot be compiled. */
export function checkEnqueue(call: BuiltinCall, report: Reporter): boolean {
  const at = call.arguments.findIndex(({ type }) => type.type.kind === 'block');
  const block = call.arguments[at];
  if (block?.type.type.kind !== 'block') return true;
  const { name } = call.builtin;
  const { parameters, result } = block.type.type.function;
  const wrong = (message: string, span = block.span): false => {
    report.diagnostics.error(span, message);
    return false;
  };
  if (result.type.kind !== 'void') return wrong(`blocks used in ${name} call are expected to return nothing`);
  if (!parameters.every(isLocalPointer)) {
    return wrong(`blocks used in ${name} call are expected to have parameters of type 'local void*'`);
  }
  const sizes = call.arguments.slice(at + 1);
  if (name === 'enqueue_kernel' && sizes.length !== parameters.length) {
    return wrong('mismatch in number of block parameters and local size arguments passed', call.span);
  }
  let isFine = true;
  for (const { parameter, value } of literalOf(block)?.captures ?? []) {
    const { type } = parameter.type;
    const shown = report.show({ ...value.type, isConst: false });
    if (type.kind === 'opaque' && type.packet === undefined && !isKept(type)) {
      isFine = wrong(`a block that is enqueued cannot capture '${parameter.name}' of type '${shown}'`);
    } else if (value.kind === 'cast' && value.cast === 'decay' && isOwnMemory(value.type)) {
      isFine = wrong(
        `a block that is enqueued cannot capture the array '${parameter.name}', which is gone when the block begins`,
      );
    }
  }
  return isFine;
}

function isLocalPointer({ type }: QualifiedType): boolean {
  return type.kind === 'pointer' && type.pointee.space === 'local' && type.pointee.type.kind === 'void';
}

/** Whether a pointer leads to memory of a work-item or work-group. */
function isOwnMemory({ type }: QualifiedType): boolean {
  return type.kind === 'pointer' && (type.pointee.space === 'private' || type.pointee.space === 'local');
}
