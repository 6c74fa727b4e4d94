/**
 * The intermediate representation: one typed program form for every language Millrace reads and every
 * machine it writes for. This page is its definition; `interpreter.ts` is its meaning, made executable.
 *
 * ## Module, function, region
 *
 * A {@link Module} holds program-scope variables and functions. A {@link Function} has parameters and a body,
 * which is a {@link Region}: a list of instructions run from first to last. The last one is a *terminator*,
 * and no other is. Control flow is a tree: `if`, `switch`, `block` and `loop` are instructions that own
 * regions. There are no jumps but outwards (`break`) and back to an enclosing loop's head (`continue`).
 *
 * ## Values
 *
 * Every {@link Value} is defined once: by an instruction (its results), by a region (its parameters) or by a
 * function (its parameters). A value may be used anywhere after its definition in the same region, and in
 * all regions nested there. It is never visible outside the region that defines it: what a region computes
 * for the outside leaves through its terminator and becomes a result of the owning instruction. Results of
 * `if`, `switch`, `block` and `loop` and the parameters of a loop's body take the place of phi nodes.
 *
 *     %r = if %c : i32 { yield %a } else { yield %b }          %r is %a or %b
 *     %r = block @b : i32 { ... break @b %x ... yield %y }     leaves early with %x, or at its end with %y
 *     %r = loop @l (%i: i32 = %zero) : i32 { ... break @l %i ... continue @l %next }
 *
 * A `loop` body runs with its parameters bound to the initial operands, and again each time it meets
 * `continue` (with new values); it ends only by `break` (or `return`). Its body never ends in `yield`.
 * `if` and `switch` cannot be the target of a break; a `block` around them can. C's fall-through between
 * cases becomes nested blocks around a switch whose regions only break. `unreachable` ends a region that
 * control cannot reach the end of.
 *
 * ## Memory
 *
 * Pointers are untyped addresses in an address space, offset in bytes. A `variable` instruction reserves
 * private or work-group-local bytes and gives their address; a local variable is the same bytes for all
 * work-items of the group, wherever the instruction stands. Every load and store says its type (through
 * its result or operand) and the alignment that may be relied on. Truth values are not stored: the
 * languages store integers. Structs travel as addresses: a function takes a pointer to the caller's bytes.
 *
 * ## Images
 *
 * Images and samplers are opaque: a function is handed them and passes them on, or uses them in an `image_...`
 * instruction; a sampler may also be a constant. No variable, region or function result holds one. What an image's pixels
 * look like, and what becomes of a coordinate, is known when the kernel runs (OpenCL 1.2, 6.12.14 and chapter 8).
 *
 * ## Arithmetic
 *
 * The operation, not the type, says sign and rounding. Everything that C leaves undefined is defined here or
 * marked as any-value, and nothing traps: integers wrap; a division by zero or the overflowing one gives
 * any value; shift counts are taken modulo the width (OpenCL 1.2, 6.3 j); float to integer conversion out of
 * range gives any value, or saturates (NaN to zero) when marked. Arithmetic, comparisons, conversions and
 * select work lane by lane on vectors. An `fadd`, `fsub` or `fmul` marked `contract` may be fused with its neighbour,
 * as OpenCL's FP_CONTRACT allows; unmarked ones may not. What is added and subtracted by an `fadd` and `fsub` marked
 * `reassociate` may be added up in any order, and from either zero.
 *
 * ## Work-items
 *
 * As the languages deliver it, a kernel's body says what *one work-item* does; `query` asks who it is, and
 * `barrier` waits for the others of its work-group. The pass `barrier-regions` rewrites this into
 * *work-group form* ({@link Function.form} is `work-group`): the body then says what one work-group does, and an
 * `items` instruction runs its region once for each work-item in turn, with no barrier inside. In this form:
 *
 * - Outside `items` no per-item query (`local_id`, `global_id`, `linear_local_id`) may stand, and every value is the
 *   same for all work-items of the group.
 * - A value that must live from one `items` to another has a *slot*: a `slot` instruction (at the top of the
 *   body) reserves one cell a work-item; `slot_read` and `slot_write` inside `items` mean the current one's.
 * - A private variable whose bytes must live across `items` is a `variable` marked `perItem`, and
 *   `item_address` inside `items` gives the current work-item's copy.
 * - An `items` region yields nothing, and no `break`, `continue` or `return` leaves it.
 *
 * ## Kernels that kernels launch
 *
 * A kernel may call functions that the machine supplies ({@link Function.imported} from `queue`; device-queues.ts lists
 * them): among them one that puts a kernel marked {@link KernelAttributes.isBlock} into a queue of the device.
 * `function_address` says which; in modules that are no programs for the host it has no other use. Such a kernel
 * begins when its turn has come, never inside the call.
 *
 * ## Packs
 *
 * The pass `pack-items` may give an `items` instruction a second region and a number of {@link Items.lanes}. That
 * *packed* region does for a pack of so many work-items, neighbours along dimension 0, what the first region
 * does for each: in every row of the group (fixed y and z) whole packs run the packed region, and those that are left
 * over at the row's end the first. In a packed region
 *
 * - what differs between the work-items of the pack is a vector with a lane for each; a pointer that differs is an
 *   integer vector of addresses, or an address and a vector of byte offsets;
 * - `local_id`, `global_id` and `linear_local_id` are those of the pack's first work-item;
 * - `slot_read`, `slot_write` and `item_address` deal with the cells of all of them: vectors again;
 * - a *mask* is a vector of bool that says which work-items take part. An instruction with a mask (`masked_load`,
 *   `masked_store`, `gather`, `scatter`) touches only the memory of lanes whose truth value is true, and
 *   gives any value for the others. At least one lane must be true: control skips what nobody takes part in.
 *
 * ## Rows
 *
 * The pass `coarsen-rows` may give an `items` instruction a number of {@link Items.rows}, R, and a last region. That
 * region does for R work-items, neighbours along dimension 1, what the first region does for each; where there is a
 * packed region, it does for R packs what that does for one. In every slice of the group (fixed z) the rows are taken R
 * by R as long as there are R, and in them whole packs run this region; what is left over (the last rows, and the ends of
 * the others) runs as said above. In it, ids are those of the first row's work-item or pack, and `slot_read`,
 * `slot_write` and `item_address` may say with `row` that they mean the cell so many rows further on.
 *
 * ## Programs for the host
 *
 * A module marked {@link Module.isHosted} is no set of kernels but a program in plain C, with a `main`. It has one memory
 * and one thread: its pointers, those to program-scope variables too, are of private space, or of constant space where
 * nothing is written. In it, and in no other
 * module, calls may recur, and each call has its own copies of the callee's variables; `function_address` gives a pointer
 * to a function, which may be kept in memory (and in the bytes of a variable, see {@link GlobalVariable.functions});
 * `call_indirect` calls what such a pointer leads to, and stops the program if that is no function of the operands' and
 * the result's types. Such a pointer is no address of bytes. A function without a body may be {@link Function.imported}.
 *
 * ## What instructions share
 *
 * Each instruction has `operands`, `results` and `regions`, so that most passes need not know them one by one;
 * what is particular to one kind (an alignment, a predicate) is a field of its own. A field with a default
 * meaning is absent when it means the default. `span` is the source place a tool shows.
 */
