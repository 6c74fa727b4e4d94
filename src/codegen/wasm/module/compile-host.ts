/**
 * Compiles a program for the host (src/ir/ir.ts) to a WebAssembly module of its own.
 *
 * The module imports `env.memory` and the functions that the program only declares, and exports `memory` (the same),
 * `__indirect_function_table` and the functions asked for. It is called as C is on wasm32 by clang: pointers and
 * size_t are i32, pointers to functions are places in the table (0 is NULL), structs go by pointer.
 *
 *     0 .. 1024           nothing: what null pointers lead to
 *     1024 .. stackTop    the stack of variables whose address is taken, from its top down
 *     stackTop ..         program-scope variables, first those that are not zero
 *     heapBase ..         free, up to the memory's end
 *
 * A function that has such variables moves the stack pointer (global 0) down when it is entered and back when it is left.
 * One that finds too little room calls `stack_overflow`, which traps.
 *
 * Functions imported from a module `wasm` are instructions of that name: `memory.grow`, `f64.nearest`. Besides there are
 * `stack.allocate` (bytes to an address that is good until the function is left), `stack.pointer` and `stack.restore`, `heap.base` and `heap.end`.
 *
 * In a program that starts threads, each with an instance of the module, two more globals say what the running thread has: where its own
 * variables are (`thread.base`, `thread.rebase`) and where its stack ends (`stack.limit`), which is 1024 for the first.
 */
import type * as ir from '../../../ir/ir.ts';
import type { PrintfSite } from '../../../ir/printf/record.ts';
import { append } from '../../../source/lists.ts';
import { allInstructions } from '../kernel/environment.ts';
import { layOutFrame, roundUp } from '../kernel/frame.ts';
import { FunctionCompiler } from '../kernel/function-compiler.ts';
import { planFunction } from '../kernel/plan-function.ts';
import { wasmTypesOf } from '../kernel/value-layout.ts';
import { foldingLimits } from '../memory/address-folding.ts';
import type { WasmOptions } from './abi.ts';
import { assemble } from './assembler.ts';
import { CodeWriter } from './code-writer.ts';
import type { EncodedFunction, FunctionSignature, ImportedFunction } from './encoder.ts';
import { encodeHostProgram, TypeTable } from './host-encoder.ts';
import { emitNamedInstruction, isInstructionModule, threadGlobal } from './host-instructions.ts';
import type { ModuleContext } from './module-context.ts';
import { runtimeFunction } from './runtime-functions.ts';

/** The first byte of the stack; what is below belongs to nobody. */
const stackLimit = 1024;
const stackAlign = 16;
const pageBytes = 65536;
const stackOverflow = 'stack_overflow';

export interface HostOptions {
  /** Whether the imported memory is shared; default true. */
  readonly shared?: boolean | undefined;
  /** The imported memory's largest size in 64 KiB pages; default 65536. */
  readonly maximumPages?: number | undefined;
  /** Bytes of the stack; default 8 MiB. */
  readonly stackBytes?: number | undefined;
  /** Which functions the module exports, under their names. */
  readonly exports: readonly string[];
  /** Of a program that starts threads; `storage` is what the first of them has for itself. */
  readonly threads?: { readonly storage: ir.GlobalVariable | undefined } | undefined;
}

/** @throws CodegenError if a function is too large or nested too deeply */
export function compileHostModule(module: ir.Module, options: HostOptions): Uint8Array {
  if (!module.isHosted) throw new Error('codegen: not a program for the host');
  const { shared = true, maximumPages = 65536, stackBytes = 1 << 23 } = options;
  const stackTop = roundUp(stackLimit + stackBytes, stackAlign);
  const layout = layOutGlobals(module.globals, stackTop);
  const imports = module.functions.filter(
    ({ body, imported }) => !body && imported && !isInstructionModule(imported.module),
  );
  const functions = module.functions.filter(({ body }) => body);
  const context = new HostContext(
    imports,
    functions,
    layout,
    { shared, sharesPrivate: true, lowestAddress: stackLimit },
    options.threads !== undefined,
  );
  const exported = new Set(options.exports);
  const code = functions.map((fn) =>
    compileFunction(context, fn, exported.has(fn.name) ? fn.name : undefined),
  );
  const bytes = context.dataOf(module.globals);
  append(code, context.assembleRuntime());
  return encodeHostProgram({
    imports: imports.map(importOf),
    functions: code,
    table: context.table.map((fn) => context.functionIndex(fn)),
    types: context.types,
    memory: { shared, maximumPages, minimumPages: minimumPages(layout) },
    globals: [stackTop, ...(options.threads ? threadGlobals(options.threads.storage, layout) : [])],
    data: { address: layout.start, bytes },
  });
}

