/** What a program of tree.ts computes, by JavaScript alone: the judge that shares nothing with Millrace. */
import type {
  BinaryOperator,
  CommonProgram,
  Condition,
  Expression,
  Routine,
  Statement,
  Type,
} from './tree.ts';

/** The results of all work-items. */
export function evaluateCommon(program: CommonProgram): Int32Array {
  const length = program.inputs[0]?.length ?? 1;
  return Int32Array.from({ length }, (_, item) =>
    call(
      program,
      program.main,
      program.inputs.map((input) => input[item]!),
    ),
  );
}

type Values = Map<string, number>;

function call(program: CommonProgram, routine: Routine, args: readonly number[]): number {
  const values: Values = new Map(routine.variables.map(({ name, type, value }) => [name, as(type, value)]));
  routine.parameters.forEach((name, index) => {
    values.set(name, args[index]! | 0);
  });
  run(program, routine.body, values);
  return resultOf(program, routine.result, values) | 0;
}

function as(type: Type, value: number): number {
  return type === 'float' ? value : type === 'int' ? value | 0 : value >>> 0;
}

/** How the statements ended: at their end, or by leaving an iteration or the loop. */
function run(
  program: CommonProgram,
  list: readonly Statement[],
  values: Values,
): 'end' | 'break' | 'continue' {
  for (const statement of list) {
    switch (statement.kind) {
      case 'set': {
        const value = resultOf(program, statement.value, values);
        const { name, type } = statement.variable;
        values.set(name, type === 'float' ? value & 255 : value);
        break;
      }
      case 'if': {
        const part = holds(program, statement.condition, values) ? statement.then : statement.otherwise;
        const how = run(program, part, values);
        if (how !== 'end') return how;
        break;
      }
      case 'leave':
        if (holds(program, statement.condition, values)) return statement.how;
        break;
      case 'loop':
        for (let counter = 0; counter < statement.times; counter += 1) {
          values.set(statement.counter, counter);
          if (run(program, statement.body, values) === 'break') break;
        }
    }
  }
  return 'end';
}

function holds(program: CommonProgram, { op, a, b }: Condition, values: Values): boolean {
  const [x, y] = [resultOf(program, a, values), resultOf(program, b, values)];
  return op === '<' ? x < y : op === '<=' ? x <= y : op === '==' ? x === y : x !== y;
}

function resultOf(program: CommonProgram, expression: Expression, values: Values): number {
  const of = (part: Expression): number => resultOf(program, part, values);
  switch (expression.kind) {
    case 'constant':
      return as(expression.type, expression.value);
    case 'variable':
      return as(expression.type, values.get(expression.name)!);
    case 'invert':
      return as(expression.type, ~of(expression.a));
    case 'select':
      return holds(program, expression.condition, values) ? of(expression.a) : of(expression.b);
    case 'convert':
      return expression.type === 'float' ? of(expression.a) & 255 : as(expression.type, of(expression.a));
    case 'call': {
      const routine = program.helpers.find(({ name }) => name === expression.name)!;
      return call(program, routine, expression.args.map(of));
    }
    case 'binary':
      return binary(expression.op, expression.type, of(expression.a), of(expression.b));
  }
}

function binary(op: BinaryOperator, type: Type, x: number, y: number): number {
  if (type === 'float') return op === '+' ? x + y : op === '-' ? x - y : x * y;
  switch (op) {
    case '+':
      return as(type, x + y);
    case '-':
      return as(type, x - y);
    case '*':
      return as(type, Math.imul(x, y));
    case '&':
      return as(type, x & y);
    case '|':
      return as(type, x | y);
    case '^':
      return as(type, x ^ y);
    case '<<':
      return as(type, x << (y & 31));
    case '>>':
      return type === 'int' ? x >> (y & 31) : x >>> (y & 31);
    case '/':
      return as(type, Math.floor((x >>> 0) / ((y & 15) + 1)));
    case '%':
      return (x >>> 0) % ((y & 15) + 1);
  }
}
