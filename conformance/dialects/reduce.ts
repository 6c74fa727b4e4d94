/**
 * Makes a failing program of tree.ts as small as it can be while it fails in the same way: runs of statements, whole helpers, arguments, variables and
 * work-items go; blocks take the place of what is around them, operands that of expressions, 0 and 1 that of operands. Every smaller tree means one
 * thing, so nothing has to be kept for the sake of that.
 *
 * It is done when no single change is left that the failure survives (delta debugging: Zeller and Hildebrandt, "Simplifying and Isolating
 * Failure-Inducing Input").
 */
import type { CommonProgram, Condition, Expression, Routine, Statement } from './tree.ts';

/**
 * @param fails whether a program shows the failure
 * @param milliseconds after which what is left is tried no further
 */
export async function reduceCommon(
  program: CommonProgram,
  fails: (candidate: CommonProgram) => boolean | Promise<boolean>,
  milliseconds = 60_000,
): Promise<CommonProgram> {
  const end = performance.now() + milliseconds;
  let smallest = program;
  for (;;) {
    let found = false;
    for (const candidate of smaller(smallest)) {
      if (performance.now() > end) return smallest;
      if (!(await fails(candidate))) continue;
      smallest = candidate;
      found = true;
      break;
    }
    if (!found) return smallest;
  }
}

/** Programs that are smaller by one change, those with the largest change first. */
function* smaller(program: CommonProgram): Generator<CommonProgram> {
  yield* fewerItems(program);
  const routines = [program.main, ...program.helpers];
  // A helper that nothing calls.
  for (const helper of program.helpers) {
    if (!routines.some((routine) => calls(routine, helper.name)))
      yield { ...program, helpers: program.helpers.filter((one) => one !== helper) };
  }
  for (const routine of routines) {
    for (const body of smallerLists(routine.body)) yield replaced(program, routine, { ...routine, body });
    for (const result of smallerExpressions(routine.result))
      yield replaced(program, routine, { ...routine, result });
    for (const variable of routine.variables) {
      if (!mentions(routine, variable.name)) {
        const variables = routine.variables.filter((one) => one !== variable);
        yield replaced(program, routine, { ...routine, variables });
      } else if (variable.value !== 0) {
        const variables = routine.variables.map((one) => (one === variable ? { ...one, value: 0 } : one));
        yield replaced(program, routine, { ...routine, variables });
      }
    }
    // What says how many work-items there are stays.
    for (const [place, name] of routine.parameters.entries())
      if (!mentions(routine, name) && (routine !== program.main || program.inputs.length > 1))
        yield withoutParameter(program, routine, place);
  }
  for (const [place, input] of program.inputs.entries()) {
    for (const [item, value] of input.entries()) {
      for (const simple of [0, 1]) {
        if (value === simple || (value === 0 && simple === 1)) continue;
        const changed = input.slice();
        changed[item] = simple;
        yield { ...program, inputs: program.inputs.map((one, index) => (index === place ? changed : one)) };
      }
    }
  }
}

function* fewerItems(program: CommonProgram): Generator<CommonProgram> {
  const count = program.inputs[0]?.length ?? 1;
  for (let run = count >> 1; run > 0; run >>= 1) {
    for (let start = 0; start + run <= count; start += run) {
      const inputs = program.inputs.map((input) =>
        input.filter((_, item) => item < start || item >= start + run),
      );
      yield { ...program, inputs };
    }
  }
}

function replaced(program: CommonProgram, old: Routine, routine: Routine): CommonProgram {
  if (program.main === old) return { ...program, main: routine };
  return { ...program, helpers: program.helpers.map((one) => (one === old ? routine : one)) };
}

function withoutParameter(program: CommonProgram, routine: Routine, place: number): CommonProgram {
  const without = <T>(list: readonly T[]): T[] => list.filter((_, index) => index !== place);
  const parameters = without(routine.parameters);
  if (program.main === routine) {
    return { ...program, main: { ...routine, parameters }, inputs: without(program.inputs) };
  }
  const inCalls = (expression: Expression): Expression =>
    expression.kind === 'call' && expression.name === routine.name
      ? { ...expression, args: without(expression.args) }
      : expression;
  const changed = (one: Routine): Routine =>
    mapRoutine(one === routine ? { ...one, parameters } : one, inCalls);
  return { ...program, main: changed(program.main), helpers: program.helpers.map(changed) };
}

// ------------------------------------------------------------------------------------------- statements

function* smallerLists(list: readonly Statement[]): Generator<readonly Statement[]> {
  for (let run = list.length; run > 0; run >>= 1) {
    for (let start = 0; start + run <= list.length; start += run)
      yield [...list.slice(0, start), ...list.slice(start + run)];
  }
  for (const [place, statement] of list.entries()) {
    const put = (...others: readonly Statement[]): Statement[] => [
      ...list.slice(0, place),
      ...others,
      ...list.slice(place + 1),
    ];
    switch (statement.kind) {
      case 'set':
        for (const value of smallerExpressions(statement.value)) yield put({ ...statement, value });
        break;
      case 'leave':
        for (const condition of smallerConditions(statement.condition))
          yield put({ ...statement, condition });
        break;
      case 'if':
        yield put(...statement.then);
        yield put(...statement.otherwise);
        for (const then of smallerLists(statement.then)) yield put({ ...statement, then });
        for (const otherwise of smallerLists(statement.otherwise)) yield put({ ...statement, otherwise });
        for (const condition of smallerConditions(statement.condition))
          yield put({ ...statement, condition });
        break;
      case 'loop':
        // Its body alone, where nothing leaves it and nobody asks for the counter.
        if (!leaves(statement.body) && !inList(statement.body, (one) => isNamed(one, statement.counter)))
          yield put(...statement.body);
        if (statement.times > 1) yield put({ ...statement, times: 1 });
        if (statement.times > 2) yield put({ ...statement, times: statement.times - 1 });
        for (const body of smallerLists(statement.body)) yield put({ ...statement, body });
    }
  }
}

