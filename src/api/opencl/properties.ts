/** Lists of properties, as the functions clCreate...WithProperties take them: names and values by turns, and a 0. */
import { OpenCLError, type StatusName } from '../../runtime/status.ts';
import { shown } from '../../source/shown.ts';
import { shownBits } from './handle.ts';

/** `[CL.QUEUE_PROPERTIES, CL.QUEUE_PROFILING_ENABLE, 0]`; null is a list without any. */
export type PropertyList = readonly (number | boolean)[] | null | undefined;

/**
 * The values by their names.
 * @param known the names that there are
 * @param error for other names, names that stand twice, and a list that does not end
 */
export function readPropertyList(
  list: PropertyList,
  known: readonly number[],
  what: string,
  error: StatusName = 'CL_INVALID_VALUE',
): ReadonlyMap<number, number> {
  const fail = (why: string): never => {
    throw new OpenCLError(error, `the properties of ${what}: ${why}`);
  };
  const found = new Map<number, number>();
  if (list === null || list === undefined) return found;
  if (!Array.isArray(list)) fail(`${shown(list)} is no list`);
  for (let at = 0; ; at += 2) {
    const name = numberOf(list[at]);
    if (at >= list.length) fail('the list does not end with 0');
    if (name === 0) return found;
    if (!known.includes(name)) fail(`${shownBits(list[at])} is none`);
    if (found.has(name)) fail(`${shownBits(name)} stands twice`);
    found.set(name, numberOf(list[at + 1]));
  }
}

/** NaN for what is none; a program in JavaScript may give anything. */
function numberOf(value: unknown): number {
  return typeof value === 'number' || typeof value === 'boolean' ? Number(value) : Number.NaN;
}

/** What a query gives: the list as it was given, with its 0; nothing where none was. */
export function keptProperties(list: PropertyList): readonly number[] {
  return list ? list.slice(0, endOf(list) + 1).map(Number) : [];
}

function endOf(list: readonly (number | boolean)[]): number {
  let at = 0;
  while (at < list.length && Number(list[at]) !== 0) at += 2;
  return at;
}
