/**
 * Tells listeners of the calls that a program makes. Methods of classes are exchanged for ones that tell, as long as somebody listens;
 * what an API's function calls inside is its own affair, and not told.
 */
import { now, threadNumber } from '../../runtime/host.ts';
import { type CallTracer, setCallTracer, type WatchedClass } from '../../runtime/observe-calls.ts';
import { OpenCLError, statusName } from '../../runtime/status.ts';
import type { ApiCall, BegunCall, CallListener } from './api-call.ts';
import { className, objectText, valueText } from './call-values.ts';

/** What became of a call. */
export type Outcome = Pick<ApiCall, 'result' | 'code' | 'message'>;

type Method = (this: object, ...args: unknown[]) => unknown;

let listeners: readonly CallListener[] = [];
let count = 0;
/** Whether the program is inside of a call. */
let isInside = false;
/** Ways back to the methods as they were. */
const restores: (() => void)[] = [];
const exchanged = new WeakSet<object>();

/** Tells a listener of all calls of this thread; the result ends that. */
export function listenToCalls(listener: CallListener): () => void {
  listeners = [...listeners, listener];
  if (listeners.length === 1) for (const watched of setCallTracer(tracer)) watch(watched);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    listeners = listeners.filter((each) => each !== listener);
    if (listeners.length > 0) return;
    setCallTracer(undefined);
    for (const restore of restores.splice(0)) restore();
  };
}

/**
 * A call by the program, told to those who listen. A program's own imports (C) use this; `outcome` says what the result means.
 */
export function traced<T>(
  what: Pick<BegunCall, 'api' | 'name' | 'object'>,
  args: () => readonly string[],
  call: () => T,
  outcome: (result: T) => Outcome,
): T {
  const begun = begin(what, args());
  const before = isInside;
  isInside = true;
  let result: T;
  try {
    result = call();
  } catch (error) {
    const ended = now();
    isInside = before;
    tell(begun, ended, thrown(error));
    throw error;
  }
  const ended = now();
  isInside = before;
  if (!(result instanceof Promise)) {
    tell(begun, ended, outcome(result));
    return result;
  }
  const kept = result.then(
    (value) => {
      tell(begun, now(), outcome(value));
      return value;
    },
    (error: unknown) => {
      tell(begun, now(), thrown(error));
      throw error;
    },
  );
  return kept as T;
}

const tracer: CallTracer = {
  call(api, name, args, call) {
    if (isInside) return call();
    const what = { api, name, object: '' };
    return traced(what, () => args.map((arg) => valueText(arg)), call, outcomeFor(api));
  },
  watch,
  within(isProgram, call) {
    const before = isInside;
    isInside = !isProgram;
    try {
      return call();
    } finally {
      isInside = before;
    }
  },
};

function begin(what: Pick<BegunCall, 'api' | 'name' | 'object'>, args: readonly string[]): BegunCall {
  count += 1;
  const begun = { index: count, thread: threadNumber(), ...what, args, started: now() };
  // Listeners may stop here for as long as they like: the call begins behind them.
  for (const listener of listeners) listener.begun?.(begun);
  return { ...begun, started: now() };
}

function tell(begun: BegunCall, ended: number, outcome: Outcome): void {
  const call = { ...begun, ended, ...outcome };
  for (const listener of listeners) listener.ended?.(call);
}

function thrown(error: unknown): Outcome {
  if (error instanceof OpenCLError) return { result: error.name, code: error.code, message: error.message };
  if (!(error instanceof Error)) return { result: valueText(error), code: undefined };
  // WebCL's exceptions have OpenCL's numbers.
  const code = 'code' in error && typeof error.code === 'number' ? error.code : undefined;
  return { result: error.name, code: code === 0 ? undefined : code, message: error.message };
}

function outcomeFor(api: string): (result: unknown) => Outcome {
  if (api === 'CAL') return calOutcome;
  return (result) => ({ result: result === undefined ? '' : valueText(result), code: 0 });
}

/** CALresult by number; PENDING is an answer and WARNING a success. */
const calResults = [
  'CAL_RESULT_OK',
  'CAL_RESULT_ERROR',
  'CAL_RESULT_INVALID_PARAMETER',
  'CAL_RESULT_NOT_SUPPORTED',
  'CAL_RESULT_ALREADY',
  'CAL_RESULT_NOT_INITIALIZED',
  'CAL_RESULT_BAD_HANDLE',
  'CAL_RESULT_BAD_NAME_TYPE',
  'CAL_RESULT_PENDING',
  'CAL_RESULT_BUSY',
  'CAL_RESULT_WARNING',
];

/** What a function of CAL has given: its result, alone or before what it was asked for. */
export function calOutcome(result: unknown): Outcome {
  const [first, ...given] = Array.isArray(result) ? (result as unknown[]) : [result];
  if (typeof first !== 'number') return { result: first === undefined ? '' : valueText(first), code: 0 };
  const name = calResults[first] ?? `CALresult ${first}`;
  const isFine = name === 'CAL_RESULT_PENDING' || name === 'CAL_RESULT_WARNING';
  const values = given.map((value) => `, ${valueText(value)}`).join('');
  return { result: `${name}${values}`, code: isFine ? 0 : first };
}

/** What a function of OpenCL has given that gives a code. */
export function statusOutcome(code: number): Outcome {
  return { result: statusName(code), code };
}

function watch({ api, kind, methods }: WatchedClass): void {
  for (
    let prototype: object | null = kind.prototype as object;
    prototype && prototype !== Object.prototype;
    prototype = Object.getPrototypeOf(prototype) as object | null
  ) {
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (name === 'constructor' || !methods.test(name)) continue;
      if (typeof descriptor.value !== 'function' || exchanged.has(descriptor.value as object)) continue;
      const place = prototype;
      Object.defineProperty(place, name, {
        ...descriptor,
        value: telling(api, name, descriptor.value as Method),
      });
      restores.push(() => Object.defineProperty(place, name, descriptor));
    }
  }
}

function telling(api: string, name: string, method: Method): Method {
  const outcome = outcomeFor(api);
  const teller: Method = function (...args) {
    if (isInside) return method.apply(this, args);
    const what = { api, name: `${className(this.constructor)}.${name}`, object: objectText(this) };
    return traced(
      what,
      () => args.map((arg) => valueText(arg)),
      () => method.apply(this, args),
      outcome,
    );
  };
  exchanged.add(teller);
  return teller;
}
