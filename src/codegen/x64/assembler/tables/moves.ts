/** Loads, stores and moves of vectors, whole, by masks, and at many addresses at once. The notation is explained in `../form.ts`. */

/** Loads and stores of whole vectors: by VEX under one name, by EVEX under one for each size of elements. */
const whole = (
  [
    ['vmovdqu', 'F3', 'vmovdqu8|vmovdqu16|vmovdqu32|vmovdqu64'],
    ['vmovdqa', '66', 'vmovdqa32|vmovdqa64'],
  ] as const
).map(
  ([name, prefix, others]) => `
  ${name}|${others}=${name}  V.${prefix}.0F.WIG  6F  RM  v v/m
  ${name}|${others}=${name}  V.${prefix}.0F.WIG  7F  MR  mv v`,
);

/** Gathers of AVX2, whose mask is a vector, those of AVX-512, and scatters. The sizes of elements and indices. */
function many(name: string, stem: string, opcode: number, element: 32 | 64, index: 32 | 64): string {
  const byte = opcode.toString(16).toUpperCase();
  const w = element === 64 ? 'W1' : 'W0';
  const value = element < index ? 'vh' : 'v';
  const address = element > index ? 'vh' : 'v';
  const scatter = `E.66.0F38.${w}  ${(opcode + 0x10).toString(16).toUpperCase()}  MR  s${element}${address} ${value}  mk`;
  return `
  ${stem}gather${name}   V.66.0F38.${w}  ${byte}  RMV  ${value} s${element}${address} ${value}
  ${stem}gather${name}   E.66.0F38.${w}  ${byte}  RM   ${value} s${element}${address}  mk
  ${stem}scatter${name}  ${scatter}`;
}

