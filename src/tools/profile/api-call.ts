/** A call of a function of a host API, as logs, traces and tables have it. */
export interface ApiCall {
  /** Counted from 1 in the order in which calls began, for each thread of JavaScript. */
  readonly index: number;
  /** The thread of the host program that made it; 0 is the main one. */
  readonly thread: number;
  /** `OpenCL`, `CAL`, `Brook+`, `WebCL`, `Millrace` (the short form). */
  readonly api: string;
  /** `clFinish`; a method with its class, `CLCommandQueue.finish`. */
  readonly name: string;
  /** The object whose method it is, `CLCommandQueue#1`; empty for functions. */
  readonly object: string;
  /** Each in words; of C with the parameter's name before it. */
  readonly args: readonly string[];
  /** Nanoseconds on the clock of events; in a profile from its beginning. */
  readonly started: number;
  /** Of what gives a promise: when that was kept. */
  readonly ended: number;
  /** What it gave, in words; of C for functions that give no code, the code that they wrote, too. Empty for nothing. */
  readonly result: string;
  /** 0, or the code of the error; undefined for an error that has none. */
  readonly code: number | undefined;
  /** The words of the error that the call threw, or stands behind its code. */
  readonly message?: string | undefined;
}

/** A call that has begun. */
export type BegunCall = Pick<ApiCall, 'index' | 'thread' | 'api' | 'name' | 'object' | 'args' | 'started'>;

/** Who is told of calls, on the thread that makes them. */
export interface CallListener {
  /** Before it does anything. */
  begun?(call: BegunCall): void;
  /** After it, before the program goes on. */
  ended?(call: ApiCall): void;
}

/** Whether it failed. */
export function hasFailed({ code }: Pick<ApiCall, 'code'>): boolean {
  return code !== 0;
}

/** The call as a program would write it. */
export function callText({ api, name, object, args }: BegunCall): string {
  const shownName = object === '' ? name : `${object}.${name.slice(name.indexOf('.') + 1)}`;
  return `${api === 'OpenCL' || api === 'CAL' ? '' : `${api}: `}${shownName}(${args.join(', ')})`;
}

/** What became of it, with the words of an error. */
export function outcomeText({ result, message }: ApiCall): string {
  // Words of compilers have lines.
  const words = message === undefined ? '' : `: ${message.split('\n', 1)[0]}`;
  return `${result}${words}`;
}

/** Milliseconds with three digits behind the point: a log's are microseconds. */
function milliseconds(nanoseconds: number): string {
  return (nanoseconds / 1e6).toFixed(3);
}

/** What stands above the lines of a log. */
export const logHeading = '#  index  thread     start ms  duration ms  call = result\n';

/** A line of a log. @param origin the time from which starts are counted */
export function logLine(call: ApiCall, origin: number): string {
  const { index, thread, started, ended } = call;
  const columns = [
    String(index).padStart(8),
    String(thread).padStart(6),
    milliseconds(started - origin).padStart(11),
    milliseconds(ended - started).padStart(11),
  ];
  const outcome = outcomeText(call);
  return `${columns.join('  ')}  ${callText(call)}${outcome === '' ? '' : ` = ${outcome}`}\n`;
}
