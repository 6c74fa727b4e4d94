/**
 * What debuggers need beside a module: the record of its lowering, and the front end as it was at the end of the text, so that
 * expressions can be read as if they stood in the program. It is kept for those programs only that are compiled after
 * {@link keepDebugInfo}.
 */

import type { VariableDeclaration } from '../c/ast.ts';
import type { Checker } from '../c/check/checker.ts';
import type { DebugRecord } from '../c/lower/debug-record.ts';
import type { Macro } from '../c/macro.ts';
import type * as ir from '../ir/ir.ts';
import type { SourceFile } from '../source/source-file.ts';

export interface DebugInfo {
  readonly file: SourceFile;
  readonly record: DebugRecord;
  /** Variables of program scope, and others that live as long. */
  readonly globals: ReadonlyMap<VariableDeclaration, ir.GlobalVariable>;
  /** At program scope, behind the last declaration. */
  readonly checker: Checker;
  /** As they are defined at the end. */
  readonly macros: ReadonlyMap<string, Macro>;
}

const known = new WeakMap<ir.Module, DebugInfo>();
let isKept = false;

/** From now on, for the whole process. */
export function keepDebugInfo(): void {
  isKept = true;
}

export function keepsDebugInfo(): boolean {
  return isKept;
}

export function setDebugInfo(module: ir.Module, info: DebugInfo): void {
  known.set(module, info);
}

/** Undefined for modules that do not come from one source in OpenCL C, or that came before. */
export function debugInfoOf(module: ir.Module): DebugInfo | undefined {
  return known.get(module);
}
