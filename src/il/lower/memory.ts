/** Group memory (lds), buffers (uav) and fences. */
import type * as ir from '../../ir/ir.ts';
import { i8, i16, i32, vectorType } from '../../ir/types.ts';
import { valuesOf } from '../declarations.ts';
import type { Instruction, Source } from '../tree.ts';
import type { Context } from './context.ts';
import { type Handler, type Handlers, hasModifier, refused } from './handlers.ts';
import { defaultUavFormat, type ElementFormat } from './interface.ts';
import { elementBytes, loadElement, storeElement } from './texel.ts';

/** A memory that an instruction touches: where it begins and how many bytes it has. */
interface Memory {
  readonly pointer: ir.Value;
  readonly bytes: ir.Value;
  /** bytes of one step of the address, and of the second address of structured memories */
  readonly stride: number;
  readonly isStructured: boolean;
  /** whether 32 bits count the bytes up to the element that an instruction names; undefined where it names bytes */
  readonly isReached?: ir.Value | undefined;
}

const idOf = (instruction: Instruction): number =>
  Number(valuesOf(instruction, 'id')[0] ?? valuesOf(instruction, 'resource')[0] ?? 0);

function memoryOf(cx: Context, instruction: Instruction): Memory {
  const { code, plan } = cx;
  const id = idOf(instruction);
  if (instruction.opcode.family === 'lds') {
    const declared = plan.groupMemories.get(id);
    if (!declared) cx.fail(instruction.span, `there is no dcl_lds_id(${id})`);
    const array = cx.arrays.get(`lds${id}`)!;
    return {
      pointer: array.address,
      bytes: code.int(array.bytes),
      stride: declared.stride ?? 4,
      isStructured: declared.stride !== undefined,
    };
  }
  const uav = plan.uavs.get(id);
  if (!uav) cx.fail(instruction.span, `there is no declaration of uav ${id}`);
  const pointer = cx.parameter(`uav${id}`);
  if (uav.form === 'typed') {
    const shape = cx.parameter(`uav${id}.shape`);
    const elements = code.binary('imul', code.extract(shape, 1), code.extract(shape, 2));
    const bytes = code.binary('imul', elements, code.int(elementBytes(formatOf(cx, id))));
    return { pointer, bytes, stride: 4, isStructured: false };
  }
  return {
    pointer,
    bytes: cx.parameter(`uav${id}.size`),
    stride: uav.stride,
    isStructured: uav.form === 'struct',
  };
}

/** Of the elements of a typed uav. */
const formatOf = ({ bindings }: Context, id: number): ElementFormat =>
  bindings.uavs?.get(id) ?? defaultUavFormat;

const isTyped = ({ plan }: Context, instruction: Instruction): boolean =>
  instruction.opcode.family === 'uav' && plan.uavs.get(idOf(instruction))?.form === 'typed';

/** The byte at which an element of a typed uav begins; of one outside a byte that no memory has. */
function elementByte(cx: Context, id: number, read: (position: number) => ir.Value): ir.Value {
  const { code } = cx;
  const shape = cx.parameter(`uav${id}.shape`);
  const [x, y] = [read(0), cx.plan.uavs.get(id)?.dimensions === 2 ? read(1) : undefined];
  let inside = code.compare('ult', x, code.extract(shape, 0));
  let element = x;
  if (y) {
    inside = code.binary('and', inside, code.compare('ult', y, code.extract(shape, 1)));
    element = code.binary('iadd', code.binary('imul', y, code.extract(shape, 2)), x);
  }
  const bytes = code.binary('imul', element, code.int(elementBytes(formatOf(cx, id))));
  return code.select(inside, bytes, code.int(-1));
}

/**
 * The byte that an address means: of structured memories element and byte, of typed ones the element, else the byte itself. With it, the
 * memory as this address may be used in it.
 */
function placeOf(cx: Context, instruction: Instruction, source: Source): readonly [Memory, ir.Value] {
  const { code } = cx;
  const memory = memoryOf(cx, instruction);
  const read = cx.integers(source);
  if (isTyped(cx, instruction)) return [memory, elementByte(cx, idOf(instruction), read)];
  const isTypeless =
    instruction.opcode.family === 'uav' && cx.plan.uavs.get(idOf(instruction))?.form === 'typeless';
  if (!memory.isStructured && !isTypeless) return [memory, read(0)];
  const stride = isTypeless ? 4 : memory.stride;
  const element = read(0);
  const isReached =
    stride > 1 ? code.compare('ult', element, code.int(Math.floor(2 ** 32 / stride))) : undefined;
  const first = code.binary('imul', element, code.int(stride));
  return [{ ...memory, isReached }, isTypeless ? first : code.binary('iadd', first, read(1))];
}

