/**
 * Lowers switch. Cases that end by leaving become the regions of an IR switch. Cases that fall into one another share
 * a region: a dispatch at its head jumps to them as to labels, and they follow one another.
 */
import { integerOf } from '../../ir/constants.ts';
import type * as ir from '../../ir/ir.ts';
import type { CaseStatement, DefaultStatement, Statement, SwitchStatement } from '../ast.ts';
import { substatements } from '../substatements.ts';
import { elementOf } from '../type-facts.ts';
import { value } from './expression.ts';
import type { FunctionLowering } from './function-lowering.ts';
import { gotosIn } from './gotos.ts';
import { hasInnerCase, openStatement } from './open-statements.ts';
import { jumpTo, lowerStatement } from './statement.ts';
import { type ListItem, lowerItems, lowerStatementList } from './statement-list.ts';

/** A `case low ... high` of more values than this is tested by comparing. */
const longestList = 256n;

type CaseLabel = CaseStatement | DefaultStatement;

/** A statement of the body with the cases and labels at its head. */
interface Section {
  readonly cases: readonly CaseLabel[];
  readonly labels: readonly string[];
  readonly statement: Statement;
}

export function lowerSwitch(fn: FunctionLowering, statement: SwitchStatement): void {
  if (hasInnerCase(statement)) {
    lowerStatementList(
      fn,
      openStatement(statement, () => fn.newLabel()),
    );
    return;
  }
  const sections: Section[] = [];
  flatten(fn, statement.body, sections);
  const selector = fn.marked(statement.value.span, () => value(fn, statement.value));
  const signed = elementOf(statement.value.type.type)?.signed ?? true;
  const { breakTarget: outer, mayContract } = fn;
  if (statement.body.kind === 'compound' && statement.body.forbidsContraction) fn.mayContract = false;
  fn.inBlock((block) => {
    fn.breakTarget = block;
    const clusters = clustersOf(sections, selector);
    if (clusters) lowerClusters(fn, selector, signed, clusters, block);
    else lowerFallingThrough(fn, selector, signed, sections, block);
  });
  fn.breakTarget = outer;
  fn.mayContract = mayContract;
}

/** The body as a list, compound statements that hold cases of this switch opened up. */
function flatten(fn: FunctionLowering, statement: Statement, sections: Section[]): void {
  const cases: CaseLabel[] = [];
  const labels: string[] = [];
  let body = statement;
  while (body.kind === 'case' || body.kind === 'default' || body.kind === 'label') {
    if (body.kind === 'label') labels.push(body.label);
    else cases.push(body);
    body = body.body;
  }
  if (body.kind === 'compound' && (body === statement || body.statements.some(holdsCase))) {
    const first = sections.length;
    for (const inner of body.statements) flatten(fn, inner, sections);
    if (cases.length + labels.length > 0) {
      const head = sections[first];
      if (head) {
        sections[first] = { ...head, cases: [...cases, ...head.cases], labels: [...labels, ...head.labels] };
      }
    }
    return;
  }
  sections.push({ cases, labels, statement: body });
}

function holdsCase(statement: Statement): boolean {
  return firstCase(statement) !== undefined;
}

/** A case label in or on `statement` that belongs to the switch around it. */
function firstCase(statement: Statement): CaseLabel | undefined {
  if (statement.kind === 'case' || statement.kind === 'default') return statement;
  if (statement.kind === 'switch') return undefined;
  for (const inner of substatements(statement)) {
    const found = firstCase(inner);
    if (found) return found;
  }
  return undefined;
}

// ---------------------------------------------------------------------------------------- separate cases

/** A case with those that it falls into: their sections, and the values that choose one of them. */
interface Cluster {
  readonly sections: Section[];
  readonly values: readonly (number | bigint)[];
  readonly isDefault: boolean;
  /** Control enters at the first section only. */
  readonly isSingle: boolean;
}

/** The cases in clusters that do not fall into one another; undefined if there are other labels or long ranges. */
function clustersOf(sections: readonly Section[], selector: ir.Value): Cluster[] | undefined {
  const lists: Section[][] = [];
  for (const section of sections) {
    if (section.labels.length > 0) return undefined;
    const current = lists.at(-1);
    if (section.cases.length > 0 && (!current || leaves(current.at(-1)?.statement))) lists.push([section]);
    // What stands before the first case is never reached.
    else current?.push(section);
  }
  const clusters: Cluster[] = [];
  for (const list of lists) {
    const labels = list.flatMap((section) => section.cases);
    const isDefault = labels.some((label) => label.kind === 'default');
    const values: (number | bigint)[] = [];
    for (const label of labels) {
      if (label.kind !== 'case') continue;
      if (label.high - label.low >= longestList) return undefined;
      for (let each = label.low; each <= label.high; each += 1n) values.push(integerOf(selector.type, each));
    }
    const isSingle = list.filter((section) => section.cases.length > 0).length === 1;
    clusters.push({ sections: list, values, isDefault, isSingle });
  }
  return clusters;
}

