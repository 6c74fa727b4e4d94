/**
 * `node --import millrace/brook/register app.js` lets Node import .br files: as `millrace/register`, which it is by another name, for
 * those who have it already.
 */
import { registerModules } from './register-hooks.ts';

registerModules();
