/**
 * The frame of a kernel around its body: it reads sizes and arguments from the launch block once, then runs the
 * body for each work-group of its range (work-group-swizzle.ts says which those are).
 */
import { kernelTitle } from '../../../ir/device-queues.ts';
import type * as ir from '../../../ir/ir.ts';
import { hoistConstants } from '../engine/hoisted-constants.ts';
import { itemsKey } from '../engine/iteration-order.ts';
import { foldingLimits } from '../memory/address-folding.ts';
import { areaEnds, enterAreaEnds } from '../memory/address-spaces.ts';
import { needsScratch } from '../memory/masked-stores.ts';
import { loadPart, scalarAccess } from '../memory/memory-access.ts';
import { areaAlignment, type KernelCode, launchOffsets, type ParameterPlacement } from '../module/abi.ts';
import { CodeWriter, type Label } from '../module/code-writer.ts';
import type { EncodedFunction } from '../module/encoder.ts';
import type { ModuleContext } from '../module/module-context.ts';
import { allInstructions, launchField } from './environment.ts';
import { layOutFrame, roundUp } from './frame.ts';
import { FunctionCompiler } from './function-compiler.ts';
import { countTogether, measureBlock, openFusion } from './fusion-block.ts';
import { waitsIn } from './may-wait.ts';
import { layOutParameters } from './parameter-layout.ts';
import { planFunction } from './plan-function.ts';
import { wasmTypesOf } from './value-layout.ts';
import { findFusion } from './work-group-fusion.ts';
import {
  highestGroupDimension,
  increment,
  RowsOfGroups,
  SwizzledGroups,
  swizzleHeight,
} from './work-group-swizzle.ts';
import { rowLength } from './work-item-ids.ts';

/** The parameters of every exported kernel function. */
const launchLocal = 0;
const firstLocal = 1;
const endLocal = 2;
const areaLocal = 3;
/** Rows of work-items that fused groups should have, which read the same columns. */
const fusedRows = 4;

