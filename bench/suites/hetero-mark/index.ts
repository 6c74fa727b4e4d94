/**
 * Hetero-Mark (NUCAR-DEV/Hetero-Mark, src): its kernels of OpenCL 1.2. That of page ranks is left out: it adds up 64 values in local memory without
 * barriers, which means nothing unless 64 work-items run in step.
 */
import type { Suite } from '../suite.ts';
import { encryption } from './encryption.ts';
import { populations } from './populations.ts';
import { searches } from './searches.ts';
import { streams } from './streams.ts';

export const heteroMark: Suite = (read) => [
  encryption(read),
  ...streams(read),
  ...searches(read),
  ...populations(read),
];
