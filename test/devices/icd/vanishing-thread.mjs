globalThis.vanishes = true;
await import('./dying-thread.mjs');
