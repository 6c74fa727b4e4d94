/**
 * Programs over the ranks of MPI: what a command costs, how much of 2 and 4 ranks is used, and what a model of the network says of more
 * (mpi/model.ts). Each rank has one compute thread. The constants of the model are measured here: of messages through shared memory and through
 * TCP of this machine. What one rank would do among 64 is measured, too (mpi/imagined.mjs); only its messages are computed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { LineChart } from './frame/line-chart.ts';
import type { Row } from './measure.ts';
import {
  broadcastTime,
  efficiency,
  type LocalStep,
  type Network,
  reductionTime,
  segmentsOf,
  stepTime,
  worstError,
} from './mpi/model.ts';

/** Microseconds that a command may cost more over ranks. */
const goal = 100;
const predicted = [1, 2, 4, 8, 16, 32, 64];
const measuredRanks = [2, 4];

interface Transport {
  readonly name: string;
  readonly options: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface Engine {
  readonly name: string;
  readonly command: string;
  readonly options: readonly string[];
  /** The first is what the engine chooses on one machine. */
  readonly transports: readonly Transport[];
}

interface Measured {
  readonly messages: readonly { readonly bytes: number; readonly time: number }[];
  readonly perMessage?: number;
  readonly collectives: readonly {
    readonly bytes: number;
    readonly allreduce: number;
    readonly broadcast: number;
    readonly barrier: number;
  }[];
}

interface Step {
  readonly sample: string;
  readonly ranks: number;
  readonly time: number;
  readonly result: readonly number[];
}

/** What is not measured: a usual net between machines, for comparison. */
const link = [{ upTo: Number.POSITIVE_INFINITY, latency: 10e-3, perByte: 1e3 / 3.1e9 }];
const assumed: Network = {
  name: 'a net of 25 Gbit/s and 10 us (assumed)',
  segments: link,
  reductions: link,
  perMessage: 5e-3,
};

const has = (command: string, words: RegExp): boolean => {
  const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' });
  return status === 0 && words.test(stdout);
};

function enginesHere(): Engine[] {
  const openMpi = ['mpirun.openmpi', 'mpirun'].find((command) => has(command, /Open MPI|OpenRTE/));
  const mpich = ['mpirun.mpich', 'mpirun'].find((command) => has(command, /HYDRA|MPICH/));
  const shared = { name: 'shared memory', options: [], env: {} };
  const engines: Engine[] = [];
  if (openMpi) {
    const tcp = ['--mca', 'pml', 'ob1', '--mca', 'btl', 'tcp,self'];
    engines.push({
      name: 'Open MPI',
      command: openMpi,
      options: ['--allow-run-as-root', '--oversubscribe'],
      transports: [shared, { name: 'TCP', options: tcp, env: {} }],
    });
  }
  if (mpich) {
    engines.push({
      name: 'MPICH',
      command: mpich,
      options: [],
      transports: [
        shared,
        { name: 'TCP', options: [], env: { MPIR_CVAR_NOLOCAL: '1', UCX_TLS: 'tcp,self' } },
      ],
    });
  }
  return engines;
}

const folder = new URL('../../bench/mpi/', import.meta.url);

/** Runs a program on so many ranks, and gives what rank 0 has printed. */
function mpirun(engine: Engine, ranks: number, program: string, { options, env }: Transport): string {
  const words = [...engine.options, ...options, '-n', String(ranks)];
  return execFileSync(engine.command, [...words, process.execPath, fileURLToPath(new URL(program, folder))], {
    encoding: 'utf8',
    env: {
      ...process.env,
      MILLRACE_THREADS: '1',
      // Ranks that share a processor are not to keep it while they wait.
      ...(ranks > cpus().length ? { OMPI_MCA_mpi_yield_when_idle: '1' } : {}),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** What one rank does among so many. */
function localSteps(ranks: readonly number[]): LocalStep[] {
  const program = fileURLToPath(new URL('imagined.mjs', folder));
  const text = execFileSync(process.execPath, [program, ...ranks.map(String)], {
    encoding: 'utf8',
    env: { ...process.env, MILLRACE_THREADS: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(text) as LocalStep[];
}

export async function measureMpi(): Promise<Row[] | string> {
  const engines = enginesHere();
  if (engines.length === 0) return 'install Open MPI or MPICH';
  const steps = localSteps(predicted);
  const rows: Row[] = [];
  for (const engine of engines) {
    rows.push(overhead(engine));
    const networks: Network[] = [];
    for (const transport of engine.transports) {
      const found = JSON.parse(mpirun(engine, 2, 'network.mjs', transport)) as Measured;
      const network = networkOf(`${engine.name}, ${transport.name}`, found);
      networks.push(network);
      rows.push(...constants(network, found));
      if (transport === engine.transports[0]) rows.push(...collectivesOfFour(engine, network));
    }
    rows.push(...measuredSteps(engine, networks[0]!, steps));
    rows.push(...predictions(networks.at(-1)!, steps));
  }
  rows.push(...predictions(assumed, steps));
  return rows;
}

/** What a launch of the cluster takes longer than one of its device. */
function overhead(engine: Engine): Row {
  const text = mpirun(engine, 2, 'overhead.mjs', engine.transports[0]!);
  const times = new Map(
    [...text.matchAll(/^(.+): ([\d.]+) us$/gm)].map(([, name, time]) => [name!, Number(time)]),
  );
  const [cluster, device] = ['a launch of the cluster', 'a launch of one device'].map(
    (name) => times.get(name)!,
  ) as [number, number];
  const message = times.get('begin, and await, both')!;
  return {
    name: `${engine.name}, 2 ranks: what a launch takes more than on one device`,
    value: Math.max(0, cluster - device),
    unit: 'us',
    goal,
    note: `${cluster.toFixed(1)} and ${device.toFixed(1)} us; a message to oneself, awaited, ${message.toFixed(1)} us`,
  };
}

/** In milliseconds, as the model has them. */
function networkOf(name: string, { messages, perMessage = 0, collectives }: Measured): Network {
  return {
    name,
    segments: segmentsOf(messages.map(({ bytes, time }) => ({ bytes, time: time / 1000 }))),
    reductions: segmentsOf(collectives.map(({ bytes, allreduce }) => ({ bytes, time: allreduce / 1000 }))),
    perMessage: Math.max(0, perMessage) / 1000,
  };
}

function constants(network: Network, { messages }: Measured): Row[] {
  const off = worstError(
    network,
    messages.map(({ bytes, time }) => ({ bytes, time: time / 1000 })),
  );
  const [short, long] = [network.segments[0]!, network.segments.at(-1)!];
  return [
    {
      name: `${network.name}: latency of messages up to ${short.upTo} bytes`,
      value: 1000 * short.latency,
      unit: 'us',
      note: `${(1000 * 1024 * short.perByte).toFixed(2)} us more for each KiB`,
    },
    {
      name: `${network.name}: bandwidth of longer ones`,
      value: 1 / long.perByte / 1e6,
      unit: 'GB/s',
      note: `latency ${(1000 * long.latency).toFixed(1)} us; measured times are at most ${Math.round(100 * off)} % off the two lines`,
    },
    { name: `${network.name}: one message more`, value: 1000 * network.perMessage, unit: 'us' },
    {
      name: `${network.name}: a reduction of 8 bytes over two ranks`,
      value: 1000 * reductionTime(network, 2, 8),
      unit: 'us',
    },
  ];
}

/** Is a tree over four ranks twice as high as over two? */
function collectivesOfFour(engine: Engine, network: Network): Row[] {
  const { collectives } = JSON.parse(mpirun(engine, 4, 'network.mjs', engine.transports[0]!)) as Measured;
  return collectives.flatMap(({ bytes, allreduce, broadcast, barrier }): Row[] => [
    {
      name: `${network.name}: reduction of ${bytes} bytes over 4 ranks`,
      value: allreduce,
      unit: 'us',
      against: { name: 'the model', value: 1000 * reductionTime(network, 4, bytes) },
    },
    {
      name: `${network.name}: broadcast of ${bytes} bytes to 4 ranks`,
      value: Math.max(0, broadcast - barrier),
      unit: 'us',
      against: { name: 'the model', value: 1000 * broadcastTime(network, 4, bytes) },
    },
  ]);
}

/** Real ranks, next to what the model says of them. Their results are those of one rank. */
function measuredSteps(engine: Engine, network: Network, local: readonly LocalStep[]): Row[] {
  const transport = engine.transports[0]!;
  const of = (ranks: number): Step[] =>
    JSON.parse(mpirun(engine, ranks, 'rank-steps.mjs', transport)) as Step[];
  const alone = of(1);
  const cores = cpus().length;
  return measuredRanks.flatMap((ranks) => {
    const ranksOfCore = Math.max(1, ranks / cores);
    const share = ranksOfCore > 1 ? `, ${ranksOfCore} to a processor` : '';
    return of(ranks).map((step): Row => {
      const one = alone.find(({ sample }) => sample === step.sample)!;
      checkResults(step, one);
      const [own, among] = [1, ranks].map((count) => find(local, step.sample, count)) as [
        LocalStep,
        LocalStep,
      ];
      // Of the processors that there are.
      const parts = ranks / ranksOfCore;
      const model = stepTime(network, among, ranksOfCore);
      return {
        name: `${engine.name}, ${step.sample}: efficiency on ${ranks} ranks${share}`,
        value: 100 * efficiency(one.time, parts, step.time),
        unit: '%',
        against: { name: 'the model', value: 100 * efficiency(own.time, parts, model) },
        note: `a step takes ${step.time.toFixed(2)} ms, alone ${one.time.toFixed(2)} ms`,
        ...(ranksOfCore > 1 ? {} : { at: { line: step.sample, x: ranks, isMeasured: true } }),
      };
    });
  });
}

const find = (local: readonly LocalStep[], name: string, count: number): LocalStep =>
  local.find(({ sample, ranks }) => sample === name && ranks === count)!;

/** @throws Error if ranks together have another result than one alone: sums may be in another order */
function checkResults({ sample, ranks, result }: Step, { result: alone }: Step): void {
  for (const [at, value] of result.entries()) {
    if (!(Math.abs(value - alone[at]!) <= 1e-4 * Math.max(1, Math.abs(alone[at]!))))
      throw new Error(`${sample} on ${ranks} ranks: ${value} and ${alone[at]} at ${at}`);
  }
}

function predictions(network: Network, local: readonly LocalStep[]): Row[] {
  const samples = [...new Set(local.map(({ sample }) => sample))];
  return samples.flatMap((sample) => {
    const alone = find(local, sample, 1).time;
    return predicted
      .filter((ranks) => ranks > 1)
      .map((ranks): Row => {
        const step = find(local, sample, ranks);
        const time = stepTime(network, step);
        const bytes = step.received.reduce((sum, each) => sum + each, 0);
        return {
          name: `predicted by ${network.name}: ${sample} on ${ranks} nodes`,
          value: 100 * efficiency(alone, ranks, time),
          unit: '%',
          note: `a step ${time.toFixed(3)} ms, ${step.time.toFixed(3)} of them its own; ${step.received.length} messages of ${bytes} bytes in all come`,
          at: { line: sample, x: ranks, network: network.name },
        };
      });
  });
}

/** Of what was measured last. */
export function mpiChart(rows: readonly Row[]): LineChart {
  const network = rows.find(({ at }) => at?.network?.includes('TCP'))?.at?.network;
  const shown = rows.filter(({ at }) => at && (at.isMeasured || at.network === network));
  const lines = [...new Set(shown.map(({ at }) => at!.line))].map((name) => {
    const own = shown.filter(({ at }) => at!.line === name);
    const points = own
      .filter(({ at }) => !at!.isMeasured)
      .map((row) => [row.at!.x, row.value / 100] as const);
    const measured = own
      .filter(({ at }) => at!.isMeasured)
      .map((row) => [row.at!.x, row.value / 100] as const);
    return { name, points: [[1, 1] as const, ...points], measured };
  });
  return {
    title: 'Efficiency over nodes: a prediction',
    subtitle: `Constants of ${network}, one machine. Circles: measured on 2 ranks, through shared memory.`,
    across: 'nodes, one rank of one thread each',
    lines,
  };
}
