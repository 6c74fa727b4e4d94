/** What the checker finds and what it does not; the expected reports are written by hand. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type KernelArgument, local } from '../../../src/api/javascript/arguments.ts';
import { compile } from '../../../src/api/javascript/compile.ts';
import { type FoundReport, startChecking } from '../../../src/tools/check/index.ts';

let found: FoundReport[] = [];

beforeAll(() => {
  startChecking({ report: (report) => found.push(report), timeout: 5000 });
});

interface Launch {
  readonly global?: readonly number[];
  readonly local?: readonly number[];
  readonly options?: string;
}

/** Runs the only kernel of the source, and gives the reports: kind and line of each. */
async function check(
  source: string,
  args: readonly KernelArgument[],
  { global = [8], local: group = [4], options = '' }: Launch = {},
): Promise<string[]> {
  found = [];
  const program = await compile(source, { name: 'k.cl', options });
  try {
    await program.kernel(program.kernelNames[0]!)({ global, local: group }, ...args);
  } finally {
    program.release();
  }
  return found.map(({ kind, place }) => `${kind} at ${place?.line}`);
}

const zeros = (count: number): Int32Array => new Int32Array(count);

describe('races', () => {
  it('between work-items of a group, with both parties and the values', async () => {
    const source = `kernel void f(global int *data) {
      int i = get_global_id(0);
      data[i / 4] = i + 1;
    }`;
    expect(await check(source, [zeros(2)])).toEqual(['data-race at 3']);
    const [race] = found;
    expect(race).toMatchObject({
      kernel: 'f',
      access: 'write',
      workItem: { global: [1, 0, 0], local: [1, 0, 0], group: [0, 0, 0] },
      other: { access: 'write', place: { line: 3 }, workItem: { global: [0, 0, 0] } },
      object: { name: 'data', space: 'global', size: 8, offset: 0 },
      values: { before: 1, after: 2 },
      count: 6,
    });
    expect(race!.text()).toContain('k.cl:3:7: error: write-write data race on byte 0 of');
  });

  it('by reads of which nobody uses what they give', async () => {
    const source = `int get(local int *p) { return p[get_local_id(0)]; }
    kernel void f(local int *p) {
      p[get_local_id(0)] = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      get(p);
      p[get_local_id(0) + 1] = 7;
    }`;
    expect(await check(source, [local(20)])).toEqual(['data-race at 1']);
  });

  it('between groups, which no barrier orders', async () => {
    const source = `kernel void f(global int *data, global int *out) {
      out[get_group_id(0)] = data[0];
      barrier(CLK_GLOBAL_MEM_FENCE);
      if (get_group_id(0) == 1) data[0] = 5;
    }`;
    const launch = { global: [2], local: [1] };
    expect(await check(source, [zeros(1), zeros(2)], launch)).toEqual(['data-race at 4']);
    expect(found[0]!.other).toMatchObject({
      access: 'read',
      place: { line: 2 },
      workItem: { group: [0, 0, 0] },
    });
  });

  it('but not where a barrier of the right kind stands', async () => {
    const withFence = (fence: string) => `kernel void f(global int *out, local int *t) {
      int l = get_local_id(0);
      t[l] = l;
      barrier(${fence});
      out[get_global_id(0)] = t[3 - l];
    }`;
    expect(await check(withFence('CLK_LOCAL_MEM_FENCE'), [zeros(8), local(16)])).toEqual([]);
    expect(await check(withFence('CLK_GLOBAL_MEM_FENCE'), [zeros(8), local(16)])).toContain('data-race at 5');
    expect(found[0]!.message).toContain('with a barrier between them that does not fence local memory');
  });

  it('in loops with a barrier for every step', async () => {
    const sum = (last: string) => `kernel void f(global int *out, local int *t) {
      int l = get_local_id(0);
      t[l] = l;
      for (int s = 2; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int mine = l < s ? t[l + s] : 0;
        ${last}
        t[l] += mine;
      }
      out[get_global_id(0)] = t[l];
    }`;
    expect(await check(sum('barrier(CLK_LOCAL_MEM_FENCE);'), [zeros(8), local(16)])).toEqual([]);
    // Work-item 0 adds to t[0] what work-item 2 may have changed already.
    const all = sum('').replace('t[l] += mine;', 't[l] = mine + 1;');
    expect(await check(all, [zeros(8), local(16)])).toEqual(['data-race at 8']);
  });

  it('of bytes only where they are the same', async () => {
    const source = 'kernel void f(global char *c) { c[get_global_id(0)] = 1; }';
    expect(await check(source, [new Int8Array(8)])).toEqual([]);
  });

  it('not of equal values, nor of atomic operations, but of both kinds together', async () => {
    const source = (what: string) => `kernel void f(global int *c) {
      int i = get_global_id(0);
      ${what}
    }`;
    expect(await check(source('*c = 7;'), [zeros(1)])).toEqual([]);
    expect(await check(source('atomic_inc(c);'), [zeros(1)])).toEqual([]);
    expect(await check(source('atomic_inc(c); if (i == 7) *c = 0;'), [zeros(1)])).toEqual(['data-race at 3']);
    expect(await check(source('if (i == 0) *c = 0; atomic_inc(c);'), [zeros(1)])).toEqual(['data-race at 3']);
  });
});

