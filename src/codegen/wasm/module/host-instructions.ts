/**
 * Functions that a program for the host imports from the module `wasm`: they are no functions but the instructions of their
 * names, so that the C library can be written in C down to the last step.
 */
import type { CodeWriter } from './code-writer.ts';
import { CodegenError } from './error.ts';
import { asOpName, immediateOf } from './opcodes.ts';

export function isInstructionModule(module: string | undefined): boolean {
  return module === 'wasm';
}

/** Globals of a program that starts threads; 0 is the stack pointer. */
export const threadGlobal = { base: 1, limit: 2 } as const;

export interface Surroundings {
  readonly heapBase: number;
  /** Where the memory ends that the module asks for. */
  readonly heapEnd: number;
  /** Traps if the local holds no place on the stack. */
  readonly checkStack: (local: number) => void;
}

/** @throws CodegenError for a name that is no such instruction */
export function emitNamedInstruction(name: string, code: CodeWriter, surroundings: Surroundings): void {
  switch (name) {
    case 'memory.size':
      code.memorySize();
      return;
    case 'memory.grow':
      code.memoryGrow();
      return;
    case 'memory.copy':
      code.memoryCopy();
      return;
    case 'memory.fill':
      code.memoryFill();
      return;
    case 'heap.base':
      code.i32(surroundings.heapBase);
      return;
    case 'heap.end':
      code.i32(surroundings.heapEnd);
      return;
    case 'stack.pointer':
      code.globalGet(0);
      return;
    case 'stack.restore':
      code.globalSet(0);
      return;
    case 'stack.limit':
      code.globalSet(threadGlobal.limit);
      return;
    case 'thread.base':
      code.globalGet(threadGlobal.base);
      return;
    case 'thread.rebase':
      code.globalSet(threadGlobal.base);
      return;
    case 'stack.allocate': {
      // Rounded up to keep the stack aligned.
      code.i32(15);
      code.op('i32.add');
      code.i32(-16);
      code.op('i32.and');
      const size = code.toTemporary('i32');
      code.globalGet(0);
      code.get(size);
      code.op('i32.sub');
      code.release(size);
      const top = code.toTemporary('i32');
      surroundings.checkStack(top);
      code.get(top);
      code.globalSet(0);
      code.get(top);
      code.release(top);
      return;
    }
    default: {
      const op = asOpName(name);
      if (!op || immediateOf(op) !== 'none')
        throw new CodegenError(`no instruction '${name}' can be imported`);
      code.op(op);
    }
  }
}
