/** Runs programs in C that are compiled already, as a page would that shows what they print. */
import { startProgram } from 'millrace/c-host';

export interface ProgramOptions {
  readonly args?: readonly string[];
  readonly stdin?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly timeout?: number;
  /** End the program when it has written something. */
  readonly endsAtOutput?: boolean;
}

/** What came of a program, as plain data; bytes as characters of the same numbers. */
export interface ProgramReport {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  readonly reason?: string | undefined;
  readonly files: Readonly<Record<string, string>>;
  /** What failed while it ran; only of programs with a time-out. */
  readonly failures?: readonly string[];
}

export async function runProgram(path: string, options: ProgramOptions = {}): Promise<ProgramReport> {
  const bytes = new Uint8Array(await (await fetch(path)).arrayBuffer());
  const written = { stdout: '', stderr: '' };
  const failures: string[] = [];
  const program = startProgram(bytes, {
    ...options,
    onFailure: (message) => failures.push(message),
    stdout: (piece) => {
      written.stdout += textOf(piece);
      if (options.endsAtOutput) void program.end();
    },
    stderr: (piece) => {
      written.stderr += textOf(piece);
    },
  });
  const { exitCode, stopped, files } = await program.ended;
  return {
    ...written,
    exitCode,
    reason: stopped?.reason,
    files: Object.fromEntries([...files].map(([name, content]) => [name, textOf(content)])),
    ...(options.timeout === undefined ? {} : { failures }),
  };
}

function textOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}
