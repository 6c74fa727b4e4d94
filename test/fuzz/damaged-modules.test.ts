/**
 * Binaries whose modules were changed before they were written, and what such campaigns have found: `npm run conformance -- binaries` tries
 * hundreds of thousands of them, and of binaries whose bytes were changed; here are some.
 */
import { describe, expect, it } from 'vitest';
import { features } from '../../conformance/binaries/features.ts';
import { mutationOf, tryMutation } from '../../conformance/binaries/mutation.ts';
import { type Original, originals } from '../../conformance/binaries/originals.ts';
import { tryBinary } from '../../conformance/binaries/try-binary.ts';
import { BinaryError, decodeProgram, encodeProgram, moduleOf } from '../../src/build/program-binary.ts';
import { enableRelaxedSimd } from '../../src/cli/relaxed-simd.ts';
import { writeOpenCLC } from '../../src/codegen/opencl-c/write-opencl-c.ts';
import { PartsReader } from '../../src/ir/binary/module-reader.ts';
import type * as ir from '../../src/ir/ir.ts';
import { parseModule } from '../../src/ir/parse.ts';
import { i32 } from '../../src/ir/types.ts';
import { walkFunction } from '../../src/ir/walk.ts';
import { checkerPrefix, knownLibraryTypes, pipePrefix } from '../../src/ir/whole-program.ts';
import { libraryHead } from '../../src/library/index.ts';
import { compileOpenCL } from '../../src/opencl/compile.ts';

enableRelaxedSimd();
const count = Number(process.env['MILLRACE_MUTATIONS'] ?? 400);
const all = originals();
const everything = { wasm: true, others: true, choice: 0 };

const featureNamed = (name: string): Original => all.find((one) => one.name === name)!;
const moduleIn = ({ bytes }: Original): ir.Module => moduleOf(decodeProgram(bytes), 32);
/** The program as a binary, after a change. */
function changed(original: Original, change: (module: ir.Module) => void): Uint8Array {
  const module = moduleIn(original);
  change(module);
  return encodeProgram(original.kind, original.options, [module]);
}
const reading = (bytes: Uint8Array) => () => moduleOf(decodeProgram(bytes), 32);

