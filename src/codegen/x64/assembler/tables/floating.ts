/** Arithmetic, comparisons and fused products of float and double, of vectors and of scalars. The notation is explained in `../form.ts`. */

/** A form each for vectors and scalars of float and double. */
function four(name: string, opcode: string, flags: string): string {
  return `
  ${name}ps  VE.NP.0F.WIG/W0  ${opcode}  RVM  v v v/m   b32 ${flags}
  ${name}pd  VE.66.0F.WIG/W1  ${opcode}  RVM  v v v/m   b64 ${flags}
  ${name}ss  VE.F3.0F.WIG/W0  ${opcode}  RVM  x x x/32  ${flags}
  ${name}sd  VE.F2.0F.WIG/W1  ${opcode}  RVM  x x x/64  ${flags}`;
}

function bitwise(name: string, opcode: string): string {
  return `
  ${name}ps  VE.NP.0F.WIG/W0  ${opcode}  RVM  v v v/m  b32
  ${name}pd  VE.66.0F.WIG/W1  ${opcode}  RVM  v v v/m  b64`;
}

/** The three orders of a fused product; the opcode is the first order's, of vectors. */
function fused(name: string, opcode: number, hasScalars: boolean): string {
  return [132, 213, 231]
    .map((order, index) => {
      const byte = (offset: number): string => (opcode + index * 16 + offset).toString(16).toUpperCase();
      const vectors = `
  ${name}${order}ps  VE.66.0F38.W0  ${byte(0)}  RVM  v v v/m   b32 er
  ${name}${order}pd  VE.66.0F38.W1  ${byte(0)}  RVM  v v v/m   b64 er`;
      if (!hasScalars) return vectors;
      return `${vectors}
  ${name}${order}ss  VE.66.0F38.W0  ${byte(1)}  RVM  x x x/32  er
  ${name}${order}sd  VE.66.0F38.W1  ${byte(1)}  RVM  x x x/64  er`;
    })
    .join('');
}

/** Functions of one operand that AVX-512 brought: vectors, and scalars at the next opcode, which pass the upper lanes of another operand through. */
function unary512(name: string, map: string, opcode: number, immediate: '' | 'ib', flags: string): string {
  const byte = (offset: number): string => (opcode + offset).toString(16).toUpperCase().padStart(2, '0');
  const tail = immediate ? 'I' : '';
  return `
  ${name}ps  E.66.${map}.W0  ${byte(0)}  RM${tail}   v v/m ${immediate}    b32 ${flags}
  ${name}pd  E.66.${map}.W1  ${byte(0)}  RM${tail}   v v/m ${immediate}    b64 ${flags}
  ${name}ss  E.66.${map}.W0  ${byte(1)}  RVM${tail}  x x x/32 ${immediate} ${flags}
  ${name}sd  E.66.${map}.W1  ${byte(1)}  RVM${tail}  x x x/64 ${immediate} ${flags}`;
}

/** Functions of two operands that AVX-512 brought. */
function binary512(name: string, map: string, opcode: number, immediate: '' | 'ib', flags: string): string {
  const byte = (offset: number): string => (opcode + offset).toString(16).toUpperCase().padStart(2, '0');
  const encoding = immediate ? 'RVMI' : 'RVM';
  return `
  ${name}ps  E.66.${map}.W0  ${byte(0)}  ${encoding}  v v v/m ${immediate}   b32 ${flags}
  ${name}pd  E.66.${map}.W1  ${byte(0)}  ${encoding}  v v v/m ${immediate}   b64 ${flags}
  ${name}ss  E.66.${map}.W0  ${byte(1)}  ${encoding}  x x x/32 ${immediate}  ${flags}
  ${name}sd  E.66.${map}.W1  ${byte(1)}  ${encoding}  x x x/64 ${immediate}  ${flags}`;
}

