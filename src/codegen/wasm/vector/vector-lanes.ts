/**
 * Constants, and the movement of lanes: splat, build, extract, insert, shuffle. Also the way out for operations without
 * a vector instruction: lane by lane.
 */
import { bitsOfHalf } from '../../../ir/half.ts';
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import type { ScalarType, Type, VectorType } from '../../../ir/types.ts';
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import { elementBits, laneShape, wasmTypeOf } from '../kernel/value-layout.ts';
import { pushMask } from './vector-conversions.ts';

export function emitConstant(fc: FunctionCompiler, constant: ir.Constant | ir.Undefined, part: number): void {
  const { type } = constant.results[0]!;
  const value = constant.op === 'constant' ? constant.value : 0;
  if (type.kind === 'vector') {
    const lanes = Array.isArray(value)
      ? (value as readonly ir.ScalarConstant[])
      : new Array<ir.ScalarConstant>(type.lanes).fill(value as ir.ScalarConstant);
    pushVectorConstant(fc, constantPart(type, lanes, part));
    return;
  }
  pushScalarConstant(fc, type, value as ir.ScalarConstant);
}

function pushScalarConstant(fc: FunctionCompiler, type: Type, scalar: ir.ScalarConstant): void {
  switch (wasmTypeOf(type)) {
    case 'i64':
      fc.code.i64(BigInt(scalar));
      return;
    case 'f32':
      fc.code.f32(Number(scalar));
      return;
    case 'f64':
      fc.code.f64(Number(scalar));
      return;
    default:
      if (type.kind === 'float') fc.code.i32((bitsOfHalf(Number(scalar)) << 16) >> 16);
      else fc.code.i32(Number(scalar));
  }
}

/**
 * Engines make a `v128.const` anew at every use, from immediates, which takes longer than to load it. Vector code has many
 * of them, so there they lie with the program's constants.
 */
export function pushVectorConstant(fc: FunctionCompiler, bytes: Uint8Array): void {
  if (isPlain(bytes) || !fc.plan.hasVectors || fc.module.options.inlineConstants) {
    fc.code.v128(bytes);
    return;
  }
  const local = fc.vectorConstants.get(bytes.join());
  if (local !== undefined) {
    fc.code.get(local);
    return;
  }
  fc.pushEnvironment('constants');
  fc.code.memory('v128.load', fc.module.vectorConstant(bytes), 16);
}

/** What lies in memory of a vector constant with one value in all lanes; undefined if there is nothing. */
export function splatBytes(constant: ir.Constant): Uint8Array | undefined {
  const type = constant.results[0]!.type as VectorType;
  const lanes = constant.value;
  if (!Array.isArray(lanes) || lanes.some((lane) => !Object.is(lane, lanes[0]))) return undefined;
  const bytes = constantPart(type, lanes, 0);
  return isPlain(bytes) ? undefined : bytes;
}

/** Whether what computes a value is a vector constant that is loaded at each use. */
export function isReloadedConstant(fc: FunctionCompiler, definition: ir.Instruction | undefined): boolean {
  if (definition?.op !== 'constant' || definition.results[0]!.type.kind !== 'vector') return false;
  const bytes = splatBytes(definition);
  return bytes !== undefined && !fc.vectorConstants.has(bytes.join());
}

/** Whether an instruction makes it of nothing. */
function isPlain(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0) || bytes.every((byte) => byte === 0xff);
}

function constantPart(type: VectorType, lanes: readonly ir.ScalarConstant[], part: number): Uint8Array {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  const width = elementBits(type) / 8;
  const first = (part * 16) / width;
  for (let lane = first; lane < Math.min(first + 16 / width, type.lanes); lane++) {
    const at = (lane - first) * width;
    const value = lanes[lane]!;
    const { element } = type;
    if (element.kind === 'bool') view.setInt32(at, value ? -1 : 0, true);
    else if (element.kind === 'float') {
      if (width === 8) view.setFloat64(at, Number(value), true);
      else if (width === 4) view.setFloat32(at, Number(value), true);
      else view.setUint16(at, bitsOfHalf(Number(value)), true);
    } else if (width === 8) view.setBigInt64(at, BigInt(value), true);
    else if (width === 4) view.setInt32(at, Number(value), true);
    else if (width === 2) view.setInt16(at, Number(value), true);
    else view.setInt8(at, Number(value));
  }
  return bytes;
}

/** Pushes lane `lane` (counted in its part) of the v128 on the stack as a scalar. */
export function extractLane(fc: FunctionCompiler, element: ScalarType, maskBits: number, lane: number): void {
  const { code } = fc;
  const shape = laneShape(element, maskBits);
  if (shape === 'i8x16' || shape === 'i16x8') code.lane(`${shape}.extract_lane_s`, lane);
  else code.lane(`${shape}.extract_lane`, lane);
  if (element.kind !== 'bool') return;
  if (shape === 'i64x2') code.op('i32.wrap_i64');
  code.i32(1);
  code.op('i32.and');
}

