/**
 * Analysis: how the accesses of a function step through memory: by how many bytes the address of each differs in the next iteration of
 * every loop around it, those over work-items and groups among them (loop-nests.ts).
 *
 *     sum += a[y * n + k] * b[k * n + x];                          lane      row       loop k
 *                                                    a[...]        0         unknown   4
 *                                                    b[...]        4         0         unknown
 *
 * A stride is `unknown` where neighbours are the same distance apart, which only the launch tells (n rows of so many bytes), and
 * `varying` where they are not. Strides are modulo the width of addresses, as pointers are. Work-items are compared at the same place and
 * in the same iterations, groups that are of one size.
 *
 * Images are no memory, and what called functions do is not in the map ({@link AccessMap.hasCalls}).
 */
import { hasEffect } from '../../ir/effects.ts';
import type * as ir from '../../ir/ir.ts';
import { sizeOf, type Type } from '../../ir/types.ts';
import { walkFunction } from '../../ir/walk.ts';
import type { AffineForms } from './affine-forms.ts';
import type { Memory, Root } from './alias.ts';
import type { Analyses, Analysis } from './analyses.ts';
import { type Dimension, type LoopNests, loopNests, type NestLoop } from './loop-nests.ts';
import { findMasked } from './masked-code.ts';
import { constantOf, type Polynomial } from './polynomials.ts';
import { ScalarEvolution } from './scalar-evolution.ts';
import type { Across, Uniformity } from './uniformity.ts';

/** Bytes from one iteration to the next. */
export type Stride = number | 'unknown' | 'varying';

export type AccessKind = 'read' | 'write' | 'update';

/** How the addresses of neighbours lie, as a vector of them finds it. */
export type Pattern =
  /** All at one place. */
  | { readonly kind: 'uniform' }
  /** Side by side. */
  | { readonly kind: 'consecutive' }
  /** A known number of bytes apart. */
  | { readonly kind: 'strided'; readonly stride: number }
  /** Anywhere, or at a distance that only the launch knows. */
  | { readonly kind: 'gather' };

/** One access of one work-item; of a vector or of several rows in regions for those. */
export interface Access {
  /** `copy` has two accesses. */
  readonly instruction: ir.Instruction;
  readonly kind: AccessKind;
  readonly pointer: ir.Value;
  /** Where the pointer comes from. */
  readonly root: Root;
  /** How many bytes; undefined for copies and fills of a length that is not constant. */
  readonly bytes: number | undefined;
  /** The alignment that may be relied on. */
  readonly align: number;
  /** The innermost loop around it. */
  readonly loop: NestLoop;
  /** The address, if the access has one only. */
  readonly address: Polynomial | undefined;
  readonly isVolatile: boolean;
}

/** What the access map is found from; `Analyses` has all of it. */
export interface AccessParts {
  readonly definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  readonly forms: AffineForms;
  readonly memory: Memory;
  readonly nests: LoopNests;
  uniformity(across: Across): Uniformity;
}

export class AccessMap {
  /** In the order of the text. */
  readonly accesses: readonly Access[];
  /** Whether functions are called, whose accesses nothing is known of. */
  readonly hasCalls: boolean;
  readonly nests: LoopNests;
  readonly evolution: ScalarEvolution;
  readonly #fn: ir.Function;
  readonly #parts: AccessParts;
  readonly #of = new Map<ir.Instruction, Access[]>();
  readonly #masked = new Map<Across, ReadonlySet<ir.Instruction>>();
  readonly #strides = new Map<Access, Map<NestLoop, Stride>>();

  /** @param fn with a body; it must not change while this is used */
  constructor(fn: ir.Function, addressBits: 32 | 64, parts: AccessParts) {
    this.#fn = fn;
    this.#parts = parts;
    this.nests = parts.nests;
    this.evolution = new ScalarEvolution(parts.nests, parts.definitions);
    const accesses: Access[] = [];
    let hasCalls = false;
    walkFunction(fn, (instruction) => {
      if (instruction.op === 'call_indirect' || (instruction.op === 'call' && hasEffect(instruction)))
        hasCalls = true;
      for (const reach of reachesOf(instruction, addressBits / 8)) {
        const access = this.#describe(instruction, reach);
        accesses.push(access);
        const own = this.#of.get(instruction);
        if (own) own.push(access);
        else this.#of.set(instruction, [access]);
      }
    });
    this.accesses = accesses;
    this.hasCalls = hasCalls;
  }

  /** The accesses of an instruction: none, one, or the two of a copy, the one that writes first. */
  of(instruction: ir.Instruction): readonly Access[] {
    return this.#of.get(instruction) ?? [];
  }

  /** From one iteration of a loop to the next; 0 for loops that are not around the access, but for those of groups. */
  along(access: Access, loop: NestLoop): Stride {
    let strides = this.#strides.get(access);
    if (!strides) {
      strides = new Map();
      this.#strides.set(access, strides);
    }
    let stride = strides.get(loop);
    if (stride === undefined) {
      stride = this.strideOf(access.address, loop);
      strides.set(loop, stride);
    }
    return stride;
  }

