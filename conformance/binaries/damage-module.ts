/**
 * Damage that knows what it damages: the module of a binary is read, something in it is changed, and it is written again. What comes out
 * is of the right form everywhere, so it gets as far as the verifier, and further than random bytes do.
 */
import {
  type Field,
  fieldsByOpcode,
  opcodeNumbers,
  storedOpcodes,
  types,
} from '../../src/ir/binary/schema.ts';
import { queueFunctionNames, queueModule, queueSymbol } from '../../src/ir/device-queues.ts';
import type * as ir from '../../src/ir/ir.ts';
import { elementOf, lanesOf, type Type } from '../../src/ir/types.ts';
import type { Random } from '../../test/support/random.ts';

/** The module's parts are plain objects of the test's own. */
type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type Loose = Record<string, unknown> & Pick<ir.Instruction, 'op' | 'operands' | 'results' | 'regions'>;

interface Place {
  readonly fn: ir.Function;
  readonly region: ir.Region;
  readonly index: number;
  readonly instruction: Loose;
  /** What may be used there: what is defined before, also what is out of sight. */
  readonly values: readonly ir.Value[];
  readonly targets: readonly (ir.Block | ir.Loop)[];
}

/** Sizes, offsets and lengths that something may not think of. */
const numbers = [
  0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 63, 64, 127, 255, 256, 1000, 4095, 4096, 65_535, 65_536,
];
const largeNumbers = [2 ** 24, 2 ** 26, 2 ** 30, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 16, 2 ** 32 - 1];
const names = [
  '',
  'main',
  'constructor',
  '__proto__',
  'toString',
  'a b',
  'é',
  'k.called',
  'k.block1.kernel',
  'x'.repeat(300),
  '__millrace_image_width',
  '__millrace_image_read_2d_f32',
  '__millrace_image_sample_2d_f32_f32',
  '__millrace_sin_f32',
  '__millrace_async_copy',
  '__millrace_async_wait',
  '__millrace_barrier_flags',
  '__millrace_pipe_read',
  '__millrace_check_state',
  '__millrace_check_scratch',
  '__millrace_check_report',
  ...queueFunctionNames.map(queueSymbol),
];

/** Changes the module in place, in one to three ways. */
export function damageModule(module: ir.Module, random: Random): void {
  const times = 1 + random.below(3);
  for (let time = 0; time < times; time += 1) {
    const kind = random.below(10);
    if (kind === 0) damageGlobals(module, random);
    else if (kind <= 2) damageFunctions(module, random);
    else damageBody(module, random);
  }
}

function damageGlobals(module: ir.Module, random: Random): void {
  const { globals } = module;
  if (globals.length === 0 || random.below(8) === 0) {
    const global = madeGlobal(module, random);
    globals.splice(random.below(globals.length + 1), 0, global);
    return;
  }
  const at = random.below(globals.length);
  const global = globals[at] as Writable<ir.GlobalVariable>;
  switch (random.below(10)) {
    case 0:
      global.size = anyNumber(random) % 2 ** 26;
      if (random.below(2) === 0) global.bytes = new Uint8Array(Math.min(global.size, 65_536));
      return;
    case 1:
      global.align = 2 ** random.below(13);
      return;
    case 2:
      global.space = random.pick(['constant', 'global', 'private']);
      return;
    case 3:
      global.isDeclared = global.isDeclared ? undefined : true;
      return;
    case 4:
      global.name = random.below(2) === 0 ? random.pick(names) : random.pick(globals).name;
      return;
    case 5:
      global.linkage = global.linkage ? undefined : 'internal';
      return;
    case 6:
      globals.splice(at, 1);
      return;
    default: {
      const target = random.pick(globals);
      const offset = random.below(2) === 0 ? random.below(global.size + 1) : anyNumber(random) % 2 ** 26;
      const addend = (random.below(2) === 0 ? 1 : -1) * anyNumber(random);
      global.relocations = [...global.relocations, { offset, target, addend }];
    }
  }
}

