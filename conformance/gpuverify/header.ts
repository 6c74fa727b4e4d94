/** What the comments at the head of a GPUVerify test say: the verdict, the launch, and of which errors the output must speak. */

/** What a run can show of the things that GPUVerify looks for. */
export type Fault =
  | 'data-race'
  | 'barrier-divergence'
  | 'event-misuse'
  | 'null-pointer'
  | 'out-of-bounds'
  | 'assertion';

export interface Header {
  /** `refused`: the compiler refuses it. `tool`: GPUVerify refuses its own annotations or command line. */
  readonly verdict: 'pass' | 'fault' | 'refused' | 'tool';
  /** The faults that the output must speak of; empty if it says nothing about them. */
  readonly faults: readonly Fault[];
  readonly local: readonly number[];
  readonly groups: readonly number[];
  readonly offset: number | undefined;
  /** What the kernel's only argument that is no pointer must be. */
  readonly argument: number | undefined;
  /** The options of the command line. */
  readonly options: ReadonlySet<string>;
}

const words: readonly (readonly [RegExp, Fault])[] = [
  [/\brace\b/, 'data-race'],
  [/assertion|invariant|precondition|postcondition/, 'assertion'],
  [/non-uniform control flow/, 'barrier-divergence'],
  [/null pointer/, 'null-pointer'],
  [/out-of-bounds/, 'out-of-bounds'],
];

/** @throws Error for a first line that is no verdict */
export function readHeader(source: string): Header {
  const lines = source.split(/\r?\n/);
  const first = /^\/\/(pass|xfail:(\w+))/i.exec(lines[0]!);
  if (!first) throw new Error(`'${lines[0]}' is no verdict`);
  const [, , kind] = first;
  const verdict =
    kind === undefined
      ? 'pass'
      : kind === 'NOT_ALL_VERIFIED'
        ? 'fault'
        : kind === 'CLANG_ERROR'
          ? 'refused'
          : 'tool';
  const command = lines[1]!.replace(/^\/\//, '');
  const end = lines.findIndex((line, index) => index > 1 && !line.startsWith('//'));
  const expected = lines.slice(2, end).join('\n');
  const sizes = (name: string): number[] | undefined => {
    const text = new RegExp(`--${name}=\\[?([\\d,]+)`).exec(command)?.[1];
    return text?.split(',').filter(Boolean).map(Number);
  };
  const local = sizes('local_size') ?? [64];
  const global = sizes('global_size');
  const groups = global?.map((size, axis) => size / (local[axis] ?? 1)) ?? sizes('num_groups') ?? [2];
  const given = /--kernel-args=\w+,(0x[\da-f]{1,8})\b/i.exec(command)?.[1];
  const dimensions = Math.max(local.length, groups.length);
  const padded = (values: readonly number[]) =>
    Array.from({ length: dimensions }, (_, axis) => values[axis] ?? 1);
  return {
    verdict,
    faults: words.filter(([word]) => word.test(expected)).map(([, fault]) => fault),
    local: padded(local),
    groups: padded(groups),
    offset: sizes('global_offset')?.[0],
    argument: given === undefined ? undefined : Number(given),
    options: new Set(command.match(/--[\w-]+/g)),
  };
}