/** Turns the scalar on the stack into what a lane of the shape takes. */
function toLane(fc: FunctionCompiler, element: ScalarType, maskBits: number): void {
  if (element.kind !== 'bool') return;
  const { code } = fc;
  const truth = code.toTemporary('i32');
  code.i32(0);
  code.get(truth);
  code.op('i32.sub');
  code.release(truth);
  if (maskBits === 64) code.op('i64.extend_i32_s');
}

/** Replaces the scalar on the stack by a vector with it in every lane. */
function splatLane(fc: FunctionCompiler, element: ScalarType, maskBits: number): void {
  toLane(fc, element, maskBits);
  fc.code.op(`${laneShape(element, maskBits)}.splat`);
}

/** Vector and scalar on the stack become the vector with lane `lane` (of the part) replaced. */
function replaceLane(fc: FunctionCompiler, element: ScalarType, maskBits: number, lane: number): void {
  toLane(fc, element, maskBits);
  fc.code.lane(`${laneShape(element, maskBits)}.replace_lane`, lane);
}

/**
 * Pushes one part of a vector result made lane by lane: `pushLane` pushes the scalar of a lane, counted over the
 * whole vector.
 */
function buildPart(
  fc: FunctionCompiler,
  type: VectorType,
  maskBits: number,
  part: number,
  pushLane: (lane: number) => void,
): void {
  const perPart = 128 / elementBits(type, maskBits);
  const first = part * perPart;
  const count = Math.min(perPart, type.lanes - first);
  for (let lane = 0; lane < count; lane++) {
    pushLane(first + lane);
    if (lane === 0) splatLane(fc, type.element, maskBits);
    else replaceLane(fc, type.element, maskBits, lane);
  }
}

/**
 * Pushes one part of the result of an operation without a vector instruction.
 * @param order in which order the operands go onto the stack
 * @param apply replaces the lanes of the operands on the stack by the lane of the result
 */
export function scalarise(
  fc: FunctionCompiler,
  instruction: ir.Instruction,
  part: number,
  order: readonly number[],
  apply: () => void,
): void {
  const result = instruction.results[0]!;
  const type = result.type as VectorType;
  const operands = order.map((index) => instruction.operands[index]!);
  // A deferred operand has one part and is needed once a lane: it waits in a temporary.
  withLocals(fc, operands, (pushLane) => {
    buildPart(fc, type, fc.info(result).maskBits, part, (lane) => {
      for (const operand of operands) pushLane(operand, lane);
      apply();
    });
  });
}

/** What a lane is known to be. Engines see a constant divisor in a scalar constant, but not in a lane of a vector. */
function laneConstant(fc: FunctionCompiler, operand: Value, lane: number): ir.ScalarConstant | undefined {
  const definition = fc.definition(operand);
  if (definition?.op !== 'constant') return undefined;
  const { value } = definition;
  return Array.isArray(value) ? (value as readonly ir.ScalarConstant[])[lane] : (value as ir.ScalarConstant);
}

function withLocals(
  fc: FunctionCompiler,
  operands: readonly Value[],
  body: (pushLane: (operand: Value, lane: number) => void) => void,
): void {
  const temporaries = new Map<Value, number>();
  for (const operand of operands) {
    const info = fc.info(operand);
    if (laneConstant(fc, operand, 0) !== undefined || info.locals || info.isFree || temporaries.has(operand))
      continue;
    fc.push(operand);
    temporaries.set(operand, fc.code.toTemporary(wasmTypeOf(operand.type)));
  }
  body((operand, lane) => {
    const known = laneConstant(fc, operand, lane);
    if (known !== undefined) {
      pushScalarConstant(fc, (operand.type as VectorType).element, known);
      return;
    }
    const { maskBits } = fc.info(operand);
    const perPart = 128 / elementBits(operand.type, maskBits);
    const temporary = temporaries.get(operand);
    if (temporary === undefined) fc.push(operand, Math.floor(lane / perPart));
    else fc.code.get(temporary);
    const { element } = operand.type as VectorType;
    extractLane(fc, element, maskBits, lane % perPart);
  });
  for (const temporary of temporaries.values()) fc.code.release(temporary);
}

type LaneInstruction = ir.Splat | ir.Build | ir.Extract | ir.Insert | ir.Shuffle;

