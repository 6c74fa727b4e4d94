// Pipes (OpenCL 2.0, 6.13.16) in every form of a kernel, and what the compiler says of wrong uses. Expected values are those of
// a queue in JavaScript, or follow from the specification.
import { describe, expect, it } from 'vitest';
import { compileOpenCL } from '../../../src/opencl/compile.ts';
import { pipeBytes, writeEmptyPipe } from '../../../src/runtime/pipe-layout.ts';
import { expectEverywhere } from '../../support/opencl-2.ts';
import { buffer, compileForTest, type TestArgument } from '../../support/run-kernel.ts';

const one = { global: [1], local: [1] } as const;

/** A new pipe as the host leaves it in memory. */
function emptyPipe(packetBytes: number, maxPackets: number): Uint8Array {
  const shape = { packetBytes, maxPackets };
  const bytes = new Uint8Array(pipeBytes(shape));
  writeEmptyPipe(bytes, shape);
  return bytes;
}

/** A pipe in which packets lie already, 16 at most, by the layout of docs/pipes.md. */
function fullPipe(packets: Uint8Array, packetBytes: number, maxPackets: number): Uint8Array {
  const bytes = emptyPipe(packetBytes, maxPackets);
  const words = new Uint32Array(bytes.buffer, 0, 64);
  const count = packets.length / packetBytes;
  const slotBits = Math.max(1, Math.ceil(Math.log2(maxPackets)));
  words[16] = (Math.floor(count / maxPackets) << slotBits) | (count % maxPackets);
  words.fill(1, 48, 48 + count);
  bytes.set(packets, words[2]);
  return bytes;
}

function pipe(packetBytes: number, maxPackets: number) {
  return (): TestArgument[] => [buffer(emptyPipe(packetBytes, maxPackets))];
}

describe('the writing end', () => {
  it('takes as many packets as the pipe holds', () => {
    expectEverywhere(
      `kernel void k(global int *out, write_only pipe int p) {
         for (int i = 0; i < 7; i++) out[i] = write_pipe(p, &i);
         out[7] = get_pipe_num_packets(p);
         out[8] = get_pipe_max_packets(p);
       }`,
      one,
      Int32Array.of(0, 0, 0, 0, 0, -1, -1, 5, 5),
      pipe(4, 5),
    );
  });

  it('gives reservations while there is room, and packets of them', () => {
    expectEverywhere(
      `kernel void k(global int *out, write_only pipe int p) {
         out[0] = is_valid_reserve_id(reserve_write_pipe(p, 6));
         out[1] = is_valid_reserve_id(reserve_write_pipe(p, 0));
         reserve_id_t ids[2] = { reserve_write_pipe(p, 3), reserve_write_pipe(p, 2) };
         reserve_id_t none = CLK_NULL_RESERVE_ID;
         out[2] = is_valid_reserve_id(ids[0]) + 10 * is_valid_reserve_id(ids[1]) + 100 * is_valid_reserve_id(none);
         int x = 1;
         out[3] = write_pipe(p, ids[1], 1, &x);
         out[4] = write_pipe(p, ids[1], 2, &x);
         out[5] = write_pipe(p, &x);
         out[6] = write_pipe(p, none, 0, &x);
         commit_write_pipe(p, ids[1]);
         commit_write_pipe(p, ids[0]);
       }`,
      one,
      Int32Array.of(0, 0, 11, 0, -1, -1, -1),
      pipe(4, 5),
    );
  });

  it('takes packets of some work-items of a pack only', () => {
    // Of 1000, every third and those beyond 900 write; the pipe holds 400.
    const wishes = Array.from({ length: 1000 }, (_, id) => id % 3 === 0 || id > 900);
    const written = wishes.filter(Boolean).length;
    expectEverywhere(
      `kernel void k(global int *out, write_only pipe uint p, volatile global int *counts) {
         uint id = get_global_id(0);
         if (id % 3 == 0 || id > 900) atomic_inc(counts + (write_pipe(p, &id) == 0));
         barrier(CLK_GLOBAL_MEM_FENCE);
         if (id == 0) { out[0] = counts[1]; out[1] = counts[0]; out[2] = get_pipe_num_packets(p); }
       }`,
      { global: [1000], local: [1000] },
      Int32Array.of(300, written - 300, 300),
      () => [buffer(emptyPipe(4, 300)), buffer(new Int32Array(2))],
    );
  });

  it('gives whole groups and sub-groups what they reserve', () => {
    // Two groups of 20 ask for 20 packets each and then, as sub-groups of 8, 8 and 4, for 8 each; there are 60.
    const groups = Array.from({ length: 40 }, () => 1);
    const subGroups = Array.from({ length: 40 }, (_, id) => (id < 16 ? 1 : 0));
    expectEverywhere(
      `kernel void k(global int *out, write_only pipe short p) {
         short x = get_global_id(0);
         reserve_id_t id = work_group_reserve_write_pipe(p, get_local_size(0));
         out[x] = is_valid_reserve_id(id) && write_pipe(p, id, get_local_id(0), &x) == 0;
         work_group_commit_write_pipe(p, id);
         if (get_group_id(0) != 0) return;
         id = sub_group_reserve_write_pipe(p, 8);
         out[40 + x] = is_valid_reserve_id(id) && write_pipe(p, id, get_sub_group_local_id(), &x) == 0;
         sub_group_commit_write_pipe(p, id);
       }
       `,
      { global: [20], local: [20] },
      Int32Array.from([
        ...groups.slice(0, 20),
        ...new Array(20).fill(0x5a5a5a5a),
        ...subGroups.slice(0, 16),
        0,
        0,
        0,
        0,
      ]),
      pipe(2, 36),
    );
  });
});

