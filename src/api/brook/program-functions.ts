/**
 * Brook+ for the host code of .br files, compiled to WebAssembly: the functions of <brook.h> as the imports of the module "Brook",
 * over the program's memory.
 */
import { BrookProgram } from '../../brook/program.ts';
import { type ElementType, layoutOf, valueTypeNamed } from '../../brook/types.ts';
import { typeOf } from './devices.ts';
import { type BrookErrorName, brookErrors } from './errors.ts';
import type { KernelArgument } from './kernel-call.ts';
import { type ProgramDeviceOptions, ProgramDevices } from './program-devices.ts';
import { runKernel } from './run-kernel.ts';
import type { BrookSession } from './session.ts';
import type { Sizes } from './shape.ts';
import { Stream } from './stream.ts';
import { streamText } from './stream-text.ts';

export { BrookProgram };

/** The module that programs import. */
export const brookModule = 'Brook';

export interface BrookHostOptions extends ProgramDeviceOptions {
  readonly memory: WebAssembly.Memory;
  /** Programs may write streams that they read (BRT_PERMIT_READ_WRITE_ALIASING). */
  readonly permitsAliasing?: boolean | undefined;
  /** Told of what goes wrong with streams, for programs that do not ask. */
  readonly onError?: ((text: string) => void) | undefined;
  /** Adds the kernels of a text in Brook+ that a program in C++ brings along to a program. */
  readonly load?: LoadTexts | undefined;
}

/** See {@link BrookHostOptions.load}: the kernels' numbers by their names, the text's structures by theirs. */
export type LoadTexts = (
  name: string,
  text: string,
  options: { readonly strongTypes: boolean; readonly constantBuffers: boolean },
  program: BrookProgram,
) => LoadedText;

export interface LoadedText {
  readonly kernels: ReadonlyMap<string, number>;
  readonly types: ReadonlyMap<string, ElementType>;
}

/** What a thread of the program has for itself. */
interface ThreadState {
  call: Call | undefined;
  readonly activations: Activation[];
  readonly domains: Map<number, { offset?: Sizes; size?: Sizes }>;
  used: readonly number[];
}

/** A function of the program that has streams, from its beginning to its end. */
interface Activation {
  readonly bySite: Map<number, number>;
  readonly parts: number[];
}

/** What a call of a kernel has so far. */
interface Call {
  readonly kernel: number;
  readonly args: KernelArgument[];
  readonly results: { readonly pointer: number; readonly bytes: Uint8Array }[];
}

export class BrookHost {
  readonly #program: BrookProgram;
  readonly #options: BrookHostOptions;
  readonly #streams = new Map<number, Stream>();
  readonly #told = new Map<Stream, number>();
  readonly #threads = new Map<number, ThreadState>();
  readonly #texts: LoadedText[] = [];
  readonly #devices: ProgramDevices;
  #thread: ThreadState;
  #next = 1;

  constructor(program: BrookProgram, options: BrookHostOptions) {
    this.#program = program;
    this.#options = options;
    this.#devices = new ProgramDevices(options);
    this.#thread = this.#threadState(0);
  }

  /** The next calls are those of a thread of the program: it has devices and calls of its own (2.16.1.1). */
  onThread(number: number): void {
    this.#thread.used = this.#devices.used;
    this.#thread = this.#threadState(number);
    this.#devices.use(this.#thread.used);
  }

  /** A thread has ended. */
  leaveThread(number: number): void {
    this.#threads.delete(number);
  }

