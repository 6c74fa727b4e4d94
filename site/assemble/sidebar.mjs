// The order of the pages in the side bars. A document that is not here would be found by nobody: test/site checks it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './places.mjs';
import { samplePages } from './samples.mjs';

const guide = (text, names) => ({
  text,
  items: names.map(([name, title]) => ({ text: title, link: `/guide/${name}` })),
});

export const guideSidebar = [
  guide('Start', [
    ['start', 'Your first kernel'],
    ['javascript', 'Kernels from JavaScript'],
    ['modules', 'Kernels as modules'],
    ['browser', 'In a page'],
    ['book', 'The book, chapter by chapter'],
    ['glossary', 'Glossary'],
  ]),
  guide('Libraries', [
    ['array', 'Arrays'],
    ['blas', 'BLAS'],
    ['linalg', 'Factorizations and solves'],
    ['fft', 'Fourier transforms'],
    ['cluster', 'One launch over many ranks'],
    ['mpi', 'MPI'],
  ]),
  guide('OpenCL', [
    ['opencl-api', 'The host API'],
    ['opencl-2', 'OpenCL 2.0'],
    ['pipes', 'Pipes'],
    ['images', 'Images'],
    ['printf', 'printf'],
    ['built-in-kernels', 'Built-in kernels'],
    ['gl-sharing', 'Sharing with WebGL'],
    ['binaries', 'Binaries'],
    ['build-options', 'Build options'],
    ['webcl', 'WebCL'],
    ['c-hosts', 'Host programs in C'],
    ['cplusplus', 'Host programs in C++'],
  ]),
  guide('Devices', [
    ['runtime', 'The device of compute threads'],
    ['webgpu', 'WebGPU'],
    ['native', 'Machine code'],
    ['native-drivers', 'Native drivers'],
  ]),
  guide('ATI Stream', [
    ['brook', 'Brook+'],
    ['brook-decisions', 'Brook+: decisions'],
    ['cal', 'CAL'],
    ['cal-decisions', 'CAL: decisions'],
    ['il', 'AMD IL'],
    ['r600', 'R600 code'],
  ]),
  guide('Tools', [
    ['command-line', 'The command line'],
    ['playground', 'The playground'],
    ['checker', 'The checker'],
    ['debugger', 'The debugger'],
    ['profiler', 'The profiler'],
    ['performance-model', 'The performance model'],
    ['language-server', 'The language server'],
    ['build-cache', 'The build cache'],
  ]),
  guide('How good it is', [
    ['figures', 'Figures as charts'],
    ['benchmarks', 'Measuring'],
    ['accuracy', 'Accuracy'],
    ['conformance', 'Conformance'],
    ['testing', 'Testing'],
    ['environment', 'Environment and files'],
    ['versioning', 'Versions'],
  ]),
  guide('How it works', [
    ['ir', 'The intermediate representation'],
    ['passes', 'The passes'],
  ]),
];

export const projectSidebar = [
  {
    text: 'The project',
    items: [
      { text: 'Overview', link: '/project/overview' },
      { text: 'Architecture', link: '/project/architecture' },
      { text: 'Contributing', link: '/project/contributing' },
      { text: 'Changes', link: '/project/changelog' },
    ],
  },
];

/** The samples in the order of samples/README.md. */
export function sampleSidebar() {
  const names = [...samplePages(readFileSync(join(projectFolder, 'samples/README.md'), 'utf8')).keys()];
  return [
    {
      text: 'Samples',
      link: '/samples/',
      items: names.map((name) => ({ text: name, link: `/samples/${name}` })),
    },
  ];
}
