/**
 * Serves the threads of a program: the thread that has the runtime, the system and all objects does nothing else than their calls, one
 * after another, so that nothing of it needs locks. A call that waits is put aside and looked at again (waiting.ts), so that the threads
 * that it waits for are served meanwhile. Functions of the program are called by threads that wait for their answers.
 */
import { startThread, type Thread } from '../../runtime/host.ts';
import { bufferUpTo } from '../../runtime/shared-growth.ts';
import { fileBeside, type ThreadFile } from '../../runtime/thread-file.ts';
import {
  type Box,
  flushCallback,
  Mailboxes,
  mostThreads,
  newMailboxes,
  request,
  state,
  type Value,
} from './mailbox.ts';
import type { MemberStart } from './member.ts';

/** A call of an import that has to wait: its result once that is there. */
export class Waiting {
  readonly poll: () => { readonly result: Value } | undefined;

  constructor(poll: Waiting['poll']) {
    this.poll = poll;
  }
}

export type Served = (...args: (number | bigint)[]) => Value | Waiting;

export interface ServerOptions {
  readonly module: WebAssembly.Module;
  /** Of all threads but the first. */
  readonly others: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  readonly imported: MemberStart['imported'];
  /** What the program imports, in its order; undefined for what is no function. */
  readonly functions: readonly (Served | undefined)[];
  /** Pages that the program has at the start. */
  readonly initialPages: number;
  /** Does what has come in by now. */
  readonly attend: () => void;
  /** The next call is one of a thread, by its number. */
  readonly onThread?: ((number: number) => void) | undefined;
  readonly onEnd?: ((number: number) => void) | undefined;
  /** Ends the program with an exit code, by an exception. */
  readonly exit: (code: number) => void;
  /** Where the file of the threads is; default beside this module. */
  readonly file?: ThreadFile | undefined;
}

interface Member {
  readonly box: Box;
  /** What the program and Brook+ know it by; 0 is the first. */
  readonly number: number;
  thread: Thread | undefined;
  /** The functions of the program that it was to call and has not returned from, the last of them at the end. */
  readonly frames: Frame[];
}

interface Frame {
  done: boolean;
  result: Value;
}

interface Call {
  readonly member: Member;
  /** How many functions the thread was in when it called: it hears of nothing else while it is in more. */
  readonly depth: number;
  readonly code: number;
  readonly args: readonly Value[];
}

interface Parked {
  readonly member: Member;
  readonly depth: number;
  readonly waiting: Waiting;
}

/** errno of WASI, negative as thread-spawn gives it. */
const noThread = -6;

/** Milliseconds that the server sleeps at most, while something waits that rings no bell of its, and else. */
const shortSleep = 0.2;
const longSleep = 20;
const spins = 500;

export function memberFile(): ThreadFile {
  return fileBeside('member.js', () => new URL('./member.js', import.meta.url));
}

