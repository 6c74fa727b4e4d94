/**
 * Code and data that are loaded when they are first needed: a page that compiles a kernel is not to wait for what other kernels
 * need. Who can await has a part loaded; who cannot (a build that blocks) has it provided from the start, by the import of a
 * module that needs it anyway.
 */

/** Something that is loaded apart. */
export class Part<T> {
  /** As messages call it. */
  readonly name: string;
  readonly #import: () => Promise<T>;
  #value: T | undefined;

  /** `load` imports it; it is called again if it failed. */
  constructor(name: string, load: () => Promise<T>) {
    this.name = name;
    this.#import = load;
  }

  /** @throws PartMissing if it has been neither loaded nor provided */
  get(): T {
    if (this.#value === undefined) throw new PartMissing(this);
    return this.#value;
  }

  /** Whether it has been loaded or provided. */
  get isThere(): boolean {
    return this.#value !== undefined;
  }

  provide(value: T): void {
    this.#value = value;
  }

  /** @throws PartError if it cannot be loaded */
  async load(): Promise<void> {
    if (this.#value !== undefined) return;
    try {
      this.#value = await this.#import();
    } catch (error) {
      throw new PartError(this.name, error);
    }
  }
}

/** Something needs a part that is not there: to be loaded before it is done again. See {@link withParts}. */
export class PartMissing extends Error {
  readonly part: Part<unknown>;

  constructor(part: Part<unknown>) {
    super(`${part.name} has not been loaded`);
    this.part = part;
  }
}

/** A file of Millrace's cannot be loaded. */
export class PartError extends Error {
  constructor(name: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`${name} cannot be loaded: ${why}`, { cause });
    this.name = 'PartError';
  }
}

/** Does a task, and does it anew after each part that it turned out to need has been loaded. */
export async function withParts<R>(task: () => R): Promise<R> {
  for (;;) {
    try {
      return task();
    } catch (error) {
      if (!(error instanceof PartMissing)) throw error;
      await error.part.load();
    }
  }
}
