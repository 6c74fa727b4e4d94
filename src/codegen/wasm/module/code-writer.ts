/**
 * Writes the instructions of one function and keeps its locals. It is the layer between bytes and meaning: labels
 * are objects instead of relative depths, locals are handed out and taken back, and a `set` that is at once
 * followed by a `get` of the same local becomes a `tee`.
 */

import type * as ir from '../../../ir/ir.ts';
import type { Span } from '../../../source/span.ts';
import type { AccessMark } from '../memory/access-sites.ts';
import { ByteBuffer } from './byte-buffer.ts';
import { type EncodedFunction, type FunctionSignature, typeCodes, type WasmType } from './encoder.ts';
import { CodegenError } from './error.ts';
import { type OpName, opcodes } from './opcodes.ts';

/** The end of a block or the head of a loop: a place to branch to. */
export interface Label {
  /** How many blocks were open once its own was. */
  readonly depth: number;
}

const emptyBlockType = 0x40;

/** The limits of the WebAssembly JavaScript interface on one function. */
const mostLocals = 50_000;
const mostBytes = 7_654_321 - 1024;

export class CodeWriter {
  readonly name: string;
  readonly signature: FunctionSignature;
  readonly #code = new ByteBuffer(512);
  readonly #locals: WasmType[] = [];
  readonly #names = new Map<number, string>();
  readonly #free: Record<WasmType, number[]> = { i32: [], i64: [], f32: [], f64: [], v128: [] };
  #depth = 0;
  /** Where the last instruction began if it was a `local.set`, and of what. */
  #lastSetAt = -1;
  #lastSetLocal = -1;
  #lastSetEnd = -1;
  /**
   * Whether locals of vectors serve one value each, for a compiler that makes registers of them and looks for what the parts of a value do alike. Where the
   * next value of a loop's variable has that one's local by chance, in one part of four, it is written earlier than the others.
   */
  vectorsApart = false;
  /** What memory instructions are emitted for now; see `access-sites.ts`. */
  access: ir.Instruction | undefined;
  readonly #marks: AccessMark[] = [];

  constructor(name: string, signature: FunctionSignature, parameterNames: readonly string[] = []) {
    this.name = name;
    this.signature = signature;
    parameterNames.forEach((one, index) => {
      this.#names.set(index, one);
    });
  }

  // -------------------------------------------------------------------------------------------- locals

