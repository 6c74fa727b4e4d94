/**
 * A debugger for editors: the Debug Adapter Protocol over a {@link DebugSession}. Threads are the work-items of the group that
 * runs; their number is that in the group, and one.
 */
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import {
  DebugSession as AdapterBase,
  Breakpoint as AdapterBreakpoint,
  InitializedEvent,
  OutputEvent,
  Scope,
  Source,
  StackFrame,
  StoppedEvent,
  TerminatedEvent,
  Thread,
} from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import {
  type Breakpoint,
  type DebugSession,
  type DebugValue,
  idText,
  type Stop,
  type StopReason,
  type WatchKind,
} from 'millrace/debug';
import { readDebugArguments } from '../commands/debug.ts';
import { beginDebugging } from './begin.ts';

interface LaunchArguments extends DebugProtocol.LaunchRequestArguments {
  /** A kernel's or a host program's file. */
  readonly program: string;
  /** As on the command line of `millrace debug`: options of the launch for a kernel, the program's own for a host. */
  readonly args?: readonly string[];
  /** Of a host: which launch; of this kernel, if one is named. */
  readonly launch?: number;
  readonly kernel?: string;
  readonly cwd?: string;
  /** Default true. */
  readonly stopOnEntry?: boolean;
}

const reasons: Readonly<Record<StopReason, string>> = {
  entry: 'entry',
  step: 'step',
  breakpoint: 'breakpoint',
  watch: 'data breakpoint',
  fault: 'exception',
  pause: 'pause',
  ended: 'end',
};

const watchKinds: Readonly<Record<DebugProtocol.DataBreakpointAccessType, WatchKind>> = {
  read: 'read',
  write: 'write',
  readWrite: 'access',
};

/** Values that an editor may ask more of, and the frame whose names they are called by. */
interface Shown {
  readonly values: (start: number, count: number) => readonly DebugValue[];
  readonly frame: number | undefined;
}

/** Frames of one work-item. */
const framesOfItem = 1000;

export class MillraceAdapter extends AdapterBase {
  #session: DebugSession | undefined;
  #stopsOnEntry = true;
  #hasEnded = false;
  /** What the editor may ask more of, until something moves; references are indices and one. */
  #values: Shown[] = [];
  /** Sources that are in no file, by their reference. */
  readonly #texts: string[] = [];

  constructor() {
    super();
    this.setDebuggerLinesStartAt1(true);
    this.setDebuggerColumnsStartAt1(true);
  }

  /** Shows in the editor's console what the program has written. */
  show(text: string, category: 'stdout' | 'stderr'): void {
    this.sendEvent(new OutputEvent(text, category));
  }

  /** Requests that come before a launch are an editor's mistake. */
  get #debugged(): DebugSession {
    if (!this.#session) throw new Error('nothing has been launched');
    return this.#session;
  }

