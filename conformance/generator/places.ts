/** Reading variables and parts of them: elements, members, lanes, what pointers point to. */
import { expression } from './expressions.ts';
import { literal } from './literals.ts';
import { type Access, anyType, chance, contains, isType, pick, type Site, type Variable } from './site.ts';
import { type Expression, expr, guard } from './syntax.ts';
import { type DataType, isInteger, type Lanes, sameType, type ValueType } from './types.ts';

/** An index that is in range whatever is computed. */
export function safeIndex(site: Site, length: number, depth: number): Expression {
  const type = anyType(site, (candidate) => candidate.lanes === 1 && isInteger(candidate.element));
  if (length === 1) return guard(type)`0`;
  if (chance(site, 30)) return guard(type)`${site.program.random.below(length)}`;
  const index = depth > 0 ? expression(site, type, depth - 1) : plainVariable(site, type);
  return guard(type)`${index} & ${length - 1}`;
}

/** A variable of just that type, or a constant. */
function plainVariable(site: Site, type: ValueType): Expression {
  const fitting = site.variables.filter(
    (variable) =>
      sameType(variable.type, type) && !variable.isPointer && (variable.isUniform || !site.isUniform),
  );
  if (fitting.length === 0) return literal(site.program.random, type);
  return expr(type)`${pick(site, fitting).name}`;
}

/** Names a random accepted part of the variable; it must have one. */
export function access(
  site: Site,
  variable: Variable,
  accept: (type: DataType) => boolean,
  depth: number,
): Access {
  const parts: (string | Expression)[] = [variable.name];
  let { type } = variable;
  let pointer = variable.isPointer;
  for (;;) {
    const inner = type.kind === 'array' && contains(type.element, accept);
    if (accept(type) && !(inner && chance(site, 50)) && !(pointer && type.kind !== 'array')) {
      return { type, parts };
    }
    if (type.kind === 'array') {
      if (pointer && chance(site, 30)) {
        parts.unshift('(*(');
        parts.push(' + (', safeIndex(site, type.length, depth), ')))');
      } else {
        parts.push('[', safeIndex(site, type.length, depth), ']');
      }
      type = type.element;
    } else if (type.kind === 'record') {
      if (pointer && accept(type)) return { type, parts: [`(*${variable.name})`] };
      const member = pick(
        site,
        type.members.filter((candidate) => contains(candidate.type, accept)),
      );
      parts.push(pointer ? '->' : '.', member.name);
      type = member.type;
    } else {
      return { type, parts: [`(*${variable.name})`] };
    }
    pointer = false;
  }
}

/** Something of exactly this type that may be read here. */
export function readPlace(site: Site, type: ValueType, depth: number): Expression | undefined {
  const found = findAccess(site, isType(type), depth);
  return found && { type, parts: [...found.parts], isGuard: false };
}

/** An accepted part of any readable variable. */
export function findAccess(
  site: Site,
  accept: (type: DataType) => boolean,
  depth: number,
  filter: (variable: Variable) => boolean = () => true,
): (Access & { variable: Variable }) | undefined {
  const fitting = site.variables.filter(
    (variable) =>
      (!site.isUniform || variable.isUniform) && filter(variable) && contains(variable.type, accept),
  );
  if (fitting.length === 0) return undefined;
  // What was declared last is used most, so that programs do not all read their arguments.
  const late = fitting.slice(-4);
  const variable = pick(site, chance(site, 60) ? late : fitting);
  return { ...access(site, variable, accept, depth), variable };
}

const letters = 'xyzw';
const hex = ['0123456789abcdef', '0123456789ABCDEF'];

/** A way to name `count` lanes out of `lanes`; all different when they are to be written. */
export function swizzle(site: Site, lanes: Lanes, count: Lanes, different: boolean): string {
  if (lanes > 1 && count === (lanes === 3 ? 2 : lanes / 2) && chance(site, 30)) {
    return pick(
      site,
      ['lo', 'even', ...(lanes === 3 && different ? [] : ['hi', 'odd'])].filter(
        // The upper half of three lanes has one that is not there.
        (name) => lanes !== 3 || name === 'lo' || name === 'even',
      ),
    );
  }
  const available = Array.from({ length: lanes }, (_, lane) => lane);
  const chosen: number[] = [];
  for (let index = 0; index < count; index++) {
    const at = site.program.random.below(available.length);
    chosen.push(available[at]!);
    if (different) available.splice(at, 1);
  }
  if (lanes <= 4 && count <= 4 && chance(site, 60)) return chosen.map((lane) => letters[lane]).join('');
  const digits = pick(site, hex);
  return pick(site, ['s', 'S']) + chosen.map((lane) => digits[lane]).join('');
}

/** Lanes of a vector: `v.s3`, `v.zyx`. */
export function lanesOf(site: Site, type: ValueType, depth: number): Expression | undefined {
  if (type.element === 'bool') return undefined;
  const source = anyType(site, (candidate) => candidate.element === type.element && candidate.lanes > 1);
  const vector =
    readPlace(site, source, depth) ?? (depth > 0 ? expression(site, source, depth - 1) : undefined);
  if (!vector) return undefined;
  return expr(type)`${asOperand(vector)}.${swizzle(site, source.lanes, type.lanes, false)}`;
}

/** In parentheses, for a postfix operator. */
function asOperand(operand: Expression): Expression {
  return expr(operand.type)`(${operand})`;
}
