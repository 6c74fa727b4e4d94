/** Entry file of the thread that computes BLAS for programs in C (dist/blas-thread.js). Only Node starts it, so it imports what others have. */
import { enterThread } from '../../runtime/host.ts';
import type { BlasThreadStart } from './functions.ts';
import { runBlasThread } from './thread.ts';

enterThread((data) => void runBlasThread(data as BlasThreadStart));
