// What lowering makes of C, as text: naive code, one variable a declaration, control flow as regions.
import { describe, expect, it } from 'vitest';
import { printFunction, printModule } from '../../src/ir/print.ts';
import { verifyModule } from '../../src/ir/verify.ts';
import { compileForTest } from '../support/run-kernel.ts';

/** The kernel of a program as text, after the verifier has looked at the whole. */
function lowered(source: string, buildOptions = ''): string {
  const module = compileForTest(source, buildOptions);
  expect(verifyModule(module)).toEqual([]);
  const kernel = module.functions.find((fn) => fn.kind === 'kernel');
  return kernel ? printFunction(kernel) : '';
}

describe('lowering', () => {
  it('saxpy', () => {
    expect(
      lowered(`kernel void saxpy(float a, global const float* x, global float* y) {
        size_t i = get_global_id(0);
        y[i] = a * x[i] + y[i];
      }`),
    ).toMatchInlineSnapshot(`
      "kernel @saxpy(
        %a: f32 info("a", "float", layout f4),
        %x: ptr<global> const info("x", "float*", const, pointee f4),
        %y: ptr<global> info("y", "float*", pointee f4)
      ) {
        %a.1 = variable private "a" size=4 align=4 : ptr<private>
        %x.1 = variable private "x" size=4 align=4 : ptr<private>
        %y.1 = variable private "y" size=4 align=4 : ptr<private>
        %i = variable private "i" size=4 align=4 : ptr<private>
        store %a.1, %a align=4
        store %x.1, %x align=4
        store %y.1, %y align=4
        %0 = constant 0 : i32
        %1 = query global_id 0 : i32
        store %i, %1 align=4
        %2 = load %y.1 align=4 : ptr<global>
        %3 = load %i align=4 : i32
        %4 = constant 4 : i32
        %5 = imul %3, %4 : i32
        %6 = offset %2, %5 : ptr<global>
        %7 = load %a.1 align=4 : f32
        %8 = load %x.1 align=4 : ptr<global>
        %9 = load %i align=4 : i32
        %10 = constant 4 : i32
        %11 = imul %9, %10 : i32
        %12 = offset %8, %11 : ptr<global>
        %13 = load %12 align=4 : f32
        %14 = fmul contract %7, %13 : f32
        %15 = load %y.1 align=4 : ptr<global>
        %16 = load %i align=4 : i32
        %17 = constant 4 : i32
        %18 = imul %16, %17 : i32
        %19 = offset %15, %18 : ptr<global>
        %20 = load %19 align=4 : f32
        %21 = fadd contract %14, %20 : f32
        store %6, %21 align=4
        return
      }
      "
    `);
  });

  it('a loop with break and continue', () => {
    expect(
      lowered(`kernel void k(global int* p, int n) {
        for (int i = 0; i < n; i++) {
          if (p[i] < 0) continue;
          if (p[i] == 0) break;
          p[i] = -p[i];
        }
      }`),
    ).toMatchInlineSnapshot(`
      "kernel @k(
        %p: ptr<global> info("p", "int*", pointee i4),
        %n: i32 info("n", "int", layout i4)
      ) {
        %p.1 = variable private "p" size=4 align=4 : ptr<private>
        %n.1 = variable private "n" size=4 align=4 : ptr<private>
        %i = variable private "i" size=4 align=4 : ptr<private>
        store %p.1, %p align=4
        store %n.1, %n align=4
        %0 = constant 0 : i32
        store %i, %0 align=4
        loop @L0 () {
          %1 = load %i align=4 : i32
          %2 = load %n.1 align=4 : i32
          %3 = slt %1, %2 : bool
          if %3 {
            yield
          } else {
            break @L0
          }
          block @L1 {
            %4 = load %p.1 align=4 : ptr<global>
            %5 = load %i align=4 : i32
            %6 = constant 4 : i32
            %7 = imul %5, %6 : i32
            %8 = offset %4, %7 : ptr<global>
            %9 = load %8 align=4 : i32
            %10 = constant 0 : i32
            %11 = slt %9, %10 : bool
            if %11 {
              break @L1
            } else {
              yield
            }
            %12 = load %p.1 align=4 : ptr<global>
            %13 = load %i align=4 : i32
            %14 = constant 4 : i32
            %15 = imul %13, %14 : i32
            %16 = offset %12, %15 : ptr<global>
            %17 = load %16 align=4 : i32
            %18 = constant 0 : i32
            %19 = eq %17, %18 : bool
            if %19 {
              break @L0
            } else {
              yield
            }
            %20 = load %p.1 align=4 : ptr<global>
            %21 = load %i align=4 : i32
            %22 = constant 4 : i32
            %23 = imul %21, %22 : i32
            %24 = offset %20, %23 : ptr<global>
            %25 = load %p.1 align=4 : ptr<global>
            %26 = load %i align=4 : i32
            %27 = constant 4 : i32
            %28 = imul %26, %27 : i32
            %29 = offset %25, %28 : ptr<global>
            %30 = load %29 align=4 : i32
            %31 = constant 0 : i32
            %32 = isub %31, %30 : i32
            store %24, %32 align=4
            yield
          }
          %33 = load %i align=4 : i32
          %34 = constant 1 : i32
          %35 = iadd %33, %34 : i32
          store %i, %35 align=4
          continue @L0
        }
        return
      }
      "
    `);
  });

  it('a switch whose cases leave, and a call of the library', () => {
    expect(
      lowered(`kernel void k(global float* p, int n) {
        switch (n) {
          case 1: case 2: *p = sin(*p); break;
          default: *p = 0; return;
        }
      }`),
    ).toMatchInlineSnapshot(`
      "kernel @k(
        %p: ptr<global> info("p", "float*", pointee f4),
        %n: i32 info("n", "int", layout i4)
      ) {
        %p.1 = variable private "p" size=4 align=4 : ptr<private>
        %n.1 = variable private "n" size=4 align=4 : ptr<private>
        store %p.1, %p align=4
        store %n.1, %n align=4
        %0 = load %n.1 align=4 : i32
        switch %0 {
          case 1, 2 {
            %1 = load %p.1 align=4 : ptr<global>
            %2 = load %p.1 align=4 : ptr<global>
            %3 = load %2 align=4 : f32
            %4 = call @__millrace_sin_f32(%3) : f32
            store %1, %4 align=4
            yield
          }
          default {
            %5 = load %p.1 align=4 : ptr<global>
            %6 = constant 0 : i32
            %7 = stof %6 : f32
            store %5, %7 align=4
            return
          }
        }
        return
      }
      "
    `);
  });

  it('no fusing where the program forbids it', () => {
    const source = (pragma: string) =>
      `${pragma}\nkernel void k(global float* p) { p[0] = p[0] * p[1] + p[2]; }`;
    expect(lowered(source(''))).toContain('contract');
    expect(lowered(source('#pragma OPENCL FP_CONTRACT OFF'))).not.toContain('contract');
    expect(lowered(source('#pragma STDC FP_CONTRACT OFF'))).not.toContain('contract');
  });

  it.each([
    ['in one function', '\n#pragma OPENCL FP_CONTRACT OFF\np[0] *= p[1];', 'p[2] *= p[3];', 1],
    ['in a block', '{\n#pragma OPENCL FP_CONTRACT OFF\np[0] *= p[1]; } p[0] = p[0] * p[1];', '', 1],
    ['to the end of the block', '{\n#pragma OPENCL FP_CONTRACT OFF\n p[0]++; } p[1]++; p[2]++;', '', 2],
    ['in a switch', 'switch (i) {\n#pragma OPENCL FP_CONTRACT OFF\ncase 0: p[0] *= p[1]; } p[1]++;', '', 1],
    [
      'in a function of the library',
      '\n#pragma OPENCL FP_CONTRACT OFF\np[0] = mix(p[0], p[1], p[2]);',
      '',
      0,
    ],
    [
      'switched on again',
      '\n#pragma OPENCL FP_CONTRACT OFF\n#pragma OPENCL FP_CONTRACT ON\np[0] *= p[1];',
      '',
      1,
    ],
  ])('fusing forbidden %s', (_, first, second, count) => {
    const module = compileForTest(`kernel void k(global float* p, int i) { ${first} }
      kernel void l(global float* p) { ${second} }`);
    const text = printModule(module);
    expect(text.match(/contract/g)?.length ?? 0).toBe(count);
  });

  it('single precision constants', () => {
    const source = 'kernel void k(global float* p) { p[0] = p[0] * 1.1; }';
    expect(lowered(source)).toContain('f64');
    expect(lowered(source, '-cl-single-precision-constant')).not.toContain('f64');
  });

  it('only what kernels reach', () => {
    const module = compileForTest(`float unused(float x) { return exp(x); }
      float used(float x) { return x; }
      kernel void k(global float* p) { *p = used(*p); }`);
    expect(module.functions.map((fn) => fn.name)).toEqual(['k', 'used']);
  });
});