  #threadState(number: number): ThreadState {
    let state = this.#threads.get(number);
    if (!state) {
      state = { call: undefined, activations: [], domains: new Map(), used: [] };
      this.#threads.set(number, state);
    }
    return state;
  }

  get #activations(): Activation[] {
    return this.#thread.activations;
  }

  get #domains(): Map<number, { offset?: Sizes; size?: Sizes }> {
    return this.#thread.domains;
  }

  get #call(): Call | undefined {
    return this.#thread.call;
  }

  set #call(call: Call | undefined) {
    this.#thread.call = call;
  }

  /** All functions of the module. */
  get functions(): Record<string, (...args: number[]) => number | undefined> {
    return {
      enter: () => this.#activations.push({ bySite: new Map(), parts: [] }),
      leave: (mark) => this.#leave(mark!),
      create: (site, type, rank, ...sizes) => this.#create(site!, type!, sizes.slice(0, rank)),
      load: (name, text, length, bits) => this.#load(name! >>> 0, text! >>> 0, length! >>> 0, bits!),
      kernel: (text, name) => this.#texts[text!]?.kernels.get(this.#string(name! >>> 0)) ?? -1,
      create_named: (type, rank, sizes, binding) =>
        this.#createNamed(this.#string(type! >>> 0), rank! >>> 0, sizes! >>> 0, binding! >>> 0),
      release: (stream) => {
        this.#drop(stream!);
        return undefined;
      },
      part: (stream, rank, start, end) => this.#part(stream!, rank!, start! >>> 0, end! >>> 0),
      read: (stream, from) => this.#read(stream!, from! >>> 0, 0),
      write: (stream, to) => this.#write(stream!, to! >>> 0, 0),
      read_flags: (stream, from, flags) => this.#read(stream!, from! >>> 0, flags! >>> 0),
      write_flags: (stream, to, flags) => this.#write(stream!, to! >>> 0, flags! >>> 0),
      set_property: (stream, name, value) =>
        this.#on(stream!, (own) => own.setProperty(this.#string(name! >>> 0), value)),
      devices: (type, numbers) =>
        this.#putNumbers(numbers! >>> 0, this.#devices.ofType(this.#string(type! >>> 0))),
      device_is_cpu: (number) => Number(typeOf(this.#devices.at(number!)) === 'cpu'),
      used_devices: (numbers) => this.#putNumbers(numbers! >>> 0, this.#devices.used),
      use_devices: (numbers, count) => this.#devices.use(this.#numbers(numbers! >>> 0, count! >>> 0)),
      stream_device: (stream) => this.#devices.placeOf(this.#stream(stream!).session.device),
      assign: (stream, from) => this.#on(stream!, (own) => own.assign(this.#stream(from!))),
      exec_domain: (stream, threads) => this.#on(stream!, (own) => own.execDomain(threads! | 0)),
      finish: (stream) => this.#on(stream!, (own) => own.finish()),
      is_sync: (stream) => Number(this.#stream(stream!).isSync()),
      text: (stream, to) => this.#text(stream!, streamText, to! >>> 0),
      error_text: (stream, to) => this.#text(stream!, (own) => own.errorLog(), to! >>> 0),
      domain: (stream, rank, start, end) => this.#domain(stream!, rank!, start! >>> 0, end! >>> 0),
      begin: (kernel) => {
        this.#call = { kernel: kernel!, args: [], results: [] };
        return undefined;
      },
      stream_argument: (stream) => {
        this.#call?.args.push(stream === 0 ? null : this.#stream(stream!));
        return undefined;
      },
      value_argument: (pointer) => this.#valueArgument(pointer! >>> 0),
      result_argument: (pointer) => this.#resultArgument(pointer! >>> 0),
      run: () => this.#run(),
      domain_offset: (kernel, offset) => this.#setDomain(kernel!, 'offset', offset! >>> 0),
      domain_size: (kernel, size) => this.#setDomain(kernel!, 'size', size! >>> 0),
      error: (stream) => brookErrors.indexOf(this.#stream(stream!).error() as BrookErrorName),
    };
  }

  /** The program has ended. */
  close(): void {
    const { sessions } = this.#devices;
    for (const session of sessions) session.finish();
    for (const stream of this.#streams.values()) this.#tell(stream);
    for (const session of sessions) session.close();
  }

  /** That of the device in use. */
  get session(): BrookSession {
    return this.#devices.session;
  }

  #numbers(pointer: number, count: number): readonly number[] {
    if (count === 0) return [];
    return [...new Int32Array(this.#bytes(pointer, 4 * count).slice().buffer)];
  }

  /** Puts numbers where a pointer points, if it points anywhere; tells how many there are. */
  #putNumbers(pointer: number, numbers: readonly number[]): number {
    const bytes = new Uint8Array(Int32Array.from(numbers).buffer);
    if (pointer !== 0 && bytes.length > 0) this.#bytes(pointer, bytes.length).set(bytes);
    return numbers.length;
  }

  /** A text of the program up to its end; that of the null pointer is empty. */
  #string(pointer: number): string {
    if (pointer === 0) return '';
    const bytes = new Uint8Array(this.#options.memory.buffer);
    const end = bytes.indexOf(0, pointer);
    if (end < 0) throw new WebAssembly.RuntimeError('memory access out of bounds');
    // Decoders take no shared memory.
    return new TextDecoder().decode(bytes.slice(pointer, end));
  }

  /** The stream of a handle. A handle of none is the program's mistake, and traps. */
  #stream(handle: number): Stream {
    const stream = this.#streams.get(handle);
    if (!stream) throw new WebAssembly.RuntimeError('it used a stream that is not there');
    return stream;
  }

  #add(stream: Stream): number {
    const handle = this.#next;
    this.#next += 1;
    this.#streams.set(handle, stream);
    this.#tell(stream);
    return handle;
  }

  #create(site: number, type: number, slowestFirst: readonly number[]): number {
    // Streams that are declared outside of functions belong to none and last as long as the program.
    const activation = site === 0 ? undefined : this.#activations[this.#activations.length - 1];
    const before = activation?.bySite.get(site);
    if (before !== undefined) this.#drop(before);
    const sizes = slowestFirst.map((size) => size | 0).reverse();
    const handle = this.#add(new Stream(this.session, this.#program.types[type]!, sizes));
    activation?.bySite.set(site, handle);
    return handle;
  }

  /** The number of a text whose kernels the program calls. */
  #load(name: number, text: number, length: number, bits: number): number {
    const { load } = this.#options;
    if (!load) throw new WebAssembly.RuntimeError('it has kernels as text, which nobody compiles here');
    const source = new TextDecoder().decode(this.#bytes(text, length).slice());
    const options = { strongTypes: (bits & 1) === 0, constantBuffers: (bits & 2) === 0 };
    return this.#texts.push(load(this.#string(name), source, options, this.#program)) - 1;
  }

  #createNamed(type: string, rank: number, sizes: number, binding: number): number {
    const element = valueTypeNamed(type) ?? this.#texts.map(({ types }) => types.get(type)).find(Boolean);
    if (!element)
      throw new WebAssembly.RuntimeError(`it makes streams of '${type}', which no .br file declares`);
    const wanted = rank >= 1 && rank <= 4 && sizes !== 0 ? this.#numbers(sizes, rank) : [];
    const stream = new Stream(this.session, element, wanted);
    if (binding !== 0) stream.share(this.#string(binding));
    return this.#add(stream);
  }

  /** A part that lasts until it is released; rank 0 stands for the stream's own. */
  #part(handle: number, rank: number, start: number, end: number): number {
    const stream = this.#stream(handle);
    const count = rank === 0 ? stream.shape.rank : rank;
    const point = (at: number) => (at === 0 ? null : this.#numbers(at, count));
    return this.#add(stream.domain(point(start), point(end)));
  }

  #leave(mark: number): undefined {
    while (this.#activations.length >= mark && mark > 0) {
      const { bySite, parts } = this.#activations.pop()!;
      for (const handle of [...parts, ...bySite.values()]) this.#drop(handle);
    }
    return undefined;
  }

  #drop(handle: number): void {
    const stream = this.#streams.get(handle);
    stream?.release();
    if (stream) this.#told.delete(stream);
    this.#streams.delete(handle);
  }

  #bytes(pointer: number, length: number): Uint8Array {
    const { buffer } = this.#options.memory;
    if (pointer === 0 || pointer + length > buffer.byteLength)
      throw new WebAssembly.RuntimeError('memory access out of bounds');
    return new Uint8Array(buffer, pointer, length);
  }

  #read(handle: number, from: number, flags: number): undefined {
    const stream = this.#stream(handle);
    stream.read(from === 0 ? null : this.#bytes(from, stream.byteLength), this.#string(flags));
    this.#tell(stream);
    return undefined;
  }

  #write(handle: number, to: number, flags: number): undefined {
    const stream = this.#stream(handle);
    stream.write(to === 0 ? null : this.#bytes(to, stream.byteLength), this.#string(flags));
    this.#tell(stream);
    return undefined;
  }

  #on(handle: number, what: (stream: Stream) => void): undefined {
    const stream = this.#stream(handle);
    what(stream);
    this.#tell(stream);
    return undefined;
  }

  #text(handle: number, textOf: (stream: Stream) => string, to: number): number {
    const stream = this.#stream(handle);
    const bytes = new TextEncoder().encode(textOf(stream));
    if (to !== 0) this.#bytes(to, bytes.length + 1).set([...bytes, 0]);
    this.#tell(stream);
    return bytes.length;
  }

  #point(pointer: number): Sizes {
    const bytes = this.#bytes(pointer, 16).slice();
    const [x = 0, y = 0, z = 0, w = 0] = new Int32Array(bytes.buffer);
    return [x, y, z, w];
  }

  #domain(handle: number, rank: number, start: number, end: number): number {
    const from = this.#point(start).slice(0, rank);
    const to = this.#point(end).slice(0, rank);
    const part = this.#add(this.#stream(handle).domain(from, to));
    this.#activations[this.#activations.length - 1]?.parts.push(part);
    return part;
  }

  #setDomain(kernel: number, what: 'offset' | 'size', pointer: number): undefined {
    const known = this.#domains.get(kernel) ?? {};
    known[what] = this.#point(pointer);
    this.#domains.set(kernel, known);
    return undefined;
  }

  #valueArgument(pointer: number): undefined {
    const formal = this.#formalOfNext();
    if (formal) this.#call!.args.push(this.#bytes(pointer, layoutOf(formal.type).size));
    return undefined;
  }

  #resultArgument(pointer: number): undefined {
    const formal = this.#formalOfNext();
    if (!formal) return undefined;
    const bytes = new Uint8Array(layoutOf(formal.type).size);
    this.#call!.args.push(bytes);
    this.#call!.results.push({ pointer, bytes });
    return undefined;
  }

  #formalOfNext() {
    const call = this.#call;
    return call && this.#program.kernels[call.kernel]?.formals[call.args.length];
  }

  #run(): undefined {
    const call = this.#call;
    const kernel = call && this.#program.kernels[call.kernel];
    this.#call = undefined;
    if (!call || !kernel) return undefined;
    const domain = this.#domains.get(call.kernel);
    this.#domains.delete(call.kernel);
    runKernel(this.session, kernel, call.args, domain, this.#options.permitsAliasing);
    for (const { pointer, bytes } of call.results) this.#bytes(pointer, bytes.length).set(bytes);
    for (const arg of call.args) if (arg instanceof Stream) this.#tell(arg);
    return undefined;
  }

  /** Says what a stream's log has that was not said yet, if it is in error. */
  #tell(stream: Stream): void {
    const log = stream.errorLog();
    const told = this.#told.get(stream) ?? 0;
    if (log.length === told) return;
    this.#told.set(stream, log.length);
    if (stream.isFaulty) this.#options.onError?.(log.slice(told).trimEnd());
  }
}