describe('bounds', () => {
  it('of arguments, by their names, though what lies there is another buffer', async () => {
    const source = `kernel void f(global int *a, global int *b, int at) {
      a[get_global_id(0)] = 1;
      b[at] = 2;
    }`;
    const one = { global: [1], local: [1] };
    expect(await check(source, [zeros(4), zeros(4), -2], one)).toEqual(['out-of-bounds at 3']);
    expect(found[0]!.message).toBe("write of 4 bytes 8 bytes before 'b'");
    const bytes = 'kernel void f(global char *c, int at) { c[at] = 2; }';
    expect(await check(bytes, [new Int8Array(4), -1], one)).toEqual(['out-of-bounds at 1']);
    expect(found[0]!.message).toBe("write of 1 byte 1 byte before 'c'");
    expect(await check(source, [zeros(4), zeros(4), 4], one)).toEqual(['out-of-bounds at 3']);
    expect(found[0]!.message).toBe("write of 4 bytes at byte 16 of 'b', which has 16");
    expect(await check(source, [zeros(4), zeros(4), 1000000], one)).toEqual(['out-of-bounds at 3']);
    expect(await check(source, [zeros(4), null, 0], one)).toEqual(['null-pointer at 3']);
  });

  it('of local arguments, arrays and program-scope variables', async () => {
    const source = `constant int table[3] = {1, 2, 3};
    kernel void f(global int *out, local int *t, int n) {
      int own[2] = {5, 6};
      local int shared[2];
      t[n] = 1;
      own[n] = 1;
      shared[n] = 1;
      out[0] = table[n] + own[0];
    }`;
    const args = (n: number) => [zeros(1), local(8), n];
    const one = { global: [1], local: [1] };
    expect(await check(source, args(1), one)).toEqual([]);
    expect(await check(source, args(3), one)).toEqual([
      'out-of-bounds at 5',
      'out-of-bounds at 6',
      'out-of-bounds at 7',
      'out-of-bounds at 8',
    ]);
    expect(found.map(({ object }) => object?.name)).toEqual(['t', 'own', 'shared', 'table']);
  });

  it('of arrays in structs, but not of the rows of one', async () => {
    const source = `struct s { int head[2]; int tail[2]; };
    kernel void f(global struct s *out, int n) {
      int rows[2][2] = {{1, 2}, {3, 4}};
      out[0].head[n] = rows[0][n];
    }`;
    const one = { global: [1], local: [1] };
    expect(await check(source, [zeros(4), 1], one)).toEqual([]);
    expect(await check(source, [zeros(4), 2], one)).toEqual(['out-of-bounds at 4']);
    expect(found[0]!.object).toMatchObject({ name: 'array in out', size: 8, offset: 8 });
  });

  it('of private arrays that nobody reads, and by reads of which nobody uses what they give', async () => {
    const source = `kernel void f(global int *out, int n) {
      int a[4], b[4] = {0};
      for (int i = 0; i <= n; i++)
        a[i] = i;
      int unused = b[n];
      out[get_global_id(0)] = n;
    }`;
    expect(await check(source, [zeros(8), 4])).toEqual(['out-of-bounds at 4', 'out-of-bounds at 5']);
    expect(found[0]).toMatchObject({
      access: 'write',
      object: { name: 'a', size: 16, offset: 16 },
      count: 8,
    });
    expect(found[1]).toMatchObject({ access: 'read', object: { name: 'b', size: 16, offset: 16 }, count: 8 });
    expect(await check(source, [zeros(8), 3])).toEqual([]);
  });

  it('through helpers and pointers that move', async () => {
    const source = `void add(global int *p, int n) { for (int i = 0; i < n; i++) *p++ += i; }
    kernel void f(global int *a) { add(a, 5); }`;
    // A read and a write.
    const twice = ['out-of-bounds at 1', 'out-of-bounds at 1'];
    expect(await check(source, [zeros(4)], { global: [1], local: [1] })).toEqual(twice);
  });

  it('of vectors that begin inside', async () => {
    const source = 'kernel void f(global int *a) { a[0] = vload4(0, a + 1).x; }';
    expect(await check(source, [zeros(4)], { global: [1], local: [1] })).toEqual(['out-of-bounds at 1']);
  });
});

