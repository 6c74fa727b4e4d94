/** Moves, arithmetic, logic and shifts of general registers. The notation is explained in `../form.ts`. */

/** Eight operations whose encodings differ by a number. */
const eight = ['add', 'or', 'adc', 'sbb', 'and', 'sub', 'xor', 'cmp'].map((name, number) => {
  const opcode = (offset: number): string =>
    (number * 8 + offset).toString(16).toUpperCase().padStart(2, '0');
  const lock = name === 'cmp' ? '' : 'lock';
  return `
  ${name}  L  ${opcode(1)}  MR  g/m g    ${lock}
  ${name}  L  ${opcode(0)}  MR  b/m b    ${lock}
  ${name}  L  ${opcode(3)}  RM  g g/m
  ${name}  L  ${opcode(2)}  RM  b b/m
  ${name}  L  83/${number}  MI  g/m is   ${lock}
  ${name}  L  ${opcode(5)}  .I  ag iz
  ${name}  L  ${opcode(4)}  .I  al ib
  ${name}  L  81/${number}  MI  g/m iz   ${lock}
  ${name}  L  80/${number}  MI  b/m ib   ${lock}`;
});

const shifts = (
  [
    ['rol', 0],
    ['ror', 1],
    ['rcl', 2],
    ['rcr', 3],
    ['shl', 4],
    ['shr', 5],
    ['sar', 7],
  ] as const
).map(
  ([name, number]) => `
  ${name}  L  D1/${number}  M.  g/m 1
  ${name}  L  D0/${number}  M.  b/m 1
  ${name}  L  C1/${number}  MI  g/m ib
  ${name}  L  C0/${number}  MI  b/m ib
  ${name}  L  D3/${number}  M.  g/m cl
  ${name}  L  D2/${number}  M.  b/m cl`,
);

export const integer = `
  mov       L  89    MR  g/m g
  mov       L  88    MR  b/m b
  mov       L  8B    RM  g g/m
  mov       L  8A    RM  b b/m
  mov       L  B8    OI  w iw
  mov       L  B8    OI  d id
  mov       L  B0    OI  b ib
  mov       L  C7/0  MI  g/m iz
  mov       L  C6/0  MI  b/m ib
  mov|movabs=movabs  L  B8  OI  q iq
  movzx     L.0F  B6    RM  g b/m
  movzx     L.0F  B7    RM  e w/m
  movsx     L.0F  BE    RM  g b/m
  movsx     L.0F  BF    RM  e w/m
  movsxd    L     63    RM  q d/m
  lea       L     8D    RM  e m
  xchg      L     87    MR  g/m g  lock
  xchg      L     86    MR  b/m b  lock
  bswap     L.0F  C8    O   e
  cdq       L     99    -
  cqo       L.W1  99    -
  cdqe      L.W1  98    -
  cwde      L     98    -
  push      L     50    O   q    d64
  pop       L     58    O   q    d64
  push      L     FF/6  M   m64  d64
  pop       L     8F/0  M   m64  d64
  push      L     6A    I   is   d64
  push      L     68    I   iz   d64
  ${eight.join('')}
  test      L     85    MR  g/m g
  test      L     84    MR  b/m b
  test      L     A9    .I  ag iz
  test      L     A8    .I  al ib
  test      L     F7/0  MI  g/m iz
  test      L     F6/0  MI  b/m ib
  inc       L     FF/0  M   g/m  lock
  inc       L     FE/0  M   b/m  lock
  dec       L     FF/1  M   g/m  lock
  dec       L     FE/1  M   b/m  lock
  not       L     F7/2  M   g/m  lock
  not       L     F6/2  M   b/m  lock
  neg       L     F7/3  M   g/m  lock
  neg       L     F6/3  M   b/m  lock
  mul       L     F7/4  M   g/m
  mul       L     F6/4  M   b/m
  imul      L     F7/5  M   g/m
  imul      L     F6/5  M   b/m
  div       L     F7/6  M   g/m
  div       L     F6/6  M   b/m
  idiv      L     F7/7  M   g/m
  idiv      L     F6/7  M   b/m
  imul      L.0F  AF    RM  g g/m
  imul      L     6B    RMI g g/m is
  imul      L     69    RMI g g/m iz
  ${shifts.join('')}
  shld      L.0F  A4    MRI g/m g ib
  shld      L.0F  A5    MR. g/m g cl
  shrd      L.0F  AC    MRI g/m g ib
  shrd      L.0F  AD    MR. g/m g cl
`;
