/**
 * What headers and programs of GNU C use: each program of the folder gnu prints what gcc's prints (gcc -w -std=gnu11, recorded beside it
 * with the exit code), and what cannot be compiled is an error that says so. Other people's headers of OpenCL are read.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileHost } from '../../src/hosted/compile.ts';

const folder = resolve('test/chost/gnu');
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.c'))
  .map((name) => basename(name, '.c'));

function messagesOf(
  text: string,
  files: Readonly<Record<string, string>> = {},
  includePaths: string[] = [],
): string[] {
  const { diagnostics } = compileHost([{ name: 'a.c', text }], {
    files: { read: (path) => files[path] },
    includePaths,
  });
  return diagnostics.map(({ severity, message }) => `${severity}: ${message}`);
}

describe('programs in GNU C', () => {
  let outputs: readonly string[] = [];

  beforeAll(async () => {
    const where = mkdtempSync(join(tmpdir(), 'millrace-gnu-'));
    try {
      const list = JSON.stringify(names.map((name) => [[name], []]));
      const script = resolve('test/chost/run-programs.mjs');
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, folder, list], {
        cwd: where,
        encoding: 'latin1',
      });
      expect(stderr).toBe('');
      outputs = stdout.split(/\n### \d+\n/).slice(1);
    } finally {
      rmSync(where, { recursive: true });
    }
  }, 180_000);

  it.each(names.map((name, index) => [name, index] as const))('%s', (name, index) => {
    expect(outputs[index]).toBe(readFileSync(join(folder, `${name}.expected`), 'latin1'));
  });
});

describe('what of GNU C cannot be compiled is an error', () => {
  it.each([
    ['int main(void) { int f(int x) { return x; } return f(0); }', /nested functions cannot be compiled/],
    ['int main(void) { void *p = &&a; a: return !p; }', /the address of a label cannot be compiled/],
    ['int main(void) { void *p = 0; goto *p; }', /a goto to a computed label cannot be compiled/],
    ['int main(void) { int x; __asm__("nop" : "=r"(x)); return x; }', /inline assembly cannot be compiled/],
    [
      'typedef int t __attribute__((vector_size(128))); int main(void) { return 0; }',
      /vectors of 32 elements/,
    ],
    [
      'typedef int t __attribute__((mode(TI))); int main(void) { return 0; }',
      /machine mode 'TI' is not supported/,
    ],
    ['int main(void) { __auto_type x; return 0; }', /'__auto_type' requires an initializer/],
    ['int main(void) { return _Generic(1.0f, int: 0, double: 1); }', /type 'float' not compatible/],
    [
      'int other(int) __attribute__((alias("none"))); int main(void) { return other(1); }',
      /an alias must be of a function/,
    ],
    ['int x __asm__("y"); int main(void) { return x; }', /supported on functions only/],
    [
      'void f(int *p); int main(void) { int x __attribute__((cleanup(f))) = 1; goto a; a: return x; } void f(int *p) {}',
      /cannot compile this goto/,
    ],
    ['int main(void) { return __builtin_clz(); }', /no matching function for call to '__builtin_clz'/],
    ['int main(void) { int r; return __builtin_add_overflow(1.5, 2, &r); }', /no matching function/],
    [
      'struct s { int x; _Static_assert(sizeof(int) == 8, "width"); }; int main(void) { return 0; }',
      /static_assert failed "width"/,
    ],
    ['#if __has_include(stdio)\n#endif\nint main(void) { return 0; }', /expected "FILENAME" or <FILENAME>/],
  ])('%s', (text, message) => {
    const messages = messagesOf(text);
    expect(messages.length).toBeGreaterThan(0);
    expect(messages[0]).toMatch(/^error/);
    expect(messages.join('\n')).toMatch(message);
  });

  it('attributes that nobody knows are still told of', () => {
    expect(messagesOf('__attribute__((nonsuch)) int main(void) { return 0; }')).toEqual([
      "warning: unknown attribute 'nonsuch' ignored",
    ]);
  });
});

describe('headers', () => {
  it('beside the file that asks come before the library, and include_next goes on to it', () => {
    const files = {
      'string.h': '#define OWN 1\n#include_next <string.h>\n',
      'one/a.h': '#include_next "a.h"\n#define ONE 1\n',
      'two/a.h': '#define TWO 2\n',
    };
    const text = `#include "string.h"
      #include <a.h>
      #if !__has_include("a.h") || __has_include("b.h") || !defined __has_include_next
      #error
      #endif
      int main(void) { return (int)strlen("abcd") - OWN - ONE - TWO; }`;
    expect(messagesOf(text, files, ['one', 'two'])).toEqual([]);
  });

  it.runIf(existsSync('/usr/include/CL/cl.h'))(
    'of Khronos are read, and their types are as long as ours',
    () => {
      // Under another name, for the library's own headers come first under theirs.
      const read = (path: string): string | undefined => {
        const file = path.startsWith('inc/khronos/') ? `/usr/include/CL/${basename(path)}` : '';
        return existsSync(file) ? readFileSync(file, 'utf8').replaceAll('<CL/', '<khronos/') : undefined;
      };
      const sizes = [
        'cl_char3',
        'cl_float2',
        'cl_float4',
        'cl_double16',
        'cl_long3',
        'cl_image_format',
        'cl_buffer_region',
      ];
      const asserts = [16, 4, 8, 16, 128, 32, 8, 8]
        .slice(1)
        .map((size, index) => `_Static_assert(sizeof(${sizes[index]}) == ${size}, "${sizes[index]}");`);
      const { log } = compileHost(
        [
          {
            name: 'a.c',
            text: `#define CL_TARGET_OPENCL_VERSION 300
            #include <khronos/cl.h>
            #include <khronos/cl_ext.h>
            ${asserts.join('\n')}
            struct body { cl_float mass; cl_float4 position; };
            _Static_assert(sizeof(struct body) == 32, "body");
            int main(void) { cl_float4 v = {{1, 2, 3, 4}}; return (int)v.s[2] - 3; }`,
          },
        ],
        { files: { read }, includePaths: ['inc'] },
      );
      expect(log).toBe('');
    },
  );
});