describe('values that were never set', () => {
  it('of private variables, on the way where they are not', async () => {
    const source = `kernel void f(global int *out, int n) {
      int x;
      if (n > 3) x = n;
      out[get_global_id(0)] = x;
    }`;
    expect(await check(source, [zeros(8), 4])).toEqual([]);
    expect(await check(source, [zeros(8), 2])).toEqual(['uninitialised at 4']);
    expect(found[0]!.message).toBe("use of 'x', which was never set");
  });

  it('of elements of arrays and lanes of vectors', async () => {
    const source = `kernel void f(global float4 *out, int n) {
      float a[4];
      for (int i = 0; i < n; i++) a[i] = i;
      float4 v;
      v.xy = (float2)(1, 2);
      v.zw = v.yx;
      out[get_global_id(0)] = v * a[3];
    }`;
    expect(await check(source, [new Float32Array(32), 4])).toEqual([]);
    expect(await check(source, [new Float32Array(32), 3])).toEqual(['uninitialised at 7']);
  });

  it('but not of padding', async () => {
    const source = `struct s { char c; int i; };
    kernel void f(global struct s *out) {
      struct s a, b;
      a.c = 1;
      a.i = 2;
      b = a;
      out[get_global_id(0)] = b;
    }`;
    expect(await check(source, [zeros(16)])).toEqual([]);
  });

  it('of buffers that nobody has written, until a kernel does', async () => {
    found = [];
    const program = await compile(
      `kernel void set(global atomic_int *a) { atomic_store(a, 1); }
      kernel void get(global int *a, global int *b) { *b = *a; }`,
      { name: 'k.cl', options: '-cl-std=CL2.0' },
    );
    const [fresh, set, out] = [program.buffer(4), program.buffer(4), program.buffer(4)];
    const one = { global: [1], local: [1] };
    await program.kernel('set')(one, set);
    await program.kernel('get')(one, set, out);
    expect(found).toEqual([]);
    await program.kernel('get')(one, fresh, out);
    program.release();
    expect(found.map(({ kind, message }) => [kind, message])).toEqual([
      ['uninitialised', "read of byte 0 of 'a', which nobody has written"],
    ]);
  });

  it('of local memory, in every group anew', async () => {
    const source = `kernel void f(global int *out) {
      local int t[4];
      if (get_group_id(0) == 0) t[get_local_id(0)] = 1;
      out[get_global_id(0)] = t[get_local_id(0)];
    }`;
    expect(await check(source, [zeros(8)])).toEqual(['uninitialised at 4']);
    expect(found[0]!.workItem?.group).toEqual([1, 0, 0]);
  });
});

