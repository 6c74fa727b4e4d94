/** The protocols that there are models of, by name. */
import type { Protocol } from './protocol.ts';
import { barriers } from './protocols/barriers.ts';
import { events } from './protocols/events.ts';
import { hostCommands } from './protocols/host-commands.ts';
import { hostInOrder } from './protocols/host-in-order.ts';
import { launchChains } from './protocols/launch-chains.ts';
import { launchSlots } from './protocols/launch-slots.ts';
import { launches } from './protocols/launches.ts';
import { localQueues } from './protocols/local-queues.ts';
import { localWaits } from './protocols/local-waits.ts';
import { nestedChunks } from './protocols/nested-chunks.ts';
import { nestedDeferred } from './protocols/nested-deferred.ts';
import { nestedEvents } from './protocols/nested-events.ts';
import { nestedScopes } from './protocols/nested-scopes.ts';
import { overtaking } from './protocols/overtaking.ts';
import { pool } from './protocols/pool.ts';
import { ring } from './protocols/ring.ts';
import { set } from './protocols/set.ts';
import { sleep } from './protocols/sleep.ts';
import { stream } from './protocols/stream.ts';
import { streamChunks } from './protocols/stream-chunks.ts';
import { streamEnd } from './protocols/stream-end.ts';
import { streamStart } from './protocols/stream-start.ts';
import { userEvents } from './protocols/user-events.ts';
import { userEventsInOrder } from './protocols/user-events-in-order.ts';
import { waitsOfDevices } from './protocols/waits-of-devices.ts';
import { waitsOfQueues } from './protocols/waits-of-queues.ts';

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
  overtaking: overtaking,
  barriers: barriers,
  'launch-chains': launchChains,
  'launch-slots': launchSlots,
  'user-events': userEvents,
  'user-events-in-order': userEventsInOrder,
  'waits-of-queues': waitsOfQueues,
  'waits-of-devices': waitsOfDevices,
  'host-commands': hostCommands,
  'host-in-order': hostInOrder,
  'local-queues': localQueues,
  'local-waits': localWaits,
};
