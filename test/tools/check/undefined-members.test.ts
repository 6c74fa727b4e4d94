/**
 * Members of structs that were never set: through copies, private, local and global memory, and from launch to launch. Every kernel that
 * must be reported has one beside it that must not; the reports are written by hand, after what Valgrind's memcheck says of the like in C:
 * copies are no faults, uses are. What is copied to global memory, which hosts see, is a warning.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { type KernelArgument, local } from '../../../src/api/javascript/arguments.ts';
import { compile } from '../../../src/api/javascript/compile.ts';
import { type FoundReport, startChecking } from '../../../src/tools/check/index.ts';

let found: FoundReport[] = [];

beforeAll(() => {
  startChecking({ report: (report) => found.push(report), timeout: 2000 });
});

/** What was found since the last look: severity, line and message of each. */
function taken(): string[] {
  const list = found.map(({ severity, place, message }) => `${severity} ${place?.line}: ${message}`);
  found = [];
  return list;
}

const ints = (count: number): Int32Array => new Int32Array(count);

/** Runs the kernel of the source, by two groups of four; `P` is a struct of two ints and an array. */
async function check(body: string, more: { before?: string; args?: readonly KernelArgument[] } = {}) {
  found = [];
  const source = `typedef struct P { int v; int w; int d[2]; } P; ${more.before ?? ''}
kernel void f(global P *a, global int *out, local P *t, int n) {
int i = get_global_id(0), l = get_local_id(0);
${body}
}`;
  const program = await compile(source, { name: 'k.cl' });
  try {
    const args = more.args ?? [ints(64), ints(8), local(64), 1];
    await program.kernel('f')({ global: [8], local: [4] }, ...args);
  } finally {
    program.release();
  }
  return taken();
}

const whole = 'p.v = 2; p.w = 3; p.d[0] = 4; p.d[1] = 5;';
const part = 'p.v = 2; p.d[0] = 4; p.d[1] = 5;';
const stored = "warning 5: 'p.w' was never set, and is copied to 'a' in global memory";

