/**
 * Whoever watches what programs call: the functions and methods of the host APIs (src/tools/profile/call-tracer.ts). While nobody watches a
 * function costs a look at a variable more, a method nothing: methods are exchanged when somebody begins.
 */

/** Classes whose methods programs call. */
export interface WatchedClass {
  /** As logs name the API: `OpenCL`, `WebCL`. */
  readonly api: string;
  readonly kind: AnyClass;
  /** Which of its methods, and of those it inherits, are the API's. */
  readonly methods: RegExp;
}

// Constructors and methods of all kinds: what they take is only handed on.
export type AnyClass = abstract new (...args: never[]) => object;

export interface CallTracer {
  /** Calls the function that a program has called. */
  call<T>(api: string, name: string, args: readonly unknown[], call: () => T): T;
  /** Another class of which there is an object. */
  watch(watched: WatchedClass): void;
  /** What is called in it is called by the program, or not. */
  within<T>(isProgram: boolean, call: () => T): T;
}

let tracer: CallTracer | undefined;
const classes = new Map<unknown, WatchedClass>();

/** A function of an API at work. */
export function calledByProgram<T>(api: string, name: string, args: readonly unknown[], call: () => T): T {
  return tracer ? tracer.call(api, name, args, call) : call();
}

/** A function of the program at work, a callback: what it calls are calls of the program again. */
export function backInProgram<T>(call: () => T): T {
  return tracer ? tracer.within(true, call) : call();
}

/** What runs a program at work: what that calls are no calls of the program. */
export function besideProgram<T>(call: () => T): T {
  return tracer ? tracer.within(false, call) : call();
}

/** To be called by constructors, with `new.target`. */
export function watchClass(api: string, kind: AnyClass, methods: RegExp): void {
  if (classes.has(kind)) return;
  const watched = { api, kind, methods };
  classes.set(kind, watched);
  tracer?.watch(watched);
}

/** Who watches from now on; the classes that there are objects of already are given back. */
export function setCallTracer(next: CallTracer | undefined): WatchedClass[] {
  tracer = next;
  return [...classes.values()];
}

/** Whether somebody watches. */
export function callsAreWatched(): boolean {
  return tracer !== undefined;
}
