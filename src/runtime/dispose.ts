/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The names of the methods that `using` and `await using` call at the end of a block. Engines that have no such declarations may
 * lack the names, too; compilers and polyfills that bring the declarations there bring `Symbol.dispose`, if they come first.
 */
export const dispose: typeof Symbol.dispose = Symbol.dispose ?? (Symbol('dispose') as never);

export const asyncDispose: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol('asyncDispose') as never);
