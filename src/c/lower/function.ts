/** Lowers the body of one function: parameters into variables, statements, and what happens at the end. */

import type * as ir from '../../ir/ir.ts';
import { isTerminator } from '../../ir/ir.ts';
import type { Span } from '../../source/span.ts';
import type { CompoundStatement, FunctionDeclaration } from '../ast.ts';
import { FunctionLowering } from './function-lowering.ts';
import { type ModuleLowering, resultType } from './module-lowering.ts';
import { jumpsIntoStatements, openStatement } from './open-statements.ts';
import { lowerStatement } from './statement.ts';
import { lowerStatementList } from './statement-list.ts';

/** Fills in `target.body` from the body of `declaration`. */
export function lowerFunctionBody(
  module: ModuleLowering,
  declaration: FunctionDeclaration,
  target: ir.Function,
): void {
  const fn = new FunctionLowering(module, declaration, target);
  const { builder } = fn;
  const body = builder.region;
  const hidden = resultType(declaration).type.kind === 'record' ? 1 : 0;
  if (hidden === 1) fn.resultPointer = target.parameters[0]!.value;
  fn.variableArguments = target.parameters[declaration.parameters.length + hidden]?.value;
  declaration.parameters.forEach((variable, index) => {
    fn.show(variable);
    const { value, aggregate } = target.parameters[index + hidden]!;
    if (value.type.kind === 'opaque') {
      fn.bindHandle(variable, value);
      return;
    }
    const address = fn.addressOf(variable);
    if (aggregate) {
      builder.copy(address, value, builder.integer(builder.addressType, aggregate.size), aggregate.align);
    } else {
      builder.store(address, value, variable.align);
    }
  });
  if (declaration.body) lowerBody(fn, declaration.body);
  if (!fn.isDead) {
    const { result } = target;
    const isMain = module.options.isHosted && declaration.name === 'main';
    // C leaves the value open where a function ends without a return, but for main (C99, 5.1.2.2.3).
    const open = result && (isMain ? builder.integer(result, 0) : builder.undefined(result));
    fn.marked(endOf(declaration), () => builder.return(open));
  }
  const last = body.instructions.at(-1);
  if (!last || !isTerminator(last)) throw new Error(`'${declaration.name}' has no end`);
  target.body = { parameters: [], instructions: [...fn.reserved, ...body.instructions] };
}

/** The brace that closes the body. */
function endOf({ body, span }: FunctionDeclaration): Span {
  return body ? { ...body.span, start: Math.max(body.span.start, body.span.end - 1) } : span;
}

function lowerBody(fn: FunctionLowering, body: CompoundStatement): void {
  if (!jumpsIntoStatements(body)) lowerStatement(fn, body);
  else
    lowerStatementList(
      fn,
      openStatement(body, () => fn.newLabel()),
    );
}
