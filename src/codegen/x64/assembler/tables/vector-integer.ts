/** Arithmetic, comparisons, logic and shifts of integers in vectors. The notation is explained in `../form.ts`. */

/** Lines of two operands and a result for both encodings: name, map, opcode. Bytes and words have no broadcast. */
const narrow = (
  [
    ['vpaddb', '0F', 'FC'],
    ['vpaddw', '0F', 'FD'],
    ['vpsubb', '0F', 'F8'],
    ['vpsubw', '0F', 'F9'],
    ['vpaddsb', '0F', 'EC'],
    ['vpaddsw', '0F', 'ED'],
    ['vpaddusb', '0F', 'DC'],
    ['vpaddusw', '0F', 'DD'],
    ['vpsubsb', '0F', 'E8'],
    ['vpsubsw', '0F', 'E9'],
    ['vpsubusb', '0F', 'D8'],
    ['vpsubusw', '0F', 'D9'],
    ['vpavgb', '0F', 'E0'],
    ['vpavgw', '0F', 'E3'],
    ['vpmullw', '0F', 'D5'],
    ['vpmulhw', '0F', 'E5'],
    ['vpmulhuw', '0F', 'E4'],
    ['vpmulhrsw', '0F38', '0B'],
    ['vpmaddwd', '0F', 'F5'],
    ['vpmaddubsw', '0F38', '04'],
    ['vpminsb', '0F38', '38'],
    ['vpminsw', '0F', 'EA'],
    ['vpminub', '0F', 'DA'],
    ['vpminuw', '0F38', '3A'],
    ['vpmaxsb', '0F38', '3C'],
    ['vpmaxsw', '0F', 'EE'],
    ['vpmaxub', '0F', 'DE'],
    ['vpmaxuw', '0F38', '3E'],
  ] as const
).map(([name, map, opcode]) => `${name}  VE.66.${map}.WIG  ${opcode}  RVM  v v v/m`);

/** Comparisons and tests of AVX-512, whose results are masks; prefix by name. */
const toMasks = ['vptestm', 'vptestnm'].map((name, index) => {
  const prefix = index === 0 ? '66' : 'F3';
  return `
  ${name}b  E.${prefix}.0F38.W0  26  RVM  k v v/m
  ${name}w  E.${prefix}.0F38.W1  26  RVM  k v v/m
  ${name}d  E.${prefix}.0F38.W0  27  RVM  k v v/m  b32
  ${name}q  E.${prefix}.0F38.W1  27  RVM  k v v/m  b64`;
});

const logic = (
  [
    ['vpand', 'DB'],
    ['vpandn', 'DF'],
    ['vpor', 'EB'],
    ['vpxor', 'EF'],
  ] as const
).map(
  ([name, opcode]) => `
  ${name}|${name}d|${name}q=${name}  V.66.0F.WIG  ${opcode}  RVM  v v v/m
  ${name}d  E.66.0F.W0  ${opcode}  RVM  v v v/m  b32
  ${name}q  E.66.0F.W1  ${opcode}  RVM  v v v/m  b64`,
);

/** Shifts of all lanes by one count: of a register or memory, or a number. */
const shifts = (
  [
    ['vpsllw', 'F1', '71/6', 'WIG', ''],
    ['vpslld', 'F2', '72/6', 'WIG/W0', 'b32'],
    ['vpsllq', 'F3', '73/6', 'WIG/W1', 'b64'],
    ['vpsrlw', 'D1', '71/2', 'WIG', ''],
    ['vpsrld', 'D2', '72/2', 'WIG/W0', 'b32'],
    ['vpsrlq', 'D3', '73/2', 'WIG/W1', 'b64'],
    ['vpsraw', 'E1', '71/4', 'WIG', ''],
    ['vpsrad', 'E2', '72/4', 'WIG/W0', 'b32'],
  ] as const
).map(
  ([name, byCount, byNumber, w, flag]) => `
  ${name}  VE.66.0F.${w}  ${byCount}   RVM  v v x/128
  ${name}  V.66.0F.${w}   ${byNumber}  VMI  v v ib
  ${name}  E.66.0F.${w}   ${byNumber}  VMI  v v/m ib  ${flag}`,
);

