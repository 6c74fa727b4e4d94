/**
 * The library as programs get it, compiled and optimised when Millrace was built, against its sources: it is what these
 * give now, and computes what they compute as they stand.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileLibrary, lowerLibrary } from '../../scripts/compile-library.ts';
import { PartsReader } from '../../src/ir/binary/module-reader.ts';
import { Interpreter } from '../../src/ir/interpreter.ts';
import type * as ir from '../../src/ir/ir.ts';
import { linkModules } from '../../src/ir/link.ts';
import { sizeOf, type Type, typeName } from '../../src/ir/types.ts';
import { verifyModule } from '../../src/ir/verify.ts';
import { libraryFunctions } from '../../src/library/contents.ts';
import { builtInKernelCode, libraryBody, libraryHead } from '../../src/library/index.ts';
import { bytesOfText, textOfBytes } from '../../src/library/text-bytes.ts';
import { provideLibraryForAll } from '../../src/library/wide.ts';
import { linkLibrary } from '../../src/opencl/link-library.ts';
import { Diagnostics } from '../../src/source/diagnostics.ts';
import { moduleOf } from '../ir/run.ts';
import { Random } from '../support/random.ts';

provideLibraryForAll();

const read = (name: string): string => readFileSync(`src/library/${name}`, 'utf8');

describe.each([32, 64] as const)('with addresses of %i bits', (addressBits) => {
  it('is what the sources give now', () => {
    const { functions, kernels } = compileLibrary(read, addressBits);
    expect(libraryHead(addressBits)).toEqual(functions.head);
    functions.bodies.forEach((body, index) => {
      expect(libraryBody(addressBits, index)).toEqual(body);
    });
    expect(builtInKernelCode(addressBits)).toEqual(kernels);
  });

  it('says of its functions which serve images and which pipes', () => {
    const { functions } = new PartsReader(libraryHead(addressBits)).module;
    const served = (what: string): string[] =>
      functions.filter(({ serves }) => serves === what).map(({ name }) => name);
    const called = (beginning: string): string[] =>
      functions.map(({ name }) => name).filter((name) => name.startsWith(beginning));
    expect(served('images')).toEqual(called('__millrace_image_'));
    expect(served('pipes')).toEqual(called('__millrace_pipe_'));
    expect(served('images').length).toBeGreaterThan(40);
    expect(served('pipes')).toHaveLength(7);
  });

  const lowered = lowerLibrary(read, addressBits);
  const functions = libraryFunctions()
    // What works on memory, or does nothing, has tests of its own.
    .filter((name) => !/^__millrace_((image|pipe|check|async)_|barrier_flags$)/.test(name))
    .map((name) => lowered.functions.find((fn) => fn.name === name)!)
    // Pairs of numbers are what other functions work with.
    .filter(
      ({ parameters, result }) => ![result, ...parameters.map(({ value }) => value.type)].some(isVector),
    );

  it('computes what the sources say', () => {
    const kernels = moduleOf(functions.map((fn) => kernelFor(fn, addressBits)).join('\n'), addressBits);
    const fromSource = new Runner(linkModules([kernels, lowered], new Diagnostics()));
    const embedded = new Runner(linked(kernels));
    expect(verifyModule(kernels)).toEqual([]);
    for (const fn of functions) {
      const expected = fromSource.resultsOf(fn);
      expect({ [fn.name]: embedded.resultsOf(fn) }).toEqual({ [fn.name]: expected });
      // Not all are the same, so something was computed.
      expect(new Set(expected).size).toBeGreaterThan(1);
    }
  });
});

it('keeps every byte in text without escapes', () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const text = textOfBytes(all);
  expect(text).toMatch(/^[#-[\]-}]+$/);
  expect(bytesOfText(text)).toEqual(all);
});

it('tells who means something else by a name of the library', () => {
  const module = moduleOf(`
function @__millrace_exp_f32(%x: f64) -> f32
kernel @k(%out: ptr<global>) {
  %0 = constant 1.0 : f64
  %1 = call @__millrace_exp_f32(%0) : f32
  store %out, %1 align=4
  return
}`);
  const diagnostics = new Diagnostics();
  linkLibrary(module, diagnostics);
  expect(diagnostics.list.map(({ message }) => message)).toEqual([
    "'__millrace_exp_f32' is the name of a function of the built-in library",
  ]);
});

function linked(module: ir.Module): ir.Module {
  const diagnostics = new Diagnostics();
  linkLibrary(module, diagnostics);
  expect(diagnostics.list).toEqual([]);
  return module;
}

function isVector(type: Type | undefined): boolean {
  return type?.kind === 'vector';
}

/** Every value takes so many bytes in the buffers. */
const cell = 8;
const count = 64;

