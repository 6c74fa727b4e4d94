/**
 * A document that moves, on the device: its program, buffers that go on from frame to frame, and the launches of a frame. It runs in the
 * worker; the same runs one frame for the Run button.
 */
import {
  compile,
  type DeviceBuffer,
  type DeviceImage,
  devices,
  type Kernel,
  type KernelArgument,
  type KernelParameter,
  local,
  type Program,
  sampler,
} from 'millrace';
import { type BoundArgument, bindArguments } from '../../../src/cli/arguments/bind.ts';
import { type Elements, elementShape, valueBytes } from '../../../src/cli/arguments/elements.ts';
import { guessGlobal } from '../../../src/cli/arguments/launch.ts';
import type { Picture } from '../../../src/cli/arguments/picture.ts';
import { pictureToElements, pixelForm } from '../../../src/cli/arguments/pixels.ts';
import { readNamedSpecification, readSizes } from '../../../src/cli/arguments/specification.ts';
import type { Document } from '../document.ts';
import { addPicture, argumentHelpPlace, loadPhoto, pageFiles, photoName } from '../run/files.ts';
import { type Directives, type FrameStep, firstOf, readDirectives } from './directives.ts';
import { drawnPicture } from './drawn-picture.ts';
import {
  cameraFile,
  type FrameInputs,
  firstInputs,
  type LiveWord,
  liveWordOf,
  stillWords,
  valuesOf,
} from './words.ts';

/** Milliseconds after which a launch is stopped. */
const timeout = 20_000;

/** An argument with its place on the device. */
interface Held {
  readonly argument: BoundArgument;
  readonly memory: DeviceBuffer | DeviceImage | undefined;
  readonly word: LiveWord | undefined;
}

/** What a frame has drawn, still on the device. */
export interface Drawn {
  readonly memory: DeviceBuffer | DeviceImage;
  /** The argument's elements on the host, of the shape of the device's. */
  readonly elements: Elements;
  readonly width: number;
  readonly height: number;
  readonly name: string;
}

export interface FramesOptions {
  readonly print?: (text: string) => void;
  /** Those before an edit: buffers of the same name, type and size go on. */
  readonly before?: Frames | undefined;
}

/** With the numbers of its sliders where the launch form has none. */
export function withSliders(
  args: Readonly<Record<string, string>>,
  { sliders }: Directives,
): Record<string, string> {
  const all: Record<string, string> = { ...args };
  for (const [name, range] of sliders) if (!all[name]?.trim()) all[name] = String(firstOf(range));
  return all;
}

export class Frames {
  readonly program: Program;
  #document: Document;
  readonly #start: readonly FrameStep[];
  readonly #frame: readonly FrameStep[];
  readonly #kernels: ReadonlyMap<string, Kernel>;
  /** By the names of parameters; exchanges change who has which name. */
  readonly #held: Map<string, Held>;
  readonly #global: readonly number[] | undefined;
  readonly #local: readonly number[] | undefined;
  #isStarted = false;

  private constructor(
    program: Program,
    document: Document,
    directives: Directives,
    kernels: ReadonlyMap<string, Kernel>,
  ) {
    this.program = program;
    this.#document = document;
    const first = kernels.keys().next().value!;
    this.#start = directives.start;
    this.#frame =
      directives.frame.length > 0
        ? directives.frame
        : [{ kernel: first, global: [], exchanges: [], count: 1 }];
    this.#kernels = kernels;
    this.#held = new Map();
    const { global, local } = document.launch;
    this.#global = global.trim() ? readSizes(global, 'Work-items', 1) : undefined;
    this.#local = local.trim() ? readSizes(local, 'Work-group', 1) : undefined;
  }

  /** @throws Error in words for the page: of the source, its directives or an argument */
  static async create(document: Document, { print, before }: FramesOptions = {}): Promise<Frames> {
    const directives = readDirectives(document.source);
    const program = await compile(document.source, {
      name: 'kernel.cl',
      options: document.options,
      timeout,
      device: document.device,
      ...(print ? { print } : {}),
    });
    try {
      const frames = new Frames(program, document, directives, kernelsOf(program, document, directives));
      await frames.#bind(directives);
      if (before) await frames.#goOn(before);
      return frames;
    } catch (error) {
      program.release();
      throw error;
    }
  }

