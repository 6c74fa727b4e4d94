/** The first build that failed in a host program under the debugger: why a program made no launches may be that, and it may say nothing. */
import { type ApiCall, startCallLog } from 'millrace';

/** Of every API: `clBuildProgram`, `CLProgram.build`, `compile`. */
const builds = /build|compile|link/i;

/** Builds that a host program makes. */
export interface WatchedBuilds {
  /** What there is to say of the first that failed; undefined if none has. */
  failure(): string | undefined;
  end(): void;
}

/** Begins to watch them. */
export function watchBuilds(): WatchedBuilds {
  let failed: ApiCall | undefined;
  const end = startCallLog({
    begun() {},
    ended(call) {
      if (call.code !== 0 && builds.test(call.name)) failed ??= call;
    },
  });
  const failure = (): string | undefined => {
    if (!failed) return undefined;
    const { name, result, message } = failed;
    return `${name} gave ${result}${message === undefined ? '' : `\n${message.trimEnd()}`}`;
  };
  return { failure, end };
}
