/** A profile out of the trace that trace.ts has written. The text may be anything: each value is looked at. */
import type { ApiCall } from './api-call.ts';
import type { BuildRecord, CommandRecord, DeviceRecord, Profile, ThreadSpan } from './profile.ts';
import { traceFormat } from './trace.ts';

/** The text is no trace with a profile; the message says why. */
export class TraceError extends Error {
  override readonly name = 'TraceError';
}

type Fields = Readonly<Record<string, unknown>>;

/** @throws TraceError */
export function readTrace(text: string): Profile {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new TraceError('it is no JSON');
  }
  const trace = fieldsOf(json, 'the trace');
  const { otherData } = trace;
  if (!isFields(otherData) || otherData['format'] !== traceFormat) {
    throw new TraceError(`it is no trace of millrace run --profile (otherData.format is not ${traceFormat})`);
  }
  const devices = listIn(otherData, 'devices').map((each): DeviceRecord => {
    const device = fieldsOf(each, 'a device');
    return { name: textIn(device, 'name'), units: numberIn(device, 'units') };
  });
  const commands: CommandRecord[] = [];
  const builds: BuildRecord[] = [];
  const calls: ApiCall[] = [];
  for (const each of listIn(trace, 'traceEvents')) {
    const event = fieldsOf(each, 'an event');
    const { ph, cat } = event;
    if (ph === 'X' && cat === 'call') calls.push(callOf(fieldsOf(event['args'], 'args of a call')));
    if (ph !== 'X' || (cat !== 'command' && cat !== 'build')) continue;
    const device = numberIn(event, 'pid') - 1;
    if (!devices[device]) throw new TraceError(`an event has the pid ${device + 1}, which is no device's`);
    const args = fieldsOf(event['args'], 'args of an event');
    if (cat === 'command') commands.push(commandOf(device, devices[device].units, args));
    else builds.push(buildOf(device, args));
  }
  const [unfinished, missed] = [numberIn(otherData, 'unfinished'), numberIn(otherData, 'missed')];
  // Older traces say nothing of threads, nor of calls.
  const missedSpans = otherData['missedSpans'] === undefined ? 0 : numberIn(otherData, 'missedSpans');
  const missedCalls = otherData['missedCalls'] === undefined ? 0 : numberIn(otherData, 'missedCalls');
  return { devices, commands, builds, calls, unfinished, missed, missedSpans, missedCalls };
}

function commandOf(device: number, units: number, args: Fields): CommandRecord {
  const sizes = (name: string): readonly number[] | undefined => {
    if (args[name] === undefined) return undefined;
    const list = listIn(args, name);
    if (list.length >= 1 && list.length <= 3 && list.every((size) => Number(size) >= 1)) {
      return list.map(Number);
    }
    throw new TraceError(`${name} of a command is ${JSON.stringify(list)}`);
  };
  const [global, local] = [sizes('global'), sizes('local')];
  const command = {
    device,
    queue: numberIn(args, 'queue'),
    kind: textIn(args, 'kind'),
    ...(args['kernel'] === undefined ? {} : { kernel: textIn(args, 'kernel') }),
    ...(global ? { global } : {}),
    ...(local ? { local } : {}),
    bytes: numberIn(args, 'bytes'),
    queued: numberIn(args, 'queued'),
    submitted: numberIn(args, 'submitted'),
    started: numberIn(args, 'started'),
    ended: numberIn(args, 'ended'),
    ...(args['threads'] === undefined ? {} : { threads: spansIn(args, units) }),
    status: numberIn(args, 'status', Number.NEGATIVE_INFINITY),
  };
  if (global?.length !== (local ?? global)?.length) {
    throw new TraceError('a command has a local size of other dimensions than its global size');
  }
  if (command.started < command.queued || command.ended < command.started) {
    throw new TraceError('a command ended before it started, or started before it was queued');
  }
  return command;
}

function spansIn(args: Fields, units: number): ThreadSpan[] {
  return listIn(args, 'threads').map((each) => {
    const span = fieldsOf(each, 'a span of a thread');
    const [thread, started] = [numberIn(span, 'thread'), numberIn(span, 'started')];
    if (!Number.isInteger(thread) || thread >= units) {
      throw new TraceError(`thread of a span is ${thread}, of ${units}`);
    }
    return { thread, started, ended: numberIn(span, 'ended', started) };
  });
}

const compilations = ['compile', 'baseline', 'wasm'] as const;

function buildOf(device: number, args: Fields): BuildRecord {
  const kind = compilations.find((each) => each === args['kind']) ?? 'build';
  const kernels = listIn(args, 'kernels').map((name) => printable(String(name)));
  return { device, kind, kernels, started: numberIn(args, 'started'), ended: numberIn(args, 'ended') };
}

function callOf(args: Fields): ApiCall {
  const started = numberIn(args, 'started');
  return {
    index: numberIn(args, 'index'),
    thread: numberIn(args, 'thread'),
    api: textIn(args, 'api'),
    name: textIn(args, 'name'),
    object: textIn(args, 'object'),
    args: listIn(args, 'args').map((arg) => printable(String(arg))),
    started,
    ended: numberIn(args, 'ended', started),
    result: textIn(args, 'result'),
    code: args['code'] === undefined ? undefined : numberIn(args, 'code', Number.NEGATIVE_INFINITY),
    ...(args['message'] === undefined ? {} : { message: textIn(args, 'message') }),
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown, what: string): Fields {
  if (!isFields(value)) throw new TraceError(`${what} is no object`);
  return value;
}

function listIn(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  if (!Array.isArray(value)) throw new TraceError(`${name} is no list`);
  return value;
}

function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new TraceError(`${name} is no text`);
  return printable(value);
}

/** Text that a terminal shows and does not obey. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}

function numberIn(fields: Fields, name: string, least = 0): number {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new TraceError(`${name} is no number`);
  if (value < least) throw new TraceError(`${name} is ${value}, less than ${least}`);
  return value;
}
