/** The words of the debugger's prompt: what each does, and what `help` says of it. They are those of gdb where it has such. */
import {
  type Breakpoint,
  type DebugSession,
  type IntegerBase,
  idText,
  type Stop,
  type WatchKind,
} from 'millrace/debug';
import { counted } from '../arguments/counted.ts';
import { drawInTerminal, writePicture } from '../picture.ts';
import { output, terminalWidth } from '../terminal.ts';
import { wrapWords } from '../wrap-words.ts';
import { placeText, type Sources } from './listing.ts';

/** A mistake in a line that was typed. */
export class WordError extends Error {}

/** What the words work on. */
export interface PromptState {
  readonly session: DebugSession;
  readonly sources: Sources;
  /** Which call is looked at, from the innermost. */
  call: number;
  /** Where `list` goes on. */
  listed: { readonly file: string; readonly line: number } | undefined;
  say(text: string): void;
}

export interface Word {
  readonly names: readonly string[];
  readonly usage: string;
  readonly help: string;
  /** Of words that move the launch. An empty line says them again. */
  move?(session: DebugSession, rest: string): Promise<Stop>;
  /** Of all others. */
  run?(state: PromptState, rest: string, format: string): void;
}

const moving = (
  names: readonly string[],
  help: string,
  move: (session: DebugSession) => Promise<Stop>,
): Word => ({
  names,
  usage: `${names[0]} [TIMES]`,
  help,
  move: async (session, rest) => {
    const times = rest === '' ? 1 : wholeNumber(rest, 'number of times');
    let stop = await move(session);
    // Whatever else it stops for is worth being seen.
    for (let time = 1; time < times && stop.reason === 'step'; time += 1) stop = await move(session);
    return stop;
  },
});

const only = (
  names: readonly string[],
  help: string,
  move: (session: DebugSession) => Promise<Stop>,
): Word => ({
  names,
  usage: names[0]!,
  help,
  move: (session, rest) => {
    if (rest !== '') throw new WordError(`'${names[0]}' takes nothing behind it`);
    return move(session);
  },
});

