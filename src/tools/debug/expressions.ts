/**
 * Expressions that people write, read by the front end as if they stood at a place in the program: preprocessed with its macros,
 * checked with its types and the variables that can be named there, and lowered to a function of the IR whose parameters are
 * where those variables lie.
 */
import type { Expression, FunctionDeclaration, VariableDeclaration } from '../../c/ast.ts';
import { Checker, type Mutable } from '../../c/check/checker.ts';
import { toValue } from '../../c/check/conversions.ts';
import type { VariablePlace, Visible } from '../../c/lower/debug-record.ts';
import { evaluate, value } from '../../c/lower/expression.ts';
import { FunctionLowering } from '../../c/lower/function-lowering.ts';
import { ModuleLowering } from '../../c/lower/module-lowering.ts';
import { memoryPlaceOf } from '../../c/lower/place.ts';
import { parseExpression } from '../../c/parser/expressions.ts';
import { Parser } from '../../c/parser/parser.ts';
import { Preprocessor } from '../../c/preprocessor.ts';
import { elementOf } from '../../c/type-facts.ts';
import { type QualifiedType, unqualified, voidType } from '../../c/types.ts';
import type * as ir from '../../ir/ir.ts';
import { pointerType } from '../../ir/types.ts';
import { provideWholeLibrary } from '../../library/whole.ts';
import type { DebugInfo } from '../../opencl/debug-info.ts';
import { linkLibrary } from '../../opencl/link-library.ts';
import { openCLLowering } from '../../opencl/lower/dialect.ts';
import { Diagnostics } from '../../source/diagnostics.ts';
import { renderDiagnostics } from '../../source/render.ts';
import { SourceFile } from '../../source/source-file.ts';
import { noSpan } from '../../source/span.ts';

/** An expression is wrong, or cannot be evaluated here; the message shows where. */
export class ExpressionError extends Error {}

/** Where a variable is that a debugger shows. */
export interface NamedPlace extends VariablePlace {
  /** It is not there, but where the pointer there leads to. */
  readonly isIndirect?: boolean;
  /** It is in no memory: the value is its own. */
  readonly isValue?: boolean;
}

/** A variable that can be named, and where it is; undefined for those that live as long as the program. */
export interface NamedVariable {
  readonly variable: VariableDeclaration;
  readonly place: NamedPlace | undefined;
}

export interface CompiledExpression {
  readonly fn: ir.Function;
  /** What its parameters are to be given, in order. */
  readonly parameters: readonly NamedPlace[];
  readonly type: QualifiedType;
  /** It names an object: the result is the address. Records and arrays are addresses too. */
  readonly isPlace: boolean;
  /** Of the variables of program scope in the function, what they are in the program that is debugged. */
  readonly globals: ReadonlyMap<ir.GlobalVariable, ir.GlobalVariable>;
}

/** What the front end needs to know of the program. */
export type ExpressionScope = Pick<DebugInfo, 'checker' | 'macros' | 'globals'>;

/** The variables of a list, the innermost first; of those that share a name, the others are hidden. */
export function visibleVariables(visible: Visible | undefined): VariableDeclaration[] {
  const variables: VariableDeclaration[] = [];
  const names = new Set<string>();
  for (let entry = visible; entry; entry = entry.outer) {
    if (names.has(entry.variable.name)) continue;
    names.add(entry.variable.name);
    variables.push(entry.variable);
  }
  return variables;
}

/**
 * @param within the function around it
 * @param wants the object that it names, if it names one, or in any case a value that can be a condition
 * @throws ExpressionError
 */
