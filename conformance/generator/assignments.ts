/** Statements that change variables: assignments of every kind, stores of vectors, calls that write, atomics. */
import { type Block, siteOf } from './block.ts';
import { expression } from './expressions.ts';
import { helperArguments, isAffordable } from './helper-calls.ts';
import { access, findAccess, safeIndex, swizzle } from './places.ts';
import { anyType, chance, contains, isType, pick, type Site, type Variable } from './site.ts';
import { type Expression, line } from './syntax.ts';
import {
  type DataType,
  elementBytes,
  isFloat,
  isInteger,
  isSigned,
  type Lanes,
  type ValueType,
  valueType,
} from './types.ts';

/** A part of a variable that may be written here, and the site for what goes there. */
function target(
  block: Block,
  accept: (type: DataType) => boolean,
): { site: Site; type: DataType; parts: (string | Expression)[]; variable: Variable } | undefined {
  const site = siteOf(block);
  const fitting = site.variables.filter(
    (variable) =>
      variable.isWritable && (!variable.isUniform || block.isTogether) && contains(variable.type, accept),
  );
  if (fitting.length === 0) return undefined;
  const variable = pick(site, fitting);
  const own = variable.isUniform ? siteOf(block, true) : site;
  const { type, parts } = access({ ...own, effects: [] }, variable, accept, 2);
  return { site: own, type, parts: [...parts], variable };
}

export function assign(block: Block): boolean {
  const depth = block.program.maximumDepth;
  const found = target(block, (type) => type.kind === 'value' && type.element !== 'bool');
  if (found?.type.kind !== 'value') return false;
  const { site, parts } = found;
  let { type } = found;
  if (type.lanes > 1 && chance(block, 35)) {
    const counts = ([1, 2, 3, 4, 8] as const).filter((count) => count < type.lanes);
    const count: Lanes = pick(block, counts);
    parts.push(`.${swizzle(site, type.lanes, count, true)}`);
    type = valueType(type.element, count);
  }
  const statement = line``;
  statement.parts.push(...parts);
  const { element, lanes } = type;
  const other = anyType(block, ({ element, lanes }) => lanes === 1 && isInteger(element));
  const wraps = isInteger(element) && !isSigned(element);
  if (chance(block, 45)) {
    // A scalar may come through an implicit conversion.
    const value = lanes === 1 && chance(block, 25) ? other : type;
    statement.parts.push(' = ', expression(site, value, depth), ';');
  } else if (isFloat(element)) {
    statement.parts.push(` ${pick(block, ['+=', '-=', '*='])} `, expression(site, type, depth), ';');
  } else if (chance(block, 20) && (wraps || (lanes === 1 && elementBytes(element) < 4))) {
    if (chance(block, 50)) statement.parts.unshift(pick(block, ['++', '--']));
    else statement.parts.push(pick(block, ['++', '--']));
    statement.parts.push(';');
  } else if (wraps && (lanes > 1 || elementBytes(element) >= 4) && chance(block, 60)) {
    statement.parts.push(` ${pick(block, ['+=', '-=', '*='])} `, expression(site, type, depth), ';');
  } else {
    const value = lanes === 1 && chance(block, 40) ? other : type;
    const operator = pick(block, ['&=', '|=', '^=', '<<=', '>>=']);
    statement.parts.push(` ${operator} `, expression(site, value, depth), ';');
  }
  block.statements.push(statement);
  return true;
}

/** A whole struct or union is copied. */
export function copyRecord(block: Block): boolean {
  const found = target(block, (type) => type.kind === 'record');
  if (!found || found.variable.isPointer) return false;
  const source = findAccess({ ...found.site, effects: [] }, isType(found.type), 1);
  // An object must not be assigned from one that overlaps it only in part.
  if (!source || source.variable.root === found.variable.root) return false;
  const statement = line``;
  statement.parts.push(...found.parts, ' = ', ...source.parts, ';');
  block.statements.push(statement);
  return true;
}

/** `vstore4(v, i, p)`. */
export function storeVector(block: Block): boolean {
  const found = target(
    block,
    (type) =>
      type.kind === 'array' && type.length > 1 && type.element.kind === 'value' && type.element.lanes === 1,
  );
  if (found?.type.kind !== 'array' || found.type.element.kind !== 'value' || found.variable.isUniform)
    return false;
  const { element } = found.type.element;
  const { length } = found.type;
  if (element === 'bool') return false;
  const lanes: Lanes = pick(
    block,
    ([2, 3, 4, 8, 16] as const).filter((count) => count <= length),
  );
  const site = { ...found.site, effects: [] };
  const index = safeIndex(site, 2 ** Math.floor(Math.log2(length / lanes)), 1);
  const value = expression(site, valueType(element, lanes), block.program.maximumDepth);
  const statement = line`vstore${lanes}(${value}, ${index}, `;
  statement.parts.push(...found.parts, ');');
  block.statements.push(statement);
  return true;
}

/** A call of a function that writes through a pointer; nothing else of the statement touches what it may write. */
export function callWriter(block: Block): boolean {
  const { program } = block;
  const site = { ...siteOf(block), effects: [] };
  const helpers = program.helpers.filter(
    (helper) => isAffordable(site, helper) && helper.parameters.some((parameter) => parameter.isWritable),
  );
  if (helpers.length === 0) return false;
  const helper = pick(block, helpers);
  const changeable = block.variables.filter(
    (variable) => variable.isWritable && !variable.isUniform && variable.type.kind !== 'value',
  );
  if (changeable.length === 0) return false;
  const roots = new Set(changeable.map((variable) => variable.root));
  const changed = changeable.filter(
    (variable) => variable.root === pick(block, [...roots]) || chance(block, 50),
  );
  const changedRoots = new Set(changed.map((variable) => variable.root));
  const others = block.variables.filter((variable) => !changedRoots.has(variable.root));
  const call = helperArguments({ ...site, variables: others }, helper, 1, changed);
  if (!call) return false;
  const writable = others.filter(
    (variable) =>
      variable.isWritable && !variable.isUniform && contains(variable.type, isType(helper.result)),
  );
  const statement = line``;
  if (writable.length > 0) {
    const place = access({ ...site, variables: others }, pick(block, writable), isType(helper.result), 1);
    statement.parts.push(...place.parts, ' = ');
  } else {
    statement.parts.push('(void)');
  }
  statement.parts.push(`${helper.name}(`, ...call, ');');
  block.statements.push(statement);
  return true;
}

/** Adds to a global accumulator that nobody reads, always in the same way. */
export function accumulate(block: Block): boolean {
  if (block.program.accumulators.length === 0 || !block.group) return false;
  const { place, operation, element } = pick(block, block.program.accumulators);
  const site = siteOf(block);
  if (operation === 'add' && chance(block, 40)) {
    block.statements.push(line`atomic_${pick(block, ['inc', 'dec'])}(${place});`);
    return true;
  }
  const name = operation === 'add' ? pick(block, ['add', 'sub']) : operation;
  const type: ValueType = valueType(element);
  block.statements.push(
    line`atomic_${name}(${place}, ${expression(site, type, block.program.maximumDepth)});`,
  );
  return true;
}