/** Whether so many bytes from a place on lie inside; `bytes` is at least as large. */
function isInside(cx: Context, memory: Memory, place: ir.Value, count: number): ir.Value {
  const { code } = cx;
  const last = code.binary('isub', memory.bytes, code.int(count));
  const fits = code.compare('uge', memory.bytes, code.int(count));
  const inside = code.binary('and', fits, code.compare('ule', place, last));
  return memory.isReached ? code.binary('and', memory.isReached, inside) : inside;
}

/** The place, or the first where it lies outside. */
function safe(cx: Context, place: ir.Value, condition: ir.Value): ir.Value {
  return cx.code.select(condition, place, cx.code.int(0));
}

const aligned = (cx: Context, place: ir.Value, bytes: number): ir.Value =>
  bytes === 1 ? place : cx.code.binary('and', place, cx.code.int(-bytes));

/** Reads so many words; words outside are 0. */
const loadWords: Handler = (cx, instruction) => {
  const { code } = cx;
  const [source, second] = cx.sources(instruction);
  const [memory, first] = placeOf(cx, instruction, source!);
  let place = first;
  if (second) place = code.binary('iadd', place, cx.integers(second)(0));
  place = aligned(cx, place, 4);
  cx.write(instruction, (position) => {
    const here = position === 0 ? place : code.binary('iadd', place, code.int(position * 4));
    const condition = isInside(cx, memory, here, 4);
    const value = code.load(i32, code.offset(memory.pointer, safe(cx, here, condition)), 4);
    return code.select(condition, value, code.int(0));
  });
};

/** One element for all components. */
const loadSmall =
  (bits: 8 | 16 | 32, isSigned: boolean): Handler =>
  (cx, instruction) => {
    const { code } = cx;
    const [memory, first] = placeOf(cx, instruction, cx.sources(instruction)[0]!);
    const place = aligned(cx, first, bits / 8);
    const condition = isInside(cx, memory, place, bits / 8);
    const pointer = code.offset(memory.pointer, safe(cx, place, condition));
    const type = bits === 8 ? i8 : bits === 16 ? i16 : i32;
    const small = code.load(type, pointer, bits / 8);
    const value = bits === 32 ? small : code.convert(isSigned ? 'sext' : 'zext', small, i32);
    const result = code.select(condition, value, code.int(0));
    cx.write(instruction, () => result);
  };

/** The words that an instruction writes by its mask. */
function wordsOf(cx: Context, instruction: Instruction, source: Source): (ir.Value | undefined)[] {
  const read = cx.bits(source);
  const values = cx.masked(cx.destination(instruction), (position) => read(position, 'int'));
  return values.map((value) => value && cx.code.asInt(value));
}

/** `uav_raw_store mem.xyzw, address, value`: words by the mask. */
const storeMasked: Handler = (cx, instruction) => {
  const { code } = cx;
  const [address, source] = cx.sources(instruction);
  const [memory, first] = placeOf(cx, instruction, address!);
  const place = aligned(cx, first, 4);
  wordsOf(cx, instruction, source!).forEach((value, position) => {
    if (!value) return;
    const here = position === 0 ? place : code.binary('iadd', place, code.int(position * 4));
    code.when(isInside(cx, memory, here, 4), () => {
      code.store(code.offset(memory.pointer, here), value, 4);
    });
  });
};

/** Operands: address, value; without a mask one element. */
const storeSmall =
  (bits: 8 | 16 | 32): Handler =>
  (cx, instruction) => {
    const { code } = cx;
    const [address, source] = cx.sources(instruction);
    const [memory, first] = placeOf(cx, instruction, address!);
    const place = aligned(cx, first, bits / 8);
    const word = cx.integers(source!)(0);
    const value = bits === 32 ? word : code.convert('trunc', word, bits === 8 ? i8 : i16);
    code.when(isInside(cx, memory, place, bits / 8), () => {
      code.store(code.offset(memory.pointer, place), value, bits / 8);
    });
  };

