/**
 * A process that runs one `millrace` command after another for warm.ts: the file of the command is evaluated anew for each, what it imports
 * is there already, and compiled. A message is a command's arguments; the answer is what the process would have left.
 */
const command = new URL('../../dist/millrace.js', import.meta.url);
const streams = ['stdout', 'stderr'];
let count = 0;

/** Takes away what a command listens to, or the next would be told, too. */
function forgetListeners(emitter, event, before) {
  for (const listener of emitter.listeners(event))
    if (!before.includes(listener)) emitter.off(event, listener);
}

process.on('message', async (args) => {
  const printed = { stdout: '', stderr: '' };
  const heard = [[process, 'uncaughtException'], ...streams.map((name) => [process[name], 'error'])].map(
    ([emitter, event]) => [emitter, event, emitter.listeners(event)],
  );
  process.argv = [process.execPath, command.pathname, ...args];
  process.exitCode = undefined;
  for (const name of streams) {
    process[name].write = (text, encoding, done = encoding) => {
      printed[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
      if (typeof done === 'function') process.nextTick(done);
      return true;
    };
  }
  // Whatever runs on behind the end of the process is not to be seen.
  const ended = await new Promise((resolve) => {
    process.exit = (code = process.exitCode ?? 0) => {
      resolve({ code: Number(code), ...printed });
      throw new Error('the process has ended');
    };
    import(`${command}?${count++}`).then(
      () => resolve({ code: Number(process.exitCode ?? 0), ...printed }),
      (error) => resolve({ code: null, ...printed, error: String(error?.stack ?? error) }),
    );
  });
  for (const [emitter, event, before] of heard) forgetListeners(emitter, event, before);
  process.send(ended);
});
