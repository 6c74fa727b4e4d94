/**
 * Texts that ask for much of something: nesting, length, macros that grow, types that grow. `size` is how much; a compiler has to refuse what
 * is too much, in time that grows no faster than the text, and may not run out of stack or memory.
 */
import type { Bomb } from './kind.ts';

const kernel = (body: string): string => `kernel void k(global int *p) { ${body} }`;
const times = (text: string, size: number): string => text.repeat(size);
/** Of what doubles, that is far more than a machine has. */
const doublings = (size: number): number => Math.min(64, size);

export const cBombs: readonly Bomb[] = [
  (size) => kernel(`p[0] = ${times('(', size)}1${times(')', size)};`),
  (size) => kernel(`p[0] = ${times('-', size)}1;`),
  (size) => kernel(`p[0] = ${times('!', size)}p[1];`),
  (size) => kernel(`p[0] = 1${times(' + p[1]', size)};`),
  (size) => kernel(`p[0] = ${times('p[1] ? 1 : ', size)}2;`),
  (size) => kernel(`p${times('[p', size)}[0]${times(']', size)} = 1;`),
  (size) => kernel(times('{', size) + times('}', size)),
  (size) => kernel(`${times('if (p[0]) ', size)}p[1] = 2;`),
  (size) => kernel(`${times('for (;p[0];) ', size)}p[1] = 2;`),
  (size) => kernel(`${times('if (p[0]) { p[1]++; } else ', size)}p[2] = 1;`),
  (size) =>
    kernel(
      `switch (p[0]) { ${Array.from({ length: size }, (_, i) => `case ${i}: p[1] = ${i};`).join(' ')} }`,
    ),
  (size) => kernel(`switch (p[0]) { case 0 ... ${size * 100000}: p[1] = 1; }`),
  (size) => kernel(times('p[0]++; ', size)),
  (size) => kernel(times('barrier(1); ', size)),
  (size) => kernel(`#pragma unroll ${size}\nfor (int i = 0; i < ${size * 1000}; i++) p[i] += i;`),
  (size) =>
    kernel(
      `for (int i = 0; i < ${size}; i++) for (int j = 0; j < 16; j++) for (int k = 0; k < 16; k++) p[i + j] += k;`,
    ),
  (size) =>
    `${Array.from({ length: doublings(size) }, (_, i) => `#define M${i + 1} M${i} M${i}`).join('\n')}\n#define M0 p[0]++;\n${kernel(`M${doublings(size)}`)}`,
  (size) =>
    `#define F(x) x x\n${kernel(`${times('F(', doublings(size))}p[0]++;${times(')', doublings(size))}`)}`,
  (size) =>
    `${Array.from({ length: size }, (_, i) => `#define N${i} N${i + 1}`).join('\n')}\n${kernel('p[0] = N0;')}`,
  (size) => `${times('#if 1\n', size)}${kernel('p[0] = 1;')}\n${times('#endif\n', size)}`,
  (size) => `#if ${times('(', size)}1${times(')', size)}\n#endif\n${kernel('')}`,
  (size) => `${times('/* */ ', size)}${kernel('')}`,
  (size) => `${times('\n', size)}${kernel('x')}`,
  (size) => kernel(`p[0] = ${'a'.repeat(size)};`),
  (size) => kernel(`p[0] = ${'9'.repeat(size)};`),
  (size) => kernel(`float f = 1e${'9'.repeat(size)}f; p[0] = f;`),
  (size) => kernel(`float f = 0x1.${'f'.repeat(size)}p${size}f; p[0] = f;`),
  (size) => kernel(`printf("${'%d'.repeat(size)}\\n");`),
  (size) => kernel(`printf("%${size}d ${'x'.repeat(size)}\\n", 1);`),
  (size) =>
    `struct S0 { int x; };\n${Array.from({ length: doublings(size) }, (_, i) => `struct S${i + 1} { struct S${i} a, b; };`).join('\n')}\n${kernel(`struct S${doublings(size)} s, t = s; p[0] = sizeof(s);`)}`,
  (size) =>
    kernel(`int a[${size}]${times('[2]', doublings(size))}; p[0] = a[0]${times('[0]', doublings(size))};`),
  (size) => kernel(`int a[${size}${times('0', 10)}]; p[0] = sizeof(a);`),
  (size) =>
    `struct S { ${Array.from({ length: size }, (_, i) => `int m${i};`).join(' ')} };\n${kernel('struct S s; s.m0 = 1; p[0] = s.m0;')}`,
  (size) => `int ${times('*', size)}q;\n${kernel('')}`,
  (size) => `${times('__attribute__((unused)) ', size)}${kernel('')}`,
  (size) =>
    `typedef int t0; ${Array.from({ length: size }, (_, i) => `typedef t${i} t${i + 1};`).join(' ')}\n${kernel(`t${size} x = 1; p[0] = x;`)}`,
  (size) =>
    `${Array.from({ length: size }, (_, i) => `int f${i}(int x) { return ${i ? `f${i - 1}(x) + f${i - 1}(x + 1)` : 'x'}; }`).join('\n')}\n${kernel(`p[0] = f${size - 1}(p[1]);`)}`,
  (size) =>
    `int f(${Array.from({ length: size }, (_, i) => `int x${i}`).join(', ')}) { return 1; }\n${kernel(`p[0] = f(${Array.from({ length: size }, () => '1').join(', ')});`)}`,
  (size) =>
    `kernel void k(${Array.from({ length: size }, (_, i) => `global int *x${i}`).join(', ')}) { x0[0] = 1; }`,
  (size) =>
    `enum E { ${Array.from({ length: size }, (_, i) => `e${i}`).join(', ')} };\n${kernel('p[0] = e0;')}`,
  (size) => kernel(`int a[] = {${times('1, ', size)}}; p[0] = a[p[1]];`),
  (size) => kernel(`int a[] = {[${size}0000] = 1}; p[0] = a[p[1]];`),
  (size) => `constant int c[] = {${times('{', size)}1${times('}', size)}};\n${kernel('p[0] = c[0];')}`,
  (size) =>
    kernel(
      `${times('a: ', Math.min(size, 1))}${Array.from({ length: size }, (_, i) => `l${i}: p[0]++; if (p[${i}]) goto l${(i * 7) % size};`).join(' ')}`,
    ),
  (size) => kernel(`float4 v; p[0] = v.${'x'.repeat(size)}.x;`),
  (size) => kernel(`p[0] = (int)${times('(int)', size)}p[1];`),
  (size) => kernel(`p[0] = sizeof(${times('int(*', size)}${times(')', size)});`),
];

