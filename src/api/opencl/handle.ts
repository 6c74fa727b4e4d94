/** What all API objects share: a reference count, and the error for using a released one. */
import { dispose } from '../../runtime/dispose.ts';
import { type AnyClass, watchClass } from '../../runtime/observe-calls.ts';
import { OpenCLError, type StatusName } from '../../runtime/status.ts';
import { shown } from '../../source/shown.ts';

/** Methods that stand for functions of OpenCL, by their names: all others are between the classes. */
const methods =
  /^(?:build|clone|compile|create|enqueue|finish|finished|flush|get|link|release|releaseAll|retain|set|svm|unload)(?![a-z])/;

/** To be called by constructors of classes of OpenCL, with `new.target`. */
export function watchOpenCL(kind: AnyClass): void {
  watchClass('OpenCL', kind, methods);
}

export abstract class Handle {
  #references = 1;
  constructor() {
    watchOpenCL(new.target);
  }

  /** The error for a released object of this kind, and how messages call the kind. */
  protected abstract readonly kind: { readonly error: StatusName; readonly noun: string };

  /** Whether its context has ended with everything in it (CLContext.releaseAll). */
  protected get isOver(): boolean {
    return false;
  }

  /**
   * Whether other objects still need it, which OpenCL does not delete before them: a context what was made in it (1.2, 4.4.1), a
   * program its kernels (5.6.1). Who asks those for it may use it though its own references are gone.
   */
  get isKept(): boolean {
    return false;
  }

  /** CL_*_REFERENCE_COUNT. */
  get references(): number {
    return this.#references;
  }

  /** clRetain*: one more {@link release} is needed. */
  retain(): void {
    this.check();
    this.#references += 1;
    if (this.#references === 1) this.revive();
  }

  /** clRelease*: gives the object up; the last reference ends it. Commands under way are not affected. */
  release(): void {
    this.#checkCount(this.kind.error, false);
    this.#references -= 1;
    if (this.#references === 0) this.destroy();
  }

  /** For `using`: as {@link release}, but for an object that has been released already. */
  [dispose](): void {
    if (this.#references > 0) this.release();
  }

  /** @throws OpenCLError, with the code of the object's kind or another, if the object has been released */
  check(error: StatusName = this.kind.error): void {
    this.#checkCount(error, this.#references === 0 && this.isKept);
    if (this.isOver) throw new OpenCLError(error, `the ${this.kind.noun} has ended with its context`);
  }

  #checkCount(error: StatusName, isKept: boolean): void {
    if (this.#references === 0 && !isKept) {
      throw new OpenCLError(error, `the ${this.kind.noun} has been released`);
    }
  }

  protected abstract destroy(): void;

  /** A kept object has references again: what {@link destroy} did is to be undone. */
  protected revive(): void {}
}

/** @throws OpenCLError with the given code if `value` is not a live object of the class */
export function checkHandle<T extends Handle>(
  value: unknown,
  kind: abstract new (...args: never[]) => T,
  error: StatusName,
): asserts value is T {
  if (!(value instanceof kind)) {
    // The bundler puts an underscore before the names of some classes.
    throw new OpenCLError(error, `${shown(value)} is not a ${kind.name.replace(/^_/, '')}`);
  }
  value.check(error);
}

/** The error of a query for something that is not there. */
export function invalidQuery(name: number): never {
  throw new OpenCLError('CL_INVALID_VALUE', `${shownBits(name)} is nothing this object can be asked for`);
}

/** Whether a value is a set of flags that are all known. `&` sees 32 bits alone, and programs in C give 64. */
export function isBitsOf(value: unknown, known: number): value is number {
  return (
    Number.isInteger(value) &&
    (value as number) >= 0 &&
    (value as number) <= 0xffffffff &&
    ((value as number) & ~known) === 0
  );
}

/** Any value for a message; a number as flags and names are written. */
export function shownBits(value: unknown): string {
  return typeof value === 'number' && Number.isInteger(value) ? `0x${value.toString(16)}` : shown(value);
}
