/**
 * Kernels assembled by hand after the kernel ABI (src/codegen/wasm/module/abi.ts), so that the device is tested without the
 * compiler: an independent reading of the contract.
 */
import type { KernelCode, ParameterPlacement, WasmProgram } from '../../../src/codegen/wasm/module/abi.ts';

const op = {
  unreachable: [0x00],
  block: [0x02, 0x40],
  loop: [0x03, 0x40],
  if: [0x04, 0x40],
  end: [0x0b],
  br: (depth: number) => [0x0c, depth],
  brIf: (depth: number) => [0x0d, depth],
  get: (local: number) => [0x20, local],
  set: (local: number) => [0x21, local],
  global: [0x23, 0],
  load: (offset: number) => [0x28, 2, ...unsigned(offset)],
  store: (offset: number) => [0x36, 2, ...unsigned(offset)],
  loadFloat: (offset: number) => [0x2a, 2, ...unsigned(offset)],
  storeFloat: (offset: number) => [0x38, 2, ...unsigned(offset)],
  const: (value: number) => [0x41, ...signed(value)],
  add: [0x6a],
  multiply: [0x6c],
  greaterEqual: [0x4f],
  addFloat: [0x92],
  multiplyFloat: [0x94],
  atomicAdd: (offset: number) => [0xfe, 0x1e, 2, ...unsigned(offset)],
} as const;

/** Locals: the ABI's four parameters, then one of our own. */
const launch = op.get(0);
const group = op.get(1);
const end = op.get(2);
const area = op.get(3);
const argument = (offset: number) => [...launch, ...op.load(64 + offset)];
/** Address of element `group` of the array that argument `offset` points to. */
const element = (offset: number) => [
  ...argument(offset),
  ...group,
  ...op.const(4),
  ...op.multiply,
  ...op.add,
];

/** Runs `body` for each work-group; work-groups of one work-item. */
function eachGroup(body: readonly number[]): number[] {
  return [
    ...op.block,
    ...op.loop,
    ...group,
    ...end,
    ...op.greaterEqual,
    ...op.brIf(1),
    ...body,
    ...group,
    ...op.const(1),
    ...op.add,
    ...op.set(1),
    ...op.br(0),
    ...op.end,
    ...op.end,
  ];
}

const pointer = (offset: number): ParameterPlacement => ({ kind: 'global', offset, size: 4, align: 4 });
const value = (offset: number): ParameterPlacement => ({ kind: 'value', offset, size: 4, align: 4 });
const local = (offset: number): ParameterPlacement => ({ kind: 'local', offset, size: 4, align: 4 });

interface HandKernel {
  readonly name: string;
  readonly parameters: readonly ParameterPlacement[];
  readonly body: readonly number[];
  readonly fixedBytes?: number;
  readonly perItemBytes?: number;
}

