/** The functions of a program besides its kernel. */
import { type Block, siteOf } from './block.ts';
import { expression } from './expressions.ts';
import { checksum, observeVariable } from './observe.ts';
import { findAccess } from './places.ts';
import {
  anyType,
  chance,
  type HelperParameter,
  newName,
  type ProgramState,
  pick,
  type Variable,
} from './site.ts';
import { fillBlock } from './statements.ts';
import { essential, line, type Statement } from './syntax.ts';
import {
  type ArrayType,
  type DataType,
  declaration,
  isInteger,
  type RecordType,
  typeName,
  type ValueType,
} from './types.ts';

/** Adds a function to the program and gives its definition. */
export function helperFunction(
  program: ProgramState,
  tables: readonly Variable[],
  length: number,
): Statement {
  const name = newName(program, 'helper');
  const parameters = Array.from({ length: 1 + program.random.below(4) }, () => parameter(program));
  const result: ValueType | RecordType =
    program.records.length > 0 && chance({ program }, 20)
      ? pick({ program }, program.records)
      : anyType({ program }, ({ element }) => element !== 'bool');
  const block: Block = {
    program,
    work: { cost: 0, maximum: program.maximumCost / 8, asksWho: false },
    statements: [],
    variables: [...tables, ...parameters.map(variableOf)],
    isTogether: false,
    mayAskWho: chance({ program }, 40),
    iterations: 4,
    nesting: 1,
    breakable: undefined,
    continuable: undefined,
    label: undefined,
    result,
    group: undefined,
  };
  block.statements.push(essential`ulong ${checksum} = ${program.random.below(1000)};`);
  fillBlock(block, length);
  for (const variable of block.variables.slice(tables.length + parameters.length)) {
    if (chance(block, 60)) observeVariable(block, variable);
  }
  finish(block, result);
  const text = parameters.map(parameterText).join(', ');
  const { cost, asksWho } = block.work;
  program.helpers.push({ name, result, parameters, cost: Math.ceil(cost / 4) + 5, asksWho });
  return essential`${chance({ program }, 20) ? 'static inline ' : ''}${typeName(result)} ${name}(${text}) ${block.statements}`;
}

/** Returns something in which the checksum has a part. */
function finish(block: Block, result: ValueType | RecordType): void {
  if (result.kind === 'record') {
    const name = newName(block.program, 's');
    const copied = findAccess(siteOf(block, false), (type) => type === result, 0);
    const statement = essential`${declaration(result, name)} = `;
    statement.parts.push(...(copied && block.program.random.below(2) > 0 ? copied.parts : ['{0}']), ';');
    block.statements.push(statement);
    const member = result.members.find(({ type }) => type.kind === 'value' && isInteger(type.element));
    if (member?.type.kind === 'value') {
      block.statements.push(
        line`${name}.${member.name} ^= (${typeName(member.type)})((${member.type.element})${checksum});`,
      );
    }
    block.statements.push(essential`return ${name};`);
    return;
  }
  const make = () => expression(siteOf(block), result, 2);
  if (isInteger(result.element)) {
    block.statements.push(
      essential`return ${make()} ^ (${typeName(result)})((${result.element})${checksum});`,
    );
  } else {
    block.statements.push(line`if (${checksum} & 4) return ${make()};`, essential`return ${make()};`);
  }
}

function parameter(program: ProgramState): HelperParameter {
  const name = newName(program, 'q');
  const site = { program };
  if (chance(site, 55)) {
    const type = anyType(site, ({ element }) => element !== 'bool');
    return { name, type, passing: 'value', space: 'private', isWritable: true };
  }
  if (chance(site, 25) && program.records.length > 0) {
    const type = pick(site, program.records);
    return { name, type, passing: 'value', space: 'private', isWritable: true };
  }
  const space = pick(site, ['private', 'private', 'local', 'global', 'constant'] as const);
  const targets: DataType[] = [...program.arrays];
  if (space === 'private') targets.push(...program.records);
  const type = pick(site, targets);
  const isWritable = (space === 'private' || space === 'global') && chance(site, 50);
  return { name, type, passing: 'pointer', space, isWritable };
}

/** How the function's body sees its parameter. */
function variableOf({ name, type, passing, space, isWritable }: HelperParameter): Variable {
  const isPointer = passing === 'pointer';
  return { name, type, space, isWritable, isUniform: false, isPointer, root: name };
}

function parameterText({ name, type, passing, space, isWritable }: HelperParameter): string {
  if (passing === 'value') return declaration(type, name);
  const qualifiers = `${space === 'private' ? '' : `${space} `}${isWritable || space === 'constant' ? '' : 'const '}`;
  if (type.kind !== 'array') return `${qualifiers}${typeName(type)}* ${name}`;
  return `${qualifiers}${pointerText(type, name)}`;
}

/** A pointer to the elements of such an array. */
export function pointerText({ element }: ArrayType, name: string): string {
  return declaration(element, element.kind === 'array' ? `(*${name})` : `*${name}`);
}