export class ThreadServer {
  readonly #options: ServerOptions;
  readonly #mailboxes = new Mailboxes(newMailboxes());
  readonly #members: (Member | undefined)[] = [];
  readonly #taken: Call[] = [];
  #parked: Parked[] = [];
  #nextNumber = 1;
  #current: Member | undefined;
  /** Of a thread that could not start. */
  #failed: Error | undefined;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#mailboxes.end = options.initialPages;
  }

  /** Runs the program; ends by what `exit` throws, or with an error that stops it. */
  run(): void {
    try {
      this.#begin(0, undefined);
      this.#serve(() => false);
    } finally {
      for (const member of this.#members) void member?.thread?.terminate();
    }
  }

  /** A function of the program: called by a thread that waits for an answer. */
  callback(pointer: number): (...args: (number | bigint)[]) => Value {
    return (...args) => this.#callBack(pointer, args);
  }

  /** Has the program's library write out what it keeps. */
  flush(): void {
    if (this.#current) this.#callBack(flushCallback, []);
  }

  #callBack(pointer: number, args: readonly Value[]): Value {
    let member: Member | undefined;
    this.#serve(() => {
      member = this.#sleeper();
      return member !== undefined;
    });
    const { box, frames } = member!;
    const frame: Frame = { done: false, result: undefined };
    frames.push(frame);
    box.put(pointer, args);
    box.set(state.callback);
    const before = this.#current;
    this.#serve(() => frame.done);
    this.#current = before;
    if (before) this.#options.onThread?.(before.number);
    return frame.result;
  }

  /** A thread that waits for an answer, at best the one whose call it is. */
  #sleeper(): Member | undefined {
    if (this.#current?.box.state === state.taken) return this.#current;
    const parked = this.#parked.find(({ member }) => member.box.state === state.taken);
    return parked?.member ?? this.#taken.find(({ member }) => member.box.state === state.taken)?.member;
  }

  #serve(isOver: () => boolean): void {
    for (;;) {
      const { rung } = this.#mailboxes;
      let any = this.#take();
      if (isOver()) return;
      const next = this.#taken.findIndex(({ member, depth }) => member.frames.length === depth);
      if (next >= 0) {
        const [call] = this.#taken.splice(next, 1) as [Call];
        this.#do(call);
        any = true;
      }
      any = this.#look() || any;
      if (isOver()) return;
      if (any) continue;
      this.#options.attend();
      if (this.#failed) throw this.#failed;
      this.#sleep(rung);
    }
  }

  #sleep(rung: number): void {
    for (let turn = 0; turn < spins; turn += 1) if (this.#mailboxes.rung !== rung) return;
    this.#mailboxes.sleep(rung, this.#parked.length > 0 ? shortSleep : longSleep);
  }

  /** Takes the calls that are in the boxes. */
  #take(): boolean {
    let any = false;
    for (const member of this.#members) {
      if (!member) continue;
      const { state: now } = member.box;
      if (now === state.returned) {
        // One that has returned waits again, for its answer or to be had called something else.
        const frame = member.frames.pop()!;
        frame.result = member.box.take()[0];
        frame.done = true;
        member.box.set(state.taken);
        any = true;
      }
      if (now !== state.request) continue;
      this.#taken.push({
        member,
        depth: member.frames.length,
        code: member.box.code,
        args: member.box.take(),
      });
      member.box.set(state.taken);
      any = true;
    }
    return any;
  }

  #do({ member, depth, code, args }: Call): void {
    this.#current = member;
    this.#options.onThread?.(member.number);
    const result = code < 0 ? this.#doOwn(member, code, args) : this.#doImport(code, args);
    this.#current = undefined;
    if (result instanceof Waiting) this.#parked.push({ member, depth, waiting: result });
    else if (code !== request.ended) this.#answer(member, result);
  }

  #doImport(code: number, args: readonly Value[]): Value | Waiting {
    // Others may have grown the memory.
    bufferUpTo(this.#options.memory, this.#mailboxes.end * pageBytes);
    return this.#options.functions[code]!(...(args as (number | bigint)[]));
  }

  #doOwn(member: Member, code: number, [first]: readonly Value[]): Value {
    const value = Number(first ?? 0);
    switch (code) {
      case request.exit:
        this.#options.exit(value);
        return undefined;
      case request.attend:
        this.#options.attend();
        return undefined;
      case request.grow:
        return this.#grow(value);
      case request.spawn:
        return this.#spawn(value);
      case request.ended:
        this.#end(member);
        return undefined;
      default:
        throw stopped(this.#mailboxes.text);
    }
  }

  #answer({ box }: Member, result: Value): void {
    box.put(0, [result]);
    box.set(state.reply);
  }

  /** Looks at the calls that wait. */
  #look(): boolean {
    let any = false;
    for (const parked of [...this.#parked]) {
      const { member, depth, waiting } = parked;
      if (member.frames.length !== depth || !this.#parked.includes(parked)) continue;
      this.#current = member;
      this.#options.onThread?.(member.number);
      const done = waiting.poll();
      // What the program wants to be called for is called before the call ends.
      if (done) this.#options.attend();
      this.#current = undefined;
      if (!done) continue;
      this.#parked = this.#parked.filter((one) => one !== parked);
      this.#answer(member, done.result);
      any = true;
    }
    return any;
  }

  #grow(pages: number): number {
    try {
      const before = this.#options.memory.grow(pages);
      this.#mailboxes.end = before + pages;
      return before;
    } catch {
      return -1;
    }
  }

  #spawn(argument: number): number {
    const number = this.#nextNumber;
    this.#nextNumber += 1;
    return this.#begin(number, argument) ? number : noThread;
  }

  #begin(number: number, argument: number | undefined): boolean {
    let place = this.#members.indexOf(undefined);
    if (place < 0) place = this.#members.length;
    if (place >= mostThreads) return false;
    const { module, others, memory, imported, file = memberFile() } = this.#options;
    const box = this.#mailboxes.box(place);
    box.set(state.idle);
    const start: MemberStart = {
      module: argument === undefined ? module : others,
      memory,
      imported,
      mailboxes: this.#mailboxes.buffer,
      box: place,
      spawned: argument === undefined ? undefined : { number, argument },
    };
    const member: Member = { box, number, thread: undefined, frames: [] };
    this.#members[place] = member;
    try {
      member.thread = startThread(file, start, {
        message: () => {},
        failed: (error) => {
          this.#failed = error;
        },
      });
      return true;
    } catch {
      this.#members[place] = undefined;
      return false;
    }
  }

  #end(member: Member): void {
    void member.thread?.terminate();
    this.#members[this.#members.indexOf(member)] = undefined;
    this.#options.onEnd?.(member.number);
  }
}

const pageBytes = 65536;

/** What stopped a thread, as if it had been thrown here. */
function stopped(text: string): Error {
  const { name, message, stack } = JSON.parse(text) as { name: string; message: string; stack: string };
  const error =
    name === 'RuntimeError'
      ? new WebAssembly.RuntimeError(message)
      : name === 'RangeError'
        ? new RangeError(message)
        : new Error(message);
  error.stack = stack;
  return error;
}
