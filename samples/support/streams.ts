// Where the samples of Brook+ take hold of Millrace: kernels as functions, streams as objects.
import { type BrookDevice, type BrookModule, brook, getDevices, type Stream } from 'millrace/brook';

export { type BrookDevice, type BrookModule, brook, type Stream };

/** The device of that name as Brook+ has it, or the first, and one of the other type. */
export function devicesOfStreams(name?: string): readonly BrookDevice[] {
  const all = getDevices('all');
  const own = (name === undefined ? undefined : all.find((device) => device.name === name)) ?? all[0]!;
  const other = getDevices(own.getType() === 'cpu' ? 'cal' : 'cpu')[0];
  return other ? [own, other] : [own];
}

/** A new stream with content. `sizes` are x first. */
export function streamOf(
  { stream }: BrookModule,
  type: string,
  sizes: readonly number[],
  content: ArrayBufferView,
): Stream {
  const made = stream(type, sizes);
  made.read(content);
  return made;
}

/** Waits for what a stream holds; what went wrong on the way to it is an error here. */
export function contentOf<T extends ArrayBufferView>(stream: Stream, into: T): T {
  stream.write(into);
  checkStream(stream);
  return into;
}

/** @throws Error with the stream's log if something went wrong with it, or with one that it was computed from */
export function checkStream(stream: Stream): void {
  if (stream.error() !== 'BR_NO_ERROR') throw new Error(stream.errorLog());
}
