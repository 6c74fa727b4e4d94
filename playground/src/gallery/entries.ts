/** What the gallery offers: kernels and programs written for the page, and the project's samples. */
import { calDevices, calPrograms, studies } from 'virtual:studies';
import { type Document, endings, type Language, noLaunch } from '../document.ts';
import edges from './kernels/edges.cl?raw';
import edgesIl from './kernels/edges.il?raw';
import groupCountsIl from './kernels/group-counts.il?raw';
import groupSums from './kernels/group-sums.cl?raw';
import hello from './kernels/hello.cl?raw';
import mandelbrot from './kernels/mandelbrot.cl?raw';
import mandelbrotIl from './kernels/mandelbrot.il?raw';
import race from './kernels/race.cl?raw';
import waves from './kernels/waves.cl?raw';
import { livingKernels } from './living.ts';
import devices from './programs/devices.c?raw';
import mandelbrotBrook from './programs/mandelbrot.br?raw';
import saxpy from './programs/saxpy.c?raw';
import streams from './programs/streams.br?raw';

/** In the order in which they are shown. */
export const groups = [
  'Living kernels',
  'Kernels',
  'Case studies',
  'Case studies in OpenCL 2.0',
  'Brook+',
  'AMD IL',
  'Programs in C',
  'CAL, step by step',
] as const;

export interface Entry {
  /** In addresses. */
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly group: (typeof groups)[number];
  load(): Promise<Document>;
}

/** By their paths; each is loaded when it is opened. */
const sampleFiles = import.meta.glob<string>(
  ['../../../samples/*/*.cl', '../../../samples/*/*.br', '../../../samples/cal-*/*.c'],
  { query: '?raw', import: 'default' },
);

function entry(
  group: Entry['group'],
  id: string,
  about: string,
  document: Pick<Document, 'name' | 'source'> & Partial<Document>,
): Entry {
  const whole: Document = { language: 'opencl', options: '', launch: noLaunch, study: '', ...document };
  return { id, title: whole.name, about, group, load: async () => whole };
}

/** What the page starts with. */
export const firstDocument: Document = {
  name: 'Mandelbrot set',
  language: 'opencl',
  source: mandelbrot,
  options: '',
  launch: {
    ...noLaunch,
    global: '768,512',
    args: { image: 'zeros:768x512', centre_x: '-0.7', centre_y: '0', scale: '2.4', steps: '500' },
  },
  study: '',
};

const kernels: readonly Entry[] = [
  entry(
    'Kernels',
    'mandelbrot',
    'One work-item a pixel, and neighbours that take different numbers of steps. Change the centre and the scale.',
    firstDocument,
  ),
  entry(
    'Kernels',
    'edges',
    'Images and samplers: what a kernel reads beyond the border is the sampler’s to say.',
    {
      name: 'Edges of a photograph',
      source: edges,
      launch: { ...noLaunch, args: { photo: 'photo.jpg', strength: '1.5' } },
    },
  ),
  entry(
    'Kernels',
    'waves',
    'A sum of sines, plotted. More terms, steeper flanks; the overshoot at the corners stays.',
    {
      name: 'Waves that make a square',
      source: waves,
      launch: { ...noLaunch, global: '1024', args: { height: 'zeros', terms: '9' } },
    },
  ),
  entry(
    'Kernels',
    'group-sums',
    'A reduction inside each work-group, half of the work-items at a time, kept in step by barriers.',
    {
      name: 'Sums in local memory',
      source: groupSums,
      launch: {
        ...noLaunch,
        global: '65536',
        local: '256',
        args: { numbers: 'range:65536:0:0.001', sums: 'zeros:256', part: 'local:1024' },
      },
    },
  ),
  entry('Kernels', 'hello', 'printf in a kernel.', {
    name: 'Hello from every work-item',
    source: hello,
    launch: { ...noLaunch, global: '12', local: '4' },
  }),
  entry('Kernels', 'race', 'A kernel with a mistake that a run may well not show. The Check panel does.', {
    name: 'A data race',
    source: race,
    launch: { ...noLaunch, global: '1000', args: { numbers: 'range:1000', count: '1000' } },
  }),
];