  /** Whatever goes wrong is an answer, too. */
  #answer(response: DebugProtocol.Response, work: () => void | Promise<void>): void {
    const failed = (error: unknown) => {
      const format = (error as Error).message.replace(/[{}]/g, '');
      this.sendErrorResponse(response, { id: 1, format, showUser: true });
    };
    try {
      const done = work();
      if (done) done.then(() => this.sendResponse(response), failed);
      else this.sendResponse(response);
    } catch (error) {
      failed(error);
    }
  }

  protected override initializeRequest(response: DebugProtocol.InitializeResponse): void {
    response.body = {
      supportsConfigurationDoneRequest: true,
      supportsConditionalBreakpoints: true,
      supportsHitConditionalBreakpoints: true,
      supportsFunctionBreakpoints: true,
      supportsDataBreakpoints: true,
      supportsStepBack: true,
      supportsEvaluateForHovers: true,
      supportsSetVariable: true,
      supportsTerminateRequest: true,
    };
    this.sendResponse(response);
  }

  protected override launchRequest(response: DebugProtocol.LaunchResponse, given: LaunchArguments): void {
    this.#answer(response, async () => {
      const { program, args = [], launch, kernel, cwd, stopOnEntry = true } = given;
      if (typeof program !== 'string') throw new Error('the launch names no program');
      this.#stopsOnEntry = stopOnEntry;
      if (cwd !== undefined) process.chdir(cwd);
      const chosen = [
        ...(launch === undefined ? [] : ['--launch', String(launch)]),
        ...(kernel === undefined ? [] : ['--kernel', kernel]),
      ];
      const { file, rest, options } = readDebugArguments([...chosen, program, ...args]);
      this.#session = await beginDebugging(file, rest, options, (text) => this.show(text, 'stdout'));
      // Now it can be told where breakpoints are.
      this.sendEvent(new InitializedEvent());
    });
  }

  protected override configurationDoneRequest(response: DebugProtocol.ConfigurationDoneResponse): void {
    this.#answer(response, () => {
      const session = this.#debugged;
      this.#move(async () => {
        const first = await session.start();
        return this.#stopsOnEntry || first.reason !== 'entry' ? first : session.continue();
      });
    });
  }

  // -------------------------------------------------------------------------------------------------- moving

  #move(work: () => Promise<Stop>): void {
    this.#values = [];
    work().then(
      (stop) => this.#tell(stop),
      (error) => {
        this.show(`${(error as Error).message}\n`, 'stderr');
        this.sendEvent(new TerminatedEvent());
      },
    );
  }

  #tell({ reason, message, item, breakpoint }: Stop): void {
    // At its end a launch can still be gone back in.
    this.#hasEnded = reason === 'ended';
    const text = this.#hasEnded ? 'The launch has ended. Step back, or continue to leave.' : message;
    const event = new StoppedEvent(reasons[reason], (item?.index ?? 0) + 1) as DebugProtocol.StoppedEvent;
    Object.assign(event.body, {
      allThreadsStopped: true,
      ...(text === undefined ? {} : { text, description: text }),
      ...(breakpoint ? { hitBreakpointIds: [breakpoint.id] } : {}),
    });
    this.sendEvent(event);
  }

  /** Moves the work-item that the editor names. */
  #moveItem(
    response: DebugProtocol.Response,
    thread: number,
    work: (session: DebugSession) => Promise<Stop>,
  ): void {
    this.#answer(response, () => {
      const session = this.#debugged;
      if (session.items()[thread - 1]) session.select(thread - 1);
      this.#move(() => work(session));
    });
  }

  protected override continueRequest(
    response: DebugProtocol.ContinueResponse,
    { threadId }: DebugProtocol.ContinueArguments,
  ): void {
    if (this.#hasEnded) {
      this.sendResponse(response);
      this.sendEvent(new TerminatedEvent());
      return;
    }
    response.body = { allThreadsContinued: true };
    this.#moveItem(response, threadId, (session) => session.continue());
  }

  protected override reverseContinueRequest(
    response: DebugProtocol.ReverseContinueResponse,
    { threadId }: DebugProtocol.ReverseContinueArguments,
  ): void {
    this.#moveItem(response, threadId, (session) => session.reverseContinue());
  }

  protected override nextRequest(
    response: DebugProtocol.NextResponse,
    { threadId }: DebugProtocol.NextArguments,
  ): void {
    this.#moveItem(response, threadId, (session) => session.stepOver());
  }

  protected override stepInRequest(
    response: DebugProtocol.StepInResponse,
    { threadId }: DebugProtocol.StepInArguments,
  ): void {
    this.#moveItem(response, threadId, (session) => session.stepInto());
  }

  protected override stepOutRequest(
    response: DebugProtocol.StepOutResponse,
    { threadId }: DebugProtocol.StepOutArguments,
  ): void {
    this.#moveItem(response, threadId, (session) => session.stepOut());
  }

  protected override stepBackRequest(
    response: DebugProtocol.StepBackResponse,
    { threadId }: DebugProtocol.StepBackArguments,
  ): void {
    this.#moveItem(response, threadId, (session) => session.stepBack());
  }

  protected override pauseRequest(response: DebugProtocol.PauseResponse): void {
    this.#answer(response, () => this.#debugged.pause());
  }

  protected override terminateRequest(response: DebugProtocol.TerminateResponse): void {
    this.#answer(response, () => {
      this.#session?.pause();
      this.sendEvent(new TerminatedEvent());
    });
  }

  // --------------------------------------------------------------------------------------------- breakpoints

  protected override setBreakPointsRequest(
    response: DebugProtocol.SetBreakpointsResponse,
    { source, breakpoints = [] }: DebugProtocol.SetBreakpointsArguments,
  ): void {
    this.#answer(response, () => {
      const file = this.#nameOf(source);
      this.#removeBreakpoints(({ line, file: of }) => line !== undefined && of === file);
      const set = breakpoints.map(({ line, condition, hitCondition }) =>
        this.#breakpoint({ line, file }, condition, hitCondition),
      );
      response.body = { breakpoints: set };
    });
  }

  protected override setFunctionBreakPointsRequest(
    response: DebugProtocol.SetFunctionBreakpointsResponse,
    { breakpoints }: DebugProtocol.SetFunctionBreakpointsArguments,
  ): void {
    this.#answer(response, () => {
      this.#removeBreakpoints(({ function: name }) => name !== undefined);
      const set = breakpoints.map(({ name, condition, hitCondition }) =>
        this.#breakpoint({ function: name }, condition, hitCondition),
      );
      response.body = { breakpoints: set };
    });
  }

  #removeBreakpoints(belongs: (breakpoint: Breakpoint) => boolean): void {
    const session = this.#debugged;
    for (const breakpoint of session.breakpoints) if (belongs(breakpoint)) session.remove(breakpoint.id);
  }

  #breakpoint(
    at: { line?: number; file?: string; function?: string },
    condition: string | undefined,
    hitCondition: string | undefined,
  ): DebugProtocol.Breakpoint {
    const ignore = Math.max(0, (Number.parseInt(hitCondition ?? '1', 10) || 1) - 1);
    try {
      const made = this.#debugged.addBreakpoint({ ...at, condition: condition?.trim() || undefined, ignore });
      const shown: DebugProtocol.Breakpoint = new AdapterBreakpoint(
        made.place !== undefined,
        made.place?.line,
      );
      shown.id = made.id;
      if (!made.place) shown.message = 'there is no code';
      return shown;
    } catch (error) {
      const refused: DebugProtocol.Breakpoint = new AdapterBreakpoint(false);
      refused.message = (error as Error).message;
      return refused;
    }
  }

  protected override dataBreakpointInfoRequest(
    response: DebugProtocol.DataBreakpointInfoResponse,
    { variablesReference, name }: DebugProtocol.DataBreakpointInfoArguments,
  ): void {
    this.#answer(response, () => {
      const value = variablesReference === undefined ? undefined : this.#child(variablesReference, name);
      const text = value?.expression ?? name;
      const isPlace = value
        ? value.address !== undefined
        : this.#debugged.evaluate(text).address !== undefined;
      response.body = isPlace
        ? { dataId: text, description: text, accessTypes: ['write', 'read', 'readWrite'] }
        : { dataId: null, description: `${text} is no place in memory` };
    });
  }

  protected override setDataBreakpointsRequest(
    response: DebugProtocol.SetDataBreakpointsResponse,
    { breakpoints }: DebugProtocol.SetDataBreakpointsArguments,
  ): void {
    this.#answer(response, () => {
      const session = this.#debugged;
      const known = new Map(session.watches.map((watch) => [`${watch.kind} ${watch.text}`, watch]));
      const set = breakpoints.map(({ dataId, accessType = 'write' }) => {
        const kind = watchKinds[accessType];
        const old = known.get(`${kind} ${dataId}`);
        known.delete(`${kind} ${dataId}`);
        const shown: DebugProtocol.Breakpoint = new AdapterBreakpoint(true);
        try {
          shown.id = (old ?? session.watch(dataId, kind)).id;
        } catch (error) {
          return { verified: false, message: (error as Error).message };
        }
        return shown;
      });
      for (const { id } of known.values()) session.remove(id);
      response.body = { breakpoints: set };
    });
  }

  // ------------------------------------------------------------------------------------------------- looking

  protected override threadsRequest(response: DebugProtocol.ThreadsResponse): void {
    this.#answer(response, () => {
      const items = this.#session?.items() ?? [];
      const threads = items.map(
        ({ index, global, state }) =>
          new Thread(index + 1, `work-item ${idText(global)}${state === 'ready' ? '' : `, ${state}`}`),
      );
      response.body = { threads: threads.length > 0 ? threads : [new Thread(1, 'launch')] };
    });
  }

  /** Looks through the eyes of a work-item, without choosing it. */
  #as<T>(index: number, look: (session: DebugSession) => T): T {
    const session = this.#debugged;
    const { index: selected } = session.selected;
    if (!session.items()[index]) return look(session);
    session.select(index);
    try {
      return look(session);
    } finally {
      session.select(selected);
    }
  }

  protected override stackTraceRequest(
    response: DebugProtocol.StackTraceResponse,
    { threadId, startFrame = 0, levels }: DebugProtocol.StackTraceArguments,
  ): void {
    this.#answer(response, () => {
      if (this.#hasEnded) {
        // What is left of the arguments can be looked at.
        const ended = new StackFrame(1, `${this.#debugged.kernel} has ended`);
        response.body = { stackFrames: [ended], totalFrames: 1 };
        return;
      }
      const calls = this.#as(threadId - 1, (session) => session.calls());
      const frames = calls.map(({ function: name, place }, depth) => {
        const id = (threadId - 1) * framesOfItem + depth + 1;
        if (!place) return new StackFrame(id, name);
        return new StackFrame(id, name, this.#sourceOf(place.file), place.line, place.column);
      });
      const end = levels ? startFrame + levels : undefined;
      response.body = { stackFrames: frames.slice(startFrame, end), totalFrames: frames.length };
    });
  }

  #inFrame<T>(frameId: number | undefined, look: (session: DebugSession, call: number) => T): T {
    if (frameId === undefined) return look(this.#debugged, 0);
    const index = Math.floor((frameId - 1) / framesOfItem);
    return this.#as(index, (session) => look(session, (frameId - 1) % framesOfItem));
  }

  protected override scopesRequest(
    response: DebugProtocol.ScopesResponse,
    { frameId }: DebugProtocol.ScopesArguments,
  ): void {
    this.#answer(response, () => {
      const groups = this.#inFrame(frameId, (session, call) => session.variables(call));
      const scopes: [string, readonly DebugValue[]][] = [
        ['Private', groups.private],
        ['Arguments', groups.arguments],
        ['Local memory', groups.local],
        ['Program', groups.program],
      ];
      response.body = {
        scopes: scopes
          .filter(([, values]) => values.length > 0)
          .map(
            ([name, values]) =>
              new Scope(
                name,
                this.#keep((start, count) => values.slice(start, start + count), frameId),
              ),
          ),
      };
    });
  }

  #keep(values: Shown['values'], frame: number | undefined): number {
    return this.#values.push({ values, frame });
  }

  #child(reference: number, name: string): DebugValue | undefined {
    const values = this.#values[reference - 1]?.values(0, Number.MAX_SAFE_INTEGER);
    return values?.find((value) => value.name === name);
  }

  #shown(value: DebugValue, frame: number | undefined): DebugProtocol.Variable {
    const { name, type, text, count, expression } = value;
    return {
      name,
      value: text,
      type,
      evaluateName: expression,
      variablesReference: count > 0 ? this.#keep((start, wanted) => value.children(start, wanted), frame) : 0,
      ...(count > 100 ? { indexedVariables: count } : {}),
    };
  }

  protected override variablesRequest(
    response: DebugProtocol.VariablesResponse,
    { variablesReference, start = 0, count }: DebugProtocol.VariablesArguments,
  ): void {
    this.#answer(response, () => {
      const shown = this.#values[variablesReference - 1];
      const values = shown?.values(start, count || 1000) ?? [];
      response.body = { variables: values.map((value) => this.#shown(value, shown?.frame)) };
    });
  }

  protected override setVariableRequest(
    response: DebugProtocol.SetVariableResponse,
    { variablesReference, name, value }: DebugProtocol.SetVariableArguments,
  ): void {
    this.#answer(response, () => {
      const old = this.#child(variablesReference, name);
      if (!old) throw new Error(`there is no '${name}'`);
      const { frame } = this.#values[variablesReference - 1]!;
      const changed = this.#inFrame(frame, (session, call) =>
        session.change(`${old.expression} = ${value}`, call),
      );
      response.body = { value: changed.text };
    });
  }

  protected override evaluateRequest(
    response: DebugProtocol.EvaluateResponse,
    { expression, frameId, context }: DebugProtocol.EvaluateArguments,
  ): void {
    this.#answer(response, () => {
      const value = this.#inFrame(frameId, (session, call) =>
        // What is typed may change something; what is only looked at may not.
        context === 'repl' ? session.change(expression, call) : session.evaluate(expression, call),
      );
      const { value: result, type, variablesReference, indexedVariables } = this.#shown(value, frameId);
      response.body = {
        result,
        type: type ?? '',
        variablesReference,
        ...(indexedVariables ? { indexedVariables } : {}),
      };
    });
  }

  // ------------------------------------------------------------------------------------------------- sources

  /** The name by which the compiler knows a file of the editor's. */
  #nameOf({ path, name, sourceReference }: DebugProtocol.Source): string {
    const { files } = this.#debugged;
    if (sourceReference) return this.#texts[sourceReference - 1] ?? '';
    const known = [...files].find((file) => path !== undefined && resolve(file) === resolve(path));
    return known ?? path ?? name ?? '';
  }

  /** A source as the editor finds it: on the disk, or by asking for it. */
  #sourceOf(file: string): Source {
    if (existsSync(file)) return new Source(basename(file), resolve(file));
    let reference = this.#texts.indexOf(file) + 1;
    if (reference === 0) reference = this.#texts.push(file);
    return new Source(basename(file), undefined, reference);
  }

  protected override sourceRequest(
    response: DebugProtocol.SourceResponse,
    { sourceReference }: DebugProtocol.SourceArguments,
  ): void {
    this.#answer(response, () => {
      const text = this.#debugged.texts.get(this.#texts[sourceReference - 1] ?? '');
      if (text === undefined) throw new Error('there is no such source');
      response.body = { content: text };
    });
  }
}
