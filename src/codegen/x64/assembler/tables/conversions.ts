/** Conversions between integers and floats, between sizes, and of half precision (F16C). The notation is explained in `../form.ts`. */

/** Longer integers of shorter ones: opcode of the form with sign; 0x10 further without. */
const longer = (
  [
    ['bw', 0x20, 'vh'],
    ['bd', 0x21, 'vq'],
    ['bq', 0x22, 'vo'],
    ['wd', 0x23, 'vh'],
    ['wq', 0x24, 'vq'],
    ['dq', 0x25, 'vh'],
  ] as const
).map(([sizes, opcode, from]) => {
  const w = sizes === 'dq' ? 'WIG/W0' : 'WIG';
  return `
  vpmovsx${sizes}  VE.66.0F38.${w}  ${opcode.toString(16)}  RM  v ${from}/m
  vpmovzx${sizes}  VE.66.0F38.${w}  ${(opcode + 0x10).toString(16)}  RM  v ${from}/m`;
});

/** Shorter integers: cut off, or the nearest there is with and without a sign. */
const shorter = (
  [
    ['wb', 0x30, 'vh'],
    ['db', 0x31, 'vq'],
    ['qb', 0x32, 'vo'],
    ['dw', 0x33, 'vh'],
    ['qw', 0x34, 'vq'],
    ['qd', 0x35, 'vh'],
  ] as const
).map(
  ([sizes, opcode, to]) => `
  vpmov${sizes}    E.F3.0F38.W0  ${opcode.toString(16)}  MR  ${to}/m v
  vpmovs${sizes}   E.F3.0F38.W0  ${(opcode - 0x10).toString(16)}  MR  ${to}/m v
  vpmovus${sizes}  E.F3.0F38.W0  ${(opcode - 0x20).toString(16)}  MR  ${to}/m v`,
);

export const conversions = `
  vcvtdq2ps    VE.NP.0F.WIG/W0  5B  RM  v v/m   b32 er
  vcvtps2dq    VE.66.0F.WIG/W0  5B  RM  v v/m   b32 er
  vcvttps2dq   VE.F3.0F.WIG/W0  5B  RM  v v/m   b32 sae
  vcvtdq2pd    VE.F3.0F.WIG/W0  E6  RM  v vh/m  b32
  vcvtpd2dq    VE.F2.0F.WIG/W1  E6  RM  vh v/m  b64 er
  vcvttpd2dq   VE.66.0F.WIG/W1  E6  RM  vh v/m  b64 sae
  vcvtps2pd    VE.NP.0F.WIG/W0  5A  RM  v vh/m  b32 sae
  vcvtpd2ps    VE.66.0F.WIG/W1  5A  RM  vh v/m  b64 er
  vcvtss2sd    VE.F3.0F.WIG/W0  5A  RVM x x x/32  sae
  vcvtsd2ss    VE.F2.0F.WIG/W1  5A  RVM x x x/64  er
  vcvtudq2ps   E.F2.0F.W0       7A  RM  v v/m   b32 er
  vcvtps2udq   E.NP.0F.W0       79  RM  v v/m   b32 er
  vcvttps2udq  E.NP.0F.W0       78  RM  v v/m   b32 sae
  vcvtudq2pd   E.F3.0F.W0       7A  RM  v vh/m  b32
  vcvtpd2udq   E.NP.0F.W1       79  RM  vh v/m  b64 er
  vcvttpd2udq  E.NP.0F.W1       78  RM  vh v/m  b64 sae
  vcvtqq2pd    E.F3.0F.W1       E6  RM  v v/m   b64 er
  vcvtuqq2pd   E.F3.0F.W1       7A  RM  v v/m   b64 er
  vcvtqq2ps    E.NP.0F.W1       5B  RM  vh v/m  b64 er
  vcvtuqq2ps   E.F2.0F.W1       7A  RM  vh v/m  b64 er
  vcvtpd2qq    E.66.0F.W1       7B  RM  v v/m   b64 er
  vcvtpd2uqq   E.66.0F.W1       79  RM  v v/m   b64 er
  vcvttpd2qq   E.66.0F.W1       7A  RM  v v/m   b64 sae
  vcvttpd2uqq  E.66.0F.W1       78  RM  v v/m   b64 sae
  vcvtps2qq    E.66.0F.W0       7B  RM  v vh/m  b32 er
  vcvtps2uqq   E.66.0F.W0       79  RM  v vh/m  b32 er
  vcvttps2qq   E.66.0F.W0       7A  RM  v vh/m  b32 sae
  vcvttps2uqq  E.66.0F.W0       78  RM  v vh/m  b32 sae
  vcvtsi2ss    VE.F3.0F.Wg      2A  RVM x x e/m  er nk
  vcvtsi2sd    VE.F2.0F.W0      2A  RVM x x d/m  nk
  vcvtsi2sd    VE.F2.0F.W1      2A  RVM x x q/m  er nk
  vcvtss2si    VE.F3.0F.Wg      2D  RM  e x/32   er nk
  vcvtsd2si    VE.F2.0F.Wg      2D  RM  e x/64   er nk
  vcvttss2si   VE.F3.0F.Wg      2C  RM  e x/32   sae nk
  vcvttsd2si   VE.F2.0F.Wg      2C  RM  e x/64   sae nk
  vcvtusi2ss   E.F3.0F.Wg       7B  RVM x x e/m  er nk
  vcvtusi2sd   E.F2.0F.W0       7B  RVM x x d/m  nk
  vcvtusi2sd   E.F2.0F.W1       7B  RVM x x q/m  er nk
  vcvtss2usi   E.F3.0F.Wg       79  RM  e x/32   er nk
  vcvtsd2usi   E.F2.0F.Wg       79  RM  e x/64   er nk
  vcvttss2usi  E.F3.0F.Wg       78  RM  e x/32   sae nk
  vcvttsd2usi  E.F2.0F.Wg       78  RM  e x/64   sae nk
  vcvtph2ps    VE.66.0F38.W0    13  RM  v vh/m     sae
  vcvtps2ph    VE.66.0F3A.W0    1D  MRI vh/m v ib  sae
  ${longer.join('')}
  ${shorter.join('')}
`;