/** An element of a typed uav as four components. */
const loadTyped: Handler = (cx, instruction) => {
  const { code } = cx;
  const format = formatOf(cx, idOf(instruction));
  const [memory, place] = placeOf(cx, instruction, cx.sources(instruction)[0]!);
  const condition = isInside(cx, memory, place, elementBytes(format));
  const pointer = code.offset(memory.pointer, safe(cx, place, condition));
  const values = loadElement(code, format, pointer, 'int');
  cx.write(instruction, (position) => {
    const value = values[position]!;
    return code.select(condition, value, code.bits(0, value.type === i32 ? 'int' : 'float'));
  });
};

/** Operands: address, and the components, of which those are written that the format has. */
const storeTyped: Handler = (cx, instruction) => {
  const { code } = cx;
  const format = formatOf(cx, idOf(instruction));
  const [address, source] = cx.sources(instruction);
  const [memory, place] = placeOf(cx, instruction, address!);
  const read = cx.bits(source!);
  const values = [0, 1, 2, 3].map((position) => read(position, 'int'));
  code.when(isInside(cx, memory, place, elementBytes(format)), () => {
    storeElement(code, format, code.offset(memory.pointer, place), values);
  });
};

const byForm =
  (typed: Handler, plain: Handler): Handler =>
  (cx, instruction) =>
    (isTyped(cx, instruction) ? typed : plain)(cx, instruction);

/** `uav_arena_load_id(8)_size(byte)`: elements of the size that is said, words otherwise. */
function bySize(choose: (bits: 8 | 16 | 32) => Handler): Handler {
  return (cx, instruction) => {
    const size = valuesOf(instruction, 'size')[0] ?? 'dword';
    choose(size === 'byte' ? 8 : size === 'short' ? 16 : 32)(cx, instruction);
  };
}

/** Vectors of group memory: what is written lies at the address moved by the second source. */
const storeVector: Handler = (cx, instruction) => {
  const { code } = cx;
  const [address, offset, source] = cx.sources(instruction);
  const [memory, first] = placeOf(cx, instruction, address!);
  const place = aligned(cx, code.binary('iadd', first, cx.integers(offset!)(0)), 4);
  wordsOf(cx, instruction, source!).forEach((value, position) => {
    if (!value) return;
    const here = code.binary('iadd', place, code.int(position * 4));
    code.when(isInside(cx, memory, here, 4), () => {
      code.store(code.offset(memory.pointer, here), value, 4);
    });
  });
};

// --------------------------------------------------------------------------------------------------- atomics

type Update = (code: Context['code'], old: ir.Value, value: ir.Value, second?: ir.Value) => ir.Value;

/** What the machine does at once. */
const plain: Readonly<Record<string, ir.AtomicFunction>> = {
  add: 'add',
  sub: 'sub',
  min: 'smin',
  max: 'smax',
  umin: 'umin',
  umax: 'umax',
  and: 'and',
  or: 'or',
  xor: 'xor',
  xchg: 'exchange',
};

/** What is tried until nobody comes between: the new value from the old one and the operand. */
const updates: Readonly<Record<string, Update>> = {
  rsub: (code, old, value) => code.binary('isub', value, old),
  inc: wrapUp,
  uinc: wrapUp,
  dec: wrapDown,
  udec: wrapDown,
  // a mask, and the bits to put in its place
  mskor: (code, old, mask, bits) =>
    code.binary('or', code.binary('and', old, code.unary('not', mask)), bits!),
};

/** Counts up to the bound, then from 0 again. */
function wrapUp(code: Context['code'], old: ir.Value, bound: ir.Value): ir.Value {
  return code.select(code.compare('uge', old, bound), code.int(0), code.binary('iadd', old, code.int(1)));
}

/** Counts down to 0, then from the bound again. */
function wrapDown(code: Context['code'], old: ir.Value, bound: ir.Value): ir.Value {
  const isOver = code.binary('or', code.compare('eq', old, code.int(0)), code.compare('ugt', old, bound));
  return code.select(isOver, bound, code.binary('isub', old, code.int(1)));
}

