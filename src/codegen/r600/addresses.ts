/** Where the clauses of a program lie: ALU clauses behind the control flow program, fetch clauses behind those. */
import type { AluBundle, ControlFlow } from './program.ts';

/** Clauses begin on such boundaries (64-bit words). */
const aluBoundary = 32;
const fetchBoundary = 16;
/** 64-bit words of a fetch. */
const wordsPerFetch = 2;

/** 64-bit words of a clause: one an instruction, one for two literals. */
export function wordsOfBundles(bundles: readonly AluBundle[]): number {
  return bundles.reduce(
    (sum, { instructions, literals }) => sum + instructions.length + Math.ceil(literals.length / 2),
    0,
  );
}

/** The same program with the addresses of its clauses. */
export function giveAddresses(program: readonly ControlFlow[]): readonly ControlFlow[] {
  const addresses = new Map<ControlFlow, number>();
  const hasAlu = program.some(({ kind }) => kind === 'alu');
  let next = upTo(program.length, hasAlu ? aluBoundary : fetchBoundary);
  for (const clause of program) {
    if (clause.kind !== 'alu') continue;
    addresses.set(clause, next);
    next += clause.words;
  }
  next = upTo(next, fetchBoundary);
  for (const clause of program) {
    if (clause.kind !== 'fetch') continue;
    addresses.set(clause, next);
    next += clause.fetches.length * wordsPerFetch;
  }
  return program.map((one) =>
    one.kind === 'alu' || one.kind === 'fetch' ? { ...one, address: addresses.get(one)! } : one,
  );
}

function upTo(value: number, boundary: number): number {
  return Math.ceil(value / boundary) * boundary;
}
