/**
 * The verifier, for those who ask that modules be checked after every pass: tests. They bring it along, so that pages do not load it with
 * the passes.
 */
import type * as ir from '../ir/ir.ts';

type Verifier = (module: ir.Module, stage: string) => void;

let verifier: Verifier | undefined;

/** Has it there for `PassManagerOptions.verify`: `assertValid` of ir/verify.ts. */
export function provideVerifier(provided: Verifier): void {
  verifier = provided;
}

/** @throws Error if the module breaks a rule after a pass, and if nobody has provided the verifier */
export function verifyAfter(module: ir.Module, passName: string): void {
  if (verifier === undefined)
    throw new Error('provideVerifier must be called before modules can be verified');
  verifier(module, passName);
}