function atomic(operation: string): Handler {
  return (cx, instruction) => {
    const { code } = cx;
    const [address, ...sources] = cx.sources(instruction);
    const [memory, first] = placeOf(cx, instruction, address!);
    const place = aligned(cx, first, 4);
    const values = sources.map((source) => cx.integers(source)(0));
    const condition = isInside(cx, memory, place, 4);
    const { regions, results } = code.if(condition, [i32]);
    code.within(regions[0]!, () => {
      code.yield([oldValue(cx, operation, code.offset(memory.pointer, place), values)]);
    });
    code.within(regions[1]!, () => code.yield([code.int(0)]));
    if (instruction.opcode.name.includes('_read_')) cx.write(instruction, () => results[0]!);
  };
}

function oldValue(cx: Context, operation: string, pointer: ir.Value, values: readonly ir.Value[]): ir.Value {
  const { code } = cx;
  const [value, second] = values;
  if (operation === 'cmp' || operation === 'cmp_xchg') {
    // what the old value must be comes first, then what replaces it
    return code.atomic('compare_exchange', [pointer, value!, second!], i32)!;
  }
  const fn = plain[operation];
  if (fn) return code.atomic(fn, [pointer, value!], i32)!;
  const update = updates[operation];
  if (!update) throw new Error(`no atomic operation ${operation}`);
  const loop = code.loop([code.atomic('load', [pointer], i32)!], [i32]);
  const body = loop.regions[0]!;
  code.within(body, () => {
    const old = body.parameters[0]!;
    const seen = code.atomic('compare_exchange', [pointer, old, update(code, old, value!, second)], i32)!;
    const { regions } = code.if(code.compare('eq', seen, old));
    code.within(regions[0]!, () => code.break(loop, [old]));
    code.within(regions[1]!, () => code.yield());
    code.continue(loop, [seen]);
  });
  return loop.results[0]!;
}

// ------------------------------------------------------------------------ group memory that each work-item owns

/**
 * On the cards the threads of a wavefront do every instruction together, and programs whose group is one leave fences out: what
 * one thread reads, another overwrites only afterwards. So work-items wait between reads and writes, where all come by.
 */
function keepInStep({ code, plan, group, branches }: Context, next: 'read' | 'write'): void {
  const [x, y, z] = plan.groupSize ?? [1, 1, 1];
  const waits = next === 'read' ? group.hasWritten : group.hasRead;
  if (waits && branches === 0 && x * y * z <= wavefront) {
    code.barrier(['local']);
    group.hasRead = false;
    group.hasWritten = false;
  }
  if (next === 'read') group.hasRead = true;
  else group.hasWritten = true;
}

/** Threads that the cards run in step. */
const wavefront = 64;

/** Words that each work-item owns; every work-item of the group may read them. */
function ownedWords(cx: Context, instruction: Instruction): { address: ir.Value; words: number } {
  const array = cx.arrays.get('lds');
  if (!array) cx.fail(instruction.span, 'there is no dcl_lds_size_per_thread');
  return { address: array.address, words: cx.plan.wordsPerItem };
}

const writeOwn: Handler = (cx, instruction) => {
  const { code } = cx;
  const { address, words } = ownedWords(cx, instruction);
  const first = Number(valuesOf(instruction, 'lOffset')[0] ?? 0);
  const source = cx.sources(instruction)[0]!;
  if (!Number.isInteger(first) || first < 0 || first + 4 > words) {
    cx.fail(
      instruction.span,
      `a thread has ${words} words of group memory; these are ${first} to ${first + 3}`,
    );
  }
  keepInStep(cx, 'write');
  const own = code.binary('imul', code.query('linear_local_id'), code.int(words * 4));
  const pointer = cx.moved(code.offset(address, own), code.int(first * 4));
  cx.storeWords(pointer, wordsOf(cx, instruction, source), first % 4 === 0 && words % 4 === 0 ? 16 : 4);
};

/** Operands: x the work-item whose words are read, y the first of them. */
function ownedAddress(cx: Context, instruction: Instruction, words: number): ir.Value {
  const { code } = cx;
  const read = cx.integers(cx.sources(instruction)[0]!);
  const [x, y, z] = cx.plan.groupSize ?? [1, 1, 1];
  const word = code.binary('iadd', code.binary('imul', read(0), code.int(words)), read(1));
  const last = code.int(x * y * z * words - 4);
  return code.binary('shl', code.binary('umin', word, last), code.int(2));
}