describe('binaries of everything there is', () => {
  it.each(all.map((one) => [one.name, one] as const))(
    '%s is taken, and every back end builds it',
    (_, one) => {
      expect(tryBinary(one.bytes, everything)).toBe('built');
    },
  );

  it(`are refused or built when they are damaged: ${count} times`, {
    timeout: 120_000 + count * 200,
  }, async () => {
    const fates = new Map<string, number>();
    for (let seed = 0; seed < count; seed += 1) {
      // The runner's messages want an answer now and then.
      if (seed % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
      const mutation = mutationOf(seed, all);
      try {
        const fate = tryMutation(mutation);
        fates.set(fate, (fates.get(fate) ?? 0) + 1);
      } catch (error) {
        throw new Error(`seed ${seed}, ${mutation.name}: ${(error as Error).stack}`);
      }
    }
    // Or the test would look at nothing.
    expect(fates.get('refused')).toBeGreaterThan(count / 4);
    expect(fates.get('built')).toBeGreaterThan(count / 20);
  });
});

describe('a binary', () => {
  it('of a program that launches kernels is read again', () => {
    const original = featureNamed('kernels that launch kernels');
    const module = moduleIn(original);
    expect(module.functions.filter(({ imported }) => imported).length).toBeGreaterThan(3);
    expect(tryBinary(original.bytes, everything)).toBe('built');
  });

  it('with a call through no pointer is refused', () => {
    const call = { op: 'call_indirect', operands: [], results: [], regions: [] } as unknown as ir.Instruction;
    const bytes = changed(featureNamed('saxpy'), ({ functions }) => {
      functions[0]!.body!.instructions.unshift(call);
    });
    expect(reading(bytes)).toThrow(
      new BinaryError('kernel @saxpy: call_indirect : no operands, expected a pointer'),
    );
  });

  it('that continues a block is refused', () => {
    const module = parseModule(`module address=32
kernel @k() {
  block @b {
    loop @l () {
      break @l
    }
    yield
  }
  return
}`);
    const block = module.functions[0]!.body!.instructions[0]!;
    const loop = block.regions[0]!.instructions[0]!;
    loop.regions[0]!.instructions[0] = {
      op: 'continue',
      target: block as unknown as ir.Loop,
      operands: [],
      results: [],
      regions: [],
    };
    const bytes = encodeProgram('executable', '', [module]);
    expect(reading(bytes)).toThrow('continues what is no loop');
  });

  it('that uses images without the functions that stand for that is refused', () => {
    const images = featureNamed('images and samplers');
    const without = changed(images, ({ functions }) => {
      const at = functions.findIndex(({ name }) => name === '__millrace_image_width');
      functions[at] = { ...functions[at]!, name: 'other' };
    });
    expect(reading(without)).toThrow("the executable uses images but lacks '__millrace_image_width'");
    const other = changed(images, ({ functions }) => {
      const width = functions.find(({ name }) => name === '__millrace_image_width')!;
      width.parameters.push({ value: { type: i32 } });
    });
    expect(reading(other)).toThrow(
      "'__millrace_image_width' is another function than the library's of that name",
    );
  });

  it('with functions that the checker brings is refused', () => {
    const bytes = changed(featureNamed('structs, tables, switches, calls'), (module) => {
      const helper = module.functions.find(({ name }) => name === 'helper')! as { name: string };
      helper.name = '__millrace_check_read';
    });
    expect(reading(bytes)).toThrow("'__millrace_check_read' is a name of the checker");
  });

  it('with calls of a library function in another form is refused', () => {
    const pipes = featureNamed('pipes');
    const bytes = changed(pipes, (module) => {
      const take = module.functions.find(({ name }) => name === '__millrace_pipe_take')!;
      take.parameters.pop();
      for (const fn of module.functions)
        walkFunction(fn, (instruction) => {
          if (instruction.op === 'call' && instruction.callee === take) instruction.operands.pop();
        });
      take.body = parseModule(
        'module address=32\nfunction @f() -> i32 {\n %0 = constant 0 : i32\n return %0\n}',
      ).functions[0]!.body;
    });
    expect(reading(bytes)).toThrow("'__millrace_pipe_take' is another function than");
  });
});

it('the names that mean something are those of library functions, with their types', () => {
  for (const addressBits of [32, 64] as const) {
    const { functions } = new PartsReader(libraryHead(addressBits)).module;
    for (const [name, [parameters, result]] of knownLibraryTypes(addressBits)) {
      const fn = functions.find((one) => one.name === name)!;
      expect(
        fn.parameters.map(({ value }) => value.type),
        name,
      ).toEqual(parameters);
      expect(fn.result, name).toBe(result);
    }
    const checker = functions.filter(({ name }) => name.startsWith(checkerPrefix));
    expect(checker.length).toBeGreaterThan(20);
    const pipes = functions.filter(({ name }) => name.startsWith(pipePrefix));
    expect(pipes.every(({ name }) => knownLibraryTypes(addressBits).has(name))).toBe(true);
  }
});

describe('OpenCL C for drivers', () => {
  it('says nothing of the zeros at the end of a table', () => {
    const table = (values: string) =>
      writeOpenCLC(
        compileOpenCL(
          `constant int table[4000000] = {${values}}; constant int *constant end = &table[3999999];
          kernel void k(global int *x) { x[0] = table[x[1]] + *end; }`,
        ).module!,
        { addressBits: 32, doubles: true, halves: true },
      );
    expect(table('1, 2, -3')).toContain('table[4000000] = { 1u, 2u, 0xfffffffdu };');
    expect(table('0')).toContain('table[4000000] = { 0 };');
  });
});

it('the features have together every kind of instruction and parameter that is stored', async () => {
  const { storedOpcodes, handleKinds } = await import('../../src/ir/binary/schema.ts');
  const seen = new Set<string>();
  for (const { name } of features) {
    for (const fn of moduleIn(featureNamed(name)).functions) {
      for (const { info } of fn.parameters) if (info?.handle) seen.add(info.handle.kind);
      walkFunction(fn, ({ op }) => seen.add(op));
    }
  }
  // Programs for the host have that one.
  const left = [...storedOpcodes, ...handleKinds].filter((what) => !seen.has(what));
  expect(left).toEqual(['call_indirect']);
});
