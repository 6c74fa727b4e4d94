/**
 * The entry of the WGSL back end: a kernel of an IR module in work-item form goes in, and a WebGPU compute shader that means the same
 * comes out. One shader has one kernel, with the functions that it calls.
 *
 * The shader's bindings: in group 0, 1 has the words of a launch (queries.ts) and the kernel's arguments, as a uniform, and 2, where the
 * kernel prints, the buffer of printf; in group 1, 0 is all memory of a context, in which pointers are byte offsets. The local size is
 * three pipeline constants, `size_x` to `size_z`; `local_words` is how many words of local memory the launch has.
 */

import { calleesFirst, directCallees } from '../../ir/call-order.ts';
import type * as ir from '../../ir/ir.ts';
import type { PrintfSite } from '../../ir/printf/record.ts';
import { elementOf, lanesOf, sizeOf, type Type } from '../../ir/types.ts';
import { walkFunction } from '../../ir/walk.ts';
import { isBuiltin } from './builtins.ts';
import { collectiveArray, collectiveFunction } from './collectives.ts';
import { fromWords } from './conversions.ts';
import { WgslError } from './error.ts';
import { FunctionWriter, type Line } from './function-writer.ts';
import { unsignedLiteral } from './literals.ts';
import { MemoryFunctions } from './memory-functions.ts';
import { orderedFunction, orderedText } from './order.ts';
import type { Precision } from './precision.ts';
import type { PlaceText, ProgramContext } from './program-context.ts';
import {
  type BufferUse,
  findProvenance,
  imageBehind,
  isImageParameter,
  type Provenance,
  type Root,
} from './provenance.ts';
import { argumentWord, groupText, launchWords } from './queries.ts';
import { type RuntimeName, runtimeTexts } from './runtime.ts';
import { firstFree, MemoryUse, type Place, type PlaceOf, placeBehind } from './spaces.ts';
import { typeText } from './types.ts';

export { WgslError } from './error.ts';
export { groupText, launchWords } from './queries.ts';

/** Words of a launch's block. */
export interface ArgumentPlace {
  readonly word: number;
  readonly words: number;
  /** It is the address of a struct in constant memory. */
  readonly isStruct: boolean;
  /** The words of an image's descriptor, of which the first is where its pixels begin in what is bound. */
  readonly isDescriptor: boolean;
}

/** A shader with one kernel. */
export interface WgslShader {
  readonly code: string;
  /** The shader's entry point. */
  readonly entry: string;
  /** The word of the launch's block where each argument begins, and how many it takes. */
  readonly arguments: readonly ArgumentPlace[];
  /** Words of the launch's block, a multiple of four. */
  readonly blockWords: number;
  /** Bytes of local memory of the kernel's own variables, with those that are nobody's; arguments' follow. */
  readonly localBytes: number;
  /** Bytes of local memory that each work-item takes beside. */
  readonly collectiveBytes: number;
  readonly bindings: { readonly memory: boolean; readonly printed: boolean };
  readonly hasLocal: boolean;
}

/** A buffer that the variant with bindings has at the binding of its place in the list. */
export interface BoundBuffer {
  /** The parameter that points to it; from the number of parameters on, the pixels of the images in their order; -1 for the program's variables. */
  readonly argument: number;
  /** What its address must be a multiple of. */
  readonly align: number;
  /** Else it is declared for reading only: {@link writableBuffers} makes a shader of it that has it for both. */
  readonly isWritten: boolean;
}

/** A kernel as a shader over the arena, and as one with a binding for each buffer where that can be. */
export interface WgslKernel extends WgslShader {
  readonly name: string;
  readonly privateBytes: number;
  readonly printfSites: readonly PrintfSite[];
  /** The parameters whose memory is written; undefined where that is not known. */
  readonly writes: readonly number[] | undefined;
  readonly bound?: WgslShader & { readonly buffers: readonly BoundBuffer[] };
}

/** Where program-scope variables lie, from the place on that a launch says. */
export interface GlobalLayout {
  readonly offsets: ReadonlyMap<ir.GlobalVariable, number>;
  readonly size: number;
}