/** @param helpersEnd how many bytes of the area the variables of helper functions take */
export function compileKernel(
  module: ModuleContext,
  fn: ir.Function,
  helpersEnd: number,
): { code: EncodedFunction; kernel: KernelCode } {
  if (fn.form !== 'work-group') throw new Error(`codegen: kernel ${fn.name} is not in work-group form`);
  const instructions = allInstructions(fn.body);
  const usesHelpers = instructions.some((one) => one.op === 'call');
  const variables = layOutFrame(instructions, usesHelpers ? helpersEnd : 0);
  const { inStrips: isSwizzled = false, isFused = false, isJoined = false } = fn.groups ?? {};
  const own = isFused && !module.options.groupsInOrder ? findFusion(fn) : undefined;
  const plan = planFunction(fn, {
    folding: foldingLimits(
      module.options,
      fn.parameters.map(({ value }) => value),
    ),
    arrayStride: (array) => variables.arrays.get(array)?.stride ?? 0,
    calleeNeeds: (callee) => module.environmentOf(callee),
    fuses: module.options.fuses,
    isFused: own !== undefined,
  });
  const scratch = roundUp(variables.end, 16);
  const hasScratch = plan.pinned.size > 0 || instructions.some(needsScratch);
  const frame = hasScratch ? { ...variables, scratch, end: scratch + 16 } : variables;
  const fixedBytes = roundUp(frame.end, areaAlignment);
  const code = new CodeWriter(fn.name, { parameters: ['i32', 'i32', 'i32', 'i32'], results: [] }, [
    'launch',
    'first',
    'end',
    'area',
  ]);
  code.vectorsApart = module.options.joinsParts ?? false;
  const placements = layOutParameters(fn);

  // Nothing to do is possible; the loops below run at least once.
  code.get(firstLocal);
  code.get(endLocal);
  code.op('i32.ge_u');
  code.open('if');
  code.op('return');
  code.end();

  const returns = instructions.filter((one) => one.op === 'return').length;
  const endsInReturn = plan.groupBody.at(-1)?.op === 'return';
  const needsGroupBlock = returns > (endsInReturn ? 1 : 0);
  const groupEnd: { label: Label | undefined } = { label: undefined };
  const fc = new FunctionCompiler(module, fn, plan, frame, code, {
    get groupEnd() {
      return groupEnd.label;
    },
    exits: new Map(),
    heads: new Map(),
  });
  const keys = launchKeys(fc, own ? [areaEnds.area, 'group_id.0'] : []);
  enterLaunch(fc, keys, fixedBytes);
  if (frame.scratch !== undefined) fc.environment.set('area', { local: areaLocal });
  loadArguments(fc, placements);
  if (plan.hasVectors && !fc.module.options.inlineConstants) hoistConstants(fc, instructions);
  const sizes = own && measureBlock(fc, isSwizzled);
  // Blocks of several columns have all rows of a strip.
  const height = sizes?.columns === undefined ? undefined : sizes.rows;
  const swizzled = isSwizzled ? new SwizzledGroups(fc, keys, firstLocal, height) : undefined;
  const groups = swizzled ?? new RowsOfGroups(fc, keys, firstLocal);
  const block = own && sizes ? openFusion(fc, placements, own, groups, sizes, areaLocal) : undefined;
  fc.instructions(plan.launchBody);
  const joinsGroups = !block && isJoined && mayJoinGroups(fc);
  const joined = block?.all ?? (joinsGroups ? code.allocate('i32', 'joined') : undefined);

  const cut = fn.attributes?.mayCutGroups ? openCutSizes(fc, keys) : undefined;
  const head = code.open('loop');
  cut?.();
  if (block) countTogether(fc, groups, block, [firstLocal, endLocal]);
  else if (joined !== undefined) joinGroups(fc, joined);
  fc.openScope(plan.groupScope);
  if (needsGroupBlock) groupEnd.label = code.open('block');
  fc.instructions(endsInReturn ? plan.groupBody.slice(0, -1) : plan.groupBody);
  if (needsGroupBlock) code.end();
  fc.closeScope();
  if (swizzled && block) swizzled.advance(block.rows, block.columns?.count);
  else groups.advance(joined);
  increment(code, firstLocal, joined);
  code.get(firstLocal);
  code.get(endLocal);
  code.op('i32.ne');
  code.branchIf(head);
  code.end();

  const last = placements.at(-1);
  const kernel: KernelCode = {
    name: fn.name,
    title: kernelTitle(fn),
    exportName: fn.name,
    parameters: placements,
    argumentBytes: last ? last.offset + last.size : 0,
    fixedBytes,
    localBytes: frame.localBytes,
    privateBytes: frame.privateBytes,
    perItemBytes: frame.perItemBytes,
    usesPrintf: module.environmentOf(fn).includes('printf'),
    usesBarrier: plan.itemLoops.size > 1,
    groupsTogether: own && !isSwizzled ? swizzleHeight : 1,
    mayWait: waitsIn(fn.body!),
    rows: Math.max(
      own && isSwizzled ? fusedRows : 1,
      ...[...plan.itemLoops.keys()].map(({ rows = 1 }) => rows),
    ),
    lanes: Math.max(1, ...[...plan.itemLoops.keys()].map(({ lanes = 1 }) => lanes)),
    joinsGroups,
    attributes: fn.attributes ?? {},
  };
  return { code: code.finish(fn.name, fn.span), kernel };
}

// ------------------------------------------------------------------------------------------------ arguments

function loadArguments(fc: FunctionCompiler, placements: readonly ParameterPlacement[]): void {
  const { code } = fc;
  fc.fn.parameters.forEach(({ value }, index) => {
    if (fc.info(value).uses === 0) return;
    const placement = placements[index]!;
    const offset = launchOffsets.arguments + placement.offset;
    const locals = fc.assignLocals(value);
    if (placement.kind === 'aggregate') {
      code.get(launchLocal);
      code.i32(offset);
      code.op('i32.add');
      code.set(locals[0]!);
      return;
    }
    const { type } = value;
    if (type.kind === 'vector') {
      locals.forEach((local, part) => {
        loadPart(fc, type, part, placement.align, () => {
          code.get(launchLocal);
          return offset;
        });
        code.set(local);
      });
      return;
    }
    const access = scalarAccess(type);
    code.get(launchLocal);
    code.memory(access.load, offset, Math.min(access.bytes, placement.align));
    if (placement.kind === 'local') {
      code.get(areaLocal);
      code.op('i32.add');
    }
    code.set(locals[0]!);
  });
}

// --------------------------------------------------------------------------------------- launch environment

