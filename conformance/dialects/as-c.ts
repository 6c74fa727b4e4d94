/** Programs of tree.ts in languages with C's syntax: OpenCL C of two versions, Brook+, and C for the host. */
import type { CommonProgram, Condition, Expression, Routine, Statement } from './tree.ts';

/** In what they differ. */
interface Style {
  readonly uint: string;
  /** Signed arithmetic must be done on unsigned numbers, so that it wraps by the language's own rules. */
  readonly wrapsBySign: boolean;
  readonly helper: string;
}

const openclStyle: Style = { uint: 'uint', wrapsBySign: false, helper: 'int' };
const brookStyle: Style = { uint: 'uint', wrapsBySign: true, helper: 'kernel int' };
const hostStyle: Style = { uint: 'unsigned', wrapsBySign: false, helper: 'static int' };

export function asOpenCL12(program: CommonProgram): string {
  const { main } = program;
  const parameters = main.parameters.map((name) => `global const int *${name}s`);
  const reads = main.parameters.map((name) => `  int ${name} = ${name}s[get_global_id(0)];`);
  return [
    ...program.helpers.map((helper) => routineText(helper, openclStyle)),
    `kernel void k(${[...parameters, 'global int *results'].join(', ')}) {`,
    ...reads,
    bodyText(main, openclStyle, (value) => `results[get_global_id(0)] = ${value};`),
    '}\n',
  ].join('\n');
}

/** Inputs are read through generic pointers, from local and private memory, too, and a constant of the program counts. */
export function asOpenCL20(program: CommonProgram): string {
  const { main } = program;
  const parameters = main.parameters.map((name) => `global const int *${name}s`);
  const reads = main.parameters.map((name, index) =>
    index === 1
      ? `  int own_${name} = ${name}s[get_global_id(0)];\n  int ${name} = at(&own_${name}, 0);`
      : `  tile[get_local_id(0)] = ${name}s[get_global_id(0)];\n  int ${name} = at(${index === 0 ? 'tile' : `${name}s`}, ${index === 0 ? 'get_local_id(0)' : 'get_global_id(0)'});`,
  );
  return [
    'static int at(const int *from, size_t index) { return from[index]; }',
    ...program.helpers.map((helper) => routineText(helper, openclStyle)),
    `kernel void k(${[...parameters, 'global int *results'].join(', ')}) {`,
    '  local int tile[64];',
    ...reads,
    bodyText(main, openclStyle, (value) => `results[get_global_id(0)] = ${value};`),
    '}\n',
  ].join('\n');
}

export function asBrook(program: CommonProgram): string {
  const { main } = program;
  const parameters = main.parameters.map((name) => `int ${name}<>`);
  return [
    ...program.helpers.map((helper) => routineText(helper, brookStyle)),
    `kernel void k(${[...parameters, 'out int results<>'].join(', ')}) {`,
    bodyText(main, brookStyle, (value) => `results = ${value};`),
    '}\n',
  ].join('\n');
}

/** It prints the results, one a line. */
export function asHostC(program: CommonProgram): string {
  const { main, inputs } = program;
  const items = inputs[0]?.length ?? 1;
  const literal = (value: number): string => (value === -0x80000000 ? '(-0x7fffffff - 1)' : String(value));
  const tables = main.parameters.map(
    (name, index) => `static const int ${name}s[] = {${[...inputs[index]!].map(literal).join(', ')}};`,
  );
  return [
    '#include <stdio.h>',
    ...tables,
    ...program.helpers.map((helper) => routineText(helper, hostStyle)),
    routineText(main, hostStyle),
    'int main(void) {',
    `  for (int item = 0; item < ${items}; item++) printf("%d\\n", k(${main.parameters.map((name) => `${name}s[item]`).join(', ')}));`,
    '  return 0;',
    '}\n',
  ].join('\n');
}

function routineText(routine: Routine, style: Style): string {
  const parameters = routine.parameters.map((name) => `int ${name}`).join(', ');
  const body = bodyText(routine, style, (value) => `return ${value};`);
  return `${style.helper} ${routine.name}(${parameters || (style === brookStyle ? '' : 'void')}) {\n${body}\n}`;
}