  /** A local of the type, new or one that was released; its content is unknown. */
  allocate(type: WasmType, name?: string): number {
    const local = this.#free[type].pop();
    if (local !== undefined) {
      // A local that serves several values bears no one's name.
      if (this.#names.get(local) !== name) this.#names.delete(local);
      return local;
    }
    this.#locals.push(type);
    const index = this.signature.parameters.length + this.#locals.length - 1;
    if (name) this.#names.set(index, name);
    return index;
  }

  /** Gives a local back for other uses. */
  release(local: number): void {
    const type = this.typeOf(local);
    if (!this.vectorsApart || type !== 'v128') this.#free[type].push(local);
  }

  /** Keeps those of the locals that are free from being taken. Gives them, to be released again. */
  hold(locals: readonly number[]): number[] {
    const held = [...new Set(locals)].filter((local) => this.#free[this.typeOf(local)].includes(local));
    for (const local of held) {
      const free = this.#free[this.typeOf(local)];
      free.splice(free.indexOf(local), 1);
    }
    return held;
  }

  typeOf(local: number): WasmType {
    const { parameters } = this.signature;
    return (local < parameters.length ? parameters[local] : this.#locals[local - parameters.length])!;
  }

  get(local: number): void {
    if (this.#lastSetEnd === this.#code.length && this.#lastSetLocal === local) {
      this.#code.patch(this.#lastSetAt, opcodes['local.tee']);
      this.#lastSetEnd = -1;
      return;
    }
    this.#code.byte(opcodes['local.get']);
    this.#code.u32(local);
  }

  set(local: number): void {
    this.#lastSetAt = this.#code.length;
    this.#code.byte(opcodes['local.set']);
    this.#code.u32(local);
    this.#lastSetLocal = local;
    this.#lastSetEnd = this.#code.length;
  }

  tee(local: number): void {
    this.#code.byte(opcodes['local.tee']);
    this.#code.u32(local);
  }

  /** Pops the top of the stack into a local that the caller must release. */
  toTemporary(type: WasmType): number {
    const local = this.allocate(type);
    this.set(local);
    return local;
  }

  // -------------------------------------------------------------------------------------- instructions

  /** An instruction without immediates. */
  op(name: OpName): void {
    const code = opcodes[name];
    if (code < 0x100) this.#code.byte(code);
    else {
      this.#code.byte(code >>> 12);
      this.#code.u32(code & 0xfff);
    }
  }

  i32(value: number): void {
    this.#code.byte(opcodes['i32.const']);
    this.#code.s32(value);
  }

  i64(value: bigint): void {
    this.#code.byte(opcodes['i64.const']);
    this.#code.s64(value);
  }

  f32(value: number): void {
    this.#code.byte(opcodes['f32.const']);
    this.#code.f32(value);
  }

  f64(value: number): void {
    this.#code.byte(opcodes['f64.const']);
    this.#code.f64(value);
  }

  v128(bytes: Uint8Array): void {
    this.op('v128.const');
    this.#code.bytes(bytes);
  }

  /** A load, store or atomic access; the alignment in bytes is a promise and must not exceed the natural one. */
  memory(name: OpName, offset: number, align: number): void {
    this.#mark();
    this.op(name);
    this.#code.u32(31 - Math.clz32(align));
    this.#code.u32(offset);
  }

  memoryLane(name: OpName, offset: number, align: number, lane: number): void {
    this.memory(name, offset, align);
    this.#code.byte(lane);
  }

  lane(name: OpName, lane: number): void {
    this.op(name);
    this.#code.byte(lane);
  }

  /** i8x16.shuffle: sixteen byte indices, 0 to 15 from the first operand, 16 to 31 from the second. */
  shuffle(bytes: readonly number[]): void {
    this.op('i8x16.shuffle');
    for (const one of bytes) this.#code.byte(one);
  }

  #mark(): void {
    if (this.access) this.#marks.push({ at: this.#code.length, instruction: this.access });
  }

  memoryCopy(): void {
    this.#mark();
    this.op('memory.copy');
    this.#code.byte(0);
    this.#code.byte(0);
  }

  memoryFill(): void {
    this.#mark();
    this.op('memory.fill');
    this.#code.byte(0);
  }

  atomicFence(): void {
    this.op('atomic.fence');
    this.#code.byte(0);
  }

  call(index: number): void {
    this.#code.byte(opcodes.call);
    this.#code.u32(index);
  }

  /** Calls what the table holds at the place on the stack; traps if that is of another type. */
  callIndirect(typeIndex: number): void {
    this.#code.byte(opcodes.call_indirect);
    this.#code.u32(typeIndex);
    this.#code.byte(0);
  }

  memorySize(): void {
    this.op('memory.size');
    this.#code.byte(0);
  }

  memoryGrow(): void {
    this.op('memory.grow');
    this.#code.byte(0);
  }

  globalSet(index: number): void {
    this.#code.byte(opcodes['global.set']);
    this.#code.u32(index);
  }

  globalGet(index: number): void {
    this.#code.byte(opcodes['global.get']);
    this.#code.u32(index);
  }

  // --------------------------------------------------------------------------------------- control flow

  /** Opens a block, a loop or (with its condition on the stack) an if. */
  open(kind: 'block' | 'loop' | 'if', result?: WasmType): Label {
    this.#code.byte(opcodes[kind]);
    this.#code.byte(result === undefined ? emptyBlockType : typeCodes[result]);
    this.#depth++;
    return { depth: this.#depth };
  }

  else(): void {
    this.#code.byte(opcodes.else);
  }

  end(): void {
    this.#code.byte(opcodes.end);
    this.#depth--;
  }

  branch(to: Label): void {
    this.#code.byte(opcodes.br);
    this.#code.u32(this.#depth - to.depth);
  }

  branchIf(to: Label): void {
    this.#code.byte(opcodes.br_if);
    this.#code.u32(this.#depth - to.depth);
  }

  /** Branches to `targets[i]` for the i on the stack, read unsigned, and to `otherwise` beyond their end. */
  branchTable(targets: readonly Label[], otherwise: Label): void {
    this.#code.byte(opcodes.br_table);
    this.#code.u32(targets.length);
    for (const target of targets) this.#code.u32(this.#depth - target.depth);
    this.#code.u32(this.#depth - otherwise.depth);
  }

  /**
   * Ends the function.
   * @param span of the function in the source
   * @throws CodegenError if it is larger than engines accept
   */
  finish(exportName?: string, span?: Span): EncodedFunction {
    if (this.#locals.length > mostLocals || this.#code.length > mostBytes) {
      throw new CodegenError(
        `'${this.name}' is too large: engines take no more than ${mostLocals} locals and ${mostBytes} bytes a function`,
        span,
      );
    }
    this.#code.byte(opcodes.end);
    return {
      name: this.name,
      signature: this.signature,
      locals: this.#locals,
      localNames: this.#names,
      code: this.#code,
      marks: this.#marks,
      exportName,
    };
  }
}
