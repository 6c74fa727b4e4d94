// The signal, and what a batch of it comes to.

/** The samples of a batch: a triangle whose height depends on the batch. */
export function fillBatch(samples: Int32Array, batch: number): void {
  for (let i = 0; i < samples.length; i++) samples[i] = ((i % 37) - 18) * (1 + (batch % 11));
}

/** The sum of the squares of each batch, modulo 2^32. */
export function energiesReference(batches: number, length: number): Uint32Array {
  const samples = new Int32Array(length);
  return Uint32Array.from({ length: batches }, (_, batch) => {
    fillBatch(samples, batch);
    return samples.reduce((energy, sample) => (energy + Math.imul(sample, sample)) >>> 0, 0);
  });
}
