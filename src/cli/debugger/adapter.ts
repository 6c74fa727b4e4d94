/**
 * A debugger for editors: the Debug Adapter Protocol over a {@link DebugSession}, a method a request. Threads are the work-items of
 * the group that runs; their number is that in the group, and one. What an editor calls frames, values, sources and breakpoints
 * is in the files beside this one.
 */
import {
  DebugSession as AdapterBase,
  InitializedEvent,
  OutputEvent,
  Scope,
  StackFrame,
  StoppedEvent,
  TerminatedEvent,
  Thread,
} from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { type DebugSession, type DebugValue, idText, type Stop, type StopReason } from 'millrace/debug';
import { readDebugArguments } from '../commands/debug.ts';
import { beginDebugging } from './begin.ts';
import {
  dataBreakpointInfo,
  setDataBreakpoints,
  setFunctionBreakpoints,
  setLineBreakpoints,
} from './editor-breakpoints.ts';
import { asThread, frameNumber, inFrame } from './editor-frames.ts';
import { EditorSources } from './editor-sources.ts';
import { EditorValues } from './editor-values.ts';

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

export class MillraceAdapter extends AdapterBase {
  #session: DebugSession | undefined;
  #stopsOnEntry = true;
  #hasEnded = false;
  readonly #values = new EditorValues();
  readonly #sources = new EditorSources();

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
    this.#values.forget();
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
      const session = this.#debugged;
      const set = setLineBreakpoints(session, this.#sources.nameOf(session, source), breakpoints);
      response.body = { breakpoints: set };
    });
  }

  protected override setFunctionBreakPointsRequest(
    response: DebugProtocol.SetFunctionBreakpointsResponse,
    { breakpoints }: DebugProtocol.SetFunctionBreakpointsArguments,
  ): void {
    this.#answer(response, () => {
      response.body = { breakpoints: setFunctionBreakpoints(this.#debugged, breakpoints) };
    });
  }

  protected override dataBreakpointInfoRequest(
    response: DebugProtocol.DataBreakpointInfoResponse,
    { variablesReference, name }: DebugProtocol.DataBreakpointInfoArguments,
  ): void {
    this.#answer(response, () => {
      const value =
        variablesReference === undefined ? undefined : this.#values.child(variablesReference, name);
      const text = value?.expression ?? name;
      const isPlace = value
        ? value.address !== undefined
        : this.#debugged.evaluate(text).address !== undefined;
      response.body = dataBreakpointInfo(text, isPlace);
    });
  }

  protected override setDataBreakpointsRequest(
    response: DebugProtocol.SetDataBreakpointsResponse,
    { breakpoints }: DebugProtocol.SetDataBreakpointsArguments,
  ): void {
    this.#answer(response, () => {
      response.body = { breakpoints: setDataBreakpoints(this.#debugged, breakpoints) };
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
      const calls = asThread(this.#debugged, threadId, (session) => session.calls());
      const frames = calls.map(({ function: name, place }, depth) => {
        const id = frameNumber(threadId, depth);
        if (!place) return new StackFrame(id, name);
        return new StackFrame(id, name, this.#sources.sourceOf(place.file), place.line, place.column);
      });
      const end = levels ? startFrame + levels : undefined;
      response.body = { stackFrames: frames.slice(startFrame, end), totalFrames: frames.length };
    });
  }

  protected override scopesRequest(
    response: DebugProtocol.ScopesResponse,
    { frameId }: DebugProtocol.ScopesArguments,
  ): void {
    this.#answer(response, () => {
      const groups = inFrame(this.#debugged, frameId, (session, call) => session.variables(call));
      const scopes: [string, readonly DebugValue[]][] = [
        ['Private', groups.private],
        ['Arguments', groups.arguments],
        ['Local memory', groups.local],
        ['Program', groups.program],
      ];
      response.body = {
        scopes: scopes
          .filter(([, values]) => values.length > 0)
          .map(([name, values]) => new Scope(name, this.#values.keep(values, frameId))),
      };
    });
  }

  protected override variablesRequest(
    response: DebugProtocol.VariablesResponse,
    { variablesReference, start, count }: DebugProtocol.VariablesArguments,
  ): void {
    this.#answer(response, () => {
      response.body = { variables: this.#values.variables(variablesReference, start, count) };
    });
  }

  protected override setVariableRequest(
    response: DebugProtocol.SetVariableResponse,
    { variablesReference, name, value }: DebugProtocol.SetVariableArguments,
  ): void {
    this.#answer(response, () => {
      const old = this.#values.child(variablesReference, name);
      if (!old) throw new Error(`there is no '${name}'`);
      const frame = this.#values.frameOf(variablesReference);
      const changed = inFrame(this.#debugged, frame, (session, call) =>
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
      const value = inFrame(this.#debugged, frameId, (session, call) =>
        // What is typed may change something; what is only looked at may not.
        context === 'repl' ? session.change(expression, call) : session.evaluate(expression, call),
      );
      const {
        value: result,
        type,
        variablesReference,
        indexedVariables,
      } = this.#values.variable(value, frameId);
      response.body = {
        result,
        type: type ?? '',
        variablesReference,
        ...(indexedVariables ? { indexedVariables } : {}),
      };
    });
  }

  // ------------------------------------------------------------------------------------------------- sources

  protected override sourceRequest(
    response: DebugProtocol.SourceResponse,
    { sourceReference }: DebugProtocol.SourceArguments,
  ): void {
    this.#answer(response, () => {
      response.body = { content: this.#sources.textOf(this.#debugged, sourceReference) };
    });
  }
}
