/**
 * The entry of the x86-64 back end: takes what `compileModule` of codegen/wasm takes, gives machine code for the contract of `calling-convention.ts`.
 *
 * What lies between the IR and instructions (frames, loops over work-items and groups, masks, printf) is decided by the function compiler of
 * codegen/wasm, once for both back ends. The bodies that it writes, stack code, are selected into instructions with virtual registers
 * (`select/`), which are then given registers (`allocate/`), and written with their frames (`machine/`) into one program for the assembler.
 */
import type * as ir from '../../ir/ir.ts';
import { outermostUse } from '../../source/span.ts';
import type { WasmOptions, WasmProgram } from '../wasm/module/abi.ts';
import { compileFunctions } from '../wasm/module/compile-module.ts';
import type { EncodedFunction, ImportedFunction } from '../wasm/module/encoder.ts';
import { CodegenError } from '../wasm/module/error.ts';
import { allocate } from './allocate/allocate.ts';
import { assemble } from './assembler/assemble.ts';
import type { MachineCode } from './assembler/program.ts';
import { Program } from './assembler/program.ts';
import { mostStackBytes } from './calling-convention.ts';
import { listProgram } from './listing.ts';
import { combineLogic } from './machine/combine-logic.ts';
import { propagateCopies } from './machine/copy-propagation.ts';
import { dce } from './machine/dce.ts';
import { fetchAhead } from './machine/fetch-ahead.ts';
import { finish } from './machine/finish.ts';
import { foldLoads } from './machine/fold-loads.ts';
import { fuseConditions } from './machine/fuse-conditions.ts';
import { straightenJumps } from './machine/jumps.ts';
import { licm } from './machine/licm.ts';
import { writeEntry, writeExit, writeRoutine } from './machine/routines.ts';
import { scaleIndices } from './machine/scale-indices.ts';
import { separateValues } from './machine/separate-values.ts';
import { threadJumps } from './machine/thread-jumps.ts';
import { localValueNumbering } from './machine/value-numbering.ts';
import { FunctionSelector } from './select/function-selector.ts';
import { intrinsicNames } from './select/intrinsics.ts';
import { ModuleSelector } from './select/module-selector.ts';
import { joinHalves } from './widen/join-halves.ts';
import { joinNarrowed } from './widen/join-narrowed.ts';
import { testWhole } from './widen/test-whole.ts';

export interface X64Options extends WasmOptions {
  /** Whether AVX-512 (F, BW, DQ, VL) may be used; AVX2, FMA, F16C, BMI1, BMI2, LZCNT and POPCNT always are. */
  readonly avx512: boolean;
}

/** What became of an IR module. */
export interface X64Program extends Omit<WasmProgram, 'bytes'> {
  /** Code and its constants: runs wherever it is put at a multiple of 64 bytes. */
  readonly code: Uint8Array;
  /** Where each kernel begins in it, in the order of `kernels`. */
  readonly entries: readonly number[];
  /** What the table at `contextOffsets.functions` must hold, in order: functions of the System V convention. */
  readonly imports: readonly ImportedFunction[];
  /** The code as text, with the lines of the source that it comes from. Made when it is asked for. */
  listing(): string;
}

/**
 * Compiles all kernels of a module and the helper functions that they call.
 * @throws CodegenError if a function is too large or nested too deeply, or has what there is no machine code for yet
 */
export function compileKernelX64(module: ir.Module, options: X64Options): X64Program {
  const { functions, imports, sources, ...facts } = compileFunctions(module, {
    ...options,
    joinsParts: true,
    inlineConstants: true,
    hasFma: true,
    ownRoutines: intrinsicNames(options.avx512),
  });
  const program = new Program();
  const { avx512 } = options;
  const shared = new ModuleSelector(program, imports, functions, { runtimeFrom: sources.size, avx512 });
  const exit = program.newLabel();
  const entries = facts.kernels.map((_, index) => {
    program.align(16);
    const entry = program.newLabel();
    program.place(entry);
    writeEntry(program, shared.labels[index]!, exit);
    return entry;
  });
  const names = new Map<number, string>();
  const frames = new Map<string, number>();
  functions.forEach((source, index) => {
    if (shared.isIntrinsic(index)) return;
    const selector = new FunctionSelector(shared, source);
    const fn = selector.select(linesOf(source));
    fn.place(selector.end);
    separateValues(fn);
    licm(fn);
    localValueNumbering(fn);
    fuseConditions(fn);
    propagateCopies(fn);
    scaleIndices(fn);
    dce(fn);
    combineLogic(fn, options);
    joinHalves(fn, 128);
    testWhole(fn, 128);
    dce(fn);
    if (avx512) {
      joinNarrowed(fn);
      joinHalves(fn, 256);
      testWhole(fn, 256);
      dce(fn);
      fetchAhead(fn);
    }
    foldLoads(fn, options);
    const allocation = allocate(fn, options);
    threadJumps(fn);
    straightenJumps(fn);
    const start = shared.labels[index]!;
    names.set(start, source.name);
    const keeps = index >= facts.kernels.length;
    frames.set(source.name, finish(program, fn, allocation, { start, end: selector.end, keeps }));
  });
  facts.kernels.forEach(({ name, title }, index) => {
    names.set(entries[index]!, `${title}, entry`);
    checkStack(name, frames, shared.callees);
  });
  for (const [name, place] of shared.routines) {
    writeRoutine(program, name, place);
    names.set(place, name);
  }
  program.align(16);
  writeExit(program, exit, shared.traps);
  const code: MachineCode = assemble(program, { avx512: options.avx512 });
  return {
    ...facts,
    code: code.bytes,
    entries: entries.map((entry) => code.labels[entry]!),
    imports,
    listing: () => listProgram(program, code, names),
  };
}

/** Kernels have so much stack and no more. There is no recursion. */
function checkStack(
  kernel: string,
  frames: ReadonlyMap<string, number>,
  callees: readonly (readonly [string, string])[],
): void {
  const known = new Map<string, number>();
  const depth = (name: string): number => {
    let found = known.get(name);
    if (found === undefined) {
      known.set(name, 0);
      const below = callees.filter(([caller]) => caller === name).map(([, callee]) => depth(callee));
      found = frames.get(name)! + Math.max(0, ...below);
      known.set(name, found);
    }
    return found;
  };
  const bytes = depth(kernel);
  // Some for the entry and for routines.
  if (bytes > mostStackBytes - 1024) {
    throw new CodegenError(`'${kernel}' needs ${bytes} bytes of stack; there are ${mostStackBytes}`);
  }
}

/** Finds the line of an access by its place in the body. */
function linesOf({ marks }: EncodedFunction): (at: number) => number | undefined {
  const lines = new Map<number, number>();
  for (const { at, instruction } of marks ?? []) {
    const { span } = instruction;
    if (!span) continue;
    const { file, start } = outermostUse(span);
    lines.set(at, file.presumed(start).line);
  }
  return (at) => lines.get(at);
}
