/** Expressions of checked kernels in IL. */
import type { CheckedKernel, Formal, Local, Typed } from '../check/tree.ts';
import type { BrookType, ValueType } from '../types.ts';
import { asOne, binary, compared, converted, kindOf, narrowed, negated, truth } from './arithmetic.ts';
import { builtin } from './builtins.ts';
import { type Code, lanesOf, NoIl, type Operand, read, spread, written } from './code.ts';

/** What stands for a parameter inside a function. */
export type Binding =
  /** its value, in the first components of a register */
  | { readonly kind: 'value'; readonly register: string }
  /** the resource that a gather array is */
  | { readonly kind: 'gather'; readonly resource: number }
  /** the global buffer, as an array of these sizes: width and height as ints */
  | { readonly kind: 'scatter'; readonly sizes: string };

/** What a kernel's function has around it. */
export interface Scope {
  readonly code: Code;
  /** Where the thread is: int4. */
  readonly at: string;
  readonly bindings: ReadonlyMap<Formal, Binding>;
  readonly locals: Map<Local, string>;
  /** Calls a kernel with these arguments; a register with what it returns. */
  call(kernel: CheckedKernel, args: readonly Typed[], scope: Scope): string;
}

/** Values and vectors; there are no structures in IL. */
export function valueType(type: BrookType): ValueType {
  if (type.kind !== 'value') throw new NoIl('structures are not written as IL yet');
  kindOf(type.scalar);
  return type;
}

export function emit(scope: Scope, value: Typed): Operand {
  const { code } = scope;
  switch (value.kind) {
    case 'literal':
      return literal(code, value.type, value.text);
    case 'local':
    case 'formal':
      return { register: registerOf(scope, value), lanes: lanesOf(valueType(value.type).width) };
    case 'position': {
      if (value.of === 'instanceInGroup') throw new NoIl('thread groups are not written as IL yet');
      const at = { register: scope.at, lanes: 'xyzw' };
      return value.of === 'instance' ? at : code.compute('itof', 4, at);
    }
    case 'element':
    case 'element-at':
      return gather(scope, value);
    case 'swizzle': {
      const { register, lanes } = emit(scope, value.object);
      return { register, lanes: [...value.lanes].map((lane) => lanes.charAt('xyzw'.indexOf(lane))).join('') };
    }
    case 'unary':
      return unary(scope, value);
    case 'binary':
      return binary(code, value.operator, value.type, emit(scope, value.left), emit(scope, value.right));
    case 'relation':
      return relation(scope, value);
    case 'not': {
      const type = valueType(value.operand.type);
      return asOne(code, compared(code, '==', type, emit(scope, value.operand), code.bits(0)));
    }
    case 'assignment':
      return assign(scope, value);
    case 'conditional':
      return conditional(scope, value);
    case 'comma':
      emit(scope, value.left);
      return emit(scope, value.right);
    case 'convert':
      return converted(code, valueType(value.operand.type), value.type, emit(scope, value.operand));
    case 'construct': {
      const register = code.fresh();
      const parts = value.parts.map((part) => emit(scope, part));
      for (const [index, part] of parts.entries()) writeLanes(code, register, 'xyzw'.charAt(index), part);
      return { register, lanes: lanesOf(value.type.width) };
    }
    case 'builtin': {
      const type = valueType(value.args[0]!.type);
      return builtin(
        code,
        value.name,
        type,
        value.args.map((arg) => emit(scope, arg)),
      );
    }
    case 'call': {
      const width = value.type.kind === 'void' ? 1 : valueType(value.type).width;
      return { register: scope.call(value.kernel, value.args, scope), lanes: lanesOf(width) };
    }
    case 'field':
      throw new NoIl('structures are not written as IL yet');
    case 'shared':
    case 'sync':
      throw new NoIl('thread groups are not written as IL yet');
    case 'array':
      throw new NoIl('an array as a value');
  }
}

function literal(code: Code, { scalar }: ValueType, text: string): Operand {
  return kindOf(scalar) === 'float' ? code.float(Number(text)) : code.bits(Number(text));
}

