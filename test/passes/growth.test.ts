/**
 * A program twice as long is twice the work to compile, and not four times: no block of the compiler's code is executed much more than twice as
 * often.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BlockCounter, type BlockCounts, grownFasterThan } from '../support/executed-blocks.ts';

const repeated = (count: number, text: (index: number) => string, between = '\n'): string =>
  Array.from({ length: Math.round(count) }, (_, index) => text(index)).join(between);

const kernel = (body: string): string =>
  `kernel void k(global int *p, int n) { int x = get_global_id(0);\n${body}\n}`;

const programs: Readonly<Record<string, (count: number) => string>> = {
  statements: (count) =>
    kernel(`${repeated(count, (i) => `x = x * ${i * 7 + 3} + (x >> ${i % 31});`)} p[0] = x;`),
  'loads and stores': (count) => kernel(repeated(count, (i) => `p[x + ${i}] = p[x + ${i + 1}] * ${i};`)),
  'variables that live long': (count) =>
    kernel(
      `${repeated(count, (i) => `int v${i} = p[x + ${i}];`)} ${repeated(count, (i) => `p[x * ${i}] = v${i};`)}`,
    ),
  conditions: (count) =>
    kernel(repeated(count, (i) => `if (p[x] > ${i}) p[x + ${i}] = ${i}; else x += p[${i}];`)),
  'else-if': (count) => kernel(repeated(count, (i) => `if (x == ${i}) p[${i}] = ${i * 3};`, ' else ')),
  cases: (count) => kernel(`switch (x) { ${repeated(count, (i) => `case ${i}: p[${i}] = x; break;`)} }`),
  'conditional operators': (count) =>
    kernel(`p[0] = ${repeated(count, (i) => `p[${i}] > ${i} ? ${i}`, ' : ')} : 7;`),
  loops: (count) => kernel(repeated(count / 2, (i) => `for (int i = 0; i < n; i++) p[x + i] += ${i};`)),
  // So few that a kernel may have all of them unrolled.
  'loops that are unrolled': (count) =>
    kernel(`${repeated(count / 3, (i) => `for (int i = 0; i < 4; i++) x += p[x + i] * ${i};`)} p[0] = x;`),
  'loops that end by what they load': (count) =>
    kernel(`${repeated(count, (i) => `while (p[x] > ${i}) x++;`)} p[0] = x;`),
  'variables that loops carry': (count) =>
    kernel(
      `${repeated(count, (i) => `int v${i} = p[${i}];`)} for (int i = 0; i < n; i++) { ${repeated(
        count,
        (i) => `v${i} += v${(i + 1) % count};`,
      )} } ${repeated(count, (i) => `p[${i}] = v${i};`)}`,
    ),
  barriers: (count) => kernel(repeated(count, (i) => `p[x] += ${i}; barrier(CLK_GLOBAL_MEM_FENCE);`)),
  'barriers and local memory': (count) =>
    kernel(
      `local int t[64]; ${repeated(
        count / 3,
        (i) =>
          `t[x & 63] = p[x + ${i}]; barrier(CLK_LOCAL_MEM_FENCE); p[x] += t[63 - (x & 63)]; barrier(CLK_LOCAL_MEM_FENCE);`,
      )}`,
    ),
  'values that live across barriers': (count) =>
    kernel(
      `${repeated(count, (i) => `int v${i} = p[x + ${i}]; barrier(CLK_GLOBAL_MEM_FENCE);`)} ${repeated(count, (i) => `p[x + ${i}] = v${i};`)}`,
    ),
  functions: (count) =>
    `${repeated(count, (i) => `int f${i}(int x) { if (x == ${i}) return 4; return x * ${i}; }`)}\n${kernel(repeated(count, (i) => `p[${i}] = f${i}(n);`))}`,
  'calls of one function': (count) =>
    `int f(int x) { if (x > 4) return 5; if (x % 3 == 1) return x / 7; return 7; }\n${kernel(repeated(count, (i) => `p[${i}] = f(n + ${i});`))}`,
  kernels: (count) =>
    repeated(count, (i) => `kernel void k${i}(global int *p) { p[get_global_id(0)] = ${i}; }`),
  'fields of a struct': (count) =>
    `typedef struct { ${repeated(count, (i) => `int f${i};`)} } S; kernel void k(global S *p) { S s = p[0]; ${repeated(count, (i) => `s.f${i} += ${i};`)} p[1] = s; }`,
  'variables of the program': (count) =>
    `${repeated(count, (i) => `constant int g${i}[2] = { ${i}, 1 };`)}\n${kernel(repeated(count, (i) => `p[${i}] = g${i}[x & 1];`))}`,
  'conditions within one another': (count) =>
    kernel(
      `${repeated(count / 4, (i) => `if (p[x + ${i}] > ${i}) { x += ${i};`)} p[0] = x; ${repeated(count / 4, () => '}')}`,
    ),
  'variables in else-if': (count) =>
    kernel(`int y = 0; ${repeated(count, (i) => `if (x == ${i}) y += p[${i}];`, ' else ')} p[0] = y;`),
  'conditions behind a barrier': (count) =>
    kernel(
      `${repeated(count, (i) => `int v${i} = p[x + ${i}];`)} barrier(CLK_GLOBAL_MEM_FENCE); ${repeated(count, (i) => `if (p[x] > ${i}) p[x + ${i}] = v${i};`)}`,
    ),
  'jumps to the head of a loop': (count) =>
    kernel(
      `for (int i = 0; i < n; i++) { ${repeated(count, (i) => `if (p[x + i] == ${i}) { x += ${i}; continue; }`)} p[i] = 1; } p[0] = x;`,
    ),
  initializers: (count) =>
    `constant int t[] = { ${repeated(count, (i) => `${i}`, ', ')} };\n${kernel('p[0] = t[n];')}`,
  macros: (count) =>
    `#define M0 n\n${repeated(count, (i) => `#define M${i + 1} M${i}`)}\n${kernel(repeated(count, (i) => `p[${i}] = M${i % 8};`))}`,
  'private arrays': (count) =>
    kernel(
      `int a[64]; for (int i = 0; i < 64; i++) a[i] = p[i];\n${repeated(count, (i) => `a[x & 63] += a[${i % 64}];`)} p[0] = a[x & 63];`,
    ),
  'variables that a loop hands on': (count) =>
    kernel(
      `${repeated(count, (i) => `int v${i} = ${i};`)} for (int i = 0; i < n; i++) { ${repeated(count, (i) =>
        i + 1 < count ? `v${i} = v${i + 1};` : `v${i} = p[x + i];`,
      )} } ${repeated(count, (i) => `p[${i}] = v${i};`)}`,
    ),
};

/** Numbers from 128 on take two bytes in a module, however many there are. */
const longerNumbers = /byte-buffer\.ts u32/;