const brookKernel = (body: string): string =>
  `kernel void k(float a<>, float g[], out float c<>) { ${body} }`;

export const brookBombs: readonly Bomb[] = [
  (size) => brookKernel(`c = ${times('(', size)}a${times(')', size)};`),
  (size) => brookKernel(`c = a${times(' + a', size)};`),
  (size) => brookKernel(`c = ${times('-', size)}a;`),
  (size) => brookKernel(`${times('if (a > 0.0f) ', size)}c = 1.0f;`),
  (size) => brookKernel(times('{', size) + times('}', size)),
  (size) => brookKernel(times('c = a; ', size)),
  (size) => brookKernel(`c = g${times('[g', size)}[0]${times(']', size)};`),
  (size) =>
    `kernel void k(${Array.from({ length: size }, (_, i) => `float a${i}<>`).join(', ')}, out float c<>) { c = a0; }`,
  (size) =>
    `${Array.from({ length: doublings(size) }, (_, i) => `#define M${i + 1} M${i} M${i}`).join('\n')}\n#define M0 c = a;\n${brookKernel(`M${doublings(size)}`)}`,
  (size) => `struct S { float x[${size}${times('0', 8)}]; };\n${brookKernel('c = a;')}`,
];

const il = (body: string): string => `il_ps_2_0\ndcl_literal l0, 1, 2, 3, 4\n${body}\nend\n`;

export const ilBombs: readonly Bomb[] = [
  (size) => il(times('mov r0, l0\n', size)),
  (size) => il(times('if_logicalnz r0.x\n', size) + times('endif\n', size)),
  (size) => il(times('whileloop\n', size) + times('endloop\n', size)),
  (size) => il(`mov r${'9'.repeat(Math.min(size, 5000))}, l0`),
  (size) => il(`mov r0, ${times('x0[', size)}0${times(']', size)}`),
  (size) => il(`dcl_indexed_temp_array x0[${size}0000000]\nmov x0[0], l0`),
  (size) => il(`dcl_cb cb0[${size}00000]\nmov r0, cb0[0]`),
  (size) => il(Array.from({ length: size }, (_, i) => `func ${i}\nmov r${i}, l0\nret`).join('\n')),
  (size) =>
    `il_ps_2_0\n${Array.from({ length: size }, (_, i) => `call ${i}`).join('\n')}\nendmain\n${Array.from({ length: size }, (_, i) => `func ${i}\ncall ${i + 1}\ncall ${i + 1}\nret`).join('\n')}\nend\n`,
  (size) => il(times('switch r0.x\ncase 1\n', size) + times('break\nendswitch\n', size)),
];

export const irBombs: readonly Bomb[] = [
  (size) =>
    `kernel @k(%p: ptr<global>, %c: bool) {\n${times('if %c {\n', size)}${times('yield\n} else {\nyield\n}\n', size)}return\n}`,
  (size) => `kernel @k(%p: ${times('array(', size)}i32${times(', 2)', size)}) {\nreturn\n}`,
  (size) => `kernel @k(${Array.from({ length: size }, (_, i) => `%p${i}: i32`).join(', ')}) {\nreturn\n}`,
  (size) =>
    `kernel @k(%p: ptr<global>) {\n${Array.from({ length: size }, (_, i) => `%v${i} = constant ${i} : i32`).join('\n')}\nreturn\n}`,
  (size) => `${times('(', size)}`,
  (size) => `"${'a'.repeat(size)}`,
];