/** Reads what the kernel needs of the launch block, and finds its context arrays. */
function enterLaunch(fc: FunctionCompiler, keys: readonly string[], fixedBytes: number): void {
  const { code, environment } = fc;
  const required = fc.fn.attributes?.requiredWorkGroupSize;
  for (const key of keys) {
    const [name, dimension] = key.split('.');
    if ((name === 'local_size' || name === 'enqueued_local_size') && required) {
      environment.set(key, { constant: required[Number(dimension) as 0 | 1 | 2] });
      continue;
    }
    if (key === 'items' && required) {
      environment.set(key, { constant: required[0] * required[1] * required[2] });
      continue;
    }
    if (key === 'area') {
      environment.set(key, { local: areaLocal });
      continue;
    }
    const field = launchField(key);
    if (field === undefined && key !== 'constants') continue;
    const local = code.allocate('i32', key);
    if (field === undefined) code.globalGet(0);
    else {
      code.get(launchLocal);
      code.memory('i32.load', field, 4);
    }
    code.set(local);
    environment.set(key, { local });
  }
  enterAreaEnds(fc, keys, fixedBytes);
  for (const [array, { offset }] of fc.frame.arrays) {
    const local = code.allocate('i32', 'name' in array ? array.name : 'array');
    code.get(areaLocal);
    if (offset > 0) {
      fc.pushEnvironment('items');
      code.i32(offset);
      code.op('i32.mul');
      code.op('i32.add');
    }
    if (fixedBytes > 0) {
      code.i32(fixedBytes);
      code.op('i32.add');
    }
    code.set(local);
    fc.arrayBases.set(array, local);
  }
}

/** The names asked for in the body, and those that its loops are made of. */
function launchKeys(fc: FunctionCompiler, further: readonly string[]): readonly string[] {
  const keys = new Set([...groupKeys(fc.module.environmentOf(fc.fn)), ...further]);
  for (const itemLoop of fc.plan.itemLoops.values()) {
    if ([...itemLoop.queries].some((key) => key !== 'linear_local_id')) {
      for (const dimension of [0, 1, 2]) keys.add(`local_size.${dimension}`);
    } else keys.add('items');
  }
  if (fc.fn.attributes?.mayCutGroups) {
    if (keys.has('items')) for (const dimension of [0, 1, 2]) keys.add(`local_size.${dimension}`);
    for (const key of [...keys]) {
      const [fn, dimension] = key.split('.');
      if (fn !== 'local_size') continue;
      for (const part of ['group_id', 'enqueued_local_size', 'global_size']) keys.add(`${part}.${dimension}`);
    }
  }
  if (fc.plan.hasVectors) keys.add('constants');
  if (fc.plan.iterationEnds.size > 0) keys.add(itemsKey);
  if (fc.frame.arrays.size > 0) keys.add('items');
  const highest = highestGroupDimension(keys);
  for (let dimension = 0; dimension <= Math.min(highest, 1); dimension++) {
    keys.add(`num_groups.${dimension}`);
  }
  for (let dimension = 0; dimension <= highest; dimension++) keys.add(`group_id.${dimension}`);
  return [...keys].sort();
}

/** The names asked for, and those of which global ids are made. */
function groupKeys(asked: readonly string[]): Set<string> {
  const keys = new Set(asked);
  for (const key of asked) {
    const [fn, dimension] = key.split('.');
    if (fn !== 'global_id') continue;
    for (const part of ['group_id', 'local_size', 'global_offset']) keys.add(`${part}.${dimension}`);
  }
  return keys;
}

// -------------------------------------------------------------------------------------------------- groups

/**
 * Of groups that may be cut off, the sizes and the number of work-items get locals of their own.
 * @returns writes what sets them for the group whose ids are current
 */
function openCutSizes(fc: FunctionCompiler, keys: readonly string[]): () => void {
  const { code, environment } = fc;
  const sizes: { readonly dimension: string; readonly local: number }[] = [];
  for (const key of keys) {
    const [fn, dimension] = key.split('.');
    if (fn !== 'local_size') continue;
    const local = code.allocate('i32', key);
    environment.set(key, { local });
    sizes.push({ dimension: dimension!, local });
  }
  const items = keys.includes('items') ? code.allocate('i32', 'items') : undefined;
  if (items !== undefined) environment.set('items', { local: items });
  return () => {
    for (const { dimension, local } of sizes) {
      pushWorkItemsLeft(fc, dimension);
      code.set(local);
      fc.pushEnvironment(`enqueued_local_size.${dimension}`);
      code.get(local);
      fc.pushEnvironment(`enqueued_local_size.${dimension}`);
      code.get(local);
      code.op('i32.lt_u');
      code.op('select');
      code.set(local);
    }
    if (items === undefined) return;
    const [x, y, z] = sizes as [(typeof sizes)[0], (typeof sizes)[0], (typeof sizes)[0]];
    code.get(x.local);
    code.get(y.local);
    code.op('i32.mul');
    code.get(z.local);
    code.op('i32.mul');
    code.set(items);
  };
}