const brookPrograms: readonly Entry[] = [
  entry('Brook+', 'streams', 'Kernels as functions of streams, a reduction, and the C around them.', {
    name: 'A program of streams',
    language: 'brook',
    source: streams,
  }),
  entry('Brook+', 'mandelbrot-brook', 'A kernel that knows its place in a stream of two dimensions.', {
    name: 'Mandelbrot set in characters',
    language: 'brook',
    source: mandelbrotBrook,
  }),
];

const il: readonly Entry[] = [
  entry(
    'AMD IL',
    'mandelbrot-il',
    'The assembler of the CAL compiler: registers of four floats, masks, swizzles.',
    {
      name: 'Mandelbrot set in AMD IL',
      language: 'il',
      source: mandelbrotIl,
      launch: { ...noLaunch, global: '768,512', args: { cb0: '(-0.7,0,0.0046875,200,384,256,0,0)' } },
    },
  ),
  entry('AMD IL', 'edges-il', 'Samples beside each other by offsets in the instructions.', {
    name: 'Edges in AMD IL',
    language: 'il',
    source: edgesIl,
    launch: { ...noLaunch, args: { i0: 'photo.jpg', cb0: '(1.5)' } },
  }),
  entry(
    'AMD IL',
    'group-counts-il',
    'A compute program: groups of threads, their memory, and atomics in it.',
    {
      name: 'Counting in groups, in AMD IL',
      language: 'il',
      source: groupCountsIl,
      launch: { ...noLaunch, global: '256', args: { g: 'zeros:256' } },
    },
  ),
];

const cPrograms: readonly Entry[] = [
  entry('Programs in C', 'devices', 'Asks what there is to compute with.', {
    name: 'Platforms and devices',
    language: 'c',
    source: devices,
  }),
  entry('Programs in C', 'saxpy-c', 'From the platform to the checked result, in C.', {
    name: 'A whole host program',
    language: 'c',
    source: saxpy,
  }),
];

const calTitles: Readonly<Record<string, string>> = {
  'find-devices': 'Finding devices',
  'open-close': 'Opening a device',
  contexts: 'Contexts',
  resources: 'Resources',
  compile: 'Compiling IL',
  'download-readback': 'Copies there and back',
  hello: 'Hello CAL',
  'double-precision': 'Double precision',
  'matrix-multiplication': 'Products of matrices',
  scatter: 'Writing anywhere',
  gather: 'Reading anywhere',
  overlap: 'Copies beside programs',
  'multi-device': 'Two cards at one picture',
};

const studyGroups = {
  'opencl-1': 'Case studies',
  'opencl-2': 'Case studies in OpenCL 2.0',
  brook: 'Brook+',
} as const;

/** A sample of the project, in the only file of its language in its folder. */
function sample(
  id: string,
  title: string,
  about: string,
  group: Entry['group'],
  language: Language,
  rest: Partial<Document>,
): Entry {
  const load = async () => {
    const path = Object.keys(sampleFiles).find((one) =>
      new RegExp(`/samples/${id}/[^/]*\\${endings[language]}$`).test(one),
    )!;
    const source = await sampleFiles[path]!();
    return { name: title, language, source, options: '', launch: noLaunch, study: '', ...rest };
  };
  return { id, title, about, group, load };
}

export const entries: readonly Entry[] = [
  ...livingKernels.map((one): Entry => ({ ...one, group: 'Living kernels' })),
  ...kernels,
  ...brookPrograms,
  ...il,
  ...studies.map(({ name, title, about, part }) =>
    sample(name, title, about, studyGroups[part], part === 'brook' ? 'brook' : 'opencl', {
      study: name,
      // What its host program builds with.
      options: part === 'opencl-2' ? '-cl-std=CL2.0' : '',
    }),
  ),
  sample(
    'vertex-waves',
    'Vertices from a kernel',
    'A kernel moves the vertices of a surface, and WebGL draws them, frame by frame.',
    'Case studies',
    'opencl',
    { study: 'vertex-waves' },
  ),
  ...cPrograms,
  ...calPrograms.map(({ name, about }) =>
    sample(`cal-${name}`, calTitles[name] ?? name, about, 'CAL, step by step', 'c', {
      options: `MILLRACE_CAL_DEVICES='${calDevices}'`,
    }),
  ),
];
