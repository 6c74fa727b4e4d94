/**
 * Selects machine instructions for one function of stack code, whose locals become virtual registers. Structured control becomes labels and jumps.
 */

import type { EncodedFunction, FunctionSignature, WasmType } from '../../wasm/module/encoder.ts';
import { CodegenError } from '../../wasm/module/error.ts';
import { general, immediate, instruction, label, memory, type Operand } from '../assembler/instruction.ts';
import { contextOffsets, kernelStatus, stopCondemned } from '../calling-convention.ts';
import { MachineFunction } from '../machine/function.ts';
import { loadFrom, storeTo } from '../machine/load-store.ts';
import { contextRegister, incomingBase, stackRegister } from '../machine/operation.ts';
import { type Branching, type ThreadedInstruction, threadConditions } from '../stack-code/conditions.ts';
import { readStackCode } from '../stack-code/reader.ts';
import type { ModuleSelector } from './module-selector.ts';
import { type Entry, newRegister, opposite, registerOf, ValueStack } from './values.ts';

interface Control {
  readonly kind: 'block' | 'loop' | 'if' | 'function';
  /** Where branches go. */
  readonly target: number;
  /** Of an if: where the other part begins. */
  otherwise: number | undefined;
  /** The register of what it leaves. */
  readonly result: { readonly type: WasmType; readonly number: number } | undefined;
  /** Entries of the stack below it. */
  readonly height: number;
  /** Whether its end is reached by a branch. */
  isTarget: boolean;
  /** Of an if: whether the end of its first part is reached. */
  reachesEnd: boolean;
}

/** Bytes that a value takes among arguments and results. */
export function layOut(types: readonly WasmType[]): {
  readonly offsets: readonly number[];
  readonly bytes: number;
} {
  let bytes = 0;
  const offsets = types.map((type) => {
    bytes += type === 'v128' ? 16 : 8;
    return bytes - (type === 'v128' ? 16 : 8);
  });
  return { offsets, bytes };
}

const spillBits: Readonly<Record<WasmType, number>> = { i32: 32, i64: 64, f32: 32, f64: 64, v128: 128 };

export class FunctionSelector {
  readonly module: ModuleSelector;
  readonly fn: MachineFunction;
  readonly stack: ValueStack;
  readonly #source: EncodedFunction;
  readonly #locals: { readonly type: WasmType; readonly number: number }[] = [];
  readonly #control: Control[] = [];
  /** Holds the address of the stop word, of functions with loops. */
  #stop: number | undefined;
  #reachable = true;
  /** Blocks that were opened in code that cannot be reached. */
  #skipped = 0;
  readonly #end: number;

  constructor(module: ModuleSelector, source: EncodedFunction) {
    this.module = module;
    this.fn = new MachineFunction(source.name, module.program);
    this.stack = new ValueStack(this.fn);
    this.#source = source;
    this.#end = this.fn.newLabel();
  }