describe('the reading end', () => {
  const numbers = Int32Array.from({ length: 12 }, (_, index) => index * index);
  const filled = (): TestArgument[] => [buffer(fullPipe(new Uint8Array(numbers.slice().buffer), 4, 13))];

  it('gives packets in the order in which they came', () => {
    expectEverywhere(
      `kernel void k(global int *out, read_only pipe int p) {
         for (int i = 0; i < 14; i++) { int x = -i; read_pipe(p, &x); out[i] = x; }
         out[14] = get_pipe_num_packets(p);
       }`,
      one,
      Int32Array.of(...numbers, -12, -13, 0),
      filled,
    );
  });

  it('goes on where the count of rounds overflows', () => {
    // Three slots take two bits of a place, so that there are 2^30 rounds: in the last one, one packet is left to be written.
    const atTheEnd = (): TestArgument[] => {
      const bytes = emptyPipe(4, 3);
      const words = new Uint32Array(bytes.buffer, 0, 64);
      words[16] = words[32] = 0xffff_fffe;
      words.set([0, 0, 0x7fff_fffe], 48);
      return [buffer(bytes)];
    };
    expectEverywhere(
      `int put(write_only pipe int p, int x) { return write_pipe(p, &x); }
       kernel void k(global int *out, read_only pipe int p) {
         for (int i = 0; i < 4; i++) out[i] = put(p, i);
         out[4] = get_pipe_num_packets(p);
         for (int i = 5; i < 9; i++) { int x = -1; read_pipe(p, &x); out[i] = x; }
         out[9] = put(p, 7);
         out[10] = get_pipe_num_packets(p);
         for (int i = 11; i < 13; i++) { int x = -1; read_pipe(p, &x); out[i] = x; }
       }`,
      one,
      Int32Array.of(0, 0, 0, -1, 3, 0, 1, 2, -1, 0, 1, 7, -1),
      atTheEnd,
    );
  });

  it('gives reservations while there are packets, also to groups', () => {
    expectEverywhere(
      `kernel void k(global int *out, pipe int p) {
         int i = get_local_id(0), x = -1;
         reserve_id_t id = work_group_reserve_read_pipe(p, 13);
         out[i] = is_valid_reserve_id(id);
         id = work_group_reserve_read_pipe(p, 8);
         out[8 + i] = read_pipe(p, id, 7 - i, &x); out[16 + i] = x;
         work_group_commit_read_pipe(p, id);
         if (i == 3) {
           id = reserve_read_pipe(p, 4);
           out[24] = read_pipe(p, id, 2, &x); out[25] = x;
           commit_read_pipe(p, id);
           out[26] = get_pipe_num_packets(p);
         }
       }`,
      { global: [8], local: [8] },
      Int32Array.of(...new Array(16).fill(0), 49, 36, 25, 16, 9, 4, 1, 0, 0, 100, 0),
      filled,
    );
  });

  it('copies structures of odd sizes to any memory, through functions', () => {
    const packets = Uint8Array.from({ length: 3 * 21 }, (_, index) => index);
    expectEverywhere(
      `typedef struct __attribute__((packed)) { int a; char b[17]; } odd;
       int take(read_only pipe odd p, odd *to) { return read_pipe(p, to); }
       kernel void k(global int *out, read_only pipe odd p, local odd *l, global odd *g) {
         odd own;
         out[0] = take(p, &own); out[1] = own.a; out[2] = own.b[16];
         out[3] = take(p, l); out[4] = l->b[0];
         out[5] = take(p, g); out[6] = g->b[16];
         out[7] = take(p, g);
       }`,
      one,
      Int32Array.of(0, 0x03020100, 20, 0, 25, 0, 62, -1),
      () => [buffer(fullPipe(packets, 21, 3)), { local: 21 }, buffer(new Uint8Array(21))],
    );
  });

  it.each([
    ['char3', Int8Array.of(1, 2, 3, 0, 4, 5, 6, 0), 4],
    ['ulong2', BigUint64Array.of(1n, 2n, 3n, 4n, 5n, 6n), 16],
    ['double', Float64Array.of(1, 2, 3, 4, 5, 6), 8],
  ] as const)('copies packets of %s', (type, packets, bytes) => {
    const lanes = { char3: 3, ulong2: 2, double: 1 }[type];
    const element = lanes === 1 ? 'x' : `x.s${lanes - 1}`;
    const all = [...packets].map(Number);
    const stride = bytes / packets.BYTES_PER_ELEMENT;
    const count = packets.length / stride;
    const expected = Array.from({ length: count }, (_, index) => all[index * stride + lanes - 1]!);
    expectEverywhere(
      `kernel void k(global int *out, read_only pipe ${type} p) {
         for (int i = 0; i < ${count}; i++) { ${type} x; read_pipe(p, &x); out[i] = ${element}; }
       }`,
      one,
      Int32Array.from(expected),
      () => [buffer(fullPipe(new Uint8Array(packets.slice().buffer), bytes, count))],
      'some forms',
    );
  });
});

