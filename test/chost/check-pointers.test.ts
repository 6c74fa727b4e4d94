/** Programs in C that are compiled with `checkPointers`: null pointers stop them, and nothing else does. */
import { existsSync, readFileSync } from 'node:fs';
import { compileHost, MemoryFiles, runProgram, stoppedBy } from 'millrace/c-host';
import { expect, it } from 'vitest';

const folder = 'test/chost/programs';

/** What a program prints, and what it ends with: its exit code, or why it was stopped and the functions on the way there. */
function run(text: string) {
  const { bytes, log } = compileHost([{ name: 'host.c', text }], {
    checkPointers: true,
    verify: true,
    files: {
      read: (path) =>
        existsSync(`${folder}/${path}`) ? readFileSync(`${folder}/${path}`, 'utf8') : undefined,
    },
  });
  if (!bytes) throw new Error(log);
  let printed = '';
  const stdout = (piece: Uint8Array) => {
    printed += new TextDecoder().decode(piece);
  };
  try {
    const code = runProgram(bytes, { inMemory: { files: new MemoryFiles(), stdout } });
    return { printed, code };
  } catch (error) {
    const stopped = stoppedBy(error);
    if (!stopped) throw error;
    const names = stopped.frames.map((frame) => /at (\S+)/.exec(frame)![1]);
    return { printed, reason: stopped.reason, names };
  }
}

const around = (body: string) => `#include <stdio.h>
  #include <string.h>
  typedef struct pair { int a; double b[4]; } pair;
  int *nothing(void) { static int *volatile none; return none; }
  int main(int argc, char **argv) {
    printf("before\\n");
    pair *p = (pair *)nothing();
    ${body}
    printf("after\\n");
    return 0;
  }`;

it.each([
  ['a read', 'argc = p->a;'],
  ['a write', 'p->a = 1;'],
  ['an element behind a null pointer', 'p->b[argc] = 1;'],
  ['a copied struct', 'pair mine = *p; argc = mine.a;'],
  ['a struct that is copied to', 'static pair mine; *p = mine;'],
  ['a small number', '*(char *)(argc + 20) = 1;'],
])('are stopped by %s', (_, body) => {
  const { printed, reason, names } = run(around(body));
  // What was printed before is not lost.
  expect({ printed, reason }).toEqual({
    printed: 'before\n',
    reason: 'it used a null pointer, or one close to it',
  });
  expect(names!.slice(0, 2)).toEqual(['__null_pointer', 'main']);
});

it('go on where a null pointer is looked at and not followed', () => {
  const body = `int *q = &p->a; size_t none = argc - 1;
    if (p || q) return 1;
    if (none) memcpy(p, q, none);
    int here = 3; int *r = &here; *r += argc;
    static int there[2]; there[argc - 1] = *r;
    if (there[0] != 4) return 2;
    if (argv[0][0] != 'p') return 3;`;
  expect(run(around(body))).toEqual({ printed: 'before\nafter\n', code: 0 });
});

it.each(['bitonic_sort', 'rectangles', 'regressions'])('do what they do unchecked: %s', (name) => {
  const { printed, code } = run(readFileSync(`${folder}/${name}.c`, 'utf8'));
  expect({ printed, code }).toEqual({ printed: readFileSync(`${folder}/${name}.expected`, 'utf8'), code: 0 });
});