/** Pushes how many work-items the range has from the current group on. */
function pushWorkItemsLeft(fc: FunctionCompiler, dimension: string): void {
  fc.pushEnvironment(`global_size.${dimension}`);
  fc.pushEnvironment(`group_id.${dimension}`);
  fc.pushEnvironment(`enqueued_local_size.${dimension}`);
  fc.code.op('i32.mul');
  fc.code.op('i32.sub');
}

/** What kernels may ask for that run as if groups next to each other were one. */
const groupless = /^(global_id|global_size|global_offset|work_dim|area|constants)\b/;

/** Whether nobody can tell if groups that are neighbours along x run as one: helpers may ask for something of the group, too. */
function mayJoinGroups({ fn, frame, module }: FunctionCompiler): boolean {
  return (
    module.environmentOf(fn).every((key) => groupless.test(key)) &&
    frame.arrays.size === 0 &&
    frame.localBytes === 0
  );
}

/** Joins the groups from this one on to the end of their row, or of what is to be run. */
function joinGroups(fc: FunctionCompiler, joined: number): void {
  const { code } = fc;
  code.get(endLocal);
  code.get(firstLocal);
  code.op('i32.sub');
  const wanted = code.toTemporary('i32');
  fc.pushEnvironment('num_groups.0');
  fc.pushEnvironment('group_id.0');
  code.op('i32.sub');
  const there = code.toTemporary('i32');
  code.get(wanted);
  code.get(there);
  code.get(wanted);
  code.get(there);
  code.op('i32.lt_u');
  code.op('select');
  code.set(joined);
  code.release(wanted);
  code.release(there);
  const length = code.allocate('i32', rowLength);
  code.get(joined);
  const mayCut = fc.fn.attributes?.mayCutGroups ?? false;
  fc.pushEnvironment(mayCut ? 'enqueued_local_size.0' : 'local_size.0');
  code.op('i32.mul');
  code.set(length);
  if (mayCut) {
    pushWorkItemsLeft(fc, '0');
    const left = code.toTemporary('i32');
    code.get(length);
    code.get(left);
    code.get(length);
    code.get(left);
    code.op('i32.lt_u');
    code.op('select');
    code.set(length);
    code.release(left);
  }
  fc.environment.set(rowLength, { local: length });
}

/** Compiles a helper function: its parameters, then its environment. */
export function compileHelper(module: ModuleContext, fn: ir.Function, frameStart: number): EncodedFunction {
  const keys = module.environmentOf(fn);
  const frame = layOutFrame(allInstructions(fn.body), frameStart);
  const plan = planFunction(fn, {
    folding: foldingLimits(module.options),
    calleeNeeds: (callee) => module.environmentOf(callee),
    fuses: module.options.fuses,
  });
  const types = fn.parameters.flatMap(({ value }) => wasmTypesOf(value.type));
  const names = fn.parameters.flatMap(({ value }, index) =>
    wasmTypesOf(value.type).map(() => value.name ?? `p${index}`),
  );
  const code = new CodeWriter(
    fn.name,
    {
      parameters: [...types, ...keys.map(() => 'i32' as const)],
      results: fn.result ? wasmTypesOf(fn.result) : [],
    },
    [...names, ...keys],
  );
  code.vectorsApart = module.options.joinsParts ?? false;
  const fc = new FunctionCompiler(module, fn, plan, frame, code, {
    groupEnd: undefined,
    exits: new Map(),
    heads: new Map(),
  });
  let next = 0;
  for (const { value } of fn.parameters) {
    const info = fc.info(value);
    info.locals = Array.from({ length: info.parts }, () => next++);
  }
  for (const key of keys) fc.environment.set(key, { local: next++ });
  fc.region(fn.body!);
  return code.finish(undefined, fn.span);
}