export function compileExpression(
  text: string,
  scope: ExpressionScope,
  named: readonly NamedVariable[],
  within: FunctionDeclaration | undefined,
  addressBits: 32 | 64,
  wants: 'object' | 'condition' = 'object',
): CompiledExpression {
  const diagnostics = new Diagnostics();
  const expression = readExpression(text, scope, named, within, diagnostics, wants);
  complain(diagnostics);
  if (wants === 'condition' && !isCondition(expression.type)) {
    throw new ExpressionError(`'${text}' is no condition: it is neither a number nor a pointer`);
  }
  const options = { addressBits, contract: false };
  const module = new ModuleLowering(openCLLowering(addressBits), diagnostics, options);
  const isPlace = wants === 'object' && namesObject(expression);
  const fn: Mutable<ir.Function> = {
    name: '<expression>',
    kind: 'function',
    parameters: [],
    result: undefined,
    body: undefined,
    form: 'work-item',
  };
  const lowering = new FunctionLowering(module, within ?? nobody, fn);
  const places: NamedPlace[] = [];
  for (const { variable, place } of named) {
    if (!place) continue;
    const type = place.isValue ? pointerType('private') : place.value.type;
    const parameter: ir.Value = { type, name: variable.name };
    fn.parameters.push({ value: parameter });
    places.push(place);
    if (place.isHandle) lowering.bindHandle(variable, parameter);
    else lowering.bindVariable(variable, parameter);
  }
  const { builder } = lowering;
  const { region } = builder;
  const hasResult = expression.type.type.kind !== 'void';
  const result = isPlace
    ? memoryPlaceOf(lowering, expression, true).pointer
    : hasResult
      ? value(lowering, expression)
      : evaluate(lowering, expression);
  builder.return(hasResult ? result : undefined);
  fn.body = { parameters: [], instructions: [...lowering.reserved, ...region.instructions] };
  fn.result = hasResult ? result?.type : undefined;
  module.module.functions.push(fn);
  module.lowerReached();
  provideWholeLibrary();
  linkLibrary(module.module, diagnostics);
  complain(diagnostics);
  const globals = new Map<ir.GlobalVariable, ir.GlobalVariable>();
  for (const [variable, global] of module.globals.variables) {
    const real = scope.globals.get(variable);
    if (real) globals.set(global, real);
  }
  return { fn, parameters: places, type: expression.type, isPlace, globals };
}

function readExpression(
  text: string,
  { checker: ofProgram, macros }: ExpressionScope,
  named: readonly NamedVariable[],
  within: FunctionDeclaration | undefined,
  diagnostics: Diagnostics,
  wants: 'object' | 'condition',
): Expression {
  const file = new SourceFile('<expression>', text);
  const preprocessor = new Preprocessor(file, {}, diagnostics);
  for (const [name, macro] of macros) preprocessor.expander.macros.set(name, macro);
  const checker = new Checker(ofProgram.dialect, diagnostics, undefined, ofProgram);
  const { scopes } = checker;
  scopes.push();
  try {
    for (const { variable } of named) scopes.declare(variable);
    checker.function = {
      declaration: within ?? nobody,
      switches: [],
      loops: 0,
      labels: new Map(),
      callees: new Set(),
      gotos: [],
      mistypedDefaults: [],
      localLabels: [],
      localLabelCount: 0,
      cleanups: [],
      breakCleanups: 0,
      continueCleanups: 0,
    };
    const parser = new Parser(preprocessor, checker);
    const expression = parseExpression(parser);
    if (!parser.atEnd && diagnostics.errorCount === 0) {
      diagnostics.error(parser.token, `an expression should end before '${parser.token.text}'`);
    }
    // Lanes are values; an object stays one.
    return wants === 'object' && namesObject(expression) ? expression : toValue(checker, expression);
  } finally {
    scopes.pop();
  }
}

/** Whether an address says all of it. */
function namesObject({ lvalue, kind, type }: Expression): boolean {
  if (kind === 'swizzle') return false;
  const named = type.type.kind;
  if (named === 'opaque' || named === 'function' || named === 'block') return false;
  return lvalue === true || named === 'record';
}

/** Warnings are of no interest here. */
function complain(diagnostics: Diagnostics): void {
  if (diagnostics.errorCount === 0) return;
  // Of the notes the first says enough; a function may have many candidates.
  const errors = diagnostics.list
    .filter(({ severity }) => severity === 'error')
    .map((error) => ({ ...error, notes: error.notes.slice(0, 1) }));
  const text = renderDiagnostics(errors, { counts: false });
  throw new ExpressionError(text.replace(/^<expression>:1:\d+: (?:error: )?/gm, '').trimEnd());
}

function isCondition({ type }: QualifiedType): boolean {
  return type.kind === 'pointer' || (type.kind !== 'vector' && elementOf(type) !== undefined);
}

/** Stands for the function around expressions that are in none. */
const nobody: FunctionDeclaration = {
  kind: 'function',
  name: '<nobody>',
  type: {
    ...unqualified(voidType),
    type: {
      kind: 'function',
      result: unqualified(voidType),
      parameters: [],
      variadic: false,
      unprototyped: false,
    },
  },
  isKernel: true,
  isInline: false,
  storage: 'none',
  attributes: [],
  parameters: [],
  body: undefined,
  span: noSpan,
};
