/**
 * What hosts rely on in kernels from binaries, and front ends see to: names that a host can say, parameters that it can
 * set, and layouts whose parts lie within the whole.
 */
import { imageTypeFacts, samplerType } from '../images.ts';
import type * as ir from '../ir.ts';
import { elementOf, sizeOf, type Type } from '../types.ts';

/** What is wrong with a kernel, or undefined. */
export function kernelProblem(fn: ir.Function): string | undefined {
  if (fn.attributes?.isBlock) return blockProblem(fn);
  if (!/^[A-Za-z_]\w*$/.test(fn.name)) return 'the name is no identifier';
  const { requiredWorkGroupSize, workGroupSizeHint } = fn.attributes ?? {};
  for (const sizes of [requiredWorkGroupSize, workGroupSizeHint]) {
    if (sizes?.some((size) => size < 1)) return 'a work-group size of 0';
  }
  for (const [index, parameter] of fn.parameters.entries()) {
    const problem = parameterProblem(parameter);
    if (problem) return `parameter ${index + 1}: ${problem}`;
  }
  return undefined;
}

/** Of a kernel that others launch: its captures, then pointers to local memory. */
function blockProblem({ parameters }: ir.Function): string | undefined {
  for (const [index, { value, aggregate }] of parameters.entries()) {
    const { type } = value;
    const isLocal = type.kind === 'pointer' && type.space === 'local' && !aggregate;
    if (!isLocal && (index > 0 || !aggregate)) return `parameter ${index + 1}: not what a block takes`;
  }
  return undefined;
}

function parameterProblem({ value, aggregate, info }: ir.Parameter): string | undefined {
  const { type } = value;
  if (!info) return 'nothing is said about it';
  const { layout, pointee, handle } = info;
  if (pointee && !isSound(pointee)) return 'the layout of what it points to is wrong';
  if (layout && !isSound(layout)) return 'its layout is wrong';
  if (handle?.kind === 'queue') return type.kind === 'int' ? undefined : 'a queue that is no number';
  if (aggregate) return layout && layout.size === aggregate.size ? undefined : 'its layout has another size';
  switch (type.kind) {
    case 'pointer':
      if (handle?.kind === 'pipe')
        return type.space === 'global' ? undefined : 'a pipe in another space than global';
      return ['global', 'constant', 'local'].includes(type.space) ? undefined : `a ${type.space} pointer`;
    case 'opaque':
      return isHandle(type, handle) ? undefined : 'its type is not what is said about it';
    default: {
      if (elementOf(type).kind === 'bool') return 'a truth value';
      const size = type.kind === 'vector' && type.lanes === 3 ? (sizeOf(type) / 3) * 4 : sizeOf(type);
      return layout && layout.size === size ? undefined : 'its layout has another size';
    }
  }
}

function isHandle(type: Type, handle: ir.HandleInfo | undefined): boolean {
  if (handle?.kind === 'sampler') return type === samplerType;
  const shape = imageTypeFacts(type);
  return handle?.kind === 'image' && shape?.type === handle.type && shape.access === handle.access;
}

/** Whether all parts of a layout lie within it. */
function isSound(layout: ir.HostLayout): boolean {
  switch (layout.kind) {
    case 'integer':
    case 'float':
      return true;
    case 'vector': {
      const { element, lanes, size } = layout;
      const isScalar = element.kind === 'integer' || element.kind === 'float';
      return isScalar && size === element.size * (lanes === 3 ? 4 : lanes);
    }
    case 'array':
      return isSound(layout.element) && layout.size === layout.element.size * layout.length;
    case 'struct':
      return layout.fields.every(
        (field) => isSound(field.layout) && field.offset + field.layout.size <= layout.size,
      );
  }
}