function leaves(list: readonly Statement[]): boolean {
  return list.some(
    (one) => one.kind === 'leave' || (one.kind === 'if' && (leaves(one.then) || leaves(one.otherwise))),
  );
}

// ------------------------------------------------------------------------------------------ expressions

function* smallerConditions(condition: Condition): Generator<Condition> {
  for (const a of smallerExpressions(condition.a)) yield { ...condition, a };
  for (const b of smallerExpressions(condition.b)) yield { ...condition, b };
}

function* smallerExpressions(expression: Expression): Generator<Expression> {
  const { type } = expression;
  const isConstant = expression.kind === 'constant';
  if (!isConstant || expression.value > 1 || expression.value < 0) yield { kind: 'constant', type, value: 0 };
  if (!isConstant || expression.value !== 0) {
    if (!isConstant || expression.value !== 1) yield { kind: 'constant', type, value: 1 };
    if (isConstant && expression.value === 1) yield { kind: 'constant', type, value: 0 };
  }
  for (const part of partsOf(expression)) if (part.type === type) yield part;
  switch (expression.kind) {
    case 'binary':
      for (const a of smallerExpressions(expression.a)) yield { ...expression, a };
      for (const b of smallerExpressions(expression.b)) yield { ...expression, b };
      break;
    case 'invert':
    case 'convert':
      for (const a of smallerExpressions(expression.a)) yield { ...expression, a };
      break;
    case 'select':
      for (const a of smallerExpressions(expression.a)) yield { ...expression, a };
      for (const b of smallerExpressions(expression.b)) yield { ...expression, b };
      for (const condition of smallerConditions(expression.condition)) yield { ...expression, condition };
      break;
    case 'call':
      for (const [place, arg] of expression.args.entries()) {
        for (const other of smallerExpressions(arg))
          yield { ...expression, args: expression.args.map((one, index) => (index === place ? other : one)) };
      }
  }
}

/** The expressions right inside of one, those of its condition among them. */
function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'binary':
      return [expression.a, expression.b];
    case 'invert':
    case 'convert':
      return [expression.a];
    case 'select':
      return [expression.a, expression.b, expression.condition.a, expression.condition.b];
    case 'call':
      return expression.args;
    default:
      return [];
  }
}

function within(expression: Expression, is: (one: Expression) => boolean): boolean {
  return is(expression) || partsOf(expression).some((part) => within(part, is));
}

function inCondition({ a, b }: Condition, is: (one: Expression) => boolean): boolean {
  return within(a, is) || within(b, is);
}

function inList(list: readonly Statement[], is: (one: Expression) => boolean): boolean {
  return list.some((one) => {
    if (one.kind === 'set') return within(one.value, is);
    if (one.kind === 'leave') return inCondition(one.condition, is);
    if (one.kind === 'loop') return inList(one.body, is);
    return inCondition(one.condition, is) || inList(one.then, is) || inList(one.otherwise, is);
  });
}

function calls(routine: Routine, name: string): boolean {
  const is = (one: Expression): boolean => one.kind === 'call' && one.name === name;
  return inList(routine.body, is) || within(routine.result, is);
}

function isNamed(one: Expression, name: string): boolean {
  return one.kind === 'variable' && one.name === name;
}

/** Whether a name is read or set. */
function mentions(routine: Routine, name: string): boolean {
  const sets = (list: readonly Statement[]): boolean =>
    list.some(
      (one) =>
        (one.kind === 'set' && one.variable.name === name) ||
        (one.kind === 'loop' && sets(one.body)) ||
        (one.kind === 'if' && (sets(one.then) || sets(one.otherwise))),
    );
  const is = (one: Expression): boolean => isNamed(one, name);
  return inList(routine.body, is) || within(routine.result, is) || sets(routine.body);
}

// ---------------------------------------------------------------------------- changes to all expressions

type Change = (expression: Expression) => Expression;

function mapRoutine(routine: Routine, change: Change): Routine {
  return { ...routine, body: mapList(routine.body, change), result: mapExpression(routine.result, change) };
}

function mapList(list: readonly Statement[], change: Change): readonly Statement[] {
  return list.map((one): Statement => {
    if (one.kind === 'set') return { ...one, value: mapExpression(one.value, change) };
    if (one.kind === 'leave') return { ...one, condition: mapCondition(one.condition, change) };
    if (one.kind === 'loop') return { ...one, body: mapList(one.body, change) };
    const [then, otherwise] = [mapList(one.then, change), mapList(one.otherwise, change)];
    return { ...one, condition: mapCondition(one.condition, change), then, otherwise };
  });
}

function mapCondition(condition: Condition, change: Change): Condition {
  return { ...condition, a: mapExpression(condition.a, change), b: mapExpression(condition.b, change) };
}

function mapExpression(expression: Expression, change: Change): Expression {
  const of = (part: Expression): Expression => mapExpression(part, change);
  switch (expression.kind) {
    case 'binary':
      return change({ ...expression, a: of(expression.a), b: of(expression.b) });
    case 'invert':
    case 'convert':
      return change({ ...expression, a: of(expression.a) });
    case 'select': {
      const condition = mapCondition(expression.condition, change);
      return change({ ...expression, condition, a: of(expression.a), b: of(expression.b) });
    }
    case 'call':
      return change({ ...expression, args: expression.args.map(of) });
    default:
      return change(expression);
  }
}
