/** Programs with threads: Millrace's own C library, OpenCL and Brook+ called from several at once, and how such programs end. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileHost, startProgram } from 'millrace/c-host';
import { describe, expect, it } from 'vitest';
import { start } from '../cli/millrace.ts';
import { compileC, hasClang } from '../support/clang.ts';

const folder = fileURLToPath(new URL('threads', import.meta.url));
const run = (...args: string[]) => start(folder, ['run', ...args]).ended;

describe('programs with threads', () => {
  it('have what POSIX and C11 say', async () => {
    const { stdout, stderr, code } = await run('library.c');
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    // 8 threads, 20000 rounds; of 16 rounds one writes, in threads 1 to 8 each.
    expect(stdout.split('\n')).toEqual([
      'sums 160000 160000 160000',
      'pair 10000 10000, torn 0',
      'results 3600, destroyed 36, once 1',
      'taken 500500',
      'posted, -1 1',
      'timed 1, busy 1',
      'recursive 0 0 0 0 1',
      'c11 0 0 42 1',
      '',
    ]);
  });

  it('print lines that stay whole', async () => {
    const { stdout } = await run('library.c', 'say');
    const counts = new Map<string, number>();
    for (const line of stdout.trimEnd().split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
    expect([...counts].sort()).toEqual(
      ['aaa', 'bbb', 'ccc', 'ddd'].map((word) => [`${word} ${word} ${word}`, 200]),
    );
  });

  it('call OpenCL from eight threads, on queues of their own and a shared one', async () => {
    // MILLRACE_THREAD_ROUNDS=12500 makes a million calls of it.
    const rounds = Number(process.env['MILLRACE_THREAD_ROUNDS'] ?? 200);
    const { stdout, stderr } = await run('queues.c', String(rounds));
    expect(stderr).toBe('');
    expect(stdout).toBe(`calls ${8 * (10 * rounds + 1)}, failures 0, squares 140, shared 0 0\n`);
  });

  it('wait for each other by way of OpenCL, and have their functions called meanwhile', async () => {
    const { stdout, stderr } = await run('waits.c');
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toEqual([
      'read 0',
      'value 7, told 1',
      'finish 0',
      'wait 0',
      'failed -14',
      ...Array(3).fill('native 0'),
      'finish 0, native runs 3',
      '',
    ]);
  });

  it('use devices of Brook+ of their own', async () => {
    const { stdout } = await run('streams.br');
    // Twenty times the sum of 0 to 99 times 1 to 8; no thread inherits what is used.
    const lines = Array.from({ length: 8 }, (_, index) => `${20 * 4950 * (index + 1)} 0 0\n`);
    expect(stdout).toBe(lines.join(''));
  });

  it.each([
    ['abort', 134, /^millrace: stops\.c was stopped: it aborted\n.*\babort .*\n.* run /],
    ['trap', 134, /it used a pointer to where there is no memory\n.* run /],
    ['exit', 7, /^$/],
    ['return', 5, /^$/],
  ])('end: %s', async (how, expected, message) => {
    const { stdout, stderr, code } = await run('stops.c', how);
    expect({ stdout, code }).toEqual({ stdout: 'begins\n', code: expected });
    expect(stderr).toMatch(message);
  });

  it('go on when main has left, and end with the last of them', async () => {
    const lines = ['kept 0 0, destroyed 0', 'last', 'exit', ''];
    expect(await run('ends.c')).toMatchObject({ stderr: '', stdout: lines.join('\n'), code: 0 });
    expect(await run('ends.c', 'alone')).toMatchObject({ stderr: '', stdout: 'exit\n', code: 0 });
  });

  it('run in memory alone', async () => {
    const name = 'library.c';
    const { bytes, log } = compileHost([{ name, text: readFileSync(join(folder, name), 'utf8') }]);
    expect(log).toBe('');
    let text = '';
    const { ended } = startProgram(bytes!, {
      args: ['library'],
      stdout: (piece) => {
        text += new TextDecoder().decode(piece);
      },
    });
    expect((await ended).exitCode).toBe(0);
    expect(text).toContain('taken 500500\n');
  });

  it('have variables of each thread, errno among them, and stacks as large as they ask for', async () => {
    expect(await run('own.c')).toMatchObject({
      stderr: '',
      stdout: 'bad 0, first 40 one 2.5, errno 3\ndeep 0\n',
      code: 0,
    });
  });

  it('end where the stack of one is full', async () => {
    // A frame has a thousand bytes, the stack 64 KiB.
    expect(await run('own.c', '30')).toMatchObject({ stdout: 'descends\nreturned 0\n', code: 0 });
    const { stdout, stderr, code } = await run('own.c', '100');
    expect({ stdout, code }).toEqual({ stdout: 'descends\n', code: 134 });
    expect(stderr).toContain('the stack is full');
  });

  it.each([
    ['int f(void) { _Thread_local int x; return x; }', "'_Thread_local' variables must have global storage"],
    ['_Thread_local int f(void);', "'_Thread_local' is only allowed on variable declarations"],
    ['_Thread_local int x; int *p = &x;', 'initializer element is not a compile-time constant'],
    [
      '#include <pthread.h>\n_Thread_local char many[600000];\nvoid *f(void *x) { return many; }\nint main(void) { pthread_t t; return pthread_create(&t, 0, f, 0); }',
      'the variables of each thread take 600',
    ],
  ])('say what is wrong with variables of each thread: %s', (text, message) => {
    const { bytes, log } = compileHost([{ name: 'a.c', text: `${text}\nint main(void);\n` }]);
    expect(bytes).toBeUndefined();
    expect(log).toContain(message);
  });

  it.skipIf(!hasClang)('that clang has compiled begin as wasi-threads says', async () => {
    const place = mkdtempSync(join(tmpdir(), 'millrace-wasi-threads-'));
    const linked = [
      'shared-memory',
      'import-memory',
      'max-memory=4194304',
      'export=wasi_thread_start',
      'export=_start',
    ];
    const flags = [
      '-O1',
      '--target=wasm32',
      '-nostdlib',
      '-matomics',
      '-mbulk-memory',
      `-Wl,${linked.map((word) => `--${word}`).join(',')}`,
    ];
    compileC(join(folder, 'abi.c'), join(place, 'abi.wasm'), [...flags, join(folder, 'abi-start.s')]);
    expect(await start(place, ['run', 'abi.wasm']).ended).toMatchObject({ stderr: '', code: 42 });
  });

  it('that lock and start no thread run anywhere', async () => {
    const text =
      '#include <pthread.h>\n#include <stdio.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint main(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); puts("one"); return 0; }\n';
    const place = mkdtempSync(join(tmpdir(), 'millrace-one-thread-'));
    writeFileSync(join(place, 'one.c'), text);
    expect(await start(place, ['run', 'one.c']).ended).toMatchObject({ stdout: 'one\n', code: 0 });
  });
});
