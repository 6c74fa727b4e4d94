// Writes a baseline JPEG file from quantised coefficients: JFIF's header, the tables, the scan in the code words of annex K.
import type { JpegFile } from './read-file.ts';
import { type CodeTable, standardCodes, zigzag } from './tables.ts';

/** The bytes of the file. Components are luminance and, if there are three, the differences to blue and red. */
export function writeJpeg({ width, height, components, restartInterval }: JpegFile): Uint8Array {
  const out: number[] = [0xff, 0xd8];
  const segment = (marker: number, ...content: readonly number[]): void => {
    const length = content.length + 2;
    out.push(0xff, marker, length >> 8, length & 255, ...content);
  };
  const word = (value: number): number[] => [value >> 8, value & 255];
  // "JFIF", version 1.1, no density, no thumbnail.
  segment(0xe0, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0);
  const kinds = components.length === 1 ? [0] : [0, 1];
  for (const kind of kinds)
    segment(0xdb, kind, ...zigzag.map((place) => components[kind]!.quantisation[place]!));
  const frame = components.flatMap(({ across, down }, index) => [index + 1, across * 16 + down, index && 1]);
  segment(0xc0, 8, ...word(height), ...word(width), components.length, ...frame);
  for (const kind of kinds) {
    for (const [place, tables] of [standardCodes.dc, standardCodes.ac].entries())
      segment(0xc4, place * 16 + kind, ...tables[kind]!.counts, ...tables[kind]!.symbols);
  }
  if (restartInterval > 0) segment(0xdd, ...word(restartInterval));
  const scan = components.flatMap((_, index) => [index + 1, index === 0 ? 0 : 0x11]);
  segment(0xda, components.length, ...scan, 0, 63, 0);
  const bits = new BitWriter(out);
  encodeScan(bits, components, restartInterval);
  bits.end();
  out.push(0xff, 0xd9);
  return Uint8Array.from(out);
}

function encodeScan(bits: BitWriter, components: JpegFile['components'], restartInterval: number): void {
  const [first] = components as readonly [JpegFile['components'][number]];
  const unitsWide = first.blocksWide / first.across;
  const units = unitsWide * (first.blocksHigh / first.down);
  const codes = [0, 1].map((kind) => ({
    dc: codesOf(standardCodes.dc[kind]!),
    ac: codesOf(standardCodes.ac[kind]!),
  }));
  const before = components.map(() => 0);
  for (let unit = 0; unit < units; unit++) {
    if (restartInterval > 0 && unit > 0 && unit % restartInterval === 0) {
      bits.restart(unit / restartInterval - 1);
      before.fill(0);
    }
    const [column, row] = [unit % unitsWide, Math.floor(unit / unitsWide)];
    for (const [index, { across, down, blocksWide, coefficients }] of components.entries()) {
      for (let block = 0; block < across * down; block++) {
        const x = column * across + (block % across);
        const y = row * down + Math.floor(block / across);
        const at = (y * blocksWide + x) * 64;
        const { dc, ac } = codes[index === 0 ? 0 : 1]!;
        bits.number(dc, 0, coefficients[at]! - before[index]!);
        before[index] = coefficients[at]!;
        encodeRuns(bits, ac, coefficients, at);
      }
    }
  }
}

/** All coefficients of a block but the first: each that is not 0 with the number of zeros before it. */
function encodeRuns(bits: BitWriter, codes: Codes, coefficients: Int16Array, at: number): void {
  let run = 0;
  for (let place = 1; place < 64; place++) {
    const value = coefficients[at + zigzag[place]!]!;
    if (value === 0) {
      run++;
      continue;
    }
    for (; run > 15; run -= 16) bits.symbol(codes, 0xf0);
    bits.number(codes, run, value);
    run = 0;
  }
  if (run > 0) bits.symbol(codes, 0);
}

/** The code word of each symbol. */
type Codes = ReadonlyMap<number, { readonly code: number; readonly length: number }>;

function codesOf({ counts, symbols }: CodeTable): Codes {
  const codes = new Map<number, { code: number; length: number }>();
  let [code, next] = [0, 0];
  for (const [index, count] of counts.entries()) {
    for (let i = 0; i < count; i++) codes.set(symbols[next++]!, { code: code++, length: index + 1 });
    code *= 2;
  }
  return codes;
}

class BitWriter {
  readonly #out: number[];
  #bits = 0;
  #count = 0;

  constructor(out: number[]) {
    this.#out = out;
  }

  #put(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit--) {
      this.#bits = this.#bits * 2 + ((value >> bit) & 1);
      this.#count++;
      if (this.#count < 8) continue;
      this.#out.push(this.#bits);
      // So that it is no marker.
      if (this.#bits === 0xff) this.#out.push(0);
      this.#bits = 0;
      this.#count = 0;
    }
  }

  symbol(codes: Codes, symbol: number): void {
    const { code, length } = codes.get(symbol)!;
    this.#put(code, length);
  }

  /** A symbol of a run and the size of a number, and then the number; a negative one has 1 taken off. */
  number(codes: Codes, run: number, value: number): void {
    const size = 32 - Math.clz32(Math.abs(value));
    this.symbol(codes, run * 16 + size);
    this.#put(value < 0 ? value - 1 : value, size);
  }

  /** Fills the last byte with ones. */
  end(): void {
    if (this.#count > 0) this.#put(0xff, 8 - this.#count);
  }

  restart(index: number): void {
    this.end();
    this.#out.push(0xff, 0xd0 + (index % 8));
  }
}
