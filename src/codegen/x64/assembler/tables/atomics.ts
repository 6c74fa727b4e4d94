/** What atomic accesses are made of, besides locked arithmetic (`integer.ts`). `xchg` with memory is atomic without a prefix. */
export const atomics = `
  cmpxchg    L.0F     B1    MR  g/m g  lock
  cmpxchg    L.0F     B0    MR  b/m b  lock
  xadd       L.0F     C1    MR  g/m g  lock
  xadd       L.0F     C0    MR  b/m b  lock
  cmpxchg8b  L.0F     C7/1  M   m64    lock d64
`;
