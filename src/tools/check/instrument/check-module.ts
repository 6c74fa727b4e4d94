/**
 * Makes a checked program of a linked one: the same kernels, with checks around what may go wrong (check-function.ts), and
 * with further parameters by which a launch says how large its arguments are. Functions of the library are left as they
 * are; they touch no memory of the program's but by pipes, whose packets nobody else sees.
 */
import { asyncMarks, barrierFlagsMark } from '../../../ir/async-marks.ts';
import { newValue } from '../../../ir/builder.ts';
import { samplerType } from '../../../ir/images.ts';
import type * as ir from '../../../ir/ir.ts';
import { i32, sizeOf } from '../../../ir/types.ts';
import { walkFunction } from '../../../ir/walk.ts';
import { libraryPrefix } from '../../../library/index.ts';
import { OptimiseError } from '../../../passes/pipeline.ts';
import { simplifyBlockArguments } from '../../../passes/scalar/block-arguments.ts';
import { foldConstants } from '../../../passes/scalar/constant-folding/constant-folding.ts';
import { dceButReads } from '../../../passes/scalar/dce.ts';
import { inferAddressSpaces } from '../../../passes/scalar/infer-address-spaces.ts';
import { inlineCalls } from '../../../passes/scalar/inline.ts';
import { mem2reg } from '../../../passes/scalar/mem2reg.ts';
import { simplifyCfg } from '../../../passes/scalar/simplify-cfg.ts';
import { sroa } from '../../../passes/scalar/sroa.ts';
import { Sites } from '../sites.ts';
import type { ArgumentFacts, CheckContext, GranuleShifts, Stage } from './check-context.ts';
import { checkFunction } from './check-function.ts';
import { CopyMarks } from './copy-marks.ts';
import { countAllTurns } from './count-turns.ts';
import { PointerRoots } from './pointer-roots.ts';
import { RuntimeCalls } from './runtime-calls.ts';
import { settleMasks } from './settle-masks.ts';

/** What a launch must know of a checked kernel. */
export interface CheckedKernel {
  readonly sites: Sites;
  readonly shifts: GranuleShifts;
  /** Pointer parameters, each of which has three more at the end: bytes to read, bytes to write, whether it is watched. */
  readonly pointers: readonly number[];
  /** Sampler parameters, each of which has one more behind those: its bits. */
  readonly samplers: readonly number[];
  /** Those through which it may write. */
  readonly written: ReadonlySet<number>;
  /** It may write global memory by other ways. */
  readonly writesAnything: boolean;
  /** Whether copies may store what is undefined into memory that work-items share. */
  readonly tracks: TrackedSpaces;
  /** Whether a barrier has flags that only a run knows. */
  readonly hasBarrierFlags: boolean;
}

/** What a launch says beside the arguments: of pointers by their indices, of samplers their bits. */
interface ArgumentsFacts {
  readonly pointers: ReadonlyMap<number, ArgumentFacts>;
  readonly samplers: ReadonlyMap<ir.Value, ir.Value>;
}

/** Between the two stages: variables become values, and pointers lead to their objects. Reads that nobody needs are checked, too. */
const between = [
  sroa,
  mem2reg,
  simplifyBlockArguments,
  inferAddressSpaces,
  // What looks at values that are always set would hide the form of loops.
  settleMasks,
  simplifyBlockArguments,
  foldConstants,
  simplifyCfg,
  simplifyBlockArguments,
  dceButReads,
] as const;

/**
 * Rewrites a linked module in place.
 * @throws OptimiseError for kernels that inlining makes too large
 */
export function checkModule(module: ir.Module): ReadonlyMap<string, CheckedKernel> {
  const isOwn = (fn: ir.Function): boolean => !fn.name.startsWith(libraryPrefix);
  const problems = inlineCalls(module, { isEntry: (fn) => fn.kind === 'kernel' || !isOwn(fn) });
  if (problems.length > 0) throw new OptimiseError(problems);
  const functions = module.functions.filter(
    // What kernels launch themselves is started by code that knows nothing of further parameters.
    (fn) => fn.body && isOwn(fn) && !fn.attributes?.isBlock,
  );
  const sites = new Sites();
  const runtime = new RuntimeCalls(module);
  const settled = new Map<ir.Variable, ir.Value>();
  const copies = new CopyMarks();
  let shifts: GranuleShifts = { global: 0, local: 0 };
  let tracks: TrackedSpaces = { global: false, local: false };
  const contextOf = (facts: ArgumentsFacts, mayRest: (index: number) => boolean): CheckContext => ({
    runtime,
    sites,
    argumentFacts: facts.pointers,
    samplerBits: facts.samplers,
    mayRest,
    settled,
    copies,
    tracksLocal: tracks.local,
    shifts,
  });
  const check = (
    fn: ir.Function,
    stage: Stage,
    facts: ArgumentsFacts = noFacts,
    mayRest: (index: number) => boolean = () => false,
  ): void => checkFunction(fn, stage, contextOf(facts, mayRest));
  for (const fn of functions) {
    check(fn, 'values');
    for (const pass of between) pass(fn, module.addressBits);
  }
  shifts = granuleShifts(functions);
  tracks = trackedSpaces(functions, copies);
  const kernels = new Map<string, CheckedKernel>();
  for (const fn of functions) {
    if (fn.kind !== 'kernel') continue;
    const pointers = fn.parameters.flatMap(({ value, aggregate }, index) =>
      value.type.kind === 'pointer' && !aggregate ? [index] : [],
    );
    const writes = writesOf(fn, functions);
    const samplers = fn.parameters.flatMap(({ value }, index) => (value.type === samplerType ? [index] : []));
    const hasBarrierFlags = callsMark(fn, barrierFlagsMark);
    kernels.set(fn.name, { sites, shifts, pointers, samplers, tracks, hasBarrierFlags, ...writes });
    const mayRest = (index: number): boolean => !writes.writesAnything && !writes.written.has(index);
    check(
      fn,
      'accesses',
      { pointers: addFacts(fn, pointers), samplers: addSamplerBits(fn, samplers) },
      mayRest,
    );
  }
  for (const fn of functions) if (fn.kind !== 'kernel') check(fn, 'accesses');
  for (const fn of module.functions)
    if (fn.body && fn.attributes?.isBlock)
      countAllTurns(
        fn,
        fn.body,
        contextOf(noFacts, () => false),
      );
  runtime.link(module);
  return kernels;
}

