/**
 * Keeps apart where a work-item's pointer or counter begins and what a loop adds to it, in loops that hold barriers:
 *
 *     loop @l (%p = %start) {                         loop @l (%u = 0) {
 *       ...                                             %p = offset %start, %u
 *       barrier                                   =>    ...
 *       continue @l (offset %p, %pitch)                 barrier
 *     }                                                 continue @l (iadd %u, %pitch)
 *                                                     }
 *
 * What is added is the same for the whole group, so `form-work-item-loops` counts it once, at group level; and where each work-item begins it
 * knows how to compute again. Without it the pointer would wait in a context array from barrier to barrier. Read back from there
 * it could be anything: loads of neighbours would be gathers. The other parameters of the loop stay.
 */
import { Builder, newRegion, newValue } from '../../ir/builder.ts';
import type * as ir from '../../ir/ir.ts';
import { containsBarrier } from '../../ir/regions.ts';
import { i32, i64 } from '../../ir/types.ts';
import { replaceOperands, walkRegion } from '../../ir/walk.ts';
import { insert } from '../../source/lists.ts';
import type { AffineForm } from '../analysis/affine-forms.ts';
import { Analyses } from '../analysis/analyses.ts';
import { hasSameTerms } from '../analysis/terms.ts';

/** @param fn in work-item form */
export function splitInductions(fn: ir.Function, addressBits: 32 | 64, analyses = new Analyses(fn)): boolean {
  const { body } = fn;
  if (fn.form !== 'work-item' || !body || !containsBarrier(body)) return false;
  const found: Moved[] = [];
  walkRegion(body, (loop) => {
    if (loop.op === 'loop' && containsBarrier(loop.regions[0]!))
      found.push(...findMoved(loop, addressBits, analyses));
  });
  for (const moved of found) split(body, moved, addressBits);
  return found.length > 0;
}

/** A parameter of a loop that differs by work-item, and to which each iteration adds what is the same for all. */
interface Moved {
  readonly loop: ir.Loop;
  readonly value: ir.Value;
  readonly start: ir.Value;
  readonly step: AffineForm;
}

function findMoved(loop: ir.Loop, addressBits: 32 | 64, analyses: Analyses): Moved[] {
  const [body] = loop.regions as [ir.Region];
  const group = analyses.uniformity();
  const inside = new Set(body.parameters);
  const repeats: ir.Instruction[] = [];
  walkRegion(body, (one) => {
    for (const result of one.results) inside.add(result);
    for (const { parameters } of one.regions) for (const parameter of parameters) inside.add(parameter);
    if (one.op === 'continue' && one.target === loop) repeats.push(one);
  });
  return body.parameters.flatMap((value, index): Moved[] => {
    const start = loop.operands[index]!;
    if (group.isUniform(start) || (value.type.kind !== 'int' && value.type.kind !== 'pointer')) return [];
    const [step, ...others] = repeats.map(({ operands }) => analyses.forms.of(operands[index]!));
    if (!step || others.some((other) => !isSame(step, other)) || step.terms.get(value) !== 1) return [];
    const terms = new Map(step.terms);
    terms.delete(value);
    const isStep = [...terms.keys()].every(
      (term) => !inside.has(term) && group.isUniform(term) && isAsWide(term, value, addressBits),
    );
    return isStep ? [{ loop, value, start, step: { terms, constant: step.constant } }] : [];
  });
}

function isSame(a: AffineForm, b: AffineForm): boolean {
  return a.constant === b.constant && hasSameTerms(a.terms, b.terms);
}

/** Sums have one width, so that they wrap around where the parameter does; a pointer is as wide as its offsets. */
function isAsWide(term: ir.Value, { type }: ir.Value, addressBits: 32 | 64): boolean {
  if (term.type.kind !== 'int') return false;
  return term.type.bits === (type.kind === 'int' ? type.bits : addressBits);
}

function split(body: ir.Region, { loop, value, start, step }: Moved, addressBits: 32 | 64): void {
  const [inner] = loop.regions as [ir.Region];
  const at = inner.parameters.indexOf(value);
  const type = value.type.kind === 'int' ? value.type : addressBits === 32 ? i32 : i64;
  const added = newValue(type, value.name);

  const head = new Builder(newRegion(), addressBits);
  const own = value.type.kind === 'int' ? head.binary('iadd', start, added) : head.offset(start, added);
  inner.parameters[at] = added;
  insert(inner.instructions, 0, head.region.instructions);
  replaceOperands(inner, new Map([[value, own]]));

  walkRegion(inner, (owner) => {
    for (const region of owner.regions) insertSteps(region);
  });
  insertSteps(inner);
  insertBefore(body, loop, (builder) => {
    loop.operands = loop.operands.map((operand, index) =>
      index === at ? builder.integer(type, 0) : operand,
    );
  });

  /** Before the jumps back in a region. */
  function insertSteps(region: ir.Region): void {
    const last = region.instructions.at(-1);
    if (last?.op !== 'continue' || last.target !== loop) return;
    region.instructions.pop();
    const builder = new Builder(region, addressBits);
    const next = builder.binary('iadd', added, writeSum(step, type, builder));
    region.instructions.push({
      ...last,
      operands: last.operands.map((one, index) => (index === at ? next : one)),
    });
  }

  function insertBefore(region: ir.Region, one: ir.Instruction, write: (builder: Builder) => void): void {
    const place = region.instructions.indexOf(one);
    if (place >= 0) {
      const before = new Builder(newRegion(), addressBits);
      write(before);
      insert(region.instructions, place, before.region.instructions);
      return;
    }
    for (const { regions } of region.instructions) {
      for (const nested of regions) insertBefore(nested, one, write);
    }
  }
}

/** What a sum is, computed anew. */
function writeSum({ terms, constant }: AffineForm, type: ir.Value['type'], builder: Builder): ir.Value {
  let sum: ir.Value | undefined;
  const add = (term: ir.Value): void => {
    sum = sum ? builder.binary('iadd', sum, term) : term;
  };
  for (const [term, factor] of terms) {
    add(factor === 1 ? term : builder.binary('imul', term, builder.integer(type, factor)));
  }
  if (constant !== 0 || !sum) add(builder.integer(type, constant));
  return sum!;
}
