/**
 * Where C lays things out, as gcc has it: every type of cl_platform.h, and records that are made of them, with all that GNU C has to
 * say about alignment. A program prints sizes, alignments and offsets; gcc's own build of the same text says what is right.
 * Types that hold addresses have 32 bits here, so that clang for wasm32 is asked about those.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { compileHost, MemoryFiles, runProgram } from 'millrace/c-host';
import { afterAll, expect, it } from 'vitest';
import { compileC, hasClang } from '../support/clang.ts';
import { hasProgram } from '../support/programs.ts';
import { Random } from '../support/random.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-layouts-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What a program prints that Millrace has compiled, or a module of WebAssembly. */
function printedBy(program: string | Uint8Array): string {
  let bytes: Uint8Array | undefined;
  if (typeof program === 'string') {
    const compiled = compileHost([{ name: 'layouts.c', text: program }], { suppressWarnings: true });
    expect(compiled.log).toBe('');
    bytes = compiled.bytes;
  } else bytes = program;
  const decoder = new TextDecoder();
  let printed = '';
  const stdout = (piece: Uint8Array) => {
    printed += decoder.decode(piece, { stream: true });
  };
  expect(runProgram(bytes!, { inMemory: { files: new MemoryFiles(), stdout } })).toBe(0);
  return printed;
}

function printedByGcc(text: string): string {
  const [source, program] = [join(folder, 'layouts.c'), join(folder, 'layouts')];
  writeFileSync(source, text);
  execFileSync('gcc', ['-std=gnu99', '-w', `-I${resolve('include')}`, source, '-o', program]);
  return execFileSync(program, { encoding: 'utf8' });
}

function printedByClang(text: string): string {
  const [source, program] = [join(folder, 'wasm.c'), join(folder, 'wasm.wasm')];
  writeFileSync(source, text);
  compileC(source, program, ['-std=gnu99', '-w']);
  return printedBy(new Uint8Array(execFileSync('cat', [program])));
}

const elements = [
  'char',
  'uchar',
  'short',
  'ushort',
  'int',
  'uint',
  'long',
  'ulong',
  'half',
  'float',
  'double',
];
const scalars = elements.map((element) => `cl_${element}`);
const clTypes = scalars.flatMap((scalar) => [scalar, ...[2, 3, 4, 8, 16].map((lanes) => scalar + lanes)]);
const pointers = [
  'address',
  'size_t',
  'cl_mem',
  'cl_context_properties',
  'cl_image_desc',
  'cl_buffer_region',
];

/** A program in C that is written piece by piece. */
class Printer {
  readonly declarations: string[] = [];
  readonly statements: string[] = [];

  /** Prints the size and the alignment of a type. */
  type(name: string): void {
    this.statements.push(
      `printf("%s %u %u\\n", "${name}", (unsigned)sizeof(${name}), (unsigned)_Alignof(${name}));`,
    );
  }

  offset(record: string, field: string): void {
    const offset = `(unsigned)__builtin_offsetof(${record}, ${field})`;
    this.statements.push(`printf("  ${field} %u\\n", ${offset});`);
  }

  text(): string {
    return `#include <CL/cl.h>
#include <stdio.h>
#include <string.h>
typedef void *address;
static void show(const void *object, unsigned size) {
  const unsigned char *bytes = object;
  for (unsigned i = 0; i < size; ++i) if (bytes[i]) printf("%u:%02x ", i, bytes[i]);
  printf("\\n");
}
${this.declarations.join('\n')}
int main(void) {
${this.statements.join('\n')}
return 0;
}
`;
  }
}

/** Declares a struct or union of random members, and prints its layout. */
class Records {
  readonly #printer: Printer;
  readonly #random: Random;
  readonly #types: string[];
  #count = 0;

  constructor(printer: Printer, random: Random, types: readonly string[]) {
    this.#printer = printer;
    this.#random = random;
    this.#types = [...types];
  }

