/** What moves lanes: shuffles, permutes, blends, broadcasts, parts of vectors. The notation is explained in `../form.ts`. */

/** Parts of 128 and 256 bits in and out; of floats at `insert`, of integers 0x20 further. */
function parts(letter: string, offset: number): string {
  const byte = (opcode: number): string => (opcode + offset).toString(16).toUpperCase();
  return `
  vinsert${letter}128    V.66.0F3A.W0  ${byte(0x18)}  RVMI  y y x/m ib
  vinsert${letter}32x4   E.66.0F3A.W0  ${byte(0x18)}  RVMI  u u x/m ib
  vinsert${letter}64x2   E.66.0F3A.W1  ${byte(0x18)}  RVMI  u u x/m ib
  vinsert${letter}32x8   E.66.0F3A.W0  ${byte(0x1a)}  RVMI  z z y/m ib
  vinsert${letter}64x4   E.66.0F3A.W1  ${byte(0x1a)}  RVMI  z z y/m ib
  vextract${letter}128   V.66.0F3A.W0  ${byte(0x19)}  MRI   x/m y ib
  vextract${letter}32x4  E.66.0F3A.W0  ${byte(0x19)}  MRI   x/m u ib
  vextract${letter}64x2  E.66.0F3A.W1  ${byte(0x19)}  MRI   x/m u ib
  vextract${letter}32x8  E.66.0F3A.W0  ${byte(0x1b)}  MRI   y/m z ib
  vextract${letter}64x4  E.66.0F3A.W1  ${byte(0x1b)}  MRI   y/m z ib`;
}

