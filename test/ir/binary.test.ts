/** The binary form of modules: what is written is read again, and damage of any kind is an error. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { generateKernel } from '../../conformance/generator/generate.ts';
import { BinaryError, ByteWriter } from '../../src/ir/binary/bytes.ts';
import { readModule } from '../../src/ir/binary/read.ts';
import { writeModule } from '../../src/ir/binary/write.ts';
import { cloneModule } from '../../src/ir/clone.ts';
import type { Module, Yield } from '../../src/ir/ir.ts';
import { parseModule } from '../../src/ir/parse.ts';
import { printModule } from '../../src/ir/print.ts';
import { walkFunction } from '../../src/ir/walk.ts';
import { compileOpenCL } from '../../src/opencl/compile.ts';

/** The text of a module without the names of values, which are not stored. */
function textOf(module: Module): string {
  const copy = cloneModule(module);
  for (const fn of copy.functions) {
    for (const { value, info } of fn.parameters) value.name = info?.name;
    walkFunction(fn, ({ results, regions }) => {
      for (const result of results) result.name = undefined;
      for (const { parameters } of regions) for (const parameter of parameters) parameter.name = undefined;
    });
  }
  return printModule(copy);
}

const everything = `module address=32

constant @table size=8 align=4 = hex"01020304 00000000" reloc(4: @other - 4)
global @other size=16 align=16 = zero
constant @mine size=4 align=4 internal = zero
constant @theirs size=16 align=4 = declared

kernel @all(
  %a: f32 info("a", "float", layout f4),
  %x: ptr<global> const restrict volatile info("x", "float3*", const, restrict, volatile, pointee vector(f4, 3, 16)),
  %s: ptr<constant> aggregate(24, 8) info("s", "struct s", layout struct("s", 24, 8, "n" 0 i4, "t" 4 array(u1, 4, 4), "d" 8 f8)),
  %i: opaque<image2d_ro_t> info("i", "image2d_t", read_only, image image2d_t read_only),
  %j: opaque<sampler_t> info("j", "sampler_t", sampler)
) reqd_work_group_size(64, 1, 1) work_group_size_hint(8, 8, 1) vec_type_hint("float4") {
  %0 = constant 1 : i32
  %1 = constant -9223372036854775808 : i64
  %2 = constant true : bool
  %3 = constant 0.1 : f64
  %4 = constant [1.0, -0.0, inf, nan] : f32x4
  %5 = constant 0.5 : f16
  %6 = constant 0 : ptr<global>
  %7 = constant [-128, 127] : i8x2
  %sampler = constant 36 : opaque<sampler_t>
  %8 = fadd contract reassociate %a, %a : f32
  %9 = ftos rte saturate %8 : i32
  %10 = shuffle %4, %4 [0, -1, 7, 4] : f32x4
  %11 = insert %10, %a, 2 : f32x4
  %12 = variable private "v" size=64 align=16 : ptr<private>
  %13 = global_address @theirs : ptr<constant>
  %14 = load %x align=4 volatile : f32
  store %12, %14 align=4
  fill %12, %0 byte=255 align=1
  %15 = atomic add %x, %0 relaxed work-group : i32
  fence (local, global) acq_rel work-group
  barrier (local)
  %16 = query global_id 1 : i32
  %17 = call @helper(%16, %12) : i32
  %30 = printf "%d %f\\n" %0, %a : i32
  %18, %19 = if %2 : i32, f32 {
    yield %0, %a
  } else {
    yield %9, %8
  }
  %20 = block @L0 : i32 {
    %21 = loop @L1 (%22: i32 = %0) unroll=4 : i32 {
      switch %22 {
        case 1, 5 {
          break @L1 %22
        }
        case -7 {
          break @L0 %22
        }
        default {
          continue @L1 %22
        }
      }
      unreachable
    }
    yield %21
  }
  return
}

function @helper(%0: i32, %1: ptr<private>) -> i32 internal

function @last(%0: ptr<private> aggregate(24, 8)) {
  return
}

function @reader() outlined serves(images) {
  return
}

function @rare() outlined cold {
  return
}

function @taker() serves(pipes)
`;

const library = compileOpenCL(readFileSync('test/execution/barriers.cl', 'utf8'), { isUnit: true }).module!;

const yields = (): Yield => ({ op: 'yield', operands: [], results: [], regions: [] });