function leaves(statement: Statement | undefined): boolean {
  switch (statement?.kind) {
    case 'break':
    case 'continue':
    case 'return':
    case 'goto':
      return true;
    case 'compound':
      return leaves(statement.statements.at(-1));
    default:
      return false;
  }
}

function withoutLastBreak(statements: readonly Statement[]): readonly Statement[] {
  const last = statements.at(-1);
  if (last?.kind === 'break') return statements.slice(0, -1);
  if (last?.kind === 'compound' && leaves(last)) {
    return [...statements.slice(0, -1), { ...last, statements: withoutLastBreak(last.statements) }];
  }
  return statements;
}

function lowerClusters(
  fn: FunctionLowering,
  selector: ir.Value,
  signed: boolean,
  clusters: readonly Cluster[],
  end: ir.Block,
): void {
  const { builder } = fn;
  const named = clusters.filter((cluster) => !cluster.isDefault);
  const otherwise = clusters.find((cluster) => cluster.isDefault);
  const node = builder.switch(
    selector,
    named.map((cluster) => cluster.values),
  );
  let falls = false;
  [...named, otherwise].forEach((cluster, index) => {
    const lower = () => {
      if (!cluster) return;
      if (!cluster.isSingle) {
        lowerFallingThrough(fn, selector, signed, cluster.sections, end);
        return;
      }
      const statements = cluster.sections.map((section) => section.statement);
      for (const statement of withoutLastBreak(statements)) lowerStatement(fn, statement);
    };
    if (fn.inRegion(node.regions[index]!, lower, () => builder.yield())) falls = true;
  });
  if (!falls) fn.unreachable();
}

// ----------------------------------------------------------------------------------------- fall-through

function lowerFallingThrough(
  fn: FunctionLowering,
  selector: ir.Value,
  signed: boolean,
  sections: readonly Section[],
  end: ir.Block,
): void {
  const targets = new Set<string>();
  const items: ListItem[] = [
    { labels: [], gotos: targets, lower: () => lowerDispatch(fn, selector, signed, sections, end) },
  ];
  sections.forEach(({ cases, labels, statement }, index) => {
    const own = cases.length > 0 ? [labelOfSection(index)] : [];
    for (const label of own) targets.add(label);
    items.push({
      labels: [...own, ...labels],
      gotos: gotosIn(statement),
      lower: () => lowerStatement(fn, statement),
    });
  });
  lowerItems(fn, items);
}

/** A name no label of a program can have. */
function labelOfSection(index: number): string {
  return `case ${index}`;
}

function lowerDispatch(
  fn: FunctionLowering,
  selector: ir.Value,
  signed: boolean,
  sections: readonly Section[],
  end: ir.Block,
): void {
  const { builder } = fn;
  const lists: (number | bigint)[][] = [];
  const listTargets: string[] = [];
  const ranges: { low: bigint; high: bigint; target: string }[] = [];
  let otherwise: string | undefined;
  sections.forEach(({ cases }, index) => {
    if (cases.length === 0) return;
    const target = labelOfSection(index);
    const values: (number | bigint)[] = [];
    for (const label of cases) {
      if (label.kind === 'default') otherwise = target;
      else if (label.high - label.low >= longestList)
        ranges.push({ low: label.low, high: label.high, target });
      else
        for (let each = label.low; each <= label.high; each += 1n)
          values.push(integerOf(selector.type, each));
    }
    if (values.length === 0) return;
    lists.push(values);
    listTargets.push(target);
  });
  const jump = (label: string) => {
    if (!jumpTo(fn, label)) throw new Error(`no way leads to '${label}'`);
  };

  const node = builder.switch(selector, lists);
  const done = () => builder.yield();
  listTargets.forEach((target, index) => {
    fn.inRegion(node.regions[index]!, () => jump(target), done);
  });
  const rest = () => {
    for (const { low, high, target } of ranges) {
      const atLeast = builder.compare(signed ? 'sge' : 'uge', selector, builder.integer(selector.type, low));
      const atMost = builder.compare(signed ? 'sle' : 'ule', selector, builder.integer(selector.type, high));
      const inRange = builder.binary('and', atLeast, atMost);
      fn.branch(
        inRange,
        () => jump(target),
        () => {},
      );
    }
    if (otherwise === undefined) fn.breakTo(end);
    else jump(otherwise);
  };
  fn.inRegion(node.regions[listTargets.length]!, rest, done);
  fn.unreachable();
}