  add(): void {
    const { declarations } = this.#printer;
    const random = this.#random;
    const name = `r${this.#count++}`;
    const packing = random.below(8) === 0 ? random.pick([1, 2, 4, 8, 16]) : undefined;
    if (packing !== undefined) declarations.push(`#pragma pack(push, ${packing})`);
    const isUnion = random.below(4) === 0;
    const [shown, bits]: [string[], string[]] = [[], []];
    const members = this.#members(1 + random.below(6), 'm', shown, bits);
    const attributes = this.#attributes(['packed', 'aligned(16)', 'aligned(2)', 'aligned(64)', 'aligned'], 8);
    declarations.push(`typedef ${isUnion ? 'union' : 'struct'} {${members}}${attributes} ${name};`);
    if (packing !== undefined) declarations.push('#pragma pack(pop)');
    // Few of them, or those that hold others that hold others become very long.
    if (random.below(8) === 0) this.#types.push(name);
    this.#printer.type(name);
    this.#printer.type(`${name}[${1 + random.below(3)}]`);
    for (const field of shown) this.#printer.offset(name, field);
    if (bits.length > 0) this.#showBits(name, bits);
    if (random.below(6) === 0) this.#addAligned(name);
  }

  #members(count: number, prefix: string, shown: string[], bits: string[]): string {
    const random = this.#random;
    let text = '';
    for (let index = 0; index < count; index += 1) {
      const name = `${prefix}${index}`;
      const kind = random.below(14);
      const attributes = this.#attributes(['packed', 'aligned(8)', 'aligned(32)', 'aligned(1)'], 10);
      if (kind === 0) {
        const inner = this.#members(1 + random.below(3), `${name}_`, shown, bits);
        text += `${random.pick(['struct', 'union'])} {${inner}};`;
        continue;
      }
      if (kind <= 2) {
        const type = random.pick([
          'cl_char',
          'cl_uchar',
          'cl_short',
          'cl_int',
          'cl_uint',
          'cl_long',
          'cl_ulong',
        ]);
        const most = { char: 8, uchar: 8, short: 16, int: 32, uint: 32, long: 64, ulong: 64 }[type.slice(3)]!;
        text += `${type} ${name} : ${1 + random.below(most)}${attributes};`;
        bits.push(name);
        if (random.below(5) === 0) text += 'cl_int : 0;';
        continue;
      }
      const array = random.below(4) === 0 ? `[${1 + random.below(4)}]` : '';
      text += `${random.pick(this.#types)} ${name}${array}${attributes};`;
      shown.push(name);
    }
    return text;
  }

  #attributes(names: readonly string[], seldom: number): string {
    return this.#random.below(seldom) === 0 ? ` __attribute__((${this.#random.pick(names)}))` : '';
  }

  /** Bit-fields have no offsets; which bytes they change says where they are, and what is read that reading finds it again. */
  #showBits(name: string, bits: readonly string[]): void {
    const { statements } = this.#printer;
    const value = '0x5a3c96e1d287b4f0ll';
    for (const field of bits) {
      const set = (to: string) => `memset(&x, 0, sizeof x); x.${field} = ${to}; show(&x, sizeof x);`;
      const read = `printf("%lld\\n", (long long)x.${field});`;
      statements.push(`{ static ${name} x; ${set('-1')} ${set(value)} ${read} }`);
    }
  }

  /** A typedef that is aligned otherwise than its type; its size stays, so that it is no element of an array. */
  #addAligned(type: string): void {
    const name = `a${this.#count}`;
    const align = 2 ** this.#random.below(8);
    this.#printer.declarations.push(
      `typedef ${type} ${name} __attribute__((aligned(${align})));`,
      `typedef struct { char before; ${name} it; char after; } ${name}_in;`,
    );
    this.#printer.type(name);
    this.#printer.type(`${name}_in`);
    this.#printer.offset(`${name}_in`, 'it');
    this.#printer.offset(`${name}_in`, 'after');
  }
}

function programOf(seed: number, types: readonly string[], records: number): string {
  const printer = new Printer();
  for (const type of types) {
    printer.type(type);
    const name = `in_${type.replaceAll(/\W/g, '_')}`;
    printer.declarations.push(`typedef struct { char before; ${type} it, many[3]; char after; } ${name};`);
    printer.declarations.push(`typedef union { char before[5]; ${type} it; } ${name}_or;`);
    printer.type(name);
    printer.type(`${name}[3]`);
    printer.type(`${name}_or`);
    for (const field of ['it', 'many', 'after']) printer.offset(name, field);
  }
  const made = new Records(printer, new Random(seed), types);
  for (let count = 0; count < records; count += 1) made.add();
  return printer.text();
}

