/** A launch that cannot be divided among the ranks, with the reason; or what is wrong with a call. All ranks get the same. */
export class ClusterError extends Error {
  override name = 'ClusterError';
}