describe('what the compiler says', () => {
  const errors = (source: string, buildOptions = '-cl-std=CL2.0'): string[] =>
    compileOpenCL(source, { name: 't.cl', buildOptions }).diagnostics.list.map(({ message }) => message);

  it.each([
    ['kernel void k(read_write pipe int p) {}', "access qualifier 'read_write' cannot be used for 'pipe'"],
    ['kernel void k(global pipe int *p) {}', "pointer to type '__read_only pipe int' is invalid in OpenCL"],
    [
      'kernel void k(void) { pipe int p; }',
      "type '__read_only pipe int' can only be used as a function parameter in OpenCL",
    ],
    ['kernel void k(pipe image2d_t p) {}', "'__read_only image2d_t' cannot be the type of a pipe's packets"],
    [
      'kernel void k(pipe struct s p) {}',
      "'struct s' is incomplete, so it cannot be the type of a pipe's packets",
    ],
    [
      'struct s { pipe int p; };',
      "the '__read_only pipe int' type cannot be used to declare a structure or union field",
    ],
    ['kernel void k(reserve_id_t r) {}', "'reserve_id_t' cannot be used as the type of a kernel parameter"],
    ['global reserve_id_t r;', 'the reserve_id_t type cannot be used to declare a program scope variable'],
    [
      'struct s { reserve_id_t r; };',
      "the 'reserve_id_t' type cannot be used to declare a structure or union field",
    ],
    ['void f(reserve_id_t r) { r = 1; }', "assigning to 'reserve_id_t' from incompatible type 'int'"],
    ['void f(pipe int p, float *x) { read_pipe(p, x); }', "no matching function for call to 'read_pipe'"],
    ['void f(pipe int p, int *x) { write_pipe(p, x); }', "no matching function for call to 'write_pipe'"],
    ['void f(pipe int p) { reserve_read_pipe(p); }', "no matching function for call to 'reserve_read_pipe'"],
    [
      'void g(pipe int p); void f(pipe uint p) { g(p); }',
      "passing '__read_only pipe uint' to parameter of incompatible type '__read_only pipe int'",
    ],
  ])('%s', (source, message) => {
    expect(errors(source)).toContain(message);
  });

  it('why a call does not fit', () => {
    const { log } = compileOpenCL('kernel void k(pipe int p, global int *x) {\n  write_pipe(p, x);\n}', {
      name: 't.cl',
      buildOptions: '-cl-std=CL2.0',
    });
    expect(log).toMatchInlineSnapshot(`
      "t.cl:2:3: error: no matching function for call to 'write_pipe'
        write_pipe(p, x);
        ^~~~~~~~~~
      t.cl:2:3: note: argument types are (__read_only pipe int, __global int *)
      t.cl:2:3: note: candidate function: int write_pipe(write_only pipe gentype, gentype *): the pipe is read_only
      t.cl:2:3: note: candidate function: int write_pipe(write_only pipe gentype, reserve_id_t, uint, gentype *): requires 4 arguments, but 2 were provided
      1 error generated.
      "
    `);
  });

  it('of the names in other versions of the language', () => {
    compileForTest(
      'typedef int pipe; typedef int reserve_id_t; int read_pipe(pipe p) { return p; } kernel void k(global pipe *p) { *p = read_pipe(1); }',
    );
    compileForTest(
      '#ifndef __opencl_c_pipes\n#error none\n#endif\nkernel void k(write_only pipe int p) { int x = 1; write_pipe(p, &x); }',
      '-cl-std=CL3.0',
    );
  });
});

