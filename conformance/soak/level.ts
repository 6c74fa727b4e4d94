/**
 * Whether what a process uses stays level. Each figure goes up and down, so minima are compared: that of the last third of the looks with that
 * of the third before it. What leaks raises its minimum; what is only used for a while does not.
 */

/** What is in use at one look. */
export interface Use {
  readonly seconds: number;
  readonly commands: number;
  /** Bytes of the process in memory, and of JavaScript's heap and array buffers after a collection. */
  readonly resident: number;
  readonly heap: number;
  readonly buffers: number;
  /** Bytes and slots that the context which lives all along has given out. */
  readonly control: number;
  readonly device: number;
  readonly eventSlots: number;
  readonly threads: number;
  readonly descriptors: number;
}

export type Figure = Exclude<keyof Use, 'seconds' | 'commands'>;

const mebibyte = 2 ** 20;

/** How much more each may be: as a part of what it was, and besides. */
const allowed: Readonly<Record<Figure, readonly [part: number, besides: number]>> = {
  resident: [0.1, 24 * mebibyte],
  heap: [0.05, 3 * mebibyte],
  buffers: [0.05, 4 * mebibyte],
  control: [0, mebibyte / 2],
  device: [0, 1024],
  eventSlots: [0, 16 * 1024],
  threads: [0, 0],
  descriptors: [0, 0],
};

/** Looks that are needed to say anything: with fewer a third is a matter of chance. */
export const fewestLooks = 12;

/** What has risen, in words; empty if all is level, or if there have not been enough looks. */
export function risen(looks: readonly Use[]): string[] {
  if (looks.length < fewestLooks) return [];
  const third = Math.floor(looks.length / 3);
  return (Object.keys(allowed) as Figure[]).flatMap((figure) => {
    const least = (from: number, to: number): number =>
      Math.min(...looks.slice(from, to).map((look) => look[figure]));
    const [before, after] = [least(third, 2 * third), least(2 * third, looks.length)];
    const [part, besides] = allowed[figure];
    return after > before * (1 + part) + besides ? [`${figure} rose from ${before} to ${after}`] : [];
  });
}

/** One look, for people. */
export function shownUse(use: Use): string {
  const megabytes = (bytes: number): string => `${(bytes / mebibyte).toFixed(1)} MiB`;
  return (
    `resident ${megabytes(use.resident)}, heap ${megabytes(use.heap)}, buffers ${megabytes(use.buffers)}, control ${megabytes(use.control)}, ` +
    `device ${megabytes(use.device)}, ${use.eventSlots} event slots, ${use.threads} threads, ${use.descriptors} descriptors`
  );
}
