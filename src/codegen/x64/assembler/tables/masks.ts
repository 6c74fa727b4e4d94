/** Mask registers: moves, logic, shifts, and from and to vectors (AVX-512 F, BW, DQ). The notation is explained in `../form.ts`. */

/** The forms for 8, 16, 32 and 64 bits: prefix and W. */
const sizes = [
  ['b', '66', 'W0', '8'],
  ['w', 'NP', 'W0', '16'],
  ['d', '66', 'W1', '32'],
  ['q', 'NP', 'W1', '64'],
] as const;

const logic = (
  [
    ['kand', '41'],
    ['kandn', '42'],
    ['kor', '45'],
    ['kxnor', '46'],
    ['kxor', '47'],
    ['kadd', '4A'],
  ] as const
).flatMap(([name, opcode]) =>
  sizes.map(([size, prefix, w]) => `${name}${size}  V.${prefix}.0F.${w}.L1  ${opcode}  RVM  k k k`),
);

const unary = (
  [
    ['knot', '44'],
    ['kortest', '98'],
    ['ktest', '99'],
  ] as const
).flatMap(([name, opcode]) =>
  sizes.map(([size, prefix, w]) => `${name}${size}  V.${prefix}.0F.${w}.L0  ${opcode}  RM  k k`),
);

const moves = sizes.map(
  ([size, prefix, w, bits]) => `
  kmov${size}  V.${prefix}.0F.${w}.L0  90  RM  k k/${bits}
  kmov${size}  V.${prefix}.0F.${w}.L0  91  MR  m${bits} k`,
);

export const masks = `
  ${moves.join('')}
  kmovb     V.66.0F.W0.L0   92  RM  k d
  kmovw     V.NP.0F.W0.L0   92  RM  k d
  kmovd     V.F2.0F.W0.L0   92  RM  k d
  kmovq     V.F2.0F.W1.L0   92  RM  k q
  kmovb     V.66.0F.W0.L0   93  RM  d k
  kmovw     V.NP.0F.W0.L0   93  RM  d k
  kmovd     V.F2.0F.W0.L0   93  RM  d k
  kmovq     V.F2.0F.W1.L0   93  RM  q k
  ${logic.join('\n  ')}
  ${unary.join('\n  ')}
  kunpckbw  V.66.0F.W0.L1   4B  RVM k k k
  kunpckwd  V.NP.0F.W0.L1   4B  RVM k k k
  kunpckdq  V.NP.0F.W1.L1   4B  RVM k k k
  kshiftrb  V.66.0F3A.W0.L0 30  RMI k k ib
  kshiftrw  V.66.0F3A.W1.L0 30  RMI k k ib
  kshiftrd  V.66.0F3A.W0.L0 31  RMI k k ib
  kshiftrq  V.66.0F3A.W1.L0 31  RMI k k ib
  kshiftlb  V.66.0F3A.W0.L0 32  RMI k k ib
  kshiftlw  V.66.0F3A.W1.L0 32  RMI k k ib
  kshiftld  V.66.0F3A.W0.L0 33  RMI k k ib
  kshiftlq  V.66.0F3A.W1.L0 33  RMI k k ib
  vpmovm2b  E.F3.0F38.W0    28  RM  v k   nk
  vpmovm2w  E.F3.0F38.W1    28  RM  v k   nk
  vpmovm2d  E.F3.0F38.W0    38  RM  v k   nk
  vpmovm2q  E.F3.0F38.W1    38  RM  v k   nk
  vpmovb2m  E.F3.0F38.W0    29  RM  k v   nk
  vpmovw2m  E.F3.0F38.W1    29  RM  k v   nk
  vpmovd2m  E.F3.0F38.W0    39  RM  k v   nk
  vpmovq2m  E.F3.0F38.W1    39  RM  k v   nk
  vpbroadcastmb2q  E.F3.0F38.W1  2A  RM  v k  nk
  vpbroadcastmw2d  E.F3.0F38.W0  3A  RM  v k  nk
`;
