/** The rest of the compiler (rest.ts), there from the start: for those who compile while they block. */
import { rest } from './rest.ts';
import { functions as backEnd } from './rest-of-back-end.ts';
import { functions as frontEnd } from './rest-of-front-end.ts';
import { functions as ir } from './rest-of-ir.ts';

export function provideRest(): void {
  rest.ir.provide(ir);
  rest.frontEnd.provide(frontEnd);
  rest.backEnd.provide(backEnd);
}