function madeGlobal(module: ir.Module, random: Random): ir.GlobalVariable {
  const size = random.pick(numbers);
  return {
    name: random.below(3) === 0 ? random.pick(names) : `made${module.globals.length}`,
    space: random.pick(['constant', 'global']),
    size,
    align: 2 ** random.below(8),
    bytes: new Uint8Array(size),
    relocations: [],
  };
}

function damageFunctions(module: ir.Module, random: Random): void {
  const { functions } = module;
  if (functions.length === 0) return;
  const at = random.below(functions.length);
  const fn = functions[at] as Writable<ir.Function>;
  const other = random.pick(functions) as Writable<ir.Function>;
  switch (random.below(17)) {
    case 0:
      fn.kind = fn.kind === 'kernel' ? 'function' : 'kernel';
      fn.attributes = fn.kind === 'kernel' ? {} : undefined;
      return;
    case 1:
      fn.name = random.below(2) === 0 ? random.pick(names) : other.name;
      return;
    case 2:
      fn.linkage = fn.linkage ? undefined : 'internal';
      return;
    case 3:
      fn.isOutlined = fn.isOutlined ? undefined : true;
      return;
    case 4:
      fn.imported = fn.imported
        ? undefined
        : { module: random.pick([queueModule, 'env', '']), name: random.pick([...queueFunctionNames, 'f']) };
      return;
    case 5:
      fn.result = random.below(3) === 0 ? undefined : random.pick(types);
      return;
    case 6:
      fn.body = undefined;
      return;
    case 7: {
      const { body } = fn;
      fn.body = other.body;
      other.body = body;
      return;
    }
    case 8:
      functions.splice(at, 1);
      return;
    case 9:
      functions.splice(at, 1);
      functions.splice(random.below(functions.length + 1), 0, fn);
      return;
    case 10:
      if (fn.kind === 'kernel') fn.attributes = { ...fn.attributes, ...anyAttributes(random) };
      return;
    default:
      damageParameters(fn, random);
  }
}

function anyAttributes(random: Random): ir.KernelAttributes {
  const size = (): [number, number, number] => [anySize(random), anySize(random), anySize(random)];
  switch (random.below(5)) {
    case 0:
      return { requiredWorkGroupSize: size() };
    case 1:
      return { workGroupSizeHint: size() };
    case 2:
      return { vectorTypeHint: random.pick(['float4', '', 'no type', 'x'.repeat(1000)]) };
    case 3:
      return { mayCutGroups: random.below(2) === 0 ? true : undefined };
    default:
      return { isBlock: random.below(2) === 0 ? true : undefined };
  }
}

function damageParameters(fn: ir.Function, random: Random): void {
  const { parameters } = fn;
  if (parameters.length === 0 || random.below(10) === 0) {
    const made = { value: { type: random.pick(types) }, ...copyOf(parameters[0] ?? {}) } as ir.Parameter;
    parameters.splice(random.below(parameters.length + 1), 0, made);
    return;
  }
  const at = random.below(parameters.length);
  const parameter = parameters[at] as Writable<ir.Parameter>;
  const info = parameter.info as Writable<ir.ParameterInfo> | undefined;
  switch (random.below(11)) {
    case 0:
      parameters.splice(at, 1);
      return;
    case 1:
      parameters.splice(at, 1);
      parameters.splice(random.below(parameters.length + 1), 0, parameter);
      return;
    case 2:
      retype(parameter.value, random);
      return;
    case 3:
      parameter.aggregate = parameter.aggregate && random.below(2) === 0 ? undefined : anyAggregate(random);
      return;
    case 4:
      parameter.isConst = !parameter.isConst;
      parameter.isRestrict = random.below(2) === 0;
      parameter.isVolatile = random.below(2) === 0;
      return;
    case 5:
      parameter.info = random.pick(parameters).info;
      return;
    case 6:
      if (info) info.handle = anyHandle(random);
      return;
    case 7:
      if (info) info.layout = random.below(2) === 0 ? info.pointee : anyLayout(random, 0);
      return;
    case 8:
      if (info) info.pointee = random.below(2) === 0 ? info.layout : anyLayout(random, 0);
      return;
    case 9:
      if (info) info.accessQualifier = random.pick(['read_only', 'write_only', 'read_write', undefined]);
      return;
    default:
      if (info) {
        info.name = random.pick(names);
        info.typeName = random.pick(['float*', 'image2d_t', 'sampler_t', 'pipe', '', 'struct x']);
        info.typeQualifiers = [random.pick(['const', 'restrict', 'volatile', 'pipe'])];
      }
  }
}

