/** Objects that end with the block that declares them by `using`. */
import { compile } from 'millrace';
import { brook } from 'millrace/brook';
import { compileHost, startProgram } from 'millrace/c-host';
import { CL, createContext } from 'millrace/opencl';
import { webcl } from 'millrace/webcl';
import { expect, it } from 'vitest';

const source = 'kernel void inc(global int *a) { a[get_global_id(0)]++; }';

it('are released: programs, buffers and what else the short form makes', async () => {
  let kept: {
    program: Awaited<ReturnType<typeof compile>>;
    buffer: { read(kind: Int32ArrayConstructor): Promise<Int32Array> };
  };
  {
    using program = await compile(source);
    using buffer = program.buffer(Int32Array.of(1, 2));
    using shared = program.shared(64);
    kept = { program, buffer };
    await program.kernel('inc')({ global: [2] }, buffer);
    expect(await buffer.read(Int32Array)).toEqual(Int32Array.of(2, 3));
    expect(shared.byteLength).toBe(64);
  }
  expect(() => kept.program.kernel('inc')).toThrow('the program has been released');
  await expect(kept.buffer.read(Int32Array)).rejects.toThrow('the buffer has been released');
});

it('are released with the block that throws, and may have been before', async () => {
  const program = await compile(source);
  expect(() => {
    using mine = program;
    mine.release();
    throw new Error('mine');
  }).toThrow('mine');
});

it('are released: objects of OpenCL, unless they are already', () => {
  const context = createContext();
  let queue: ReturnType<typeof context.createCommandQueue>;
  {
    using mine = context.createCommandQueue(context.devices[0]!);
    using buffer = context.createBuffer(CL.MEM_READ_WRITE, 16);
    queue = mine;
    buffer.release();
    mine.retain();
  }
  // One reference is left, as after clReleaseCommandQueue.
  expect(queue.references).toBe(1);
  {
    using last = queue;
    expect(last.references).toBe(1);
  }
  expect(() => queue.finish()).toThrow('the command queue has been released');
  context.releaseAll();
});

it('are released: objects of WebCL and streams', async () => {
  {
    using context = webcl.createContext();
    using buffer = context.createBuffer(webcl.MEM_READ_WRITE, 16);
    buffer.release();
  }
  const { stream } = brook('kernel void twice(float a<>, out float b<>) { b = 2.0f * a; }');
  using numbers = stream('float', [3]);
  numbers.read(Float32Array.of(1, 2, 3));
});

it('end: programs in C that run', async () => {
  const { bytes } = compileHost([{ name: 'host.c', text: 'int main(void) { for (;;); }' }]);
  let ended: ReturnType<typeof startProgram>['ended'];
  {
    await using program = startProgram(bytes!);
    ended = program.ended;
  }
  expect((await ended).exitCode).toBe(137);
});