function bodyText(
  { variables, body, result }: Routine,
  style: Style,
  end: (value: string) => string,
): string {
  const declared = variables.map(({ name, type, value }) => {
    const word = type === 'uint' ? style.uint : type;
    return `  ${word} ${name} = ${constantText(type, value, style)};`;
  });
  const counters = [...countersOf(body)].map((name) => `  int ${name} = 0;`);
  return [...declared, ...counters, statementsText(body, style, '  '), `  ${end(text(result, style))}`]
    .filter((line) => line !== '')
    .join('\n');
}

function countersOf(list: readonly Statement[]): Set<string> {
  const found = new Set<string>();
  for (const statement of list) {
    if (statement.kind === 'loop') found.add(statement.counter);
    const parts =
      statement.kind === 'loop'
        ? statement.body
        : statement.kind === 'if'
          ? [...statement.then, ...statement.otherwise]
          : [];
    for (const counter of countersOf(parts)) found.add(counter);
  }
  return found;
}

function statementsText(list: readonly Statement[], style: Style, indent: string): string {
  const inner = (part: readonly Statement[]): string => {
    const texts = statementsText(part, style, `${indent}  `);
    return texts === '' ? '' : `${texts}\n`;
  };
  return list
    .map((statement): string => {
      switch (statement.kind) {
        case 'set': {
          const { name, type } = statement.variable;
          const value = text(statement.value, style);
          return `${indent}${name} = ${type === 'float' ? `(float)((int)(${value}) & 255)` : value};`;
        }
        case 'if': {
          const otherwise =
            statement.otherwise.length > 0 ? ` else {\n${inner(statement.otherwise)}${indent}}` : '';
          return `${indent}if (${conditionText(statement.condition, style)}) {\n${inner(statement.then)}${indent}}${otherwise}`;
        }
        case 'loop': {
          const { counter, times } = statement;
          const head = `for (${counter} = 0; ${counter} < ${times}; ${counter} = ${counter} + 1)`;
          return `${indent}${head} {\n${inner(statement.body)}${indent}}`;
        }
        default:
          return `${indent}if (${conditionText(statement.condition, style)}) {\n${indent}  ${statement.how};\n${indent}}`;
      }
    })
    .join('\n');
}

function conditionText({ op, a, b }: Condition, style: Style): string {
  return `${text(a, style)} ${op} ${text(b, style)}`;
}

function constantText(type: 'int' | 'uint' | 'float', value: number, style: Style): string {
  if (type === 'float') return `${value}.0f`;
  if (type === 'uint') return style === brookStyle ? `(uint)${value}` : `${value}u`;
  return String(value);
}

function text(expression: Expression, style: Style): string {
  switch (expression.kind) {
    case 'constant':
      return constantText(expression.type, expression.value, style);
    case 'variable':
      return expression.name;
    case 'invert':
      return `(~${text(expression.a, style)})`;
    case 'select': {
      const { condition, a, b } = expression;
      return `((${conditionText(condition, style)}) ? ${text(a, style)} : ${text(b, style)})`;
    }
    case 'convert': {
      const inner = text(expression.a, style);
      if (expression.type === 'float') return `(float)(${inner} & 255)`;
      return `(${expression.type === 'uint' ? style.uint : 'int'})(${inner})`;
    }
    case 'call':
      return `${expression.name}(${expression.args.map((arg) => text(arg, style)).join(', ')})`;
    case 'binary': {
      const { op, type } = expression;
      const [a, b] = [text(expression.a, style), text(expression.b, style)];
      const one = type === 'uint' ? constantText('uint', 1, style) : '1';
      const mask = (bits: number): string =>
        type === 'uint' ? constantText('uint', bits, style) : String(bits);
      if (op === '<<' || op === '>>') {
        const amount = `(${b} & ${mask(31)})`;
        return op === '<<' && type === 'int' && !style.wrapsBySign
          ? `(int)((${style.uint})${a} << ${amount})`
          : `(${a} ${op} ${amount})`;
      }
      if (op === '/' || op === '%') return `(${a} ${op} ((${b} & ${mask(15)}) + ${one}))`;
      if (type === 'int' && !style.wrapsBySign && (op === '+' || op === '-' || op === '*'))
        return `(int)((${style.uint})${a} ${op} (${style.uint})${b})`;
      return `(${a} ${op} ${b})`;
    }
  }
}
