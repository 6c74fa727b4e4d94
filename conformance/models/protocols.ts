/** The protocols that there are models of, by name. */
import type { Protocol } from './protocol.ts';
import { events } from './protocols/events.ts';
import { launches } from './protocols/launches.ts';
import { nestedChunks } from './protocols/nested-chunks.ts';
import { nestedDeferred } from './protocols/nested-deferred.ts';
import { nestedEvents } from './protocols/nested-events.ts';
import { nestedScopes } from './protocols/nested-scopes.ts';
import { pool } from './protocols/pool.ts';
import { ring } from './protocols/ring.ts';
import { set } from './protocols/set.ts';
import { sleep } from './protocols/sleep.ts';
import { stream } from './protocols/stream.ts';
import { streamChunks } from './protocols/stream-chunks.ts';
import { streamEnd } from './protocols/stream-end.ts';
import { streamStart } from './protocols/stream-start.ts';

export const protocols: Readonly<Record<string, Protocol>> = {
  ring,
  set,
  events,
  sleep,
  launches,
  pool,
  'nested-events': nestedEvents,
  'nested-chunks': nestedChunks,
  'nested-deferred': nestedDeferred,
  'nested-scopes': nestedScopes,
  stream,
  'stream-start': streamStart,
  'stream-end': streamEnd,
  'stream-chunks': streamChunks,
};
