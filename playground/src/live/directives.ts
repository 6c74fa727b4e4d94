/**
 * What a source says in comments about how it moves: `@slider` gives a number its range, `@start` names the kernels that run once,
 * `@frame` those of each frame. docs/playground.md has the words.
 */

/** The range of a number that a person may drag. */
export interface SliderRange {
  readonly low: number;
  readonly high: number;
  /** Undefined: whole numbers for integers, a two-hundredth of the range for others. */
  readonly step: number | undefined;
  /** Where it begins if the launch does not say. */
  readonly first: number | undefined;
}

/** Where a number begins: as its comment says, or in the middle. */
export function firstOf({ low, high, first }: SliderRange): number {
  if (first !== undefined) return first;
  const middle = (low + high) / 2;
  // A whole number for integers; of others nobody misses the half.
  return Number.isInteger(low) && Number.isInteger(high) && high - low > 2 ? Math.round(middle) : middle;
}

/** One launch of a frame. */
export interface FrameStep {
  readonly kernel: string;
  /** Empty: as the launch form says. */
  readonly global: readonly number[];
  /** Buffers that change places after each launch, by the names of parameters. */
  readonly exchanges: readonly (readonly [string, string])[];
  readonly count: number;
}

export interface Directives {
  readonly sliders: ReadonlyMap<string, SliderRange>;
  readonly start: readonly FrameStep[];
  readonly frame: readonly FrameStep[];
}

/** A source whose directives cannot be read, in words for the page. */
export class DirectiveError extends Error {}

const number = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`;
const slider = new RegExp(
  String.raw`@slider\s+(?:([A-Za-z_]\w*)\s+)?(${number})\s*\.\.\s*(${number})(?:\s+step\s+(${number}))?(?:\s*=\s*(${number}))?`,
);
/** The parameter that a comment is behind: the last name before it, and what may follow a parameter. */
const lastName = /([A-Za-z_]\w*)\s*(?:[,)]\s*)*\{?\s*$/;
const mostLaunches = 1000;

/** @throws DirectiveError */
export function readDirectives(source: string): Directives {
  const sliders = new Map<string, SliderRange>();
  const start: FrameStep[] = [];
  const frame: FrameStep[] = [];
  for (const [at, line] of source.split('\n').entries()) {
    const comment = /\/\/|\/\*/.exec(line);
    if (!comment) continue;
    const said = line.slice(comment.index);
    const word = /^\/[/*]\s*@(slider|start|frame)\b/.exec(said)?.[1];
    if (word === 'slider') {
      const found = slider.exec(said);
      const name = found?.[1] ?? lastName.exec(line.slice(0, comment.index))?.[1];
      if (!found || name === undefined)
        throw new DirectiveError(
          `line ${at + 1}: write @slider 0..10 behind a parameter, or @slider NAME 0..10`,
        );
      const [low, high] = [Number(found[2]), Number(found[3])];
      const step = found[4] === undefined ? undefined : Number(found[4]);
      if (!(low < high) || (step !== undefined && !(step > 0)))
        throw new DirectiveError(`line ${at + 1}: the range of '${name}' is empty`);
      sliders.set(name, { low, high, step, first: found[5] === undefined ? undefined : Number(found[5]) });
    } else if (word) {
      const text = said.replace(/^\/[/*]\s*@\w+/, '').replace(/\*\/\s*$/, '');
      (word === 'start' ? start : frame).push(...readSteps(text, at + 1));
    }
  }
  return { sliders, start, frame };
}

/** `advect u<->v, jacobi p<->q *20, draw[512,512]`. */
function readSteps(text: string, line: number): FrameStep[] {
  // Commas in brackets are between sizes.
  return text.split(/,(?![^[]*\])/).map((part): FrameStep => {
    const found =
      /^\s*([A-Za-z_]\w*)\s*(?:\[([\d\s,]+)\])?((?:\s+[A-Za-z_]\w*\s*<->\s*[A-Za-z_]\w*)*)\s*(?:\*\s*(\d+))?\s*$/.exec(
        part,
      );
    if (!found)
      throw new DirectiveError(
        `line ${line}: '${part.trim()}' is no launch; write KERNEL, KERNEL[WIDTH,HEIGHT], KERNEL a<->b or KERNEL *8`,
      );
    const global = (found[2] ?? '')
      .split(',')
      .filter((size) => size.trim() !== '')
      .map(Number);
    const exchanges = [...(found[3] ?? '').matchAll(/(\w+)\s*<->\s*(\w+)/g)].map(
      ([, one, other]) => [one!, other!] as const,
    );
    const count = Number(found[4] ?? 1);
    if (global.length > 3 || global.some((size) => size < 1) || count < 1 || count > mostLaunches)
      throw new DirectiveError(
        `line ${line}: '${part.trim()}' needs one to three sizes, and at most ${mostLaunches} launches`,
      );
    return { kernel: found[1]!, global, exchanges, count };
  });
}
