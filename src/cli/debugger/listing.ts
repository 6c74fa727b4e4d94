/** Lines of sources for the debugger's prompt, with the one where the work-item is and those with breakpoints marked. */
import { existsSync, readFileSync } from 'node:fs';
import type { DebugSession, SourcePlace } from 'millrace/debug';
import { output } from '../terminal.ts';

/** The texts of the sources: as they were compiled, or from the disk. */
export class Sources {
  readonly #session: DebugSession;
  readonly #lines = new Map<string, readonly string[]>();

  constructor(session: DebugSession) {
    this.#session = session;
  }

  linesOf(file: string): readonly string[] {
    let lines = this.#lines.get(file);
    if (!lines) {
      const text = this.#session.texts.get(file) ?? (existsSync(file) ? readFileSync(file, 'utf8') : '');
      lines = text.split(/\r?\n/);
      this.#lines.set(file, lines);
    }
    return lines;
  }

  /** Some lines, the first of them number `from`. */
  list(file: string, from: number, count: number, current: number | undefined): string {
    const lines = this.linesOf(file);
    const last = Math.min(lines.length, from + count - 1);
    const stops = new Set(
      this.#session.breakpoints.flatMap(({ place }) => (place?.file === file ? [place.line] : [])),
    );
    const shown: string[] = [];
    for (let line = Math.max(1, from); line <= last; line += 1) {
      const mark = stops.has(line) ? output.red('*') : ' ';
      const number = String(line).padStart(4);
      const text = lines[line - 1]!;
      shown.push(
        line === current
          ? `${mark}${output.green('=>')}${output.bold(`${number}  ${text}`)}`
          : `${mark}  ${output.dim(number)}  ${text}`,
      );
    }
    return shown.join('\n');
  }

  /** The line of a place, marked as the current one. */
  at({ file, line }: SourcePlace): string {
    return this.list(file, line, 1, line);
  }
}

export function placeText(place: SourcePlace | undefined): string {
  return place ? `${place.file}:${place.line}` : 'somewhere';
}