  async #bind(directives: Directives): Promise<void> {
    const { launch } = this.#document;
    const args = withSliders(launch.args, directives);
    const parameters = sharedParameters(this.#kernels.values());
    const { args: still, cameras } = stillWords(parameters, args);
    const words: Record<string, string> = { ...still };
    // Buffers that change places begin with zeros, as many as the other of the pair has elements.
    for (const { exchanges } of [...this.#start, ...this.#frame]) {
      for (const [one, other] of exchanges) {
        const [hasOne, hasOther] = [one, other].map((name) => Boolean(words[name]?.trim()));
        if (!hasOne) words[one] = hasOther ? `like:${other}` : 'zeros';
        if (!hasOther) words[other] = `like:${one}`;
      }
    }
    for (const [width, height] of cameras)
      addPicture(cameraFile(width, height), drawnPicture(width, height, 0));
    if (Object.values(words).includes(photoName)) await loadPhoto();
    const global = this.#global;
    const bound = bindArguments(
      parameters,
      parameters
        .filter(({ name }) => words[name]?.trim())
        .map(({ name }) => readNamedSpecification(`${name}=${words[name]!.trim()}`)),
      {
        workItems: global?.reduce((product, size) => product * size, 1),
        launchSize: global?.length === 2 ? { width: global[0]!, height: global[1]! } : undefined,
        largestBuffer: devices({ drivers: false })[0]!.info.maxMemAllocSize,
        files: pageFiles,
        help: argumentHelpPlace,
      },
    );
    for (const argument of bound) {
      const { name } = argument.parameter;
      this.#held.set(name, {
        argument,
        memory: this.#memoryFor(argument),
        word: liveWordOf(argument.parameter, args),
      });
    }
    for (const { kernel, exchanges } of [...this.#start, ...this.#frame]) {
      for (const pair of exchanges) {
        const [one, other] = pair.map((name) => this.#held.get(name));
        if (!one?.memory || !other?.memory)
          throw new Error(`${kernel}: ${pair.join(' <-> ')} are no two buffers of its frame.`);
        if (
          one.argument.parameter.typeName !== other.argument.parameter.typeName ||
          bytesOf(one) !== bytesOf(other)
        )
          throw new Error(
            `${kernel}: ${pair.join(' and ')} change places, and are not of one type and size.`,
          );
      }
    }
  }

  #memoryFor({ value, picture }: BoundArgument): DeviceBuffer | DeviceImage | undefined {
    if (value.kind === 'buffer') return this.program.buffer(value.elements.bytes);
    if (value.kind !== 'image') return undefined;
    const { width, height } = picture!;
    return this.program.image({
      width,
      height,
      order: 'RGBA',
      type: 'UNORM_INT8',
      data: value.elements.bytes,
    });
  }