import type { Span } from '../source/span.ts';
import { type ImageAccess, type ImageTypeName, imageTypeFacts } from './images.ts';
import type { AddressSpace, LaneCount, Type } from './types.ts';

// ---------------------------------------------------------------------------------------------- structure

/** A compiled program, before or after linking. */
export interface Module {
  /** The width of a pointer and of size_t in bits. */
  readonly addressBits: 32 | 64;
  /** A program for the host, see "Programs for the host" above. */
  readonly isHosted?: boolean | undefined;
  readonly globals: GlobalVariable[];
  readonly functions: Function[];
}

/**
 * Who may mean a symbol by its name when modules are linked: every module (the default) or only its own. In a module
 * that is a whole program it says nothing.
 */
export type Linkage = 'internal';

/** A variable of program scope. Its address is a value through `global_address`. */
export interface GlobalVariable {
  readonly name: string;
  readonly linkage?: Linkage | undefined;
  /** The linker must find it: `bytes` is empty, and so is `size` where the declaration does not tell it. */
  readonly isDeclared?: boolean | undefined;
  /** Private or constant in a program for the host, constant or global elsewhere. */
  readonly space: 'constant' | 'global' | 'private';
  /** Bytes, and the alignment of the first. */
  readonly size: number;
  readonly align: number;
  /** `size` initial bytes. */
  readonly bytes: Uint8Array;
  /** Addresses to be filled in when the program is loaded. */
  readonly relocations: readonly { offset: number; target: GlobalVariable; addend: number }[];
  /** In a program for the host: where pointers to functions are to be filled in. */
  readonly functions?: readonly { offset: number; target: Function }[] | undefined;
  readonly span?: Span | undefined;
}

