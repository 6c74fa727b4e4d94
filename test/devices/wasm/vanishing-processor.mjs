// A command processor whose thread ends without a word; see dying-processor.mjs.
globalThis.vanishes = true;
await import('./dying-processor.mjs');
