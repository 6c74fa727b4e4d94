/** The functions of include/cblas.h, without `cblas_`. They are listed apart from the routines, so that programs in C load none of those. */

const lists: readonly (readonly [letters: string, names: string])[] = [
  ['sdcz', '?swap ?copy ?scal ?axpy ?axpby ?rotg i?amax'],
  ['sd', '?dot ?nrm2 ?asum ?rot ?rotm ?rotmg'],
  ['cz', '?dotu_sub ?dotc_sub'],
  ['-', 'csscal zdscal dsdot sdsdot scnrm2 dznrm2 scasum dzasum csrot zdrot'],
  ['sdcz', '?gemv ?gbmv ?trmv ?tbmv ?tpmv ?trsv ?tbsv ?tpsv'],
  ['sd', '?symv ?sbmv ?spmv ?ger ?syr ?spr ?syr2 ?spr2'],
  ['cz', '?hemv ?hbmv ?hpmv ?geru ?gerc ?her ?hpr ?her2 ?hpr2'],
  ['sdcz', '?gemm ?symm ?syrk ?syr2k ?trmm ?trsm ?gemm_batch_strided ?gemm_batch'],
  ['cz', '?hemm ?herk ?her2k'],
];

export const functionNames: readonly string[] = lists.flatMap(([letters, names]) =>
  names.split(' ').flatMap((name) => [...letters].map((letter) => name.replace('?', letter))),
);
