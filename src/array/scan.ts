/**
 * Scans: each element becomes what it gives with all before it, along an axis. Long rows are cut into strips: the first launch reduces each
 * strip, the second scans what they gave, the third scans the strips from there. Where there are few strips, the third does what the second would. The
 * operation must be associative, and need not be commutative.
 */
import type { KernelArgument } from '../api/javascript/arguments.ts';
import type { DeviceBuffer } from '../api/javascript/device-buffer.ts';
import type { Engine } from './engine.ts';
import { roundUp } from './expression.ts';
import type { Along } from './reduce.ts';

/** The code of a scan, and what it needs. */
export interface ScanCode {
  readonly helpers: string;
  /** Of what is scanned, in OpenCL C; and its bytes. */
  readonly c: string;
  readonly bytes: number;
  readonly neutral: string;
  /** Joins `a` and `b`, which comes after it. */
  readonly join: string;
  /** Statements and the value at the index `i` in the whole. */
  readonly statements: string;
  readonly value: string;
  /** Takes the results, at `i`: `item`, with `prev_item` without the element. */
  readonly output: string;
  readonly parameters: readonly string[];
  readonly arguments: readonly KernelArgument[];
}

const shortest = 256;
/** Strips that keep a graphics card busy. */
const mostStrips = 1024;
/** Strips for each thread of another device: some, for threads are not equally fast; and so many in a work-group. */
const stripsOfUnit = 16;
const stripsOfGroup = 4;
/** So few strips' sums each strip joins by itself: a launch that scans them costs more. */
const fewStrips = 256;

/**
 * Elements that are joined among themselves before they are joined to what came before them. So only one operation of each block waits for
 * the one of the block before: a sum of floats takes as long as four additions one after another take, for each block and not for each element.
 */
const block = 4;

/** The elements of a block as `scan_0` to `scan_3`, for a row whose elements lie one after another. */
const blockOf = ({ c, statements, value }: ScanCode): string =>
  range(
    block,
    (j) =>
      `    ${c} scan_${j};\n    { uint i = start + k + ${j};\n${statements}    scan_${j} = ${value}; }\n`,
  );

const range = (count: number, line: (j: number) => string): string =>
  Array.from({ length: count }, (_, j) => line(j)).join('');

/** The loop that joins a strip to `item`. */
function reduction(code: ScanCode, isTight: boolean): string {
  const single = `  for (; k < end; k++) {
    uint i = start + k${isTight ? '' : ' * inner'};
${code.statements}    item = scan_join(item, ${code.value});
  }
`;
  if (!isTight) return single;
  return `  for (; k + ${block} <= end; k += ${block}) {
${blockOf(code)}    item = scan_join(item, scan_join(scan_join(scan_0, scan_1), scan_join(scan_2, scan_3)));
  }
${single}`;
}

/** The loop that scans a strip from `item` on. */
function scanning(code: ScanCode, isTight: boolean): string {
  const { c, output } = code;
  const single = `  for (; k < end; k++) {
    uint i = start + k${isTight ? '' : ' * inner'};
${code.statements}    ${c} prev_item = item;
    item = scan_join(item, ${code.value});
    ${output}
  }
`;
  if (!isTight) return single;
  return `  for (; k + ${block} <= end; k += ${block}) {
${blockOf(code)}    scan_1 = scan_join(scan_0, scan_1);
    scan_3 = scan_join(scan_1, scan_join(scan_2, scan_3));
    scan_2 = scan_join(scan_1, scan_2);
    ${c} scan_before = item;
${range(
  block,
  (j) => `    { uint i = start + k + ${j};
    ${c} prev_item = item;
    item = scan_join(scan_before, scan_${j});
    ${output} }
`,
)}  }
${single}`;
}

export async function scan(engine: Engine, code: ScanCode, { outer, length, inner }: Along): Promise<void> {
  const rows = outer * inner;
  if (rows * length === 0) return;
  const most = engine.isGpu
    ? mostStrips
    : Math.min(mostStrips, stripsOfUnit * engine.program.device.info.maxComputeUnits);
  const strips = rows >= 256 ? 1 : Math.min(most, Math.ceil(length / shortest));
  const isFew = strips <= fewStrips;
  const strip = Math.ceil(length / strips);
  const isTight = inner === 1;
  const sums: DeviceBuffer | undefined =
    strips > 1 ? engine.program.buffer(rows * strips * code.bytes) : undefined;
  const { c, helpers, neutral, join } = code;
  const more = code.parameters.map((parameter) => `, ${parameter}`).join('');
  const joins = `${helpers}static ${c} scan_join(${c} a, ${c} b) { return ${join}; }\n`;
  const begin = `  uint s = get_global_id(0), r = get_global_id(1);
  if (s >= strips) return;
  uint k = s * strip, end = min(k + strip, length);
  uint start = ${isTight ? 'r * length' : 'r / inner * length * inner + r % inner'};
`;
  const sizes = [length, inner, strips, strip] as const;
  const parameters = `uint length, uint inner, uint strips, uint strip${more}`;
  const together = strips === 1 ? 1 : engine.isGpu ? 64 : stripsOfGroup;
  const launched = {
    global: [roundUp(strips, together), rows],
    ...(strips > 1 && !engine.isGpu ? { local: [together, 1] } : {}),
  };
  try {
    if (sums) {
      await engine.launch(
        `${joins}kernel void strips_of(global ${c} *sums, ${parameters}) {
${begin}  ${c} item = ${neutral};
${reduction(code, isTight)}  sums[r * strips + s] = item;
}
`,
        launched,
        [sums, ...sizes, ...code.arguments],
      );
      if (!isFew)
        await engine.launch(
          `${joins}kernel void starts_of(global ${c} *sums, uint rows, ${parameters}) {
  uint r = get_global_id(0);
  if (r >= rows) return;
  ${c} item = ${neutral};
  for (uint s = 0; s < strips; s++) {
    ${c} sum = sums[r * strips + s];
    sums[r * strips + s] = item;
    item = scan_join(item, sum);
  }
}
`,
          { global: [rows] },
          [sums, rows, ...sizes, ...code.arguments],
        );
    }
    await engine.launch(
      `${joins}kernel void scan(${sums ? `global const ${c} *sums, ` : ''}${parameters}) {
${begin}  ${c} item = ${sums && !isFew ? 'sums[r * strips + s]' : neutral};
${sums && isFew ? '  for (uint t = 0; t < s; t++) item = scan_join(item, sums[r * strips + t]);\n' : ''}${scanning(code, isTight)}}
`,
      launched,
      [...(sums ? [sums] : []), ...sizes, ...code.arguments],
    );
  } finally {
    sums?.release();
  }
}