  /** @param lineAt the line of the source that the instruction at this place of the body comes from */
  select(lineAt: (at: number) => number | undefined): MachineFunction {
    const { fn } = this;
    const { signature, locals, code } = this.#source;
    const { offsets } = layOut(signature.parameters);
    for (const type of [...signature.parameters, ...locals]) {
      this.#locals.push({ type, number: newRegister(fn, type) });
    }
    signature.parameters.forEach((type, index) => {
      const { kind } = registerOf(type, 0);
      const place = memory(spillBits[type], { base: incomingBase, offset: offsets[index]! });
      fn.append(loadFrom(place, kind, spillBits[type], this.#locals[index]!.number));
    });
    const body = threadConditions(readStackCode(code.view()));
    if (body.some(({ name }) => name === 'loop')) {
      this.#stop = fn.newGeneral(64);
      fn.emit(
        'mov',
        general(this.#stop, 64),
        memory(64, { base: general(contextRegister, 64), offset: contextOffsets.stop }),
      );
    }
    this.#control.push(this.#open('function', this.#end, undefined));
    for (const one of body) {
      fn.line = lineAt(one.at) ?? fn.line;
      this.#instruction(one);
    }
    fn.line = undefined;
    return fn;
  }

  // ------------------------------------------------------------------------------------------------- traps

  /** Ends the kernel with the status if the condition holds. */
  trapIf(condition: string, status: keyof typeof kernelStatus): void {
    this.fn.jump(`j${condition}`, this.module.trap(kernelStatus[status]), true);
  }

  // ------------------------------------------------------------------------------------------------ control

  #open(kind: Control['kind'], target: number, result: WasmType | undefined): Control {
    return {
      kind,
      target,
      otherwise: undefined,
      result: result && { type: result, number: newRegister(this.fn, result) },
      height: this.stack.entries.length,
      isTarget: false,
      reachesEnd: false,
    };
  }

  #instruction(one: ThreadedInstruction): void {
    const { fn, stack } = this;
    if (!this.#reachable) {
      this.#skip(one);
      return;
    }
    switch (one.name) {
      case 'block':
      case 'loop': {
        stack.settle();
        const target = fn.newLabel();
        this.#control.push(this.#open(one.name, target, one.result));
        if (one.name === 'loop') {
          fn.depth += 1;
          fn.place(target);
        }
        return;
      }
      case 'if': {
        const condition = one.branching ? undefined : stack.pop();
        stack.settle();
        const control = this.#open('if', fn.newLabel(), one.result);
        control.otherwise = one.branching?.otherwise ?? fn.newLabel();
        if (condition) this.#jumpUnless(condition, control.otherwise);
        this.#control.push(control);
        return;
      }
      case 'else':
        this.#else();
        return;
      case 'end':
        this.#endBlock();
        return;
      case 'br':
        this.#branch(this.#target(one.value));
        this.#reachable = false;
        return;
      case 'br_if': {
        const condition = stack.pop();
        this.#branchIf(this.#target(one.value), condition);
        return;
      }
      case 'br_table':
        this.#table(one.labels);
        this.#reachable = false;
        return;
      case 'return':
        this.#giveResults();
        fn.jump('jmp', this.#end);
        this.#control[0]!.isTarget = true;
        this.#reachable = false;
        return;
      case 'unreachable':
        fn.jump('jmp', this.module.trap(kernelStatus.unreachable), true);
        this.#reachable = false;
        return;
      case 'local.get': {
        const { type, number } = this.#locals[one.value]!;
        stack.push({ kind: 'register', type, number, local: true });
        return;
      }
      case 'local.set':
        if (one.branching) {
          this.#branchOn(one.branching, stack.pop());
          return;
        }
        this.#set(one.value, stack.pop());
        return;
      case 'local.tee': {
        this.#set(one.value, stack.pop());
        const { type, number } = this.#locals[one.value]!;
        stack.push({ kind: 'register', type, number, local: true });
        return;
      }
      case 'drop':
        stack.pop();
        return;
      case 'select':
        this.#select();
        return;
      case 'call':
        this.module.call(this, one.value);
        return;
      case 'i32.const':
        stack.push({ kind: 'number', type: 'i32', value: BigInt(one.value) });
        return;
      case 'i64.const':
        stack.push({ kind: 'number', type: 'i64', value: one.wide });
        return;
      case 'f32.const': {
        const bytes = new Uint8Array(Uint32Array.of(one.value).buffer);
        stack.push({ kind: 'bytes', type: 'f32', bytes });
        return;
      }
      case 'f64.const': {
        const bytes = new Uint8Array(BigUint64Array.of(one.wide).buffer);
        stack.push({ kind: 'bytes', type: 'f64', bytes });
        return;
      }
      case 'v128.const':
        stack.push({ kind: 'bytes', type: 'v128', bytes: one.bytes! });
        return;
      default: {
        const rule = this.module.rules.get(one.name);
        if (!rule) throw new CodegenError(`'${fn.name}': there is no machine code for ${one.name} yet`);
        rule(this, one);
      }
    }
  }

  /** Goes where a condition leads, at the end of a branch that knows it; what holds goes on behind the branches. */
  #branchOn(branching: Branching, entry: Entry): void {
    const condition = branching.isNegated ? negated(this.stack, entry) : entry;
    if (branching.leaves !== undefined) {
      this.#branchIf(this.#target(branching.leaves + 1), condition);
      return;
    }
    branching.otherwise ??= this.fn.newLabel();
    this.#jumpUnless(condition, branching.otherwise);
  }

  #set(local: number, entry: Entry): void {
    const { number } = this.#locals[local]!;
    if (entry.kind === 'register' && entry.number === number) return;
    this.stack.settle(number);
    this.stack.moveTo(number, entry);
  }

