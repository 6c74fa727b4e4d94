/**
 * What the processor has, by its own word: CPUID, and XGETBV for what the system keeps when it changes threads. Both are run as machine code
 * from our assembler. `MILLRACE_AVX512=0` leaves AVX-512 off, for tests and measurements of what machines without it do.
 */
import { assemble } from '../../codegen/x64/assembler/assemble.ts';
import { general, instruction, memory } from '../../codegen/x64/assembler/instruction.ts';
import { Program } from '../../codegen/x64/assembler/program.ts';
import { environment } from '../../runtime/host.ts';
import { placeCode } from './code-pages.ts';
import { openSystem } from './system.ts';

export interface ProcessorFeatures {
  /** `GenuineIntel`, `AuthenticAMD`. */
  readonly vendor: string;
  /** AVX2 with what came with it, which machine code of ours takes for given: FMA, F16C, BMI1, BMI2, LZCNT, POPCNT. */
  readonly avx2: boolean;
  /** AVX-512 F, BW, DQ and VL. */
  readonly avx512: boolean;
}

/** eax, ebx, ecx and edx for a leaf. */
export type Cpuid = (leaf: number, subleaf: number) => readonly [number, number, number, number];

let known: ProcessorFeatures | string | undefined;

/** What the processor has; or, in words, why it cannot be asked. */
export function processorFeatures(): ProcessorFeatures | string {
  known ??= ask();
  if (typeof known === 'string' || environment('MILLRACE_AVX512') !== '0') return known;
  return { ...known, avx512: false };
}

/** Why there can be no machine code on such a processor; undefined if there can. */
export function processorFault({ avx2, vendor }: ProcessorFeatures): string | undefined {
  return avx2
    ? undefined
    : `machine code needs a processor with AVX2, FMA, BMI and F16C, and this one (${vendor}) has not all of them`;
}

/** Reads the answers (Intel's manual, CPUID). `xcr0` says which registers the system keeps, and is asked for only where CPUID allows it. */
export function featuresOf(cpuid: Cpuid, xcr0: () => number): ProcessorFeatures {
  const [highest, ...name] = cpuid(0, 0);
  const [b, c, d] = name;
  const vendor = new TextDecoder().decode(new Uint8Array(new Uint32Array([b, d, c]).buffer));
  const [, , features] = cpuid(1, 0);
  const [, wide] = highest >= 7 ? cpuid(7, 0) : [0, 0];
  const [highestExtended] = cpuid(0x80000000, 0);
  const [, , extended] = highestExtended >>> 0 > 0x80000000 ? cpuid(0x80000001, 0) : [0, 0, 0];
  const has = (word: number, ...bits: number[]): boolean => bits.every((bit) => (word >>> bit) & 1);
  const kept = has(features, 27) ? xcr0() : 0;
  const keepsVectors = (kept & 0x06) === 0x06;
  const keepsMasks = (kept & 0xe6) === 0xe6;
  const avx2 =
    keepsVectors &&
    // FMA, POPCNT, AVX, F16C; BMI1, AVX2, BMI2; LZCNT.
    has(features, 12, 23, 28, 29) &&
    has(wide, 3, 5, 8) &&
    has(extended, 5);
  // F, DQ, BW, VL.
  const avx512 = avx2 && keepsMasks && has(wide, 16, 17, 30, 31);
  return { vendor, avx2, avx512 };
}

function ask(): ProcessorFeatures | string {
  const system = openSystem();
  if (typeof system === 'string') return system;
  const program = new Program();
  const forCpuid = program.newLabel();
  const forXgetbv = program.newLabel();
  const [eax, ecx, edx, ebx, esi, edi] = [0, 1, 2, 3, 6, 7].map((number) => general(number, 32));
  const rbx = general(3, 64);
  const r8 = general(8, 64);
  const rdi = general(7, 64);
  // void cpuid(uint32_t leaf, uint32_t subleaf, uint32_t *answers)
  program.place(forCpuid);
  program.append(
    instruction('push', rbx),
    instruction('mov', r8, general(2, 64)),
    instruction('mov', eax!, edi!),
    instruction('mov', ecx!, esi!),
    instruction('cpuid'),
    ...[eax!, ebx!, ecx!, edx!].map((register, index) =>
      instruction('mov', memory(32, { base: r8, offset: 4 * index }), register),
    ),
    instruction('pop', rbx),
    instruction('ret'),
  );
  // void xgetbv(uint32_t *answer)
  program.align(16);
  program.place(forXgetbv);
  program.append(
    instruction('xor', ecx!, ecx!),
    instruction('xgetbv'),
    instruction('mov', memory(32, { base: rdi }), eax!),
    instruction('ret'),
  );
  const { bytes, labels } = assemble(program, { avx512: false });
  try {
    const code = placeCode(bytes, system);
    const cpuid = system.function(code.address + BigInt(labels[forCpuid]!), 'void', [
      'uint32_t',
      'uint32_t',
      'uintptr_t',
    ]);
    const xgetbv = system.function(code.address + BigInt(labels[forXgetbv]!), 'void', ['uintptr_t']);
    const answers = new Uint32Array(4);
    const place = system.addressOf(answers);
    const features = featuresOf(
      (leaf, subleaf) => {
        cpuid(leaf, subleaf, place);
        return [answers[0]!, answers[1]!, answers[2]!, answers[3]!];
      },
      () => {
        xgetbv(place);
        return answers[0]!;
      },
    );
    code.release();
    return features;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
