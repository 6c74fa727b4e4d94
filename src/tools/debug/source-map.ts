/**
 * Where in the source the steps of the interpreter are: which steps begin a statement, which statement any other belongs to, and
 * at which places a breakpoint on a line can be. What lowering has recorded says it (src/c/lower/debug-record.ts); for modules of
 * other languages it is read off the places of the instructions, line by line.
 */
import type { Mark, Visible } from '../../c/lower/debug-record.ts';
import type { Code } from '../../ir/interpreter/state.ts';
import type * as ir from '../../ir/ir.ts';
import { walkFunction } from '../../ir/walk.ts';
import { outermostUse, type Span } from '../../source/span.ts';

/** A place as people name it. */
export interface SourcePlace {
  readonly file: string;
  /** From 1 on. */
  readonly line: number;
  readonly column: number;
}

/** A statement that control comes to, or what else a mark stands for. */
export interface Statement {
  readonly place: SourcePlace;
  readonly visible: Visible | undefined;
  /** Whether those who go from statement to statement stop there. */
  readonly stops: boolean;
  /** Where it begins in its text, to tell what comes before what. */
  readonly start: number;
  readonly fn: ir.Function;
}

/** The statements of a function by the numbers of its steps. */
export interface CodeStatements {
  /** Those that begin with a step. */
  readonly starts: readonly (Statement | undefined)[];
  /** Those that a step belongs to. */
  readonly around: readonly (Statement | undefined)[];
}

/** What #line says of code that a compiler to OpenCL C has made up (src/brook/emit/source.ts). */
const nowhere = '<brook>';

export function placeOf(span: Span): SourcePlace | undefined {
  const { file, start } = outermostUse(span);
  if (file.text === '') return undefined;
  const { name, line, column } = file.presumed(start);
  return { file: name, line, column };
}

export class SourceMap {
  readonly #statements = new Map<ir.Instruction, Statement>();
  readonly #codes = new WeakMap<Code, CodeStatements>();
  /** The texts that statements are in, by their names; those that only say to be another file's are missing. */
  readonly texts = new Map<string, string>();

  readonly module: ir.Module;

  readonly #isRecorded: boolean;

  /** @param marks undefined for modules that nothing was recorded of */
  constructor(module: ir.Module, marks: ReadonlyMap<ir.Instruction, Mark> | undefined) {
    this.module = module;
    this.#isRecorded = marks !== undefined;
    for (const fn of module.functions) {
      if (marks) {
        walkFunction(fn, (instruction) => {
          const mark = marks.get(instruction);
          if (mark) this.#add(instruction, fn, mark);
        });
      } else if (fn.span) this.#addLines(fn);
    }
  }

  /** Each instruction on another line than the one before begins a statement. */
  #addLines(fn: ir.Function): void {
    let last: SourcePlace | undefined;
    walkFunction(fn, (instruction) => {
      const { span, op } = instruction;
      const place = span && op !== 'variable' && op !== 'block' ? placeOf(span) : undefined;
      if (!span || !place || (place.line === last?.line && place.file === last.file)) return;
      last = place;
      this.#add(instruction, fn, { span, visible: undefined, stops: true });
    });
  }

  #add(instruction: ir.Instruction, fn: ir.Function, { span, visible, stops }: Mark): void {
    const place = placeOf(span);
    if (!place || place.file === nowhere) return;
    const { file, start } = outermostUse(span);
    if (file.name === place.file && file.lineMarkers.length === 0) this.texts.set(file.name, file.text);
    this.#statements.set(instruction, { place, visible, stops, start, fn });
  }

  /** All statements, in the order of their functions. */
  get statements(): Iterable<Statement> {
    return this.#statements.values();
  }

  of(code: Code): CodeStatements {
    let known = this.#codes.get(code);
    if (!known) {
      const starts = code.steps.map(({ instruction }) => this.#statements.get(instruction));
      // An instruction may have several steps; control comes to the first.
      code.steps.forEach(({ instruction }, index) => {
        if (index > 0 && code.steps[index - 1]!.instruction === instruction) starts[index] = undefined;
      });
      let last: Statement | undefined;
      const around = starts.map((statement) => {
        last = statement ?? last;
        return last;
      });
      known = { starts, around };
      this.#codes.set(code, known);
    }
    return known;
  }

  /**
   * The statements that a breakpoint on a line stands for: the first of each function there, or on the next line that has
   * any. Empty if no line from there on has one.
   * @param file the name, or the end of it behind a slash; undefined for any file
   */
  onLine(file: string | undefined, line: number): Statement[] {
    let best: Statement[] = [];
    for (const statement of this.#statements.values()) {
      const { place, stops } = statement;
      if (!stops || place.line < line || (file !== undefined && !isFile(place.file, file))) continue;
      const found = best[0]?.place.line ?? Number.POSITIVE_INFINITY;
      if (place.line > found) continue;
      if (place.line < found) best = [statement];
      else best.push(statement);
    }
    return this.#isRecorded ? firstOfEach(best) : sameAsFirst(best);
  }

  /** The first statement of a function by its name. */
  inFunction(name: string): Statement[] {
    const all = [...this.#statements.values()].filter(({ fn, stops }) => stops && fn.name === name);
    return firstOfEach(all);
  }

  /** The names of the files that statements are in. */
  get files(): ReadonlySet<string> {
    return new Set([...this.#statements.values()].map(({ place }) => place.file));
  }

  /** The numbers of the lines of a file that have statements. */
  linesOf(file: string): number[] {
    const lines = new Set<number>();
    for (const { place, stops } of this.#statements.values()) {
      if (stops && isFile(place.file, file)) lines.add(place.line);
    }
    return [...lines].sort((a, b) => a - b);
  }
}

function isFile(name: string, asked: string): boolean {
  return name === asked || name.endsWith(`/${asked}`) || asked.endsWith(`/${name}`);
}

/** The first, wherever it stands: functions of IL are in the program as often as they are called. */
function sameAsFirst(statements: readonly Statement[]): Statement[] {
  const start = Math.min(...statements.map((statement) => statement.start));
  return statements.filter((statement) => statement.start === start);
}

function firstOfEach(statements: readonly Statement[]): Statement[] {
  const first = new Map<ir.Function, Statement>();
  for (const statement of statements) {
    const known = first.get(statement.fn);
    if (!known || statement.start < known.start) first.set(statement.fn, statement);
  }
  return [...first.values()];
}
