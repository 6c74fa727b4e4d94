/**
 * The intermediate representation: one typed program form for every language Millrace reads and every
 * machine it writes for. This page and the kinds of instructions in `instructions/` are its definition; `interpreter.ts` is
 * its meaning, made executable.
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
 * work-items of the group, wherever the instruction is. Every load and store says its type (through
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
 * `reassociate` may be added up in any order, and from either zero; an `fdiv` marked so may be a product with the reciprocal.
 *
 * ## Work-items
 *
 * As the languages deliver it, a kernel's body says what *one work-item* does; `query` asks who it is, and
 * `barrier` waits for the others of its work-group. The pass `form-work-item-loops` rewrites this into
 * *work-group form* ({@link Function.form} is `work-group`): the body then says what one work-group does, and a
 * `work_item_loop` instruction runs its region once for each work-item, with no barrier inside. In this form:
 *
 * - Outside work-item loops no per-item query (`local_id`, `global_id`, `linear_local_id`) may occur, and every value is the
 *   same for all work-items of the group.
 * - A value that must live from one work-item loop to the next has a *context array*: a `context_array` instruction (at the
 *   top of the body) reserves one cell for each work-item; `context_read` and `context_write` inside the loops mean the current one's.
 * - A private variable whose bytes must live across work-item loops is a `variable` marked `perItem`, and
 *   `item_address` inside a loop gives the current work-item's copy.
 * - The region of a work-item loop yields nothing, and no `break`, `continue` or `return` leaves it.
 *
 * ## Kernels that kernels launch
 *
 * A kernel may call functions that the machine supplies ({@link Function.imported} from `queue`; device-queues.ts lists
 * them): among them one that puts a kernel marked {@link KernelAttributes.isBlock} into a queue of the device.
 * `function_address` says which; in modules that are no programs for the host it has no other use. Such a kernel
 * begins when its turn has come, never inside the call.
 *
 * ## Vector regions
 *
 * The pass `vectorise` may give a work-item loop a second region and a number of {@link WorkItemLoop.lanes}, W. That
 * *vector region* does for W work-items, neighbours along dimension 0, what the first region, the *scalar region*, does for each:
 * in every row of the group (fixed y and z) it runs as long as there are W work-items, and the scalar region for those that are
 * left over at the row's end. In a vector region
 *
 * - what differs between the W work-items is a vector with a lane for each; a pointer that differs is an
 *   integer vector of addresses, or an address and a vector of byte offsets;
 * - `local_id`, `global_id` and `linear_local_id` are those of the first of them;
 * - `context_read`, `context_write` and `item_address` deal with the cells of all of them: vectors again;
 * - a *mask* is a vector of bool that says which work-items take part. An instruction with a mask (`masked_load`,
 *   `masked_store`, `gather`, `scatter`) touches only the memory of lanes whose truth value is true, and
 *   gives any value for the others. At least one lane must be true: control skips what nobody takes part in.
 *
 * ## Coarse regions
 *
 * The pass `thread-coarsening` may give a work-item loop a number of {@link WorkItemLoop.rows}, R, and a last region, the *coarse
 * region*. It does for R work-items, neighbours along dimension 1, what the first region does for each; where there is a
 * vector region, it does for R rows what that does for one. In every slice of the group (fixed z) it runs as long as there are R
 * rows, and in them as long as there are W work-items; what is left over (the last rows, and the ends of the others) runs as said
 * above. In it, ids are those of the first row, and `context_read`, `context_write` and `item_address` may say with `row` that they
 * mean the cell so many rows further on.
 *
 * ## Programs for the host
 *
 * A module marked {@link Module.isHosted} is no set of kernels but a program in plain C, with a `main`. It has one memory
 * and one thread: its pointers, those to program-scope variables too, are of private space, or of constant space where
 * nothing is written. In it, and in no other module, calls may recur, and each call has its own copies of the callee's
 * variables; `function_address` gives a pointer to a function, which may be kept in memory (and in the bytes of a
 * variable, see {@link GlobalVariable.functions}); `call_indirect` calls what such a pointer leads to, and stops the
 * program if that is no function of the operands' and the result's types. Such a pointer is no address of bytes. A
 * function without a body may be {@link Function.imported}.
 *
 * ## What instructions share
 *
 * Each instruction has `operands`, `results` and `regions`, so that most passes need not know them one by one;
 * what is particular to one kind (an alignment, a predicate) is a field of its own. A field with a default
 * meaning is absent when it means the default. `span` is the source place a tool shows.
 */
