/** Ways of doing things that can be taken away, to measure what they are worth: MILLRACE_WEBGPU_TRY has their names, separated by commas. */
import { environment } from '../../runtime/host.ts';

/** `arena`: no buffers of their own. `hidden`: sums and products are hidden as if the device's compiler changed their order. */
export type Way = 'arena' | 'hidden';

export function isTried(way: Way): boolean {
  return (environment('MILLRACE_WEBGPU_TRY') ?? '').split(',').includes(way);
}
