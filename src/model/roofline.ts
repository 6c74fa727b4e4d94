/**
 * The roofline: how fast a launch could be on a machine, given how many operations it has for each byte (Williams, Waterman and
 * Patterson, 2009). There are two roofs for bytes, each with its own point of the launch: all bytes that work-items ask for come
 * through the first cache at best as fast as that brings them; and memory has to bring each byte of the buffers once, if the
 * caches keep it.
 */

/** What a machine can do, by all its threads together. */
export interface MachinePeaks {
  /** 32-bit floating-point operations a second. */
  readonly floatOperations: number;
  /** 32-bit integer operations a second. */
  readonly integerOperations: number;
  /** Bytes a second, loaded and stored, of arrays that are much larger than a core's caches. */
  readonly memoryBytes: number;
  /** Bytes a second of an array that fits into a core's first cache. */
  readonly cacheBytes: number;
}

/** What a launch does, by all its work-items together. */
export interface LaunchCounts {
  readonly floatOperations: number;
  readonly integerOperations: number;
  /** Bytes that are asked for in buffers and images. */
  readonly bytesLoaded: number;
  readonly bytesStored: number;
  /** Bytes of these buffers and images. */
  readonly bufferBytes: number;
}

/** Which peak a kernel cannot pass. */
export type RooflineBound = 'arithmetic' | 'memory' | 'caches';

/** Where a launch stands under the roof of memory, or of the caches. */
export interface LevelPoint {
  /** What it has to bring for the launch. */
  readonly bytes: number;
  /** Operations for each of these bytes; Infinity if there are none. */
  readonly intensity: number;
  /** Bytes a second that were reached. */
  readonly attained: number;
  /** They came faster than from there: they were nearer already. Then it is no limit. */
  readonly isPassed: boolean;
}

export interface RooflinePoint {
  /** What is counted as its operations: floating-point ones if it has any, else integer ones. */
  readonly operations: 'floating-point' | 'integer';
  /** Operations a second that the arithmetic can do. */
  readonly peak: number;
  /** Operations a second that were reached. */
  readonly attained: number;
  readonly memory: LevelPoint;
  readonly caches: LevelPoint;
  readonly bound: RooflineBound;
  /** Of what the bound allows: 1 is the roof itself. Timings are never exact, so it may be a little more. */
  readonly share: number;
}

/** How far over a roof a measurement is still taken to be at it. */
const slack = 1.1;

/** The place of a launch that took so many seconds. */
export function rooflinePoint(counts: LaunchCounts, seconds: number, peaks: MachinePeaks): RooflinePoint {
  const { floatOperations, integerOperations, bytesLoaded, bytesStored, bufferBytes } = counts;
  const isFloat = floatOperations > 0;
  const operations = isFloat ? floatOperations : integerOperations;
  const peak = isFloat ? peaks.floatOperations : peaks.integerOperations;
  const level = (bytes: number, most: number): LevelPoint => ({
    bytes,
    intensity: bytes === 0 ? Number.POSITIVE_INFINITY : operations / bytes,
    attained: bytes / seconds,
    isPassed: bytes / seconds > most * slack,
  });
  const once = Math.min(bytesLoaded, bufferBytes) + Math.min(bytesStored, bufferBytes);
  const memory = level(once, peaks.memoryBytes);
  const caches = level(bytesLoaded + bytesStored, peaks.cacheBytes);
  const shares: readonly (readonly [RooflineBound, number])[] = [
    ['arithmetic', operations / seconds / peak],
    ['memory', memory.isPassed ? 0 : memory.attained / peaks.memoryBytes],
    ['caches', caches.isPassed ? 0 : caches.attained / peaks.cacheBytes],
  ];
  const [bound, share] = shares.reduce((most, one) => (one[1] > most[1] ? one : most));
  return {
    operations: isFloat ? 'floating-point' : 'integer',
    peak,
    attained: operations / seconds,
    memory,
    caches,
    bound,
    share,
  };
}
