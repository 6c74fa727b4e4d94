/*
 * CBLAS for programs in C and C++: the routines of millrace/blas, with the names, values and orders of parameters of the reference. docs/blas.md
 * tells what is here, docs/c-hosts.md how to compile a program for WebAssembly and run it.
 */
#ifndef MILLRACE_CBLAS_H
#define MILLRACE_CBLAS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In WebAssembly a routine is an import that Millrace fills in when it runs the program. */
#if defined(__wasm__)
#define CBLAS_IMPORT(name) __attribute__((import_module("BLAS"), import_name(#name)))
#else
#define CBLAS_IMPORT(name)
#endif

/* Declares a routine that Millrace has: CBLAS_FUNCTION(float, sdot)(...); */
#define CBLAS_FUNCTION(type, name) extern CBLAS_IMPORT(cblas_##name) type cblas_##name

#define CBLAS_INT int
#define CBLAS_INDEX size_t

typedef enum CBLAS_LAYOUT { CblasRowMajor = 101, CblasColMajor = 102 } CBLAS_LAYOUT;
typedef enum CBLAS_TRANSPOSE {
  CblasNoTrans = 111,
  CblasTrans = 112,
  CblasConjTrans = 113,
  CblasConjNoTrans = 114
} CBLAS_TRANSPOSE;
typedef enum CBLAS_UPLO { CblasUpper = 121, CblasLower = 122 } CBLAS_UPLO;
typedef enum CBLAS_DIAG { CblasNonUnit = 131, CblasUnit = 132 } CBLAS_DIAG;
typedef enum CBLAS_SIDE { CblasLeft = 141, CblasRight = 142 } CBLAS_SIDE;

#define CBLAS_ORDER CBLAS_LAYOUT

/*
 * A wrong argument: its number, the routine, and what is wrong as a format. Without a handler the words go to standard error and the program ends, as
 * the cblas_xerbla of the reference does it. A program that has a cblas_xerbla of its own calls cblas_set_xerbla(cblas_xerbla).
 */
typedef void (*CBLAS_XERBLA)(CBLAS_INT info, const char *routine, const char *form, ...);
void cblas_xerbla(CBLAS_INT info, const char *routine, const char *form, ...);
CBLAS_FUNCTION(void, set_xerbla)(CBLAS_XERBLA handler);

