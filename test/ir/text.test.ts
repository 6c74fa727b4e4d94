import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Builder, newRegion } from '../../src/ir/builder.ts';
import type * as ir from '../../src/ir/ir.ts';
import { IrSyntaxError, parseModule } from '../../src/ir/parse.ts';
import { printFunction, printModule } from '../../src/ir/print.ts';
import { f16, f32, f64, i8, i32, i64, pointerType, vectorType } from '../../src/ir/types.ts';
import { verifyModule } from '../../src/ir/verify.ts';
import { renderDiagnostics } from '../../src/source/render.ts';
import { Random } from '../support/random.ts';

/** Everything the text form can say, once. */
const everything = `module address=32

constant @table size=8 align=4 = hex"01020304 00000000" reloc(4: @other - 4)
global @other size=16 align=16 = zero
constant @mine size=4 align=4 internal = zero
constant @theirs size=16 align=4 = declared

kernel @all(
  %a: f32 info("a", "float", layout f4),
  %x: ptr<global> const restrict volatile info("x", "float3*", const, restrict, volatile, pointee vector(f4, 3, 16)),
  %s: ptr<constant> aggregate(24, 8) info("s", "struct s", layout struct("s", 24, 8, "n" 0 i4, "t" 4 array(u1, 4, 4), "d" 8 f8)),
  %img: opaque<image2d_ro_t> info("img", "image2d_t", read_only, image image2d_t read_only),
  %target: opaque<image1d_buffer_wo_t>,
  %sampler: opaque<sampler_t> info("sampler", "sampler_t", sampler),
  %descriptor: ptr<constant> readable(64)
) reqd_work_group_size(64, 1, 1) work_group_size_hint(8, 8, 1) vec_type_hint("float4") {
  %0 = constant 1 : i32
  %1 = constant -5 : i64
  %2 = constant true : bool
  %3 = constant 0.1 : f32
  %4 = constant 0.1 : f64
  %5 = constant [1.0, -0.0, inf, nan] : f32x4
  %6 = constant 1e+30 : f32
  %7 = constant 0 : ptr<global>
  %8 = undefined : i32
  %9 = iadd %0, %8 : i32
  %10 = fadd contract reassociate %3, %a : f32
  %11 = fma %3, %a, %10 : f32
  %12 = fneg %11 : f32
  %13 = flt %12, %a : bool
  %14 = select %13, %a, %12 : f32
  %15 = ftos rte saturate %14 : i32
  %16 = bitcast %5 : i32x4
  %17 = splat %a : f32x2
  %18 = build %a, %12 : f32x2
  %19 = extract %5, 3 : f32
  %20 = insert %5, %a, 2 : f32x4
  %21 = shuffle %5, %20 [0, -1, 7, 4] : f32x4
  %v = variable private "v" size=64 align=16 : ptr<private>
  %v.1 = variable local "a name" size=4 align=4 : ptr<local>
  %table = global_address @table : ptr<constant>
  %22 = offset %v, %0 : ptr<private>
  %23 = load %x align=4 volatile : f32
  store %22, %23 align=4
  copy %v, %x, %0 align=4
  fill %v, %0 byte=255 align=1
  %24 = atomic add %v.1, %0 relaxed work-group : i32
  atomic store %v.1, %0 seq_cst all-devices
  fence (global, local) acq_rel work-group
  barrier (local)
  %printed = printf "%d \\"ÿ\\n" %0, %a : i32
  %25 = query global_id 0 : i32
  %26 = query work_dim : i32
  %27 = call @helper(%25, %v) : i32
  %28, %29 = if %13 : i32, f32 {
    yield %0, %a
  } else {
    unreachable
  }
  %30 = switch %25 : i32 {
    case 1, -2 {
      yield %0
    }
    case 7 {
      return
    }
    default {
      yield %9
    }
  }
  %31 = block @L0 : i32 {
    %sum = loop @L1 (%i: i32 = %0, %total: f32 = %a) unroll=4 : f32 {
      %32 = slt %i, %25 : bool
      if %32 {
        %33 = fadd %total, %23 : f32
        %34 = iadd %i, %0 : i32
        continue @L1 %34, %33
      } else {
        yield
      }
      break @L0 %i
    }
    yield %25
  }
  %35 = constant [0, 0] : i32x2
  %36 = constant 20 : opaque<sampler_t>
  %37 = image_read float %img, %36, %35 : f32x4
  %38 = image_read signed %img, %35 : i32x4
  image_write unsigned %target, %0, %38
  %39 = image_query width %target : i32
  return
}

function @helper(%n: i32, %p: ptr<private>) -> i32 outlined {
  return %n
}

function @reader(%n: i32) -> i32 outlined serves(images) {
  return %n
}

function @rare(%n: i32) -> i32 outlined cold {
  return %n
}

function @taker(%n: i32) -> i32 serves(pipes) {
  return %n
}

function @declared(%p: ptr<generic>) -> f64x3

kernel @group() work-group {
  context_array $kept : bool
  %cells = variable private "cells" size=8 align=8 per_item : ptr<private>
  %rows = variable private "rows" size=8 align=8 per_item element=4 : ptr<private>
  work_item_loop {
    %0 = constant true : bool
    context_write $kept, %0
    yield
  }
  work_item_loop {
    %1 = context_read $kept : bool
    %2 = item_address %cells : ptr<private>
    yield
  }
  return
}
`;

