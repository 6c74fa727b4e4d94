/** Linking of OpenCL C programs (OpenCL 1.2, 5.6.3): units joined, and the library supplied to what is then whole. */
import type * as ir from '../ir/ir.ts';
import { keepReachable, linkModules, reportMissing } from '../ir/link.ts';
import { Diagnostics } from '../source/diagnostics.ts';
import { renderDiagnostics } from '../source/render.ts';
import { linkLibrary } from './link-library.ts';

export interface LinkResult {
  /** Undefined if there were errors. */
  readonly module: ir.Module | undefined;
  readonly diagnostics: Diagnostics;
  /** The diagnostics as text. */
  readonly log: string;
}

/** Joins compiled units (of one address width) to an executable program or, with `isLibrary`, to one larger unit. */
export function linkOpenCL(units: readonly ir.Module[], isLibrary: boolean): LinkResult {
  const diagnostics = new Diagnostics();
  const joined = linkModules(units, diagnostics);
  if (!isLibrary && diagnostics.errorCount === 0) supply(joined, diagnostics);
  const module = diagnostics.errorCount > 0 ? undefined : joined;
  return { module, diagnostics, log: renderDiagnostics(diagnostics.list) };
}

/** Makes a program of a module that stands alone. What it lacks is an error. */
export function finishProgram(module: ir.Module, diagnostics: Diagnostics): ir.Module {
  // A variable may be declared in one place and defined in another.
  const whole = module.globals.some((global) => global.isDeclared)
    ? linkModules([module], diagnostics)
    : module;
  if (diagnostics.errorCount === 0) supply(whole, diagnostics);
  return whole;
}

function supply(module: ir.Module, diagnostics: Diagnostics): void {
  keepReachable(module);
  linkLibrary(module, diagnostics);
  reportMissing(module, diagnostics);
}