/* Level 1 */
CBLAS_FUNCTION(void, sswap)(CBLAS_INT n, float *x, CBLAS_INT incx, float *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, dswap)(CBLAS_INT n, double *x, CBLAS_INT incx, double *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, cswap)(CBLAS_INT n, void *x, CBLAS_INT incx, void *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, zswap)(CBLAS_INT n, void *x, CBLAS_INT incx, void *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, scopy)(CBLAS_INT n, const float *x, CBLAS_INT incx, float *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, dcopy)(CBLAS_INT n, const double *x, CBLAS_INT incx, double *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, ccopy)(CBLAS_INT n, const void *x, CBLAS_INT incx, void *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, zcopy)(CBLAS_INT n, const void *x, CBLAS_INT incx, void *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, saxpy)(CBLAS_INT n, float alpha, const float *x, CBLAS_INT incx, float *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, daxpy)(CBLAS_INT n, double alpha, const double *x, CBLAS_INT incx, double *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, caxpy)(CBLAS_INT n, const void *alpha, const void *x, CBLAS_INT incx, void *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, zaxpy)(CBLAS_INT n, const void *alpha, const void *x, CBLAS_INT incx, void *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, saxpby)(CBLAS_INT n, float alpha, const float *x, CBLAS_INT incx, float beta, float *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, daxpby)(CBLAS_INT n, double alpha, const double *x, CBLAS_INT incx, double beta, double *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, caxpby)(CBLAS_INT n, const void *alpha, const void *x, CBLAS_INT incx, const void *beta, void *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, zaxpby)(CBLAS_INT n, const void *alpha, const void *x, CBLAS_INT incx, const void *beta, void *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, sscal)(CBLAS_INT n, float alpha, float *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, dscal)(CBLAS_INT n, double alpha, double *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, cscal)(CBLAS_INT n, const void *alpha, void *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, zscal)(CBLAS_INT n, const void *alpha, void *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, csscal)(CBLAS_INT n, float alpha, void *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, zdscal)(CBLAS_INT n, double alpha, void *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, srot)(CBLAS_INT n, float *x, CBLAS_INT incx, float *y, CBLAS_INT incy, float c, float s);
CBLAS_FUNCTION(void, drot)(CBLAS_INT n, double *x, CBLAS_INT incx, double *y, CBLAS_INT incy, double c, double s);
CBLAS_FUNCTION(void, csrot)(CBLAS_INT n, void *x, CBLAS_INT incx, void *y, CBLAS_INT incy, float c, float s);
CBLAS_FUNCTION(void, zdrot)(CBLAS_INT n, void *x, CBLAS_INT incx, void *y, CBLAS_INT incy, double c, double s);
CBLAS_FUNCTION(void, srotm)(CBLAS_INT n, float *x, CBLAS_INT incx, float *y, CBLAS_INT incy, const float *param);
CBLAS_FUNCTION(void, drotm)(CBLAS_INT n, double *x, CBLAS_INT incx, double *y, CBLAS_INT incy, const double *param);
CBLAS_FUNCTION(float, sdot)(CBLAS_INT n, const float *x, CBLAS_INT incx, const float *y, CBLAS_INT incy);
CBLAS_FUNCTION(double, ddot)(CBLAS_INT n, const double *x, CBLAS_INT incx, const double *y, CBLAS_INT incy);
CBLAS_FUNCTION(float, sdsdot)(CBLAS_INT n, float alpha, const float *x, CBLAS_INT incx, const float *y, CBLAS_INT incy);
CBLAS_FUNCTION(double, dsdot)(CBLAS_INT n, const float *x, CBLAS_INT incx, const float *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, cdotu_sub)(CBLAS_INT n, const void *x, CBLAS_INT incx, const void *y, CBLAS_INT incy, void *dotu);
CBLAS_FUNCTION(void, zdotu_sub)(CBLAS_INT n, const void *x, CBLAS_INT incx, const void *y, CBLAS_INT incy, void *dotu);
CBLAS_FUNCTION(void, cdotc_sub)(CBLAS_INT n, const void *x, CBLAS_INT incx, const void *y, CBLAS_INT incy, void *dotc);
CBLAS_FUNCTION(void, zdotc_sub)(CBLAS_INT n, const void *x, CBLAS_INT incx, const void *y, CBLAS_INT incy, void *dotc);
CBLAS_FUNCTION(float, snrm2)(CBLAS_INT n, const float *x, CBLAS_INT incx);
CBLAS_FUNCTION(double, dnrm2)(CBLAS_INT n, const double *x, CBLAS_INT incx);
CBLAS_FUNCTION(float, scnrm2)(CBLAS_INT n, const void *x, CBLAS_INT incx);
CBLAS_FUNCTION(double, dznrm2)(CBLAS_INT n, const void *x, CBLAS_INT incx);
CBLAS_FUNCTION(float, sasum)(CBLAS_INT n, const float *x, CBLAS_INT incx);
CBLAS_FUNCTION(double, dasum)(CBLAS_INT n, const double *x, CBLAS_INT incx);
CBLAS_FUNCTION(float, scasum)(CBLAS_INT n, const void *x, CBLAS_INT incx);
CBLAS_FUNCTION(double, dzasum)(CBLAS_INT n, const void *x, CBLAS_INT incx);
CBLAS_FUNCTION(CBLAS_INDEX, isamax)(CBLAS_INT n, const float *x, CBLAS_INT incx);
CBLAS_FUNCTION(CBLAS_INDEX, idamax)(CBLAS_INT n, const double *x, CBLAS_INT incx);
CBLAS_FUNCTION(CBLAS_INDEX, icamax)(CBLAS_INT n, const void *x, CBLAS_INT incx);
CBLAS_FUNCTION(CBLAS_INDEX, izamax)(CBLAS_INT n, const void *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, srotg)(float *a, float *b, float *c, float *s);
CBLAS_FUNCTION(void, srotmg)(float *d1, float *d2, float *b1, float b2, float *param);
CBLAS_FUNCTION(void, drotg)(double *a, double *b, double *c, double *s);
CBLAS_FUNCTION(void, drotmg)(double *d1, double *d2, double *b1, double b2, double *param);
CBLAS_FUNCTION(void, crotg)(void *a, const void *b, float *c, void *s);
CBLAS_FUNCTION(void, zrotg)(void *a, const void *b, double *c, void *s);