export function emitLaneInstruction(fc: FunctionCompiler, instruction: LaneInstruction, part: number): void {
  const result = instruction.results[0]!;
  const { maskBits } = fc.info(result);
  switch (instruction.op) {
    case 'splat':
      if (splatFromMemory(fc, instruction.operands[0]!) || splatFromLane(fc, instruction.operands[0]!))
        return;
      fc.push(instruction.operands[0]!);
      splatLane(fc, (result.type as VectorType).element, maskBits);
      return;
    case 'build':
      buildPart(fc, result.type as VectorType, maskBits, part, (lane) => {
        fc.push(instruction.operands[lane]!);
      });
      return;
    case 'extract': {
      const vector = instruction.operands[0]!;
      const bits = fc.info(vector).maskBits;
      const perPart = 128 / elementBits(vector.type, bits);
      fc.push(vector, Math.floor(instruction.lane / perPart));
      extractLane(fc, (vector.type as VectorType).element, bits, instruction.lane % perPart);
      return;
    }
    case 'insert': {
      const perPart = 128 / elementBits(result.type, maskBits);
      fc.push(instruction.operands[0]!, part);
      if (Math.floor(instruction.lane / perPart) !== part) return;
      fc.push(instruction.operands[1]!);
      replaceLane(fc, (result.type as VectorType).element, maskBits, instruction.lane % perPart);
      return;
    }
    case 'shuffle':
      emitShuffle(fc, instruction, part);
  }
}

/** A scalar that is loaded only to fill a vector is loaded into all its lanes. */
function splatFromMemory(fc: FunctionCompiler, scalar: Value): boolean {
  const load = fc.pendingDefinition(scalar);
  if (load?.op !== 'load' || load.volatile || scalar.type.kind === 'bool') return false;
  const bits = elementBits(scalar.type) as 8 | 16 | 32 | 64;
  fc.takePending(fc.info(scalar));
  const offset = fc.pushAddress(load.operands[0]!);
  fc.code.access = load;
  fc.code.memory(`v128.load${bits}_splat`, offset, Math.min(load.align, bits / 8));
  fc.code.access = undefined;
  fc.releaseOperands(load);
  return true;
}

/** A lane of a vector that is taken out only to fill another moves by one shuffle. */
function splatFromLane(fc: FunctionCompiler, scalar: Value): boolean {
  const extract = fc.pendingDefinition(scalar);
  if (extract?.op !== 'extract' || scalar.type.kind === 'bool') return false;
  const vector = extract.operands[0]!;
  const bytes = elementBits(vector.type) / 8;
  const perPart = 16 / bytes;
  fc.takePending(fc.info(scalar));
  fc.withLocal(vector, Math.floor(extract.lane / perPart), (local) => {
    fc.code.get(local);
    fc.code.get(local);
  });
  const first = (extract.lane % perPart) * bytes;
  fc.code.shuffle(Array.from({ length: 16 }, (_, byte) => first + (byte % bytes)));
  fc.releaseOperands(extract);
  return true;
}

/** Every i8x16.shuffle joins two v128; what comes from more than two source parts takes a chain of them. */
function emitShuffle(fc: FunctionCompiler, shuffle: ir.Shuffle, part: number): void {
  const [a, b] = shuffle.operands as [Value, Value];
  const source = a.type as VectorType;
  const bits = elementBits(source, fc.info(a).maskBits);
  const perPart = 128 / bits;
  const sources: { value: Value; part: number; picks: { to: number; from: number }[] }[] = [];
  for (let lane = 0; lane < perPart; lane++) {
    const pick = shuffle.lanes[part * perPart + lane] ?? -1;
    if (pick < 0) continue;
    const value = pick < source.lanes ? a : b;
    const from = pick % source.lanes;
    const fromPart = Math.floor(from / perPart);
    let known = sources.find((one) => one.value === value && one.part === fromPart);
    if (!known) {
      known = { value, part: fromPart, picks: [] };
      sources.push(known);
    }
    known.picks.push({ to: lane, from: from % perPart });
  }
  const first = sources[0];
  if (!first) {
    fc.code.v128(new Uint8Array(16));
    return;
  }
  const bytes = bits / 8;
  const push = (from: { value: Value; part: number }): void => {
    if (source.element.kind === 'bool') pushMask(fc, from.value, bits, from.part);
    else fc.push(from.value, from.part);
  };
  if (sources.length === 1 && first.picks.every((pick) => pick.to === pick.from)) {
    push(first);
    return;
  }
  push(first);
  const second = sources[1] ?? first;
  if (second === first) {
    const again = fc.code.toTemporary('v128');
    fc.code.get(again);
    fc.code.get(again);
    fc.code.release(again);
  } else push(second);
  const indices = new Array<number>(16).fill(0);
  const place = (picks: readonly { to: number; from: number }[], base: number): void => {
    for (const { to, from } of picks) {
      for (let byte = 0; byte < bytes; byte++) indices[to * bytes + byte] = base + from * bytes + byte;
    }
  };
  place(first.picks, 0);
  if (second !== first) place(second.picks, 16);
  fc.code.shuffle(indices);
  for (const next of sources.slice(2)) {
    push(next);
    for (let byte = 0; byte < 16; byte++) indices[byte] = byte;
    place(next.picks, 16);
    fc.code.shuffle(indices);
  }
}

/** The element type of a vector, or the scalar itself. */
export function scalarOf(type: Type): ScalarType {
  return (type.kind === 'vector' ? type.element : type) as ScalarType;
}
