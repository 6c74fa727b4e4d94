/** Instructions that reach memory and images: see "Memory", "Images" and, for those with masks, "Vector regions" in ir.ts. */
import type { Span } from '../../source/span.ts';
import type { GlobalVariable, HostLayout } from '../ir.ts';
import type { AddressSpace } from '../types.ts';
import type { Common } from './common.ts';

/** Result: pointer to `size` bytes, private to the work-item or shared by the work-group. Uninitialised. */
export interface Variable extends Common {
  readonly op: 'variable';
  readonly space: 'private' | 'local';
  readonly size: number;
  readonly align: number;
  readonly name: string;
  /** For messages; neither the text nor binaries have it. */
  readonly declared?: DeclaredVariable | undefined;
  /** Work-group form: one copy a work-item, reached through `item_address`. */
  readonly perItem?: boolean;
  /**
   * With `perItem`: the copies lie element by element, first what is element 0 of each work-item in the order of their
   * linear ids, then element 1 of each, and so on. Byte b of a copy, a multiple of this size, is then b times the number
   * of work-items away from the copy's `item_address`. A divisor of `size`.
   */
  readonly elementSize?: number;
}

/** What a source says of a variable. */
export interface DeclaredVariable {
  /** Undefined for what holds a value that no variable of the program holds. */
  readonly span: Span | undefined;
  /** What has a type that hosts can write. */
  readonly layout: HostLayout | undefined;
}

/** Result: pointer to a program-scope variable. */
export interface GlobalAddress extends Common {
  readonly op: 'global_address';
  readonly global: GlobalVariable;
}

/** Operand: a generic pointer. Result: bool, whether it leads to memory of `space`; of a null pointer any value. */
export interface InSpace extends Common {
  readonly op: 'in_space';
  readonly space: 'private' | 'local' | 'global';
}

/** Operands: pointer, integer of address width. Result: the pointer moved by that many bytes. */
export interface Offset extends Common {
  readonly op: 'offset';
  /**
   * The source subscripts an array of so many bytes, so that the operand stays below unless the program is wrong. For tools:
   * passes need not keep it, and neither the text form nor the binary one tells it.
   */
  within?: number | undefined;
}

/** Operand: pointer. Result: what is there. */
export interface Load extends Common {
  readonly op: 'load';
  readonly align: number;
  readonly volatile?: boolean;
  /**
   * In a vector region: each lane is what another work-item loads, so that nothing orders one lane against what others store. Passes
   * need not keep it, and neither the text form nor the binary one tells it.
   */
  readonly isPerLane?: boolean;
}

/** Operands: pointer, value. */
export interface Store extends Common {
  readonly op: 'store';
  readonly align: number;
  readonly volatile?: boolean;
  /** As with {@link Load}: each lane is what another work-item stores. */
  readonly isPerLane?: boolean;
}

/** Operands: pointer, mask. Result: a vector with the mask's lanes, which lie one after another; see "Vector regions". */
export interface MaskedLoad extends Common {
  readonly op: 'masked_load';
  readonly align: number;
}

/** Operands: pointer, a vector, mask. Writes the lanes, which lie one after another, where the mask is true. */
export interface MaskedStore extends Common {
  readonly op: 'masked_store';
  readonly align: number;
}

/**
 * Operands: pointer, a vector of offsets in bytes (integers of address width), and a mask unless all lanes take part.
 * Result: a vector of what is at the pointer moved by each offset.
 */
export interface Gather extends Common {
  readonly op: 'gather';
  /** Of each lane's address. */
  readonly align: number;
}

/** Operands: pointer, offsets, a vector of values, and a mask unless all take part. Lanes are stored in order. */
export interface Scatter extends Common {
  readonly op: 'scatter';
  /** Of each lane's address. */
  readonly align: number;
}

/** Operands: destination, source, number of bytes (address width). The two ranges are equal or apart. */
export interface Copy extends Common {
  readonly op: 'copy';
  readonly align: number;
}

/** Operands: destination, number of bytes (address width). Sets every byte to `byte` (0 to 255). */
export interface Fill extends Common {
  readonly op: 'fill';
  readonly byte: number;
  readonly align: number;
}

/** OpenCL 2.0, 6.13.11; OpenCL 1.2's atomics are `relaxed`, scope `device`. */
export type MemoryOrder = 'relaxed' | 'acquire' | 'release' | 'acq_rel' | 'seq_cst';
export type MemoryScope = 'work-item' | 'sub-group' | 'work-group' | 'device' | 'all-devices';

export type AtomicFunction =
  | 'load' // operands: pointer; result: value
  | 'store' // operands: pointer, value
  | 'exchange' // these and below: operands pointer, value; result: the old value
  | 'add'
  | 'sub'
  | 'and'
  | 'or'
  | 'xor'
  | 'smin'
  | 'smax'
  | 'umin'
  | 'umax'
  | 'compare_exchange'; // operands: pointer, expected, desired; result: the old value

/** i32, i64, and f32 or f64 for load, store and exchange; in private space, which is all that programs for the host have, i8 and i16, too. */
export interface Atomic extends Common {
  readonly op: 'atomic';
  readonly fn: AtomicFunction;
  readonly order: MemoryOrder;
  readonly scope: MemoryScope;
}

/** Orders memory accesses of the work-item without waiting for anybody. */
export interface Fence extends Common {
  readonly op: 'fence';
  readonly spaces: readonly AddressSpace[];
  readonly order: MemoryOrder;
  readonly scope: MemoryScope;
}

/**
 * What a pixel's channels are to the program: numbers of their own (`float`; normalised ones among them), or integers.
 * Integers of a kind that the image does not hold are any value.
 */
export type ImageChannels = 'float' | 'signed' | 'unsigned';

/**
 * Operands: image, then a sampler or none, then coordinates. Result: f32x4, or i32x4 for integers, with what the
 * image's channel order leaves out filled in. Coordinates are of i32, or with a sampler of f32: a scalar, two lanes, or
 * four of which the last is ignored. Without a sampler, coordinates outside the image give any value.
 */
export interface ImageRead extends Common {
  readonly op: 'image_read';
  readonly channels: ImageChannels;
}

/** Operands: image, coordinates of i32, colour (f32x4, or i32x4 for integers). Does nothing outside the image. */
export interface ImageWrite extends Common {
  readonly op: 'image_write';
  readonly channels: ImageChannels;
}

export type ImageQueryFunction =
  | 'width' // in pixels, like height and depth
  | 'height'
  | 'depth'
  | 'array_size'
  | 'channel_data_type' // the numbers of cl.h, for which CLK_ has other names, like channel_order
  | 'channel_order';

/** Operand: image. Result: i32. */
export interface ImageQuery extends Common {
  readonly op: 'image_query';
  readonly fn: ImageQueryFunction;
}

export type MemoryInstruction =
  | Variable
  | GlobalAddress
  | InSpace
  | Offset
  | Load
  | Store
  | MaskedLoad
  | MaskedStore
  | Gather
  | Scatter
  | Copy
  | Fill
  | Atomic
  | Fence
  | ImageRead
  | ImageWrite
  | ImageQuery;