function anyAggregate(random: Random): { size: number; align: number } {
  return { size: anyNumber(random), align: 2 ** random.below(13) };
}

function anyHandle(random: Random): ir.HandleInfo | undefined {
  switch (random.below(5)) {
    case 0:
      return { kind: 'sampler' };
    case 1:
      return { kind: 'queue' };
    case 2:
      return {
        kind: 'image',
        type: random.pick(['image2d_t', 'image1d_buffer_t', 'image3d_t']),
        access: random.pick(['read_only', 'write_only', 'read_write']),
      };
    case 3:
      return {
        kind: 'pipe',
        access: random.pick(['read_only', 'write_only']),
        packetBytes: anyNumber(random),
      };
    default:
      return undefined;
  }
}

function anyLayout(random: Random, depth: number): ir.HostLayout {
  switch (random.below(depth > 3 ? 2 : 5)) {
    case 0:
      return { kind: 'integer', size: random.pick([1, 2, 4, 8]), signed: random.below(2) === 0 };
    case 1:
      return { kind: 'float', size: random.pick([2, 4, 8]) };
    case 2: {
      const element = anyLayout(random, depth + 1);
      const lanes = random.pick([2, 3, 4, 8, 16] as const);
      return { kind: 'vector', element, lanes, size: element.size * (lanes === 3 ? 4 : lanes) };
    }
    case 3: {
      const element = anyLayout(random, depth + 1);
      const length = anyNumber(random) % 2 ** 20;
      const size = (element.size * length) % 2 ** 32;
      return { kind: 'array', element, length, size };
    }
    default: {
      const size = anyNumber(random);
      const fields = Array.from({ length: random.below(4) }, () => ({
        name: random.pick(names),
        offset: anyNumber(random) % (size + 1),
        layout: anyLayout(random, depth + 1),
      }));
      return { kind: 'struct', name: random.pick(names), size, align: 2 ** random.below(13), fields };
    }
  }
}

function damageBody(module: ir.Module, random: Random): void {
  const fn = random.pick(module.functions.filter(({ body }) => body) as ir.Function[]);
  if (!fn?.body) return;
  const places = placesOf(fn);
  if (places.length === 0) return;
  const place = random.pick(places);
  const { region, index, instruction, values } = place;
  const { instructions } = region;
  const other = random.pick(places);
  switch (random.below(22)) {
    case 0:
    case 1:
    case 2:
    case 3:
      damageField(module, place, random);
      return;
    case 4:
    case 5:
    case 6:
      if (instruction.operands.length > 0 && values.length > 0)
        instruction.operands[random.below(instruction.operands.length)] = random.pick(values);
      return;
    case 7:
      if (values.length > 0)
        instruction.operands.splice(random.below(instruction.operands.length + 1), 0, random.pick(values));
      return;
    case 8:
      instruction.operands.splice(random.below(instruction.operands.length + 1), 1);
      return;
    case 9:
    case 10: {
      const value = random.pick([...instruction.results, ...region.parameters, ...instruction.operands]);
      if (value) retype(value, random);
      return;
    }
    case 11:
      if (random.below(2) === 0) instruction.results.push({ type: random.pick(types) });
      else instruction.results.splice(random.below(instruction.results.length + 1), 1);
      return;
    case 12:
      instructions.splice(index, 1);
      return;
    case 13:
      instructions.splice(index, 1);
      instructions.splice(random.below(instructions.length + 1), 0, instruction as unknown as ir.Instruction);
      return;
    case 14:
      // Another like it, with results of its own, somewhere else.
      other.region.instructions.splice(other.index, 0, alike(instruction));
      return;
    case 15:
    case 16:
      changeKind(module, place, random);
      return;
    case 17:
      instruction.regions.reverse();
      return;
    case 18:
      if (random.below(2) === 0) instruction.regions.pop();
      else
        instruction.regions.push({
          parameters: [],
          instructions: other.region.instructions
            .slice(other.index)
            .map((one) => alike(one as unknown as Loose)),
        });
      return;
    case 19:
      wrap(place, random);
      return;
    case 20:
      if (random.below(2) === 0) region.parameters.push({ type: random.pick(types) });
      else region.parameters.pop();
      return;
    default:
      instructions.splice(index, 0, made(module, place, random) as unknown as ir.Instruction);
  }
}

