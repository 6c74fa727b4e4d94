/** Instructions whose bytes are those of GNU as 2.40 for the same text, so that this needs no tools. */
import { expect, it } from 'vitest';
import { CodeBuffer } from '../../../../src/codegen/x64/assembler/code-buffer.ts';
import { encode } from '../../../../src/codegen/x64/assembler/encode.ts';
import {
  type GeneralBits,
  general,
  type Instruction,
  immediate,
  instruction,
  type MemoryOperand,
  maskRegister,
  memory,
  vector,
} from '../../../../src/codegen/x64/assembler/instruction.ts';
import { printInstruction } from '../../../../src/codegen/x64/assembler/print.ts';

const g = (number: number, bits: GeneralBits = 64) => general(number, bits);
const x = (number: number) => vector(number, 128);
const y = (number: number) => vector(number, 256);
const z = (number: number) => vector(number, 512);
const k = maskRegister;
const at = (bits: number, base: number, more: Partial<MemoryOperand> = {}) =>
  memory(bits, { base: g(base), ...more });

/** Text, bytes as `objdump -d` shows what `as` made of it, instruction. */
const known: readonly (readonly [text: string, bytes: string, instruction: Instruction])[] = [
  ['add eax,0x5', '83 c0 05', instruction('add', g(0, 32), immediate(5))],
  ['mov rax,0xfffffffffffffffe', '48 c7 c0 fe ff ff ff', instruction('mov', g(0), immediate(-2))],
  [
    'mov r12d,DWORD PTR [rsp+rbp*8+0x7f]',
    '44 8b 64 ec 7f',
    instruction('mov', g(12, 32), at(32, 4, { index: g(5), scale: 8, offset: 0x7f })),
  ],
  ['mov BYTE PTR [rdi+0x10],sil', '40 88 77 10', instruction('mov', at(8, 7, { offset: 16 }), g(6, 8))],
  [
    'movabs r9,0x123456789abcdef0',
    '49 b9 f0 de bc 9a 78 56 34 12',
    instruction('mov', g(9), immediate(0x123456789abcdef0n)),
  ],
  [
    'lock xadd DWORD PTR [r13],ecx',
    'f0 41 0f c1 4d 00',
    { ...instruction('xadd', at(32, 13), g(1, 32)), lock: true },
  ],
  ['shl rdx,cl', '48 d3 e2', instruction('shl', g(2), g(1, 8))],
  ['imul r8,r15,0x3e8', '4d 69 c7 e8 03 00 00', instruction('imul', g(8), g(15), immediate(1000))],
  [
    'lea rcx,[r12+r12*1-0x80]',
    '4b 8d 4c 24 80',
    instruction('lea', g(1), at(0, 12, { index: g(12), scale: 1, offset: -128 })),
  ],
  ['cmovle esi,DWORD PTR [rbp]', '0f 4e 75 00', instruction('cmovng', g(6, 32), at(32, 5))],
  ['andn eax,r9d,ecx', 'c4 e2 30 f2 c1', instruction('andn', g(0, 32), g(9, 32), g(1, 32))],
  ['shlx r10,r11,rbx', 'c4 42 e1 f7 d3', instruction('shlx', g(10), g(11), g(3))],
  ['vaddps ymm1,ymm2,ymm3', 'c5 ec 58 cb', instruction('vaddps', y(1), y(2), y(3))],
  [
    'vaddps xmm9,xmm2,DWORD BCST [r14]{1to4}',
    '62 51 6c 18 58 0e',
    instruction('vaddps', x(9), x(2), at(32, 14, { broadcast: 4 })),
  ],
  [
    'vfmadd231ps zmm17{k3}{z},zmm4,DWORD BCST [rax+0x1fc]{1to16}',
    '62 e2 5d db b8 48 7f',
    {
      ...instruction('vfmadd231ps', z(17), z(4), at(32, 0, { broadcast: 16, offset: 0x1fc })),
      mask: k(3),
      zeroing: true,
    },
  ],
  [
    'vmovups ZMMWORD PTR [rbx+0x1000]{k1},zmm31',
    '62 61 7c 49 11 7b 40',
    { ...instruction('vmovups', at(512, 3, { offset: 0x1000 }), z(31)), mask: k(1) },
  ],
  [
    'vpgatherdd ymm5{k2},DWORD PTR [rsi+ymm9*4+0x10]',
    '62 b2 7d 2a 90 6c 8e 04',
    { ...instruction('vpgatherdd', y(5), at(32, 6, { index: y(9), scale: 4, offset: 16 })), mask: k(2) },
  ],
  [
    'vpgatherdd xmm3,DWORD PTR [rsi+xmm12*2],xmm14',
    'c4 a2 09 90 1c 66',
    instruction('vpgatherdd', x(3), at(32, 6, { index: x(12), scale: 2 }), x(14)),
  ],
  [
    'vpternlogd zmm0,zmm1,zmm2,0x96',
    '62 f3 75 48 25 c2 96',
    instruction('vpternlogd', z(0), z(1), z(2), immediate(0x96)),
  ],
  [
    'vcmpltps k5{k6},zmm8,zmm30',
    '62 91 3c 4e c2 ee 01',
    { ...instruction('vcmpps', k(5), z(8), z(30), immediate(1)), mask: k(6) },
  ],
  [
    'vcvttps2dq zmm3,zmm19{sae}',
    '62 b1 7e 18 5b db',
    { ...instruction('vcvttps2dq', z(3), z(19)), rounding: 'sae' },
  ],
  [
    'vdivpd zmm3,zmm4,zmm5{rz-sae}',
    '62 f1 dd 78 5e dd',
    { ...instruction('vdivpd', z(3), z(4), z(5)), rounding: 'rz-sae' },
  ],
  ['kortestw k1,k2', 'c5 f8 98 ca', instruction('kortestw', k(1), k(2))],
  [
    'vpextrd DWORD PTR [rcx+0x4],xmm7,0x3',
    'c4 e3 79 16 79 04 03',
    instruction('vpextrd', at(32, 1, { offset: 4 }), x(7), immediate(3)),
  ],
  ['vpslld ymm3,ymm11,0x7', 'c4 c1 65 72 f3 07', instruction('vpslld', y(3), y(11), immediate(7))],
  [
    'vpmovdb XMMWORD PTR [r8+0x20],zmm6',
    '62 d2 7e 48 31 70 02',
    instruction('vpmovdb', at(128, 8, { offset: 32 }), z(6)),
  ],
  [
    'vextractf128 xmm12,ymm13,0x1',
    'c4 43 7d 19 ec 01',
    instruction('vextractf128', x(12), y(13), immediate(1)),
  ],
  [
    'vblendvps ymm8,ymm9,ymm10,ymm11',
    'c4 43 35 4a c2 b0',
    instruction('vblendvps', y(8), y(9), y(10), y(11)),
  ],
];