export function layOutGlobals(module: ir.Module): GlobalLayout {
  const offsets = new Map<ir.GlobalVariable, number>();
  let size = 0;
  for (const global of module.globals) {
    size = Math.ceil(size / Math.max(global.align, 4)) * Math.max(global.align, 4);
    offsets.set(global, size);
    size += global.size;
  }
  return { offsets, size };
}

export interface WgslOptions extends Precision {
  /** For comments behind lines that say where in the source they come from. */
  readonly placeText?: PlaceText | undefined;
}

/**
 * Writes the kernel of that name. The module must be linked, optimised for the target `wgsl`.
 * @throws WgslError for what WGSL has no form for
 */
export function writeWgsl(
  module: ir.Module,
  name: string,
  globals = layOutGlobals(module),
  options: WgslOptions = {},
): WgslKernel {
  const kernel = module.functions.find((fn) => fn.name === name && fn.kind === 'kernel' && fn.body);
  if (!kernel) throw new RangeError(`there is no kernel '${name}'`);
  const arena = new Program(module, kernel, globals, options);
  const written = arena.write();
  const bound = arena.provenance && new Program(module, kernel, globals, options, arena.provenance);
  if (!bound?.provenance || bound.buffers.length === 0) return written;
  const {
    name: _name,
    privateBytes: _bytes,
    printfSites: _sites,
    writes: _writes,
    ...shader
  } = bound.write();
  return { ...written, bound: { ...shader, buffers: bound.buffers } };
}

class Program implements ProgramContext {
  readonly memory: MemoryUse;
  readonly functions: MemoryFunctions;
  readonly printfSites: PrintfSite[] = [];
  readonly #kernel: ir.Function;
  readonly #callees: readonly ir.Function[];
  readonly #globals: GlobalLayout;
  readonly #runtime = new Set<RuntimeName>();
  readonly #names = new Map<ir.Function, string>();
  readonly #meeting = new Map<ir.Function, boolean>();
  readonly #offsets = new Map<ir.Variable, number>();
  readonly #collectives = new Map<string, string>();
  readonly #ordered = new Map<string, string>();
  /** Where each pointer leads: of the arena variant what has been found out, of the other what it is written by. */
  readonly provenance: Provenance | undefined;
  /** Of the variant with bindings. */
  readonly buffers: readonly BoundBuffer[];
  readonly placeOf: PlaceOf;
  readonly placeText: PlaceText | undefined;
  readonly isExact: boolean;
  readonly isRelaxed: boolean;
  readonly #elements: ReadonlyMap<Place, number>;
  readonly #isBound: boolean;
  #isUnified = false;
  #localBytes = firstFree;
  #privateBytes = firstFree;