export const words: readonly Word[] = [
  {
    names: ['break', 'b'],
    usage: 'break [LINE | FILE:LINE | FUNCTION] [item X,Y] [if CONDITION]',
    help: 'stop there; for one work-item; where an expression of OpenCL C is not zero. `break item X,Y`: where it begins',
    run: (state, rest) => addBreakpoint(state, rest, false),
  },
  {
    names: ['tbreak', 'tb'],
    usage: 'tbreak ...',
    help: 'the same for one stop',
    run: (state, rest) => addBreakpoint(state, rest, true),
  },
  watching('watch', 'write', 'stop when somebody writes there, and say who'),
  watching('rwatch', 'read', 'stop when somebody reads there'),
  watching('awatch', 'access', 'stop at either'),
  {
    names: ['delete', 'd'],
    usage: 'delete NUMBER',
    help: 'forget a breakpoint or a watch',
    run: ({ session }, rest) => {
      if (!session.remove(wholeNumber(rest, 'number'))) throw new WordError(`there is no number ${rest}`);
    },
  },
  {
    names: ['ignore'],
    usage: 'ignore NUMBER TIMES',
    help: 'pass a breakpoint so many times from now',
    run: ({ session, say }, rest) => {
      const [number = '', times = ''] = rest.split(/\s+/);
      const breakpoint = breakpointOf(session, number);
      breakpoint.ignore = breakpoint.hits + wholeNumber(times, 'number of times');
      say(`breakpoint ${number} is passed ${times} times`);
    },
  },
  {
    names: ['disable', 'dis'],
    usage: 'disable NUMBER',
    help: 'pass a breakpoint until it is enabled again',
    run: ({ session }, rest) => {
      breakpointOf(session, rest).isEnabled = false;
    },
  },
  {
    names: ['enable', 'en'],
    usage: 'enable NUMBER',
    help: 'stop at a breakpoint again',
    run: ({ session }, rest) => {
      breakpointOf(session, rest).isEnabled = true;
    },
  },
  only(['run', 'r'], 'from the beginning to the first breakpoint', async (session) => {
    const first = await session.start();
    return first.reason === 'entry' ? session.continue() : first;
  }),
  only(['continue', 'c'], 'on to the next breakpoint', (session) => session.continue()),
  moving(['next', 'n'], 'to the next line, over calls', (session) => session.stepOver()),
  moving(['step', 's'], 'to the next line, into calls', (session) => session.stepInto()),
  moving(['finish', 'out'], 'until this function has returned', (session) => session.stepOut()),
  {
    names: ['until', 'u'],
    usage: 'until LINE',
    help: 'until this work-item comes to a line',
    move: (session, rest) => session.runTo(wholeNumber(rest, 'line')),
  },
  moving(['back', 'rn', 'reverse-next'], 'back by a line, over calls', (session) => session.stepBack()),
  moving(['rs', 'reverse-step'], 'back by a line, into calls', (session) => session.stepBackInto()),
  only(['rc', 'reverse-continue'], 'back to the breakpoint before', (session) => session.reverseContinue()),
  {
    names: ['print', 'p'],
    usage: 'print[/x] EXPRESSION',
    help: 'its value; /x hexadecimal, /t binary',
    run: (state, rest, format) => {
      const { type, text } = state.session.evaluate(expression(rest), state.call, baseOf(format));
      state.say(`${output.dim(`${type} `)}${text}`);
    },
  },
  {
    names: ['set'],
    usage: 'set EXPRESSION',
    help: 'evaluate it and keep what it changes, as in `set sum = 0`',
    run: (state, rest) => {
      state.say(state.session.change(expression(rest), state.call).text);
    },
  },
  {
    names: ['x'],
    usage: 'x[/COUNT] EXPRESSION',
    help: 'elements of a buffer or an array, each on a line',
    run: (state, rest, format) => {
      const count = /\d+/.exec(format)?.[0] ?? '16';
      const value = state.session.evaluate(expression(rest), state.call, baseOf(format));
      const parts = value.children(0, Number(count));
      if (parts.length === 0) state.say(value.text);
      for (const { name, text } of parts) state.say(`${output.dim(name.padStart(8))}  ${text}`);
    },
  },
  {
    names: ['info', 'i'],
    usage: 'info locals | args | globals | items | breakpoints',
    help: 'what there is',
    run: (state, rest) => info(state, rest.trim()),
  },
  { names: ['locals'], usage: 'locals', help: 'info locals', run: (state) => info(state, 'locals') },
  {
    names: ['where', 'bt'],
    usage: 'where',
    help: 'the calls that the work-item is in',
    run: where,
  },
  {
    names: ['up'],
    usage: 'up',
    help: 'look at the caller',
    run: (state) => lookAt(state, state.call + 1),
  },
  {
    names: ['down'],
    usage: 'down',
    help: 'look at the callee',
    run: (state) => lookAt(state, state.call - 1),
  },
  {
    names: ['item', 't', 'thread'],
    usage: 'item [X,Y]',
    help: 'look at another work-item of the group, by its global id: it moves from now on. Alone: which one it is',
    run: (state, rest) => {
      if (rest !== '') {
        state.session.select(ids(rest));
        state.call = 0;
      }
      const { global, local, group, state: doing, place } = state.session.selected;
      state.say(
        `work-item ${idText(global)}, local ${idText(local)} of group ${idText(group)}: ${doing}, ${placeText(place)}`,
      );
      if (place) state.say(state.sources.at(place));
    },
  },
  {
    names: ['items'],
    usage: 'items',
    help: 'where all work-items of the group are',
    run: (state) => info(state, 'items'),
  },
  {
    names: ['list', 'l'],
    usage: 'list [LINE]',
    help: 'the source around here, or around a line',
    run: list,
  },
  {
    names: ['picture', 'pic'],
    usage: 'picture EXPRESSION [WIDTH] [FILE]',
    help: 'an image or a buffer of pixels in the terminal, or saved as .png, .jpg, .bmp, .pgm or .ppm',
    run: picture,
  },
];

function watching(name: string, kind: WatchKind, help: string): Word {
  return {
    names: [name],
    usage: `${name} EXPRESSION`,
    help,
    run: ({ session, call, say }, rest) => {
      const { id, text } = session.watch(expression(rest), kind, call);
      say(`watch ${id}: ${text}`);
    },
  };
}

function addBreakpoint({ session, say }: PromptState, rest: string, isOnce: boolean): void {
  const parts = /^(.*?)(?:\bitem\s+([\d,\s]+?))?\s*(?:\bif\b(.*))?$/s.exec(rest.trim())!;
  const place = parts[1]!.trim();
  const item = parts[2] === undefined ? undefined : ids(parts[2]);
  const condition = parts[3]?.trim();
  if (condition === '') throw new WordError("a condition is missing behind 'if'");
  const line = /^(?:(.*):)?(\d+)$/.exec(place);
  const here = session.calls()[0]?.place;
  const where = line
    ? { file: line[1] ?? here?.file, line: Number(line[2]) }
    : place !== ''
      ? { function: place }
      : item
        ? {}
        : { file: here?.file, line: here?.line };
  const made = session.addBreakpoint({ ...where, item, condition, isOnce });
  if (!made.place) {
    session.remove(made.id);
    throw new WordError(`nothing to stop at: ${place} is neither a line with code nor a function`);
  }
  say(`breakpoint ${made.id} at ${placeText(made.place)}`);
}

