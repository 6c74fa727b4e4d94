/**
 * Opens statements that are jumped into: an `if`, a loop or a `switch` with a label or a case somewhere inside it becomes
 * a list of plain statements, labels and gotos, which statement-list.ts can lower. Duff's device is written so, and
 * decoders that go on where they stopped.
 *
 * Only what holds an entry is opened; everything else stays whole, its breaks and continues made gotos where they leave
 * an opened statement.
 */
import type {
  CompoundStatement,
  Expression,
  IfStatement,
  Statement,
  SwitchStatement,
  UnaryOperator,
} from '../ast.ts';
import { substatements } from '../substatements.ts';
import { arithmeticTypes, unqualified } from '../types.ts';

/** Where break and continue lead inside an opened statement; undefined where they belong to something around it all. */
interface Exits {
  readonly break?: string | undefined;
  readonly continue?: string | undefined;
}

/** Makes labels that no program has, one for every call. */
export type LabelMaker = () => string;

/** Whether some goto leads into a statement that it does not stand in. `visible` is as it was when this returns. */
export function jumpsIntoStatements(statement: Statement, visible = new Set<string>()): boolean {
  if (statement.kind === 'goto') return !visible.has(statement.label);
  const heads = statement.kind === 'compound' ? statement.statements.flatMap(labelsAt) : labelsAt(statement);
  // One set for all: a copy for every statement would take the square of the time.
  const added = heads.filter((label) => !visible.has(label));
  for (const label of added) visible.add(label);
  const jumps = substatements(statement).some((inner) => jumpsIntoStatements(inner, visible));
  for (const label of added) visible.delete(label);
  return jumps;
}

/** The labels before a statement. */
function labelsAt(statement: Statement): string[] {
  const labels: string[] = [];
  let inner = statement;
  while (inner.kind === 'label' || inner.kind === 'case' || inner.kind === 'default') {
    if (inner.kind === 'label') labels.push(inner.label);
    inner = inner.body;
  }
  return labels;
}

/** A statement as a list without labels inside its members. */
export function openStatement(statement: Statement, newLabel: LabelMaker): Statement[] {
  const opener = new Opener(newLabel);
  opener.open(statement, {});
  return opener.list;
}

class Opener {
  readonly list: Statement[] = [];
  readonly #newLabel: LabelMaker;
  /** The labels that stand for the cases of the switches being opened. */
  readonly #cases = new Map<Statement, string>();
  #forbidsContraction = false;

  constructor(newLabel: LabelMaker) {
    this.#newLabel = newLabel;
  }

  open(statement: Statement, exits: Exits): void {
    if (!holdsEntry(statement)) {
      this.#put(withExits(statement, exits));
      return;
    }
    const { span } = statement;
    switch (statement.kind) {
      case 'compound': {
        const outer = this.#forbidsContraction;
        if (statement.forbidsContraction) this.#forbidsContraction = true;
        for (const inner of statement.statements) this.open(inner, exits);
        this.#forbidsContraction = outer;
        return;
      }
      case 'label':
        this.#label(statement.label, statement);
        this.open(statement.body, exits);
        return;
      case 'case':
      case 'default': {
        const label = this.#cases.get(statement);
        if (label !== undefined) this.#label(label, statement);
        this.open(statement.body, exits);
        return;
      }
      case 'if': {
        const end = this.#newLabel();
        for (const { condition, then } of [statement, ...statement.elseIfs]) {
          const otherwise = this.#newLabel();
          this.#gotoIf(not(condition), otherwise, statement);
          this.open(then, exits);
          this.#goto(end, statement);
          this.#label(otherwise, statement);
        }
        if (statement.else) this.open(statement.else, exits);
        this.#label(end, statement);
        return;
      }
      case 'while':
      case 'for': {
        const [top, next, end] = [this.#newLabel(), this.#newLabel(), this.#newLabel()];
        if (statement.kind === 'for' && statement.initial) this.#put(statement.initial);
        this.#label(top, statement);
        if (statement.condition) this.#gotoIf(not(statement.condition), end, statement);
        this.open(statement.body, { break: end, continue: next });
        this.#label(next, statement);
        const step = statement.kind === 'for' ? statement.step : undefined;
        if (step) this.#put({ kind: 'expression', expression: step, span });
        this.#goto(top, statement);
        this.#label(end, statement);
        return;
      }
      case 'do': {
        const [top, next, end] = [this.#newLabel(), this.#newLabel(), this.#newLabel()];
        this.#label(top, statement);
        this.open(statement.body, { break: end, continue: next });
        this.#label(next, statement);
        this.#gotoIf(statement.condition, top, statement);
        this.#label(end, statement);
        return;
      }
      case 'switch': {
        const end = this.#newLabel();
        this.#put(this.#dispatch(statement, end));
        this.open(statement.body, { ...exits, break: end });
        this.#label(end, statement);
        return;
      }
      default:
        throw new Error(`a statement of kind '${statement.kind}' holds no label`);
    }
  }

  /** A switch whose cases do nothing but jump to where the cases of the opened one stand. */
  #dispatch(statement: SwitchStatement, end: string): SwitchStatement {
    const { span } = statement;
    const statements: Statement[] = [];
    let hasDefault = false;
    for (const label of casesOf(statement.body)) {
      const target = this.#newLabel();
      this.#cases.set(label, target);
      if (label.kind === 'default') hasDefault = true;
      statements.push({ ...label, body: { kind: 'goto', label: target, span } });
    }
    const leave: Statement = { kind: 'goto', label: end, span };
    if (!hasDefault) statements.push({ kind: 'default', body: leave, span });
    return { kind: 'switch', value: statement.value, body: { kind: 'compound', statements, span }, span };
  }

  #put(statement: Statement): void {
    if (!this.#forbidsContraction) this.list.push(statement);
    else {
      const { span } = statement;
      this.list.push({ kind: 'compound', statements: [statement], forbidsContraction: true, span });
    }
  }

  #label(label: string, { span }: Statement): void {
    this.list.push({ kind: 'label', label, body: { kind: 'expression', expression: undefined, span }, span });
  }