export const lanes = `
  vshufps      VE.NP.0F.WIG/W0  C6  RVMI  v v v/m ib  b32
  vshufpd      VE.66.0F.WIG/W1  C6  RVMI  v v v/m ib  b64
  vunpcklps    VE.NP.0F.WIG/W0  14  RVM   v v v/m     b32
  vunpckhps    VE.NP.0F.WIG/W0  15  RVM   v v v/m     b32
  vunpcklpd    VE.66.0F.WIG/W1  14  RVM   v v v/m     b64
  vunpckhpd    VE.66.0F.WIG/W1  15  RVM   v v v/m     b64
  vpermilps    VE.66.0F38.W0    0C  RVM   v v v/m     b32
  vpermilps    VE.66.0F3A.W0    04  RMI   v v/m ib    b32
  vpermilpd    VE.66.0F38.W0/W1 0D  RVM   v v v/m     b64
  vpermilpd    VE.66.0F3A.W0/W1 05  RMI   v v/m ib    b64
  vperm2f128   V.66.0F3A.W0     06  RVMI  y y y/m ib
  vperm2i128   V.66.0F3A.W0     46  RVMI  y y y/m ib
  vpermps      VE.66.0F38.W0    16  RVM   u u u/m     b32
  vpermd       VE.66.0F38.W0    36  RVM   u u u/m     b32
  vpermpd      VE.66.0F3A.W1    01  RMI   u u/m ib    b64
  vpermq       VE.66.0F3A.W1    00  RMI   u u/m ib    b64
  vpermpd      E.66.0F38.W1     16  RVM   u u u/m     b64
  vpermq       E.66.0F38.W1     36  RVM   u u u/m     b64
  vpermw       E.66.0F38.W1     8D  RVM   v v v/m
  vpermb       E.66.0F38.W0     8D  RVM   v v v/m
  vpermi2b     E.66.0F38.W0     75  RVM   v v v/m
  vpermi2w     E.66.0F38.W1     75  RVM   v v v/m
  vpermi2d     E.66.0F38.W0     76  RVM   v v v/m     b32
  vpermi2q     E.66.0F38.W1     76  RVM   v v v/m     b64
  vpermi2ps    E.66.0F38.W0     77  RVM   v v v/m     b32
  vpermi2pd    E.66.0F38.W1     77  RVM   v v v/m     b64
  vpermt2b     E.66.0F38.W0     7D  RVM   v v v/m
  vpermt2w     E.66.0F38.W1     7D  RVM   v v v/m
  vpermt2d     E.66.0F38.W0     7E  RVM   v v v/m     b32
  vpermt2q     E.66.0F38.W1     7E  RVM   v v v/m     b64
  vpermt2ps    E.66.0F38.W0     7F  RVM   v v v/m     b32
  vpermt2pd    E.66.0F38.W1     7F  RVM   v v v/m     b64
  vpshufd      VE.66.0F.WIG/W0  70  RMI   v v/m ib    b32
  vpshufhw     VE.F3.0F.WIG     70  RMI   v v/m ib
  vpshuflw     VE.F2.0F.WIG     70  RMI   v v/m ib
  vpshufb      VE.66.0F38.WIG   00  RVM   v v v/m
  vshuff32x4   E.66.0F3A.W0     23  RVMI  u u u/m ib  b32
  vshuff64x2   E.66.0F3A.W1     23  RVMI  u u u/m ib  b64
  vshufi32x4   E.66.0F3A.W0     43  RVMI  u u u/m ib  b32
  vshufi64x2   E.66.0F3A.W1     43  RVMI  u u u/m ib  b64
  vpalignr     VE.66.0F3A.WIG   0F  RVMI  v v v/m ib
  valignd      E.66.0F3A.W0     03  RVMI  v v v/m ib  b32
  valignq      E.66.0F3A.W1     03  RVMI  v v v/m ib  b64
  ${parts('f', 0)}
  ${parts('i', 0x20)}
  vpinsrb      VE.66.0F3A.WIG   20  RVMI  x x d/8 ib   nk
  vpinsrw      VE.66.0F.WIG     C4  RVMI  x x d/16 ib  nk
  vpinsrd      VE.66.0F3A.W0    22  RVMI  x x d/m ib   nk
  vpinsrq      VE.66.0F3A.W1    22  RVMI  x x q/m ib   nk
  vpextrb      VE.66.0F3A.WIG   14  MRI   d/8 x ib     nk
  vpextrw      VE.66.0F.WIG     C5  RMI   d x ib       nk
  vpextrw      VE.66.0F3A.WIG   15  MRI   m16 x ib     nk
  vpextrd      VE.66.0F3A.W0    16  MRI   d/m x ib     nk
  vpextrq      VE.66.0F3A.W1    16  MRI   q/m x ib     nk
  vinsertps    VE.66.0F3A.WIG/W0  21  RVMI  x x x/32 ib  nk
  vextractps   VE.66.0F3A.WIG   17  MRI   d/m x ib     nk
  vbroadcastss     VE.66.0F38.W0     18  RM  v x/32
  vbroadcastsd     VE.66.0F38.W0/W1  19  RM  u x/64
  vbroadcastf128   V.66.0F38.W0  1A  RM  y m128
  vbroadcasti128   V.66.0F38.W0  5A  RM  y m128
  vbroadcastf32x2  E.66.0F38.W0  19  RM  u x/64
  vbroadcastf32x4  E.66.0F38.W0  1A  RM  u m128
  vbroadcastf64x2  E.66.0F38.W1  1A  RM  u m128
  vbroadcastf32x8  E.66.0F38.W0  1B  RM  z m256
  vbroadcastf64x4  E.66.0F38.W1  1B  RM  z m256
  vbroadcasti32x2  E.66.0F38.W0  59  RM  v x/64
  vbroadcasti32x4  E.66.0F38.W0  5A  RM  u m128
  vbroadcasti64x2  E.66.0F38.W1  5A  RM  u m128
  vbroadcasti32x8  E.66.0F38.W0  5B  RM  z m256
  vbroadcasti64x4  E.66.0F38.W1  5B  RM  z m256
  vpbroadcastb     VE.66.0F38.W0     78  RM  v x/8
  vpbroadcastw     VE.66.0F38.W0     79  RM  v x/16
  vpbroadcastd     VE.66.0F38.W0     58  RM  v x/32
  vpbroadcastq     VE.66.0F38.W0/W1  59  RM  v x/64
  vpbroadcastb     E.66.0F38.W0  7A  RM  v d
  vpbroadcastw     E.66.0F38.W0  7B  RM  v d
  vpbroadcastd     E.66.0F38.W0  7C  RM  v d
  vpbroadcastq     E.66.0F38.W1  7C  RM  v q
  vpblendw     V.66.0F3A.WIG    0E  RVMI  v v v/m ib
  vpblendd     V.66.0F3A.W0     02  RVMI  v v v/m ib
  vpblendvb    V.66.0F3A.W0     4C  RVMS  v v v/m v
  vpblendmb    E.66.0F38.W0     66  RVM   v v v/m
  vpblendmw    E.66.0F38.W1     66  RVM   v v v/m
  vpblendmd    E.66.0F38.W0     64  RVM   v v v/m     b32
  vpblendmq    E.66.0F38.W1     64  RVM   v v v/m     b64
  vpunpcklbw   VE.66.0F.WIG     60  RVM   v v v/m
  vpunpcklwd   VE.66.0F.WIG     61  RVM   v v v/m
  vpunpckldq   VE.66.0F.WIG/W0  62  RVM   v v v/m     b32
  vpunpcklqdq  VE.66.0F.WIG/W1  6C  RVM   v v v/m     b64
  vpunpckhbw   VE.66.0F.WIG     68  RVM   v v v/m
  vpunpckhwd   VE.66.0F.WIG     69  RVM   v v v/m
  vpunpckhdq   VE.66.0F.WIG/W0  6A  RVM   v v v/m     b32
  vpunpckhqdq  VE.66.0F.WIG/W1  6D  RVM   v v v/m     b64
  vpacksswb    VE.66.0F.WIG     63  RVM   v v v/m
  vpackssdw    VE.66.0F.WIG/W0  6B  RVM   v v v/m     b32
  vpackuswb    VE.66.0F.WIG     67  RVM   v v v/m
  vpackusdw    VE.66.0F38.WIG/W0  2B  RVM  v v v/m    b32
`;
