/**
 * Checks that what instructions use is declared: literals, constant buffers, indexed temporaries and images, and constant
 * indices inside of arrays. Public programs read constant buffers beyond the size that they declare, so this is a warning.
 * Inputs and outputs are not checked, since programs use them undeclared.
 */
import { counted } from '../source/counted.ts';
import type { Diagnostics } from '../source/diagnostics.ts';
import type { Span } from '../source/span.ts';
import {
  constantIndex,
  type Declarations,
  type DeclaredArray,
  declarationsOf,
  registerOperands,
  valuesOf,
} from './declarations.ts';
import type { Program, Register } from './tree.ts';

export function checkUses(program: Program, diagnostics: Diagnostics): void {
  const declarations = declarationsOf(program);
  for (const item of program.items) {
    if (item.kind !== 'instruction' || item.opcode.family === 'declaration') continue;
    for (const { register, span } of registerOperands(item.operands)) {
      checkRegister(register, span, declarations, diagnostics);
    }
    const resource = item.opcode.family === 'texture' ? valuesOf(item, 'resource')[0] : undefined;
    if (resource !== undefined && !declarations.resources.has(Number(resource))) {
      const { span } = item.modifiers.find(({ name }) => name === 'resource')!;
      diagnostics.error(span, `there is no dcl_resource_id(${resource})`);
    }
  }
}

function checkRegister(
  register: Register,
  span: Span,
  declarations: Declarations,
  diagnostics: Diagnostics,
): void {
  const { kind, number } = register;
  if (kind === 'icb') {
    checkArray(register, span, declarations.tables, 'dcl_cb', diagnostics);
    return;
  }
  // `cb[0]` without a number names no buffer that a declaration could be looked for
  if (number === undefined) return;
  if (kind === 'l') {
    if (!declarations.literals.has(number)) diagnostics.error(span, `there is no dcl_literal l${number}`);
  } else if (kind === 'cb') {
    checkArray(register, span, declarations.constantBuffers, 'dcl_cb', diagnostics);
  } else if (kind === 'x') {
    checkArray(register, span, declarations.temporaryArrays, 'dcl_indexed_temp_array', diagnostics);
  }
}

function checkArray(
  register: Register,
  span: Span,
  arrays: ReadonlyMap<number, DeclaredArray>,
  declaration: string,
  diagnostics: Diagnostics,
): void {
  const name = `${register.kind}${register.number ?? ''}`;
  const array = arrays.get(register.number ?? 0);
  if (array === undefined) {
    diagnostics.error(span, `there is no ${declaration} ${name}`);
    return;
  }
  const index = constantIndex(register);
  if (index === undefined || index < array.size) return;
  const notes = [{ message: `it is declared with ${counted(array.size, 'element')}`, span: array.span }];
  const message = `${name} has no element ${index}`;
  if (register.kind === 'cb') diagnostics.warning(span, 'constant-buffer-size', message, notes);
  else diagnostics.error(span, message, notes);
}