  /** Takes over what the buffers of an earlier state of the document hold. */
  async #goOn(before: Frames): Promise<void> {
    for (const [name, held] of this.#held) {
      const old = before.#held.get(name);
      if (!held.memory || !old?.memory || held.word) continue;
      const words = (frames: Frames) => frames.#document.launch.args[name];
      const isSame =
        old.argument.parameter.typeName === held.argument.parameter.typeName &&
        bytesOf(old) === bytesOf(held) &&
        old.argument.value.kind === held.argument.value.kind &&
        words(before) === words(this);
      if (!isSame) continue;
      await held.memory.write(await old.memory.read(Uint8Array));
    }
    this.#isStarted = before.#isStarted && before.#start.length > 0 === this.#start.length > 0;
  }

  /** Whether a frame differs from the one before it though nobody does anything. */
  get moves(): boolean {
    const isNew = [...this.#held.values()].some(
      ({ word }) => word?.kind === 'time' || word?.kind === 'frame' || word?.kind === 'camera',
    );
    return isNew || this.#frame.some(({ exchanges }) => exchanges.length > 0) || this.#start.length > 0;
  }

  get usesMouse(): boolean {
    return [...this.#held.values()].some(({ word }) => word?.kind.startsWith('mouse'));
  }

  /** What a camera has to give, if one is asked for. */
  get camera(): { readonly width: number; readonly height: number } | undefined {
    for (const { word } of this.#held.values()) if (word?.kind === 'camera') return word;
    return undefined;
  }

  /** Puts other numbers into value arguments; false if the change needs buffers anew. */
  changeArguments({ launch, ...rest }: Document): boolean {
    const { launch: old, source, options, device } = this.#document;
    const needs = (one: Document['launch'], ...more: unknown[]) =>
      JSON.stringify([one.kernel, one.global, one.local, ...more]);
    if (needs(launch, rest.source, rest.options, rest.device) !== needs(old, source, options, device))
      return false;
    const changes: [string, Held][] = [];
    for (const name of new Set([...Object.keys(launch.args), ...Object.keys(old.args)])) {
      const words = launch.args[name]?.trim() ?? '';
      if (words === (old.args[name]?.trim() ?? '')) continue;
      const held = this.#held.get(name);
      if (!held) continue;
      if (held.argument.value.kind !== 'bytes' || held.word || !/^[-+.\d]/.test(words)) return false;
      const { parameter } = held.argument;
      try {
        const bytes = valueBytes(elementShape(parameter.layout, parameter.typeName), [words], name);
        changes.push([name, { ...held, argument: { parameter, value: { kind: 'bytes', bytes } } }]);
      } catch {
        return false;
      }
    }
    for (const [name, held] of changes) this.#held.set(name, held);
    this.#document = { ...rest, launch };
    return true;
  }

  /** One frame; resolves when the device has done it, with the nanoseconds that its launches took. */
  async run(inputs: FrameInputs = firstInputs, camera?: Picture): Promise<number> {
    this.#take(inputs, camera);
    let nanoseconds = 0;
    const steps = this.#isStarted ? this.#frame : [...this.#start, ...this.#frame];
    this.#isStarted = true;
    const launches: Promise<{ readonly started: bigint; readonly ended: bigint }>[] = [];
    for (const { kernel: name, global, exchanges, count } of steps) {
      const kernel = this.#kernels.get(name)!;
      for (let at = 0; at < count; at++) {
        const args = kernel.parameters.map((parameter) => this.#held.get(parameter.name)!);
        const range = this.#rangeOf(kernel, global, args);
        launches.push(kernel(range, ...args.map(argumentOf)));
        for (const [one, other] of exchanges) this.#exchange(one, other);
      }
    }
    for (const result of await Promise.allSettled(launches)) {
      if (result.status === 'rejected') throw result.reason;
      nanoseconds += Number(result.value.ended - result.value.started);
    }
    return nanoseconds;
  }

  #rangeOf(kernel: Kernel, asked: readonly number[], args: readonly Held[]) {
    const bound = args.map(({ argument }) => argument);
    const isOwn = asked.length > 0;
    const global = isOwn ? asked : (this.#global ?? guessGlobal(bound, this.#local, kernel));
    const fits = !isOwn && this.#local?.length === global.length;
    return { global, local: fits ? this.#local : undefined };
  }

  #take(inputs: FrameInputs, camera: Picture | undefined): void {
    for (const [name, held] of this.#held) {
      const { word, argument, memory } = held;
      if (!word) continue;
      const { parameter } = argument;
      if (word.kind === 'camera') {
        const picture =
          camera?.width === word.width && camera.height === word.height
            ? camera
            : drawnPicture(word.width, word.height, inputs.time);
        const { value } = argument;
        if (value.kind !== 'buffer' && value.kind !== 'image') continue;
        const { bytes } = pictureToElements(picture, value.elements.shape, name);
        void memory!.write(bytes);
        continue;
      }
      const shape = elementShape(parameter.layout, parameter.typeName);
      const { layout } = parameter;
      const element = layout?.kind === 'vector' ? layout.element : layout;
      const isUnsigned = element?.kind === 'integer' && !element.signed;
      const texts = valuesOf(word, inputs, shape.places.length, element?.kind !== 'float').map((text) =>
        isUnsigned && text.startsWith('-') ? '0' : text,
      );
      const bytes = valueBytes(shape, texts, name);
      this.#held.set(name, { ...held, argument: { parameter, value: { kind: 'bytes', bytes } } });
    }
  }

  #exchange(one: string, other: string): void {
    const [a, b] = [this.#held.get(one)!, this.#held.get(other)!];
    // Names, and what the form said of them, stay; the memory moves.
    this.#held.set(one, { ...a, memory: b.memory });
    this.#held.set(other, { ...b, memory: a.memory });
  }

  /** The picture of the last kernel of a frame: of its results the first that can be shown as one. */
  drawn(): Drawn | undefined {
    const last = this.#frame.at(-1)!;
    const kernel = this.#kernels.get(last.kernel)!;
    const args = kernel.parameters.map((parameter) => this.#held.get(parameter.name)!);
    const { global } = this.#rangeOf(kernel, last.global, args);
    const found = kernel.parameters.flatMap((parameter, at): Drawn[] => {
      const { argument, memory } = args[at]!;
      const { value } = argument;
      if ((value.kind !== 'buffer' && value.kind !== 'image') || !memory || !isWritten(parameter)) return [];
      const form = pixelForm(value.elements.shape);
      if (!form) return [];
      const isWhole = global.length === 2 && value.elements.count === global[0]! * global[1]!;
      const size = argument.picture ?? (isWhole ? { width: global[0]!, height: global[1]! } : undefined);
      if (!size || (!argument.picture && form !== 'bytes')) return [];
      return [{ memory, elements: value.elements, ...size, name: parameter.name }];
    });
    return found.find(({ elements }) => pixelForm(elements.shape) === 'bytes') ?? found[0];
  }

  /** What the last kernel may have written, read back into the arguments. */
  async results(): Promise<{
    readonly kernel: string;
    readonly global: readonly number[];
    readonly bound: readonly BoundArgument[];
  }> {
    const last = this.#frame.at(-1)!;
    const kernel = this.#kernels.get(last.kernel)!;
    const args = kernel.parameters.map((parameter) => this.#held.get(parameter.name)!);
    const written = args.filter((held, at) => held.memory && isWritten(kernel.parameters[at]!));
    for (const { argument, memory } of written) {
      const { value } = argument;
      if (value.kind === 'buffer' || value.kind === 'image')
        value.elements.bytes.set(await memory!.read(Uint8Array));
    }
    const { global } = this.#rangeOf(kernel, last.global, args);
    return { kernel: kernel.name, global, bound: written.map(({ argument }) => argument) };
  }

  release(): void {
    for (const { memory } of this.#held.values()) memory?.release();
    this.program.release();
  }
}

function bytesOf({ argument: { value } }: Held): number {
  return value.kind === 'buffer' || value.kind === 'image' ? value.elements.bytes.length : 0;
}

function isWritten(parameter: KernelParameter): boolean {
  if (parameter.kind === 'image') return parameter.image?.access !== 'read_only';
  return parameter.kind === 'global' && !parameter.isConst;
}

function argumentOf({ argument: { value }, memory }: Held): KernelArgument {
  switch (value.kind) {
    case 'local':
      return local(value.bytes);
    case 'null':
      return null;
    case 'bytes':
      return value.bytes;
    case 'sampler':
      return sampler(value.settings);
    case 'buffer':
    case 'image':
      return memory!;
  }
}

/** The kernels of a document's frames, the launch form's alone if the source names none. */
function kernelsOf(
  program: Program,
  { launch }: Document,
  { start, frame }: Directives,
): Map<string, Kernel> {
  const names = program.kernelNames;
  const wanted =
    frame.length > 0
      ? [...new Set([...frame, ...start].map(({ kernel }) => kernel))]
      : [names.includes(launch.kernel) ? launch.kernel : names[0], ...start.map(({ kernel }) => kernel)];
  return new Map(
    wanted.map((name): [string, Kernel] => {
      if (name === undefined) throw new Error('The source has no kernel.');
      if (!names.includes(name)) throw new Error(`There is no kernel '${name}', which a frame is to run.`);
      return [name, program.kernel(name)];
    }),
  );
}

/** The parameters of all kernels by name: those of one name are one argument. */
function sharedParameters(kernels: Iterable<Kernel>): KernelParameter[] {
  const all = new Map<string, KernelParameter>();
  const typeOf = ({ typeName }: KernelParameter) => typeName.replace(/\b(const|volatile|restrict)\b|\s/g, '');
  for (const { name: kernel, parameters } of kernels) {
    for (const parameter of parameters) {
      const known = all.get(parameter.name);
      if (!known) all.set(parameter.name, parameter);
      else if (typeOf(known) !== typeOf(parameter))
        throw new Error(
          `'${parameter.name}' of ${kernel} is ${parameter.typeName}, and ${known.typeName} in another kernel of the frame: of one name there is one argument.`,
        );
    }
  }
  return [...all.values()];
}
