/** The thread that computes routines for a program in C (functions.ts): it takes calls one after another and works on the program's memory. */
import { devices, requestDevice } from '../../api/javascript/compile.ts';
import { Core } from '../core.ts';
import { BlasError } from '../errors.ts';
import { programCall } from './calls.ts';
import type { BlasThreadStart } from './functions.ts';
import { Mailbox, state } from './mailbox.ts';
import { ProgramMemory } from './memory.ts';
import { functionNames } from './names.ts';

export async function runBlasThread({ memory, device, mailbox: buffer }: BlasThreadStart): Promise<void> {
  const mailbox = new Mailbox(buffer);
  const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));
  try {
    const core = await Core.open({ device: await deviceOf(device) }, 'blas');
    const numbers = new ProgramMemory(memory);
    const calls = functionNames.map((name) => programCall(name));
    mailbox.set(state.idle);
    for (;;) {
      for (let now = mailbox.state; now !== state.called; now = mailbox.state) mailbox.sleepWhile(now);
      try {
        const result = await calls[mailbox.code]!(core, numbers, mailbox.values);
        mailbox.put(0, result === undefined ? [] : [result]);
        mailbox.set(state.done);
      } catch (error) {
        if (!(error instanceof BlasError)) throw error;
        mailbox.put(0, []);
        mailbox.putText(error.parameter, error.why);
        mailbox.set(state.refused);
      }
    }
  } catch (error) {
    mailbox.putText(error instanceof WebAssembly.RuntimeError ? 1 : 0, words(error));
    mailbox.set(state.broken);
  }
}

/** The device that the program has as its first. */
async function deviceOf(id: string) {
  if (id === 'webgpu' || id === 'native') return requestDevice(id);
  const own = devices({ drivers: false }).find((device) => device.id === id);
  return own ?? devices().find((device) => device.id === id);
}
