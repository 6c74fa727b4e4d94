// Reads a baseline JPEG file up to its coefficients: the marker segments, then the code words of the scan, which only make sense one after
// another. What comes of it is what the kernels take.
import { type CodeTable, zigzag } from './tables.ts';

/** A file that is no JPEG, one that is damaged, or one of a kind that is not read here. */
export class JpegError extends Error {
  override name = 'JpegError';
}

/** One component: luminance, or one of the two differences of colour. */
export interface JpegComponent {
  /** Blocks of it in a unit of the scan, across and down. */
  readonly across: number;
  readonly down: number;
  /** Steps of the coefficients, row by row. */
  readonly quantisation: Uint16Array;
  readonly blocksWide: number;
  readonly blocksHigh: number;
  /** 64 for a block, row by row, before they are multiplied by their steps. */
  readonly coefficients: Int16Array;
}

export interface JpegFile {
  readonly width: number;
  readonly height: number;
  readonly components: readonly JpegComponent[];
  /** Units of the scan between two restart markers; 0 for none. */
  readonly restartInterval: number;
}

/** More pixels than this are taken for damage. */
const mostPixels = 1 << 28;

interface FrameComponent {
  readonly id: number;
  readonly across: number;
  readonly down: number;
  readonly table: number;
}

/** @throws JpegError */
export function readJpeg(bytes: Uint8Array): JpegFile {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw new JpegError('it does not begin as a JPEG file does');
  const quantisation = new Map<number, Uint16Array>();
  const codes = new Map<number, Decoder>();
  let frame: { width: number; height: number; components: FrameComponent[] } | undefined;
  let restartInterval = 0;
  let at = 2;
  for (;;) {
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at++;
    const marker = bytes[at + 1];
    if (bytes[at] !== 0xff || marker === undefined) throw new JpegError(`there is no marker at byte ${at}`);
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    if (marker === 0xd9) throw new JpegError('it ends before its scan');
    if (length < 2 || at + 2 + length > bytes.length)
      throw new JpegError(`the segment at byte ${at} goes beyond the end of the file`);
    const segment = bytes.subarray(at + 4, at + 2 + length);
    at += 2 + length;
    if (marker === 0xdb) readQuantisation(segment, quantisation);
    else if (marker === 0xc4) readCodes(segment, codes);
    else if (marker === 0xdd) restartInterval = wordAt(segment, 0);
    else if (marker === 0xc0 || marker === 0xc1) frame = readFrame(segment);
    else if (marker === 0xc2) throw new JpegError('it is progressive: only baseline JPEG is read here');
    else if (marker > 0xc2 && marker < 0xd0 && marker !== 0xc8 && marker !== 0xcc)
      throw new JpegError(`it is of a kind (SOF${marker - 0xc0}) that is not baseline JPEG`);
    else if (marker === 0xcc)
      throw new JpegError('it has arithmetic codes: only Huffman codes are read here');
    else if (marker === 0xda) {
      if (!frame) throw new JpegError('its scan comes before its size');
      const components = frame.components.map((component) => planeOf(component, frame!, quantisation));
      const tables = readScan(segment, frame.components, codes);
      decodeScan(bytes, at, { ...frame, planes: components, tables, restartInterval });
      return { width: frame.width, height: frame.height, components, restartInterval };
    }
  }
}

function wordAt(segment: Uint8Array, at: number): number {
  if (at + 1 >= segment.length) throw new JpegError('a segment is too short');
  return (segment[at]! << 8) | segment[at + 1]!;
}

function readQuantisation(segment: Uint8Array, tables: Map<number, Uint16Array>): void {
  for (let at = 0; at < segment.length; ) {
    const head = segment[at++]!;
    const isWide = head >> 4 !== 0;
    if (at + (isWide ? 128 : 64) > segment.length) throw new JpegError('a quantisation table is too short');
    const table = new Uint16Array(64);
    for (const place of zigzag) {
      table[place] = isWide ? wordAt(segment, at) : segment[at]!;
      at += isWide ? 2 : 1;
    }
    tables.set(head & 15, table);
  }
}

