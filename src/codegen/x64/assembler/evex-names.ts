/** Instructions that go by another name where they are encoded for AVX-512: for registers from 16 on and for those of 512 bits. */

const otherNames: Readonly<Record<string, string>> = {
  vpand: 'vpandd',
  vpandn: 'vpandnd',
  vpor: 'vpord',
  vpxor: 'vpxord',
  vmovdqa: 'vmovdqa32',
  vmovdqu: 'vmovdqu32',
  vinserti128: 'vinserti32x4',
  vextracti128: 'vextracti32x4',
  vbroadcasti128: 'vbroadcasti32x4',
  vroundps: 'vrndscaleps',
  vroundpd: 'vrndscalepd',
};

/** The mnemonic itself where it has no other. */
export function evexName(mnemonic: string): string {
  return otherNames[mnemonic] ?? mnemonic;
}
