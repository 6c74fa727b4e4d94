/** Kernels that move: each is drawn frame after frame as soon as it is opened. */
import { type Document, noLaunch } from '../document.ts';

interface Living {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  load(): Promise<Document>;
}

const sources = import.meta.glob<string>('./living/*.cl', { query: '?raw', import: 'default' });

function living(
  id: string,
  title: string,
  about: string,
  [width, height]: readonly [number, number],
  args: Readonly<Record<string, string>>,
): Living {
  const load = async (): Promise<Document> => ({
    name: title,
    language: 'opencl',
    source: await sources[`./living/${id}.cl`]!(),
    options: '',
    launch: {
      ...noLaunch,
      global: `${width},${height}`,
      args: { image: `zeros:${width}x${height}`, ...args },
    },
    study: '',
    live: true,
  });
  return { id, title, about, load };
}

export const livingKernels: readonly Living[] = [
  living(
    'reaction-diffusion',
    'Reaction and diffusion',
    'Two substances, twelve steps a frame. Feed and kill decide between spots, worms and nothing.',
    [320, 240],
    { from: 'zeros', to: 'zeros', feed: '0.037', kill: '0.06', mouse: 'mouse' },
  ),
  living(
    'fluid',
    'A fluid with ink',
    'Stable fluids: seven kernels and 30 launches a frame. Drag to push it.',
    [256, 192],
    {
      speed: 'zeros',
      speed_next: 'zeros',
      pressure: 'zeros',
      pressure_next: 'zeros',
      divergence: 'zeros',
      ink: 'zeros',
      ink_next: 'zeros',
      time: 'time',
      mouse: 'mouse',
      force: '0.7',
      calm: '0.995',
    },
  ),
  living(
    'n-body',
    'Two discs of bodies',
    'Each of 1536 bodies is drawn to all others. Gravity and softening are on sliders.',
    [480, 320],
    {
      bodies: 'zeros:1536',
      bodies_next: 'zeros:1536',
      speed: 'zeros:1536',
      light: 'zeros:153600',
      image_width: '480',
      image_height: '320',
      gravity: '0.35',
      softening: '0.05',
    },
  ),
  living(
    'ray-marcher',
    'Spheres that melt',
    'Rays through a field of distances, with soft shadows. Move the pointer to go around.',
    [400, 260],
    { time: 'time', mouse: 'mouse', melt: '0.18', height_of_eye: '1.2' },
  ),
  living('cells', 'The game of life', 'Cells that leave a trace. Press to draw living ones.', [480, 320], {
    cells: 'zeros',
    cells_next: 'zeros',
    density: '0.28',
    mouse: 'mouse',
  }),
  living(
    'camera-filters',
    'Filters on the camera',
    'Edges, relief, sketch and glow, on your camera or on a drawn scene; the pointer divides.',
    [480, 360],
    { camera: 'camera:480x360', mouse: 'mouse', kind: '0', strength: '1.2' },
  ),
  living(
    'particles',
    'Sixty thousand particles',
    'A field of swirls; the pointer draws them to itself, and pressed it drives them away.',
    [600, 400],
    {
      dots: 'zeros:60000',
      light: 'zeros:240000',
      extent: '(600,400)',
      time: 'time',
      mouse: 'mouse',
      swirl: '0.12',
      drag: '0.96',
    },
  ),
  living(
    'mandelbrot-zoom',
    'Into the Mandelbrot set',
    'A journey towards the border and back, as deep as single precision goes.',
    [480, 320],
    { time: 'time', mouse: 'mouse', depth: '8', steps: '220', colours: '0.12' },
  ),
  living(
    'ripples',
    'Rain on a pond',
    'The wave equation, over tiles that the water bends. Press to throw stones.',
    [480, 320],
    {
      before: 'zeros',
      water: 'zeros',
      after: 'zeros',
      frame: 'frame',
      mouse: 'mouse',
      speed: '0.3',
      calm: '0.994',
    },
  ),
  living('clouds', 'Clouds', 'Noise of several sizes, lit from one side.', [480, 300], {
    time: 'time',
    amount: '0.5',
    size: '3',
    octaves: '5',
  }),
];