describe('the text form', () => {
  it('prints what it read, for every kind of instruction', () => {
    const module = parseModule(everything);
    expect(printModule(module)).toBe(everything);
    expect(verifyModule(module)).toEqual([]);
  });

  it('reads the parts of functions and globals into the right fields', () => {
    const module = parseModule(everything);
    const [table, other] = module.globals;
    expect(table).toMatchObject({ space: 'constant', size: 8, align: 4 });
    expect([...table!.bytes]).toEqual([1, 2, 3, 4, 0, 0, 0, 0]);
    expect(table!.relocations).toEqual([{ offset: 4, target: other, addend: -4 }]);
    const all = module.functions[0]!;
    expect(all.attributes).toEqual({
      requiredWorkGroupSize: [64, 1, 1],
      workGroupSizeHint: [8, 8, 1],
      vectorTypeHint: 'float4',
    });
    expect(all.parameters[1]).toMatchObject({ isConst: true, isRestrict: true, isVolatile: true });
    expect(all.parameters[1]!.info).toEqual({
      name: 'x',
      typeName: 'float3*',
      typeQualifiers: ['const', 'restrict', 'volatile'],
      pointee: { kind: 'vector', element: { kind: 'float', size: 4 }, lanes: 3, size: 16 },
    });
    expect(all.parameters[2]!.aggregate).toEqual({ size: 24, align: 8 });
    expect(module.functions[5]!.body).toBeUndefined();
    expect(module.functions[6]!.form).toBe('work-group');
  });

  it('prints what the builder made, with names made unique', () => {
    const region = newRegion();
    const p: ir.Value = { type: pointerType('global'), name: 'out' };
    const b = new Builder(region, 32);
    const v = b.variable('private', 4, 4, 'out');
    b.store(v, b.integer(i32, 7), 4);
    b.store(p, b.load(i32, v, 4), 4);
    b.return();
    const fn: ir.Function = {
      name: 'odd name',
      kind: 'kernel',
      parameters: [{ value: p, isConst: true }],
      result: undefined,
      body: region,
      form: 'work-item',
    };
    expect(printFunction(fn)).toMatchInlineSnapshot(`
      "kernel @"odd name"(%out: ptr<global> const) {
        %out.1 = variable private "out" size=4 align=4 : ptr<private>
        %0 = constant 7 : i32
        store %out.1, %0 align=4
        %1 = load %out.1 align=4 : i32
        store %out, %1 align=4
        return
      }
      "
    `);
  });

  it('keeps constants exactly', () => {
    const float = (bits: number) => new Float32Array(new Uint32Array([bits]).buffer)[0]!;
    const random = new Random(1);
    const region = newRegion();
    const b = new Builder(region, 32);
    const values: ir.Constant['value'][] = [];
    const add = (type: Parameters<Builder['constant']>[0], value: ir.Constant['value']) => {
      values.push(value);
      b.constant(type, value);
    };
    for (let count = 0; count < 2000; count += 1) add(f32, float(random.bits()));
    for (const bits of [0, 0x80000000, 1, 0x7f7fffff, 0x00800000, 0x7f800000, 0xff800000])
      add(f32, float(bits));
    for (const value of [5e-324, Number.MAX_VALUE, 1 / 3, -0, Number.NaN]) add(f64, value);
    for (const value of [65504, 2 ** -24, -0.333251953125]) add(f16, value);
    add(i8, -128);
    add(i64, -(2n ** 63n));
    add(vectorType(i64, 2), [2n ** 63n - 1n, -1n]);
    b.return();
    const fn: ir.Function = {
      name: 'f',
      kind: 'kernel',
      parameters: [],
      result: undefined,
      body: region,
      form: 'work-item',
    };
    const text = printModule({ addressBits: 64, globals: [], functions: [fn] });
    const back = parseModule(text);
    const read = back.functions[0]!.body!.instructions.flatMap((instruction) =>
      instruction.op === 'constant' ? [instruction.value] : [],
    );
    expect(read.length).toBe(values.length);
    read.forEach((value, index) => {
      expect(value).toEqual(values[index]);
    });
    expect(back.addressBits).toBe(64);
  });

  it('gives spans in the text', () => {
    const module = parseModule('module address=32\nkernel @k() {\n  barrier (local)\n  return\n}\n', 'k.ir');
    const span = module.functions[0]!.body!.instructions[0]!.span!;
    expect(span.file.name).toBe('k.ir');
    expect(span.file.text.slice(span.start, span.end)).toBe('barrier (local)');
  });
});

