/**
 * Random calls of the C ABI: handles that are right, wrong, released or of another kind, pointers into the program's memory and
 * far out of it, small and absurd numbers. Each call gives a code and writes nothing where no pointer led.
 * MILLRACE_CALLS says how many calls, MILLRACE_SEEDS (`4711`) with which seed.
 */
import { readFileSync } from 'node:fs';
import { CHost, openclFunctions } from 'millrace/c-host';
import { expect, it } from 'vitest';
import { Random } from '../support/random.ts';

const calls = Number(process.env['MILLRACE_CALLS'] ?? 4_000);
const seed = Number(process.env['MILLRACE_SEEDS'] ?? 1);

/** The memory of a program that does not exist: pointers lead into the arena, and nothing may be written before or after. */
const pageBytes = 65536;
const arena = { start: pageBytes, end: 2 * pageBytes } as const;
/** What a call may write behind a pointer to the arena's last byte is less than this. */
const reach = pageBytes;
const pages = 4;
const outPlace = arena.start;
/** Small numbers lie here, so that whatever is measured by them stays small; and numbers of objects there. */
const smallPlace = outPlace + 1024;
const objectPlace = outPlace + 4096;

const texts = [
  'kernel void f(global int *a, int n) { a[0] = n; }',
  'f',
  '-Werror',
  'kernel void f( { }',
  'no such',
];

/** Names of parameters that point to objects. */
const holdsObjects = /list|devices|arg_value|programs|kernels|objects|properties|headers/;

interface Parameter {
  readonly name: string;
  /** `cl_mem`, `size_t`, `pointer`, `text`, `texts`, `cl_bitfield`... */
  readonly kind: string;
}

interface Declaration {
  readonly name: string;
  readonly result: string;
  readonly parameters: readonly Parameter[];
}

/** Kinds of objects, and what releases one. */
const releases: Readonly<Record<string, string>> = {
  cl_platform_id: '',
  cl_device_id: 'clReleaseDevice',
  cl_context: 'clReleaseContext',
  cl_command_queue: 'clReleaseCommandQueue',
  cl_mem: 'clReleaseMemObject',
  cl_sampler: 'clReleaseSampler',
  cl_program: 'clReleaseProgram',
  cl_kernel: 'clReleaseKernel',
  cl_event: 'clReleaseEvent',
};
const objectKinds = Object.keys(releases);

/** The functions of the header with what they take. */
function declarations(): Declaration[] {
  const header = readFileSync(new URL('../../include/CL/cl.h', import.meta.url), 'utf8');
  const bits = new Set(
    [...header.matchAll(/^typedef cl_(?:bitfield|properties) (\w+);/gm)].map(([, name]) => name!),
  );
  const found = header.matchAll(/^CL_FUNCTION\(([\w *]+), (cl\w+)\)\(([^;]*)\);/gm);
  return [...found].map(([, result, name, list]) => {
    const plain = list!.replace(/\s+/g, ' ').replace(/\w+ ?\(CL_CALLBACK \*(\w+)\)\([^)]*\)/g, 'function $1');
    const parameters = plain.split(', ').flatMap((text): Parameter[] => {
      const words = text.match(/^(?:const )?(.*?)(\w+)(\[\])?$/)!;
      const type = words[1]!.trim();
      const own = words[2]!;
      if (text === 'void') return [];
      if (type === 'function') return [{ name: own, kind: 'function' }];
      if (type === 'char **') return [{ name: own, kind: 'texts' }];
      if (type === 'char *') return [{ name: own, kind: 'text' }];
      if (type.endsWith('*') || words[3]) return [{ name: own, kind: 'pointer' }];
      return [{ name: own, kind: bits.has(type) ? 'bits' : type }];
    });
    return { name: name!, result: result!.trim(), parameters };
  });
}

