/**
 * Reads what write.ts has written, from wherever the bytes come: the verifier judges what was decoded, so that a module that comes out
 * is as good as one of a front end. Pages that compile sources only do not load this; the library's parts need no more than
 * module-reader.ts.
 */
import type * as ir from '../ir.ts';
import { verifyModule } from '../verify.ts';
import { BinaryError } from './bytes.ts';
import { kernelProblem } from './kernel-rules.ts';
import { ModuleReader } from './module-reader.ts';

/**
 * The module in the bytes, valid by every rule of the IR.
 * @throws BinaryError if there is none
 */
export function readModule(bytes: Uint8Array): ir.Module {
  const module = new ModuleReader(bytes).read();
  const [problem] = verifyModule(module, 1);
  if (problem !== undefined) throw new BinaryError(problem);
  for (const fn of module.functions) {
    const wrong = fn.kind === 'kernel' ? kernelProblem(fn) : undefined;
    if (wrong !== undefined) throw new BinaryError(`kernel '${fn.name}': ${wrong}`);
  }
  return module;
}