/** Without its counts. */
const placeOf = (found: string): string => found.replace(/: [\d >-]+$/, '');

/** What still grows faster, but only with what has a limit: statements within one another, and what is inlined into one kernel. */
const todo: typeof programs = {
  // In simplify-cfg, a block whose jumps have become ways to its end is looked at again with all that is nested in it: 2.8.
  'a chain of functions': (count) =>
    `int f0(int x) { return x + 1; }\n${repeated(count, (i) => `int f${i + 1}(int x) { if (x == ${i}) return 4; return f${i}(x) * 3; }`)}\n${kernel(`p[0] = f${count}(n);`)}`,
  // In the analysis of counted loops, each loop is walked with all that are nested in it: 3.4.
  'loops within one another': (count) =>
    kernel(
      `${repeated(count / 8, (i) => `for (int i${i} = 0; i${i} < n; i${i}++) {`)} p[x] += i0; ${repeated(count / 8, () => '}')}`,
    ),
};

describe('compiling', () => {
  const counter = new BlockCounter();
  let compile: (source: string) => void;

  beforeAll(async () => {
    await counter.start();
    const { compileOpenCL } = await import('../../src/opencl/compile.ts');
    const { compileForWasm } = await import('../../src/devices/wasm/compile-kernels.ts');
    const { moduleOfPart, outlineOf, partsToTry } = await import('../../src/devices/wasm/program-outline.ts');
    compile = (source) => {
      const { module, log } = compileOpenCL(source);
      if (!module) throw new Error(log);
      const outline = outlineOf(module);
      partsToTry(module, outline);
      for (const part of outline.parts.keys()) {
        compileForWasm(moduleOfPart(module, outline, part), { shared: true }, '');
      }
    };
  });
  afterAll(() => counter.stop());

  it.each(Object.entries(programs))('%s', async (_, program) => {
    // What is done once in a process is done then.
    compile(program(10));
    const measure = async (): Promise<string[]> => {
      const counts: BlockCounts[] = [];
      for (const size of [50, 100, 200]) counts.push(await counter.count(() => compile(program(size))));
      return grownFasterThan(2.4, counts).filter((place) => !longerNumbers.test(place));
    };
    let grown = await measure();
    // V8 drops the counts of a function when it collects what it knows of it: 0 -> 7991 -> 29138 has been seen of one that writes every byte.
    // What grows does so again.
    if (grown.length > 0) {
      const again = new Set((await measure()).map(placeOf));
      grown = grown.filter((place) => again.has(placeOf(place)));
    }
    expect(grown).toEqual([]);
  });

  for (const name of Object.keys(todo)) it.todo(name);
});