/** Code words by their values: those of a length follow each other. */
interface Decoder {
  /** For each length from 1: the first code, how many there are, where their symbols begin. */
  readonly first: readonly number[];
  readonly table: CodeTable;
  readonly starts: readonly number[];
}

function readCodes(segment: Uint8Array, codes: Map<number, Decoder>): void {
  for (let at = 0; at < segment.length; ) {
    const kind = segment[at]!;
    const counts = [...segment.subarray(at + 1, at + 17)];
    const count = counts.reduce((sum, one) => sum + one, 0);
    if (counts.length < 16 || at + 17 + count > segment.length)
      throw new JpegError('a table of code words is too short');
    const symbols = [...segment.subarray(at + 17, at + 17 + count)];
    const [first, starts]: [number[], number[]] = [[], []];
    let [code, start] = [0, 0];
    for (const [index, ofLength] of counts.entries()) {
      first.push(code);
      starts.push(start);
      code = (code + ofLength) * 2;
      start += ofLength;
      if (code > 2 ** (index + 2)) throw new JpegError('a table has more code words than there can be');
    }
    codes.set(kind, { first, starts, table: { counts, symbols } });
    at += 17 + count;
  }
}

function readFrame(segment: Uint8Array): { width: number; height: number; components: FrameComponent[] } {
  if (segment[0] !== 8) throw new JpegError(`it has ${segment[0]} bits a sample: only 8 are read here`);
  const [height, width] = [wordAt(segment, 1), wordAt(segment, 3)];
  const count = segment[5]!;
  if (width === 0 || height === 0 || width * height > mostPixels)
    throw new JpegError(`${width} x ${height} pixels`);
  if (count !== 1 && count !== 3)
    throw new JpegError(`it has ${count} components: grey or three are read here`);
  if (segment.length < 6 + 3 * count) throw new JpegError('a segment is too short');
  const components = Array.from({ length: count }, (_, index): FrameComponent => {
    const [id = 0, factors = 0, table = 0] = segment.subarray(6 + 3 * index, 9 + 3 * index);
    const [across, down] = [factors >> 4, factors & 15];
    if (across < 1 || across > 4 || down < 1 || down > 4)
      throw new JpegError(`sampling by ${across} x ${down}`);
    // A scan of one component goes block by block, whatever its factors say.
    return count === 1 ? { id, across: 1, down: 1, table } : { id, across, down, table };
  });
  return { width, height, components };
}

function planeOf(
  { across, down, table }: FrameComponent,
  { width, height, components }: { width: number; height: number; components: readonly FrameComponent[] },
  tables: ReadonlyMap<number, Uint16Array>,
): JpegComponent {
  const quantisation = tables.get(table);
  if (!quantisation) throw new JpegError(`there is no quantisation table ${table}`);
  const most = (of: 'across' | 'down'): number => Math.max(...components.map((one) => one[of]));
  if (most('across') % across !== 0 || most('down') % down !== 0)
    throw new JpegError('components whose samples do not fit into each other');
  const blocksWide = Math.ceil(width / (8 * most('across'))) * across;
  const blocksHigh = Math.ceil(height / (8 * most('down'))) * down;
  const coefficients = new Int16Array(blocksWide * blocksHigh * 64);
  return { across, down, quantisation, blocksWide, blocksHigh, coefficients };
}

interface ScanTables {
  readonly dc: Decoder;
  readonly ac: Decoder;
}

/** The code tables of each component. */
function readScan(
  segment: Uint8Array,
  components: readonly FrameComponent[],
  codes: ReadonlyMap<number, Decoder>,
): readonly ScanTables[] {
  if (segment[0] !== components.length)
    throw new JpegError('its components are in scans of their own: one scan is read here');
  return components.map(({ id }, index) => {
    const [own, tables = 0] = segment.subarray(1 + 2 * index, 3 + 2 * index);
    if (own !== id) throw new JpegError('the scan names other components than the frame');
    const [dc, ac] = [codes.get(tables >> 4), codes.get(16 + (tables & 15))];
    if (!dc || !ac) throw new JpegError('the scan names code tables that are not there');
    return { dc, ac };
  });
}

