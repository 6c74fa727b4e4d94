/** Calls of the functions that the program defines. */
import { expression } from './expressions.ts';
import { findAccess } from './places.ts';
import { firstOf, type Helper, type HelperParameter, type Site } from './site.ts';
import type { Expression } from './syntax.ts';
import { type DataType, sameType, type ValueType } from './types.ts';

/** A call, as an expression, of a function that only reads. */
export function callHelper(site: Site, type: ValueType, depth: number): Expression | undefined {
  const fitting = site.program.helpers.filter(
    (helper) =>
      sameType(helper.result, type) &&
      isAffordable(site, helper) &&
      helper.parameters.every((parameter) => !parameter.isWritable),
  );
  return firstOf<Expression>(
    site,
    fitting.map((helper) => () => {
      const parts = helperArguments(site, helper, depth, []);
      return parts && { type, parts: [`${helper.name}(`, ...parts, ')'], isGuard: false };
    }),
  );
}

export function isAffordable(site: Site, helper: Helper): boolean {
  if (helper.asksWho && (site.isUniform || !site.mayAskWho)) return false;
  return site.work.cost + helper.cost * site.iterations < site.work.maximum;
}

/**
 * The arguments of a call, or undefined where there is nothing to point to. What the callee writes is taken from
 * `changed`, variables that nothing else of the statement touches.
 */
export function helperArguments(
  site: Site,
  helper: Helper,
  depth: number,
  changed: Site['effects'],
): (string | Expression)[] | undefined {
  const parts: (string | Expression)[] = [];
  for (const parameter of helper.parameters) {
    if (parts.length > 0) parts.push(', ');
    const argument = argumentFor(site, parameter, depth, changed);
    if (!argument) return undefined;
    parts.push(...argument);
  }
  site.work.cost += helper.cost * site.iterations;
  site.work.asksWho ||= helper.asksWho;
  return parts;
}

function argumentFor(
  site: Site,
  parameter: HelperParameter,
  depth: number,
  changed: Site['effects'],
): (string | Expression)[] | undefined {
  const { type, passing, space, isWritable } = parameter;
  if (passing === 'value' && type.kind === 'value') return [expression(site, type, depth)];
  if (passing === 'value') {
    const found = findAccess(site, (candidate) => candidate === type, depth);
    return found && [...found.parts];
  }
  const where = isWritable ? { ...site, isUniform: false, variables: changed } : site;
  const found = findAccess(
    where,
    (candidate) => pointsTo(candidate, type),
    isWritable ? 0 : depth,
    (variable) => variable.space === space,
  );
  if (found && isWritable) {
    // No two parameters through which to write may mean the same memory.
    const { root } = found.variable;
    const rest = changed.filter((variable) => variable.root !== root);
    changed.splice(0, changed.length, ...rest);
  }
  return found && (type.kind === 'array' ? [...found.parts] : ['&', ...found.parts]);
}

/** An array passes for a shorter one. */
function pointsTo(candidate: DataType, wanted: DataType): boolean {
  if (wanted.kind !== 'array') return sameType(candidate, wanted);
  return (
    candidate.kind === 'array' &&
    candidate.length >= wanted.length &&
    sameType(candidate.element, wanted.element)
  );
}
