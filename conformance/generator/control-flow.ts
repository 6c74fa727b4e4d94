/** Branches, loops, switches, jumps. Every loop has a counter that nothing else changes. */
import { type Block, type Exit, innerBlock, type Label, siteOf } from './block.ts';
import { condition, expression } from './expressions.ts';
import { observeVariable } from './observe.ts';
import { anyType, chance, newName, pick, type Variable } from './site.ts';
import { fillBlock } from './statements.ts';
import { type Expression, guard, line, type Statement } from './syntax.ts';
import { int, isInteger, uint, type ValueType } from './types.ts';

const maximumNesting = 4;

/** Fills an inner block, ends by looking at what it declared, and gives its statements. */
function body(outer: Block, changes: Partial<Block>): Statement[] {
  const block = innerBlock(outer, changes);
  const before = block.variables.length;
  fillBlock(block, 1 + outer.program.random.below(4));
  const declared = block.variables.slice(before).filter((variable) => !variable.isPointer);
  if (declared.length > 0) observeVariable(block, pick(block, declared));
  return block.statements;
}

/** Ends a loop that has no other end. */
const breakOut: Statement = { ...line`break;`, isEssential: true };

/** A test, and whether all work-items find the same. */
function test(block: Block): { test: Expression; isUniform: boolean } {
  const isUniform = block.isTogether && chance(block, 50);
  return { test: condition(siteOf(block, isUniform), block.program.maximumDepth), isUniform };
}

export function branch(block: Block): boolean {
  if (block.nesting >= maximumNesting) return false;
  const { test: first, isUniform } = test(block);
  const inside = { isTogether: block.isTogether && isUniform };
  const then = body(block, inside);
  const kind = block.program.random.below(4);
  if (kind < 2) block.statements.push(line`if (${first}) ${then}`);
  else if (kind === 2) block.statements.push(line`if (${first}) ${then} else ${body(block, inside)}`);
  else {
    const second = test(block);
    const deeper = { isTogether: inside.isTogether && second.isUniform };
    block.statements.push(
      line`if (${first}) ${then} else if (${second.test}) ${body(block, deeper)} else ${body(block, deeper)}`,
    );
  }
  return true;
}

function counter(name: string, type: ValueType, isUniform: boolean): Variable {
  return { name, type, space: 'private', isWritable: false, isUniform, isPointer: false, root: name };
}

/** How often a loop runs: a constant, or computed. */
function bound(block: Block, isUniform: boolean, most: number): Expression {
  if (chance(block, 40)) return guard(int)`${1 + block.program.random.below(most)}`;
  const value = expression(siteOf(block, isUniform), int, 1);
  return guard(int)`(${value} & ${2 ** Math.floor(Math.log2(most)) - 1 || 1})`;
}

export function loop(block: Block): boolean {
  const most = Math.min(9, Math.floor(64 / block.iterations));
  if (block.nesting >= maximumNesting || most < 2) return false;
  const isTogether = block.isTogether && chance(block, 60);
  const exit: Exit = { isTogether };
  const name = newName(block.program, 'n');
  const type = chance(block, 50) ? int : uint;
  const inside = {
    isTogether,
    iterations: block.iterations * most,
    breakable: exit,
    continuable: exit,
  };
  const limit = bound(block, isTogether, most);
  const withCounter = { ...inside, variables: [...block.variables, counter(name, type, isTogether)] };
  const spelled = type === int ? 'int' : 'uint';
  const more = (): Expression => condition({ ...siteOf(block, isTogether), effects: [] }, 1);
  switch (block.program.random.below(6)) {
    case 0:
      block.statements.push(
        line`for (${spelled} ${name} = 0; ${name} < ${limit}; ${name}++) ${body(block, withCounter)}`,
      );
      break;
    case 1:
      block.statements.push(
        line`for (int ${name} = ${limit}; ${name} > 0; ${name} -= 2) ${body(block, { ...inside, variables: [...block.variables, counter(name, int, isTogether)] })}`,
      );
      break;
    case 2:
      block.statements.push(
        line`for (uint ${name} = 1; ${name} < 60 && ${more()}; ${name} = ${name} * 3 + 1) ${body(block, { ...inside, variables: [...block.variables, counter(name, uint, isTogether)] })}`,
      );
      break;
    case 3:
      block.statements.push(
        line`${spelled} ${name} = 0;`,
        line`while (${name}++ < ${limit} && ${more()}) ${body(block, withCounter)}`,
      );
      break;
    case 4: {
      // PoCL takes a loop for one that all work-items leave together if the first part of its last test is the same for all.
      const isLast = block.program.isForPocl && !isTogether;
      const repeated = body(block, withCounter);
      block.statements.push(
        line`${spelled} ${name} = 0;`,
        isLast
          ? line`do ${repeated} while (${more()} && ++${name} < ${limit});`
          : line`do ${repeated} while (++${name} < ${limit} && ${more()});`,
      );
      break;
    }
    default: {
      const inner = body(block, withCounter);
      // A `continue` there would be this loop's, and start it over with nothing changed.
      const last = { ...inside, continuable: undefined };
      const atEnd = chance(block, 50) ? body(block, last) : [];
      if (chance(block, 50)) {
        inner.unshift({ ...line`if (${name}++ >= ${limit}) ${[...atEnd, breakOut]}`, isEssential: true });
      } else {
        inner.unshift(
          { ...line`if (${name} >= ${limit}) ${[...atEnd, breakOut]}`, isEssential: true },
          { ...line`${name}++;`, isEssential: true },
        );
      }
      block.statements.push(line`${spelled} ${name} = 0;`, line`for (;;) ${inner}`);
    }
  }
  return true;
}

