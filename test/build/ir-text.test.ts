/** The text form of the IR as a program: for compile and the OpenCL API, and its mistakes with their places. */
import { BuildError, buildBinary, compile, devices, inspect, isIrText, OpenCLError } from 'millrace';
import { CL, createContext } from 'millrace/opencl';
import { describe, expect, it } from 'vitest';
import { generateKernel } from '../../conformance/generator/generate.ts';
import { compileIr } from '../../src/build/compile-ir.ts';
import { printModule } from '../../src/ir/print.ts';
import { compileOpenCL } from '../../src/opencl/compile.ts';

/** As people write it: nothing is said of the parameters but their types. */
const scale = `// doubles what it is given, n times
module address=32

kernel @scale(%data: ptr<global>, %factor: f32, %n: i32) {
  %i = query global_id 0 : i32
  %inside = slt %i, %n : bool
  if %inside {
    %four = constant 4 : i32
    %bytes = imul %i, %four : i32
    %place = offset %data, %bytes : ptr<global>
    %old = load %place align=4 : f32
    %sine = call @__millrace_sin_f32(%factor) : f32
    %new = fmul %old, %sine : f32
    store %place, %new align=4
    yield
  } else {
    yield
  }
  return
}

function @__millrace_sin_f32(%x: f32) -> f32
`;

const log = (text: string, options = {}): string => compileIr(text, { name: 'x.ir', ...options }).log;

describe('a text in IR', () => {
  it('is known by its first line', () => {
    expect(isIrText(scale)).toBe(true);
    expect(isIrText('\n // a\n// b\n  module address = 64')).toBe(true);
    expect(isIrText('kernel void module(global int *address) { }')).toBe(false);
    expect(isIrText('/* module address=32 */')).toBe(false);
  });

  it.each(devices().filter(({ id }) => id === 'wasm' || id === 'interpreter'))(
    'runs on $name',
    async (device) => {
      const program = await compile(scale, { device, name: 'scale.ir' });
      expect(program.kernelNames).toEqual(['scale']);
      const data = program.buffer(Float32Array.of(1, 2, 3, 4));
      await program.kernel('scale')({ global: [4] }, data, Math.PI / 2, 3);
      expect(Array.from(await data.read(Float32Array))).toEqual([1, 2, 3, 4]);
      await program.kernel('scale')({ global: [4] }, data, Math.PI / 6, 3);
      const found = Array.from(await data.read(Float32Array));
      expect(found.map((value) => Number(value.toFixed(5)))).toEqual([0.5, 1, 1.5, 4]);
      program.release();
    },
  );

  it('is a source for clCreateProgramWithSource', () => {
    const context = createContext();
    const program = context.createProgram(scale);
    program.build(null, '');
    const kernel = program.createKernel('scale');
    expect(kernel.getInfo(CL.KERNEL_NUM_ARGS)).toBe(3);
    expect(program.getInfo(CL.PROGRAM_SOURCE)).toBe(scale);
    // for an object that is linked, what it calls may come later
    const unit = context.createProgram(scale.replaceAll('__millrace_sin_f32', 'elsewhere'));
    unit.compile(null, '');
    expect(() => unit.build(null, '')).toThrow(
      /12:5: error: function 'elsewhere' is called by 'scale' but not defined/,
    );
    context.releaseAll();
  });

  it('goes into binaries, with sources that use it', async () => {
    const helper = `module address=32

function @triple(%x: i32) -> i32 {
  %three = constant 3 : i32
  %y = imul %x, %three : i32
  return %y
}
`;
    const user =
      'int triple(int x); kernel void k(global int *a) { a[get_global_id(0)] = triple(a[get_global_id(0)]); }';
    const { binary, log: said } = buildBinary([
      { name: 'helper.ir', content: helper },
      { name: 'user.cl', content: user },
    ]);
    expect(said).toBe('');
    const program = await compile(binary!);
    const data = program.buffer(Int32Array.of(1, 2, 3));
    await program.kernel('k')({ global: [3] }, data);
    expect(Array.from(await data.read(Int32Array))).toEqual([3, 6, 9]);
    program.release();
    const wide = { name: 'wide.ir', content: helper.replace('=32', '=64') };
    expect(() => buildBinary([{ name: 'helper.ir', content: helper }, wide])).toThrow(OpenCLError);
  });

  it('keeps functions of the library that it brings along, beside those that it is given', async () => {
    const own = `${scale.replace('function @__millrace_sin_f32(%x: f32) -> f32', '')}
function @__millrace_sin_f32(%x: f32) -> f32 {
  %y = call @__millrace_exp2_f32(%x) : f32
  return %y
}

function @__millrace_exp2_f32(%x: f32) -> f32
`;
    const program = await compile(own);
    const data = program.buffer(Float32Array.of(1, 2, 3, 4));
    await program.kernel('scale')({ global: [4] }, data, 3, 4);
    expect(Array.from(await data.read(Float32Array))).toEqual([8, 16, 24, 32]);
    program.release();
  });

  it('shows its stages', () => {
    expect(inspect(scale, { emit: 'ir', after: 'lower' }).output).toContain('kernel @scale');
    expect(inspect(scale, { emit: 'wat' }).output).toContain('f32.mul');
    expect(() => inspect(scale, { emit: 'ast' })).toThrow(RangeError);
  });

  it('is what --emit ir --after lower prints: generated kernels', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const { source } = generateKernel(seed, { size: seed % 2 ? 'small' : 'medium' });
      const { module } = compileOpenCL(source, { buildOptions: '-cl-std=CL1.2' });
      const text = printModule(module!);
      const again = compileIr(text);
      expect(again.log, `seed ${seed}`).toBe('');
      expect(printModule(again.module!)).toBe(text);
    }
  });
});

