/** What WebCL's objects share: each stands before one object of the OpenCL API, and finds it, and is found by it. */
import { dispose } from '../../runtime/dispose.ts';
import { type AnyClass, watchClass } from '../../runtime/observe-calls.ts';
import { CL } from '../opencl/constants.ts';
import type { Handle } from '../opencl/handle.ts';
import { attempt, WebCLException } from './exception.ts';

const inners = new WeakMap<object, object>();
const outers = new WeakMap<object, object>();

/** Methods of WebCL: all others are between the classes. */
const methods =
  /^(?:build|create|enable|enqueue|finish|flush|get|release|releaseAll|set|waitForEvents)(?![a-z])/;

/** To be called by constructors, with `new.target`. */
export function watchWebCL(kind: AnyClass): void {
  watchClass('WebCL', kind, methods);
}

export abstract class WebCLObject<Inner extends Handle> {
  /** Objects come from the methods that are named for them. */
  constructor(inner: Inner) {
    watchWebCL(new.target);
    pair(this, inner);
  }

  /** Gives the object up; it cannot be used again. Commands under way are not affected. */
  release(): void {
    attempt(() => innerOf<Inner>(this).release());
  }

  /** For `using`: as {@link release}, but for an object that has been released already. */
  [dispose](): void {
    if (innerOf<Inner>(this).references > 0) this.release();
  }
}

/** Makes two objects find each other. */
export function pair(outer: object, inner: object): void {
  inners.set(outer, inner);
  outers.set(inner, outer);
}

/** The OpenCL object behind one of WebCL's. */
export function innerOf<Inner extends object>(outer: object): Inner {
  return inners.get(outer) as Inner;
}

/** WebCL's object before one of OpenCL's; `make` makes the first. */
export function outerOf<Inner extends object, Outer extends object>(
  inner: Inner,
  make: (inner: Inner) => Outer,
): Outer {
  return (outers.get(inner) as Outer | undefined) ?? make(inner);
}

/** A parameter for the OpenCL API, which refuses with the right error what is no object of ours. */
export function given<Inner extends Handle>(value: WebCLObject<Inner> | null | undefined): Inner {
  const isObject = typeof value === 'object' && value !== null;
  return ((isObject ? inners.get(value) : undefined) ?? value) as Inner;
}

/** What WebCL calls back. */
export type WebCLCallback<T> = ((object: T) => void) | null | undefined;

/** @throws TypeError if something was given that cannot be called */
export function checkCallback(callback: unknown): void {
  if (callback === undefined || callback === null || typeof callback === 'function') return;
  throw new TypeError('the callback is no function');
}

/** @throws WebCLException INVALID_VALUE if a query is none of WebCL's */
export function checkName(name: number, allowed: readonly number[]): void {
  if (allowed.includes(name)) return;
  const shown = typeof name === 'number' ? `0x${name.toString(16)}` : typeof name;
  throw new WebCLException('INVALID_VALUE', `${shown} cannot be asked for`, CL.INVALID_VALUE);
}
