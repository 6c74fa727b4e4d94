/** A block under construction: where its statements go and what control flow is around it. */
import type { ProgramState, Site, Variable, Work } from './site.ts';
import type { Statement } from './syntax.ts';
import type { RecordType, ValueType } from './types.ts';

/** Something around the block that a statement may leave or continue. */
export interface Exit {
  /** All work-items leave it at the same time; only uniform control may leave it then. */
  readonly isTogether: boolean;
}

export interface Label extends Exit {
  readonly name: string;
  isUsed: boolean;
}

/** Local memory and what kernels do together. */
export interface Group {
  /** Work-items in a group. */
  readonly items: number;
  /** Arrays that everyone may read, and that an exchange writes between two barriers. */
  readonly shared: readonly Variable[];
  /** Local counters for atomics. */
  readonly tallies: readonly string[];
  /** Global inputs to copy from. */
  readonly inputs: readonly Variable[];
}

export interface Block {
  readonly program: ProgramState;
  readonly work: Work;
  readonly statements: Statement[];
  /** Visible here; grows with declarations. */
  readonly variables: Variable[];
  /** All work-items of the group run the block together. */
  readonly isTogether: boolean;
  readonly mayAskWho: boolean;
  readonly iterations: number;
  readonly nesting: number;
  readonly breakable: Exit | undefined;
  readonly continuable: Exit | undefined;
  readonly label: Label | undefined;
  /** What the function returns; undefined in kernels, which leave only at their end. */
  readonly result: ValueType | RecordType | undefined;
  readonly group: Group | undefined;
}

/** A block inside another. */
export function innerBlock(outer: Block, changes: Partial<Block>): Block {
  return {
    ...outer,
    statements: [],
    variables: [...outer.variables],
    nesting: outer.nesting + 1,
    ...changes,
  };
}

/** Where an expression of the block's next statement stands. */
export function siteOf(block: Block, isUniform = false): Site {
  const { program, variables, mayAskWho, iterations, work } = block;
  const site: Site = { program, variables, effects: [], isUniform, mayAskWho, iterations, work };
  if (isUniform || program.random.below(3) > 0) return site;
  const changeable = variables.filter(
    (variable) =>
      variable.isWritable && !variable.isUniform && !variable.isPointer && variable.type.kind === 'value',
  );
  const effects: Variable[] = [];
  for (let count = program.random.below(3); count > 0 && changeable.length > 0; count--) {
    effects.push(...changeable.splice(program.random.below(changeable.length), 1));
  }
  return { ...site, effects, variables: variables.filter((variable) => !effects.includes(variable)) };
}
