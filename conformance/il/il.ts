/**
 * Public programs in AMD IL: every .il file under a folder must become a module that the device could run, and those that there
 * is a reference for (references.ts) run, on the interpreter and as WebAssembly.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { compileIl } from '../../src/build/compile-il.ts';
import { type Bindings, kernelName, type LoweredProgram } from '../../src/il/lower/interface.ts';
import { verifyModule } from '../../src/ir/verify.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { wasm } from '../../src/target/wasm.ts';
import { argumentsOf, bindingsOf, rangeOf } from '../../test/support/launch-il.ts';
import { runOnInterpreter, wasmRunner } from '../../test/support/run-kernel.ts';
import type { Outcome } from '../support/outcome.ts';
import { type Launch, references } from './references.ts';

/** Checks every program of a folder. */
export function runIlPrograms(folder: string): Outcome[] {
  return filesOf(folder).flatMap((path) => {
    const name = relative(folder, path);
    const text = readFileSync(path, 'latin1');
    return [outcomeOf(name, () => compiles(text)), ...runs(name, text)];
  });
}

function filesOf(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return filesOf(path);
      return name.endsWith('.il') ? [path] : [];
    });
}

function outcomeOf(name: string, check: () => string | undefined): Outcome {
  let reason: string | undefined;
  try {
    reason = check();
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error);
  }
  return reason === undefined ? { name, status: 'passed' } : { name, status: 'failed', reason };
}

function compiles(text: string): string | undefined {
  const { module } = compiled(text, {});
  optimise(module, { target: wasm });
  return verifyModule(module, 1)[0];
}

function runs(name: string, text: string): Outcome[] {
  return references
    .filter(({ file }) => file.test(name))
    .flatMap(({ check }) => [
      outcomeOf(`${name} on the interpreter`, () => check(onInterpreter(text))),
      outcomeOf(`${name} as WebAssembly`, () => check(asWasm(text))),
    ]);
}

const onInterpreter =
  (text: string): Launch =>
  (run) => {
    const program = compiled(text, bindingsOf(run));
    runOnInterpreter(program.module, kernelName, rangeOf(program, run), argumentsOf(program, run));
  };

const asWasm =
  (text: string): Launch =>
  (run) => {
    const program = compiled(text, bindingsOf(run));
    wasmRunner(program.module, { lanes: 4 })(kernelName, rangeOf(program, run), argumentsOf(program, run));
  };

function compiled(text: string, bindings: Bindings): LoweredProgram {
  const { program, log } = compileIl(text, { name: 'program.il', bindings });
  if (!program) throw new Error(log);
  return program;
}