describe('in structs that are copied to global memory', () => {
  it('members never set are a warning there, and an error where they are read', async () => {
    const copy = (set: string, read: string) => check(`P p; ${set}\na[i] = p;\nout[i] = ${read};`);
    expect(await copy(whole, 'a[i].w')).toEqual([]);
    expect(await copy(part, 'a[i].v + a[i].d[n]')).toEqual([stored]);
    expect(await copy(part, 'a[i].w')).toEqual([
      stored,
      "error 6: read of 'a[0].w', byte 4 of 'a', which was copied there without having been set",
    ]);
  });

  it('reports show the copy and the declaration', async () => {
    await check(`P p; ${part}\na[i] = p;\nout[i] = a[i].w;`);
    // `check` has taken them: once more, to look at them.
    const reports: FoundReport[] = [];
    const program = await compile(
      'struct P { int v, w; };\nkernel void f(global struct P *a, global int *b) {\nstruct P p;\np.v = 1;\na[0] = p;\nb[0] = a[0].w;\n}',
      { name: 'k.cl' },
    );
    await program.kernel('f')({ global: [1], local: [1] }, ints(2), ints(1));
    program.release();
    reports.push(...found);
    found = [];
    expect(reports.map((report) => report.text())).toEqual([
      `k.cl:5:1: warning: 'p.w' was never set, and is copied to 'a' in global memory
a[0] = p;
^~~~~~~~
k.cl:3:10: note: 'p' is declared here
struct P p;
         ^
  work-item (0, 0, 0), local (0, 0, 0) of group (0, 0, 0), kernel 'f'
`,
      `k.cl:6:8: error: read of 'a[0].w', byte 4 of 'a', which was copied there without having been set
b[0] = a[0].w;
       ^~~~~~
k.cl:5:1: note: the other write: work-item (0, 0, 0), local (0, 0, 0) of group (0, 0, 0)
a[0] = p;
^~~~~~~~
  work-item (0, 0, 0), local (0, 0, 0) of group (0, 0, 0), kernel 'f'
`,
    ]);
    expect(reports[1]).toMatchObject({ kind: 'uninitialised', other: { place: { line: 5 } } });
  });

  it('a struct of which nothing is set is an error', async () => {
    expect(await check('P p;\na[i] = p;')).toEqual([
      "error 5: 'p' was never set, and is copied to 'a' in global memory",
    ]);
    expect(await check('P p = {0};\na[i] = p;')).toEqual([]);
  });

  it('members that are set on some ways only count on the others', async () => {
    const body = (limit: number) => `P p; ${part} if (i >= ${limit}) p.w = 1;\na[i] = p;`;
    expect(await check(body(0))).toEqual([]);
    expect(await check(body(4))).toEqual([stored]);
  });

  it('arrays that nothing sets count, elements left out at computed places do not', async () => {
    expect(await check('P p; p.v = 1; p.w = 2;\na[i] = p;')).toEqual([
      "warning 5: 'p.d' was never set, and is copied to 'a' in global memory",
    ]);
    expect(await check('P p; p.v = 1; p.w = 2; p.d[0] = 3;\na[i] = p;')).toEqual([]);
    // A list that is empty.
    const list = 'P p; p.v = 0; p.w = 2; for (int k = 1; k < n; k++) p.d[p.v++] = k;\na[i] = p;';
    expect(await check(list)).toEqual([]);
    expect(await check(`${list}\nout[i] = a[i].v;`)).toEqual([]);
    expect(await check(`${list}\nout[i] = a[i].d[0];`)).toEqual([
      "error 6: read of 'a[0].d[0]', byte 8 of 'a', which was copied there without having been set",
    ]);
  });

  it('what is written behind the copy is defined, and what is copied over it no longer', async () => {
    const body = (after: string) => `P p; ${part}\na[i] = p;\n${after}\nout[i] = a[i].w;`;
    const read = "error 7: read of 'a[0].w', byte 4 of 'a', which was copied there without having been set";
    expect(await check(body('a[i].w = 3;'))).toEqual([stored]);
    // It reads before it writes.
    expect(await check(body('atomic_xchg(&a[i].w, 3);'))).toEqual([stored, read.replace('7', '6')]);
    expect(await check(body('a[i].v = 3;'))).toEqual([stored, read]);
    expect(await check(body('P q = {7, 7, {7, 7}}; a[i] = q;'))).toEqual([stored]);
    // The value that is written is the one that happens to be there.
    expect(await check(body('a[i].w = *(volatile global int *)&out[i];'))).toEqual([stored]);
  });

  it('bytes count, not words', async () => {
    const before = 'typedef struct C { int v; char c; char d; } C;';
    const body = (read: string) => `C p; p.v = 1; p.c = 2;\n((global C *)a)[i] = p;\nout[i] = ${read};`;
    const warning = "warning 5: 'p.d' was never set, and is copied to 'a' in global memory";
    expect(await check(body('((global C *)a)[i].c'), { before })).toEqual([warning]);
    const [first, second] = await check(body('((global C *)a)[i].d'), { before });
    expect(first).toBe(warning);
    expect(second).toContain('which was copied there without having been set');
  });
});

describe('what nobody needs', () => {
  it('padding, within structs and behind them', async () => {
    const before = `typedef struct { char c; struct { char d; double e; } in; float3 x; } C;`;
    const set = 'p.c = 1; p.in.d = 2; p.in.e = 3; p.x = (float3)(1, 2, 3);';
    const body = (sets: string) => `C p, q; ${sets} q = p;\n((global C *)a)[i] = q;`;
    const args = [ints(128), ints(8), local(64), 1];
    expect(await check(body(set), { before, args })).toEqual([]);
    expect(await check(body(set.replace('p.in.e = 3;', '')), { before, args })).toEqual([
      "warning 5: 'q.in.e' was never set, and is copied to 'a' in global memory",
    ]);
  });

  it('the other members of a union', async () => {
    const before = 'typedef struct { int tag; union { int i; double d; }; } U;';
    const body = (set: string) => `U p; p.tag = 1; ${set}\n((global U *)a)[i] = p;`;
    const args = [ints(64), ints(8), local(64), 1];
    expect(await check(body('p.i = 2;'), { before, args })).toEqual([]);
    const read = `${body('p.i = 2;')}\nout[i] = ((global U *)a)[i].d > 1.0;`;
    expect((await check(read, { before, args })).length).toBe(1);
  });

  it('members that come from constants, from the host, or by value', async () => {
    const before = 'constant P c = {1, 2, {3, 4}};';
    expect(await check('P p = c; p.v = 2;\na[i] = p;', { before })).toEqual([]);
    expect(await check('P p = a[i]; p.v = 2;\na[i] = p;')).toEqual([]);
  });
});

