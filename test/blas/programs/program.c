/* BLAS from a program in C: results against loops, errors as cblas_xerbla has them, and what the reference does at the edges. */
#include <cblas.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                        \
  do {                                                          \
    if (!(condition)) {                                         \
      printf("line %d: %s\n", __LINE__, #condition);            \
      exit(1);                                                  \
    }                                                           \
  } while (0)

enum { m = 37, n = 29, k = 41 };

static int wrong;
static char told[200];

void cblas_xerbla(CBLAS_INT info, const char *routine, const char *form, ...) {
  va_list rest;
  int length = snprintf(told, sizeof told, "%d %s ", info, routine);
  va_start(rest, form);
  vsnprintf(told + length, sizeof told - length, form, rest);
  va_end(rest);
  wrong += 1;
}

static void products(void) {
  double *a = malloc(m * k * sizeof *a), *b = malloc(k * n * sizeof *b), *c = malloc(m * n * sizeof *c);
  for (int i = 0; i < m * k; i += 1) a[i] = i % 7 - 3;
  for (int i = 0; i < k * n; i += 1) b[i] = i % 5 - 2;
  for (int i = 0; i < m * n; i += 1) c[i] = i;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 2, a, k, b, n, 0.5, c, n);
  for (int i = 0; i < m; i += 1)
    for (int j = 0; j < n; j += 1) {
      double sum = 0;
      for (int p = 0; p < k; p += 1) sum += a[i * k + p] * b[p * n + j];
      CHECK(c[i * n + j] == 2 * sum + 0.5 * (i * n + j));
    }
  /* The same numbers by columns are the transposed matrices. */
  double *d = malloc(m * n * sizeof *d);
  for (int i = 0; i < m * n; i += 1) d[i] = i;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, m, k, 2, b, n, a, k, 0.5, d, n);
  CHECK(memcmp(c, d, m * n * sizeof *c) == 0);
  /* Rows of one matrix: source and target in one piece of memory. */
  cblas_daxpy(n, 3, c, 1, c + n, 1);
  for (int j = 0; j < n; j += 1) CHECK(c[n + j] == d[n + j] + 3 * d[j]);
  free(a), free(b), free(c), free(d);
}

/* Two groups: three products by rows that share a factor, and one whose factors are transposed. */
static void batches(void) {
  CBLAS_TRANSPOSE trans[] = {CblasNoTrans, CblasTrans};
  int m[] = {2, 1}, n[] = {2, 2}, k[] = {3, 2}, lda[] = {3, 1}, ldb[] = {2, 2}, ldc[] = {3, 2}, sizes[] = {3, 1};
  double alpha[] = {2, -1}, beta[] = {0, 1};
  double left[3][6], right[6] = {1, 0, 0, 1, 1, 1}, results[3][6], row[2] = {5, 7}, square[4] = {1, 2, 3, 4}, last[2] = {100, 200};
  const double *a[4], *b[4];
  double *c[4];
  for (int z = 0; z < 3; z += 1) {
    for (int i = 0; i < 6; i += 1) left[z][i] = 10 * z + i, results[z][i] = -1;
    a[z] = left[2 - z], b[z] = right, c[z] = results[z];
  }
  a[3] = row, b[3] = square, c[3] = last;
  cblas_dgemm_batch(CblasRowMajor, trans, trans, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, 2, sizes);
  for (int z = 0; z < 3; z += 1) {
    for (int i = 0; i < 2; i += 1) {
      const double *x = left[2 - z] + 3 * i;
      CHECK(results[z][3 * i] == 2 * (x[0] + x[2]) && results[z][3 * i + 1] == 2 * (x[1] + x[2]) && results[z][3 * i + 2] == -1);
    }
  }
  /* (5 7) times the transpose of the square. */
  CHECK(last[0] == 100 - (5 * 1 + 7 * 2) && last[1] == 200 - (5 * 3 + 7 * 4));
  float one[] = {1, 1, 2, 0}, i[] = {0, 1}, zero[] = {0, 0}, out[4] = {9, 9, 9, 9};
  const void *ca[] = {one, one + 2}, *cb[] = {i, i};
  void *cc[] = {out, out + 2};
  int unit[] = {1}, two[] = {2};
  cblas_cgemm_batch(CblasColMajor, trans, trans, unit, unit, unit, i, ca, unit, cb, unit, zero, cc, unit, 1, two);
  CHECK(out[0] == -1 && out[1] == -1 && out[2] == -2 && out[3] == 0);
  cblas_cgemm_batch(CblasColMajor, trans, trans, unit, unit, unit, i, ca, unit, cb, unit, zero, cc, unit, 0, two);
}