/** What a work-item (or, in work-group form, a work-group) does, or a helper that it calls. */
export interface Function {
  readonly name: string;
  readonly kind: 'kernel' | 'function';
  readonly linkage?: Linkage | undefined;
  readonly parameters: Parameter[];
  /** The type a `return` carries; undefined for none (every kernel). */
  readonly result: Type | undefined;
  /** Undefined for a function that is only declared: the linker must find it. */
  body: Region | undefined;
  form: 'work-item' | 'work-group';
  /** Of a function without a body: what its surroundings supply. See "Programs for the host" and device-queues.ts. */
  imported?: { readonly module: string; readonly name: string } | undefined;
  /** In a program for the host, of a function without a body: its declaration said nothing of its parameters (`int f();`). */
  readonly isUnprototyped?: boolean | undefined;
  /** Rarely run, or large: calls of it stay calls where they can. */
  isOutlined?: boolean | undefined;
  /** The passes have been over the body and would find nothing. Neither the text form nor the binary one tells it. */
  isSimplified?: boolean | undefined;
  /** In a program for the host: the same for those passes that come last. */
  isFinished?: boolean | undefined;
  /** Set on kernels only. */
  readonly attributes?: KernelAttributes | undefined;
  readonly span?: Span | undefined;
}

/** OpenCL 1.2, 6.7.2. */
export interface KernelAttributes {
  readonly requiredWorkGroupSize?: readonly [number, number, number] | undefined;
  readonly workGroupSizeHint?: readonly [number, number, number] | undefined;
  readonly vectorTypeHint?: string | undefined;
  /** Groups at the ends of the range may be smaller than the others (OpenCL 2.0, 5.8). */
  readonly mayCutGroups?: boolean | undefined;
  /** Launched by other kernels only (see "Kernels that kernels launch"): hosts do not see it. */
  readonly isBlock?: boolean | undefined;
}

/** A parameter: a value that its function's body may use. */
export interface Parameter {
  readonly value: Value;
  /**
   * For a struct passed by value, its size and alignment in bytes: `value` is then a pointer to bytes that the
   * function may read but not write (private space, or constant space for a kernel).
   */
  readonly aggregate?: { readonly size: number; readonly align: number } | undefined;
  /** Pointer facts the source promises. */
  readonly isConst?: boolean;
  readonly isRestrict?: boolean;
  readonly isVolatile?: boolean;
  /** So many bytes can be read from the pointer on, wherever and whenever. */
  readonly readableBytes?: number | undefined;
  /** What clGetKernelArgInfo reports (OpenCL 1.2, 5.7.3); on kernels only. */
  readonly info?: ParameterInfo | undefined;
}

/** The source's own words about a kernel parameter. */
export interface ParameterInfo {
  readonly name: string;
  /** As written, without qualifiers and with unsigned short forms: `float4*`, `uint`. */
  readonly typeName: string;
  readonly accessQualifier?: ImageAccess | undefined;
  /** For an image, a sampler or a pipe, which: `typeName` may be a name that the program gave it; of a pipe, its packets' type. */
  readonly handle?: HandleInfo | undefined;
  readonly typeQualifiers: readonly ('const' | 'restrict' | 'volatile' | 'pipe')[];
  /** How a host value for a by-value parameter is laid out; see {@link HostLayout}. */
  readonly layout?: HostLayout | undefined;
  /** For a pointer parameter, the layout of what it points to, when that is known. */
  readonly pointee?: HostLayout | undefined;
}

/** What the host sets a parameter to that is neither a value nor a pointer. */
export type HandleInfo =
  | { readonly kind: 'image'; readonly type: ImageTypeName; readonly access: ImageAccess }
  | { readonly kind: 'sampler' }
  /** A queue of the device, whose parameter is its number. */
  | { readonly kind: 'queue' }
  /** A pipe, whose parameter is a global pointer to it, and the bytes of its packets. */
  | { readonly kind: 'pipe'; readonly access: 'read_only' | 'write_only'; readonly packetBytes: number };

