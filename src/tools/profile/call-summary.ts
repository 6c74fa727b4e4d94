/** Calls of host APIs by functions: how often, how long, with which errors. */
import { statusName } from '../../runtime/status.ts';
import { type ApiCall, hasFailed } from './api-call.ts';

export interface CallRow {
  readonly api: string;
  readonly name: string;
  readonly count: number;
  /** Nanoseconds; of functions that give promises until those were kept. */
  readonly total: number;
  readonly min: number;
  readonly max: number;
  /** The errors, by name, in the order in which they came first. */
  readonly failures: readonly { readonly name: string; readonly times: number }[];
}

/** A row a function, the longest total first. */
export function callRows(calls: readonly ApiCall[]): CallRow[] {
  const byName = new Map<string, ApiCall[]>();
  for (const call of calls) {
    const key = `${call.api} ${call.name}`;
    const its = byName.get(key);
    if (its) its.push(call);
    else byName.set(key, [call]);
  }
  return [...byName.values()].map(rowOf).sort((a, b) => b.total - a.total);
}

/** Functions that give objects have the code behind them. */
function errorName({ api, code, result }: ApiCall): string {
  return api === 'OpenCL' && code !== undefined ? statusName(code) : result;
}

function rowOf(calls: readonly ApiCall[]): CallRow {
  const { api, name } = calls[0]!;
  let [total, min, max] = [0, Number.POSITIVE_INFINITY, 0];
  const failures = new Map<string, number>();
  for (const call of calls) {
    const took = call.ended - call.started;
    total += took;
    min = Math.min(min, took);
    max = Math.max(max, took);
    if (hasFailed(call)) failures.set(errorName(call), (failures.get(errorName(call)) ?? 0) + 1);
  }
  return {
    api,
    name,
    count: calls.length,
    total,
    min,
    max,
    failures: [...failures].map(([error, times]) => ({ name: error, times })),
  };
}