/** In the order of their numbers: {@link threadGlobal}. */
function threadGlobals(storage: ir.GlobalVariable | undefined, { addresses }: Layout): number[] {
  return [(storage && addresses.get(storage)) ?? 0, stackLimit];
}

function importOf(fn: ir.Function): ImportedFunction {
  const { module, name } = fn.imported!;
  return { module, name, signature: signatureOf(fn) };
}

function signatureOf({ parameters, result }: ir.Function): FunctionSignature {
  return {
    parameters: parameters.flatMap(({ value }) => wasmTypesOf(value.type)),
    results: result ? wasmTypesOf(result) : [],
  };
}

interface Layout {
  readonly start: number;
  readonly addresses: ReadonlyMap<ir.GlobalVariable, number>;
  /** Where the variables end that have anything but zeros. */
  readonly filledEnd: number;
  readonly heapBase: number;
}

/** Places program-scope variables one after another; those of zeros last, since the memory is zero as it is. */
function layOutGlobals(globals: readonly ir.GlobalVariable[], start: number): Layout {
  const addresses = new Map<ir.GlobalVariable, number>();
  let end = start;
  const place = (global: ir.GlobalVariable): void => {
    const at = roundUp(end, global.align);
    addresses.set(global, at);
    end = at + global.size;
  };
  const isFilled = (global: ir.GlobalVariable): boolean =>
    global.relocations.length > 0 ||
    (global.functions?.length ?? 0) > 0 ||
    global.bytes.some((byte) => byte !== 0);
  const filled = new Set(globals.filter(isFilled));
  for (const global of filled) place(global);
  const filledEnd = end;
  for (const global of globals) if (!filled.has(global)) place(global);
  return { start, addresses, filledEnd, heapBase: roundUp(end, stackAlign) };
}

function minimumPages({ heapBase }: Layout): number {
  return Math.ceil(heapBase / pageBytes) + 1;
}

/** What the functions of one program share while they are compiled. */
class HostContext implements ModuleContext {
  readonly options: WasmOptions;
  readonly hasThreads: boolean;
  readonly types = new TypeTable();
  /** The functions that pointers lead to, from place 1 of the table on. */
  readonly table: ir.Function[] = [];
  readonly #layout: Layout;
  readonly #indices = new Map<ir.Function, number>();
  readonly #places = new Map<ir.Function, number>();
  readonly #runtime = new Map<string, number>();
  readonly #firstRuntime: number;

  constructor(
    imports: readonly ir.Function[],
    functions: readonly ir.Function[],
    layout: Layout,
    options: WasmOptions,
    hasThreads: boolean,
  ) {
    this.options = options;
    this.hasThreads = hasThreads;
    this.#layout = layout;
    for (const fn of [...imports, ...functions]) this.#indices.set(fn, this.#indices.size);
    this.#firstRuntime = this.#indices.size;
  }

  functionIndex(fn: ir.Function): number {
    const index = this.#indices.get(fn);
    if (index === undefined) throw new Error(`codegen: ${fn.name} is not in the module`);
    return index;
  }

  functionAddress(fn: ir.Function): number {
    let place = this.#places.get(fn);
    if (place === undefined) {
      place = this.table.push(fn);
      this.#places.set(fn, place);
    }
    return place;
  }

  typeIndex(signature: FunctionSignature): number {
    return this.types.indexOf(signature);
  }