function info(state: PromptState, what: string): void {
  const { session, say } = state;
  const show = (list: readonly { name: string; type: string; text: string }[]) => {
    const width = Math.max(0, ...list.map(({ name }) => name.length));
    for (const { name, type, text } of list) say(`${name.padEnd(width)}  ${output.dim(type)}  ${text}`);
    if (list.length === 0) say(`no ${what}`);
  };
  switch (what) {
    case 'locals': {
      const { private: own, local } = session.variables(state.call);
      show([...own, ...local]);
      return;
    }
    case 'args':
    case 'arguments':
      show(session.variables(state.call).arguments);
      return;
    case 'globals':
      show(session.variables(state.call).program);
      return;
    case 'items':
      itemsByPlace(state);
      return;
    case 'breakpoints':
    case 'break':
    case 'b':
      for (const { id, place, item, condition, hits, isEnabled } of session.breakpoints) {
        const only = item ? ` item ${item.join(',')}` : '';
        const when = condition === undefined ? '' : ` if ${condition}`;
        say(
          `${String(id).padStart(3)}  ${placeText(place)}${only}${when}, reached ${counted(hits, 'time')}${isEnabled ? '' : ', disabled'}`,
        );
      }
      for (const { id, text, kind } of session.watches) say(`${String(id).padStart(3)}  ${kind} of ${text}`);
      return;
    default:
      throw new WordError('info locals, args, globals, items or breakpoints?');
  }
}

/** Work-items that are at the same place, in the same state, on one line. */
function itemsByPlace({ session, say }: PromptState): void {
  const together = new Map<string, string[]>();
  for (const { global, state, place } of session.items()) {
    const key = state === 'ended' ? state : `${placeText(place)} ${state}`;
    const list = together.get(key) ?? [];
    list.push(idText(global));
    together.set(key, list);
  }
  for (const [key, list] of together) {
    const text = `${output.bold(key)}: ${counted(list.length, 'work-item')} ${list.join(' ')}`;
    say(wrapWords(text, terminalWidth() - 2).join('\n  '));
  }
}

function where({ session, call, say }: PromptState): void {
  session.calls().forEach(({ function: name, place }, index) => {
    say(`${index === call ? output.green('=>') : '  '} #${index}  ${output.bold(name)}  ${placeText(place)}`);
  });
}

function lookAt(state: PromptState, call: number): void {
  const { place } = state.session.calls()[call] ?? {};
  if (!place) throw new WordError(call < 0 ? 'this is the innermost call' : 'this is the kernel itself');
  state.call = call;
  where(state);
  state.say(state.sources.at(place));
}

const listedLines = 11;

function list(state: PromptState, rest: string): void {
  const here = state.session.calls()[state.call]?.place;
  const file = here?.file ?? state.listed?.file ?? state.session.texts.keys().next().value;
  if (file === undefined) throw new WordError('there is no source');
  const middle = rest === '' ? (state.listed?.line ?? here?.line ?? 1) : wholeNumber(rest, 'line');
  const from = Math.max(1, middle - (listedLines >> 1));
  state.say(state.sources.list(file, from, listedLines, here?.file === file ? here.line : undefined));
  state.listed = { file, line: from + listedLines + (listedLines >> 1) };
}

function picture({ session, call, say }: PromptState, rest: string): void {
  const parts = /^(.*?)(?:\s+(\d+))?(?:\s+(\S+\.(?:png|jpe?g|bmp)))?$/.exec(rest.trim())!;
  const width = parts[2] === undefined ? undefined : Number(parts[2]);
  if (width === 0) throw new WordError('a picture is at least one pixel wide');
  const shown = session.picture(expression(parts[1]!), { call, ...(width === undefined ? {} : { width }) });
  const { width: columns, height, data } = shown;
  const plain = { width: columns, height, data: new Uint8Array(data.buffer) };
  if (parts[3] !== undefined) {
    writePicture(parts[3], plain);
    say(`${columns} x ${height} pixels saved to ${parts[3]}`);
  } else say(drawInTerminal(plain, Math.min(terminalWidth(), 100)).trimEnd());
}

function breakpointOf(session: DebugSession, number: string): Breakpoint {
  const found = session.breakpoints.find(({ id }) => id === wholeNumber(number, 'number of a breakpoint'));
  if (!found) throw new WordError(`there is no breakpoint ${number}`);
  return found;
}

function expression(text: string): string {
  if (text.trim() === '') throw new WordError('an expression is missing');
  return text.trim();
}

function wholeNumber(text: string, what: string): number {
  if (!/^\d+$/.test(text.trim())) throw new WordError(`'${text}' is no ${what}`);
  return Number(text);
}

/** `3,4`, `(3, 4)`, `3 4` */
function ids(text: string): number[] {
  const numbers = text.replace(/[(),]/g, ' ').trim().split(/\s+/);
  return numbers.map((number) => wholeNumber(number, 'id of a work-item'));
}

function baseOf(format: string): IntegerBase {
  return format.includes('x') ? 'hexadecimal' : format.includes('t') ? 'binary' : 'decimal';
}