/** The layout of a value as the host sees it: sizes, alignments and offsets in bytes. */
export type HostLayout =
  | { readonly kind: 'integer'; readonly size: 1 | 2 | 4 | 8; readonly signed: boolean }
  | { readonly kind: 'float'; readonly size: 2 | 4 | 8 }
  | { readonly kind: 'vector'; readonly element: HostLayout; readonly lanes: number; readonly size: number }
  | { readonly kind: 'array'; readonly element: HostLayout; readonly length: number; readonly size: number }
  | {
      readonly kind: 'struct';
      readonly name: string;
      readonly size: number;
      readonly align: number;
      readonly fields: readonly {
        readonly name: string;
        readonly offset: number;
        readonly layout: HostLayout;
      }[];
    };

/** A list of instructions, the last of which is a terminator. */
export interface Region {
  /** Loop bodies only: the values that `continue` renews. Empty for every other region. */
  readonly parameters: Value[];
  instructions: Instruction[];
}

/** Something computed once. Identity is the object's; the number that a print shows is not part of it. */
export interface Value {
  readonly type: Type;
  /** A name from the source, for people. */
  name?: string | undefined;
}

// ------------------------------------------------------------------------------------------- instructions

interface Common {
  operands: Value[];
  results: Value[];
  /** Nested regions, in the order the instruction's description gives. */
  regions: Region[];
  span?: Span | undefined;
}

/**
 * A scalar constant: `boolean` for bool; a number for i8 to i32 (always the signed reading, so i8 255 is -1)
 * and for floats (already rounded to the type); a bigint for i64 (signed reading); 0 for a null pointer; for a sampler,
 * the CLK_ constants it is made of.
 */
export type ScalarConstant = number | bigint | boolean;

/** Result: the value. Vectors list their lanes. */
export interface Constant extends Common {
  readonly op: 'constant';
  readonly value: ScalarConstant | readonly ScalarConstant[];
}

/** Result: any value of the type, such as that of a variable before it is set. */
export interface Undefined extends Common {
  readonly op: 'undefined';
}

export type UnaryFunction =
  | 'not' // bool or int: every bit
  | 'clz' // int: leading zeros, the width for 0
  | 'ctz' // int: trailing zeros, the width for 0
  | 'popcount'
  | 'fneg'
  | 'fabs'
  | 'fsqrt' // correctly rounded
  | 'ffloor'
  | 'fceil'
  | 'ftrunc'
  | 'frint'; // to nearest, ties to even

/** Operand: x. Result: same type. */
export interface Unary extends Common {
  readonly op: 'unary';
  readonly fn: UnaryFunction;
}

export type BinaryFunction =
  | 'iadd'
  | 'isub'
  | 'imul'
  | 'sdiv' // truncating
  | 'udiv'
  | 'srem' // sign of the dividend
  | 'urem'
  | 'and' // bool or int
  | 'or'
  | 'xor'
  | 'shl' // count modulo width
  | 'sshr'
  | 'ushr'
  | 'rotl' // count modulo width
  | 'smin'
  | 'smax'
  | 'umin'
  | 'umax'
  | 'smulhi' // upper half of the double-width product
  | 'umulhi'
  | 'fadd'
  | 'fsub'
  | 'fmul'
  | 'fdiv' // correctly rounded
  | 'fmin' // if one operand is NaN, the other
  | 'fmax'
  | 'fcopysign'; // magnitude of the first, sign of the second

/** Operands: a, b of one type. Result: same type. */
export interface Binary extends Common {
  readonly op: 'binary';
  readonly fn: BinaryFunction;
  /** fadd, fsub, fmul: may be fused with a neighbouring operation, skipping one rounding. */
  readonly contract?: boolean;
  /** fadd, fsub: a sum of several terms that is made of such operations may be added up in any order. */
  readonly reassociate?: boolean;
}

/** Operands: a, b, c of one float type. Result: a * b + c, rounded once. */
export interface FusedMultiplyAdd extends Common {
  readonly op: 'fma';
}

export type CompareFunction =
  | 'eq'
  | 'ne'
  | 'slt'
  | 'sle'
  | 'sgt'
  | 'sge'
  | 'ult'
  | 'ule'
  | 'ugt'
  | 'uge'
  | 'feq' // the ordered comparisons: false if an operand is NaN
  | 'fne' // true if an operand is NaN
  | 'flt'
  | 'fle'
  | 'fgt'
  | 'fge';