describe('barriers', () => {
  it('that some do not reach', async () => {
    const source = `kernel void f(global int *out) {
      if (get_local_id(0) > 1) barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = 1;
    }`;
    expect(await check(source, [zeros(8)])).toEqual(['barrier-divergence at 2']);
    expect(found[0]!.other?.workItem?.local).toEqual([0, 0, 0]);
    expect(await check(source, [zeros(2)], { global: [2], local: [2] })).toEqual([]);
  });

  it('whose flags only the launch says', async () => {
    const source = `void meet(uint flags) { barrier(flags); }
    kernel void f(global int *out, global int *other, local int *t, uint flags, int apart) {
      int l = get_local_id(0);
      t[l] = l;
      out[get_global_id(0)] = l;
      if (apart == 0 || l >= 0) meet(flags & 4 ? (l == 0 ? 1 : 2) : flags);
      other[get_global_id(0)] = t[l ^ 1] + out[get_global_id(0) ^ 1];
    }`;
    const run = (flags: number, apart: number) =>
      check(source, [zeros(8), zeros(8), local(16), flags, apart]);
    for (const apart of [0, 1]) {
      expect(await run(3, apart)).toEqual([]);
      // Each work-item has its own, which order what it has done: the first has not fenced global memory, the others not local.
      // So three in each of two groups read of t what is not ordered. That the first writes 0 to out changes nothing there.
      expect(await run(4, apart)).toEqual(['data-race at 7']);
      expect(found[0]).toMatchObject({
        object: { name: 't' },
        workItem: { local: [0, 0, 0] },
        other: { place: { line: 4 }, workItem: { local: [1, 0, 0] } },
        count: 6,
      });
      expect(await run(1, apart)).toEqual(['data-race at 7']);
      expect(found[0]).toMatchObject({ object: { name: 'out' }, other: { place: { line: 5 } } });
      expect(await run(2, apart)).toEqual(['data-race at 7']);
      expect(found[0]).toMatchObject({ object: { name: 't' }, other: { place: { line: 4 } } });
      expect(found[0]!.message).toContain('with a barrier between them that does not fence local memory');
    }
  });

  describe('whose flags differ from work-item to work-item', () => {
    // After GPUVerify's tests in inter_group_and_barrier_flag_tests, which prove the right ones and refute the wrong ones.
    const kernel = (
      flags: string,
      before: string,
      after: string,
    ) => `kernel void f(local int *p, global int *sink) {
      int l = get_local_id(0);
      int y = 0;
      ${before}
      barrier(${flags});
      ${after}
      sink[get_global_id(0)] = y;
    }`;
    const run = (flags: string, before: string, after: string) =>
      check(kernel(flags, before, after), [local(16), zeros(16)], { global: [16], local: [8] });
    const fill = 'if (l == 7) p[0] = 5; barrier(CLK_LOCAL_MEM_FENCE);';
    const ofFirst = 'l == 0 ? CLK_LOCAL_MEM_FENCE : 0';
    const ofOthers = 'l == 0 ? 0 : CLK_LOCAL_MEM_FENCE';

    it('a write is ordered by the flags of who wrote', async () => {
      const [write, read] = ['if (l == 0) p[0] = 3;', 'if (l == 1) y = p[0];'];
      expect(await run(ofFirst, write, read)).toEqual([]);
      expect(await run(ofOthers, write, read)).toEqual(['data-race at 6']);
      expect(found[0]).toMatchObject({
        access: 'read',
        workItem: { local: [1, 0, 0] },
        other: { access: 'write', place: { line: 4 }, workItem: { local: [0, 0, 0] } },
      });
      expect(found[0]!.message).toContain('with a barrier between them that does not fence local memory');
    });

    it('a read by the flags of who read, one of many', async () => {
      const write = 'if (l == 1) p[0] = 0;';
      expect(await run(ofFirst, `${fill} if (l == 0) y = p[0];`, write)).toEqual([]);
      expect(await run(ofFirst, `${fill} y = p[0];`, write)).toEqual(['data-race at 6']);
      expect(found[0]).toMatchObject({
        access: 'write',
        workItem: { local: [1, 0, 0] },
        other: { access: 'read', workItem: { local: [2, 0, 0] } },
      });
      // Here only the one that does not ask for a fence has read, or all that have read ask for one.
      expect(await run(ofOthers, `${fill} if (l != 1) y = p[0];`, write)).toEqual(['data-race at 6']);
      expect(found[0]!.other).toMatchObject({ workItem: { local: [0, 0, 0] } });
      expect(await run(ofOthers, `${fill} if (l > 0) y = p[0];`, write)).toEqual([]);
    });

    it('of what comes after that barrier, the next one orders what it fences', async () => {
      const again = (flags: string) => `y = p[0]; barrier(${flags}); if (l == 1) p[0] = 0;`;
      expect(await run(ofFirst, fill, again('CLK_LOCAL_MEM_FENCE'))).toEqual([]);
      expect(await run(ofFirst, fill, again('0'))).toEqual(['data-race at 6']);
      expect(await run('CLK_LOCAL_MEM_FENCE', `${fill} y = p[0];`, again(ofFirst))).toEqual([
        'data-race at 6',
      ]);
    });
  });
});