/** All instructions, each with what is defined before it. */
function placesOf(fn: ir.Function): Place[] {
  const places: Place[] = [];
  const values: ir.Value[] = fn.parameters.map(({ value }) => value);
  const visit = (region: ir.Region, targets: readonly (ir.Block | ir.Loop)[]): void => {
    values.push(...region.parameters);
    region.instructions.forEach((instruction, index) => {
      const defined = values.length;
      places.push({
        fn,
        region,
        index,
        instruction: instruction as unknown as Loose,
        get values() {
          return values.slice(0, defined);
        },
        targets,
      });
      const isTarget = instruction.op === 'block' || instruction.op === 'loop';
      for (const inner of instruction.regions) visit(inner, isTarget ? [...targets, instruction] : targets);
      values.push(...instruction.results);
    });
  };
  visit(fn.body!, []);
  return places;
}

function damageField(module: ir.Module, place: Place, random: Random): void {
  const fields = fieldsByOpcode[opcodeNumbers.get(place.instruction.op) ?? -1] ?? [];
  if (fields.length === 0) return;
  const [name, field] = random.pick(fields);
  place.instruction[name] = anyField(module, field, place, random);
}

/** The same instruction of another kind, with the fields of that kind. */
function changeKind(module: ir.Module, place: Place, random: Random): void {
  const { instruction } = place;
  const op = random.pick(storedOpcodes);
  (instruction as { op: string }).op = op;
  for (const [name, field] of fieldsByOpcode[opcodeNumbers.get(op)!]!)
    instruction[name] ??= anyField(module, field, place, random);
}

/** An instruction of any kind, which may be right. */
function made(module: ir.Module, place: Place, random: Random): Loose {
  const { values } = place;
  const op = random.pick(storedOpcodes);
  const some = (count: number) =>
    Array.from({ length: values.length === 0 ? 0 : count }, () => random.pick(values));
  const first = some(1);
  // Two operands of one type are right oftener than others.
  const operands =
    random.below(2) === 0 ? some(random.below(4)) : [...first, ...first, ...first].slice(0, random.below(4));
  const type = random.below(2) === 0 && operands[0] ? operands[0].type : random.pick(types);
  const results = random.below(4) === 0 ? [] : [{ type }];
  const instruction: Loose = { op: op as never, operands, results, regions: [] };
  for (const [name, field] of fieldsByOpcode[opcodeNumbers.get(op)!]!)
    instruction[name] = anyField(module, field, { ...place, instruction }, random);
  const regions = op === 'if' ? 2 : op === 'block' || op === 'loop' ? 1 : 0;
  for (let index = 0; index < regions; index += 1) {
    const end: Loose = {
      op: random.pick(['yield', 'unreachable', 'return']) as never,
      operands: [],
      results: [],
      regions: [],
    };
    instruction.regions.push({ parameters: [], instructions: [end as unknown as ir.Instruction] });
  }
  return instruction;
}