it.skipIf(!hasProgram('gcc'))('are those of gcc', { timeout: 120_000 }, () => {
  const text = programOf(1, clTypes, 300);
  const printed = printedBy(text);
  expect(printed).toContain('cl_float4 16 16\n');
  expect(printed).toBe(printedByGcc(text));
});

it.skipIf(!hasClang)('are those of clang, of addresses, too', { timeout: 120_000 }, () => {
  const text = programOf(2, [...pointers, 'cl_float4', 'cl_int', 'cl_char3'], 200);
  expect(printedBy(text)).toBe(printedByClang(text));
});

it('are what kernels find in structs', () => {
  const text = `#include <CL/cl.h>
    #include <stdio.h>
    typedef struct { cl_float mass; cl_float4 pos; } Body;
    typedef union { cl_uchar16 bytes; cl_ulong2 words; } Key;
    typedef struct { cl_char tag; Body bodies[2]; cl_short3 place; Key key; cl_double8 far; } All;
    static const char *source =
      "typedef struct { float mass; float4 pos; } Body;"
      "typedef union { uchar16 bytes; ulong2 words; } Key;"
      "typedef struct { char tag; Body bodies[2]; short3 place; Key key; double8 far; } All;"
      "kernel void heavier(global Body *b, global All *a, All by, global uint *sizes) {"
      "  size_t i = get_global_id(0);"
      "  b[i].mass += b[i].pos.w; b[i].pos.xyz *= by.bodies[1].mass;"
      "  if (i == 0) {"
      "    *a = by; a->place.z = by.tag; a->key.words.y = by.key.bytes.s9; a->far.s7 += by.far.s0;"
      "    sizes[0] = sizeof(Body); sizes[1] = sizeof(All); sizes[2] = sizeof(Key);"
      "  }"
      "}";
    int main(void) {
      cl_device_id device;
      clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
      cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
      cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
      cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
      clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
      cl_kernel kernel = clCreateKernel(program, "heavier", NULL);
      Body bodies[2] = {{1.0f, {{2, 3, 4, 5}}}, {10.0f, {{20, 30, 40, 50}}}};
      All by = {.tag = 7, .bodies = {{0}, {0.5f, {{0}}}}, .place = {{1, 2, 3}}, .far = {{1, 2, 3, 4, 5, 6, 7, 8}}};
      by.key.bytes.s[9] = 99;
      All out;
      cl_uint sizes[3];
      cl_mem b = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof bodies, bodies, NULL);
      cl_mem a = clCreateBuffer(context, 0, sizeof out, NULL, NULL);
      cl_mem s = clCreateBuffer(context, 0, sizeof sizes, NULL, NULL);
      clSetKernelArg(kernel, 0, sizeof b, &b);
      clSetKernelArg(kernel, 1, sizeof a, &a);
      if (clSetKernelArg(kernel, 2, sizeof by, &by)) return 1;
      clSetKernelArg(kernel, 3, sizeof s, &s);
      size_t two = 2;
      clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &two, NULL, 0, NULL, NULL);
      clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof bodies, bodies, 0, NULL, NULL);
      clEnqueueReadBuffer(queue, a, CL_TRUE, 0, sizeof out, &out, 0, NULL, NULL);
      clEnqueueReadBuffer(queue, s, CL_TRUE, 0, sizeof sizes, sizes, 0, NULL, NULL);
      for (int i = 0; i < 2; ++i) {
        cl_float4 p = bodies[i].pos;
        printf("%g %g %g %g %g\\n", bodies[i].mass, p.x, p.y, p.z, p.w);
      }
      printf("%d %d %d %llu %g\\n", out.tag, out.place.s[1], out.place.s[2], out.key.words.s[1], out.far.s[7]);
      printf("%d %d %d\\n", sizes[0] == sizeof(Body), sizes[1] == sizeof(All), sizes[2] == sizeof(Key));
      return 0;
    }`;
  expect(printedBy(text)).toBe('6 1 1.5 2 5\n60 10 15 20 50\n7 2 7 99 9\n1 1 1\n');
});

it.each([
  [
    'typedef int wide __attribute__((aligned(16))); wide list[2];',
    /aligned.*|isn't a multiple of its alignment/,
  ],
])('are refused where elements would have gaps: %s', (text, message) => {
  expect(compileHost([{ name: 'host.c', text: `${text}\nint main(void) { return 0; }\n` }]).log).toMatch(
    message,
  );
});