static void complexes(void) {
  float x[] = {1, 2, 3, 4}, y[] = {5, 6, 7, 8}, dot[2], alpha[] = {0, 1};
  cblas_cdotu_sub(2, x, 1, y, 1, dot);
  CHECK(dot[0] == 5 - 12 + 21 - 32 && dot[1] == 6 + 10 + 24 + 28);
  cblas_cdotc_sub(2, x, 1, y, 1, dot);
  CHECK(dot[0] == 5 + 12 + 21 + 32 && dot[1] == 6 - 10 + 24 - 28);
  cblas_cscal(2, alpha, x, 1);
  CHECK(x[0] == -2 && x[1] == 1 && x[2] == -4 && x[3] == 3);
  cblas_csscal(2, 2, x, 1);
  CHECK(x[0] == -4 && x[3] == 6 && cblas_icamax(2, x, 1) == 1);
  CHECK(cblas_scasum(2, x, 1) == 4 + 2 + 8 + 6);
}

static void rotations(void) {
  double a = 3, b = 4, c, s, param[5] = {9, 9, 9, 9, 9};
  cblas_drotg(&a, &b, &c, &s);
  CHECK(fabs(a - 5) < 1e-15 && fabs(c - 0.6) < 1e-15 && fabs(s - 0.8) < 1e-15 && fabs(b - 1 / 0.6) < 1e-15);
  double d1 = 1, d2 = 1, b1 = 2;
  cblas_drotmg(&d1, &d2, &b1, 1, param);
  /* The larger one stays: h12 = 1/2 and h21 = -1/2; the others are not written. */
  CHECK(param[0] == 0 && param[1] == 9 && param[2] == -0.5 && param[3] == 0.5 && param[4] == 9);
  CHECK(d1 == 0.8 && d2 == 0.8 && b1 == 2.5);
  double x[] = {2, 0}, y[] = {1, 0};
  cblas_drotm(1, x, 1, y, 1, param);
  CHECK(x[0] == 2.5 && y[0] == 0);
  float f[] = {3}, g[] = {4};
  cblas_srot(1, f, 1, g, 1, 0.6f, 0.8f);
  CHECK(fabsf(f[0] - 5) < 1e-6f && fabsf(g[0]) < 1e-6f);
}

static void edges(void) {
  float x[] = {1, -7, 3}, y[] = {1, 1, 1};
  CHECK(cblas_sdot(-1, x, 1, y, 1) == 0 && cblas_isamax(0, x, 1) == 0 && cblas_snrm2(0, NULL, 1) == 0);
  cblas_sswap(-5, x, 1, y, 1);
  CHECK(x[0] == 1 && cblas_isamax(3, x, 1) == 1 && cblas_sdot(2, x, -2, y, 1) == 4);
  CHECK(cblas_dsdot(3, x, 1, y, 1) == -3 && cblas_sdsdot(3, 0.5f, x, 1, y, 1) == -2.5f);
}

static void mistakes(void) {
  double a[4] = {0}, c[4] = {1, 2, 3, 4};
  cblas_set_xerbla(cblas_xerbla);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 2, 2, 2, 1, a, 1, a, 2, 0, c, 2);
  CHECK(wrong == 1 && strcmp(told, "9 cblas_dgemm lda is 1, at least 2 is needed\n") == 0);
  CHECK(c[0] == 1 && c[3] == 4);
  cblas_dgemv((CBLAS_LAYOUT)7, CblasNoTrans, 2, 2, 1, a, 2, a, 1, 0, c, 1);
  CHECK(wrong == 2 && strcmp(told, "1 cblas_dgemv Illegal Order setting, 7\n") == 0);
  cblas_dtrsv(CblasRowMajor, CblasUpper, CblasNoTrans, CblasNonUnit, 2, a, 2, c, 0);
  CHECK(wrong == 3 && strcmp(told, "9 cblas_dtrsv incx is 0\n") == 0);
  /* The second group is wrong: the first is not computed either. */
  CBLAS_TRANSPOSE trans[] = {CblasNoTrans, CblasNoTrans};
  int n[] = {1, 2}, ld[] = {2, 1}, sizes[] = {1, 1};
  double scalar[] = {1, 1};
  const double *factors[] = {a, a};
  double *results[] = {c, c};
  cblas_dgemm_batch(CblasRowMajor, trans, trans, n, n, n, scalar, factors, ld, factors, ld, scalar, results, ld, 2, sizes);
  CHECK(wrong == 4 && strcmp(told, "9 cblas_dgemm_batch lda is 1, at least 2 is needed\n") == 0);
  cblas_dgemm_batch(CblasRowMajor, trans, trans, n, n, n, scalar, factors, ld, factors, ld, scalar, results, ld, -1, sizes);
  CHECK(wrong == 5 && strcmp(told, "15 cblas_dgemm_batch groupCount is -1\n") == 0);
}

int main(int count, char **words) {
  if (count > 1 && strcmp(words[1], "wild") == 0) {
    cblas_sscal(4, 2, (float *)(size_t)0xfffffff0u, 1);
    printf("after it\n");
    return 0;
  }
  products();
  batches();
  complexes();
  rotations();
  edges();
  mistakes();
  printf("well\n");
  cblas_set_xerbla(0);
  if (count > 1) cblas_dscal(3, 2, (double *)0, 1);
  return 0;
}