describe('a pipe that is handed on for the other thing to do with it', () => {
  // As the breadth-first search of AMD's talk on OpenCL 2.0 hands the frontier it has written on to be read, and the other way round.
  const source = `
    void level(read_only pipe int from, write_only pipe int to, int factor) {
      int x;
      while (read_pipe(from, &x) == 0) { x *= factor; write_pipe(to, &x); }
    }
    void levels(read_only pipe int from, write_only pipe int to, int count) {
      level(from, to, 2);
      if (count > 1) level(to, from, 3);
    }
    int last(read_only pipe int from) { int x = -1; read_pipe(from, &x); return x; }
    kernel void k(global int *out, read_only pipe int a, write_only pipe int b) {
      levels(a, b, 2);
      out[0] = last(a);
      out[1] = last(a);
      out[2] = last(b);
    }`;

  it('runs', () => {
    const packets = (): TestArgument[] => [
      buffer(fullPipe(new Uint8Array(Int32Array.of(5, 7).buffer), 4, 4)),
      buffer(emptyPipe(4, 4)),
    ];
    expectEverywhere(source, one, Int32Array.of(30, 42, -1), packets);
  });

  it('is warned of', () => {
    const { log } = compileOpenCL(source, { buildOptions: '-cl-std=CL2.0' });
    const pattern = /(\d+):\d+: warning: passing '(\w+) pipe int' to a parameter of type '(\w+) pipe int'/g;
    expect([...log.matchAll(pattern)].map(([, line, from, to]) => `${line} ${from} ${to}`)).toEqual([
      '8 __write_only __read_only',
      '8 __read_only __write_only',
      '15 __write_only __read_only',
    ]);
  });
});
