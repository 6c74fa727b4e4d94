/** Kernels in machine code, assembled by hand after src/codegen/x64/calling-convention.ts: an independent reading of the contract. */
import type { ParameterPlacement, WasmProgram } from '../../../src/codegen/wasm/module/abi.ts';
import { assemble } from '../../../src/codegen/x64/assembler/assemble.ts';
import {
  type GeneralBits,
  general,
  immediate,
  instruction,
  label,
  memory,
  vector,
} from '../../../src/codegen/x64/assembler/instruction.ts';
import { Program } from '../../../src/codegen/x64/assembler/program.ts';
import { encodeNative } from '../../../src/devices/native/native-module.ts';
import { handProgram } from '../wasm/kernels.ts';

const numbers = { a: 0, c: 1, d: 2, b: 3, sp: 4, bp: 5, si: 6, di: 7 } as const;
const g = (name: keyof typeof numbers | number, bits: GeneralBits = 32) =>
  general(typeof name === 'number' ? name : numbers[name], bits);
const base = g('di', 64);
const context = g('si', 64);

/** An argument of the launch block in edx. */
const argument = (offset: number) => memory(32, { base, index: g('d', 64), offset: 64 + offset });

type Write = (program: Program) => void;

/** Runs `body` for each work-group, whose number is in ecx, up to r8d. Ends with status 0. */
function eachGroup(body: Write): Write {
  return (program) => {
    const [again, done] = [program.newLabel(), program.newLabel()];
    // The upper halves of arguments are undefined.
    program.append(instruction('mov', g('d'), g('d')));
    program.place(again);
    program.append(instruction('cmp', g('c'), g(8)), instruction('jae', label(done)));
    body(program);
    program.append(instruction('inc', g('c')), instruction('jmp', label(again)));
    program.place(done);
    program.append(instruction('xor', g('a'), g('a')), instruction('ret'));
  };
}

const bodies: Readonly<Record<string, Write>> = {
  /** out[g] = g + number */
  number: eachGroup((program) =>
    program.append(
      instruction('mov', g(10), argument(0)),
      instruction('mov', g('a'), argument(4)),
      instruction('add', g('a'), g('c')),
      instruction('lea', g(10), memory(0, { base: g(10, 64), index: g('c', 64), scale: 4 })),
      instruction('mov', memory(32, { base, index: g(10, 64) }), g('a')),
    ),
  ),
  /** counter += 1, atomically */
  count: eachGroup((program) =>
    program.append(instruction('mov', g(10), argument(0)), {
      ...instruction('add', memory(32, { base, index: g(10, 64) }), immediate(1)),
      lock: true,
    }),
  ),
  /** y[g] += a * x[g], sixteen elements a group */
  saxpy: eachGroup((program) => {
    const ymm = (number: number) => vector(number, 256);
    program.append(
      instruction('mov', g(10), argument(0)),
      instruction('mov', g(11), argument(4)),
      instruction('vbroadcastss', ymm(0), argument(8)),
      instruction('mov', g('a'), g('c')),
      instruction('shl', g('a'), immediate(6)),
      instruction('add', g(10), g('a')),
      instruction('add', g(11), g('a')),
    );
    for (const offset of [0, 32]) {
      const x = memory(256, { base, index: g(10, 64), offset });
      const y = memory(256, { base, index: g(11, 64), offset });
      program.append(
        instruction('vmovups', ymm(1), y),
        instruction('vfmadd231ps', ymm(1), ymm(0), x),
        instruction('vmovups', y, ymm(1)),
      );
    }
    program.append(instruction('vzeroupper'));
  }),
  /** out[g] = the second word of the program's constants */
  constant: eachGroup((program) =>
    program.append(
      instruction('mov', g(10), argument(0)),
      instruction('mov', g(11), memory(32, { base: context, offset: 16 })),
      instruction('mov', g('a'), memory(32, { base, index: g(11, 64), offset: 4 })),
      instruction('mov', memory(32, { base, index: g(10, 64) }), g('a')),
    ),
  ),
  /** Loads and stores 64 bytes at an address that may be any: in the last bytes of memory, too. */
  anywhere: eachGroup((program) =>
    program.append(
      instruction('mov', g(10), argument(0)),
      instruction('vmovups', vector(1, 256), memory(256, { base, index: g(10, 64) })),
      instruction('vmovups', vector(2, 256), memory(256, { base, index: g(10, 64), offset: 32 })),
      instruction('vmovups', memory(256, { base, index: g(10, 64) }), vector(1, 256)),
      instruction('vmovups', memory(256, { base, index: g(10, 64), offset: 65472 }), vector(2, 256)),
      instruction('vzeroupper'),
    ),
  ),
  /** Runs until it is stopped. */
  endless: (program) => {
    const again = program.newLabel();
    program.append(instruction('mov', g('a', 64), memory(64, { base: context })));
    program.place(again);
    program.append(
      instruction('pause'),
      instruction('cmp', memory(32, { base: g('a', 64) }), immediate(-1)),
      instruction('jne', label(again)),
      instruction('mov', g('a'), immediate(3)),
      instruction('ret'),
    );
  },
  /** Says that it came to what cannot be reached. */
  fail: (program) => program.append(instruction('mov', g('a'), immediate(1)), instruction('ret')),
};

const pointer = (offset: number): ParameterPlacement => ({ kind: 'global', offset, size: 4, align: 4 });
const value = (offset: number): ParameterPlacement => ({ kind: 'value', offset, size: 4, align: 4 });

const parametersOf: Readonly<Record<string, readonly ParameterPlacement[]>> = {
  number: [pointer(0), value(4)],
  count: [pointer(0)],
  saxpy: [pointer(0), pointer(4), value(8)],
  constant: [pointer(0)],
  anywhere: [value(0)],
  endless: [],
  fail: [],
};

/** What a compiler for machine code would give the device: facts as those of WebAssembly kernels, and machine code. */
export function nativeProgram(): WasmProgram {
  const like = handProgram(true);
  const program = new Program();
  const labels = Object.values(bodies).map((write) => {
    program.align(16);
    const start = program.newLabel();
    program.place(start);
    write(program);
    return start;
  });
  const code = assemble(program, { avx512: false });
  return {
    ...like,
    bytes: encodeNative({
      bytes: code.bytes,
      entries: labels.map((start) => code.labels[start]!),
      imports: [],
    }),
    kernels: Object.keys(bodies).map((name) => ({
      ...like.kernels[0]!,
      name,
      title: `kernel '${name}'`,
      exportName: name,
      parameters: parametersOf[name]!,
      argumentBytes: parametersOf[name]!.length * 4,
      fixedBytes: 0,
      perItemBytes: 0,
    })),
  };
}