it(`${calls} random calls give codes and write nowhere else`, { timeout: 600_000 }, () => {
  const random = new Random(seed);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pageBytes, shared: true });
  const host = new CHost({ memory, maximumPages: pageBytes, table: () => undefined, print: () => {} });
  const functions = openclFunctions(host);
  const bytes = new Uint8Array(memory.buffer);
  const words = new Uint32Array(memory.buffer);
  const pools = new Map<string, number[]>(objectKinds.map((kind) => [kind, []]));
  /** Every object since the last context: many are retained at random, and would keep it for ever. */
  const given = new Map<string, Set<number>>(objectKinds.map((kind) => [kind, new Set()]));

  const textPlaces = texts.map((text, index) => {
    const place = outPlace + 256 + index * 128;
    bytes.set(new TextEncoder().encode(`${text}\0`), place);
    return place;
  });
  const textList = outPlace + 128;
  words.set(textPlaces, textList / 4);
  const restored = bytes.slice(outPlace + 128, outPlace + 1024);
  bytes.fill(0x5a, 0, arena.start);
  bytes.fill(0xa5, arena.end + reach, pages * pageBytes);

  const anyObject = (kind: string): number =>
    random.pick(pools.get(kind)!.length > 0 ? pools.get(kind)! : [0]);

  /** The arena: small numbers, handles, zeros. */
  const scatter = (): void => {
    for (let at = outPlace / 4; at < (outPlace + 128) / 4; at += 1) words[at] = random.below(4);
    bytes.set(restored, outPlace + 128);
    for (let at = smallPlace / 4; at < objectPlace / 4; at += 1) words[at] = random.below(9);
    for (let at = objectPlace / 4; at < (objectPlace + 3072) / 4; at += 1) {
      words[at] = random.below(3) === 0 ? random.below(3) : anyObject(random.pick(objectKinds));
    }
  };

  const pointer = (name: string): number => {
    switch (random.below(10)) {
      case 0:
        return 0;
      case 1:
        return random.pick([0xfffffffc, 0xffffffff, 0x7fffffff]);
      default:
        return (holdsObjects.test(name) ? objectPlace : smallPlace) + random.below(700) * 4;
    }
  };

  const value = ({ name, kind }: Parameter): number | bigint => {
    if (objectKinds.includes(kind)) {
      const wild = random.below(12);
      if (wild === 0) return random.pick([0, 1, 0xffffffff, outPlace]);
      return anyObject(wild === 1 ? random.pick(objectKinds) : kind);
    }
    if (name === 'event') return random.below(2) * outPlace;
    if (name === 'errcode_ret') return random.pick([0, outPlace + 64, 0xfffffffe]);
    switch (kind) {
      case 'text':
        return random.pick([0, ...textPlaces, ...textPlaces]);
      case 'texts':
        return random.pick([textList, textList, pointer(name)]);
      case 'pointer':
        return pointer(name);
      case 'function':
        return random.below(8) === 0 ? 1 : 0;
      case 'bits':
        return random.pick([0n, 0n, 1n, 2n, 4n, 8n, 0x20n, 0xffffffffn, BigInt(random.bits())]);
      default:
        if (/^num|count/.test(name)) return random.pick([0, 0, 0, 1, 1, 2, 0xffffffff]);
        if (name.includes('param_name'))
          return 0x900 + random.pick([0, 0x700, 0x800, 0x900]) + random.below(0x100);
        // Images of such sizes over the program's own array still end within reach.
        return random.pick([0, 1, 2, 3, 4, 8, 16, random.below(24), 0xfffffff0, 0xffffffff]);
    }
  };

  /** Gives up all references, as a program must that wants its contexts to end. Devices have no count. */
  const releaseAll = (): void => {
    for (const kind of objectKinds) {
      const release = kind === 'cl_device_id' ? undefined : functions[releases[kind]!];
      if (!release) continue;
      pools.get(kind)!.length = 0;
      for (const number of given.get(kind)!) while (release(number) === 0);
      given.get(kind)!.clear();
    }
  };

  // What waits for the program itself would wait for ever.
  const table = declarations().filter(({ name }) => name !== 'clCreateUserEvent' && functions[name]);
  expect(table.length).toBeGreaterThan(100);
  let succeeded = 0;
  let mostBytes = 0;
  for (let count = 0; count < calls; count += 1) {
    scatter();
    const queueOf = (name: string, ...args: (number | bigint)[]): number =>
      Number(functions[name]!(...args)) >>> 0;
    const keep = (kind: string, number: number): void => {
      if (number === 0) return;
      const pool = pools.get(kind)!;
      given.get(kind)!.add(number);
      pool.push(number);
      const oldest = pool.length > 12 ? pool.shift()! : 0;
      if (oldest !== 0 && releases[kind]) functions[releases[kind]!]!(oldest);
    };
    if (count % 50 === 0) {
      queueOf('clGetPlatformIDs', 1, outPlace, 0);
      keep('cl_platform_id', words[outPlace / 4]!);
      queueOf('clGetDeviceIDs', 0, 1n, 1, outPlace, 0);
      const device = words[outPlace / 4]!;
      keep('cl_device_id', device);
      if (count % 500 === 0) {
        releaseAll();
        mostBytes = Math.max(mostBytes, memory.buffer.byteLength);
        keep('cl_context', queueOf('clCreateContext', 0, 1, outPlace, 0, 0, 0));
      }
      const context = pools.get('cl_context')!.at(-1)!;
      keep('cl_command_queue', queueOf('clCreateCommandQueue', context, device, 0n, 0));
      keep('cl_mem', queueOf('clCreateBuffer', context, 1n, 256, 0, 0));
      words[textList / 4] = textPlaces[0]!;
      keep('cl_program', queueOf('clCreateProgramWithSource', context, 1, textList, 0, 0));
    }
    const { name, result, parameters } = random.pick(table);
    words[outPlace / 4] = 0;
    const args = parameters.map(value);
    let answer: number | undefined;
    try {
      answer = functions[name]!(...args);
    } catch (error) {
      throw new Error(`call ${count}, ${name}(${args.join(', ')})`, { cause: error });
    }
    if (result === 'cl_int') {
      expect(answer, `${name}(${args.join(', ')})`).toBeLessThanOrEqual(0);
      succeeded += answer === 0 ? 1 : 0;
    } else if (objectKinds.includes(result)) keep(result, answer! >>> 0);
    if (parameters.some((parameter) => parameter.name === 'event')) keep('cl_event', words[outPlace / 4]!);
  }
  expect(succeeded).toBeGreaterThan(calls / 20);
  // A context takes 4 MiB of the program's memory and has some objects; what a released one had serves the next.
  expect(mostBytes).toBeLessThan(64 << 20);
  expect(bytes.subarray(0, arena.start).every((byte) => byte === 0x5a)).toBe(true);
  expect(bytes.subarray(arena.end + reach, pages * pageBytes).every((byte) => byte === 0xa5)).toBe(true);
  host.close();
});
