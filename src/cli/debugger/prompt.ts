/** The debugger's prompt: reads lines from a terminal or from a script, does what they say, and tells where the launch stands. */
import { createInterface } from 'node:readline';
import { type DebugSession, ExpressionError, idText, type Stop } from 'millrace/debug';
import { FailureError } from '../errors.ts';
import { messages, output } from '../terminal.ts';
import { type PromptState, type Word, WordError, words } from './commands.ts';
import { placeText, Sources } from './listing.ts';

/** The exit code of those whom an interrupt ends. */
const interrupted = 130;

/** Serves until its input ends or says `quit`. */
export async function runPrompt(session: DebugSession): Promise<void> {
  const isTerminal = process.stdin.isTTY === true;
  const state: PromptState = {
    session,
    sources: new Sources(session),
    call: 0,
    listed: undefined,
    say: (text) => console.log(text),
  };
  const reader = createInterface({
    input: process.stdin,
    output: isTerminal ? process.stdout : undefined,
    prompt: output.bold('(millrace) '),
    completer: complete,
  });
  const interrupt = () => {
    if (session.isMoving) session.pause();
    else if (!isTerminal) process.exit(interrupted);
    else {
      console.log('\nquit leaves');
      reader.prompt();
    }
  };
  reader.on('SIGINT', interrupt);
  // Without a terminal nobody reads keys; the signal comes to the process.
  process.on('SIGINT', interrupt);
  tell(state, await session.start());
  let last: string | undefined;
  if (isTerminal) reader.prompt();
  for await (const line of reader) {
    const typed = line.trim() === '' && isTerminal ? (last ?? '') : line.trim();
    if (/^(?:quit|q|exit)$/.test(typed)) break;
    if (typed !== '' && !typed.startsWith('#')) {
      const word = await obey(state, typed);
      last = word?.move ? typed : undefined;
    }
    if (isTerminal) reader.prompt();
  }
  reader.close();
}

/** Does what a line says. What was wrong with it is said, too. */
async function obey(state: PromptState, line: string): Promise<Word | undefined> {
  const [, name = '', format = '', rest = ''] = /^([a-z-]+)(?:\/(\w*))?\s*(.*)$/s.exec(line) ?? [];
  try {
    if (name === 'help' || name === 'h') {
      help(state, rest);
      return undefined;
    }
    const word = wordOf(name);
    if (word.move) {
      const stop = await word.move(state.session, rest.trim());
      state.call = 0;
      state.listed = undefined;
      tell(state, stop);
    } else word.run?.(state, rest.trim(), format);
    return word;
  } catch (error) {
    const isMistake =
      error instanceof WordError ||
      error instanceof ExpressionError ||
      error instanceof RangeError ||
      error instanceof FailureError;
    if (!isMistake) throw error;
    state.say(messages.red(error.message));
    return undefined;
  }
}

/** A word by one of its names, or by a beginning of one that no other has. */
function wordOf(name: string): Word {
  const exact = words.find(({ names }) => names.includes(name));
  if (exact) return exact;
  const near = words.filter(({ names }) => name !== '' && names.some((one) => one.startsWith(name)));
  if (near.length === 1) return near[0]!;
  const which = near.length > 1 ? `: ${near.map(({ names }) => names[0]).join(', ')}?` : '';
  throw new WordError(`'${name}' is no word of the debugger${which} (help lists them)`);
}

/** Where it stands and why. */
function tell(
  { session, sources, say }: PromptState,
  { reason, message, breakpoint, item, place }: Stop,
): void {
  if (reason === 'ended' || !item) {
    say(output.bold('the launch has ended; back leads into it again'));
    return;
  }
  const who = `work-item ${idText(item.global)}`;
  const in_ = session.calls()[0]?.function ?? session.kernel;
  const why =
    reason === 'breakpoint'
      ? `breakpoint ${breakpoint?.id}, `
      : reason === 'fault'
        ? output.red('fault, ')
        : reason === 'pause'
          ? 'paused, '
          : '';
  say(`${why}${output.bold(who)} in ${in_} at ${placeText(place)}`);
  if (message !== undefined) say(reason === 'fault' ? output.red(message) : message);
  if (place) say(sources.at(place));
}

function help({ say }: PromptState, asked: string): void {
  const chosen = asked.trim() === '' ? words : [wordOf(asked.trim())];
  for (const { names, usage, help: text } of chosen) {
    const others = names.slice(1).join(', ');
    say(`${output.bold(usage)}${others === '' ? '' : output.dim(`  (${others})`)}\n    ${text}`);
  }
  if (chosen === words) say(`${output.bold('quit')}\n    leave`);
}

function complete(line: string): [string[], string] {
  const found = words.flatMap(({ names }) => names.filter((name) => name.startsWith(line)));
  return [found, line];
}
