/**
 * Finds integers that are the same constant on all ways through loops and branches: what comes out of a loop is what went in if each
 * turn hands on just that, however loops are nested. Most masks of private variables are such (companions.ts), and what looks
 * at them goes. Unlike gvn, this leaves all that reads memory.
 */
import type * as ir from '../../../ir/ir.ts';
import { replaceOperands, walkRegion } from '../../../ir/walk.ts';
import { insert } from '../../../source/lists.ts';
import { PointerRoots } from './pointer-roots.ts';

/** Nothing is known yet, which agrees with everything; several numbers are possible. */
type Known = 'nothing yet' | 'several' | number | bigint;

export function settleMasks(fn: ir.Function): void {
  if (!fn.body) return;
  const settled = constantsOf(fn.body, new PointerRoots(fn));
  const constants = new Map<string, ir.Constant>();
  const replaced = new Map<ir.Value, ir.Value>();
  for (const [value, known] of settled) {
    const { type } = value;
    if (typeof known === 'string' || type.kind !== 'int') continue;
    const key = `${type.bits} ${known}`;
    let constant = constants.get(key);
    if (!constant) {
      constant = { op: 'constant', value: known, operands: [], results: [{ type }], regions: [] };
      constants.set(key, constant);
    }
    replaced.set(value, constant.results[0]!);
  }
  replaceOperands(fn.body, replaced);
  insert(fn.body.instructions, 0, [...constants.values()]);
}

/** What is known of each integer that ways come together in. */
function constantsOf(body: ir.Region, roots: PointerRoots): Map<ir.Value, Known> {
  const meetings = new Map<ir.Value, Known>();
  const add = (value: ir.Value): void => {
    if (value.type.kind === 'int' && roots.sourcesOf(value)) meetings.set(value, 'nothing yet');
  };
  walkRegion(body, (instruction) => {
    instruction.results.forEach(add);
    for (const { parameters } of instruction.regions) parameters.forEach(add);
  });
  const known = (value: ir.Value): Known => {
    const met = meetings.get(value);
    if (met !== undefined) return met;
    const definition = roots.definition(value);
    if (definition?.op === 'select')
      return both(known(definition.operands[1]!), known(definition.operands[2]!));
    if (definition?.op !== 'constant') return 'several';
    const { value: constant } = definition;
    return typeof constant === 'number' || typeof constant === 'bigint' ? constant : 'several';
  };
  // Each can change twice.
  for (let changes = true; changes; ) {
    changes = false;
    for (const [value, before] of meetings) {
      const now = roots.sourcesOf(value)!.map(known).reduce(both);
      if (now === before) continue;
      meetings.set(value, now);
      changes = true;
    }
  }
  return meetings;
}

function both(a: Known, b: Known): Known {
  if (a === b || b === 'nothing yet') return a;
  return a === 'nothing yet' ? b : 'several';
}
