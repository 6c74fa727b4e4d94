/**
 * Finds conditions that two branches set and the next instruction reads, as `a && b` and `a || b` become them, so that each branch can jump to where the
 * condition leads instead of setting it:
 *
 *     if  ...  local.set $c  else  i32.const 0  local.set $c  end
 *     local.get $c   i32.eqz   if
 *
 * Nothing else reads the local. Both settings become `branch` instructions, the reading goes, and the `if` that follows, or the `br_if`, is theirs.
 */
import type { StackInstruction } from './reader.ts';

/** Where a condition leads. */
export interface Branching {
  /** True does what false would. */
  readonly isNegated: boolean;
  /** The block that is left if it holds, counted from behind the branches; undefined where an `if` follows. */
  readonly leaves: number | undefined;
  /** Where it goes on if it does not hold and an `if` follows: its label, once there is one. */
  otherwise: number | undefined;
}

/** An instruction of stack code, or a setting of a condition. */
export type ThreadedInstruction = StackInstruction & {
  /** Of a `local.set`: it branches in the place of setting. Of an `if`: its condition has been branched on. */
  readonly branching?: Branching;
};

/** The places of an `if` with both branches. */
interface Branches {
  readonly otherwise: number;
  readonly end: number;
}

/** A body with its settings and readings of such conditions replaced. */
export function threadConditions(body: readonly StackInstruction[]): readonly ThreadedInstruction[] {
  const reads = new Map<number, number>();
  for (const { name, value } of body) {
    if (name === 'local.get') reads.set(value, (reads.get(value) ?? 0) + 1);
  }
  const replaced = new Map<number, ThreadedInstruction | undefined>();
  for (const { otherwise, end } of branchesOf(body)) {
    const [one, other, read] = [body[otherwise - 1]!, body[end - 1]!, body[end + 1]];
    if (one.name !== 'local.set' || other.name !== 'local.set' || one.value !== other.value) continue;
    if (read?.name !== 'local.get' || read.value !== one.value || reads.get(one.value) !== 1) continue;
    let next = end + 2;
    while (body[next]?.name === 'i32.eqz') next += 1;
    const consumer = body[next]!;
    if (consumer.name !== 'if' && consumer.name !== 'br_if') continue;
    // What is itself replaced already is a condition of another one's.
    if ([otherwise - 1, end - 1].some((at) => replaced.has(at))) continue;
    const branching: Branching = {
      isNegated: (next - end) % 2 === 1,
      leaves: consumer.name === 'br_if' ? consumer.value : undefined,
      otherwise: undefined,
    };
    for (const at of [otherwise - 1, end - 1]) replaced.set(at, { ...body[at]!, branching });
    for (let at = end + 1; at < next; at += 1) replaced.set(at, undefined);
    replaced.set(next, consumer.name === 'if' ? { ...consumer, branching } : undefined);
  }
  if (replaced.size === 0) return body;
  return body.flatMap((instruction, at) => {
    if (!replaced.has(at)) return [instruction];
    const other = replaced.get(at);
    return other ? [other] : [];
  });
}

/** All `if`s without results that have both branches, inner ones first. */
function branchesOf(body: readonly StackInstruction[]): Branches[] {
  const found: Branches[] = [];
  const open: { readonly isPlainIf: boolean; otherwise: number | undefined }[] = [];
  body.forEach(({ name, result }, at) => {
    if (name === 'block' || name === 'loop' || name === 'if') {
      open.push({ isPlainIf: name === 'if' && result === undefined, otherwise: undefined });
    } else if (name === 'else') open.at(-1)!.otherwise = at;
    else if (name === 'end') {
      const block = open.pop();
      if (block?.isPlainIf && block.otherwise !== undefined)
        found.push({ otherwise: block.otherwise, end: at });
    }
  });
  return found;
}