/** Operations of AVX-512 on two sizes: name, map, opcode; at W0 and W1. */
function both(name: string, map: string, opcode: string, operands = 'RVM  v v v/m'): string {
  return `
  ${name}d  E.66.${map}.W0  ${opcode}  ${operands}  b32
  ${name}q  E.66.${map}.W1  ${opcode}  ${operands}  b64`;
}

export const vectorInteger = `
  ${narrow.join('\n  ')}
  vpaddd     VE.66.0F.WIG/W0    FE  RVM  v v v/m  b32
  vpaddq     VE.66.0F.WIG/W1    D4  RVM  v v v/m  b64
  vpsubd     VE.66.0F.WIG/W0    FA  RVM  v v v/m  b32
  vpsubq     VE.66.0F.WIG/W1    FB  RVM  v v v/m  b64
  vpmulld    VE.66.0F38.WIG/W0  40  RVM  v v v/m  b32
  vpmullq    E.66.0F38.W1       40  RVM  v v v/m  b64
  vpmuludq   VE.66.0F.WIG/W1    F4  RVM  v v v/m  b64
  vpmuldq    VE.66.0F38.WIG/W1  28  RVM  v v v/m  b64
  vpsadbw    VE.66.0F.WIG       F6  RVM  v v v/m  nk
  vpminsd    VE.66.0F38.WIG/W0  39  RVM  v v v/m  b32
  vpminsq    E.66.0F38.W1       39  RVM  v v v/m  b64
  vpminud    VE.66.0F38.WIG/W0  3B  RVM  v v v/m  b32
  vpminuq    E.66.0F38.W1       3B  RVM  v v v/m  b64
  vpmaxsd    VE.66.0F38.WIG/W0  3D  RVM  v v v/m  b32
  vpmaxsq    E.66.0F38.W1       3D  RVM  v v v/m  b64
  vpmaxud    VE.66.0F38.WIG/W0  3F  RVM  v v v/m  b32
  vpmaxuq    E.66.0F38.W1       3F  RVM  v v v/m  b64
  vpabsb     VE.66.0F38.WIG     1C  RM   v v/m
  vpabsw     VE.66.0F38.WIG     1D  RM   v v/m
  vpabsd     VE.66.0F38.WIG/W0  1E  RM   v v/m    b32
  vpabsq     E.66.0F38.W1       1F  RM   v v/m    b64
  vpsignb    V.66.0F38.WIG      08  RVM  v v v/m
  vpsignw    V.66.0F38.WIG      09  RVM  v v v/m
  vpsignd    V.66.0F38.WIG      0A  RVM  v v v/m
  vphaddd    V.66.0F38.WIG      02  RVM  v v v/m
  vpcmpeqb   V.66.0F.WIG  74  RVM  v v v/m
  vpcmpeqb   E.66.0F.WIG  74  RVM  k v v/m
  vpcmpeqw   V.66.0F.WIG  75  RVM  v v v/m
  vpcmpeqw   E.66.0F.WIG  75  RVM  k v v/m
  vpcmpeqd   V.66.0F.WIG/W0  76  RVM  v v v/m
  vpcmpeqd   E.66.0F.WIG/W0  76  RVM  k v v/m  b32
  vpcmpeqq   V.66.0F38.WIG/W1  29  RVM  v v v/m
  vpcmpeqq   E.66.0F38.WIG/W1  29  RVM  k v v/m  b64
  vpcmpgtb   V.66.0F.WIG  64  RVM  v v v/m
  vpcmpgtb   E.66.0F.WIG  64  RVM  k v v/m
  vpcmpgtw   V.66.0F.WIG  65  RVM  v v v/m
  vpcmpgtw   E.66.0F.WIG  65  RVM  k v v/m
  vpcmpgtd   V.66.0F.WIG/W0  66  RVM  v v v/m
  vpcmpgtd   E.66.0F.WIG/W0  66  RVM  k v v/m  b32
  vpcmpgtq   V.66.0F38.WIG/W1  37  RVM  v v v/m
  vpcmpgtq   E.66.0F38.WIG/W1  37  RVM  k v v/m  b64
  vpcmpb     E.66.0F3A.W0       3F  RVMI k v v/m ib
  vpcmpub    E.66.0F3A.W0       3E  RVMI k v v/m ib
  vpcmpw     E.66.0F3A.W1       3F  RVMI k v v/m ib
  vpcmpuw    E.66.0F3A.W1       3E  RVMI k v v/m ib
  vpcmpd     E.66.0F3A.W0       1F  RVMI k v v/m ib  b32
  vpcmpud    E.66.0F3A.W0       1E  RVMI k v v/m ib  b32
  vpcmpq     E.66.0F3A.W1       1F  RVMI k v v/m ib  b64
  vpcmpuq    E.66.0F3A.W1       1E  RVMI k v v/m ib  b64
  ${toMasks.join('')}
  vptest     V.66.0F38.WIG      17  RM   v v/m
  ${logic.join('')}
  ${both('vpternlog', '0F3A', '25', 'RVMI  v v v/m ib')}
  ${shifts.join('')}
  vpsraq     E.66.0F.W1  E2    RVM  v v x/128
  vpsraq     E.66.0F.W1  72/4  VMI  v v/m ib  b64
  vpslldq    V.66.0F.WIG  73/7  VMI  v v ib
  vpslldq    E.66.0F.WIG  73/7  VMI  v v/m ib  nk
  vpsrldq    V.66.0F.WIG  73/3  VMI  v v ib
  vpsrldq    E.66.0F.WIG  73/3  VMI  v v/m ib  nk
  vpsllvd    VE.66.0F38.W0  47  RVM  v v v/m  b32
  vpsllvq    VE.66.0F38.W1  47  RVM  v v v/m  b64
  vpsrlvd    VE.66.0F38.W0  45  RVM  v v v/m  b32
  vpsrlvq    VE.66.0F38.W1  45  RVM  v v v/m  b64
  vpsravd    VE.66.0F38.W0  46  RVM  v v v/m  b32
  vpsravq    E.66.0F38.W1   46  RVM  v v v/m  b64
  vpsllvw    E.66.0F38.W1   12  RVM  v v v/m
  vpsrlvw    E.66.0F38.W1   10  RVM  v v v/m
  vpsravw    E.66.0F38.W1   11  RVM  v v v/m
  ${both('vprol', '0F', '72/1', 'VMI  v v/m ib')}
  ${both('vpror', '0F', '72/0', 'VMI  v v/m ib')}
  ${both('vprolv', '0F38', '15')}
  ${both('vprorv', '0F38', '14')}
  ${both('vpshld', '0F3A', '71', 'RVMI  v v v/m ib')}
  ${both('vpshrd', '0F3A', '73', 'RVMI  v v v/m ib')}
  ${both('vpshldv', '0F38', '71')}
  ${both('vpshrdv', '0F38', '73')}
  ${both('vpopcnt', '0F38', '55', 'RM  v v/m')}
  vpopcntb   E.66.0F38.W0  54  RM  v v/m
  vpopcntw   E.66.0F38.W1  54  RM  v v/m
  ${both('vplzcnt', '0F38', '44', 'RM  v v/m')}
  ${both('vpconflict', '0F38', 'C4', 'RM  v v/m')}
  vpmadd52luq    E.66.0F38.W1  B4  RVM  v v v/m  b64
  vpmadd52huq    E.66.0F38.W1  B5  RVM  v v v/m  b64
  vpmultishiftqb E.66.0F38.W1  83  RVM  v v v/m  b64
`;