function callsMark(fn: ir.Function, mark: string): boolean {
  let found = false;
  walkFunction(fn, (instruction) => {
    if (instruction.op === 'call' && instruction.callee.name === mark) found = true;
  });
  return found;
}

const noFacts: ArgumentsFacts = { pointers: new Map(), samplers: new Map() };

/** Adds the parameters that say what samplers do. */
function addSamplerBits(fn: ir.Function, samplers: readonly number[]): Map<ir.Value, ir.Value> {
  const bits = new Map<ir.Value, ir.Value>();
  for (const index of samplers) {
    const { value } = fn.parameters[index]!;
    const added = newValue(i32, `${value.name ?? `p${index}`}.bits`);
    fn.parameters.push({ value: added });
    bits.set(value, added);
  }
  return bits;
}

/** Adds the parameters that say how large arguments are. */
function addFacts(fn: ir.Function, pointers: readonly number[]): Map<number, ArgumentFacts> {
  const facts = new Map<number, ArgumentFacts>();
  for (const index of pointers) {
    const name = fn.parameters[index]!.value.name ?? `p${index}`;
    const add = (what: string): ir.Value => {
      const value = newValue(i32, `${name}.${what}`);
      fn.parameters.push({ value });
      return value;
    };
    facts.set(index, {
      readable: add('readable'),
      writable: add('writable'),
      watched: add('watched'),
    });
  }
  return facts;
}

/** From the smallest piece of shared memory that is accessed at once. */
function granuleShifts(functions: readonly ir.Function[]): GranuleShifts {
  const least = { global: 4, local: 4 };
  const consider = (pointer: ir.Value, bytes: number, align: number): void => {
    const { type } = pointer;
    if (type.kind !== 'pointer') return;
    for (const space of ['global', 'local'] as const) {
      if (type.space === space || type.space === 'generic')
        least[space] = Math.min(least[space], bytes, align);
    }
  };
  const bytesOf = ({ type }: ir.Value): number =>
    type.kind === 'vector' && type.lanes === 3 ? sizeOf(type.element) : sizeOf(type);
  for (const fn of functions) {
    walkFunction(fn, (instruction) => {
      const { operands, results } = instruction;
      if (instruction.op === 'load') consider(operands[0]!, bytesOf(results[0]!), instruction.align);
      else if (instruction.op === 'store') consider(operands[0]!, bytesOf(operands[1]!), instruction.align);
      else if (instruction.op === 'fill') consider(operands[0]!, 4, instruction.align);
      else if (instruction.op === 'copy') {
        consider(operands[0]!, 4, instruction.align);
        consider(operands[1]!, 4, instruction.align);
      }
    });
  }
  return { global: Math.log2(least.global), local: Math.log2(least.local) };
}

/** Which memory that work-items share copies write: of structs from private variables, and of anything from one to the other. */
export interface TrackedSpaces {
  readonly global: boolean;
  readonly local: boolean;
}

function trackedSpaces(functions: readonly ir.Function[], copies: CopyMarks): TrackedSpaces {
  const tracks = { global: false, local: false };
  const add = ({ type }: ir.Value): void => {
    const space = type.kind === 'pointer' ? type.space : 'generic';
    if (space === 'global' || space === 'generic') tracks.global = true;
    if (space === 'local' || space === 'generic') tracks.local = true;
  };
  for (const fn of functions) {
    walkFunction(fn, (instruction) => {
      if (instruction.op === 'copy') add(instruction.operands[0]!);
      else if (instruction.op === 'call') {
        if (copies.of(instruction)?.way === 'pass on') add(instruction.operands[0]!);
        // Elements are copied one by one.
        if (instruction.callee.name === asyncMarks.copy) {
          tracks.global = true;
          tracks.local = true;
        }
      }
    });
  }
  return tracks;
}

/** By which parameters a kernel may write global memory. */
function writesOf(
  fn: ir.Function,
  functions: readonly ir.Function[],
): Pick<CheckedKernel, 'written' | 'writesAnything'> {
  const written = new Set<number>();
  let writesAnything = functions.some(({ kind }) => kind === 'function');
  const roots = new PointerRoots(fn);
  walkFunction(fn, (instruction) => {
    const { op, operands } = instruction;
    if (op !== 'store' && op !== 'atomic' && op !== 'copy' && op !== 'fill') return;
    if (op === 'atomic' && instruction.fn === 'load') return;
    const { type } = operands[0]!;
    if (type.kind !== 'pointer' || type.space === 'private' || type.space === 'local') return;
    const root = roots.rootOf(operands[0]!);
    if (root?.kind === 'parameter') written.add(root.index);
    else if (!root) writesAnything = true;
  });
  return { written, writesAnything };
}