describe('async copies', () => {
  const kernel = (body: string) => `kernel void f(global int *data, local int *t) {
    int l = get_local_id(0);
    event_t e = 0;
    ${body}
  }`;
  const run = (body: string) => check(kernel(body), [zeros(8), local(16)]);

  it('are made by the group, and to be waited for', async () => {
    const copy = 'e = async_work_group_copy(t, data, 4, 0);';
    expect(await run(`${copy} wait_group_events(1, &e); if (t[l] < 0) data[l] = 1;`)).toEqual([]);
    expect(await run(copy)).toEqual(['event-misuse at 4']);
    expect(await run('wait_group_events(1, &e);')).toEqual(['event-misuse at 4']);
    expect(await run(`t[l] = 1; ${copy} wait_group_events(1, &e);`)).toEqual(['data-race at 4']);
    expect(found[0]!.other?.workItem?.local).toEqual([0, 0, 0]);
  });

  it('are ordered by the wait for their events alone, not by barriers', async () => {
    const copy = 'e = async_work_group_copy(t, data, 4, 0);';
    const barrier = 'barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);';
    const use = 'if (t[l] > 7) data[7] = 1;';
    const given = Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    const of = (body: string) => check(kernel(body), [given.slice(), local(16)], { global: [4] });
    expect(await of(`${copy} ${use} wait_group_events(1, &e);`)).toEqual(['data-race at 4']);
    expect(await of(`${copy} ${barrier} ${barrier} ${use} wait_group_events(1, &e);`)).toEqual([
      'data-race at 4',
    ]);
    expect(found[0]).toMatchObject({
      message:
        "read-write data race on 't': read after a write of an async copy with no wait for its event between them",
      workItem: { local: [0, 0, 0] },
      other: { workItem: undefined, access: 'write', place: { line: 4 } },
    });
    expect(await of(`${copy} ${barrier} wait_group_events(1, &e); ${use}`)).toEqual([]);
    // What it reads may not be written before; other memory may be used.
    expect(await of(`${copy} ${barrier} data[l] = 9; wait_group_events(1, &e);`)).toEqual(['data-race at 4']);
    expect(found[0]!.message).toContain('write after a read of an async copy with no wait');
    expect(await of(`${copy} ${barrier} data[4 + l] = 9; wait_group_events(1, &e);`)).toEqual([]);
  });

  it('are awaited one by one, or as many as the program finds', async () => {
    const source = `kernel void f(global int *data, local int *t, int n) {
      int l = get_local_id(0);
      event_t e[2];
      e[0] = async_work_group_strided_copy(t, data, 2, 2, 0);
      e[1] = async_work_group_copy(t + 2, data + 1, 2, 0);
      wait_group_events(1, e + n);
      if (t[2] > 7) data[7] = 1;
      wait_group_events(n, e);
      if (t[0] > 7) data[7] = 1;
      if (n == 0) wait_group_events(1, e + 1);
    }`;
    const given = Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    expect(await check(source, [given.slice(), local(16), 1])).toEqual([]);
    // The wait for no events is one for all to the checker, which sees no number.
    expect(await check(source, [given.slice(), local(16), 0])).toEqual(['data-race at 7']);
  });

  it('must be the same for all', async () => {
    const parted = 'e = async_work_group_copy(t, data, l == 1 ? 1 : 4, 0); wait_group_events(1, &e);';
    expect(await run(parted)).toEqual(['barrier-divergence at 4']);
  });
});