export const floating = `
  ${four('vadd', '58', 'er')}
  ${four('vmul', '59', 'er')}
  ${four('vsub', '5C', 'er')}
  ${four('vmin', '5D', 'sae')}
  ${four('vdiv', '5E', 'er')}
  ${four('vmax', '5F', 'sae')}
  vsqrtps    VE.NP.0F.WIG/W0  51  RM    v v/m    b32 er
  vsqrtpd    VE.66.0F.WIG/W1  51  RM    v v/m    b64 er
  vsqrtss    VE.F3.0F.WIG/W0  51  RVM   x x x/32 er
  vsqrtsd    VE.F2.0F.WIG/W1  51  RVM   x x x/64 er
  ${bitwise('vand', '54')}
  ${bitwise('vandn', '55')}
  ${bitwise('vor', '56')}
  ${bitwise('vxor', '57')}
  ${fused('vfmadd', 0x98, true)}
  ${fused('vfmsub', 0x9a, true)}
  ${fused('vfnmadd', 0x9c, true)}
  ${fused('vfnmsub', 0x9e, true)}
  ${fused('vfmaddsub', 0x96, false)}
  ${fused('vfmsubadd', 0x97, false)}
  vrcpps     V.NP.0F.WIG      53  RM    v v/m
  vrsqrtps   V.NP.0F.WIG      52  RM    v v/m
  vrcpss     V.F3.0F.WIG      53  RVM   x x x/32
  vrsqrtss   V.F3.0F.WIG      52  RVM   x x x/32
  ${unary512('vrcp14', '0F38', 0x4c, '', '')}
  ${unary512('vrsqrt14', '0F38', 0x4e, '', '')}
  ${unary512('vgetexp', '0F38', 0x42, '', 'sae')}
  ${unary512('vgetmant', '0F3A', 0x26, 'ib', 'sae')}
  ${unary512('vreduce', '0F3A', 0x56, 'ib', 'sae')}
  ${binary512('vscalef', '0F38', 0x2c, '', 'er')}
  ${binary512('vfixupimm', '0F3A', 0x54, 'ib', 'sae')}
  ${binary512('vrange', '0F3A', 0x50, 'ib', 'sae')}
  vroundps   V.66.0F3A.WIG    08  RMI   v v/m ib
  vroundpd   V.66.0F3A.WIG    09  RMI   v v/m ib
  vroundss   V.66.0F3A.WIG    0A  RVMI  x x x/32 ib
  vroundsd   V.66.0F3A.WIG    0B  RVMI  x x x/64 ib
  vrndscaleps E.66.0F3A.W0    08  RMI   v v/m ib     b32 sae
  vrndscalepd E.66.0F3A.W1    09  RMI   v v/m ib     b64 sae
  vrndscaless E.66.0F3A.W0    0A  RVMI  x x x/32 ib  sae
  vrndscalesd E.66.0F3A.W1    0B  RVMI  x x x/64 ib  sae
  vcmpps     V.NP.0F.WIG      C2  RVMI  v v v/m ib
  vcmppd     V.66.0F.WIG      C2  RVMI  v v v/m ib
  vcmpss     V.F3.0F.WIG      C2  RVMI  x x x/32 ib
  vcmpsd     V.F2.0F.WIG      C2  RVMI  x x x/64 ib
  vcmpps     E.NP.0F.W0       C2  RVMI  k v v/m ib   b32 sae
  vcmppd     E.66.0F.W1       C2  RVMI  k v v/m ib   b64 sae
  vcmpss     E.F3.0F.W0       C2  RVMI  k x x/32 ib  sae
  vcmpsd     E.F2.0F.W1       C2  RVMI  k x x/64 ib  sae
  vfpclassps E.66.0F3A.W0     66  RMI   k v/m ib     b32
  vfpclasspd E.66.0F3A.W1     66  RMI   k v/m ib     b64
  vfpclassss E.66.0F3A.W0     67  RMI   k x/32 ib
  vfpclasssd E.66.0F3A.W1     67  RMI   k x/64 ib
  vucomiss   VE.NP.0F.WIG/W0  2E  RM    x x/32       sae nk
  vucomisd   VE.66.0F.WIG/W1  2E  RM    x x/64       sae nk
  vcomiss    VE.NP.0F.WIG/W0  2F  RM    x x/32       sae nk
  vcomisd    VE.66.0F.WIG/W1  2F  RM    x x/64       sae nk
  vhaddps    V.F2.0F.WIG      7C  RVM   v v v/m
  vhaddpd    V.66.0F.WIG      7C  RVM   v v v/m
  vaddsubps  V.F2.0F.WIG      D0  RVM   v v v/m
  vaddsubpd  V.66.0F.WIG      D0  RVM   v v v/m
  vblendps   V.66.0F3A.WIG    0C  RVMI  v v v/m ib
  vblendpd   V.66.0F3A.WIG    0D  RVMI  v v v/m ib
  vblendvps  V.66.0F3A.W0     4A  RVMS  v v v/m v
  vblendvpd  V.66.0F3A.W0     4B  RVMS  v v v/m v
  vblendmps  E.66.0F38.W0     65  RVM   v v v/m      b32
  vblendmpd  E.66.0F38.W1     65  RVM   v v v/m      b64
  vtestps    V.66.0F38.W0     0E  RM    v v/m
  vtestpd    V.66.0F38.W0     0F  RM    v v/m
`;