/** Operands: a, b of one type (eq, ne and u-forms on pointers too). Result: bool, or a vector of bool. */
export interface Compare extends Common {
  readonly op: 'compare';
  readonly fn: CompareFunction;
}

/** Operands: condition (bool, or a vector of bool with the lanes of the others), a, b. Result: a where true, else b. */
export interface Select extends Common {
  readonly op: 'select';
}

export type ConvertFunction =
  | 'sext' // int or bool to a wider int (bool true becomes all ones)
  | 'zext' // int or bool to a wider int (bool true becomes 1)
  | 'trunc' // int to a narrower int
  | 'stof' // signed int to float
  | 'utof' // unsigned int to float
  | 'ftos' // float to signed int
  | 'ftou' // float to unsigned int
  | 'fwiden'
  | 'fnarrow'
  | 'bitcast' // the same number of bits, lanes may differ; lane 0 is the lowest bytes
  | 'ptoi' // pointer to int of address width
  | 'itop' // int of address width to pointer
  | 'space'; // pointer to pointer of another address space

/** To nearest even, toward zero, up, down (OpenCL 1.2, 6.2.3.2). */
export type RoundingMode = 'rte' | 'rtz' | 'rtp' | 'rtn';

/** Operand: x. Result: its conversion to the result's type; lane counts are equal but for bitcast. */
export interface Convert extends Common {
  readonly op: 'convert';
  readonly fn: ConvertFunction;
  /** Default: rtz for ftos and ftou, rte for stof, utof and fnarrow. */
  readonly rounding?: RoundingMode | undefined;
  /** ftos, ftou: clamp to the range of the result, NaN to 0. */
  readonly saturate?: boolean;
}

/** Operand: a scalar. Result: a vector, every lane that scalar. */
export interface Splat extends Common {
  readonly op: 'splat';
}

/** Operands: one scalar a lane. Result: the vector of them. */
export interface Build extends Common {
  readonly op: 'build';
}

/** Operand: a vector. Result: one lane of it. */
export interface Extract extends Common {
  readonly op: 'extract';
  readonly lane: number;
}

/** Operands: a vector, a scalar. Result: the vector with one lane replaced. */
export interface Insert extends Common {
  readonly op: 'insert';
  readonly lane: number;
}

/** Operands: vectors a, b of one type. Result: lanes picked from a's then b's; a negative index means any value. */
export interface Shuffle extends Common {
  readonly op: 'shuffle';
  readonly lanes: readonly number[];
}

/** Result: pointer to `size` bytes, private to the work-item or shared by the work-group. Uninitialised. */
export interface Variable extends Common {
  readonly op: 'variable';
  readonly space: 'private' | 'local';
  readonly size: number;
  readonly align: number;
  readonly name: string;
  /** Work-group form: one copy a work-item, reached through `item_address`. */
  readonly perItem?: boolean;
  /**
   * With `perItem`: the copies lie element by element, first what is element 0 of each work-item in the order of their
   * linear ids, then element 1 of each, and so on. Byte b of a copy, a multiple of this size, is then b times the number
   * of work-items away from the copy's `item_address`. A divisor of `size`.
   */
  readonly elementSize?: number;
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
}

/** Operands: pointer, value. */
export interface Store extends Common {
  readonly op: 'store';
  readonly align: number;
  readonly volatile?: boolean;
}

/** Operands: pointer, mask. Result: a vector with the mask's lanes, which lie one after another; see "Packs". */
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

