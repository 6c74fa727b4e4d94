/**
 * `millrace debug --break-call`: the host program stands still before calls of the functions that are named, or behind those that fail,
 * until a person has looked at them. Input is read while the program waits inside of the call, so nothing of it goes on.
 */
import { readSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ApiCall, type BegunCall, callText, logHeading, logLine, startCallLog } from 'millrace';
import { UsageError } from '../errors.ts';
import { messages, output } from '../terminal.ts';

/** So many calls are kept for `log`. */
const mostKept = 1000;
/** The exit code of those who are told to quit. */
const quitCode = 0;

const help = `c, continue     go on to the next stop
n, next         go on to the next call
f, finish       let this call return, and stop behind it
bt, where       the way from main to the call
log [NUMBER]    the last calls, with results and times; default 10
b, break WHAT   stop before calls of WHAT, too: a name, clEnqueue* or error
d, delete WHAT  no more
info            where it stops
q, quit         end the program here`;

/** Begins to stop; the result ends that. */
export function stopAtCalls(wanted: readonly string[]): () => void {
  if (wanted.length === 0) return () => {};
  const stops = new CallStops(wanted);
  return startCallLog(stops);
}

/** What a call must be for a stop: `error`, a name or a pattern with asterisks. */
function checked(what: string): string {
  if (/^[\w.*+]+$/.test(what)) return what;
  throw new UsageError(`--break-call '${what}': write the name of a function, clEnqueue* or error`);
}

class CallStops {
  readonly #wanted = new Set<string>();
  readonly #log: ApiCall[] = [];
  #origin: number | undefined;
  #stopsNext = false;
  /** The call behind which to stop. */
  #finishing: number | undefined;
  #last = '';

  constructor(wanted: readonly string[]) {
    for (const what of wanted) this.#wanted.add(checked(what));
  }

  begun(call: BegunCall): void {
    this.#origin ??= call.started;
    if (!this.#stopsNext && ![...this.#wanted].some((what) => isMeant(what, call))) return;
    this.#stopsNext = false;
    console.log(`before call ${call.index}, ${output.bold(callText(call))}`);
    this.#ask(call.index);
  }

  ended(call: ApiCall): void {
    this.#log.push(call);
    if (this.#log.length > mostKept) this.#log.shift();
    const isError = call.code !== 0 && this.#wanted.has('error');
    if (!isError && this.#finishing !== call.index) return;
    this.#finishing = undefined;
    const result = call.code === 0 ? call.result : messages.red(call.result);
    console.log(`behind call ${call.index}, ${output.bold(callText(call))} = ${result}`);
    if (call.message !== undefined) console.log(call.message);
    this.#ask(undefined);
  }

  /** @param index the call that has not begun, if it stands before one */
  #ask(index: number | undefined): void {
    for (;;) {
      if (process.stdin.isTTY) process.stdout.write(output.bold('(host) '));
      const line = readLine();
      // Without further input it is not to stop for ever.
      if (line === undefined) {
        this.#wanted.clear();
        return;
      }
      const typed = line.trim() === '' && process.stdin.isTTY ? this.#last : line.trim();
      if (typed === '' || typed.startsWith('#')) continue;
      this.#last = typed;
      if (this.#obey(typed, index)) return;
    }
  }

  /** Does what a line says. Whether the program goes on. */
  #obey(typed: string, index: number | undefined): boolean {
    const [word = '', ...rest] = typed.split(/\s+/);
    const what = rest.join(' ');
    switch (word) {
      case 'c':
      case 'continue':
        return true;
      case 'n':
      case 'next':
        this.#stopsNext = true;
        return true;
      case 'f':
      case 'finish':
        if (index === undefined) {
          console.log('the call has returned');
          return false;
        }
        this.#finishing = index;
        return true;
      case 'bt':
      case 'where':
        console.log(hostFrames().join('\n'));
        return false;
      case 'log':
        this.#show(Number(what) || 10);
        return false;
      case 'b':
      case 'break':
      case 'd':
      case 'delete':
        this.#change(word.startsWith('b'), what);
        return false;
      case 'info':
        console.log([...this.#wanted].join('\n'));
        return false;
      case 'h':
      case 'help':
        console.log(help);
        return false;
      case 'q':
      case 'quit':
        return process.exit(quitCode);
      default:
        console.log(messages.red(`'${word}' is no word here (help lists them)`));
        return false;
    }
  }

  #show(count: number): void {
    process.stdout.write(logHeading);
    for (const call of this.#log.slice(-count)) process.stdout.write(logLine(call, this.#origin ?? 0));
  }

  #change(adds: boolean, what: string): void {
    if (!adds) {
      if (!this.#wanted.delete(what)) console.log(messages.red(`it does not stop at '${what}'`));
      return;
    }
    try {
      this.#wanted.add(checked(what));
    } catch (error) {
      console.log(messages.red((error as Error).message));
    }
  }
}

/** Names are those of the functions; of methods with their class or without. */
function isMeant(what: string, { name }: BegunCall): boolean {
  if (what === 'error') return false;
  const pattern = new RegExp(`^${what.replace(/[.+]/g, '\\$&').replaceAll('*', '.*')}$`, 'i');
  return pattern.test(name) || pattern.test(name.slice(name.indexOf('.') + 1));
}

/** One line of standard input, byte by byte, for what follows it is read by others; undefined at its end. */
function readLine(): string | undefined {
  const bytes: number[] = [];
  const one = new Uint8Array(1);
  for (;;) {
    let count = 0;
    try {
      count = readSync(0, one, 0, 1, null);
    } catch (error) {
      const { code } = error as { code?: unknown };
      // A terminal that does not block has nothing yet.
      if (code === 'EAGAIN') {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
        continue;
      }
      if (code !== 'EOF') throw error;
    }
    if (count === 0) return bytes.length === 0 ? undefined : Buffer.from(bytes).toString();
    if (one[0] === 10) return Buffer.from(bytes).toString();
    bytes.push(one[0]!);
  }
}

const ownFolder = dirname(fileURLToPath(import.meta.url));

/** The program's functions on the way to the call, innermost first, without what is Millrace's and Node's. */
function hostFrames(): string[] {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = before;
  const lines = stack.split('\n').filter((line) => /^\s+at /.test(line));
  const own = lines.filter(
    (line) => !line.includes(ownFolder) && !/\(?node:|<anonymous>|node_modules\/commander\//.test(line),
  );
  return own.length > 0 ? own : ['nothing of the program is on the stack'];
}
