/**
 * What a launch knows of its images and samplers that is worth compiling the kernel again for: formats, and the bits of
 * samplers. Sizes are not, for kernels load them once.
 */
import type { LaneCount } from '../../ir/types.ts';
import type { KnownHandles } from '../../passes/images/known-images.ts';
import type { KernelArgument } from '../../runtime/command.ts';

/** What there is to know of arguments; undefined if no image is among them. */
export function knownHandlesOf(values: readonly KernelArgument[]): KnownHandles | undefined {
  if (!values.some(({ kind }) => kind === 'image')) return undefined;
  return values.map((value) => {
    if (value.kind === 'sampler') return value;
    if (value.kind !== 'image') return undefined;
    const { channelOrder: order, channelType: type, pixelBytes } = value.shape;
    return { kind: 'image', order, type, pixelBytes };
  });
}

/** A word that is the same for arguments of which the same is known. */
export function wordFor(known: KnownHandles): string {
  const words = known.map((handle) => {
    if (handle?.kind === 'image') return `${handle.order.toString(16)}:${handle.type.toString(16)}`;
    return handle ? `s${handle.bits.toString(16)}` : '';
  });
  return `images ${words.join(',')}`;
}

/** A word that is the same for launches of which the same is known. */
export function wordOf(
  handles: KnownHandles | undefined,
  mayInterchange: boolean,
  rowLength: LaneCount | undefined,
): string {
  const words = [handles && wordFor(handles), mayInterchange && 'rows', rowLength && `row ${rowLength}`];
  return words.filter(Boolean).join(' ');
}