/* Level 2 */
CBLAS_FUNCTION(void, sgemv)(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE trans, CBLAS_INT m, CBLAS_INT n, float alpha, const float *a, CBLAS_INT lda, const float *x, CBLAS_INT incx, float beta, float *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, dgemv)(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE trans, CBLAS_INT m, CBLAS_INT n, double alpha, const double *a, CBLAS_INT lda, const double *x, CBLAS_INT incx, double beta, double *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, cgemv)(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE trans, CBLAS_INT m, CBLAS_INT n, const void *alpha, const void *a, CBLAS_INT lda, const void *x, CBLAS_INT incx, const void *beta, void *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, zgemv)(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE trans, CBLAS_INT m, CBLAS_INT n, const void *alpha, const void *a, CBLAS_INT lda, const void *x, CBLAS_INT incx, const void *beta, void *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, sgbmv)(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE trans, CBLAS_INT m, CBLAS_INT n, CBLAS_INT kl, CBLAS_INT ku, float alpha, const float *a, CBLAS_INT lda, const float *x, CBLAS_INT incx, float beta, float *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, dgbmv)(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE trans, CBLAS_INT m, CBLAS_INT n, CBLAS_INT kl, CBLAS_INT ku, double alpha, const double *a, CBLAS_INT lda, const double *x, CBLAS_INT incx, double beta, double *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, cgbmv)(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE trans, CBLAS_INT m, CBLAS_INT n, CBLAS_INT kl, CBLAS_INT ku, const void *alpha, const void *a, CBLAS_INT lda, const void *x, CBLAS_INT incx, const void *beta, void *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, zgbmv)(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE trans, CBLAS_INT m, CBLAS_INT n, CBLAS_INT kl, CBLAS_INT ku, const void *alpha, const void *a, CBLAS_INT lda, const void *x, CBLAS_INT incx, const void *beta, void *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, ssymv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, float alpha, const float *a, CBLAS_INT lda, const float *x, CBLAS_INT incx, float beta, float *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, dsymv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, double alpha, const double *a, CBLAS_INT lda, const double *x, CBLAS_INT incx, double beta, double *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, ssbmv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, CBLAS_INT k, float alpha, const float *a, CBLAS_INT lda, const float *x, CBLAS_INT incx, float beta, float *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, dsbmv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, CBLAS_INT k, double alpha, const double *a, CBLAS_INT lda, const double *x, CBLAS_INT incx, double beta, double *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, sspmv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, float alpha, const float *ap, const float *x, CBLAS_INT incx, float beta, float *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, dspmv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, double alpha, const double *ap, const double *x, CBLAS_INT incx, double beta, double *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, chemv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, const void *alpha, const void *a, CBLAS_INT lda, const void *x, CBLAS_INT incx, const void *beta, void *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, zhemv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, const void *alpha, const void *a, CBLAS_INT lda, const void *x, CBLAS_INT incx, const void *beta, void *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, chbmv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, CBLAS_INT k, const void *alpha, const void *a, CBLAS_INT lda, const void *x, CBLAS_INT incx, const void *beta, void *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, zhbmv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, CBLAS_INT k, const void *alpha, const void *a, CBLAS_INT lda, const void *x, CBLAS_INT incx, const void *beta, void *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, chpmv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, const void *alpha, const void *ap, const void *x, CBLAS_INT incx, const void *beta, void *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, zhpmv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, const void *alpha, const void *ap, const void *x, CBLAS_INT incx, const void *beta, void *y, CBLAS_INT incy);
CBLAS_FUNCTION(void, strmv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, const float *a, CBLAS_INT lda, float *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, dtrmv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, const double *a, CBLAS_INT lda, double *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, ctrmv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, const void *a, CBLAS_INT lda, void *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, ztrmv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, const void *a, CBLAS_INT lda, void *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, strsv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, const float *a, CBLAS_INT lda, float *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, dtrsv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, const double *a, CBLAS_INT lda, double *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, ctrsv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, const void *a, CBLAS_INT lda, void *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, ztrsv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, const void *a, CBLAS_INT lda, void *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, stbmv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, CBLAS_INT k, const float *a, CBLAS_INT lda, float *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, dtbmv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, CBLAS_INT k, const double *a, CBLAS_INT lda, double *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, ctbmv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, CBLAS_INT k, const void *a, CBLAS_INT lda, void *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, ztbmv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, CBLAS_INT k, const void *a, CBLAS_INT lda, void *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, stbsv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, CBLAS_INT k, const float *a, CBLAS_INT lda, float *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, dtbsv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, CBLAS_INT k, const double *a, CBLAS_INT lda, double *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, ctbsv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, CBLAS_INT k, const void *a, CBLAS_INT lda, void *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, ztbsv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, CBLAS_INT k, const void *a, CBLAS_INT lda, void *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, stpmv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, const float *ap, float *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, dtpmv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, const double *ap, double *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, ctpmv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, const void *ap, void *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, ztpmv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, const void *ap, void *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, stpsv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, const float *ap, float *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, dtpsv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, const double *ap, double *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, ctpsv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, const void *ap, void *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, ztpsv)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, CBLAS_INT n, const void *ap, void *x, CBLAS_INT incx);
CBLAS_FUNCTION(void, sger)(CBLAS_LAYOUT layout, CBLAS_INT m, CBLAS_INT n, float alpha, const float *x, CBLAS_INT incx, const float *y, CBLAS_INT incy, float *a, CBLAS_INT lda);
CBLAS_FUNCTION(void, dger)(CBLAS_LAYOUT layout, CBLAS_INT m, CBLAS_INT n, double alpha, const double *x, CBLAS_INT incx, const double *y, CBLAS_INT incy, double *a, CBLAS_INT lda);
CBLAS_FUNCTION(void, cgeru)(CBLAS_LAYOUT layout, CBLAS_INT m, CBLAS_INT n, const void *alpha, const void *x, CBLAS_INT incx, const void *y, CBLAS_INT incy, void *a, CBLAS_INT lda);
CBLAS_FUNCTION(void, zgeru)(CBLAS_LAYOUT layout, CBLAS_INT m, CBLAS_INT n, const void *alpha, const void *x, CBLAS_INT incx, const void *y, CBLAS_INT incy, void *a, CBLAS_INT lda);
CBLAS_FUNCTION(void, cgerc)(CBLAS_LAYOUT layout, CBLAS_INT m, CBLAS_INT n, const void *alpha, const void *x, CBLAS_INT incx, const void *y, CBLAS_INT incy, void *a, CBLAS_INT lda);
CBLAS_FUNCTION(void, zgerc)(CBLAS_LAYOUT layout, CBLAS_INT m, CBLAS_INT n, const void *alpha, const void *x, CBLAS_INT incx, const void *y, CBLAS_INT incy, void *a, CBLAS_INT lda);
CBLAS_FUNCTION(void, ssyr)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, float alpha, const float *x, CBLAS_INT incx, float *a, CBLAS_INT lda);
CBLAS_FUNCTION(void, dsyr)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, double alpha, const double *x, CBLAS_INT incx, double *a, CBLAS_INT lda);
CBLAS_FUNCTION(void, ssyr2)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, float alpha, const float *x, CBLAS_INT incx, const float *y, CBLAS_INT incy, float *a, CBLAS_INT lda);
CBLAS_FUNCTION(void, dsyr2)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, double alpha, const double *x, CBLAS_INT incx, const double *y, CBLAS_INT incy, double *a, CBLAS_INT lda);
CBLAS_FUNCTION(void, sspr)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, float alpha, const float *x, CBLAS_INT incx, float *ap);
CBLAS_FUNCTION(void, dspr)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, double alpha, const double *x, CBLAS_INT incx, double *ap);
CBLAS_FUNCTION(void, sspr2)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, float alpha, const float *x, CBLAS_INT incx, const float *y, CBLAS_INT incy, float *ap);
CBLAS_FUNCTION(void, dspr2)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, double alpha, const double *x, CBLAS_INT incx, const double *y, CBLAS_INT incy, double *ap);
CBLAS_FUNCTION(void, cher)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, float alpha, const void *x, CBLAS_INT incx, void *a, CBLAS_INT lda);
CBLAS_FUNCTION(void, zher)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, double alpha, const void *x, CBLAS_INT incx, void *a, CBLAS_INT lda);
CBLAS_FUNCTION(void, cher2)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, const void *alpha, const void *x, CBLAS_INT incx, const void *y, CBLAS_INT incy, void *a, CBLAS_INT lda);
CBLAS_FUNCTION(void, zher2)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, const void *alpha, const void *x, CBLAS_INT incx, const void *y, CBLAS_INT incy, void *a, CBLAS_INT lda);
CBLAS_FUNCTION(void, chpr)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, float alpha, const void *x, CBLAS_INT incx, void *ap);
CBLAS_FUNCTION(void, zhpr)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, double alpha, const void *x, CBLAS_INT incx, void *ap);
CBLAS_FUNCTION(void, chpr2)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, const void *alpha, const void *x, CBLAS_INT incx, const void *y, CBLAS_INT incy, void *ap);
CBLAS_FUNCTION(void, zhpr2)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_INT n, const void *alpha, const void *x, CBLAS_INT incx, const void *y, CBLAS_INT incy, void *ap);