function registerOf(scope: Scope, value: Typed & { readonly kind: 'local' | 'formal' }): string {
  if (value.kind === 'local') {
    const register = scope.locals.get(value.local) ?? scope.code.fresh();
    scope.locals.set(value.local, register);
    return register;
  }
  const binding = scope.bindings.get(value.formal);
  if (binding?.kind !== 'value') throw new NoIl('an array as a value');
  return binding.register;
}

/** Sets some components of a register to those of a value. */
export function writeLanes(code: Code, register: string, lanes: string, value: Operand): void {
  const mask = [...'xyzw'].map((lane) => (lanes.includes(lane) ? lane : '_')).join('');
  const sources = [...'xyzw'].map((lane) =>
    lanes.includes(lane) ? value.lanes.charAt(lanes.indexOf(lane)) : '0',
  );
  code.add(`mov ${register}.${mask},${value.register}.${sources.join('')}`);
}

function unary(scope: Scope, value: Typed & { readonly kind: 'unary' }): Operand {
  const { code } = scope;
  const { operator, operand, type } = value;
  if (operator === '++' || operator === '--') {
    const before = emit(scope, operand);
    const kept: Operand = { register: code.fresh(), lanes: lanesOf(type.width) };
    code.move(kept.register, before);
    const one = kindOf(type.scalar) === 'float' ? code.float(1) : code.bits(1);
    const after = binary(code, operator.charAt(0), type, kept, one);
    store(scope, operand, after);
    return value.isPostfix ? kept : after;
  }
  const found = emit(scope, operand);
  if (operator === '+') return found;
  if (operator === '-') return narrowed(code, type, negated(code, kindOf(type.scalar), found));
  if (operator === '~') return narrowed(code, type, code.compute('inot', type.width, found));
  throw new NoIl(`the operator ${operator}`);
}

function relation(scope: Scope, value: Typed & { readonly kind: 'relation' }): Operand {
  const { code } = scope;
  const type = valueType(value.left.type);
  const { operator } = value;
  if (operator !== '&&' && operator !== '||')
    return asOne(code, compared(code, operator, type, emit(scope, value.left), emit(scope, value.right)));
  const left = truth(code, type, emit(scope, value.left));
  if (type.width > 1) {
    const right = truth(code, type, emit(scope, value.right));
    return asOne(code, code.compute(operator === '&&' ? 'iand' : 'ior', type.width, left, right));
  }
  // What stands on the right happens only where the left does not decide.
  const found = code.fresh();
  code.move(found, left);
  code.add(`${operator === '&&' ? 'if_logicalnz' : 'if_logicalz'} ${read(left)}`);
  code.move(found, truth(code, type, emit(scope, value.right)));
  code.add('endif');
  return asOne(code, { register: found, lanes: 'x' });
}

function conditional(scope: Scope, value: Typed & { readonly kind: 'conditional' }): Operand {
  const { code } = scope;
  const { width } = valueType(value.type);
  const found = code.fresh();
  code.add(`if_logicalnz ${read(condition(scope, value.condition))}`);
  code.move(found, spread(emit(scope, value.yes), width));
  code.add('else');
  code.move(found, spread(emit(scope, value.no), width));
  code.add('endif');
  return { register: found, lanes: lanesOf(width) };
}

/** All bits set where a condition holds. */
export function condition(scope: Scope, value: Typed): Operand {
  return truth(scope.code, { ...valueType(value.type), width: 1 }, spread(emit(scope, value), 1));
}

/** Where an array is read: column and row, as floats; textures keep them inside. */
function gather(scope: Scope, value: Typed & { readonly kind: 'element' | 'element-at' }): Operand {
  const { code, bindings } = scope;
  const binding = bindings.get(value.array);
  if (binding?.kind !== 'gather') throw new NoIl('reading the array that a kernel scatters to');
  const place = coordinates(scope, value, (at, type) =>
    kindOf(type.scalar) === 'float'
      ? code.compute('round_z', at.lanes.length, at)
      : code.compute(kindOf(type.scalar) === 'uint' ? 'utof' : 'itof', at.lanes.length, at),
  );
  const register = code.fresh();
  const { width } = valueType(value.type);
  const { resource } = binding;
  code.add(`sample_resource(${resource})_sampler(${resource}) ${written(register, width)},${place}.xy00`);
  return { register, lanes: lanesOf(width) };
}