describe('through private variables', () => {
  it('copies hand on, and only uses are reported', async () => {
    const body = (use: string) => `P p; ${part}\nP q = p, r; r = q;\nout[i] = ${use};`;
    expect(await check(body('r.v + r.d[n]'))).toEqual([]);
    expect(await check(body('r.w'))).toEqual(["error 6: use of 'r.w', which was never set"]);
  });

  it('arrays of structs, at constant and computed places', async () => {
    const body = (use: string) =>
      `P p, all[3]; ${part}\nall[n] = p; P q = all[n]; all[0] = q;\nout[i] = ${use};`;
    expect(await check(body('q.v + all[n].v + all[0].d[1]'))).toEqual([]);
    expect(await check(body('q.w'))).toEqual(["error 6: use of 'q.w', which was never set"]);
    expect(await check(body('all[n].w'))).toEqual(["error 6: use of 'all[1].w', which was never set"]);
    expect(await check(body('all[0].w'))).toEqual(["error 6: use of 'all[0].w', which was never set"]);
    expect(await check(body('all[2].v'))).toEqual(["error 6: use of 'all[2].v', which was never set"]);
  });

  it('structs with an array that is indexed', async () => {
    const body = (use: string) => `P p; p.v = 1; for (int k = 0; k < 2; k++) p.d[k] = k;\nout[i] = ${use};`;
    expect(await check(body('p.v + p.d[n]'))).toEqual([]);
    expect(await check(body('p.w'))).toEqual(["error 5: use of 'p.w', which was never set"]);
  });

  it('functions that take and give structs', async () => {
    const before = `P make(int i) { P p; p.v = i; p.d[0] = p.d[1] = 0; return p; }
int sum(P p) { return p.v + p.d[1]; } int other(P p) { return p.w; }`;
    expect(await check('out[i] = sum(make(i));', { before })).toEqual([]);
    expect((await check('out[i] = other(make(i));', { before })).length).toBe(1);
    expect(await check('a[i] = make(i);', { before })).toEqual([
      "warning 5: 'w of struct P' was never set, and is copied to 'a' in global memory",
    ]);
  });

  it('vectors that are loaded and stored', async () => {
    const body = (use: string) => `int b[8]; vstore3((int3)(1, 2, 3), 0, b); int4 x = vload4(0, b);
out[i] = ${use};`;
    expect(await check(body('x.x + x.z'))).toEqual([]);
    expect(await check(body('x.w'))).toEqual(["error 5: use of 'b[3]', which was never set"]);
  });

  it('what comes from global memory', async () => {
    const body = (use: string) => `P p; ${part}\na[i] = p;\nP q = a[i];\nout[i] = ${use};`;
    expect(await check(body('q.v + q.d[n]'))).toEqual([stored]);
    expect(await check(body('q.w'))).toEqual([stored, "error 7: use of 'q.w', which was never set"]);
  });
});

describe('through local memory', () => {
  const fence = 'barrier(CLK_LOCAL_MEM_FENCE);';

  it('copies there are silent, reads of what was never set are not', async () => {
    const body = (use: string) => `P p; ${part}\nt[l] = p; ${fence}\nP q = t[3 - l];\nout[i] = ${use};`;
    expect(await check(body('q.v + t[l].v + q.d[n]'))).toEqual([]);
    expect(await check(body('q.w'))).toEqual(["error 7: use of 'q.w', which was never set"]);
    expect(await check(body('t[l].w'))).toEqual([
      "error 7: read of 't[0].w', byte 4 of 't', which was copied there without having been set",
    ]);
  });

  it('from there to global memory', async () => {
    const body = (set: string) => `t[l].v = 1; ${set} t[l].d[0] = t[l].d[1] = 2;\na[i] = t[l];`;
    expect(await check(body('t[l].w = 2;'))).toEqual([]);
    expect(await check(body(''))).toEqual([
      "warning 5: 't[0].w' was never set, and is copied to 'a' in global memory",
    ]);
  });

  it('another group starts anew', async () => {
    const body = (limit: number) =>
      `local P u[4]; P p; ${part} p.w = 1;\nif (get_group_id(0) < ${limit}) u[l] = p; else u[l].v = 1;\nout[i] = u[l].w;`;
    expect(await check(body(2))).toEqual([]);
    expect(await check(body(1))).toEqual([
      "error 6: read of 'u[0].w', byte 4 of 'u', which nobody has written",
    ]);
  });

  it('races of copies are found as ever', async () => {
    const body = (between: string) => `P p; ${part}\nt[l] = p; ${between}\nout[i] = t[3 - l].v;`;
    expect(await check(body(fence))).toEqual([]);
    // The first to come finds what nobody has written yet.
    const [first, race] = await check(body(''));
    expect(first).toMatch(/^error 6: read of 't\[3\].v', .* which nobody has written$/);
    expect(race).toMatch(/^error 5: read-write data race on/);
  });

  it('by async copies', async () => {
    const body = (set: string, use: string) => `t[l].v = 1; t[l].d[0] = t[l].d[1] = 2; ${set} ${fence}
event_t e = async_work_group_copy((global int *)(a + 4 * get_group_id(0)), (local int *)t, 16, 0);
wait_group_events(1, &e);
e = async_work_group_copy((local int *)t, (global int *)(a + 4 * get_group_id(0)), 16, 0);
wait_group_events(1, &e);
out[i] = ${use};`;
    expect(await check(body('t[l].w = 2;', 't[l].w'))).toEqual([]);
    const said = "'t[0].w' was never set, and is copied to 'a' in global memory";
    const silent = await check(body('', 't[l].v'));
    expect(silent).toEqual([`warning 5: ${said}`]);
    expect((await check(body('', 't[l].w'))).slice(1)).toEqual([
      "error 9: read of 't[0].w', byte 4 of 't', which was copied there without having been set",
    ]);
  });
});