import type { Span } from '../source/span.ts';
import type { ImageAccess, ImageTypeName } from './images.ts';
import type { BinaryFunction, Computation } from './instructions/computations.ts';
import type { ControlInstruction, Terminator } from './instructions/control-flow.ts';
import type { MemoryInstruction } from './instructions/memory.ts';
import type { GroupInstruction } from './instructions/work-items.ts';
import type { Type } from './types.ts';

export type * from './instructions/computations.ts';
export type * from './instructions/control-flow.ts';
export type * from './instructions/memory.ts';
export type * from './instructions/work-items.ts';

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
  /** In a program for the host: each thread has one of its own (src/hosted/thread-locals.ts). */
  readonly isThreadLocal?: boolean | undefined;
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
  /** In a program for the host: it is called before `main` or after it, those with low priorities outermost. */
  readonly runs?: readonly { readonly when: 'before' | 'after'; readonly priority: number }[] | undefined;
  /** Rarely run, or large: calls of it stay calls where they can. */
  isOutlined?: boolean | undefined;
  /** Hardly ever run: whoever weighs costs leaves out the branches that call it. Set on outlined functions only. */
  isCold?: boolean | undefined;
  /**
   * What a function of the library does its work for, which says what becomes of calls that stay: `images` of formats that only a launch
   * knows, which keep work-items from running as vectors; or `pipes`, which do not, as one work-item after another calls it.
   */
  serves?: ServedObjects | undefined;
  /**
   * From the library that comes with Millrace, for kernels or for programs in C, and as it is there: optimised when the library was
   * built. Whoever changes the body clears this. Neither the text form nor the binary one tells it.
   */
  library?: 'opencl' | 'c' | undefined;
  /** Set on kernels only. */
  attributes?: KernelAttributes | undefined;
  /** Of kernels, set by the pass order-groups: for code generators that run many groups in a row. Neither form of the IR tells it. */
  groups?: GroupPlan | undefined;
  readonly span?: Span | undefined;
}

/** See {@link Function.serves}. */
export type ServedObjects = 'images' | 'pipes';

/** OpenCL 1.2, 6.7.2. */
export interface KernelAttributes {
  readonly requiredWorkGroupSize?: readonly [number, number, number] | undefined;
  readonly workGroupSizeHint?: readonly [number, number, number] | undefined;
  readonly vectorTypeHint?: string | undefined;
  /** Groups at the ends of the range may be smaller than the others (OpenCL 2.0, 5.8). */
  readonly mayCutGroups?: boolean | undefined;
  /** Launched by other kernels only (see "Kernels that kernels launch"): hosts do not see it. */
  readonly isBlock?: boolean | undefined;
  /**
   * Set by the pass interchange-dimensions: `done` if the body takes dimension 0 for dimension 1 and the other way round, and is to be launched
   * with sizes and offsets exchanged; `better` if that would pay. The binary form does not tell it.
   */
  readonly interchange?: 'better' | 'done' | undefined;
  /** The longest vectors for launches with short rows, if the kernel was compiled for such and cannot join its groups. The binary form does not tell it. */
  readonly rowLength?: number | undefined;
}

/** How the groups of a kernel had better follow each other (src/passes/workgroup/order-groups.ts). */
export interface GroupPlan {
  /** In strips of a few rows, each column of a strip from top to bottom. */
  readonly inStrips: boolean;
  /** Several at a time through the kernel's loops. */
  readonly isFused: boolean;
  /** Neighbours along dimension 0 as if they were one. */
  readonly isJoined: boolean;
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

/** What each kind means, with its operands, results and fields, is said where it is declared, in `instructions/`. */
export type Instruction = Computation | MemoryInstruction | GroupInstruction | ControlInstruction;

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

/** Whether the operands may change places. */
export function isCommutative(fn: BinaryFunction): boolean {
  switch (fn) {
    case 'iadd':
    case 'imul':
    case 'and':
    case 'or':
    case 'xor':
    case 'smin':
    case 'smax':
    case 'umin':
    case 'umax':
    case 'smulhi':
    case 'umulhi':
    case 'fadd':
    case 'fmul':
      return true;
    default:
      return false;
  }
}
