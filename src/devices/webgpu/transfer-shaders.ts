/**
 * Copies and fills between buffers as shaders: what lies in one buffer of WebGPU cannot be copied within it. A work-item has one word of the target,
 * so that no two write parts of one. Each shader is there twice: for a source in the same buffer of WebGPU, and in another one.
 */
import { groupText, launchWords } from '../../codegen/wgsl/write-wgsl.ts';
import { type Range, rangeAt } from '../icd/memory-access.ts';
import { copyPayload, fillPayload, operation, rectanglePayload, wideAt } from '../icd/native-layout.ts';
import type { GpuKernelCode } from './gpu-layout.ts';

const head = (
  vectors: number,
): string => `@group(0) @binding(1) var<uniform> arguments: array<vec4<u32>, ${vectors}>;
@group(1) @binding(0) var<storage, read_write> memory: array<u32>;
override size_x: u32 = 64u;
override size_y: u32 = 1u;
override size_z: u32 = 1u;
`;
const entry = `@compute @workgroup_size(size_x, size_y, size_z)
fn transfer(@builtin(local_invocation_id) local_id: vec3<u32>, @builtin(workgroup_id) group_id: vec3<u32>) {
  let id = (${groupText('group_id')}) * vec3<u32>(64u, 1u, 1u) + local_id;
`;

/** Words: where they come from and go to, their pitches. */
const rectangle = `${head(7)}
${entry}  let origin = arguments[5].x + id.y * arguments[5].y + id.z * arguments[5].z;
  let to = arguments[6].x + id.y * arguments[6].y + id.z * arguments[6].z;
  if (id.x < arguments[5].w) {
    memory[to + id.x] = source[origin + id.x];
  }
}
`;

/**
 * Bytes, `arguments[5].y` of them from `arguments[5].x` on. Of WGSL are the place that a byte at `at_byte` of these comes from, and the word
 * that has the byte at `place`.
 */
const byBytes = (vectors: number, place: string, wordAtPlace: string): string => `${head(vectors)}
${entry}  let to = arguments[5].x;
  let end = to + arguments[5].y;
  let first = ((to >> 2u) + id.x) << 2u;
  if (first >= end) {
    return;
  }
  var word = 0u;
  var mask = 0u;
  for (var at = 0u; at < 4u; at += 1u) {
    let target_at = first + at;
    if (target_at >= to && target_at < end) {
      let at_byte = target_at - to;
      let place = ${place};
      word |= ((${wordAtPlace} >> ((place & 3u) * 8u)) & 0xffu) << (at * 8u);
      mask |= 0xffu << (at * 8u);
    }
  }
  memory[first >> 2u] = (memory[first >> 2u] & ~mask) | word;
}
`;

/** Bytes from anywhere to anywhere. */
const bytes = byBytes(6, 'arguments[5].z + at_byte', 'source[place >> 2u]');

/** A pattern, whose length is a power of two, again and again. */
const fill = byBytes(
  14,
  'at_byte & (arguments[5].z - 1u)',
  'arguments[6u + (place >> 4u)][(place >> 2u) & 3u]',
);

/** The numbers of the shaders in their program, within one buffer; those between two follow. */
const transferKernel = { rectangle: 0, bytes: 1, fill: 2 } as const;

const named = [
  { name: 'copy of a rectangle', code: rectangle, vectors: 7 },
  { name: 'copy', code: bytes, vectors: 6 },
  { name: 'fill', code: fill, vectors: 14 },
];
const twoBuffers = [
  { argument: 0, align: 4, isWritten: true },
  { argument: 1, align: 4, isWritten: false },
];

/** The program of these shaders. */
export const transferShaders: readonly GpuKernelCode[] = [false, true].flatMap((isAmong) =>
  named.map(({ name, code, vectors }) => ({
    name,
    code: isAmong
      ? `@group(1) @binding(1) var<storage, read> source: array<u32>;\n${code}`
      : code.replaceAll('source[', 'memory['),
    entry: 'transfer',
    arguments: [],
    blockWords: vectors * 4,
    localBytes: 0,
    collectiveBytes: 0,
    hasLocal: false,
    bindings: { memory: true, printed: false },
    ...(isAmong ? { buffers: twoBuffers } : {}),
  })),
);

/** A transfer on the device. */
export interface Transfer {
  /** Number of the shader. */
  readonly shader: number;
  /** Its addresses are the context's. */
  readonly block: Uint32Array;
  /** Work-items; groups have 64. */
  readonly global: readonly [number, number, number];
  readonly source: Range | undefined;
  readonly target: Range;
  /** There are bytes between the rows of the target, which stay as they are. */
  readonly hasGaps?: boolean;
}

