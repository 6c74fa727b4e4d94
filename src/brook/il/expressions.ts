/** Expressions of checked kernels in IL. */
import type { Typed } from '../check/tree.ts';
import { computedScalar, elementIn } from '../scatter-target.ts';
import type { ElementType, StructType, ValueType } from '../types.ts';
import {
  asOne,
  binary,
  chosen,
  combined,
  compared,
  converted,
  narrowed,
  negated,
  numberOf,
  truth,
} from './arithmetic.ts';
import { builtin } from './builtins.ts';
import { NoIl, type Operand, read, spread } from './code.ts';
import { gather, readShared, scatter, writeShared } from './elements.ts';
import type { Scope } from './scope.ts';
import {
  copied,
  fitted,
  joined,
  laneCount,
  leavesOf,
  leavesOfField,
  swizzled,
  unitOf,
  whole,
  writeLanes,
} from './values.ts';

/** The value of an expression that is no structure. */
export function emit(scope: Scope, value: Typed): Operand {
  const { code } = scope;
  switch (value.kind) {
    case 'literal':
      return numberOf(code, value.type, Number(value.text));
    case 'position': {
      const at = { register: scope.at, lanes: 'xyzw' };
      if (value.of === 'instance') return at;
      if (value.of === 'instanceInGroup')
        return code.compute('mov', 4, { register: 'vTidInGrpFlat', lanes: 'x000' });
      return code.compute('itof', 4, at);
    }
    case 'swizzle':
      return swizzled(emit(scope, value.object), value.lanes, value.object.type as ValueType);
    case 'unary':
      return unary(scope, value);
    case 'binary':
      return binary(code, value.operator, value.type, emit(scope, value.left), emit(scope, value.right));
    case 'relation':
      return relation(scope, value);
    case 'not': {
      const type = value.operand.type as ValueType;
      return asOne(code, compared(code, '==', type, emit(scope, value.operand), numberOf(code, type, 0)));
    }
    case 'select': {
      const type = value.condition.type as ValueType;
      const mask = truth(code, type, fitted(emit(scope, value.condition), type));
      return chosen(code, value.type, mask, emit(scope, value.yes), emit(scope, value.no));
    }
    case 'convert':
      return converted(code, value.operand.type as ValueType, value.type, emit(scope, value.operand));
    case 'construct':
      return joined(
        code,
        value.parts.map((part) => emit(scope, part)),
      );
    case 'builtin': {
      const type = value.args[0]!.type as ValueType;
      return builtin(
        code,
        value.name,
        type,
        value.args.map((arg) => emit(scope, arg)),
      );
    }
    case 'shared':
      return readShared(scope, value);
    case 'sync':
      code.add('fence_threads_lds_memory');
      return code.bits(0);
    case 'array':
      throw new NoIl('an array as a value');
    default:
      return emitAll(scope, value)[0] ?? code.bits(0);
  }
}

/** The values of an expression: of a structure those of its leaves, else the one; of a call that returns nothing none. */
export function emitAll(scope: Scope, value: Typed): readonly Operand[] {
  switch (value.kind) {
    case 'local':
    case 'formal': {
      const registers = registersOf(scope, value);
      return leavesOf(value.type).map(({ type }, index) => whole(registers[index]!, type));
    }
    case 'field': {
      const [first, count] = leavesOfField(value.object.type as StructType, value.name);
      return emitAll(scope, value.object).slice(first, first + count);
    }
    case 'element':
    case 'element-at':
      return gather(scope, value);
    case 'assignment':
      return assign(scope, value);
    case 'conditional':
      return conditional(scope, value);
    case 'comma':
      emitAll(scope, value.left);
      return emitAll(scope, value.right);
    case 'call':
      return scope.call(value.kernel, value.args, scope);
    default:
      return [emit(scope, value)];
  }
}

function registersOf(scope: Scope, value: Typed & { readonly kind: 'local' | 'formal' }): readonly string[] {
  if (value.kind === 'local') return localRegisters(scope, value.local);
  const binding = scope.bindings.get(value.formal);
  if (binding?.kind !== 'value') throw new NoIl('an array as a value');
  return binding.registers;
}

/** The registers of a variable. */
export function localRegisters(
  { code, locals }: Scope,
  local: Parameters<Scope['locals']['get']>[0],
): readonly string[] {
  const registers = locals.get(local) ?? leavesOf(local.type).map(() => code.fresh());
  locals.set(local, registers);
  return registers;
}

function unary(scope: Scope, value: Typed & { readonly kind: 'unary' }): Operand {
  const { code } = scope;
  const { operator, operand, type, isPostfix } = value;
  if (operator === '++' || operator === '--') {
    const one = numberOf(code, type, 1);
    const element = elementIn(operand);
    if (element) return scatter(scope, element, operator.charAt(0), fitted(one, type), { isPostfix });
    const before = copied(code, emit(scope, operand));
    const after = binary(code, operator.charAt(0), type, before, one);
    store(scope, operand, after);
    return isPostfix ? before : after;
  }
  const found = emit(scope, operand);
  if (operator === '+') return found;
  if (operator === '-') return narrowed(code, type, negated(code, type, found));
  if (operator === '~') return narrowed(code, type, code.compute('inot', type.width, found));
  throw new NoIl(`the operator ${operator}`);
}

