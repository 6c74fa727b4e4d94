/**
 * Code that programs share: how kernels are entered and left, and moves of bytes. A kernel proper is an internal function, with its arguments on the stack;
 * what the thread calls saves the registers that it must, and the stack's place, to which traps return from any depth.
 */
import {
  type GeneralBits,
  type GeneralRegister,
  general,
  immediate,
  instruction,
  label,
  type MemoryOperand,
  memory,
} from '../assembler/instruction.ts';
import type { Program } from '../assembler/program.ts';
import { contextOffsets, kernelStatus } from '../calling-convention.ts';
import { contextRegister, memoryRegister, stackRegister } from './operation.ts';

export type RoutineName = 'copy' | 'fill';

const r = (number: number, bits: GeneralBits = 64): GeneralRegister => general(number, bits);
const stack = r(stackRegister);
const context = r(contextRegister);
/** What the convention says functions keep: rbx, rbp, r12 to r15. */
const saved = [3, 5, 12, 13, 14, 15];
const kernelArguments = 4;

const savedStack = memory(64, { base: context, offset: contextOffsets.stack });

/** What a thread calls for a kernel. */
export function writeEntry(program: Program, kernel: number, exit: number): void {
  for (const number of saved) program.append(instruction('push', r(number)));
  program.append(
    instruction('mov', r(memoryRegister), r(7)),
    instruction('mov', context, r(6)),
    // With the return address and six registers on the stack, this leaves it at a multiple of 16.
    instruction('sub', stack, immediate(8 * kernelArguments + 8)),
    instruction('mov', savedStack, stack),
  );
  // launch, first, end and area are in edx, ecx, r8d and r9d.
  [2, 1, 8, 9].forEach((number, index) => {
    program.append(instruction('mov', memory(32, { base: stack, offset: 8 * index }), r(number, 32)));
  });
  program.append(
    instruction('call', label(kernel)),
    instruction('mov', r(0, 32), immediate(kernelStatus.done)),
    instruction('jmp', label(exit)),
  );
}

/** Where all kernels end: with the status in eax, and the stack as it was when the kernel proper was called. */
export function writeExit(program: Program, exit: number, traps: ReadonlyMap<number, number>): void {
  for (const [status, place] of traps) {
    program.place(place);
    program.append(
      instruction('mov', r(0, 32), immediate(status)),
      instruction('mov', stack, savedStack),
      instruction('jmp', label(exit)),
    );
  }
  program.place(exit);
  program.append(instruction('vzeroupper'), instruction('add', stack, immediate(8 * kernelArguments + 8)));
  for (const number of saved.toReversed()) program.append(instruction('pop', r(number)));
  program.append(instruction('ret'));
}

/** rdi: to, rsi: from, or al: what to fill with; rcx: how many bytes. rax, rcx, rsi and rdi change. */
export function writeRoutine(program: Program, name: RoutineName, place: number): void {
  program.align(16);
  program.place(place);
  if (name === 'copy') writeCopy(program);
  else writeFill(program);
}

const [rax, rcx, rsi, rdi] = [r(0), r(1), r(6), r(7)];

function writeCopy(program: Program): void {
  const backwards = program.newLabel();
  const distance = r(0);
  // Backwards only where the end of what is read would be written before: 0 < to - from < count.
  program.append(
    instruction('mov', distance, rdi),
    instruction('sub', distance, rsi),
    instruction('cmp', distance, rcx),
    instruction('jb', label(backwards)),
  );
  for (const bytes of [8, 1]) {
    loop(program, bytes, () => {
      program.append(
        ...moved(memory(bytes * 8, { base: rdi }), memory(bytes * 8, { base: rsi })),
        instruction('add', rsi, immediate(bytes)),
        instruction('add', rdi, immediate(bytes)),
      );
    });
  }
  program.append(instruction('ret'));
  program.place(backwards);
  for (const bytes of [8, 1]) {
    loop(program, bytes, () => {
      const at = (base: GeneralRegister): MemoryOperand =>
        memory(bytes * 8, { base, index: rcx, offset: -bytes });
      program.append(...moved(at(rdi), at(rsi)));
    });
  }
  program.append(instruction('ret'));
}

function moved(to: MemoryOperand, from: MemoryOperand): ReturnType<typeof instruction>[] {
  const through = r(0, to.bits as GeneralBits);
  return [instruction('mov', through, from), instruction('mov', to, through)];
}

function writeFill(program: Program): void {
  // The byte in each of eight.
  program.append(
    instruction('movzx', r(0, 32), r(0, 8)),
    instruction('mov', rsi, immediate(0x0101_0101_0101_0101n)),
    instruction('imul', rax, rsi),
  );
  for (const bytes of [8, 1]) {
    loop(program, bytes, () => {
      program.append(
        instruction('mov', memory(bytes * 8, { base: rdi }), r(0, (bytes * 8) as GeneralBits)),
        instruction('add', rdi, immediate(bytes)),
      );
    });
  }
  program.append(instruction('ret'));
}

/** As long as there are so many bytes. The body's addresses may use what is left before it. */
function loop(program: Program, bytes: number, body: () => void): void {
  const [again, done] = [program.newLabel(), program.newLabel()];
  program.place(again);
  program.append(instruction('cmp', rcx, immediate(bytes)), instruction('jb', label(done)));
  body();
  program.append(instruction('sub', rcx, immediate(bytes)), instruction('jmp', label(again)));
  program.place(done);
}