  #target(outwards: number): Control {
    return this.#control[this.#control.length - 1 - outwards]!;
  }

  /** Moves what the target takes from the stack's top, which stays there. */
  #giveTo(control: Control): void {
    if (control.kind === 'function') this.#giveResults(true);
    else if (control.result && control.kind !== 'loop') {
      this.stack.moveTo(control.result.number, this.stack.entries.at(-1)!);
    }
  }

  #branch(control: Control): void {
    this.#giveTo(control);
    this.#jump(control);
  }

  #jump(control: Control): void {
    if (control.kind === 'loop') this.#checkStop();
    this.fn.jump('jmp', control.target);
    control.isTarget = true;
  }

  /** Ends the kernel if somebody says so. */
  #checkStop(): void {
    this.fn.emit('cmp', memory(32, { base: general(this.#stop!, 64) }), immediate(stopCondemned));
    this.trapIf('e', 'stopped');
  }

  #branchIf(control: Control, condition: Entry): void {
    const { fn } = this;
    const gives = control.kind === 'function' || (control.result && control.kind !== 'loop');
    if (!gives && control.kind !== 'loop') {
      this.#jumpIf(condition, control.target);
      control.isTarget = true;
      return;
    }
    if (control.kind === 'loop') {
      // The stop word is looked at where the loop goes on, after its condition: before a jump that is hardly ever not taken.
      this.#checkStop();
      this.#jumpIf(condition, control.target);
      control.isTarget = true;
      return;
    }
    const past = fn.newLabel();
    this.#jumpUnless(condition, past);
    this.#branch(control);
    fn.place(past);
  }

  #jumpIf(condition: Entry, to: number): void {
    const { fn, stack } = this;
    if (condition.kind === 'number') {
      if (condition.value !== 0n) fn.jump('jmp', to);
      return;
    }
    if (condition.kind === 'flags') {
      fn.emit(condition.mnemonic, ...condition.operands);
      fn.jump(`j${condition.condition}`, to);
      return;
    }
    const register = general(stack.register(condition), 32);
    fn.emit('test', register, register);
    fn.jump('jne', to);
  }

  #jumpUnless(condition: Entry, to: number): void {
    if (condition.kind === 'number') {
      if (condition.value === 0n) this.fn.jump('jmp', to);
      return;
    }
    if (condition.kind === 'flags') {
      this.#jumpIf({ ...condition, condition: opposite(condition.condition) }, to);
      return;
    }
    const register = general(this.stack.register(condition), 32);
    this.fn.emit('test', register, register);
    this.fn.jump('je', to);
  }

  #else(): void {
    const control = this.#control.at(-1)!;
    if (this.#reachable) {
      this.#giveTo(control);
      this.fn.jump('jmp', control.target);
      control.reachesEnd = true;
    }
    this.stack.entries.length = control.height;
    this.fn.place(control.otherwise!);
    control.otherwise = undefined;
    this.#reachable = true;
  }

  #endBlock(): void {
    const { fn, stack } = this;
    const control = this.#control.pop()!;
    if (this.#reachable) this.#giveTo(control);
    if (control.kind === 'loop') fn.depth -= 1;
    else fn.place(control.target);
    if (control.otherwise !== undefined) fn.place(control.otherwise);
    const isReached =
      this.#reachable ||
      control.reachesEnd ||
      control.otherwise !== undefined ||
      (control.isTarget && control.kind !== 'loop');
    stack.entries.length = control.height;
    if (control.kind === 'loop' && control.result && this.#reachable) {
      throw new Error(`x64: ${fn.name}: a loop with a result`);
    }
    if (control.result) stack.pushRegister(control.result.type, control.result.number);
    this.#reachable = isReached;
  }

  /** Code that control does not come to: only its blocks are counted. */
  #skip({ name }: ThreadedInstruction): void {
    if (name === 'block' || name === 'loop' || name === 'if') this.#skipped += 1;
    else if (name === 'end') {
      if (this.#skipped > 0) this.#skipped -= 1;
      else this.#endBlock();
    } else if (name === 'else' && this.#skipped === 0) this.#else();
  }

  /** A choice of targets by number: a search, whose comparisons halve what is left. */
  #table(labels: readonly number[]): void {
    const { fn, stack } = this;
    const selector = general(stack.register(stack.pop()), 32);
    const otherwise = labels.at(-1)!;
    const entry = labels.length - 1;
    /** Numbers from one on to before another that have the same target are one piece. */
    const pieces: { readonly from: number; readonly label: number }[] = [];
    for (let at = 0; at <= entry; at += 1) {
      const label = at === entry ? otherwise : labels[at]!;
      if (pieces.at(-1)?.label !== label) pieces.push({ from: at, label });
    }
    const search = (low: number, high: number): void => {
      if (high - low === 1) {
        this.#branch(this.#target(pieces[low]!.label));
        return;
      }
      const middle = (low + high) >> 1;
      const upper = fn.newLabel();
      fn.emit('cmp', selector, immediate(pieces[middle]!.from));
      fn.jump('jae', upper);
      search(low, middle);
      fn.place(upper);
      search(middle, high);
    };
    search(0, pieces.length);
  }

  #select(): void {
    const { fn, stack } = this;
    const condition = stack.pop();
    const b = stack.pop();
    const a = stack.pop();
    const { type } = a;
    if (type === 'i32' || type === 'i64') {
      const number = newRegister(fn, type);
      const to = registerOf(type, number);
      stack.moveTo(number, b);
      const from = registerOf(type, stack.register(a));
      let flags = condition;
      if (flags.kind !== 'flags') {
        const register = general(stack.register(condition), 32);
        flags = {
          kind: 'flags',
          type: 'i32',
          mnemonic: 'test',
          operands: [register, register],
          condition: 'ne',
        };
      }
      fn.emit(flags.mnemonic, ...flags.operands);
      fn.emit(`cmov${flags.condition}`, to, from);
      stack.pushRegister(type, number);
      return;
    }
    const number = newRegister(fn, type);
    const done = fn.newLabel();
    stack.moveTo(number, a);
    const other: Operand = registerOf(type, stack.register(b));
    this.#jumpIf(condition, done);
    fn.emit('vmovaps', registerOf(type, number), other);
    fn.place(done);
    stack.pushRegister(type, number);
  }

  // --------------------------------------------------------------------------------------------------- calls

  /** Puts results where the caller finds them: in the place of arguments. */
  #giveResults(keep = false): void {
    const { results } = this.#source.signature;
    const { offsets } = layOut(results);
    const { stack } = this;
    const entries = results.length > 0 ? stack.entries.slice(-results.length) : [];
    results.forEach((type, index) => {
      const place = memory(spillBits[type], { base: incomingBase, offset: offsets[index]! });
      const number = stack.register(entries[index]!);
      this.fn.append(storeTo(place, registerOf(type, 0).kind, spillBits[type], number));
    });
    if (!keep) stack.entries.length -= results.length;
  }

  /** Calls a function of this program: arguments and results are at the end of this function's frame. */
  callInternal(target: number, { parameters, results }: FunctionSignature): void {
    const { fn, stack } = this;
    const stackPointer = general(stackRegister, 64);
    const into = layOut(parameters);
    const out = layOut(results);
    fn.outgoingBytes = Math.max(fn.outgoingBytes, into.bytes, out.bytes);
    const entries = stack.entries.splice(stack.entries.length - parameters.length, parameters.length);
    entries.forEach((entry, index) => {
      const type = parameters[index]!;
      const place = memory(spillBits[type], { base: stackPointer, offset: into.offsets[index]! });
      fn.append(storeTo(place, registerOf(type, 0).kind, spillBits[type], stack.register(entry)));
    });
    fn.append(instruction('call', label(target)), { isCall: true });
    results.forEach((type, index) => {
      const number = newRegister(fn, type);
      const place = memory(spillBits[type], { base: stackPointer, offset: out.offsets[index]! });
      fn.append(loadFrom(place, registerOf(type, 0).kind, spillBits[type], number));
      stack.pushRegister(type, number);
    });
  }

  /** Calls what the program imports, by the convention of the system: numbers and addresses in registers. */
  callImported(index: number, { parameters, results }: FunctionSignature): void {
    const { fn, stack } = this;
    const order = [7, 6, 2, 1, 8, 9];
    if ([...parameters, ...results].some((type) => !/^i/.test(type))) {
      throw new CodegenError(
        `'${fn.name}': there is no machine code for a call of such an imported function yet`,
      );
    }
    const entries = stack.entries.splice(stack.entries.length - parameters.length, parameters.length);
    const numbers = entries.map((entry) => stack.register(entry));
    const table = fn.general(64);
    fn.emit(
      'mov',
      table,
      memory(64, { base: general(contextRegister, 64), offset: contextOffsets.functions }),
    );
    // What there are no registers for lies on the stack, in order from its pointer on.
    const onStack = Math.max(0, parameters.length - order.length);
    fn.outgoingBytes = Math.max(fn.outgoingBytes, 8 * onStack);
    numbers.forEach((number, at) => {
      const bits = parameters[at] === 'i64' ? 64 : 32;
      const to =
        order[at] === undefined
          ? memory(bits, { base: general(stackRegister, 64), offset: 8 * (at - order.length) })
          : general(order[at], bits);
      fn.emit('mov', to, general(number, bits));
    });
    fn.emit('vzeroupper');
    fn.append(instruction('call', memory(64, { base: table, offset: 8 * index })), {
      isCall: true,
      uses: order.slice(0, parameters.length),
      definitions: [0],
    });
    const failed = memory(32, { base: general(contextRegister, 64), offset: contextOffsets.failed });
    fn.emit('cmp', failed, immediate(0));
    this.trapIf('ne', 'failed');
    for (const type of results) {
      const bits = type === 'i64' ? 64 : 32;
      const to = fn.general(bits);
      fn.emit('mov', to, general(0, bits));
      stack.pushGeneral(to);
    }
  }

  /** Where the function's end is. */
  get end(): number {
    return this.#end;
  }
}

/** Whether a value is zero. */
function negated(stack: ValueStack, entry: Entry): Entry {
  if (entry.kind === 'number') return { ...entry, value: entry.value === 0n ? 1n : 0n };
  if (entry.kind === 'flags') return { ...entry, condition: opposite(entry.condition) };
  const register = general(stack.register(entry), 32);
  return { kind: 'flags', type: 'i32', mnemonic: 'test', operands: [register, register], condition: 'e' };
}
