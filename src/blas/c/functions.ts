/**
 * BLAS for programs in C and C++ that run as WebAssembly: the functions of include/cblas.h as imports of the module "BLAS". A program does not
 * leave its thread to wait, and routines are made of promises; so they are computed by another thread (thread.ts), on the program's memory.
 */
import { hasSharedMemory, machineModule, startThread, type Thread } from '../../runtime/host.ts';
import { fileBeside } from '../../runtime/thread-file.ts';
import { Mailbox, newMailbox, state } from './mailbox.ts';
import { functionNames } from './names.ts';

/** The module that programs import. */
export const blasModule = 'BLAS';

export type BlasFunction = (...args: number[]) => number | undefined;

/** What runs the program. */
export interface BlasProgramHost {
  readonly memory: WebAssembly.Memory;
  /** The id of the device that computes. */
  readonly device: string;
  /** A function that a pointer of the program means. */
  callback(pointer: number): (...args: number[]) => unknown;
  /** Memory of the program that nobody else has; undefined if there is no more. */
  take(bytes: number): { readonly start: number; readonly end: number } | undefined;
  giveBack(block: { readonly start: number; readonly end: number }): void;
  /** To the program's standard error. */
  print(text: string): void;
  /** Ends the program with an exit code. */
  exit(code: number): void;
  /** Ends the program, which needs what is not there. */
  fail(message: string): never;
}

/** What the thread is started with. */
export interface BlasThreadStart {
  readonly memory: WebAssembly.Memory;
  readonly device: string;
  readonly mailbox: SharedArrayBuffer;
}

export interface BlasFunctions {
  readonly functions: Readonly<Record<string, BlasFunction>>;
  /** Ends the thread, if there is one. */
  close(): void;
}

/** Milliseconds in which a thread starts, even on a busy machine. */
const mostStarting = 120_000;

/** cblas_xerbla of the reference ends a program so. */
const exitCode = 255;

/** All functions of the module, for one program. */
export function blasFunctions(host: BlasProgramHost): BlasFunctions {
  const machine = new BlasMachine(host);
  const functions: Record<string, BlasFunction> = {};
  for (const [code, name] of functionNames.entries())
    functions[`cblas_${name}`] = (...args) => machine.call(code, args);
  functions['cblas_set_xerbla'] = (pointer) => {
    machine.handler = pointer! >>> 0;
    return undefined;
  };
  return { functions, close: () => machine.close() };
}

class BlasMachine {
  /** The program's own cblas_xerbla; 0 for none. */
  handler = 0;
  readonly #host: BlasProgramHost;
  #mailbox: Mailbox | undefined;
  #thread: Thread | undefined;

  constructor(host: BlasProgramHost) {
    this.#host = host;
  }

  call(code: number, args: readonly number[]): number | undefined {
    const mailbox = this.#started();
    mailbox.put(code, args);
    mailbox.set(state.called);
    while (mailbox.state === state.called) mailbox.sleepWhile(state.called);
    const { state: now, values } = mailbox;
    if (now === state.broken) this.#fail(mailbox);
    mailbox.set(state.idle);
    if (now === state.refused) this.#refuse(`cblas_${functionNames[code]}`, mailbox.parameter, mailbox.text);
    return values[0];
  }

  close(): void {
    void this.#thread?.terminate();
    this.#thread = undefined;
    this.#mailbox = undefined;
  }

  #started(): Mailbox {
    if (this.#mailbox) return this.#mailbox;
    const { memory, device } = this.#host;
    if (!hasSharedMemory() || machineModule('node:worker_threads') === undefined)
      this.#host.fail('it calls BLAS, which programs in C have in Node only');
    const buffer = newMailbox();
    const mailbox = new Mailbox(buffer);
    // Bundlers are not to bring it along: it is not one file.
    const here = import.meta.url;
    const file = fileBeside('blas-thread.js', () => new URL(['.', 'blas-thread.js'].join('/'), here));
    const start: BlasThreadStart = { memory, device, mailbox: buffer };
    this.#thread = startThread(file, start, { message: () => {}, failed: () => {} });
    mailbox.sleepWhile(state.starting, mostStarting);
    if (mailbox.state === state.starting) this.#host.fail(`its thread for BLAS does not start: ${file.url}`);
    if (mailbox.state === state.broken) this.#fail(mailbox);
    this.#mailbox = mailbox;
    return mailbox;
  }

  /** What the program itself has done wrong stops it where it is; for all else it cannot run here. */
  #fail({ parameter, text }: Mailbox): never {
    if (parameter !== 0) throw new WebAssembly.RuntimeError(text);
    this.#host.fail(text);
  }

  /** As cblas_xerbla: the program's, if it has given one; else the reference's, which ends the program. */
  #refuse(routine: string, parameter: number, why: string): void {
    const { handler } = this;
    if (handler === 0) {
      this.#host.print(`Parameter ${parameter} to routine ${routine} was incorrect\n${why}\n`);
      this.#host.exit(exitCode);
      return;
    }
    // The text is a format without arguments.
    const texts = [routine, `${why.replaceAll('%', '%%')}\n`].map((text) =>
      new TextEncoder().encode(`${text}\0`),
    );
    const block = this.#host.take(texts.reduce((sum, { length }) => sum + length, 0) + argumentsBytes);
    if (!block) this.#host.fail('it has no memory left to be told what is wrong with its call of BLAS');
    let at = block.start + argumentsBytes;
    const pointers = texts.map((bytes) => {
      new Uint8Array(this.#host.memory.buffer, at, bytes.length).set(bytes);
      at += bytes.length;
      return at - bytes.length;
    });
    try {
      this.#host.callback(handler)(parameter, ...pointers, block.start);
    } finally {
      this.#host.giveBack(block);
    }
  }
}

/** Where variable arguments would be. */
const argumentsBytes = 16;