/** Of each shader, which words behind {@link launchWords}.arguments say where source and target are, and in what unit. */
const addressWords: readonly { readonly source?: number; readonly target: number; readonly unit: number }[] =
  [
    { source: 0, target: 4, unit: 4 },
    { source: 2, target: 0, unit: 1 },
    { target: 0, unit: 1 },
  ];

/** The block of a transfer between buffers that begin at these addresses of the context. */
export function blockBetween(
  { shader, block }: Transfer,
  sourceBase: number,
  targetBase: number,
): Uint32Array {
  const { source, target, unit } = addressWords[shader]!;
  const moved = block.slice();
  if (source !== undefined) moved[launchWords.arguments + source]! -= sourceBase / unit;
  moved[launchWords.arguments + target]! -= targetBase / unit;
  return moved;
}

/** Says how a copy, a copy of a rectangle or a fill is made on the device. Undefined where it cannot be. */
export function transferOf(payload: Int32Array): Transfer | undefined {
  switch (payload[0]) {
    case operation.copy:
      return copyOf(payload);
    case operation.copyRectangle:
      return rectangleOf(payload);
    default:
      return fillOf(payload);
  }
}

/** Undefined for memory that is the host's only. */
function made(transfer: Transfer, words: readonly number[]): Transfer | undefined {
  if (transfer.target.id === 0 || transfer.source?.id === 0) return undefined;
  transfer.block.set(words, launchWords.arguments);
  return transfer;
}

function copyOf(payload: Int32Array): Transfer | undefined {
  const source = rangeAt(payload, copyPayload.source);
  const target = rangeAt(payload, copyPayload.target);
  const size = wideAt(payload, copyPayload.bytes);
  const [from, to] = [source.address + source.offset, target.address + target.offset];
  const ranges = { source, target };
  if ((from | to | size) % 4 === 0) {
    const block = new Uint32Array(28);
    const words = size / 4;
    const global = [words, 1, 1] as const;
    return made({ shader: transferKernel.rectangle, block, global, ...ranges }, [
      from / 4,
      0,
      0,
      words,
      to / 4,
    ]);
  }
  const items = Math.ceil((to + size) / 4) - Math.floor(to / 4);
  const transfer = {
    shader: transferKernel.bytes,
    block: new Uint32Array(24),
    global: [items, 1, 1] as const,
  };
  return made({ ...transfer, ...ranges }, [to, size, from]);
}

/** Rows of whole words only: words at the ends of rows might be those of two. */
function rectangleOf(payload: Int32Array): Transfer | undefined {
  const source = rangeAt(payload, rectanglePayload.source);
  const target = rangeAt(payload, rectanglePayload.target);
  const numbers = Array.from({ length: 7 }, (_, index) =>
    wideAt(payload, rectanglePayload.numbers + 2 * index),
  );
  const [rowFrom, sliceFrom, rowTo, sliceTo, width, height, depth] = numbers as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [from, to] = [source.address + source.offset, target.address + target.offset];
  if ([from, to, rowFrom, sliceFrom, rowTo, sliceTo, width].some((each) => each % 4 !== 0)) return undefined;
  const words = [from, rowFrom, sliceFrom, width, to, rowTo, sliceTo].map((each) => each / 4);
  const global = [width / 4, height, depth] as const;
  const hasGaps = width * height * depth < target.size;
  return made(
    { shader: transferKernel.rectangle, block: new Uint32Array(28), global, source, target, hasGaps },
    words,
  );
}

function fillOf(payload: Int32Array): Transfer | undefined {
  const target = rangeAt(payload, fillPayload.target);
  const size = wideAt(payload, fillPayload.bytes);
  const length = payload[fillPayload.patternBytes]!;
  if ((length & (length - 1)) !== 0 || length > 128) return undefined;
  const to = target.address + target.offset;
  const items = Math.ceil((to + size) / 4) - Math.floor(to / 4);
  const block = new Uint32Array(56);
  const pattern = new Uint8Array(payload.buffer, payload.byteOffset + fillPayload.pattern * 4, length);
  new Uint8Array(block.buffer).set(pattern, (launchWords.arguments + 4) * 4);
  return made({ shader: transferKernel.fill, block, global: [items, 1, 1], source: undefined, target }, [
    to,
    size,
    length,
  ]);
}
