/** What the gallery offers: kernels and programs written for the page, and the project's case studies. */
import { studies } from 'virtual:studies';
import { type Document, noLaunch } from '../document.ts';
import edges from './kernels/edges.cl?raw';
import groupSums from './kernels/group-sums.cl?raw';
import hello from './kernels/hello.cl?raw';
import mandelbrot from './kernels/mandelbrot.cl?raw';
import race from './kernels/race.cl?raw';
import waves from './kernels/waves.cl?raw';
import devices from './programs/devices.c?raw';
import saxpy from './programs/saxpy.c?raw';

export interface Entry {
  /** In addresses. */
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly group: 'Kernels' | 'Case studies' | 'Programs in C';
  load(): Promise<Document>;
}

const kernelsOfStudies = import.meta.glob<string>('../../../samples/*/*.cl', {
  query: '?raw',
  import: 'default',
});

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

function kernel(
  id: string,
  title: string,
  about: string,
  source: string,
  global: string,
  args: Readonly<Record<string, string>>,
  local = '',
): Entry {
  const launch = { ...noLaunch, global, local, args };
  const document: Document = { name: title, language: 'opencl', source, options: '', launch, study: '' };
  return { id, title, about, group: 'Kernels', load: async () => document };
}

function program(id: string, title: string, about: string, source: string): Entry {
  const document: Document = { name: title, language: 'c', source, options: '', launch: noLaunch, study: '' };
  return { id, title, about, group: 'Programs in C', load: async () => document };
}

export const entries: readonly Entry[] = [
  {
    id: 'mandelbrot',
    title: firstDocument.name,
    about:
      'One work-item a pixel, and neighbours that take different numbers of steps. Change the centre and the scale.',
    group: 'Kernels',
    load: async () => firstDocument,
  },
  kernel(
    'edges',
    'Edges of a photograph',
    'Images and samplers: what a kernel reads beyond the border is the sampler’s to say.',
    edges,
    '',
    { photo: 'photo.jpg', strength: '1.5' },
  ),
  kernel(
    'waves',
    'Waves that make a square',
    'A sum of sines, plotted. More terms, steeper flanks; the overshoot at the corners stays.',
    waves,
    '1024',
    { height: 'zeros', terms: '9' },
  ),
  kernel(
    'group-sums',
    'Sums in local memory',
    'A reduction inside each work-group, half of the work-items at a time, kept in step by barriers.',
    groupSums,
    '65536',
    { numbers: 'range:65536:0:0.001', sums: 'zeros:256', part: 'local:1024' },
    '256',
  ),
  kernel('hello', 'Hello from every work-item', 'printf in a kernel.', hello, '12', {}, '4'),
  kernel(
    'race',
    'A data race',
    'A kernel with a mistake that a run may well not show. The Check panel does.',
    race,
    '1000',
    { numbers: 'range:1000', count: '1000' },
  ),
  ...studies.map(
    ({ name, title, about, options }): Entry => ({
      id: name,
      title,
      about,
      group: 'Case studies',
      load: async () => {
        const source = await kernelsOfStudies[`../../../samples/${name}/${name}.cl`]!();
        return { name: title, language: 'opencl', source, options, launch: noLaunch, study: name };
      },
    }),
  ),
  program('devices', 'Platforms and devices', 'Asks what there is to compute with.', devices),
  program('saxpy-c', 'A whole host program', 'From the platform to the checked result, in C.', saxpy),
];