const kernels: readonly HandKernel[] = [
  { name: 'empty', parameters: [], body: [] },
  // out[group] = group + value
  {
    name: 'number',
    parameters: [pointer(0), value(4)],
    body: eachGroup([...element(0), ...group, ...argument(4), ...op.add, ...op.store(0)]),
  },
  // out[group] = out[group] * 3 + value, so that the order of launches shows
  {
    name: 'step',
    parameters: [pointer(0), value(4)],
    body: eachGroup([
      ...element(0),
      ...element(0),
      ...op.load(0),
      ...op.const(3),
      ...op.multiply,
      ...argument(4),
      ...op.add,
      ...op.store(0),
    ]),
  },
  // y[group] += a * x[group]
  {
    name: 'saxpy',
    parameters: [pointer(0), pointer(4), value(8)],
    body: eachGroup([
      ...element(4),
      ...element(4),
      ...op.loadFloat(0),
      ...element(0),
      ...op.loadFloat(0),
      ...launch,
      ...op.loadFloat(64 + 8),
      ...op.multiplyFloat,
      ...op.addFloat,
      ...op.storeFloat(0),
    ]),
  },
  // *counter += 1, atomically, once a work-group
  {
    name: 'count',
    parameters: [pointer(0)],
    body: eachGroup([...argument(0), ...op.const(1), ...op.atomicAdd(0), 0x1a]),
  },
  // Writes the group number through local memory.
  {
    name: 'through_local',
    parameters: [pointer(0), local(4)],
    fixedBytes: 128,
    perItemBytes: 4,
    body: eachGroup([
      ...area,
      ...argument(4),
      ...op.add,
      ...group,
      ...op.store(0),
      ...element(0),
      ...area,
      ...argument(4),
      ...op.add,
      ...op.load(0),
      ...op.store(0),
    ]),
  },
  // out[group] = first word of the program's constants
  {
    name: 'constant',
    parameters: [pointer(0)],
    body: eachGroup([...element(0), ...op.global, ...op.load(0), ...op.store(0)]),
  },
  { name: 'endless', parameters: [], body: [...op.loop, ...op.br(0), ...op.end] },
  { name: 'trap', parameters: [], body: [...op.unreachable] },
  // Traps in the work-group whose number is the argument.
  {
    name: 'wild',
    parameters: [value(0)],
    body: eachGroup([
      ...group,
      ...argument(0),
      0x46,
      ...op.if,
      ...op.const(-16),
      ...op.const(1),
      ...op.store(0),
      ...op.end,
    ]),
  },
  // out[0..2]: global sizes; out[3..5]: local sizes; out[6..8]: groups; out[9..11]: offset; out[12]: dimensions
  {
    name: 'sizes',
    parameters: [pointer(0)],
    body: [16, 20, 24, 28, 32, 36, 40, 44, 48, 4, 8, 12, 0].flatMap((offset, index) => [
      ...argument(0),
      ...launch,
      ...op.load(offset),
      ...op.store(index * 4),
    ]),
  },
];

/** All of the kernels above as one compiled program; its constants are the words 4711 and their own address + 4. */
export function handProgram(shared: boolean): WasmProgram {
  const text = (name: string) => [...unsigned(name.length), ...new TextEncoder().encode(name)];
  const section = (id: number, content: readonly number[]) => [id, ...unsigned(content.length), ...content];
  const list = (items: readonly (readonly number[])[]) => [...unsigned(items.length), ...items.flat()];
  const bytes = [
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, list([[0x60, 4, 0x7f, 0x7f, 0x7f, 0x7f, 0]])),
    ...section(
      2,
      list([
        [...text('env'), ...text('memory'), 0x02, shared ? 3 : 1, 1, ...unsigned(65536)],
        [...text('env'), ...text('constants'), 0x03, 0x7f, 0x00],
      ]),
    ),
    ...section(3, list(kernels.map(() => [0]))),
    ...section(7, list(kernels.map(({ name }, index) => [...text(`k_${name}`), 0x00, ...unsigned(index)]))),
    ...section(
      10,
      list(
        kernels.map(({ body }) => {
          const code = [0, ...body, ...op.end];
          return [...unsigned(code.length), ...code];
        }),
      ),
    ),
  ];
  const constants = new Uint8Array(8);
  new DataView(constants.buffer).setInt32(0, 4711, true);
  return {
    bytes: Uint8Array.from(bytes),
    constants: {
      size: 8,
      align: 4,
      bytes: constants,
      variableBytes: 0,
      relocations: [{ offset: 4, addend: 4 }],
    },
    printfs: [],
    kernels: kernels.map(
      ({ name, parameters, fixedBytes = 0, perItemBytes = 0 }): KernelCode => ({
        name,
        title: `kernel '${name}'`,
        exportName: `k_${name}`,
        parameters,
        argumentBytes: parameters.reduce((size, parameter) => size + parameter.size, 0),
        fixedBytes,
        localBytes: 0,
        privateBytes: 0,
        perItemBytes,
        usesPrintf: false,
        usesBarrier: false,
        lanes: 1,
        joinsGroups: false,
        rows: 1,
        groupsTogether: 1,
        mayWait: false,
        attributes: {},
      }),
    ),
  };
}

function unsigned(number: number): number[] {
  const bytes: number[] = [];
  let rest = number;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? low | 0x80 : low);
  } while (rest > 0);
  return bytes;
}

function signed(number: number): number[] {
  const bytes: number[] = [];
  let rest = number;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    const last = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(last ? low : low | 0x80);
    if (last) return bytes;
  }
}
