#!/usr/bin/env node
/** The command `brcc`, as the Stream Computing User Guide has it: `millrace brcc` that writes C++. */
process.argv.splice(2, 0, 'brcc', '--cpp');
// The command looks at its arguments as it is loaded. A name that the bundler does not follow.
const command = './millrace.js';
await import(command);

export {};