export function choose(block: Block): boolean {
  if (block.nesting >= maximumNesting) return false;
  const isUniform = block.isTogether && chance(block, 50);
  const type = anyType(block, ({ element, lanes }) => lanes === 1 && isInteger(element));
  const value = expression(siteOf(block, isUniform), type, block.program.maximumDepth);
  const isTogether = block.isTogether && isUniform;
  // Fall-through keeps work-items together; only where they start differs.
  const exit: Exit = { isTogether };
  const cases: Statement[] = [];
  const labels = [0, 1, 2, 3, 4, 5, 6, 7].filter(() => chance(block, 50));
  const defaultAt = chance(block, 80) ? block.program.random.below(labels.length + 1) : -1;
  for (let index = 0; index <= labels.length; index++) {
    if (index === defaultAt) cases.push(line`default:`);
    else if (index === labels.length) break;
    else cases.push(line`case ${labels[index]!}:`);
    if (chance(block, 20)) continue;
    cases.push(line`${body(block, { isTogether, breakable: exit })}`);
    if (chance(block, 65)) cases.push(line`break;`);
  }
  cases.push(line`;`);
  block.statements.push(line`switch (${guard(type)`(${value}) & 7`}) ${cases}`);
  return true;
}

/** A block that statements in it may leave by goto. */
export function labelled(block: Block): boolean {
  if (block.nesting >= maximumNesting) return false;
  const isTogether = block.isTogether && chance(block, 40);
  const label: Label = { name: newName(block.program, 'done'), isTogether, isUsed: false };
  const statements = body(block, { isTogether, label });
  const leave = condition(siteOf(block, isTogether), 2);
  if (!label.isUsed) statements.push(line`if (${leave}) goto ${label.name};`);
  block.statements.push(line`${statements}`, { ...line`${label.name}:;`, isEssential: true });
  return true;
}

/** break, continue, goto, return, under a condition. */
export function leave(block: Block): boolean {
  const { breakable, continuable, label, result } = block;
  const ways: { exit: Exit; text: string; use?: () => void }[] = [];
  if (breakable) ways.push({ exit: breakable, text: 'break;' });
  if (continuable) ways.push({ exit: continuable, text: 'continue;' });
  if (label) {
    ways.push({
      exit: label,
      text: `goto ${label.name};`,
      use: () => {
        label.isUsed = true;
      },
    });
  }
  const possible = ways.filter(({ exit }) => !exit.isTogether || block.isTogether);
  if (result && chance(block, 40)) {
    const value = result.kind === 'value' ? expression(siteOf(block), result, 2) : undefined;
    if (!value) return false;
    block.statements.push(line`if (${condition(siteOf(block), 2)}) return ${value};`);
    return true;
  }
  if (possible.length === 0) return false;
  const { exit, text, use } = pick(block, possible);
  use?.();
  block.statements.push(line`if (${condition(siteOf(block, exit.isTogether), 2)}) ${text}`);
  return true;
}