describe('mistakes', () => {
  const within = (...lines: string[]): string =>
    ['module address=32', 'kernel @k(%p: ptr<global>, %n: i32) {', ...lines, '  return', '}', ''].join('\n');

  it('of the text are shown where they are', () => {
    expect(log(within('  %a = iadd %n, %m : i32'))).toBe(`x.ir:3:17: error: %m is not defined
  %a = iadd %n, %m : i32
                ^~
1 error generated.
`);
    expect(log('module address=16\n')).toMatch(/^x\.ir:1:16: error: expected 32 or 64\n/);
    expect(log(within('  %a = frobnicate %n : i32'))).toMatch(/^x\.ir:3:8: error: /);
  });

  it('of the IR are shown where they are', () => {
    expect(
      log(within('  %a = constant 1.5 : f32', '  %b = iadd %n, %a : i32', '  store %n, %n align=4')),
    ).toBe(
      `x.ir:4:3: error: operand 2 has type f32, expected i32
  %b = iadd %n, %a : i32
  ^~~~~~~~~~~~~~~~~~~~~~
x.ir:5:3: error: operand 1 has type i32, expected a pointer
  store %n, %n align=4
  ^~~~~~~~~~~~~~~~~~~~
2 errors generated.
`,
    );
    expect(log('module address=32\nkernel @k() {\n}\n')).toMatch(
      /^x\.ir:2:8: error: kernel @k: an empty region\n/,
    );
    expect(log('module address=32\nkernel @k(%x: bool) {\n  return\n}\n')).toMatch(
      /^x\.ir:2:8: error: kernel 'k': parameter 1: a truth value/,
    );
    expect(log(within('  call @nothing()'))).toMatch(/x\.ir:3:8: error: no function @nothing/);
    expect(log(`${within('  call @nothing()')}function @nothing()\n`)).toMatch(
      /x\.ir:3:3: error: function 'nothing' is called by 'k' but not defined/,
    );
  });

  it('of a module that cannot be built here', () => {
    expect(log(within(), { addressBits: 64 })).toMatch(
      /^x\.ir:1:1: error: the module is for addresses of 32 bits, and here they have 64\nmodule/,
    );
    expect(log('module address=32 hosted\n')).toMatch(/the module is a program for the host/);
    const passed = inspect('kernel void k(global int *a) { a[get_global_id(0)] = 1; }', { emit: 'ir' })
      .output as string;
    expect(log(passed)).toMatch(/^x\.ir:3:8: error: kernel 'k' is in the form that passes leave/);
    expect(log('module address=32\nglobal @a size=70000000 align=4 = zero\n')).toMatch(
      /^x\.ir:2:11: error: program-scope variables take more than 67108864 bytes together/,
    );
    expect(log(within(), { buildOptions: '-nonsense' })).toMatch(/nonsense/);
  });

  it('are those of a build', async () => {
    const failure = await compile(within('  %a = iadd %n : i32'), { name: 'bad.ir' }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(BuildError);
    expect((failure as BuildError).log).toMatch(/^bad\.ir:3:3: error: /);
    expect((failure as BuildError).diagnostics[0]!.span.file.name).toBe('bad.ir');
  });
});