  /** @param by for the variant with a binding for each buffer */
  constructor(
    module: ir.Module,
    kernel: ir.Function,
    globals: GlobalLayout,
    { placeText, isExact = false, isRelaxed = false }: WgslOptions,
    by?: Provenance,
  ) {
    this.placeText = placeText;
    this.isExact = isExact;
    this.isRelaxed = isRelaxed;
    if (module.addressBits !== 32) throw new WgslError('WGSL is written for addresses of 32 bits');
    if (kernel.form === 'work-group') throw new WgslError(`'${kernel.name}' is in work-group form`);
    const { functions, recurring } = calleesFirst([kernel], (fn) => (isBuiltin(fn) ? [] : directCallees(fn)));
    for (const fn of recurring) throw new WgslError(`'${fn.name}' calls itself`, fn.span);
    this.#kernel = kernel;
    this.#callees = functions.filter((fn) => fn !== kernel && fn.body && !isBuiltin(fn));
    this.#globals = globals;
    const all = [...this.#callees, kernel];
    this.provenance = by ?? findProvenance(kernel, this.#callees);
    const bound = boundBuffers(by?.buffers ?? []);
    this.placeOf = (pointer) => {
      const place = placeBehind(pointer);
      return by && place === 'memory' ? bound.places.get(by.rootOf.get(pointer)!)! : place;
    };
    this.memory = new MemoryUse(all, this.placeOf);
    // What is written by parts of words has words as elements.
    this.#elements = new Map([...bound.elements].filter(([place]) => !this.memory.isAtomic(place)));
    this.buffers = bound.buffers.map((root, index) => ({
      argument: argumentOf(root, kernel),
      align: this.elementWords(`buffer_${index}`) > 1 ? this.elementWords(`buffer_${index}`) * 4 : 1,
      isWritten: by?.buffers.find((use) => use.root === root)?.isWritten ?? true,
    }));
    this.#isBound = by !== undefined;
    this.functions = new MemoryFunctions(this.memory);
    for (const fn of this.#callees) this.#names.set(fn, this.#functionName(fn));
    this.#layOutVariables(all);
  }

  // --------------------------------------------------------------------------------------------- context

  use(name: RuntimeName): string {
    const own =
      this.isExact && (name === 'f32_div' || name === 'f32_sqrt') ? (`${name}_exact` as const) : name;
    this.#runtime.add(own);
    return own;
  }

  inOrder(lanes: number): string {
    const { name, text } = orderedFunction(lanes);
    this.#ordered.set(name, text);
    return name;
  }

  nameOf(fn: ir.Function): string {
    return this.#names.get(fn)!;
  }

  meets(fn: ir.Function): boolean {
    let known = this.#meeting.get(fn);
    if (known === undefined) {
      known = false;
      walkFunction(fn, (instruction) => {
        if (instruction.op === 'barrier' || instruction.op === 'collective') known = true;
        if (instruction.op === 'call' && this.meets(instruction.callee)) known = true;
      });
      this.#meeting.set(fn, known);
    }
    return known;
  }

  elementWords(place: Place): number {
    return this.#elements.get(place) ?? 1;
  }

  offsetOf(variable: ir.Variable): number {
    return this.#offsets.get(variable)!;
  }

  addressOf(global: ir.GlobalVariable): string {
    const offset = this.#globals.offsets.get(global)!;
    const base = argumentWord(launchWords.globals);
    return offset === 0 ? base : `(${base} + ${unsignedLiteral(offset)})`;
  }

  usesUnified(): void {
    this.#isUnified = true;
  }

  collective(instruction: ir.Collective): string {
    const { name, text } = collectiveFunction(instruction, (used) => this.use(used));
    this.#collectives.set(name, text);
    return name;
  }

  // --------------------------------------------------------------------------------------------- program

  #functionName(fn: ir.Function): string {
    const name = fn.name.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
    const taken = new Set(this.#names.values());
    let unique = `fn_${name}`;
    for (let number = 1; taken.has(unique); number += 1) unique = `fn_${name}_${number}`;
    return unique;
  }

  /** Private variables of a function lie behind those of all that call it, as calls do not recur. */
  #layOutVariables(all: readonly ir.Function[]): void {
    const starts = new Map<ir.Function, number>(all.map((fn) => [fn, firstFree]));
    for (const fn of all.toReversed()) {
      let end = starts.get(fn)!;
      walkFunction(fn, (instruction) => {
        if (instruction.op !== 'variable') return;
        const align = Math.max(instruction.align, 4);
        const at = instruction.space === 'local' ? this.#localBytes : end;
        const offset = Math.ceil(at / align) * align;
        this.#offsets.set(instruction, offset);
        const next = offset + instruction.size;
        if (instruction.space === 'local') this.#localBytes = next;
        else end = next;
      });
      this.#privateBytes = Math.max(this.#privateBytes, end);
      walkFunction(fn, (instruction) => {
        if (instruction.op !== 'call' || !starts.has(instruction.callee)) return;
        starts.set(instruction.callee, Math.max(starts.get(instruction.callee)!, end));
      });
    }
  }

  write(): WgslKernel {
    const kernel = this.#kernel;
    let word: number = launchWords.arguments;
    const known = new Map<ir.Value, string>();
    const places = kernel.parameters.map((parameter): ArgumentPlace => {
      const { value, info, aggregate } = parameter;
      const isDescriptor = this.#isBound && isImageParameter(parameter);
      const bytes = Math.max(
        aggregate ? (this.#isBound ? aggregate.size : 4) : (info?.layout?.size ?? 0),
        value.type.kind === 'opaque' ? 4 : sizeOf(elementOf(value.type)) * lanesOf(value.type),
      );
      const words = isDescriptor ? descriptorWords : Math.ceil(bytes / 4);
      const place = { word, words, isStruct: aggregate !== undefined, isDescriptor };
      word += words;
      return place;
    });
    const writers: string[] = [];
    for (const fn of this.#callees) writers.push(this.#function(fn));
    const head: Line[] = [];
    for (const [index, { value, aggregate }] of kernel.parameters.entries()) {
      const { word: at, isDescriptor } = places[index]!;
      if ((aggregate && this.#isBound) || isDescriptor) {
        known.set(value, unsignedLiteral(at * 4));
        continue;
      }
      known.set(value, this.#parameter(value, index, at, head));
    }
    const body = new FunctionWriter(kernel, kernel.body!, this).write(kernel.body!, known);
    const blockWords = Math.ceil(word / 4) * 4;
    const entry = `kernel_${kernel.name.replace(/[^A-Za-z0-9]+/g, '_')}`;
    const entryText = this.#entry(entry, [...head, ...body], [...writers, ...this.#collectives.values()]);
    const parts = [
      ...this.#bindings(blockWords),
      ...(this.#ordered.size > 0 ? [orderedText, ...this.#ordered.values()] : []),
      ...runtimeTexts(this.#runtime),
      ...this.functions.texts,
      ...this.#collectives.values(),
      ...(this.#isUnified ? [ofFirstItem] : []),
      ...writers,
      entryText,
    ];
    return {
      name: kernel.name,
      code: `${parts.join('\n\n')}\n`,
      entry,
      arguments: places,
      blockWords,
      localBytes: this.#localBytes,
      privateBytes: this.#privateBytes - firstFree,
      collectiveBytes: this.#collectives.size > 0 ? 8 : 0,
      bindings: { memory: this.memory.used.has('memory'), printed: this.printfSites.length > 0 },
      hasLocal: this.memory.used.has('local_memory'),
      printfSites: this.printfSites,
      writes: this.provenance?.buffers.filter(({ isWritten }) => isWritten).map(({ root }) => root),
    };
  }

  #parameter(value: ir.Value, index: number, at: number, head: Line[]): string {
    const words = Array.from({ length: Math.ceil(valueBytes(value.type) / 4) }, (_, word) =>
      argumentWord(at + word),
    );
    const text = fromWords(value.type, words);
    if (text === words[0]) return text;
    const name = `argument_${index}`;
    head.push({ depth: 1, text: `let ${name} = ${text};` });
    return name;
  }

  #bindings(blockWords: number): string[] {
    const lines: string[] = [];
    const array = (place: Place): string => (this.memory.isAtomic(place) ? 'array<atomic<u32>' : 'array<u32');
    if (this.memory.used.has('memory')) {
      lines.push(`@group(1) @binding(0) var<storage, read_write> memory: ${array('memory')}>;`);
    }
    for (const [index, { isWritten }] of this.buffers.entries()) {
      const place: Place = `buffer_${index}`;
      const words = this.elementWords(place);
      const type = words > 1 ? `array<vec${words}<u32>` : array(place);
      const access = isWritten ? 'read_write' : 'read';
      lines.push(`@group(1) @binding(${index}) var<storage, ${access}> ${place}: ${type}>;`);
    }
    lines.push(`@group(0) @binding(1) var<uniform> arguments: array<vec4<u32>, ${blockWords / 4}>;`);
    if (this.printfSites.length > 0) {
      lines.push('@group(0) @binding(2) var<storage, read_write> printed: array<atomic<u32>>;');
    }
    lines.push('override size_x: u32 = 64u;', 'override size_y: u32 = 1u;', 'override size_z: u32 = 1u;');
    if (this.memory.used.has('local_memory')) {
      lines.push(
        `override local_words: u32 = ${Math.ceil(this.#localBytes / 4)}u;`,
        `var<workgroup> local_memory: ${array('local_memory')}, local_words>;`,
      );
    }
    if (this.memory.used.has('private_memory')) {
      // What is read unaligned may end a word further.
      const words = Math.ceil(this.#privateBytes / 4) + 1;
      lines.push(`var<private> private_memory: array<u32, ${words}>;`);
    }
    if (this.#collectives.size > 0) {
      lines.push(
        `override group_items: u32 = 64u;`,
        `var<workgroup> ${collectiveArray}: array<vec2<u32>, group_items>;`,
      );
    }
    return [lines.join('\n')];
  }

  #function(fn: ir.Function): string {
    const known = new Map(fn.parameters.map(({ value }, index) => [value, `argument_${index}`]));
    const parameters = fn.parameters.map(({ value }) => `${known.get(value)}: ${typeText(value.type)}`);
    const body = new FunctionWriter(fn, fn.body!, this).write(fn.body!, known);
    const result = fn.result ? ` -> ${typeText(fn.result)}` : '';
    return `fn ${this.nameOf(fn)}(${parameters.join(', ')})${result} {\n${body.map(indented).join('')}}`;
  }

  #entry(name: string, lines: readonly Line[], others: readonly string[]): string {
    const body = lines.map(indented).join('');
    const needs = (word: string, text: string): boolean => new RegExp(`\\b${word}\\b`).test(text);
    const elsewhere = others.join('\n');
    const parameters: string[] = [];
    const head: string[] = [];
    const globals: string[] = [];
    const take = (
      id: string,
      type: string,
      builtin: string,
      textFor = (given: string): string => given,
      unified = false,
    ): void => {
      const outside = needs(id, elsewhere) || unified;
      if (!outside && !needs(id, body)) return;
      const given = textFor(id) === id && !outside ? id : `${id}_given`;
      parameters.push(`@builtin(${builtin}) ${given}: ${type}`);
      // Functions read it from a variable of the work-item; the kernel itself has what WGSL knows more about.
      if (outside) {
        globals.push(`var<private> ${id}: ${type};`);
        head.push(`  ${id} = ${textFor(given)};\n`);
      }
      if (given !== id && needs(id, body)) head.push(`  let ${id} = ${textFor(given)};\n`);
    };
    take('local_id', 'vec3<u32>', 'local_invocation_id');
    take('group_id', 'vec3<u32>', 'workgroup_id', groupText);
    take('local_index', 'u32', 'local_invocation_index', undefined, this.#isUnified);
    const text = `@compute @workgroup_size(size_x, size_y, size_z)\nfn ${name}(${parameters.join(', ')}) {\n${head.join('')}${body}}`;
    return globals.length > 0 ? `${globals.join('\n')}\n\n${text}` : text;
  }
}

/** Of an image's descriptor, as src/runtime/image-descriptor.ts has it. */
const descriptorWords = 16;

/** The number of the argument of a launch that a root is: see {@link BoundBuffer}. */
function argumentOf(root: Root, { parameters }: ir.Function): number {
  const image = imageBehind(root);
  if (image === undefined) return root;
  return parameters.length + parameters.slice(0, image).filter(isImageParameter).length;
}

/** The arrays of the variant with bindings: by whose pointers they are reached, and words of their elements. */
function boundBuffers(uses: readonly BufferUse[]): {
  readonly places: ReadonlyMap<Root, Place>;
  readonly elements: ReadonlyMap<Place, number>;
  readonly buffers: readonly Root[];
} {
  const places = new Map<Root, Place>();
  const elements = new Map<Place, number>();
  const buffers: Root[] = [];
  for (const { root, isStruct, elementWords } of uses) {
    if (isStruct) {
      places.set(root, 'block');
      continue;
    }
    const place: Place = `buffer_${buffers.length}`;
    places.set(root, place);
    if (elementWords > 1) elements.set(place, elementWords);
    buffers.push(root);
  }
  return { places, elements, buffers };
}

/**
 * The shader of the variant with bindings, with all buffers for reading and writing: for launches where one that is only read is a part of
 * one that is written, too.
 */
export function writableBuffers(code: string): string {
  return code.replace(/^(@group\(1\) @binding\(\d+\) var<storage, )read>/gm, '$1read_write>');
}

/** Takes a word from the group's first work-item for all. WGSL knows that what this gives is the same for all. */
const ofFirstItem = `var<workgroup> first_word: u32;

fn of_first_item(word: u32) -> u32 {
  if (local_index == 0u) {
    first_word = word;
  }
  return workgroupUniformLoad(&first_word);
}`;

function valueBytes(type: Type): number {
  return type.kind === 'opaque' ? 4 : sizeOf(elementOf(type)) * lanesOf(type);
}

function indented({ depth, text, place }: Line): string {
  return `${'  '.repeat(depth)}${text}${place === undefined ? '' : `  // ${place}`}\n`;
}
