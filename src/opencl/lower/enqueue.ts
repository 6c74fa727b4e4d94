/**
 * Kernels that kernels launch (OpenCL 2.0, 6.13.17). Of a block that is enqueued a kernel is made: its first parameter is the
 * block's record of captures, where it has one, and it calls the block with what lies there. All else is done by functions
 * that the machine supplies (src/ir/device-queues.ts).
 */
import type { BlockLiteral, BuiltinCall } from '../../c/ast.ts';
import { type Block, blockOf, capturedValues, recordLayout, writeFunction } from '../../c/lower/blocks.ts';
import { value } from '../../c/lower/expression.ts';
import type { FunctionLowering } from '../../c/lower/function-lowering.ts';
import type { ModuleLowering } from '../../c/lower/module-lowering.ts';
import type { Builder } from '../../ir/builder.ts';
import { subGroupSize } from '../../ir/collectives.ts';
import { type QueueFunctionName, queueStatus, rangeFields } from '../../ir/device-queues.ts';
import type * as ir from '../../ir/ir.ts';
import { i8, i32, pointerType } from '../../ir/types.ts';
import { enqueueNames } from '../builtins/enqueue.ts';
import { argument, type BuiltinHandler, type BuiltinHandlers, type LoweredCall } from './builtin-handler.ts';

export interface EnqueueOptions {
  readonly mayCutGroups: boolean;
  /** -g: a status says what is wrong, not only that something is (OpenCL 2.0, 5.8.6.7). */
  readonly detailedErrors: boolean;
}

const generic = pointerType('generic');

/** Whether a function is lowered by {@link lowerEnqueue}: its arguments may be blocks, which have no value. */
export function isEnqueueName(name: string): boolean {
  return enqueueNames.includes(name);
}

export function lowerEnqueue(fn: FunctionLowering, node: BuiltinCall, options: EnqueueOptions): ir.Value {
  const { name } = node.builtin;
  const at = node.arguments.findIndex(({ type }) => type.type.kind === 'block');
  const values = node.arguments.map((one, index) => (index === at ? undefined : value(fn, one)));
  const given = (index: number): ir.Value => values[index]!;
  if (name === 'enqueue_marker') {
    return statusOf(fn, 'enqueue_marker', [given(0), given(1), given(2), given(3)], options);
  }
  const block = blockOf(fn, node.arguments[at]!);
  const kernel = fn.builder.functionAddress(kernelOf(fn.module, block.literal, options));
  switch (name) {
    case 'enqueue_kernel': {
      const hasEvents = at > 3;
      const events = hasEvents
        ? [given(3), given(4), given(5)]
        : [fn.builder.integer(i32, 0), nowhere(fn), nowhere(fn)];
      const sizes = values.slice(at + 1) as ir.Value[];
      const range = inGeneric(fn.builder, given(2));
      return statusOf(
        fn,
        'enqueue_kernel',
        [kernel, given(0), given(1), range, ...events, recordOf(fn, block), sizesOf(fn, sizes)],
        options,
      );
    }
    case 'get_kernel_sub_group_count_for_ndrange':
    case 'get_kernel_max_sub_group_size_for_ndrange':
      return subGroups(fn, name, given(0), kernel);
    default:
      return callQueue(fn, name as QueueFunctionName, [kernel]);
  }
}

function callQueue(fn: FunctionLowering, name: QueueFunctionName, args: ir.Value[]): ir.Value {
  return fn.builder.call(fn.module.queueFunction(name), args)!;
}

/** Without detailed errors there is one for all. */
function statusOf(
  fn: FunctionLowering,
  name: QueueFunctionName,
  args: ir.Value[],
  { detailedErrors }: EnqueueOptions,
): ir.Value {
  const { builder } = fn;
  const status = callQueue(fn, name, args);
  if (detailedErrors) return status;
  const isError = builder.compare('slt', status, builder.integer(i32, 0));
  return builder.select(isError, builder.integer(i32, queueStatus.enqueueFailure), status);
}

function nowhere(fn: FunctionLowering): ir.Value {
  return fn.builder.constant(generic, 0);
}

function inGeneric(builder: Builder, pointer: ir.Value): ir.Value {
  return pointer.type === generic ? pointer : builder.convert('space', pointer, generic);
}

function recordOf(fn: FunctionLowering, { record }: Block): ir.Value {
  return record ? inGeneric(fn.builder, record) : nowhere(fn);
}

/** The sizes of local memory, one after another. */
function sizesOf(fn: FunctionLowering, sizes: readonly ir.Value[]): ir.Value {
  const { builder } = fn;
  if (sizes.length === 0) return nowhere(fn);
  const list = fn.reserve('private', 4 * sizes.length, 4, 'local sizes');
  sizes.forEach((size, index) => {
    builder.store(element(builder, list, index, 4), size, 4);
  });
  return inGeneric(builder, list);
}

function element(builder: Builder, base: ir.Value, index: number, size: number): ir.Value {
  return index === 0 ? base : builder.offset(base, builder.integer(builder.addressType, index * size));
}

