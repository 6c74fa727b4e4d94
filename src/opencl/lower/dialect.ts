/** Lowers what OpenCL C adds to C: its functions, its opaque types, its kernels. */
import type { BuiltinCall } from '../../c/ast.ts';
import { convertArithmetic } from '../../c/lower/conversion.ts';
import { value } from '../../c/lower/expression.ts';
import type { FunctionLowering } from '../../c/lower/function-lowering.ts';
import type { LoweringDialect } from '../../c/lower/module-lowering.ts';
import { imageType, isImageTypeName } from '../../ir/images.ts';
import type * as ir from '../../ir/ir.ts';
import { i32, i64, opaqueType, pointerType, type Type } from '../../ir/types.ts';
import type { OpenCLBuiltin } from '../builtins/resolution.ts';
import { queueTypes } from '../dialect/type-names.ts';
import { addressSpaceHandlers } from './address-spaces.ts';
import { asyncHandlers } from './async-copy.ts';
import { atomicHandlers } from './atomics.ts';
import type { BuiltinHandler, BuiltinHandlers } from './builtin-handler.ts';
import { clangHandlers } from './clang-builtins.ts';
import { commonHandlers } from './common.ts';
import { type EnqueueOptions, enqueueHandlers, isEnqueueName, lowerEnqueue } from './enqueue.ts';
import { geometricHandlers } from './geometric.ts';
import { imageHandlers } from './images.ts';
import { integerHandlers } from './integer.ts';
import { kernelFacts } from './kernel-facts.ts';
import { laterAtomicHandlers } from './later-atomics.ts';
import { mathHandlers } from './math.ts';
import { pipeHandlers } from './pipes.ts';
import { lowerPrintf } from './printf.ts';
import { relationalHandlers } from './relational.ts';
import { vectorHandlers } from './vectors.ts';
import { workGroupHandlers } from './work-groups.ts';
import { workItemHandlers } from './work-item.ts';

/** The functions of plain kernels. */
const plainHandlers: BuiltinHandlers = {
  ...commonHandlers,
  ...mathHandlers,
  ...workGroupHandlers,
  ...workItemHandlers,
};

let others: BuiltinHandlers | undefined;

/** All others: made when one of them is called, for a page need not have loaded them before (src/parts/rest.ts). */
function otherHandlers(): BuiltinHandlers {
  others ??= {
    ...addressSpaceHandlers,
    ...asyncHandlers,
    ...atomicHandlers,
    ...clangHandlers,
    ...enqueueHandlers,
    ...geometricHandlers,
    ...imageHandlers,
    ...integerHandlers,
    ...laterAtomicHandlers,
    ...pipeHandlers,
    ...relationalHandlers,
    ...vectorHandlers,
  };
  return others;
}

function handlerOf(name: string): BuiltinHandler | undefined {
  if (Object.hasOwn(plainHandlers, name)) return plainHandlers[name];
  const handlers = otherHandlers();
  return Object.hasOwn(handlers, name) ? handlers[name] : undefined;
}

/** Whether lowering knows a function; every one that resolves must be known. */
export function isLowered(name: string): boolean {
  return name.startsWith('convert_') || name === 'printf' || isEnqueueName(name) || Boolean(handlerOf(name));
}

function builtinCall(fn: FunctionLowering, node: BuiltinCall, options: EnqueueOptions): ir.Value | undefined {
  const builtin: OpenCLBuiltin = node.builtin;
  if (isEnqueueName(builtin.name)) return lowerEnqueue(fn, node, options);
  if (builtin.name === 'printf') return lowerPrintf(fn, node);
  const args = node.arguments.map((argument) => value(fn, argument));
  const types = node.arguments.map((argument) => argument.type.type);
  const result = node.type.type;
  if (builtin.conversion) return convertArithmetic(fn, args[0]!, types[0]!, result, builtin.conversion);
  const handler = handlerOf(builtin.name);
  if (!handler) throw new Error(`'${builtin.name}' resolves but is not lowered`);
  return handler({ fn, builder: fn.builder, name: builtin.name, node, args, types, result });
}

/**
 * The dialect for addresses of a width.
 * @param mayCutGroups whether work-groups at the ends of a range may be smaller (OpenCL 2.0)
 * @param detailedErrors whether enqueueing says what is wrong
 */
export function openCLLowering(
  addressBits: 32 | 64,
  mayCutGroups = false,
  detailedErrors = false,
): LoweringDialect {
  const options = { mayCutGroups, detailedErrors };
  const address: Type = addressBits === 32 ? i32 : i64;
  return {
    builtinCall: (fn, node) => builtinCall(fn, node, options),
    // Async copies are done when they return, so an event is only a number to hand on. A pipe is where its bytes begin.
    opaqueType: ({ name, access, packet }) => {
      if (name === 'event_t' || queueTypes.includes(name)) return address;
      if (name === 'reserve_id_t') return i64;
      if (packet) return pointerType('global');
      return isImageTypeName(name) ? imageType(name, access ?? 'read_only') : opaqueType(name);
    },
    kernelFacts: (module, declaration) => kernelFacts(module, declaration, mayCutGroups),
  };
}
