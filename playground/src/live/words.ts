/**
 * Arguments that are new in each frame: `time`, `frame`, `mouse` and `camera` as words of the launch form, or guessed from the names
 * of parameters. For whatever needs a launch that stands still (Run, Check, the debugger) there are words of the command line for the
 * first frame.
 */
import type { KernelParameter } from 'millrace';

/** What a frame is given. */
export interface FrameInputs {
  /** Seconds since the beginning. */
  readonly time: number;
  readonly frame: number;
  /** In pixels of the picture, from the upper left. */
  readonly mouse: { readonly x: number; readonly y: number; readonly pressed: boolean };
}

export const firstInputs: FrameInputs = { time: 0, frame: 0, mouse: { x: -1, y: -1, pressed: false } };

export type LiveWord =
  | { readonly kind: 'time' | 'frame' | 'mouse' | 'mouse:x' | 'mouse:y' | 'mouse:pressed' }
  | { readonly kind: 'camera'; readonly width: number; readonly height: number };

/** What the camera is if nothing says how large. */
const cameraSize = { width: 320, height: 240 };
const mostCameraSide = 4096;

const plain = ['time', 'frame', 'mouse', 'mouse:x', 'mouse:y', 'mouse:pressed'] as const;

/** A word of the form, if it is one of these. */
export function readLiveWord(text: string): LiveWord | undefined {
  const word = text.trim();
  const kind = plain.find((one) => one === word);
  if (kind) return { kind };
  const camera = /^camera(?::(\d+)x(\d+))?$/.exec(word);
  if (!camera) return undefined;
  const [width, height] =
    camera[1] === undefined ? [cameraSize.width, cameraSize.height] : [Number(camera[1]), Number(camera[2])];
  const isPossible = [width, height].every((side) => side >= 1 && side <= mostCameraSide);
  return isPossible ? { kind: 'camera', width, height } : undefined;
}

type Named = Pick<KernelParameter, 'name' | 'typeName' | 'kind'>;

/** By the names that people give such parameters. */
function guessLiveWord({ name, typeName, kind }: Named): LiveWord | undefined {
  const word = name.toLowerCase().replace(/[^a-z]/g, '');
  if (kind === 'value') {
    const isVector = /(2|4)$/.test(typeName);
    if (/^(float|double)$/.test(typeName) && /^(t|time|seconds)$/.test(word)) return { kind: 'time' };
    if (/^frames?$/.test(word) && !isVector) return { kind: 'frame' };
    if (word === 'mouse' && isVector) return { kind: 'mouse' };
    if (word === 'mousex') return { kind: 'mouse:x' };
    if (word === 'mousey') return { kind: 'mouse:y' };
    if (word === 'pressed' || word === 'mousepressed') return { kind: 'mouse:pressed' };
  }
  const isPicture = kind === 'image' || kind === 'global' || kind === 'constant';
  return isPicture && word === 'camera' ? { kind: 'camera', ...cameraSize } : undefined;
}

/** What the form says of a parameter, or what its name says if the form says nothing. */
export function liveWordOf(parameter: Named, args: Readonly<Record<string, string>>): LiveWord | undefined {
  const given = args[parameter.name]?.trim();
  return given ? readLiveWord(given) : guessLiveWord(parameter);
}

/** The numbers of a frame, one or as many as a vector has lanes. */
export function valuesOf(
  { kind }: Exclude<LiveWord, { kind: 'camera' }>,
  { time, frame, mouse }: FrameInputs,
  lanes: number,
  isWhole: boolean,
): string[] {
  const all = { time: [time], frame: [frame], mouse: [mouse.x, mouse.y, Number(mouse.pressed), 0] };
  const parts = { 'mouse:x': [mouse.x], 'mouse:y': [mouse.y], 'mouse:pressed': [Number(mouse.pressed)] };
  const numbers: readonly number[] = { ...all, ...parts }[kind];
  const fitting = kind === 'mouse' ? numbers.slice(0, lanes) : numbers;
  return fitting.map((value) => String(isWhole ? Math.floor(value) : value));
}

/** The name of the file that is the camera's picture in words of the command line. */
export const cameraFile = (width: number, height: number) => `camera-${width}x${height}.png`;

/** The words of the first frame, for a launch that stands still; files of `cameraFile` have to be there. */
export function stillWords(
  parameters: readonly KernelParameter[],
  args: Readonly<Record<string, string>>,
): {
  readonly args: Readonly<Record<string, string>>;
  readonly cameras: readonly (readonly [number, number])[];
} {
  const still: Record<string, string> = { ...args };
  const cameras: [number, number][] = [];
  for (const parameter of parameters) {
    const word = liveWordOf(parameter, args);
    if (!word) continue;
    if (word.kind === 'camera') {
      still[parameter.name] = cameraFile(word.width, word.height);
      cameras.push([word.width, word.height]);
      continue;
    }
    const { layout } = parameter;
    const lanes = layout?.kind === 'vector' ? layout.lanes : 1;
    const element = layout?.kind === 'vector' ? layout.element : layout;
    const values = valuesOf(word, firstInputs, lanes, element?.kind !== 'float');
    const isUnsigned = element?.kind === 'integer' && !element.signed;
    const texts = values.map((value) => (isUnsigned && value.startsWith('-') ? '0' : value));
    still[parameter.name] = texts.length === 1 ? texts[0]! : `(${texts.join(',')})`;
  }
  return { args: still, cameras };
}
