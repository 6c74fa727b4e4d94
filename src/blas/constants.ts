/** The constants of cblas.h, by its names and with its values. */
export const CblasRowMajor = 101;
export const CblasColMajor = 102;

export const CblasNoTrans = 111;
export const CblasTrans = 112;
export const CblasConjTrans = 113;
/** Conjugated only, as OpenBLAS has it. */
export const CblasConjNoTrans = 114;

export const CblasUpper = 121;
export const CblasLower = 122;

export const CblasNonUnit = 131;
export const CblasUnit = 132;

export const CblasLeft = 141;
export const CblasRight = 142;

export type CblasOrder = typeof CblasRowMajor | typeof CblasColMajor;
export type CblasTranspose =
  | typeof CblasNoTrans
  | typeof CblasTrans
  | typeof CblasConjTrans
  | typeof CblasConjNoTrans;
export type CblasUplo = typeof CblasUpper | typeof CblasLower;
export type CblasDiag = typeof CblasNonUnit | typeof CblasUnit;
export type CblasSide = typeof CblasLeft | typeof CblasRight;
