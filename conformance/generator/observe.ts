/** Makes every value count: it is folded into the checksum of its function. */
import type { Block } from './block.ts';
import { siteOf } from './block.ts';
import { knownFunction, need, newName, type Site, type Variable } from './site.ts';
import { essential, line, type Statement } from './syntax.ts';
import { type DataType, isFloat, typeName, type ValueType, valueType } from './types.ts';

/** The name of the checksum that every function has. */
export const checksum = 'sum';

/** `fold_int4(sum, x)`: the checksum with x in it. */
function foldFunction(site: Site, type: ValueType): string {
  const name = `fold_${typeName(type)}`;
  const head = `ulong ${name}(ulong sum, ${typeName(type)} x)`;
  if (type.lanes === 1) {
    const known = isFloat(type.element) ? `${knownFunction(site, type)}(x)` : 'x';
    const bits = { float: 'as_uint', double: 'as_ulong' }[type.element as string] ?? '';
    return need(
      site,
      name,
      `${head} {\n  return rotate(sum, 23UL) * 0x9e3779b97f4a7c15UL + (ulong)${bits}(${known});\n}`,
    );
  }
  const lane = foldFunction(site, valueType(type.element));
  const lines = Array.from(
    { length: type.lanes },
    (_, index) => `  sum = ${lane}(sum, x.s${index.toString(16)});\n`,
  );
  return need(site, name, `${head} {\n${lines.join('')}  return sum;\n}`);
}

export function observeVariable(block: Block, variable: Variable): void {
  const { name, type, isPointer } = variable;
  const path = isPointer && type.kind === 'value' ? `(*${name})` : name;
  block.statements.push(...observed(siteOf(block, true), path, type, isPointer));
}

function observed(site: Site, path: string, type: DataType, isPointer: boolean): Statement[] {
  if (type.kind === 'value') {
    site.work.cost += site.iterations * type.lanes;
    return [line`${checksum} = ${foldFunction(site, type)}(${checksum}, ${path});`];
  }
  if (type.kind === 'array') {
    const index = newName(site.program, 'i');
    const body = observed(site, `${path}[${index}]`, type.element, false);
    return [line`for (int ${index} = 0; ${index} < ${type.length}; ${index}++) ${body}`];
  }
  return type.members.flatMap((member) =>
    observed(site, `${path}${isPointer ? '->' : '.'}${member.name}`, member.type, false),
  );
}

/**
 * Replaces every NaN of a buffer that the kernel has written: buffers are compared byte by byte, and a NaN's sign and payload are
 * anyone's. Unions have no floating-point members.
 */
export function replaceNaNs(block: Block, { name, type }: Variable): void {
  block.statements.push(...replaced(siteOf(block, true), name, type));
}

function replaced(site: Site, path: string, type: DataType): Statement[] {
  if (type.kind === 'value') {
    return isFloat(type.element) ? [essential`${path} = ${knownFunction(site, type)}(${path});`] : [];
  }
  if (type.kind === 'array') {
    const index = newName(site.program, 'i');
    const body = replaced(site, `${path}[${index}]`, type.element);
    if (body.length === 0) return [];
    return [essential`for (int ${index} = 0; ${index} < ${type.length}; ${index}++) ${body}`];
  }
  return type.members.flatMap((member) => replaced(site, `${path}.${member.name}`, member.type));
}