it('survives 3000 mutations: a syntax error, or a module that the verifier judges and that prints', () => {
  const random = new Random(7);
  const pieces = everything.split(/(?<=\s)/);
  let readable = 0;
  for (let count = 0; count < 3000; count += 1) {
    const changed = [...pieces];
    for (let change = random.below(3); change >= 0; change -= 1) {
      const [at, other] = [random.below(pieces.length), random.below(pieces.length)];
      if (random.below(3) === 0) changed.splice(at, 1);
      else if (random.below(2) === 0) changed[at] = pieces[other]!;
      else changed.splice(at, 0, pieces[other]!);
    }
    try {
      const module = parseModule(changed.join(''));
      readable += 1;
      verifyModule(module);
      const text = printModule(module);
      expect(printModule(parseModule(text))).toBe(text);
    } catch (error) {
      if (!(error instanceof IrSyntaxError)) throw error;
    }
  }
  expect(readable).toBeGreaterThan(50);
});

it('refuses to nest without end', () => {
  const text = `module address=32\nkernel @k() {\n${Array.from({ length: 20000 }, (_, n) => `block @L${n} {\n`).join('')}`;
  expect(() => parseModule(text)).toThrow('more than 500 regions inside each other');
});

describe('mistakes in the text', () => {
  const wrap = (body: string) => `module address=32\nkernel @k(%n: i32) {\n${body}\n}\n`;
  const cases: [string, string, string][] = [
    ['no header', 'kernel @k() {}', `module.ir:1:1: expected 'module'`],
    ['an address width of 16', 'module address=16', 'module.ir:1:16: expected 32 or 64'],
    ['a stray character', wrap('  ?'), `module.ir:3:3: stray character '?'`],
    ['an unknown instruction', wrap('  frobnicate %n'), `module.ir:3:3: unknown instruction 'frobnicate'`],
    ['an undefined value', wrap('  return %m'), 'module.ir:3:10: %m is not defined'],
    [
      'a value defined twice',
      wrap('  %n = constant 1 : i32\n  return'),
      'module.ir:3:3: %n is defined twice',
    ],
    ['an unknown type', wrap('  %0 = undefined : i7'), `module.ir:3:20: unknown type 'i7'`],
    ['a vector of five lanes', wrap('  %0 = undefined : i32x5'), `module.ir:3:20: unknown type 'i32x5'`],
    ['an unknown label', wrap('  break @L7'), 'module.ir:3:9: no block or loop @L7'],
    ['an unknown function', wrap('  call @f()\n  return'), 'module.ir:3:8: no function @f'],
    ['an unknown global', wrap('  %0 = global_address @g : ptr<global>'), 'module.ir:3:23: no global @g'],
    ['two instructions on a line', wrap('  barrier (local) return'), 'module.ir:3:19: expected a new line'],
    ['an end in the middle', 'module address=32\nkernel @k() {\n', `module.ir:3:1: expected an instruction`],
    [
      'too few bytes',
      'module address=32\nglobal @g size=4 align=4 = hex"00"',
      'module.ir:2:31: 1 bytes, expected 4',
    ],
    [
      'more types than results',
      wrap('  %0 = undefined : i32, i32\n  return'),
      'module.ir:3:8: 1 results but 2 types',
    ],
  ];
  it.each(cases)('reports %s', (_, text, message) => {
    let caught: unknown;
    try {
      parseModule(text);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(IrSyntaxError);
    expect((caught as Error).message).toBe(message);
  });

  it('renders like any diagnostic', () => {
    try {
      parseModule(wrap('  return %m'), 'k.ir');
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof IrSyntaxError)) throw error;
      expect(renderDiagnostics([error.diagnostic])).toMatchInlineSnapshot(`
        "k.ir:3:10: error: %m is not defined
          return %m
                 ^~
        1 error generated.
        "
      `);
    }
  });
});

it('reads and prints the example of docs/ir.md', () => {
  const page = readFileSync(new URL('../../docs/ir.md', import.meta.url), 'utf8');
  const start = page.indexOf('    module address=32');
  const example = page.slice(start, page.indexOf('\n\n- ', start)).replace(/^ {4}/gm, '');
  const module = parseModule(example);
  expect(verifyModule(module)).toEqual([]);
  expect(printModule(module).trimEnd()).toBe(example.trimEnd());
});