/** Operand: a mask. Result: bool. */
export interface Test extends Common {
  readonly op: 'test';
  readonly fn: 'any' | 'all';
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

/** i32, i64, and f32 or f64 for load, store and exchange. */
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

/** Every work-item of the group arrives before any goes on; accesses to `spaces` before it are seen after it. */
export interface Barrier extends Common {
  readonly op: 'barrier';
  readonly spaces: readonly AddressSpace[];
  /** Only the work-items of a sub-group wait for each other. */
  readonly scope?: 'sub-group' | undefined;
}

/** How two values of work-items become one; the order in which a sum of floats is made is open. */
export type CombineFunction =
  | 'iadd'
  | 'fadd'
  | 'and'
  | 'or'
  | 'smin'
  | 'smax'
  | 'umin'
  | 'umax'
  | 'fmin' // what is said of NaN by the binary functions of this name does not hold here: any of the two
  | 'fmax';

/**
 * A function of the values that all work-items of a work-group or sub-group bring along (OpenCL 2.0, 6.13.15). Operands:
 * the value, a scalar; for `broadcast` then the linear id within the group of the one whose value is meant, the same
 * for all. Result: `reduce` all values combined; `scan_inclusive` those of work-items with linear ids up to the own one,
 * `scan_exclusive` without it; `broadcast` the value meant. A barrier that orders no memory.
 */
export interface Collective extends Common {
  readonly op: 'collective';
  readonly fn: 'reduce' | 'scan_inclusive' | 'scan_exclusive' | 'broadcast';
  /** Of `broadcast` without meaning: `or`. */
  readonly combine: CombineFunction;
  readonly scope: 'work-group' | 'sub-group';
}

/**
 * OpenCL 1.2, 6.12.13. Operands: the values that the format asks for, in order, of any type that can be stored. Result:
 * i32, 0, or -1 if there was no room for the text.
 */
export interface Printf extends Common {
  readonly op: 'printf';
  /** The format's bytes, one a character, without the zero at its end. */
  readonly format: string;
}

export type QueryFunction =
  | 'global_id'
  | 'local_id'
  | 'group_id'
  | 'global_size'
  | 'local_size' // of this group
  | 'enqueued_local_size' // of groups that are not cut off at the end of the range
  | 'num_groups'
  | 'global_offset'
  | 'work_dim' // i32; no dimension
  | 'linear_local_id'; // no dimension: (z * size_y + y) * size_x + x

/** Result: an integer of address width (i32 for work_dim). */
export interface Query extends Common {
  readonly op: 'query';
  readonly fn: QueryFunction;
  readonly dimension: 0 | 1 | 2;
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

/**
 * Operands: the arguments. Results: none or one. Calls never recur, directly or through others, but in programs for the
 * host.
 */
export interface Call extends Common {
  readonly op: 'call';
  callee: Function;
}

/**
 * Result: a private pointer to the function, never null. In modules that are no programs for the host, the function is a
 * kernel for others to launch, and the pointer good for nothing else.
 */
export interface FunctionAddress extends Common {
  readonly op: 'function_address';
  readonly callee: Function;
}

/** Programs for the host. Operands: a pointer to a function, then the arguments. Results: none or one. */
export interface CallIndirect extends Common {
  readonly op: 'call_indirect';
}

/** Work-group form. Result-less; reserves one cell of `type` for each work-item. Stands at the top of the body. */
export interface Slot extends Common {
  readonly op: 'slot';
  readonly type: Type;
  readonly name: string;
  /**
   * One cell for all work-items, in which what each writes is combined, in any order. One `items` writes it, not under a
   * condition; outside, after that, `slot_read` gives what has come together since the `items` began. With
   * {@link SlotWrite.scan} the order is that of the work-items.
   */
  readonly combine?: CombineFunction | undefined;
}

/** Inside `items`. Result: the current work-item's cell of `slot`; in a packed region the cells of the pack. */
export interface SlotRead extends Common {
  readonly op: 'slot_read';
  readonly slot: Slot;
  /** See "Rows"; default 0. */
  readonly row?: number | undefined;
}

/**
 * Inside `items`. Operand: the value to keep in the current work-item's cell of `slot`. With `scan`, of a cell of all
 * work-items, result: what came together in it before this value, or with it. The operand is then that of one work-item, or in a
 * packed region what those of the pack come to.
 */
export interface SlotWrite extends Common {
  readonly op: 'slot_write';
  readonly slot: Slot;
  readonly scan?: 'exclusive' | 'inclusive' | undefined;
  /** See "Rows"; default 0. */
  readonly row?: number | undefined;
}

/**
 * Inside `items`. Operand: the result of a `perItem` variable. Result: pointer to the current work-item's copy; in a
 * packed region a vector of their addresses, or a pointer to the first one's if the variable has an `elementSize`: the
 * others' follow so many bytes apart.
 */
export interface ItemAddress extends Common {
  readonly op: 'item_address';
  /** See "Rows"; default 0. */
  readonly row?: number | undefined;
}

/**
 * Work-group form, outside `items`. Operand: the result of a `perItem` variable with an `elementSize`. Result: pointer to
 * the first work-item's copy, which the others' follow.
 */
export interface CopiesAddress extends Common {
  readonly op: 'copies_address';
}

/**
 * Work-group form. Region: what each work-item of the group does, one after another in any order. With `lanes`, a
 * second region: what a pack of so many does together (see "Packs" above). With `rows`, a last region: what so many
 * neighbours along dimension 1, or packs of them, do together (see "Rows").
 */
export interface Items extends Common {
  readonly op: 'items';
  lanes?: LaneCount | undefined;
  rows?: number | undefined;
}

/** Operand: condition. Regions: then, else. Results: what the taken one yields. */
export interface If extends Common {
  readonly op: 'if';
}

/** Operand: integer. Regions: one a case, then the default. Results: what the taken one yields. */
export interface Switch extends Common {
  readonly op: 'switch';
  /** `cases[i]` lists the operand's values that choose `regions[i]`; no value stands twice. */
  readonly cases: readonly (readonly (number | bigint)[])[];
}

/** Region: body. Results: what a `break` to it or the final `yield` carries. */
export interface Block extends Common {
  readonly op: 'block';
}

/** Operands: initial values. Region: body, with one parameter an operand. Results: what `break` carries. */
export interface Loop extends Common {
  readonly op: 'loop';
  /** From `#pragma unroll` or its attribute: 0 means as far as possible. */
  readonly unroll?: number | undefined;
}

/** Terminator. Operands: the results of the `if`, `switch` or `block` whose region ends here. */
export interface Yield extends Common {
  readonly op: 'yield';
}

/** Terminator. Operands: the results of `target`, which encloses it. */
export interface Break extends Common {
  readonly op: 'break';
  target: Block | Loop;
}

/** Terminator. Operands: new values for the parameters of `target`, which encloses it. */
export interface Continue extends Common {
  readonly op: 'continue';
  target: Loop;
}

/** Terminator. Operand: the function's result, if it has one. */
export interface Return extends Common {
  readonly op: 'return';
}

/** Terminator of a region whose end is never reached. */
export interface Unreachable extends Common {
  readonly op: 'unreachable';
}

export type Terminator = Yield | Break | Continue | Return | Unreachable;
export type Structured = If | Switch | Block | Loop | Items;

export type Instruction =
  | Constant
  | Undefined
  | Unary
  | Binary
  | FusedMultiplyAdd
  | Compare
  | Select
  | Convert
  | Splat
  | Build
  | Extract
  | Insert
  | Shuffle
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
  | Test
  | Copy
  | Fill
  | Atomic
  | Fence
  | Barrier
  | Collective
  | Printf
  | Query
  | ImageRead
  | ImageWrite
  | ImageQuery
  | Call
  | FunctionAddress
  | CallIndirect
  | Slot
  | SlotRead
  | SlotWrite
  | ItemAddress
  | CopiesAddress
  | Structured
  | Terminator;

export type Opcode = Instruction['op'];

/** Whether the instruction ends its region. */
export function isTerminator(instruction: Instruction): instruction is Terminator {
  switch (instruction.op) {
    case 'yield':
    case 'break':
    case 'continue':
    case 'return':
    case 'unreachable':
      return true;
    default:
      return false;
  }
}

/** Whether work-items wait for each other here. */
export function isBarrier({ op }: Instruction): boolean {
  return op === 'barrier' || op === 'collective';
}

/**
 * Whether the instruction only computes its results from its operands and attributes: it may then be removed
 * when unused, moved, and shared with an equal one. Queries are pure: one work-item always gets the same answer. So are
 * reads of an image that may only be read: it cannot change meanwhile.
 */
export function isPure(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'constant':
    case 'undefined':
    case 'unary':
    case 'binary':
    case 'fma':
    case 'compare':
    case 'select':
    case 'convert':
    case 'splat':
    case 'build':
    case 'extract':
    case 'insert':
    case 'shuffle':
    case 'global_address':
    case 'function_address':
    case 'in_space':
    case 'offset':
    case 'query':
    case 'image_query':
    case 'item_address':
    case 'copies_address':
    case 'test':
      return true;
    case 'image_read':
      return imageTypeFacts(instruction.operands[0]!.type)?.access === 'read_only';
    default:
      return false;
  }
}
