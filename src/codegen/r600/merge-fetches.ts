/**
 * Fetches of neighbouring words become one: four words come in the time of one (guide, 1.3.3.4). They must take the same address,
 * and nothing in between may write it, or memory that it leads to.
 */
import { type Fetch, type Item, type Operation, type Register, registersWritten } from './operations.ts';

export function mergeFetches(items: readonly Item[]): void {
  for (const item of items) if (item.kind === 'block') item.operations = merged(item.operations);
}

const wordBytes = 4;
const mostBytes = 16;

function merged(operations: readonly Operation[]): Operation[] {
  const absorbed = new Map<Fetch, readonly Fetch[]>();
  const gone = new Set<Operation>();
  let open: Fetch[] = [];
  const close = (): void => {
    for (const run of runsOf(open)) {
      // The first in the program takes the others along.
      const first = open.find((fetch) => run.includes(fetch))!;
      absorbed.set(first, run);
      for (const fetch of run) if (fetch !== first) gone.add(fetch);
    }
    open = [];
  };
  for (const operation of operations) {
    if (operation.kind === 'write' || (operation.kind === 'alu' && operation.targets.length === 0)) close();
    const written = registersWritten(operation);
    if (open.some(({ address }) => written.includes(address[0]!))) close();
    if (operation.kind === 'fetch' && isWords(operation)) open.push(operation);
  }
  close();
  return operations
    .filter((operation) => !gone.has(operation))
    .map((operation) => {
      const run = operation.kind === 'fetch' ? absorbed.get(operation) : undefined;
      return run ? together(run) : operation;
    });
}

/** Whether a fetch brings whole words that nothing else holds together. */
function isWords({ name, format, targets, bytes }: Fetch): boolean {
  const isWhole = name === 'VFETCH' && format?.startsWith('32_') === true && bytes < mostBytes;
  const isFree = (target: Register | undefined): boolean =>
    target !== undefined && target.group.fixed === undefined && target.group.members.size === targets.length;
  return isWhole && targets.every(isFree);
}

/** The fetches of which each begins where the one before ends, in runs of two and more. */
function runsOf(fetches: readonly Fetch[]): readonly (readonly Fetch[])[] {
  const runs: Fetch[][] = [];
  const sorted = [...fetches].sort((a, b) => a.offset - b.offset);
  for (const fetch of sorted) {
    const run = runs.find((one) => {
      const last = one.at(-1)!;
      const isNext =
        last.address[0] === fetch.address[0] &&
        last.resource === fetch.resource &&
        last.offset + last.bytes === fetch.offset;
      return isNext && fetch.offset + fetch.bytes - one[0]!.offset <= mostBytes;
    });
    if (run) run.push(fetch);
    else runs.push([fetch]);
  }
  return runs.filter(({ length }) => length > 1);
}

function together(run: readonly Fetch[]): Fetch {
  const [first] = run as [Fetch];
  const targets = run.flatMap((fetch) => fetch.targets);
  const group = { members: new Set(targets.filter((target) => target !== undefined)) };
  for (const target of group.members) target.group = group;
  const kind = first.format!.split('_').at(-1)!;
  const bytes = targets.length * wordBytes;
  return {
    ...first,
    targets,
    bytes,
    format: `${Array(targets.length).fill('32').join('_')}_${kind}`,
    isConstant: run.every(({ isConstant }) => isConstant),
  };
}
