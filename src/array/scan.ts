/**
 * Scans: each element becomes what it gives with all before it, along an axis. Long rows are cut into strips: the first launch reduces each
 * strip, the second scans what they gave, the third scans the strips from there. The operation must be associative, and need not be
 * commutative.
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
const mostStrips = 1024;

export async function scan(engine: Engine, code: ScanCode, { outer, length, inner }: Along): Promise<void> {
  const rows = outer * inner;
  if (rows * length === 0) return;
  const strips = rows >= 256 ? 1 : Math.min(mostStrips, Math.ceil(length / shortest));
  const strip = Math.ceil(length / strips);
  const sums: DeviceBuffer | undefined =
    strips > 1 ? engine.program.buffer(rows * strips * code.bytes) : undefined;
  const { c, helpers, neutral, join, statements, value, output } = code;
  const more = code.parameters.map((parameter) => `, ${parameter}`).join('');
  const joins = `${helpers}static ${c} scan_join(${c} a, ${c} b) { return ${join}; }\n`;
  const begin = `  uint s = get_global_id(0), r = get_global_id(1);
  if (s >= strips) return;
  uint first = s * strip, end = min(first + strip, length);
  uint start = r / inner * length * inner + r % inner;
`;
  const sizes = [length, inner, strips, strip] as const;
  const parameters = `uint length, uint inner, uint strips, uint strip${more}`;
  const range = { global: [roundUp(strips, strips > 1 ? 64 : 1), rows] };
  try {
    if (sums) {
      await engine.launch(
        `${joins}kernel void strips_of(global ${c} *sums, ${parameters}) {
${begin}  ${c} item = ${neutral};
  for (uint k = first; k < end; k++) {
    uint i = start + k * inner;
${statements}    item = scan_join(item, ${value});
  }
  sums[r * strips + s] = item;
}
`,
        range,
        [sums, ...sizes, ...code.arguments],
      );
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
${begin}  ${c} item = ${sums ? 'sums[r * strips + s]' : neutral};
  for (uint k = first; k < end; k++) {
    uint i = start + k * inner;
${statements}    ${c} prev_item = item;
    item = scan_join(item, ${value});
    ${output}
  }
}
`,
      range,
      [...(sums ? [sums] : []), ...sizes, ...code.arguments],
    );
  } finally {
    sums?.release();
  }
}
