/**
 * Prints a WebAssembly module as text. It reads the finished bytes and nothing else, so what it shows is what runs. The
 * text is WebAssembly's linear text format, with the names of the name section.
 */
import { immediateOf, nameOfOpcode } from './opcodes.ts';

/** The text of a module that `encoder.ts` wrote; throws on bytes that are no such module. */
export function listModule(bytes: Uint8Array): string {
  return new Listing(bytes).print();
}

interface FunctionText {
  readonly type: number;
  readonly bodyStart: number;
  readonly bodyEnd: number;
}

const valueTypes: Readonly<Record<number, string>> = {
  127: 'i32',
  126: 'i64',
  125: 'f32',
  124: 'f64',
  123: 'v128',
};

class Listing {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  /** How many functions are imported; the others are numbered after them. */
  #importedFunctions = 0;
  readonly #types: { parameters: string[]; results: string[] }[] = [];
  readonly #functionTypes: number[] = [];
  readonly #functions: FunctionText[] = [];
  readonly #exports = new Map<number, string>();
  readonly #functionNames = new Map<number, string>();
  readonly #localNames = new Map<number, Map<number, string>>();
  readonly #lines: string[] = [];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  print(): string {
    this.#lines.push('(module');
    this.#at = 8;
    while (this.#at < this.#bytes.length) {
      const id = this.#byte();
      const end = this.#u32() + this.#at;
      if (id === 1) this.#readTypes();
      else if (id === 2) this.#printImports();
      else if (id === 3) this.#readList(() => this.#functionTypes.push(this.#u32()));
      else if (id === 7) this.#readExports();
      else if (id === 10) this.#readCode();
      else if (id === 0) this.#readNames(end);
      this.#at = end;
    }
    this.#functions.forEach((one, index) => {
      this.#printFunction(one, this.#importedFunctions + index);
    });
    this.#lines.push(')');
    return `${this.#lines.join('\n')}\n`;
  }

  // ------------------------------------------------------------------------------------------- sections

  #readList(read: () => void): void {
    const count = this.#u32();
    for (let i = 0; i < count; i++) read();
  }

  #readTypes(): void {
    this.#readList(() => {
      this.#byte();
      const parameters: string[] = [];
      const results: string[] = [];
      this.#readList(() => parameters.push(this.#valueType()));
      this.#readList(() => results.push(this.#valueType()));
      this.#types.push({ parameters, results });
    });
  }

  #printImports(): void {
    this.#readList(() => {
      const place = `(import "${this.#name()}" "${this.#name()}"`;
      const kind = this.#byte();
      if (kind === 2) {
        const flags = this.#byte();
        const least = this.#u32();
        const most = flags & 1 ? ` ${this.#u32()}` : '';
        this.#lines.push(`  ${place} (memory ${least}${most}${flags & 2 ? ' shared' : ''}))`);
      } else if (kind === 0) {
        this.#importedFunctions += 1;
        this.#lines.push(`  ${place} (func (type ${this.#u32()})))`);
      } else {
        this.#lines.push(`  ${place} (global $constants ${this.#valueType()}))`);
        this.#byte();
      }
    });
  }

  #readExports(): void {
    this.#readList(() => {
      const name = this.#name();
      const kind = this.#byte();
      const index = this.#u32();
      if (kind === 0) this.#exports.set(index, name);
    });
  }

  #readCode(): void {
    let index = 0;
    this.#readList(() => {
      const size = this.#u32();
      const bodyStart = this.#at;
      const bodyEnd = bodyStart + size;
      this.#functions.push({ type: this.#functionTypes[index++] ?? 0, bodyStart, bodyEnd });
      this.#at = bodyEnd;
    });
  }

  #readNames(end: number): void {
    if (this.#name() !== 'name') return;
    while (this.#at < end) {
      const id = this.#byte();
      const after = this.#u32() + this.#at;
      if (id === 1) {
        this.#readList(() => {
          const index = this.#u32();
          this.#functionNames.set(index, this.#name());
        });
      } else if (id === 2) {
        this.#readList(() => {
          const names = new Map<number, string>();
          this.#localNames.set(this.#u32(), names);
          this.#readList(() => {
            const local = this.#u32();
            names.set(local, this.#name());
          });
        });
      }
      this.#at = after;
    }
  }

  // ------------------------------------------------------------------------------------------ functions

  #printFunction(one: FunctionText, index: number): void {
    const type = this.#types[one.type]!;
    const locals = uniqueNames(this.#localNames.get(index) ?? new Map());
    const local = (at: number): string => `$${locals.get(at) ?? at}`;
    const exported = this.#exports.get(index);
    let head = `  (func ${this.#functionName(index)}`;
    if (exported !== undefined) head += ` (export "${exported}")`;
    type.parameters.forEach((parameter, at) => {
      head += ` (param ${local(at)} ${parameter})`;
    });
    if (type.results.length > 0) head += ` (result ${type.results.join(' ')})`;
    this.#lines.push(head);
    this.#at = one.bodyStart;
    let next = type.parameters.length;
    const declared: string[] = [];
    this.#readList(() => {
      const count = this.#u32();
      const valueType = this.#valueType();
      for (let i = 0; i < count; i++) declared.push(`(local ${local(next++)} ${valueType})`);
    });
    if (declared.length > 0) this.#lines.push(`    ${declared.join(' ')}`);
    let depth = 2;
    while (this.#at < one.bodyEnd - 1) {
      const name = this.#opcode();
      if (name === 'end' || name === 'else') depth--;
      this.#lines.push(`${'  '.repeat(depth)}${name}${this.#immediates(name, local)}`);
      if (name === 'block' || name === 'loop' || name === 'if' || name === 'else') depth++;
    }
    this.#lines.push('  )');
  }

  #functionName(index: number): string {
    const name = this.#functionNames.get(index);
    return name === undefined ? `${index}` : `$${name}`;
  }

  #opcode(): ReturnType<typeof nameOfOpcode> & string {
    const first = this.#byte();
    const code = first >= 0xfc ? first * 0x1000 + this.#u32() : first;
    const name = nameOfOpcode(code);
    if (name === undefined) throw new Error(`listing: no instruction has the code 0x${code.toString(16)}`);
    return name;
  }

  #immediates(name: NonNullable<ReturnType<typeof nameOfOpcode>>, local: (at: number) => string): string {
    switch (immediateOf(name)) {
      case 'none':
        return '';
      case 'block': {
        const type = this.#byte();
        return type === 0x40 ? '' : ` (result ${valueTypes[type]})`;
      }
      case 'label':
        return ` ${this.#u32()}`;
      case 'table': {
        const labels: number[] = [];
        this.#readList(() => labels.push(this.#u32()));
        return ` ${[...labels, this.#u32()].join(' ')}`;
      }
      case 'function':
        return ` ${this.#functionName(this.#u32())}`;
      case 'type-and-table': {
        const type = this.#u32();
        this.#u32();
        return ` (type ${type})`;
      }
      case 'local':
        return ` ${local(this.#u32())}`;
      case 'global':
        this.#u32();
        return ' $constants';
      case 'memory':
        return this.#memory();
      case 'memory-lane':
        return `${this.#memory()} ${this.#byte()}`;
      case 'zero':
        this.#byte();
        return '';
      case 'two-zeros':
        this.#byte();
        this.#byte();
        return '';
      case 'i32':
      case 'i64':
        return ` ${this.#signed()}`;
      case 'f32': {
        const value = this.#view.getFloat32(this.#at, true);
        this.#at += 4;
        return ` ${floatText(value)}`;
      }
      case 'f64': {
        const value = this.#view.getFloat64(this.#at, true);
        this.#at += 8;
        return ` ${floatText(value)}`;
      }
      case 'v128': {
        const words = [0, 4, 8, 12].map((at) => this.#view.getUint32(this.#at + at, true));
        this.#at += 16;
        return ` i32x4 ${words.map((word) => `0x${word.toString(16).padStart(8, '0')}`).join(' ')}`;
      }
      case 'lane':
        return ` ${this.#byte()}`;
      case 'lanes': {
        const lanes = [...this.#bytes.subarray(this.#at, this.#at + 16)];
        this.#at += 16;
        return ` ${lanes.join(' ')}`;
      }
    }
  }

  #memory(): string {
    const align = 2 ** this.#u32();
    const offset = this.#u32();
    return `${offset > 0 ? ` offset=${offset}` : ''} align=${align}`;
  }

  // -------------------------------------------------------------------------------------------- numbers

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new Error('listing: the module ends too early');
    return byte;
  }

  #u32(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  #signed(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(Number(shift) + 7, value);
    }
  }

  #valueType(): string {
    return valueTypes[this.#byte()] ?? '?';
  }

  #name(): string {
    const length = this.#u32();
    const text = new TextDecoder().decode(this.#bytes.subarray(this.#at, this.#at + length));
    this.#at += length;
    return text;
  }
}

/** Names need not be unique in the binary, but are in the text: where they are not the index is added. */
function uniqueNames(names: ReadonlyMap<number, string>): Map<number, string> {
  const counts = new Map<string, number>();
  for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const unique = new Map<number, string>();
  for (const [index, name] of names) unique.set(index, counts.get(name) === 1 ? name : `${name}.${index}`);
  return unique;
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (Math.abs(value) === Number.POSITIVE_INFINITY) return value > 0 ? 'inf' : '-inf';
  return Object.is(value, -0) ? '-0' : String(value);
}