describe('pipes', () => {
  const run = async (body: string, room: number): Promise<string[]> => {
    found = [];
    const text = `kernel void f(write_only pipe int to, int n) {
      int x = n;
      ${body}
    }`;
    const program = await compile(text, { name: 'k.cl', options: '-cl-std=CL2.0' });
    const one = { global: [1], local: [1] };
    await program.kernel('f')(one, program.pipe(4, room), 2);
    program.release();
    return found.map(({ kind, message, place }) => `${kind} at ${place?.line}:${place?.column}: ${message}`);
  };
  const reserve = 'reserve_id_t r = reserve_write_pipe(to, n);';
  const commit = 'commit_write_pipe(to, r);';

  it('are full without anybody noticing', async () => {
    const write = 'write_pipe(to, &x);';
    expect(await run(`${write} ${write}`, 2)).toEqual([]);
    expect(await run(`while (n > 0 && write_pipe(to, &x) == 0) ;`, 2)).toEqual([]);
    expect(await run(`${write}\n${write}`, 1)).toEqual([
      "pipe-misuse at 4:1: write to pipe 'to', which is full, and nobody looks at the result",
    ]);
  });

  it('have reservations to be made, used and committed', async () => {
    const write = (packet: number) => `write_pipe(to, r, ${packet}, &x);`;
    expect(await run(`${reserve} ${write(0)} ${write(1)} ${commit}`, 2)).toEqual([]);
    expect(await run(`${reserve}\nif (is_valid_reserve_id(r)) { ${write(0)} ${commit} }`, 1)).toEqual([]);
    const misuse = async (body: string, room: number) => (await run(body, room)).map((one) => one.slice(15));
    expect(await misuse(`${reserve}\n${write(1)}`, 2)).toEqual([
      "3:24: reservation of 2 packets in pipe 'to' that nobody commits",
    ]);
    expect(await misuse(`${reserve}\n${write(2)} ${commit}`, 2)).toEqual([
      "4:1: packet 2 of a reservation in pipe 'to' of 2 packets",
    ]);
    expect(await misuse(`${reserve} ${commit}\n${write(0)}\n${commit}`, 2)).toEqual([
      "4:1: use of a reservation in pipe 'to' that has been committed",
      "5:1: use of a reservation in pipe 'to' that has been committed",
    ]);
    expect(await misuse(`${reserve}\n${write(0)}`, 1)).toEqual([
      "4:1: use of a reservation in pipe 'to' that was not made, as is_valid_reserve_id would say",
    ]);
  });
});