function relation(scope: Scope, value: Typed & { readonly kind: 'relation' }): Operand {
  const { code } = scope;
  const type = value.left.type as ValueType;
  const { operator } = value;
  if (operator !== '&&' && operator !== '||')
    return asOne(code, compared(code, operator, type, emit(scope, value.left), emit(scope, value.right)));
  const left = truth(code, type, emit(scope, value.left));
  if (type.width > 1) {
    const right = truth(code, type, emit(scope, value.right));
    return asOne(code, code.compute(operator === '&&' ? 'iand' : 'ior', type.width, left, right));
  }
  // What stands on the right happens only where the left does not decide.
  const found = copied(code, left);
  code.add(`${operator === '&&' ? 'if_logicalnz' : 'if_logicalz'} ${read(left)}`);
  code.move(found.register, truth(code, type, emit(scope, value.right)));
  code.add('endif');
  return asOne(code, found);
}

function conditional(scope: Scope, value: Typed & { readonly kind: 'conditional' }): readonly Operand[] {
  const { code } = scope;
  const leaves = leavesOf(value.type as ElementType);
  const registers = leaves.map(() => code.fresh());
  code.add(`if_logicalnz ${read(condition(scope, value.condition))}`);
  moveAll(scope, registers, value.type as ElementType, emitAll(scope, value.yes));
  code.add('else');
  moveAll(scope, registers, value.type as ElementType, emitAll(scope, value.no));
  code.add('endif');
  return leaves.map(({ type }, index) => whole(registers[index]!, type));
}

/** Sets registers to the values of an element's leaves. */
export function moveAll(
  { code }: Scope,
  registers: readonly string[],
  type: ElementType,
  values: readonly Operand[],
): void {
  for (const [index, leaf] of leavesOf(type).entries())
    code.move(registers[index]!, fitted(values[index]!, leaf.type));
}

/** All bits set where a condition holds. */
export function condition(scope: Scope, value: Typed): Operand {
  const type: ValueType = { ...(value.type as ValueType), width: 1 };
  const { register, lanes } = emit(scope, value);
  return spread(truth(scope.code, type, { register, lanes: lanes.slice(0, unitOf(type)) }), 1);
}

function assign(scope: Scope, value: Typed & { readonly kind: 'assignment' }): readonly Operand[] {
  const { code } = scope;
  const { target } = value;
  const operator = value.operator.slice(0, -1);
  const given = emitAll(scope, value.value);
  if (value.type.kind === 'struct') {
    // What is read may be what is written.
    const kept = given.map((one) => copied(code, one));
    for (const [index, place] of placesOf(scope, target).entries())
      writeLanes(code, place.register, place.lanes, kept[index]!);
    return kept;
  }
  const computed = computedScalar(value);
  const common: ValueType = { ...value.type, scalar: computed ?? value.type.scalar };
  const one = fitted(given[0]!, common);
  const element = elementIn(target);
  if (element) return [scatter(scope, element, operator, one, { computed })];
  const made = operator === '' ? one : combined(code, operator, value.type, common, emit(scope, target), one);
  store(scope, target, made);
  // What was given may be a register that changes by this, as in `w.yx = w`.
  return [sharedIn(target) ? made : emit(scope, target)];
}

/** Writes to a variable, to components of one, or to shared memory. */
function store(scope: Scope, target: Typed, value: Operand): void {
  const shared = sharedIn(target);
  if (shared) {
    writeShared(scope, shared.element, shared.lanes, value);
    return;
  }
  const [place] = placesOf(scope, target);
  writeLanes(scope.code, place!.register, place!.lanes, value);
}

/** The element of a shared array that an assignment is about, and components of its register. */
function sharedIn(
  target: Typed,
): { readonly element: Typed & { readonly kind: 'shared' }; readonly lanes: string } | undefined {
  if (target.kind === 'shared') return { element: target, lanes: 'xyzw'.slice(0, laneCount(target.type)) };
  if (target.kind !== 'swizzle') return undefined;
  const found = sharedIn(target.object);
  if (!found) return undefined;
  const { lanes } = swizzled(
    { register: '', lanes: found.lanes },
    target.lanes,
    target.object.type as ValueType,
  );
  return { element: found.element, lanes };
}

/** The components of registers that a variable, a part of one or an output is. */
function placesOf(scope: Scope, target: Typed): readonly Operand[] {
  switch (target.kind) {
    case 'local':
    case 'formal':
      return emitAll(scope, target);
    case 'field': {
      const [first, count] = leavesOfField(target.object.type as StructType, target.name);
      return placesOf(scope, target.object).slice(first, first + count);
    }
    case 'swizzle': {
      const [object] = placesOf(scope, target.object);
      return [swizzled(object!, target.lanes, target.object.type as ValueType)];
    }
    default:
      throw new NoIl('this target of an assignment');
  }
}
