// The tables of JPEG (ITU-T T.81): the order of coefficients, and what its annex K proposes for quantisation and for code words.

/** The place in a block, row by row, of each coefficient in the order in which files have them. */
export const zigzag: readonly number[] = makeZigzag();

/** Along the diagonals, by turns up and down. */
function makeZigzag(): number[] {
  const order: number[] = [];
  for (let diagonal = 0; diagonal < 15; diagonal++) {
    const cells = Array.from({ length: 8 }, (_, row) => [row, diagonal - row] as const).filter(
      ([, column]) => column >= 0 && column < 8,
    );
    if (diagonal % 2 === 0) cells.reverse();
    for (const [row, column] of cells) order.push(row * 8 + column);
  }
  return order;
}

/** How coarse coefficients may be at quality 50, row by row (K.1, K.2). */
const lumaSteps = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22,
  29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103,
  121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
];
const chromaSteps = [
  17,
  18,
  24,
  47,
  99,
  99,
  99,
  99,
  18,
  21,
  26,
  66,
  99,
  99,
  99,
  99,
  24,
  26,
  56,
  99,
  99,
  99,
  99,
  99,
  47,
  66,
  99,
  99,
  99,
  99,
  99,
  99,
  ...new Array<number>(32).fill(99),
];

/** The two tables for a quality from 1 to 100, by the rule of the Independent JPEG Group. */
export function quantisationFor(quality: number): readonly [luma: Uint16Array, chroma: Uint16Array] {
  const percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  const scaled = (steps: readonly number[]): Uint16Array =>
    Uint16Array.from(steps, (step) => Math.min(255, Math.max(1, Math.floor((step * percent + 50) / 100))));
  return [scaled(lumaSteps), scaled(chromaSteps)];
}

/** Code words as files have them: how many of each length from 1 to 16, and their symbols in order. */
export interface CodeTable {
  readonly counts: readonly number[];
  readonly symbols: readonly number[];
}

/** Symbols of AC codes: the run of zeros in the upper four bits, the size of the number in the lower ones. */
const lumaAcSymbols =
  '01 02 03 00 04 11 05 12 21 31 41 06 13 51 61 07 22 71 14 32 81 91 a1 08 23 42 b1 c1 15 52 d1 f0 24 33 62 72 82 09 0a ' +
  '16 17 18 19 1a 25 26 27 28 29 2a 34 35 36 37 38 39 3a 43 44 45 46 47 48 49 4a 53 54 55 56 57 58 59 5a 63 64 65 66 67 ' +
  '68 69 6a 73 74 75 76 77 78 79 7a 83 84 85 86 87 88 89 8a 92 93 94 95 96 97 98 99 9a a2 a3 a4 a5 a6 a7 a8 a9 aa b2 b3 ' +
  'b4 b5 b6 b7 b8 b9 ba c2 c3 c4 c5 c6 c7 c8 c9 ca d2 d3 d4 d5 d6 d7 d8 d9 da e1 e2 e3 e4 e5 e6 e7 e8 e9 ea f1 f2 f3 f4 ' +
  'f5 f6 f7 f8 f9 fa';
const chromaAcSymbols =
  '00 01 02 03 11 04 05 21 31 06 12 41 51 07 61 71 13 22 32 81 08 14 42 91 a1 b1 c1 09 23 33 52 f0 15 62 72 d1 0a 16 24 ' +
  '34 e1 25 f1 17 18 19 1a 26 27 28 29 2a 35 36 37 38 39 3a 43 44 45 46 47 48 49 4a 53 54 55 56 57 58 59 5a 63 64 65 66 ' +
  '67 68 69 6a 73 74 75 76 77 78 79 7a 82 83 84 85 86 87 88 89 8a 92 93 94 95 96 97 98 99 9a a2 a3 a4 a5 a6 a7 a8 a9 aa ' +
  'b2 b3 b4 b5 b6 b7 b8 b9 ba c2 c3 c4 c5 c6 c7 c8 c9 ca d2 d3 d4 d5 d6 d7 d8 d9 da e2 e3 e4 e5 e6 e7 e8 e9 ea f2 f3 f4 ' +
  'f5 f6 f7 f8 f9 fa';

const bytesOf = (text: string): number[] => text.split(' ').map((byte) => Number.parseInt(byte, 16));
const sizes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

/** Annex K.3's tables: of DC and AC coefficients, for luminance and for the two differences of colour. */
export const standardCodes: Readonly<Record<'dc' | 'ac', readonly [luma: CodeTable, chroma: CodeTable]>> = {
  dc: [
    { counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], symbols: sizes },
    { counts: [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], symbols: sizes },
  ],
  ac: [
    { counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125], symbols: bytesOf(lumaAcSymbols) },
    { counts: [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119], symbols: bytesOf(chromaAcSymbols) },
  ],
};
