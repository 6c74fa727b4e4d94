/**
 * Checks generated kernels in great numbers: which kinds and seeds come in which order, what each came to, for how long.
 */
import { runPool } from './child-pool.ts';
import { type Kind, kinds } from './fuzz-case.ts';

export interface FuzzOptions {
  readonly kinds: readonly Kind[];
  /** The first of each kind. */
  readonly seed: number;
  /** Of all kinds together. */
  readonly count: number;
  /** After so many seconds no other kernel is begun. */
  readonly seconds?: number | undefined;
  /** How many kernels are checked at a time. */
  readonly threads: number;
  /** Seconds that one kernel may take. */
  readonly timeout: number;
  /** Whether kernels that fail are made small. */
  readonly isShrunk: boolean;
  /** The file that child processes run. */
  readonly program: string;
  /** Where kernels run in the place of WebAssembly. */
  readonly device?: 'native' | undefined;
  /** What machine code is compared with; default the interpreter. */
  readonly against?: 'wasm' | undefined;
  /** Is told of a failure as it comes. */
  readonly failure?: (report: string) => void;
  /** Is told now and then how far it is. */
  readonly progress?: (result: FuzzResult) => void;
}

/** The kernels of a kind: those of the seeds from `seed` on, without a gap. */
export interface KindResult {
  readonly kind: Kind;
  readonly seed: number;
  passed: number;
  failed: number;
  /** None of their launches means one thing only. */
  skipped: number;
}

export interface Failure {
  readonly kind: Kind;
  readonly seed: number;
  readonly reason: string;
  /** With the launch and the source, for people. */
  readonly report: string | undefined;
}

export interface FuzzResult {
  /** So far. */
  seconds: number;
  readonly kinds: readonly KindResult[];
  readonly failures: readonly Failure[];
}

/** The turns of the kinds; a large kernel takes several times as long as any other. */
const turns: readonly Kind[] = [
  'idioms',
  'small',
  'medium',
  'idioms',
  'small',
  'idioms',
  'large',
  'small',
  'idioms',
  'medium',
  'pointers',
];

/** Failures that are made small; after so many there is something wrong that any of them shows. */
const mostShrunk = 20;
/** Milliseconds for making one small. */
const patience = 60_000;
/** Milliseconds from one word of progress to the next. */
const progressInterval = 10_000;

/** Checks the kernels; every one that was begun is part of the result. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzResult> {
  const start = performance.now();
  const end = start + (options.seconds ?? Number.POSITIVE_INFINITY) * 1000;
  const failures: Failure[] = [];
  const results = kinds
    .filter((kind) => options.kinds.includes(kind))
    .map((kind): KindResult => ({ kind, seed: options.seed, passed: 0, failed: 0, skipped: 0 }));
  const result: FuzzResult = { seconds: 0, kinds: results, failures };
  const update = (): void => {
    result.seconds = (performance.now() - start) / 1000;
  };
  const seeds = seedsInTurn(options);
  const speaker = setInterval(() => {
    update();
    options.progress?.(result);
  }, progressInterval);
  try {
    await runPool({
      program: options.program,
      device: options.device,
      against: options.against,
      size: Math.min(options.threads, options.count),
      timeout: options.timeout,
      next: () => {
        if (performance.now() >= end) return undefined;
        const { value } = seeds.next();
        if (!value) return undefined;
        const isShrunk = options.isShrunk && failures.length < mostShrunk;
        // What is left of the time, but enough to see something.
        const left = Math.max(10_000, end - performance.now());
        return { ...value, shrinking: isShrunk ? Math.min(patience, left) : 0 };
      },
      done: ({ kind, seed }, { status, reason = '' }, report) => {
        results.find((each) => each.kind === kind)![status] += 1;
        if (status !== 'failed') return;
        failures.push({ kind, seed, reason, report });
        options.failure?.(report ?? `${kind}, seed ${seed}: ${reason}`);
      },
    });
  } finally {
    clearInterval(speaker);
  }
  update();
  return result;
}

/** Kind after kind in turn, each with its next seed. */
function* seedsInTurn({
  kinds: some,
  seed,
  count,
}: FuzzOptions): Generator<{ kind: Kind; seed: number }, undefined> {
  const order = turns.filter((kind) => some.includes(kind));
  const next = new Map(order.map((kind) => [kind, seed]));
  for (let index = 0; index < count; index += 1) {
    const kind = order[index % order.length]!;
    const own = next.get(kind)!;
    next.set(kind, own + 1);
    yield { kind, seed: own };
  }
  return undefined;
}
