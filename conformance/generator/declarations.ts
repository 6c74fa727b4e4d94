/** Declarations of variables, always with a value. */
import { type Block, siteOf } from './block.ts';
import { expression } from './expressions.ts';
import { findAccess, safeIndex } from './places.ts';
import { anyType, chance, newName, pick, type Site, type Variable } from './site.ts';
import { type Expression, line } from './syntax.ts';
import { type DataType, declaration, isInteger, typeName } from './types.ts';

function add(block: Block, name: string, type: DataType, changes: Partial<Variable> = {}): void {
  block.variables.push({
    name,
    type,
    space: 'private',
    isWritable: true,
    isUniform: false,
    isPointer: false,
    root: name,
    ...changes,
  });
}

export function declareValue(block: Block): boolean {
  const isUniform = block.isTogether && chance(block, 30);
  const type = anyType(block, () => true);
  const site = siteOf(block, isUniform);
  const isConst = chance(block, 10);
  if (type.lanes === 1 && isInteger(type.element) && chance(block, 10)) {
    // Through an implicit conversion.
    const other = anyType(block, ({ element, lanes }) => lanes === 1 && isInteger(element));
    const name = newName(block.program, 'v');
    block.statements.push(
      line`${typeName(type)} ${name} = ${expression(site, other, block.program.maximumDepth)};`,
    );
    add(block, name, type, { isUniform });
    return true;
  }
  const name = newName(block.program, 'v');
  const value = expression(site, type, block.program.maximumDepth);
  block.statements.push(line`${isConst ? 'const ' : ''}${typeName(type)} ${name} = ${value};`);
  add(block, name, type, { isUniform, isWritable: !isConst });
  return true;
}

export function declareAggregate(block: Block): boolean {
  const type: DataType = pick(block, [...block.program.arrays, ...block.program.records]);
  const name = newName(block.program, type.kind === 'array' ? 'a' : 's');
  const site = siteOf(block);
  const copied =
    type.kind === 'record' && chance(block, 30)
      ? findAccess(site, (candidate) => candidate === type, 1)
      : undefined;
  const value = copied ? copied.parts : initialiser(site, type);
  const statement = line`${declaration(type, name)} = `;
  statement.parts.push(...value, ';');
  block.statements.push(statement);
  add(block, name, type);
  return true;
}

/** `{1, 2, [5] = 3}`: what is left out is zero. */
function initialiser(site: Site, type: DataType): (string | Expression)[] {
  if (type.kind === 'value') return [expression(site, type, 1)];
  const parts: (string | Expression)[] = ['{'];
  if (type.kind === 'array') {
    const count = chance(site, 70) ? type.length : 1 + site.program.random.below(type.length);
    const useDesignators = chance(site, 15);
    for (let index = 0; index < count; index++) {
      if (index > 0) parts.push(', ');
      if (useDesignators && chance(site, 50)) parts.push(`[${index}] = `);
      parts.push(...initialiser(site, type.element));
    }
  } else {
    const members = type.isUnion ? type.members.slice(0, 1) : type.members;
    const useDesignators = chance(site, 25);
    for (const [index, member] of members.entries()) {
      if (index > 0) parts.push(', ');
      if (useDesignators) parts.push(`.${member.name} = `);
      parts.push(...initialiser(site, member.type));
    }
  }
  parts.push('}');
  return parts;
}

/** A pointer into an array (or to a record), from which a window of elements may be reached. */
export function declarePointer(block: Block): boolean {
  const site = siteOf(block);
  const found = findAccess(
    { ...site, effects: [] },
    (type) => type.kind === 'record' || (type.kind === 'array' && type.length > 1),
    1,
  );
  if (!found) return false;
  const { variable, type } = found;
  const isConst = !variable.isWritable;
  const name = newName(block.program, 'p');
  const space = variable.space === 'private' ? pick(block, ['', '', 'private ']) : `${variable.space} `;
  const qualifiers = `${space}${isConst && variable.space !== 'constant' ? 'const ' : ''}`;
  const changes = { space: variable.space, isWritable: !isConst, isPointer: true, root: variable.root };
  if (type.kind === 'record') {
    const statement = line`${qualifiers}${typeName(type)}* ${name} = &`;
    statement.parts.push(...found.parts, ';');
    block.statements.push(statement);
    add(block, name, type, changes);
    return true;
  }
  if (type.kind !== 'array') return false;
  // A window of half the array, starting anywhere in the first half.
  const half = type.length / 2;
  const statement = line`${qualifiers}${declaration(type.element, type.element.kind === 'array' ? `(*${name})` : `*${name}`)} = `;
  const start = safeIndex({ ...site, effects: [] }, half, 1);
  if (chance(block, 50)) statement.parts.push('&', ...found.parts, '[', start, '];');
  else statement.parts.push(...found.parts, ' + (', start, ');');
  block.statements.push(statement);
  add(block, name, { kind: 'array', element: type.element, length: half }, changes);
  return true;
}