  /** From one work-item to the next along a dimension: lane (0), row (1) or slice (2); from one vector, or block of rows, in regions for those. */
  alongItems(access: Access, dimension: Dimension): Stride {
    const loop = this.nests.itemLoop(access.loop, dimension);
    return loop ? this.along(access, loop) : 0;
  }

  /** From one group to the next along a dimension. */
  alongGroups(access: Access, dimension: Dimension): Stride {
    return this.along(access, this.nests.groupLoop(dimension));
  }

  /** How the addresses of neighbours along dimension 0, or along another one, lie. */
  pattern(access: Access, dimension: Dimension = 0): Pattern {
    const stride = this.alongItems(access, dimension);
    if (typeof stride !== 'number') return { kind: 'gather' };
    if (stride === 0) return { kind: 'uniform' };
    return stride === access.bytes ? { kind: 'consecutive' } : { kind: 'strided', stride };
  }

  /** Whether some of the work-items that are compared may not do an access while others do. */
  isMasked({ instruction }: Access, across: Across = 'row'): boolean {
    let masked = this.#masked.get(across);
    if (!masked) {
      masked = findMasked(this.#fn.body!, this.#parts.uniformity(across));
      this.#masked.set(across, masked);
    }
    return masked.has(instruction);
  }

  /** How a pointer steps along a loop. */
  strideOfPointer(pointer: ir.Value, loop: NestLoop): Stride {
    return this.strideOf(this.evolution.of(pointer), loop);
  }

  strideOf(address: Polynomial | undefined, loop: NestLoop): Stride {
    const change = address && this.evolution.change(address, loop);
    return change ? (constantOf(change) ?? 'unknown') : 'varying';
  }

  #describe(instruction: ir.Instruction, { kind, pointer, bytes, align, isScattered }: Reach): Access {
    return {
      instruction,
      kind,
      pointer,
      root: this.#parts.memory.accessedBy(instruction, pointer),
      bytes: typeof bytes === 'object' ? this.#constant(bytes) : bytes,
      align,
      loop: this.nests.around(instruction),
      address: isScattered ? undefined : this.evolution.of(pointer),
      isVolatile: 'volatile' in instruction && instruction.volatile === true,
    };
  }

  #constant(value: ir.Value): number | undefined {
    const { terms, constant } = this.#parts.forms.of(value);
    return terms.size === 0 ? constant : undefined;
  }
}

/** For `Analyses`, by the width of addresses. */
export const accessMap: Readonly<Record<32 | 64, Analysis<AccessMap>>> = {
  32: (fn, known) => newMap(fn, 32, known),
  64: (fn, known) => newMap(fn, 64, known),
};

function newMap(fn: ir.Function, addressBits: 32 | 64, known: Analyses): AccessMap {
  const { definitions, forms, memory } = known;
  const uniformity = (across: Across): Uniformity => known.uniformity(across);
  return new AccessMap(fn, addressBits, {
    definitions,
    forms,
    memory,
    nests: known.get(loopNests),
    uniformity,
  });
}

/** What an instruction reaches by itself. */
interface Reach {
  readonly kind: AccessKind;
  readonly pointer: ir.Value;
  /** Or the value that says. */
  readonly bytes: number | ir.Value;
  readonly align: number;
  /** Each lane has an address of its own. */
  readonly isScattered?: boolean;
}

function reachesOf(instruction: ir.Instruction, addressBytes: number): Reach[] {
  const { operands, results } = instruction;
  const [pointer, second, third] = operands as [ir.Value, ir.Value, ir.Value];
  const size = (type: Type): number => sizeOf(type, addressBytes);
  switch (instruction.op) {
    case 'load':
    case 'masked_load':
      return [{ kind: 'read', pointer, bytes: size(results[0]!.type), align: instruction.align }];
    case 'store':
    case 'masked_store':
      return [{ kind: 'write', pointer, bytes: size(second.type), align: instruction.align }];
    case 'gather': {
      const bytes = size(results[0]!.type);
      return [{ kind: 'read', pointer, bytes, align: instruction.align, isScattered: true }];
    }
    case 'scatter': {
      const bytes = size(third.type);
      return [{ kind: 'write', pointer, bytes, align: instruction.align, isScattered: true }];
    }
    case 'copy': {
      const { align } = instruction;
      return [
        { kind: 'write', pointer, bytes: third, align },
        { kind: 'read', pointer: second, bytes: third, align },
      ];
    }
    case 'fill':
      return [{ kind: 'write', pointer, bytes: second, align: instruction.align }];
    case 'atomic': {
      const bytes = size(instruction.fn === 'load' ? results[0]!.type : second.type);
      const kind = instruction.fn === 'load' ? 'read' : instruction.fn === 'store' ? 'write' : 'update';
      return [{ kind, pointer, bytes, align: bytes }];
    }
    default:
      return [];
  }
}
