/**
 * A program in WebAssembly that uses CAL: its CAL, its memory as the functions see it, and the texts that they give it. Nothing is
 * made before the program calls something.
 */
import type { LaunchRules } from '../../../runtime/context.ts';
import type { Device } from '../../../runtime/device.ts';
import { OpenCLError } from '../../../runtime/status.ts';
import { encodeText, type HostMemory } from '../../c/host-memory.ts';
import { CAL_RESULT_PENDING } from '../constants.ts';
import { CalError, failed, invalid } from '../error.ts';
import { CalSystem } from '../system.ts';

export interface CalHostOptions {
  /** The program's memory, in which resources are made. */
  readonly memory: HostMemory;
  /** What runs its programs: see SystemOptions. */
  readonly devices: () => readonly Device[];
  readonly chosen: string | undefined;
  /** The function of the program that a pointer means. @throws OpenCLError */
  readonly callback: (pointer: number) => (...args: number[]) => unknown;
  readonly launches?: LaunchRules | undefined;
  /** Told of each function that fails, and why. */
  readonly onError?: ((name: string, error: CalError) => void) | undefined;
}

/** Bytes for the error texts of runtime and compiler, and for a line of a listing. */
const textBytes = 65536;
const texts = ['runtime', 'compiler', 'line'] as const;

export class CalHost {
  readonly system: CalSystem;
  readonly #options: CalHostOptions;
  #textBlock: number | undefined;

  constructor(options: CalHostOptions) {
    this.#options = options;
    const { memory, devices, chosen, launches } = options;
    this.system = new CalSystem({ devices, chosen, pool: memory.pool, launches });
  }

  get memory(): HostMemory {
    return this.#options.memory;
  }

  /** A call has failed, which whoever runs the program may want to know. */
  tell(name: string, result: number, message: string): void {
    if (result === CAL_RESULT_PENDING) return;
    this.#options.onError?.(name, new CalError(result, message));
  }

  /** Does something with the program's memory: pointers that lead out of it are a parameter's mistake. */
  checked<T>(access: (memory: HostMemory) => T): T {
    try {
      return access(this.memory);
    } catch (error) {
      if (error instanceof OpenCLError) throw invalid(error.message);
      throw error;
    }
  }

  /** A text for the program, which stands until the next one of its kind. */
  giveText(kind: (typeof texts)[number], text: string): number {
    const { pool } = this.memory;
    this.#textBlock ??= pool.take(textBytes * texts.length)?.start;
    this.memory.refresh();
    if (this.#textBlock === undefined) throw failed('there is no memory for a text');
    const start = this.#textBlock + texts.indexOf(kind) * textBytes;
    const bytes = encodeText(text).subarray(0, textBytes - 1);
    const target = this.memory.bytes(start, textBytes);
    target.set(bytes);
    target[bytes.length] = 0;
    return start;
  }

  /** A function of the program that takes a text. @throws CalError CAL_RESULT_INVALID_PARAMETER if there is none */
  log(pointer: number): (line: string) => void {
    const call = this.checked(() => this.#options.callback(pointer));
    return (line) => {
      call(this.giveText('line', line));
      this.memory.refresh();
    };
  }

  /** The program has ended. */
  close(): void {
    this.system.run(() => this.system.shutdown());
  }
}