it.each(known)('%s', (text, bytes, made) => {
  const buffer = new CodeBuffer();
  encode(buffer, made, { avx512: true });
  const written = [...buffer.bytes.subarray(0, buffer.length)];
  expect(written.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')).toBe(bytes);
  expect(printInstruction(made)).toBe(text);
});

/** What has no encoding, and what the message says of it. */
const impossible: readonly (readonly [Instruction, boolean, string])[] = [
  [instruction('vaddps', y(16), y(1), y(2)), false, 'vaddps ymm16,ymm1,ymm2'],
  [instruction('vaddps', y(70), y(1), y(2)), true, 'vaddps v70.256,ymm1,ymm2'],
  [instruction('vaddps', y(1), x(1), y(2)), true, 'no form has these operands'],
  [instruction('add', g(0, 32), immediate(2 ** 32)), true, 'add eax'],
  [instruction('add', g(0), immediate(0x80000000)), true, 'add rax'],
  [instruction('mov', g(0, 32), at(32, 1, { index: g(4) })), true, 'rsp cannot be an index'],
  [instruction('mov', g(0, 32), at(32, 1, { offset: 2 ** 31 })), true, 'its offset is 2147483648'],
  [{ ...instruction('mov', at(32, 1), g(0, 32)), lock: true }, true, 'lock mov'],
  [{ ...instruction('add', g(1, 32), g(0, 32)), lock: true }, true, 'lock add'],
  [{ ...instruction('vaddps', y(1), y(2), y(3)), rounding: 'rz-sae' }, true, '{rz-sae}'],
  [{ ...instruction('vmovups', at(512, 3), z(1)), mask: k(1), zeroing: true }, true, '{k1}{z}'],
  [instruction('vpgatherdd', x(3), at(32, 6, { index: x(3) }), x(14)), true, 'not different registers'],
  [instruction('vpgatherdd', x(3), at(32, 6, { index: x(4) })), true, 'no form has these operands'],
  [instruction('vfoo', y(1)), true, 'no such mnemonic'],
];

it.each(impossible)('refuses what has no encoding: %#', (made, avx512, words) => {
  expect(() => encode(new CodeBuffer(), made, { avx512 })).toThrow(words);
});