describe('from launch to launch', () => {
  const source = `struct P { int v, w; };
kernel void put(global struct P *a) { struct P p; p.v = 2; a[get_global_id(0)] = p; }
kernel void get(global struct P *a, global int *out) { struct P p = a[get_global_id(0)]; out[get_global_id(0)] = p.v; }
kernel void getw(global struct P *a, global int *out) { out[get_global_id(0)] = a[get_global_id(0)].w; }
kernel void mend(global struct P *a) { a[get_global_id(0)].w = 1; }
kernel void move(global struct P *a, global struct P *b) { b[get_global_id(0)] = a[get_global_id(0)]; }
kernel void half_(global int *a) { a[2 * get_global_id(0)] = 1; }
kernel void inc(global int *a) { a[get_global_id(0)] += 1; }`;
  const launch = { global: [8], local: [4] };

  it('buffers keep what was copied there undefined, until somebody writes it', async () => {
    const program = await compile(source, { name: 'k.cl' });
    const run = async (name: string, ...args: KernelArgument[]): Promise<string[]> => {
      await program.kernel(name)(launch, ...args);
      return taken();
    };
    const [made, given, moved, out] = [
      program.buffer(64),
      program.buffer(ints(16)),
      program.buffer(64),
      program.buffer(32),
    ];
    const read = "error 4: read of 'a[0].w', byte 4 of 'a', which was copied there without having been set";
    for (const buffer of [made, given]) {
      expect(await run('put', buffer)).toEqual([
        "warning 2: 'p.w' was never set, and is copied to 'a' in global memory",
      ]);
      expect(await run('get', buffer, out)).toEqual([]);
      found = [];
      await program.kernel('getw')(launch, buffer, out);
      expect(found[0]!.text()).toContain("k.cl:2:60: note: the copy, in a launch of kernel 'put' before");
      expect(taken()).toEqual([read]);
    }
    expect(await run('move', made, moved)).toEqual([
      "warning 6: 'a[0].w' was never set, and is copied to 'b' in global memory",
    ]);
    expect(await run('getw', moved, out)).toEqual([read]);
    expect(await run('mend', moved)).toEqual([]);
    expect(await run('getw', moved, out)).toEqual([]);
    given.write(ints(16));
    expect(await run('getw', given, out)).toEqual([]);
    program.release();
  });

  it('what the host writes behind a kernel is written for all kernels', async () => {
    const program = await compile(source, { name: 'k.cl' });
    const buffer = program.buffer(64);
    await program.kernel('half_')(launch, buffer);
    await program.kernel('inc')({ global: [1], local: [1] }, buffer);
    expect(taken()).toEqual([]);
    buffer.write(ints(16));
    await program.kernel('inc')({ global: [16], local: [4] }, buffer);
    expect(taken()).toEqual([]);
    const other = program.buffer(64);
    await program.kernel('half_')(launch, other);
    await program.kernel('inc')({ global: [16], local: [4] }, other);
    expect(taken()).toEqual(["error 8: read of byte 4 of 'a', which nobody has written"]);
    program.release();
  });
});