/* Level 3 */
CBLAS_FUNCTION(void, sgemm)(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transA, CBLAS_TRANSPOSE transB, CBLAS_INT m, CBLAS_INT n, CBLAS_INT k, float alpha, const float *a, CBLAS_INT lda, const float *b, CBLAS_INT ldb, float beta, float *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, dgemm)(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transA, CBLAS_TRANSPOSE transB, CBLAS_INT m, CBLAS_INT n, CBLAS_INT k, double alpha, const double *a, CBLAS_INT lda, const double *b, CBLAS_INT ldb, double beta, double *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, cgemm)(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transA, CBLAS_TRANSPOSE transB, CBLAS_INT m, CBLAS_INT n, CBLAS_INT k, const void *alpha, const void *a, CBLAS_INT lda, const void *b, CBLAS_INT ldb, const void *beta, void *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, zgemm)(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transA, CBLAS_TRANSPOSE transB, CBLAS_INT m, CBLAS_INT n, CBLAS_INT k, const void *alpha, const void *a, CBLAS_INT lda, const void *b, CBLAS_INT ldb, const void *beta, void *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, sgemm_batch_strided)(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transA, CBLAS_TRANSPOSE transB, CBLAS_INT m, CBLAS_INT n, CBLAS_INT k, float alpha, const float *a, CBLAS_INT lda, CBLAS_INT strideA, const float *b, CBLAS_INT ldb, CBLAS_INT strideB, float beta, float *c, CBLAS_INT ldc, CBLAS_INT strideC, CBLAS_INT batch);
CBLAS_FUNCTION(void, dgemm_batch_strided)(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transA, CBLAS_TRANSPOSE transB, CBLAS_INT m, CBLAS_INT n, CBLAS_INT k, double alpha, const double *a, CBLAS_INT lda, CBLAS_INT strideA, const double *b, CBLAS_INT ldb, CBLAS_INT strideB, double beta, double *c, CBLAS_INT ldc, CBLAS_INT strideC, CBLAS_INT batch);
CBLAS_FUNCTION(void, cgemm_batch_strided)(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transA, CBLAS_TRANSPOSE transB, CBLAS_INT m, CBLAS_INT n, CBLAS_INT k, const void *alpha, const void *a, CBLAS_INT lda, CBLAS_INT strideA, const void *b, CBLAS_INT ldb, CBLAS_INT strideB, const void *beta, void *c, CBLAS_INT ldc, CBLAS_INT strideC, CBLAS_INT batch);
CBLAS_FUNCTION(void, zgemm_batch_strided)(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transA, CBLAS_TRANSPOSE transB, CBLAS_INT m, CBLAS_INT n, CBLAS_INT k, const void *alpha, const void *a, CBLAS_INT lda, CBLAS_INT strideA, const void *b, CBLAS_INT ldb, CBLAS_INT strideB, const void *beta, void *c, CBLAS_INT ldc, CBLAS_INT strideC, CBLAS_INT batch);
/* As in OpenBLAS and MKL: groups of products, each with arrays of pointers to its matrices. */
CBLAS_FUNCTION(void, sgemm_batch)(CBLAS_LAYOUT layout, const CBLAS_TRANSPOSE *transA, const CBLAS_TRANSPOSE *transB, const CBLAS_INT *m, const CBLAS_INT *n, const CBLAS_INT *k, const float *alpha, const float **a, const CBLAS_INT *lda, const float **b, const CBLAS_INT *ldb, const float *beta, float **c, const CBLAS_INT *ldc, CBLAS_INT groupCount, const CBLAS_INT *groupSize);
CBLAS_FUNCTION(void, dgemm_batch)(CBLAS_LAYOUT layout, const CBLAS_TRANSPOSE *transA, const CBLAS_TRANSPOSE *transB, const CBLAS_INT *m, const CBLAS_INT *n, const CBLAS_INT *k, const double *alpha, const double **a, const CBLAS_INT *lda, const double **b, const CBLAS_INT *ldb, const double *beta, double **c, const CBLAS_INT *ldc, CBLAS_INT groupCount, const CBLAS_INT *groupSize);
CBLAS_FUNCTION(void, cgemm_batch)(CBLAS_LAYOUT layout, const CBLAS_TRANSPOSE *transA, const CBLAS_TRANSPOSE *transB, const CBLAS_INT *m, const CBLAS_INT *n, const CBLAS_INT *k, const void *alpha, const void **a, const CBLAS_INT *lda, const void **b, const CBLAS_INT *ldb, const void *beta, void **c, const CBLAS_INT *ldc, CBLAS_INT groupCount, const CBLAS_INT *groupSize);
CBLAS_FUNCTION(void, zgemm_batch)(CBLAS_LAYOUT layout, const CBLAS_TRANSPOSE *transA, const CBLAS_TRANSPOSE *transB, const CBLAS_INT *m, const CBLAS_INT *n, const CBLAS_INT *k, const void *alpha, const void **a, const CBLAS_INT *lda, const void **b, const CBLAS_INT *ldb, const void *beta, void **c, const CBLAS_INT *ldc, CBLAS_INT groupCount, const CBLAS_INT *groupSize);
CBLAS_FUNCTION(void, ssymm)(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_INT m, CBLAS_INT n, float alpha, const float *a, CBLAS_INT lda, const float *b, CBLAS_INT ldb, float beta, float *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, dsymm)(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_INT m, CBLAS_INT n, double alpha, const double *a, CBLAS_INT lda, const double *b, CBLAS_INT ldb, double beta, double *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, csymm)(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_INT m, CBLAS_INT n, const void *alpha, const void *a, CBLAS_INT lda, const void *b, CBLAS_INT ldb, const void *beta, void *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, zsymm)(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_INT m, CBLAS_INT n, const void *alpha, const void *a, CBLAS_INT lda, const void *b, CBLAS_INT ldb, const void *beta, void *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, chemm)(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_INT m, CBLAS_INT n, const void *alpha, const void *a, CBLAS_INT lda, const void *b, CBLAS_INT ldb, const void *beta, void *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, zhemm)(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_INT m, CBLAS_INT n, const void *alpha, const void *a, CBLAS_INT lda, const void *b, CBLAS_INT ldb, const void *beta, void *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, ssyrk)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_INT n, CBLAS_INT k, float alpha, const float *a, CBLAS_INT lda, float beta, float *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, dsyrk)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_INT n, CBLAS_INT k, double alpha, const double *a, CBLAS_INT lda, double beta, double *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, csyrk)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_INT n, CBLAS_INT k, const void *alpha, const void *a, CBLAS_INT lda, const void *beta, void *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, zsyrk)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_INT n, CBLAS_INT k, const void *alpha, const void *a, CBLAS_INT lda, const void *beta, void *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, cherk)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_INT n, CBLAS_INT k, float alpha, const void *a, CBLAS_INT lda, float beta, void *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, zherk)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_INT n, CBLAS_INT k, double alpha, const void *a, CBLAS_INT lda, double beta, void *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, ssyr2k)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_INT n, CBLAS_INT k, float alpha, const float *a, CBLAS_INT lda, const float *b, CBLAS_INT ldb, float beta, float *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, dsyr2k)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_INT n, CBLAS_INT k, double alpha, const double *a, CBLAS_INT lda, const double *b, CBLAS_INT ldb, double beta, double *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, csyr2k)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_INT n, CBLAS_INT k, const void *alpha, const void *a, CBLAS_INT lda, const void *b, CBLAS_INT ldb, const void *beta, void *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, zsyr2k)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_INT n, CBLAS_INT k, const void *alpha, const void *a, CBLAS_INT lda, const void *b, CBLAS_INT ldb, const void *beta, void *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, cher2k)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_INT n, CBLAS_INT k, const void *alpha, const void *a, CBLAS_INT lda, const void *b, CBLAS_INT ldb, float beta, void *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, zher2k)(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_INT n, CBLAS_INT k, const void *alpha, const void *a, CBLAS_INT lda, const void *b, CBLAS_INT ldb, double beta, void *c, CBLAS_INT ldc);
CBLAS_FUNCTION(void, strmm)(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE transA, CBLAS_DIAG diag, CBLAS_INT m, CBLAS_INT n, float alpha, const float *a, CBLAS_INT lda, float *b, CBLAS_INT ldb);
CBLAS_FUNCTION(void, dtrmm)(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE transA, CBLAS_DIAG diag, CBLAS_INT m, CBLAS_INT n, double alpha, const double *a, CBLAS_INT lda, double *b, CBLAS_INT ldb);
CBLAS_FUNCTION(void, ctrmm)(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE transA, CBLAS_DIAG diag, CBLAS_INT m, CBLAS_INT n, const void *alpha, const void *a, CBLAS_INT lda, void *b, CBLAS_INT ldb);
CBLAS_FUNCTION(void, ztrmm)(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE transA, CBLAS_DIAG diag, CBLAS_INT m, CBLAS_INT n, const void *alpha, const void *a, CBLAS_INT lda, void *b, CBLAS_INT ldb);
CBLAS_FUNCTION(void, strsm)(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE transA, CBLAS_DIAG diag, CBLAS_INT m, CBLAS_INT n, float alpha, const float *a, CBLAS_INT lda, float *b, CBLAS_INT ldb);
CBLAS_FUNCTION(void, dtrsm)(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE transA, CBLAS_DIAG diag, CBLAS_INT m, CBLAS_INT n, double alpha, const double *a, CBLAS_INT lda, double *b, CBLAS_INT ldb);
CBLAS_FUNCTION(void, ctrsm)(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE transA, CBLAS_DIAG diag, CBLAS_INT m, CBLAS_INT n, const void *alpha, const void *a, CBLAS_INT lda, void *b, CBLAS_INT ldb);
CBLAS_FUNCTION(void, ztrsm)(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE transA, CBLAS_DIAG diag, CBLAS_INT m, CBLAS_INT n, const void *alpha, const void *a, CBLAS_INT lda, void *b, CBLAS_INT ldb);

#ifdef __cplusplus
}
#endif

#endif