/** What stands from here on in the region goes into a block, a branch or a loop of its own, perhaps many deep. */
function wrap({ region, index, targets }: Place, random: Random): void {
  const depth = random.below(20) === 0 ? random.pick([50, 300, 990]) : 1 + random.below(3);
  for (let layer = 0; layer < depth; layer += 1) {
    const rest = region.instructions.splice(index);
    const inner: ir.Region = { parameters: [], instructions: rest };
    const owner = {
      op: random.pick(['block', 'loop']),
      operands: [],
      results: [],
      regions: [inner],
    } as unknown as ir.Instruction;
    region.instructions.push(owner);
    const end = random.pick(['unreachable', 'return', 'yield', 'continue']);
    const target = targets.at(-1);
    region.instructions.push({
      op: end === 'continue' && !target ? 'unreachable' : end,
      ...(end === 'continue' && target ? { target } : {}),
      operands: [],
      results: [],
      regions: [],
    } as unknown as ir.Instruction);
  }
}

function alike(instruction: Loose): ir.Instruction {
  return {
    ...instruction,
    operands: [...instruction.operands],
    results: instruction.results.map((value) => ({ ...value })),
    regions: [],
  } as unknown as ir.Instruction;
}

function anyField(module: ir.Module, field: Field, { instruction, targets }: Place, random: Random): unknown {
  switch (field.kind) {
    case 'choice':
      return random.pick(field.of);
    case 'optional choice':
      return random.below(3) === 0 ? undefined : random.pick(field.of);
    case 'choices':
      return field.of.filter(() => random.below(2) === 0);
    case 'flag':
      return random.below(2) === 0 ? true : undefined;
    case 'count':
      return anyNumber(random) % (field.most + 1);
    case 'optional count':
      return random.below(3) === 0 ? undefined : anyNumber(random) % (field.most + 1);
    case 'align':
      return 2 ** random.below(13);
    case 'text':
      return random.pick([
        '',
        '%d',
        '%s %n %*d %v99hld',
        '%',
        'x'.repeat(5000),
        '\u00ff\u0001',
        '%f%f%f%f%f%s',
        ...names,
      ]);
    case 'lanes':
      return Array.from({ length: random.pick([1, 2, 3, 4, 8, 16]) }, () => random.below(36) - 2);
    case 'value':
      return anyConstant(instruction.results[0]?.type, random);
    case 'function':
      return random.pick(module.functions);
    case 'global':
      return random.pick(module.globals.length > 0 ? module.globals : [undefined]);
    case 'target':
      return random.pick(targets.length > 0 ? targets : [undefined]);
    case 'cases': {
      const type = instruction.operands[0]?.type;
      return Array.from({ length: Math.max(0, instruction.regions.length - 1 + random.below(2)) }, () =>
        Array.from({ length: random.below(3) }, () => anyConstant(type, random)),
      );
    }
  }
}

function anyConstant(type: Type | undefined, random: Random): unknown {
  if (type?.kind === 'vector')
    return Array.from({ length: lanesOf(type) }, () => anyConstant(type.element, random));
  if (type?.kind === 'bool') return random.below(2) === 0;
  if (type?.kind === 'int' && type.bits === 64)
    return random.pick([0n, 1n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 32n, 5n]);
  if (type?.kind === 'float')
    return random.pick([0, -0, 1, Number.NaN, Number.POSITIVE_INFINITY, 1.5, 65_504, 2 ** -149]);
  return random.pick([0, 1, -1, 2, 127, 128, 255, -128, 32_767, 2 ** 31 - 1, -(2 ** 31), 65_536]);
}

/** A type that is near: other lanes, other elements, another space; or any. */
function otherType(type: Type, random: Random): Type {
  if (random.below(4) === 0) return random.pick(types);
  const near = types.filter((one) => {
    if (type.kind === 'pointer' || type.kind === 'opaque') return one.kind === type.kind;
    return lanesOf(one) === lanesOf(type) || (one.kind === 'vector' && one.element === elementOf(type));
  });
  return random.pick(near);
}

function retype(value: ir.Value, random: Random): void {
  (value as Writable<ir.Value>).type = otherType(value.type, random);
}

function anyNumber(random: Random): number {
  return random.below(3) === 0 ? random.pick(largeNumbers) : random.pick(numbers);
}

function anySize(random: Random): number {
  return random.below(2) === 0 ? 1 : anyNumber(random);
}

function copyOf<T extends object>(value: T): Partial<T> {
  return { ...value, ...('value' in value ? { value: { ...(value.value as object) } } : {}) };
}
