/**
 * Makes a failing program small: leaves out statements, unwraps blocks, puts constants and operands in the place of
 * expressions, as long as the program still fails. A candidate that no longer compiles counts as not failing. What
 * keeps the program well defined (`isGuard`, `isEssential`) stays.
 */
import { constant } from './literals.ts';
import { type Expression, type Program, printProgram, type Statement } from './syntax.ts';
import { sameType } from './types.ts';

/**
 * Shrinks the program in place until nothing more can go, or time is up.
 * @param stillFails whether this source shows the fault that is looked for
 * @param milliseconds after which what is left is tried no further
 * @returns the smallest source found
 */
export async function reduce(
  program: Program,
  stillFails: (source: string) => boolean | Promise<boolean>,
  milliseconds = 60_000,
): Promise<string> {
  const end = performance.now() + milliseconds;
  const fails = async (): Promise<boolean> => performance.now() < end && stillFails(printProgram(program));
  for (let size = Number.POSITIVE_INFINITY; ; ) {
    await reduceList(program.statements, fails);
    await reduceExpressions(program.statements, fails);
    const now = printProgram(program).length;
    if (now >= size) return printProgram(program);
    size = now;
  }
}

/** Leaves out runs of statements, long ones first, then looks into those that stay. */
async function reduceList(list: Statement[], fails: () => Promise<boolean>): Promise<void> {
  for (let run = Math.max(1, list.length >> 1); run > 0; run >>= 1) {
    for (let at = list.length - run; at >= 0; at -= run) {
      const removed = list.slice(at, at + run);
      // Outside functions the essential may go too, once nothing uses it: what needs it then does not compile.
      if (removed.some((statement) => statement.isEssential && !isDefinition(statement))) continue;
      list.splice(at, run);
      if (!(await fails())) list.splice(at, 0, ...removed);
    }
  }
  for (let at = list.length - 1; at >= 0; at--) {
    const statement = list[at]!;
    for (const part of statement.parts) {
      if (Array.isArray(part)) await reduceList(part, fails);
    }
    if (statement.isEssential) continue;
    // The statements of its blocks alone.
    const inner = statement.parts.filter((part) => Array.isArray(part)).flat();
    if (inner.length === 0) continue;
    list.splice(at, 1, ...inner);
    if (!(await fails())) list.splice(at, inner.length, statement);
  }
}

/** A function, a struct or a table: text at program scope. */
function isDefinition({ parts }: Statement): boolean {
  const [first] = parts;
  return (
    typeof first === 'string' &&
    /^(constant|struct|union|static|ulong fold|\w+ known|\w+ helper\d*|\w+ \w+ helper)/.test(first)
  );
}

async function reduceExpressions(list: readonly Statement[], fails: () => Promise<boolean>): Promise<void> {
  for (const { parts } of list) {
    for (const part of parts) {
      if (Array.isArray(part)) await reduceExpressions(part, fails);
    }
    await reduceParts(parts, fails);
  }
}

/** Tries constants and operands for each expression among the parts, then goes into what is left. */
async function reduceParts(
  parts: (string | Expression | Statement[])[],
  fails: () => Promise<boolean>,
): Promise<void> {
  for (let index = 0; index < parts.length; index++) {
    for (let again = true; again; ) {
      again = false;
      const old = parts[index]!;
      if (typeof old === 'string' || Array.isArray(old)) break;
      if (old.isGuard || old.parts.length < 2) break;
      const operands = old.parts.filter(
        (part): part is Expression => typeof part !== 'string' && sameType(part.type, old.type),
      );
      for (const candidate of [constant(old.type, 0), constant(old.type, 1), ...operands]) {
        parts[index] = candidate;
        if (await fails()) {
          again = true;
          break;
        }
        parts[index] = old;
      }
    }
    const left = parts[index]!;
    if (typeof left !== 'string' && !Array.isArray(left)) await reduceParts(left.parts, fails);
  }
}
