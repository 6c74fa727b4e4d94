// What a sample is, what it is given and what it hands back. A sample knows neither the terminal nor the file
// system nor which device it runs on: all of that comes in through SampleContext, so that the show, a test
// and a benchmark can drive the same host program, on threads or on the interpreter.
import type { CLContext, Device, Program } from './device.ts';
import type { BrookDevice, BrookModule } from './streams.ts';

/** `full` is what a person is shown; `small` is quick enough for an interpreter, with awkward tails. */
export type SampleSize = 'full' | 'small';

/** An array of numbers as a kernel leaves it. */
export type ResultArray = Float32Array | Uint32Array | Int32Array | Int16Array | Int8Array | Uint8Array;

/** A picture: four bytes a pixel (red, green, blue, alpha), rows from the top, no padding. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** What a sample may use of the world. */
export interface SampleContext {
  readonly size: SampleSize;
  /** How many work-groups the device runs at the same time. */
  readonly computeUnits: number;
  /** Compiles OpenCL C for the device that this run is about. */
  compile(source: string, options?: string): Promise<Program>;
  /** An OpenCL context on that device, for what the short form does not have. The sample releases it. */
  openContext(): CLContext;
  /** The text of a kernel file of the samples, e.g. `saxpy/saxpy.cl`. */
  readKernel(name: string): Promise<string>;
  /** The photograph; at size `small` a few hundred pixels of it. */
  readPhoto(): Promise<Picture>;
  /** Stores a picture under a name without ending, and resolves to where it lies. */
  writePicture(name: string, picture: Picture): Promise<string>;
  /** Stores a drawing (SVG text) under a name without ending, and resolves to where it lies. */
  writeDrawing(name: string, svg: string): Promise<string>;
  /** Says how far the sample has come (0 to 1) and what it does now. */
  progress(fraction: number, text: string): void;
}

/** What a sample of streams may use besides. Streams wait for their device, so these samples are not for the main thread of a page. */
export interface StreamContext extends SampleContext {
  /** Compiles kernels of Brook+ for the device that this run is about. */
  brook(source: string, options?: { readonly device?: BrookDevice }): BrookModule;
  /** That device, and one of the other type (`cal` or `cpu`). */
  readonly streamDevices: readonly BrookDevice[];
}

/** The verdict on one kernel's result. `detail` is one short clause for a table. */
export interface Check {
  readonly ok: boolean;
  readonly detail: string;
}

/** One kernel's run against its reference. Times are milliseconds, the best of the runs that were made. */
export interface KernelRun {
  readonly kernel: string;
  /** On the device: from the start of the first launch to the end of it, summed over the launches. */
  readonly milliseconds: number;
  /** As the host saw it, launches and waiting included. */
  readonly wall: number;
  /** What the reference took, in JavaScript on one thread. */
  readonly cpuMilliseconds: number;
  readonly check: Check;
  /** What the kernel computed, so that two devices can be compared bit by bit. */
  readonly output: ResultArray;
}

export interface SampleResult {
  readonly runs: readonly KernelRun[];
  /** Where the pictures and drawings lie. */
  readonly pictures: readonly string[];
  /** What was found out, in short lines for the reader (a fitted line, a class). */
  readonly findings: readonly string[];
}

/** What a sample needs that a device of Millrace may lack. */
export const sampleNeeds = {
  'shared virtual memory': ({ svmCapabilities }) => svmCapabilities !== 0,
  'kernels that launch kernels': ({ deviceQueues }) => deviceQueues !== undefined,
} as const satisfies Record<string, (info: Device['info']) => boolean>;

export interface Sample<Context extends SampleContext = SampleContext> {
  /** The folder's name, e.g. `bitonic-sort`. */
  readonly name: string;
  readonly title: string;
  /** Two sentences: what it computes, and what there is to learn. */
  readonly about: string;
  /** Devices without it cannot run the sample. */
  readonly needs?: keyof typeof sampleNeeds;
  run(context: Context): Promise<SampleResult>;
}

/** A sample of Brook+. */
export type StreamSample = Sample<StreamContext>;
