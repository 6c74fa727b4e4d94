/** Programs for trials of the build cache: each has a number, which shows in what it computes. */
import { type CLContext, createContext } from 'millrace/opencl';

/** Builds and runs a program of its own number. @throws Error if it does not do what it should */
export function buildNumber(number: number): void {
  let context: CLContext | undefined;
  try {
    context = createContext(undefined, { shared: false });
    const program = context.createProgram(
      `kernel void k(global int *p) { p[get_global_id(0)] = ${number} + get_global_id(0); }`,
    );
    program.build(undefined, '');
    const kernel = program.createKernel('k');
    const buffer = context.createBuffer(0, 64);
    kernel.setArg(0, buffer);
    const queue = context.createCommandQueue();
    queue.enqueueNDRangeKernel(kernel, 1, null, [16]);
    const data = new Int32Array(16);
    queue.enqueueReadBuffer(buffer, true, 0, 64, data);
    if (data.some((value, index) => value !== number + index))
      throw new Error(`program ${number} computes ${data}`);
  } finally {
    context?.releaseAll();
  }
}
