/** Entry file of a program's thread (dist/program.js). */
import { enterThread } from '../runtime/host.ts';
import { runProgramThread } from './program-thread.ts';
import type { ProgramStart } from './start-program.ts';

enterThread((data, post) => runProgramThread(data as ProgramStart, post));