export const moves = `
  vmovups    VE.NP.0F.WIG/W0  10  RM   v v/m
  vmovups    VE.NP.0F.WIG/W0  11  MR   mv v
  vmovupd    VE.66.0F.WIG/W1  10  RM   v v/m
  vmovupd    VE.66.0F.WIG/W1  11  MR   mv v
  vmovaps    VE.NP.0F.WIG/W0  28  RM   v v/m
  vmovaps    VE.NP.0F.WIG/W0  29  MR   mv v
  vmovapd    VE.66.0F.WIG/W1  28  RM   v v/m
  vmovapd    VE.66.0F.WIG/W1  29  MR   mv v
  ${whole.join('')}
  vmovdqu8   E.F2.0F.W0       6F  RM   v v/m
  vmovdqu8   E.F2.0F.W0       7F  MR   mv v
  vmovdqu16  E.F2.0F.W1       6F  RM   v v/m
  vmovdqu16  E.F2.0F.W1       7F  MR   mv v
  vmovdqu32  E.F3.0F.W0       6F  RM   v v/m
  vmovdqu32  E.F3.0F.W0       7F  MR   mv v
  vmovdqu64  E.F3.0F.W1       6F  RM   v v/m
  vmovdqu64  E.F3.0F.W1       7F  MR   mv v
  vmovdqa32  E.66.0F.W0       6F  RM   v v/m
  vmovdqa32  E.66.0F.W0       7F  MR   mv v
  vmovdqa64  E.66.0F.W1       6F  RM   v v/m
  vmovdqa64  E.66.0F.W1       7F  MR   mv v
  vmovntps   VE.NP.0F.WIG/W0  2B  MR   mv v  nk
  vmovntdq   VE.66.0F.WIG/W0  E7  MR   mv v  nk
  vmovss     VE.F3.0F.WIG/W0  10  RM   x m32
  vmovss     VE.F3.0F.WIG/W0  10  RVM  x x x
  vmovss     VE.F3.0F.WIG/W0  11  MR   m32 x
  vmovsd     VE.F2.0F.WIG/W1  10  RM   x m64
  vmovsd     VE.F2.0F.WIG/W1  10  RVM  x x x
  vmovsd     VE.F2.0F.WIG/W1  11  MR   m64 x
  vmovd      VE.66.0F.W0      6E  RM   x d/m   nk
  vmovd      VE.66.0F.W0      7E  MR   d/m x   nk
  vmovq      VE.F3.0F.WIG/W1  7E  RM   x x/64  nk
  vmovq      VE.66.0F.WIG/W1  D6  MR   m64 x   nk
  vmovq      VE.66.0F.W1      6E  RM   x q     nk
  vmovq      VE.66.0F.W1      7E  MR   q x     nk
  vmovlps    VE.NP.0F.WIG/W0  12  RVM  x x m64 nk
  vmovlps    VE.NP.0F.WIG/W0  13  MR   m64 x   nk
  vmovhps    VE.NP.0F.WIG/W0  16  RVM  x x m64 nk
  vmovhps    VE.NP.0F.WIG/W0  17  MR   m64 x   nk
  vmovlpd    VE.66.0F.WIG/W1  12  RVM  x x m64 nk
  vmovlpd    VE.66.0F.WIG/W1  13  MR   m64 x   nk
  vmovhpd    VE.66.0F.WIG/W1  16  RVM  x x m64 nk
  vmovhpd    VE.66.0F.WIG/W1  17  MR   m64 x   nk
  vmovhlps   VE.NP.0F.WIG/W0  12  RVM  x x x   nk
  vmovlhps   VE.NP.0F.WIG/W0  16  RVM  x x x   nk
  vmovmskps  V.NP.0F.WIG      50  RM   d v
  vmovmskpd  V.66.0F.WIG      50  RM   d v
  vpmovmskb  V.66.0F.WIG      D7  RM   d v
  vmovddup   VE.F2.0F.WIG/W1  12  RM   x x/64
  vmovddup   VE.F2.0F.WIG/W1  12  RM   u u/m
  vmovsldup  VE.F3.0F.WIG/W0  12  RM   v v/m
  vmovshdup  VE.F3.0F.WIG/W0  16  RM   v v/m
  vmaskmovps V.66.0F38.W0     2C  RVM  v v mv
  vmaskmovps V.66.0F38.W0     2E  MVR  mv v v
  vmaskmovpd V.66.0F38.W0     2D  RVM  v v mv
  vmaskmovpd V.66.0F38.W0     2F  MVR  mv v v
  vpmaskmovd V.66.0F38.W0     8C  RVM  v v mv
  vpmaskmovd V.66.0F38.W0     8E  MVR  mv v v
  vpmaskmovq V.66.0F38.W1     8C  RVM  v v mv
  vpmaskmovq V.66.0F38.W1     8E  MVR  mv v v
  vcompressps  E.66.0F38.W0   8A  MR   v/m v  n32
  vcompresspd  E.66.0F38.W1   8A  MR   v/m v  n64
  vpcompressd  E.66.0F38.W0   8B  MR   v/m v  n32
  vpcompressq  E.66.0F38.W1   8B  MR   v/m v  n64
  vpcompressb  E.66.0F38.W0   63  MR   v/m v  n8
  vpcompressw  E.66.0F38.W1   63  MR   v/m v  n16
  vexpandps    E.66.0F38.W0   88  RM   v v/m  n32
  vexpandpd    E.66.0F38.W1   88  RM   v v/m  n64
  vpexpandd    E.66.0F38.W0   89  RM   v v/m  n32
  vpexpandq    E.66.0F38.W1   89  RM   v v/m  n64
  vpexpandb    E.66.0F38.W0   62  RM   v v/m  n8
  vpexpandw    E.66.0F38.W1   62  RM   v v/m  n16
  ${many('dps', 'v', 0x92, 32, 32)}
  ${many('dpd', 'v', 0x92, 64, 32)}
  ${many('qps', 'v', 0x93, 32, 64)}
  ${many('qpd', 'v', 0x93, 64, 64)}
  ${many('dd', 'vp', 0x90, 32, 32)}
  ${many('dq', 'vp', 0x90, 64, 32)}
  ${many('qd', 'vp', 0x91, 32, 64)}
  ${many('qq', 'vp', 0x91, 64, 64)}
`;