/** Runs the kernels of `kernelFor`. */
class Runner {
  readonly #machine: Interpreter;

  constructor(module: ir.Module) {
    this.#machine = new Interpreter(module);
  }

  /** What a function gives for the values of its parameters' types. */
  resultsOf({ name, parameters, result }: ir.Function): number[] {
    const results = new DataView(new ArrayBuffer(count * cell));
    const inputs = parameters.map(({ value }, index) => valuesOf(typeName(value.type), index));
    const buffers = [...inputs, new Uint8Array(results.buffer)].map(
      (bytes, index) =>
        ({ kind: 'address', address: this.#machine.allocate('global', bytes, `${index}`) }) as const,
    );
    this.#machine.launch(`test_${name}`, { globalSize: [count], localSize: [1] }, buffers);
    return Array.from({ length: count }, (_, index) => numberAt(results, index, typeName(result!)));
  }
}

/** A kernel that applies a function to a value of each input. */
function kernelFor(fn: ir.Function, addressBits: number): string {
  const word = `i${addressBits}`;
  const types = fn.parameters.map(({ value }) => typeName(value.type));
  const names = types.map((_, index) => `%x${index}`);
  const loads = types.map(
    (type, index) => `  %p${index} = offset %in${index}, %at : ptr<global>
  %x${index} = load %p${index} align=${sizeOf(fn.parameters[index]!.value.type)} : ${type}`,
  );
  return `
function @${fn.name}(${types.map((type, index) => `%x${index}: ${type}`).join(', ')}) -> ${typeName(fn.result!)}
kernel @test_${fn.name}(${types.map((_, index) => `%in${index}: ptr<global>, `).join('')}%out: ptr<global>) {
  %id = query global_id 0 : ${word}
  %cell = constant ${cell} : ${word}
  %at = imul %id, %cell : ${word}
${loads.join('\n')}
  %r = call @${fn.name}(${names.join(', ')}) : ${typeName(fn.result!)}
  %q = offset %out, %at : ptr<global>
  store %q, %r align=${sizeOf(fn.result!)}
  return
}`;
}

const special = [
  0,
  -0,
  1,
  -1,
  0.5,
  2,
  Infinity,
  -Infinity,
  Number.NaN,
  1e-40,
  3e38,
  1e300,
  5e-324,
  255,
  -7,
  3,
];

/** Special values first, then some of all sizes; other ones for every parameter. */
function valuesOf(type: string, parameter: number): Uint8Array {
  const random = new Random(parameter + 1);
  const bytes = new Uint8Array(count * cell);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < count; index += 1) {
    const fromSpecial = special[(index * (parameter === 0 ? 1 : 5)) % special.length]!;
    const size = 10 ** (random.next() * (index % 3 === 0 ? 34 : 7) - 4);
    const value = index < special.length * 2 ? fromSpecial : (random.next() * 2 - 1) * size;
    if (type === 'i32') view.setInt32(index * cell, value, true);
    else if (type === 'f64') view.setFloat64(index * cell, value, true);
    else if (type === 'f32') view.setFloat32(index * cell, value, true);
    else view.setUint16(index * cell, random.below(2 ** 16), true);
  }
  return bytes;
}

function numberAt(view: DataView, index: number, type: string): number {
  const at = index * cell;
  if (type === 'f64') return view.getFloat64(at, true);
  if (type === 'f32') return view.getFloat32(at, true);
  return type === 'i32' ? view.getInt32(at, true) : view.getUint16(at, true);
}