const readOwned: Handler = (cx, instruction) => {
  const { code } = cx;
  const { address, words } = ownedWords(cx, instruction);
  const place = ownedAddress(cx, instruction, words);
  keepInStep(cx, 'read');
  if (!hasModifier(instruction, 'neighborExch')) {
    const pointer = code.offset(address, place);
    cx.write(instruction, (position) => code.load(i32, cx.moved(pointer, code.int(position * 4)), 4));
    return;
  }
  // Each of four neighbours reads its vector, and these are transposed: the one with number n gets word n of each.
  const exchange = cx.arrays.get('lds.exchange')!.address;
  const item = code.query('linear_local_id');
  code.barrier(['local']);
  code.store(code.offset(exchange, code.binary('shl', item, code.int(2))), place, 4);
  code.barrier(['local']);
  const four = code.binary('shl', code.binary('and', item, code.int(-4)), code.int(2));
  const addresses = code.load(vectorType(i32, 4), code.offset(exchange, four), 16);
  const word = code.binary('shl', code.binary('and', item, code.int(3)), code.int(2));
  cx.write(instruction, (position) => {
    const place = code.binary('iadd', code.extract(addresses, position), word);
    return code.load(i32, code.offset(address, place), 4);
  });
};

/** Bytes that neighbours exchange addresses in. */
export const exchangeBytes = (items: number): number => Math.ceil(items / 4) * 16;

// ---------------------------------------------------------------------------------------------------- fences

/**
 * A fence that names threads is a barrier. So is one of group memory: on the cards a group of up to 64 threads is one
 * wavefront, whose threads pass it together, and programs rely on that.
 */
const fence: Handler = (cx, instruction) => {
  const { code } = cx;
  const has = (name: string): boolean => hasModifier(instruction, name);
  const isOfGroup = has('lds') || has('threads');
  const isOfMemory = has('memory') || has('mem_write_only') || has('mem_read_only');
  if (has('sr') || has('gds'))
    cx.fail(instruction.span, 'there are no registers or memories that all groups share');
  if (cx.plan.shader === 'cs' && isOfGroup) {
    code.barrier(isOfMemory ? ['local', 'global'] : ['local']);
    cx.group.hasRead = false;
    cx.group.hasWritten = false;
  } else code.fence(['global'], 'acq_rel', 'device');
};

const noCounters = refused('buffers have no counters here');
const noViews = refused('declare a uav instead');

function handlersOf(): Record<string, Handler> {
  const handlers: Record<string, Handler> = {};
  const operations = [...Object.keys(plain), ...Object.keys(updates), 'cmp', 'cmp_xchg'];
  for (const memory of ['lds', 'uav']) {
    for (const operation of operations) {
      const handler = atomic(operation);
      handlers[`${memory}_${operation}`] = handler;
      handlers[`${memory}_read_${operation}`] = handler;
    }
    handlers[`${memory}_load`] = memory === 'lds' ? loadSmall(32, false) : byForm(loadTyped, loadWords);
    handlers[`${memory}_load_byte`] = loadSmall(8, true);
    handlers[`${memory}_load_ubyte`] = loadSmall(8, false);
    handlers[`${memory}_load_short`] = loadSmall(16, true);
    handlers[`${memory}_load_ushort`] = loadSmall(16, false);
    handlers[`${memory}_store`] = byForm(storeTyped, storeSmall(32));
    handlers[`${memory}_store_byte`] = storeSmall(8);
    handlers[`${memory}_store_short`] = storeSmall(16);
  }
  return handlers;
}

export const memoryHandlers: Handlers = {
  ...handlersOf(),
  lds_load_vec: loadWords,
  lds_store_vec: storeVector,
  lds_read_vec: readOwned,
  lds_write_vec: writeOwn,
  uav_raw_load: loadWords,
  uav_struct_load: loadWords,
  uav_byte_load: loadSmall(8, true),
  uav_ubyte_load: loadSmall(8, false),
  uav_short_load: loadSmall(16, true),
  uav_ushort_load: loadSmall(16, false),
  uav_raw_store: storeMasked,
  uav_struct_store: storeMasked,
  uav_byte_store: storeSmall(8),
  uav_short_store: storeSmall(16),
  uav_arena_load: bySize((bits) => loadSmall(bits, true)),
  uav_arena_store: bySize(storeSmall),
  srv_raw_load: noViews,
  srv_struct_load: noViews,
  append_buf_alloc: noCounters,
  append_buf_consume: noCounters,
  fence,
};