describe('arithmetic and alignment', () => {
  it('divisions by zero and addresses that are not aligned', async () => {
    const source = `kernel void f(global int *out, global char *bytes, int n) {
      out[0] = 7 / n;
      out[1] = *(global int *)(bytes + n + 1);
    }`;
    const one = { global: [1], local: [1] };
    expect(await check(source, [zeros(2), new Int8Array(16), 3], one)).toEqual([]);
    expect(await check(source, [zeros(2), new Int8Array(16), 0], one)).toEqual([
      'division-by-zero at 2',
      'misaligned at 3',
    ]);
  });

  it('quotients that their type cannot hold', async () => {
    const source = `kernel void f(global int *a, global char2 *b, long c) {
      a[0] = a[0] / a[1] + a[0] % a[1] + (uint)a[0] / (uint)a[1];
      b[0] = (char2)(-128, 5) / b[1];
      a[2] = c / -1;
      a[3] = a[3] / 2 + 5 / a[1];
    }`;
    const one = { global: [1], local: [1] };
    const of = (a: number, lanes: readonly number[], c: bigint) =>
      check(source, [Int32Array.of(a, -1, 0, 7), Int8Array.of(0, 0, ...lanes), c], one);
    expect(await of(-2147483647, [1, -1], 5n)).toEqual([]);
    expect(await of(-2147483648, [-1, 3], -(2n ** 63n))).toEqual([
      'division-overflow at 2',
      'division-overflow at 3',
      'division-overflow at 4',
    ]);
  });

  it('loops that never end', async () => {
    const source = 'kernel void f(volatile global int *flag) { while (*flag == 0); }';
    await expect(check(source, [zeros(1)], { global: [1], local: [1] })).rejects.toThrow('may never end');
  });

  describe('in kernels that a kernel has launched', () => {
    /** Runs the kernel f of a program, which may launch others, on one integer. */
    async function launch(source: string, timeout = 0): Promise<void> {
      const program = await compile(source, { name: 'k.cl', options: '-cl-std=CL2.0', timeout });
      try {
        program.deviceQueue();
        await program.kernel('f')({ global: [1], local: [1] }, program.buffer(zeros(1)));
      } finally {
        program.release();
      }
    }
    const nested = (range: string, block: string) =>
      `enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(${range}), ^{ ${block} });`;

    it('loops that never end', async () => {
      const source = `kernel void f(volatile global int *flag) { ${nested('1', 'while (*flag == 0);')} }`;
      await expect(launch(source)).rejects.toThrow('may never end');
    });

    it('launches of which each leads to the next', async () => {
      const source = `void again(volatile global int *count) {
        ++*count;
        ${nested('1', 'again(count);')}
      }
      kernel void f(volatile global int *count) { again(count); }`;
      await expect(launch(source)).rejects.toThrow('what it launched ran longer than 5000 ms');
    });

    it('more work-items than anybody can wait for, without a loop', async () => {
      const source = `kernel void f(volatile global int *count) { ${nested('1 << 30, 1', '++*count;')} }`;
      await expect(launch(source, 300)).rejects.toThrow('than');
    });
  });

  it('loops that never end, within the time that the program allows', async () => {
    const source = 'kernel void f(volatile global int *flag) { while (*flag == 0); }';
    const program = await compile(source, { timeout: 200 });
    const launch = program.kernel('f')({ global: [1], local: [1] }, program.buffer(zeros(1)));
    await expect(launch).rejects.toThrow('a work-group ran longer than 200 ms');
    program.release();
  });

  it('launches whose groups end, but take longer together; what was found by then is told', async () => {
    found = [];
    const source = `kernel void f(global int *x) {
      for (int i = 0; i < 100000; i++) x[0] += get_group_id(0) + 1;
    }`;
    const program = await compile(source, { timeout: 300 });
    const launch = program.kernel('f')({ global: [1 << 20], local: [1] }, program.buffer(zeros(1)));
    await expect(launch).rejects.toThrow('it ran longer than the time-out of 300 ms');
    expect(found.map(({ kind }) => kind)).toContain('data-race');
    program.release();
  });
});
