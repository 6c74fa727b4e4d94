/** `queue.ready()` in Node: a process with nothing else to do neither ends before it resolves nor stays after. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

function run(program: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).trim();
}

const prologue = `
import { CL, CLEvent, createContext } from 'millrace/opencl';
const context = createContext();
const queue = context.createCommandQueue();
const buffer = context.createBuffer(CL.MEM_READ_WRITE, 16);
const result = new Int32Array(4);
`;

describe('queue.ready', () => {
  it('resolves once the threads run, at every call', () => {
    expect(run(`${prologue} await queue.ready(); await queue.ready(); console.log('ready');`)).toBe('ready');
  });

  it('leaves a process alive for an event that is awaited', () => {
    const program = `${prologue}
      const user = context.createUserEvent();
      const event = new CLEvent();
      queue.enqueueFillBuffer(buffer, Int32Array.of(7), 0, 16, [user]);
      queue.enqueueReadBuffer(buffer, false, 0, 16, result, null, event);
      const done = event.done.then(() => console.log(result.join(' ')));
      await queue.ready();
      user.setStatus(CL.COMPLETE);
      await done;`;
    expect(run(program)).toBe('7 7 7 7');
  });

  it('resolves when the context goes first', () => {
    expect(
      run(`${prologue} const ready = queue.ready(); context.releaseAll(); await ready; console.log('over');`),
    ).toBe('over');
  });
});