/** Of a work-group of the range; where that leaves its size open, the largest. */
function subGroups(
  fn: FunctionLowering,
  name: 'get_kernel_sub_group_count_for_ndrange' | 'get_kernel_max_sub_group_size_for_ndrange',
  range: ir.Value,
  kernel: ir.Value,
): ir.Value {
  const { builder, module } = fn;
  const number = builder.addressType;
  const { local } = rangeFields(module.addressBytes);
  let items: ir.Value | undefined;
  for (let axis = 0; axis < 3; axis += 1) {
    const place = builder.offset(range, builder.integer(number, local + axis * module.addressBytes));
    const size = builder.load(number, place, module.addressBytes);
    items = items ? builder.binary('imul', items, size) : size;
  }
  const given = number === i32 ? items! : builder.convert('trunc', items!, i32);
  const isOpen = builder.compare('eq', given, builder.integer(i32, 0));
  const count = builder.select(isOpen, callQueue(fn, 'get_kernel_work_group_size', [kernel]), given);
  const most = builder.integer(i32, subGroupSize);
  if (name === 'get_kernel_max_sub_group_size_for_ndrange') {
    return builder.select(builder.compare('ult', count, most), count, most);
  }
  const rounded = builder.binary('iadd', count, builder.integer(i32, subGroupSize - 1));
  return builder.binary('udiv', rounded, most);
}

/** The kernels that were made of blocks, a module at a time. */
const kernels = new WeakMap<ModuleLowering, Map<BlockLiteral, ir.Function>>();

function kernelOf(
  module: ModuleLowering,
  literal: BlockLiteral,
  { mayCutGroups }: EnqueueOptions,
): ir.Function {
  let known = kernels.get(module);
  if (!known) {
    known = new Map();
    kernels.set(module, known);
  }
  let kernel = known.get(literal);
  if (!kernel) {
    kernel = makeKernel(module, literal, mayCutGroups);
    known.set(literal, kernel);
  }
  return kernel;
}

function makeKernel(module: ModuleLowering, literal: BlockLiteral, mayCutGroups: boolean): ir.Function {
  const { captures, declaration } = literal;
  const layout = recordLayout(module, captures, () => true);
  const record: ir.Parameter[] =
    layout.size === 0
      ? []
      : [
          {
            value: { type: pointerType('constant'), name: 'captures' },
            aggregate: { size: layout.size, align: layout.align },
          },
        ];
  const locals = declaration.parameters.slice(captures.length).map(
    ({ name }): ir.Parameter => ({
      value: { type: pointerType('local'), name: name === '' ? 'local' : name },
    }),
  );
  const callee = module.functionFor(declaration);
  return writeFunction(
    module,
    {
      name: `${declaration.name}.kernel`,
      kind: 'kernel',
      ...(module.options.isUnit ? { linkage: 'internal' } : {}),
      parameters: [...record, ...locals],
      attributes: { ...(mayCutGroups ? { mayCutGroups } : {}), isBlock: true },
      span: declaration.span,
    },
    (builder) => {
      const stored = record[0] && capturedValues(module, builder, layout, record[0].value);
      const args = captures.map((capture) => {
        const captured = stored!.get(capture)!;
        const { type } = capture.parameter.type;
        if (type.kind !== 'record') return captured;
        // Structs are passed by the place of a private copy.
        const size = module.sizeOf(type);
        const align = module.alignOf(type);
        const copy = builder.variable('private', size, align, capture.parameter.name);
        builder.copy(copy, captured, builder.integer(builder.addressType, size), align);
        return copy;
      });
      builder.call(callee, [...args, ...locals.map(({ value: local }) => local)]);
    },
  );
}

// ------------------------------------------------------------------------------------------ other functions

/** Hands its arguments to the machine. */
function onMachine(name: QueueFunctionName): BuiltinHandler {
  return ({ fn, args }) => callQueue(fn, name, [...args]);
}

/** ndrange_1D and its like: offset, global size and local size, of which the first and the last may be missing. */
function range(dimensions: 1 | 2 | 3): BuiltinHandler {
  return (call) => {
    const { fn, builder, args } = call;
    const word = fn.module.addressBytes;
    const fields = rangeFields(word);
    const made = fn.reserve('private', fields.size, word, 'ndrange');
    const at = (offset: number): ir.Value =>
      offset === 0 ? made : builder.offset(made, builder.integer(builder.addressType, offset));
    builder.store(at(fields.dimensions), builder.integer(i32, dimensions), 4);
    const sizeAt = (place: number, axis: number): ir.Value => {
      const given = argument(call, place);
      if (dimensions === 1) return given;
      return builder.load(builder.addressType, element(builder, given, axis, word), word);
    };
    const [offset, global, local] =
      args.length === 3 ? [0, 1, 2] : args.length === 2 ? [-1, 0, 1] : [-1, 0, -1];
    const lists = [
      [fields.offset, offset, 0],
      [fields.global, global, 1],
      [fields.local, local, args.length === 1 ? 0 : 1],
    ] as const;
    for (const [field, place, otherwise] of lists) {
      for (let axis = 0; axis < 3; axis += 1) {
        const isGiven = place! >= 0 && axis < dimensions;
        const size = isGiven ? sizeAt(place!, axis) : builder.integer(builder.addressType, otherwise);
        builder.store(at(field + axis * word), size, word);
      }
    }
    return made;
  };
}

export const enqueueHandlers: BuiltinHandlers = {
  get_default_queue: onMachine('get_default_queue'),
  create_user_event: onMachine('create_user_event'),
  retain_event: onMachine('retain_event'),
  release_event: onMachine('release_event'),
  set_user_event_status: onMachine('set_user_event_status'),
  is_valid_event: ({ builder, fn, args }) => {
    const is = callQueue(fn, 'is_valid_event', [...args]);
    return builder.convert('zext', builder.compare('ne', is, builder.integer(i32, 0)), i8);
  },
  capture_event_profiling_info: ({ fn, builder, args }: LoweredCall) => {
    const [event, what, place] = args as [ir.Value, ir.Value, ir.Value];
    return callQueue(fn, 'capture_event_profiling_info', [event, what, inGeneric(builder, place)]);
  },
  ndrange_1D: range(1),
  ndrange_2D: range(2),
  ndrange_3D: range(3),
};
