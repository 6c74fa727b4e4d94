/**
 * What the work-items of a group do together: barriers, and data that goes through local memory between them. Each
 * piece first waits until all have read what the last one left, writes without two items touching one place, waits
 * again, and leaves the local memory to be read.
 */
import { type Block, siteOf } from './block.ts';
import { condition, expression } from './expressions.ts';
import { chance, firstOf, newName, pick, type Variable } from './site.ts';
import { line } from './syntax.ts';
import { type ArrayType, isFloat, isInteger, isSigned, typeName, uint, type ValueType } from './types.ts';

/** The work-item's number in its group; every kernel computes it. */
export const localItem = 'local_item';

export function cooperate(block: Block): boolean {
  if (!block.isTogether || !block.group) return false;
  const made = firstOf(block, [
    () => exchange(block),
    () => exchange(block),
    () => exchange(block),
    () => reduce(block),
    () => tally(block),
    () => atomicSlot(block),
    () => copyIn(block),
  ]);
  return made ?? false;
}

function barrier(block: Block): string {
  const both = 'CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE';
  return `barrier(${pick(block, ['CLK_LOCAL_MEM_FENCE', 'CLK_LOCAL_MEM_FENCE', both])});`;
}

function elementOf(variable: Variable): ValueType {
  return (variable.type as ArrayType).element as ValueType;
}

/** Every item writes one place, which may be another's than its own. */
function exchange(block: Block): true {
  const { shared, items } = block.group!;
  const array = pick(block, shared);
  const type = elementOf(array);
  const mine = newName(block.program, 'mine');
  const value = expression(siteOf(block), type, block.program.maximumDepth);
  const shift = chance(block, 50) ? '' : ` + ${block.program.random.below(items)}`;
  const place = shift === '' ? localItem : `(${localItem}${shift}) % ${items}`;
  block.statements.push(
    line`{\n  ${typeName(type)} ${mine} = ${value};\n  ${barrier(block)}\n  ${array.name}[${place}] = ${mine};\n  ${barrier(block)}\n}`,
  );
  return true;
}

/** A tree of steps, with a barrier in a loop. */
function reduce(block: Block): true | undefined {
  const { shared, items } = block.group!;
  const fitting = shared.filter((variable) => {
    const { element } = elementOf(variable);
    return isInteger(element) && !isSigned(element);
  });
  if (fitting.length === 0 || block.iterations > 16) return undefined;
  const array = pick(block, fitting);
  const type = elementOf(array);
  const [mine, stride] = [newName(block.program, 'mine'), newName(block.program, 'stride')];
  const { name } = array;
  const value = expression(siteOf(block), type, block.program.maximumDepth);
  const first = 2 ** Math.ceil(Math.log2(items)) / 2;
  const operator = pick(block, ['+', '^', '*', '|']);
  block.statements.push(
    line`{
  ${typeName(type)} ${mine} = ${value};
  ${barrier(block)}
  ${name}[${localItem}] = ${mine};
  for (uint ${stride} = ${Math.floor(first)}; ${stride} > 0; ${stride} >>= 1) {
    ${barrier(block)}
    if (${localItem} < ${stride} && ${localItem} + ${stride} < ${items}) ${name}[${localItem}] ${operator}= ${name}[${localItem} + ${stride}];
  }
  ${barrier(block)}
}`,
  );
  return true;
}

/** Local atomics whose order cannot matter; the sum is then the same for all. */
function tally(block: Block): true | undefined {
  const { tallies, items } = block.group!;
  if (tallies.length === 0) return undefined;
  const place = pick(block, tallies);
  const operation = pick(block, ['add', 'sub', 'min', 'max', 'and', 'or', 'xor', 'inc', 'dec']);
  const isCounting = operation === 'inc' || operation === 'dec';
  const change = isCounting ? undefined : expression(siteOf(block), uint, 2);
  const test = condition(siteOf(block), 1);
  const start = expression(siteOf(block), uint, 1);
  const name = newName(block.program, 'v');
  const statement = line`${barrier(block)}\nif (${localItem} == ${block.program.random.below(items)}) ${place} = ${start};\n${barrier(block)}\nif (${test}) atomic_${operation}(&${place}`;
  if (change) statement.parts.push(', ', change);
  statement.parts.push(`);\n${barrier(block)}\nuint ${name} = ${place};`);
  block.statements.push(statement);
  block.variables.push({
    name,
    type: uint,
    space: 'private',
    isWritable: false,
    isUniform: true,
    isPointer: false,
    root: name,
  });
  return true;
}

/** An atomic on the item's own place gives a value that is sure. */
function atomicSlot(block: Block): true | undefined {
  const { shared } = block.group!;
  const fitting = shared.filter((variable) =>
    ['int', 'uint', 'float'].includes(typeName(elementOf(variable))),
  );
  if (fitting.length === 0) return undefined;
  const array = pick(block, fitting);
  const type = elementOf(array);
  const operation = isFloat(type.element)
    ? 'xchg'
    : pick(block, ['xchg', 'cmpxchg', 'add', 'sub', 'min', 'max', 'and', 'or', 'xor']);
  const [mine, old] = [newName(block.program, 'mine'), newName(block.program, 'v')];
  const value = expression(siteOf(block), type, 2);
  const more = operation === 'cmpxchg' ? `${array.name}[${localItem}], ${mine}` : mine;
  block.statements.push(
    line`${typeName(type)} ${mine} = ${value};\n${barrier(block)}\n${typeName(type)} ${old} = atomic_${operation}(&${array.name}[${localItem}], ${more});\n${barrier(block)}`,
  );
  block.variables.push({
    name: old,
    type,
    space: 'private',
    isWritable: true,
    isUniform: false,
    isPointer: false,
    root: old,
  });
  return true;
}

/** An asynchronous copy from a global input. */
function copyIn(block: Block): true | undefined {
  const { shared, inputs } = block.group!;
  const pairs = shared.flatMap((array) =>
    inputs
      .filter((input) => typeName(elementOf(input)) === typeName(elementOf(array)))
      .map((input) => ({ array, input })),
  );
  if (pairs.length === 0) return undefined;
  const { array, input } = pick(block, pairs);
  const count = Math.min((array.type as ArrayType).length, (input.type as ArrayType).length);
  const event = newName(block.program, 'copied');
  block.statements.push(
    line`{\n  ${barrier(block)}\n  event_t ${event} = async_work_group_copy(${array.name}, ${input.name}, ${count}, 0);\n  wait_group_events(1, &${event});\n}`,
  );
  return true;
}