interface Scan {
  readonly width: number;
  readonly height: number;
  readonly planes: readonly JpegComponent[];
  readonly tables: readonly ScanTables[];
  readonly restartInterval: number;
}

function decodeScan(bytes: Uint8Array, start: number, { planes, tables, restartInterval }: Scan): void {
  const bits = new BitReader(bytes, start);
  const [first] = planes as readonly [JpegComponent];
  const unitsWide = first.blocksWide / first.across;
  const units = unitsWide * (first.blocksHigh / first.down);
  const before = planes.map(() => 0);
  for (let unit = 0; unit < units; unit++) {
    if (restartInterval > 0 && unit > 0 && unit % restartInterval === 0) {
      bits.restart(unit / restartInterval - 1);
      before.fill(0);
    }
    const [column, row] = [unit % unitsWide, Math.floor(unit / unitsWide)];
    for (const [index, { across, down, blocksWide, coefficients }] of planes.entries()) {
      for (let block = 0; block < across * down; block++) {
        const x = column * across + (block % across);
        const y = row * down + Math.floor(block / across);
        const at = (y * blocksWide + x) * 64;
        before[index]! += decodeBlock(bits, tables[index]!, coefficients, at);
        coefficients[at] = before[index]!;
      }
    }
  }
}

/** Sets all coefficients of a block but the first, of which it gives the difference to that of the block before. */
function decodeBlock(bits: BitReader, { dc, ac }: ScanTables, to: Int16Array, at: number): number {
  const size = bits.symbol(dc);
  if (size > 11) throw new JpegError(`a coefficient of ${size} bits, ${bits.where}`);
  const difference = bits.signed(size);
  for (let place = 1; place < 64; place++) {
    const symbol = bits.symbol(ac);
    const [run, length] = [symbol >> 4, symbol & 15];
    if (length === 0 && run < 15) break;
    place += run;
    if (length === 0) continue;
    if (place > 63) throw new JpegError(`a block of more than 64 coefficients, ${bits.where}`);
    to[at + zigzag[place]!] = bits.signed(length);
  }
  return difference;
}

/** The bits of a scan, in which 00 follows each byte FF that is no marker. */
class BitReader {
  readonly #bytes: Uint8Array;
  #at: number;
  #bits = 0;
  #count = 0;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get where(): string {
    return `before byte ${this.#at}`;
  }

  #bit(): number {
    if (this.#count === 0) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new JpegError('it ends in the middle of its scan');
      if (byte === 0xff && this.#bytes[this.#at + 1] !== 0)
        throw new JpegError(`a marker in the middle of the scan, at byte ${this.#at}`);
      this.#at += byte === 0xff ? 2 : 1;
      this.#bits = byte;
      this.#count = 8;
    }
    this.#count--;
    return (this.#bits >> this.#count) & 1;
  }

  symbol({ first, starts, table: { counts, symbols } }: Decoder): number {
    let code = 0;
    for (let length = 0; length < 16; length++) {
      code = code * 2 + this.#bit();
      const place = code - first[length]!;
      if (place >= 0 && place < counts[length]!) return symbols[starts[length]! + place]!;
    }
    throw new JpegError(`bits that are no code word, ${this.where}`);
  }

  /** A number of so many bits: a first bit of 0 says that it is negative. */
  signed(size: number): number {
    let value = 0;
    for (let bit = 0; bit < size; bit++) value = value * 2 + this.#bit();
    return size > 0 && value < 2 ** (size - 1) ? value - 2 ** size + 1 : value;
  }

  /** Goes behind the restart marker that must stand here. */
  restart(index: number): void {
    this.#count = 0;
    while (this.#bytes[this.#at] === 0xff && this.#bytes[this.#at + 1] === 0xff) this.#at++;
    const [byte, marker] = [this.#bytes[this.#at], this.#bytes[this.#at + 1]];
    if (byte !== 0xff || marker !== 0xd0 + (index % 8))
      throw new JpegError(`no restart marker ${index % 8} at byte ${this.#at}`);
    this.#at += 2;
  }
}
