/**
 * A thread of a program, the first one among them. It has an instance of the program's module of its own, over the memory that all
 * share. What the program imports is done by the server (server.ts), whose thread has all that there is of OpenCL and the system:
 * here are calls of it. What only the thread itself can do, it does: sleeping and waiting.
 */

import { flushOutputName } from '../../hosted/flush-output.ts';
import { growRequest, memoryImport, tableName, threadImport } from '../share-memory.ts';
import { sleep } from '../sleep.ts';
import { systemModule } from '../system.ts';
import { tellingOfExceptions } from '../uncaught.ts';
import { futexFunctions } from './futex.ts';
import { type Box, flushCallback, Mailboxes, request, state, type Value } from './mailbox.ts';

/** What a thread is started with. */
export interface MemberStart {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  /** As what the module imports the memory. */
  readonly imported: { readonly module: string; readonly name: string };
  readonly mailboxes: SharedArrayBuffer;
  /** The number of its box. */
  readonly box: number;
  /** Of threads but the first: the number that the program knows it by, and its argument. */
  readonly spawned?: { readonly number: number; readonly argument: number } | undefined;
}

type Imported = (...args: (number | bigint)[]) => Value;

export function runMember(start: MemberStart): void {
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  new Member(start).run();
}

class Member {
  readonly #start: MemberStart;
  readonly #mailboxes: Mailboxes;
  readonly #box: Box;
  readonly #futex: Record<string, (...args: number[]) => number>;
  #instance: WebAssembly.Instance | undefined;

  constructor(start: MemberStart) {
    this.#start = start;
    this.#mailboxes = new Mailboxes(start.mailboxes);
    this.#box = this.#mailboxes.box(start.box);
    this.#futex = futexFunctions(start.memory, () => this.#leave());
  }

  run(): void {
    const { module, spawned } = this.#start;
    try {
      this.#instance = new WebAssembly.Instance(module, this.#imports() as WebAssembly.Imports);
      const exports = tellingOfExceptions(this.#instance.exports);
      if (spawned) {
        const begin = exports['wasi_thread_start'] as (number: number, argument: number) => void;
        begin(spawned.number, spawned.argument);
        this.#tell(request.ended, []);
      } else {
        (exports['_start'] as () => void)();
        this.#ask(request.exit, [0]);
      }
    } catch (error) {
      const told = error instanceof Error ? error : new Error(String(error));
      this.#mailboxes.leaveText(
        JSON.stringify({ name: told.name, message: told.message, stack: told.stack ?? '' }),
      );
      this.#ask(request.stopped, []);
    }
  }

  #imports(): Record<string, Record<string, unknown>> {
    const { module, memory, imported } = this.#start;
    const provided: Record<string, Record<string, unknown>> = {};
    for (const [index, { module: from, name, kind }] of WebAssembly.Module.imports(module).entries()) {
      provided[from] ??= {};
      if (kind === 'function') provided[from][name] = this.#function(from, name, index);
    }
    provided[imported.module] = { ...provided[imported.module], [imported.name]: memory };
    return provided;
  }

  #function(from: string, name: string, index: number): Imported {
    const forward: Imported = (...args) => this.#ask(index, args);
    if (from === threadImport.module && name === threadImport.name)
      return (argument) => this.#spawn(Number(argument));
    if (from === memoryImport.module) return this.#futex[name] as Imported;
    if (from !== systemModule) return forward;
    if (name === 'proc_exit') return (code) => this.#ask(request.exit, [code]);
    if (name !== 'poll_oneoff') return forward;
    return (...args) => {
      const [subscriptions, events, count, written] = args.map((value) => Number(value) >>> 0);
      const asked = [subscriptions!, events!, count!, written!] as const;
      return sleep(this.#start.memory, asked, () => void this.#ask(request.attend, [])) ?? forward(...args);
    };
  }

  #spawn(argument: number): Value {
    const number = argument >>> 0;
    if (number < growRequest) return this.#ask(request.spawn, [number]);
    const pages = number - growRequest;
    return pages === 0 ? this.#mailboxes.end : this.#ask(request.grow, [pages]);
  }

  /** Ends from within the program, which must not be gone back to. */
  #leave(): never {
    this.#tell(request.ended, []);
    for (const nobody = new Int32Array(new SharedArrayBuffer(4)); ; ) Atomics.wait(nobody, 0, 0);
  }

  /** Puts a request into the box. What has ended must not look there again: the box may be another thread's before this one is gone. */
  #tell(code: number, args: readonly Value[]): void {
    this.#box.put(code, args);
    this.#box.set(state.request);
    this.#mailboxes.ring();
  }

  /** Has the server do something, and calls what it wants called meanwhile. */
  #ask(code: number, args: readonly Value[]): Value {
    const box = this.#box;
    this.#tell(code, args);
    for (let waited: number = state.request; ; ) {
      box.sleepWhile(waited);
      const now = box.state;
      if (now === state.reply) {
        const [result] = box.take();
        box.set(state.idle);
        return result;
      }
      if (now === state.callback) {
        const result = this.#call(box.code, box.take() as (number | bigint)[]);
        box.put(0, [result]);
        box.set(state.returned);
        this.#mailboxes.ring();
        waited = state.returned;
      } else waited = now;
    }
  }

  #call(pointer: number, args: readonly (number | bigint)[]): Value {
    const exports = this.#instance?.exports;
    if (pointer === flushCallback) {
      (exports?.[flushOutputName] as (() => void) | undefined)?.();
      return undefined;
    }
    const table = exports?.[tableName] as WebAssembly.Table;
    return (table.get(pointer) as Imported)(...args);
  }
}