describe('a module', () => {
  it('comes back as it was', () => {
    const module = parseModule(everything);
    expect(textOf(readModule(writeModule(module)))).toBe(textOf(module));
    expect(textOf(readModule(writeModule(library)))).toBe(textOf(library));
    for (let seed = 0; seed < 6; seed += 1) {
      const generated = compileOpenCL(generateKernel(seed, { size: 'small' }).source, {
        addressBits: seed % 2 ? 32 : 64,
      }).module!;
      expect(textOf(readModule(writeModule(generated)))).toBe(textOf(generated));
    }
  });

  it.each(
    ['samples', 'test'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.cl'))
        .map((name) => `${folder}/${name}`),
    ),
  )('%s comes back as it was', (name) => {
    const options = '-cl-std=CL2.0 -D RINGS=4 -D FULL=1';
    const { module } = compileOpenCL(readFileSync(name, 'utf8'), { buildOptions: options, isUnit: true });
    expect(textOf(readModule(writeModule(module!)))).toBe(textOf(module!));
  });

  it('keeps the places that messages of the linker need, or all', () => {
    const source = 'int f(int);\nkernel void k(global int *o) {\n  o[0] = f(o[1] + 2);\n}';
    const unit = compileOpenCL(source, { name: 'a.cl', isUnit: true }).module!;
    const placesOf = (module: Module) => {
      const places: string[] = [];
      for (const fn of module.functions) {
        walkFunction(fn, ({ op, span }) => {
          const place = span?.file.presumed(span.start);
          if (place) places.push(`${op} ${place.name}:${place.line}:${place.column}`);
        });
      }
      return places;
    };
    expect(placesOf(readModule(writeModule(unit)))).toEqual([
      'call a.cl:3:10',
      // The kernel's second form, for those who call it.
      'call a.cl:3:10',
    ]);
    const all = placesOf(readModule(writeModule(unit, { places: 'all' })));
    expect(all).toContain('load a.cl:3:12');
    expect(all.length).toBeGreaterThan(5);
    const { span } = readModule(writeModule(unit)).functions.find(({ name }) => name === 'f')!;
    expect(span?.file.presumed(span.start)).toEqual({ name: 'a.cl', line: 1, column: 5 });
  });
});

describe('what would do harm', () => {
  const broken = (change: (text: string) => string) => {
    const module = parseModule(change(everything));
    return () => readModule(writeModule(module));
  };

  it('is refused with a reason', () => {
    expect(broken((text) => text.replace('%8 = fadd contract reassociate', '%8 = iadd'))).toThrow(
      /iadd of f32/,
    );
    expect(broken((text) => text.replace('layout f4)', 'layout f8)'))).toThrow(
      /parameter 1: its layout has another size/,
    );
    expect(broken((text) => text.replace('"t" 4 array(u1, 4, 4)', '"t" 23 array(u1, 4, 4)'))).toThrow(
      /its layout is wrong/,
    );
    expect(broken((text) => text.replace('array(u1, 4, 4)', 'array(u1, 99999999, 4)'))).toThrow(
      /its layout is wrong/,
    );
    expect(broken((text) => text.replace('%x: ptr<global>', '%x: ptr<private>'))).toThrow(
      /private pointer|writes|type/,
    );
    expect(broken((text) => text.replace('kernel @all', 'kernel @"not a name"'))).toThrow(/no identifier/);
    expect(broken((text) => text.replace('reqd_work_group_size(64', 'reqd_work_group_size(0'))).toThrow(
      /size of 0/,
    );
    expect(broken((text) => text.replace(' info("j", "sampler_t", sampler)', ''))).toThrow(/nothing is said/);
    expect(broken((text) => text.replace('reloc(4:', 'reloc(6:'))).toThrow(/relocation at 6/);
  });

  it('takes no memory in advance', () => {
    const tooMany = new ByteWriter();
    tooMany.byte(32);
    tooMany.count(2 ** 31);
    expect(() => readModule(tooMany.toBytes())).toThrow(BinaryError);
    const tooLarge = new ByteWriter();
    tooLarge.byte(32);
    tooLarge.count(1);
    tooLarge.text('g');
    tooLarge.byte(0);
    tooLarge.count(2 ** 27);
    expect(() => readModule(tooLarge.toBytes())).toThrow(/at most/);
    const endless = Uint8Array.of(32, ...new Array(10_000).fill(0x80));
    expect(() => readModule(endless)).toThrow(/too long/);
  });

  it('does not nest beyond measure, nor call through thousands of functions slowly', () => {
    const nested = (depth: number) => {
      const module = parseModule('module address=32\nkernel @k() {\n  return\n}\n');
      const { body } = module.functions[0]!;
      for (let level = 0; level < depth; level += 1) {
        const inner = { parameters: [], instructions: level === 0 ? [yields()] : body!.instructions };
        body!.instructions = [
          { op: 'block', operands: [], results: [], regions: [inner] },
          level === depth - 1 ? { op: 'return', operands: [], results: [], regions: [] } : yields(),
        ];
      }
      return writeModule(module);
    };
    expect(readModule(nested(900)).functions).toHaveLength(1);
    expect(() => readModule(nested(1100))).toThrow(/nest more than/);
    const chain = Array.from({ length: 5_000 }, (_, index) =>
      index === 0
        ? 'function @f0() {\nreturn\n}'
        : `function @f${index}() {\ncall @f${index - 1}()\nreturn\n}`,
    );
    const module = parseModule(`module address=32\n${chain.join('\n')}\n`);
    expect(readModule(writeModule(module)).functions).toHaveLength(5_000);
  });
});