  emitInstead(fn: ir.Function, code: CodeWriter): boolean {
    if (fn.body || !isInstructionModule(fn.imported?.module)) return false;
    emitNamedInstruction(fn.imported!.name, code, {
      heapBase: this.#layout.heapBase,
      heapEnd: minimumPages(this.#layout) * pageBytes,
      checkStack: (local) => checkStack(this, code, local),
    });
    return true;
  }

  /** Calls get nothing of their surroundings: each function finds what it needs itself. */
  environmentOf(): readonly string[] {
    return [];
  }

  runtimeFunction(name: string): number {
    let index = this.#runtime.get(name);
    if (index === undefined) {
      index = this.#firstRuntime + this.#runtime.size;
      this.#runtime.set(name, index);
    }
    return index;
  }

  printfNumber(_site: PrintfSite): number {
    throw new Error('codegen: a printf instruction in a program for the host');
  }

  vectorConstant(): number {
    throw new Error('codegen: vector regions in a program for the host');
  }

  /** Addresses are absolute here. */
  constantOffset(global: ir.GlobalVariable): number {
    const address = this.#layout.addresses.get(global);
    if (address === undefined) throw new Error(`codegen: ${global.name} is not in the module`);
    return address;
  }

  /** The initial bytes, from the start of the variables to the last that is not zero. */
  dataOf(globals: readonly ir.GlobalVariable[]): Uint8Array {
    const { start, filledEnd } = this.#layout;
    const bytes = new Uint8Array(filledEnd - start);
    const view = new DataView(bytes.buffer);
    for (const global of globals) {
      const at = this.constantOffset(global) - start;
      if (at >= bytes.length) continue;
      bytes.set(global.bytes, at);
      for (const { offset, target, addend } of global.relocations) {
        view.setInt32(at + offset, this.constantOffset(target) + addend, true);
      }
      for (const { offset, target } of global.functions ?? []) {
        view.setInt32(at + offset, this.functionAddress(target), true);
      }
    }
    return bytes;
  }

  assembleRuntime(): EncodedFunction[] {
    const functions: EncodedFunction[] = [];
    // A Map's iteration also visits what is added on the way.
    for (const name of this.#runtime.keys()) {
      if (name === stackOverflow) functions.push(trapFunction(name));
      else functions.push(assemble(runtimeFunction(name), (callee) => this.runtimeFunction(callee)));
    }
    return functions;
  }
}

/** A function that does nothing but trap: its name tells whoever sees the stack why. */
function trapFunction(name: string): EncodedFunction {
  const code = new CodeWriter(name, { parameters: [], results: [] });
  code.op('unreachable');
  return code.finish();
}

/** Traps if the new stack pointer in the local, which is not the global's yet, leaves the stack. */
function checkStack(context: HostContext, code: CodeWriter, local: number): void {
  code.get(local);
  if (context.hasThreads) {
    // A thread's stack may be anywhere in memory: what is left of it is less than it was, or it went below its end.
    code.globalGet(threadGlobal.limit);
    code.op('i32.sub');
    code.globalGet(0);
    code.globalGet(threadGlobal.limit);
    code.op('i32.sub');
    code.op('i32.gt_u');
  } else {
    // It may have gone below zero.
    code.i32(stackLimit);
    code.op('i32.lt_s');
  }
  code.open('if');
  code.call(context.runtimeFunction(stackOverflow));
  code.op('unreachable');
  code.end();
}

function compileFunction(
  context: HostContext,
  fn: ir.Function,
  exportName: string | undefined,
): EncodedFunction {
  const instructions = allInstructions(fn.body);
  const frame = layOutFrame(instructions, 0);
  const plan = planFunction(fn, { folding: foldingLimits(context.options) });
  const names = fn.parameters.flatMap(({ value }, index) =>
    wasmTypesOf(value.type).map(() => value.name ?? `p${index}`),
  );
  const code = new CodeWriter(fn.name, signatureOf(fn), names);
  const align = instructions.reduce((most, one) => Math.max(most, one.op === 'variable' ? one.align : 1), 1);
  const needsStack = frame.end > 0 || instructions.some(allocatesStack);
  const before = needsStack ? code.allocate('i32', 'stack') : 0;
  const leave = (): void => {
    code.get(before);
    code.globalSet(0);
  };
  const fc = new FunctionCompiler(context, fn, plan, frame, code, {
    groupEnd: undefined,
    exits: new Map(),
    heads: new Map(),
    ...(needsStack ? { leave } : {}),
  });
  fc.environment.set('constants', { constant: 0 });
  if (needsStack) {
    code.globalGet(0);
    code.set(before);
    const area = code.allocate('i32', 'area');
    code.get(before);
    code.i32(roundUp(frame.end, stackAlign));
    code.op('i32.sub');
    if (align > stackAlign) {
      code.i32(-align);
      code.op('i32.and');
    }
    code.set(area);
    checkStack(context, code, area);
    code.get(area);
    code.globalSet(0);
    fc.environment.set('area', { local: area });
  }
  let next = 0;
  for (const { value } of fn.parameters) {
    const info = fc.info(value);
    info.locals = Array.from({ length: info.parts }, () => next++);
  }
  fc.region(fn.body!);
  return code.finish(exportName, fn.span);
}

function allocatesStack(instruction: ir.Instruction): boolean {
  return instruction.op === 'call' && instruction.callee.imported?.name === 'stack.allocate';
}