type Element = Typed & { readonly kind: 'element' | 'element-at' };

/** A register with the place of an element in x and y, each subscript made what the reader wants. */
function coordinates(scope: Scope, value: Element, made: (at: Operand, type: ValueType) => Operand): string {
  const { code } = scope;
  if (value.array.rank > 2) throw new NoIl('arrays of more than two dimensions are not written as IL yet');
  const place = code.fresh();
  if (value.kind === 'element-at') {
    const at = made(emit(scope, value.index), valueType(value.index.type));
    code.move(place, { register: at.register, lanes: at.lanes.slice(0, 2) });
    if (value.array.rank === 1) writeLanes(code, place, 'y', code.bits(0));
    return place;
  }
  const subscripts = value.indices.map((index) => made(emit(scope, index), valueType(index.type)));
  for (const [index, lane] of ['x', 'y'].entries())
    writeLanes(code, place, lane, subscripts[subscripts.length - 1 - index] ?? code.bits(0));
  return place;
}

function assign(scope: Scope, value: Typed & { readonly kind: 'assignment' }): Operand {
  const { code } = scope;
  const { operator, target } = value;
  const type = valueType(value.type);
  let given = spread(emit(scope, value.value), type.width);
  if (operator !== '=') {
    if (target.kind === 'element' || target.kind === 'element-at')
      throw new NoIl('reading the array that a kernel scatters to');
    given = binary(code, operator.slice(0, -1), type, emit(scope, target), given);
  }
  store(scope, target, given);
  return given;
}

/** Writes to a variable, to components of one, or to an element of the array that is scattered to. */
function store(scope: Scope, target: Typed, value: Operand): void {
  const { code } = scope;
  if (target.kind === 'element' || target.kind === 'element-at') {
    scatter(scope, target, value);
    return;
  }
  const { register, lanes } = placeOf(scope, target);
  writeLanes(code, register, lanes, value);
}

function placeOf(scope: Scope, target: Typed): Operand {
  if (target.kind === 'local' || target.kind === 'formal')
    return { register: registerOf(scope, target), lanes: lanesOf(valueType(target.type).width) };
  if (target.kind !== 'swizzle') throw new NoIl('this target of an assignment');
  const { register, lanes } = placeOf(scope, target.object);
  return { register, lanes: [...target.lanes].map((lane) => lanes.charAt('xyzw'.indexOf(lane))).join('') };
}

/** Elements of the global buffer are registers whole; what lies beyond the array's ends is not written. */
function scatter(scope: Scope, target: Element, value: Operand): void {
  const { code, bindings } = scope;
  const binding = bindings.get(target.array);
  if (binding?.kind !== 'scatter') throw new NoIl('this target of an assignment');
  const place = coordinates(scope, target, (at, type) =>
    kindOf(type.scalar) === 'float' ? code.compute('ftoi', at.lanes.length, at) : at,
  );
  const both = code.compute(
    'ult',
    2,
    { register: place, lanes: 'xy' },
    { register: binding.sizes, lanes: 'xy' },
  );
  const isInside = code.compute('iand', 1, { ...both, lanes: 'x' }, { ...both, lanes: 'y' });
  code.add(`if_logicalnz ${read(isInside)}`);
  const row = code.compute(
    'imul',
    1,
    { register: place, lanes: 'y' },
    { register: binding.sizes, lanes: 'x' },
  );
  const index = code.compute('iadd', 1, row, { register: place, lanes: 'x' });
  code.add(`mov ${written(`g[${index.register}.x + 0]`, value.lanes.length)},${read(value)}`);
  code.add('endif');
}
