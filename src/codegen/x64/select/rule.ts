/** What each instruction of stack code becomes: its operands are taken from the selector's stack, and its result is left there. */
import type { StackInstruction } from '../stack-code/reader.ts';
import type { FunctionSelector } from './function-selector.ts';

export type Rule = (selector: FunctionSelector, one: StackInstruction) => void;

/** One that needs to know no more of the instruction than which it is. */
export type PlainRule = (selector: FunctionSelector) => void;