  #goto(label: string, { span }: Statement): void {
    this.list.push({ kind: 'goto', label, span });
  }

  #gotoIf(condition: Expression, label: string, { span }: Statement): void {
    const jump: Statement = { kind: 'goto', label, span };
    // biome-ignore lint/suspicious/noThenProperty: the tree is never awaited
    const test: IfStatement = { kind: 'if', condition, then: jump, elseIfs: [], else: undefined, span };
    this.#put(test);
  }
}

/** A label at any depth, or a case of a switch around the statement. */
function holdsEntry(statement: Statement): boolean {
  if (statement.kind === 'label' || statement.kind === 'case' || statement.kind === 'default') return true;
  if (statement.kind === 'switch') return holdsLabel(statement.body) || hasInnerCase(statement);
  return substatements(statement).some(holdsEntry);
}

function holdsLabel(statement: Statement): boolean {
  return statement.kind === 'label' || substatements(statement).some(holdsLabel);
}

/** Whether a case of this switch stands inside one of the statements of its body. */
export function hasInnerCase(statement: SwitchStatement): boolean {
  return innerCase(statement.body, true);
}

function innerCase(statement: Statement, isTop: boolean): boolean {
  if (statement.kind === 'case' || statement.kind === 'default')
    return !isTop || innerCase(statement.body, true);
  if (statement.kind === 'label') return innerCase(statement.body, isTop);
  if (statement.kind === 'compound') return statement.statements.some((inner) => innerCase(inner, isTop));
  if (statement.kind === 'switch') return false;
  return substatements(statement).some((inner) => innerCase(inner, false));
}

function casesOf(statement: Statement): Extract<Statement, { kind: 'case' | 'default' }>[] {
  if (statement.kind === 'switch') return [];
  const inside = substatements(statement).flatMap(casesOf);
  return statement.kind === 'case' || statement.kind === 'default' ? [statement, ...inside] : inside;
}

/** The statement with the breaks and continues that leave it made gotos. */
function withExits(statement: Statement, exits: Exits): Statement {
  if (exits.break === undefined && exits.continue === undefined) return statement;
  const again = (inner: Statement): Statement => withExits(inner, exits);
  const { span } = statement;
  switch (statement.kind) {
    case 'break':
      return exits.break === undefined ? statement : { kind: 'goto', label: exits.break, span };
    case 'continue':
      return exits.continue === undefined ? statement : { kind: 'goto', label: exits.continue, span };
    case 'compound':
      return { ...statement, statements: statement.statements.map(again) } satisfies CompoundStatement;
    case 'if':
      return {
        ...statement,
        // biome-ignore lint/suspicious/noThenProperty: the tree is never awaited
        then: again(statement.then),
        // biome-ignore lint/suspicious/noThenProperty: the tree is never awaited
        elseIfs: statement.elseIfs.map((arm) => ({ ...arm, then: again(arm.then) })),
        else: statement.else && again(statement.else),
      };
    case 'switch':
      // Its breaks are its own.
      return { ...statement, body: withExits(statement.body, { continue: exits.continue }) };
    case 'case':
    case 'default':
    case 'label':
      return { ...statement, body: again(statement.body) };
    default:
      return statement;
  }
}

function not(condition: Expression): Expression {
  const operator: UnaryOperator = '!';
  const type = unqualified(arithmeticTypes.int);
  return { kind: 'unary', operator, operand: condition, type, span: condition.span };
}
