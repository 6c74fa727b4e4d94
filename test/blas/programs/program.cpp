// BLAS from a program in C++: a Cholesky factorization by dsyrk, dtrsm and what they leave, solved and checked.
#include <cblas.h>
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

int main() {
  const int n = 24, half = n / 2;
  std::vector<double> a(n * n), l(n * n), x(n), b(n);
  for (int i = 0; i < n; i += 1)
    for (int j = 0; j < n; j += 1) a[i * n + j] = l[i * n + j] = i == j ? n + 1 : 1.0 / (1 + std::abs(i - j));
  // Two blocks, each factored by columns.
  for (int from = 0; from < n; from += half) {
    for (int j = from; j < from + half; j += 1) {
      const double root = std::sqrt(l[j * n + j] - cblas_ddot(j - from, &l[j * n + from], 1, &l[j * n + from], 1));
      l[j * n + j] = root;
      const int below = from + half - j - 1;
      if (below > 0) {
        cblas_dgemv(CblasRowMajor, CblasNoTrans, below, j - from, -1, &l[(j + 1) * n + from], n, &l[j * n + from], 1, 1, &l[(j + 1) * n + j], n);
        cblas_dscal(below, 1 / root, &l[(j + 1) * n + j], n);
      }
    }
    const int rest = n - from - half;
    if (rest == 0) break;
    cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, rest, half, 1, &l[from * n + from], n, &l[(from + half) * n + from], n);
    cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, rest, half, -1, &l[(from + half) * n + from], n, 1, &l[(from + half) * n + from + half], n);
  }
  for (int i = 0; i < n; i += 1) b[i] = i;
  x = b;
  cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, n, l.data(), n, x.data(), 1);
  cblas_dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, n, l.data(), n, x.data(), 1);
  double worst = 0;
  for (int i = 0; i < n; i += 1) {
    double sum = 0;
    for (int j = 0; j < n; j += 1) sum += a[i * n + j] * x[j];
    worst = std::fmax(worst, std::fabs(sum - b[i]));
  }
  const std::complex<double> u[] = {{1, 2}, {3, -1}}, v[] = {{0, 1}, {2, 2}};
  std::complex<double> dot;
  cblas_zdotc_sub(2, u, 1, v, 1, &dot);
  std::printf("%s %g %g\n", worst < 1e-12 ? "solved" : "not solved", dot.real(), dot.imag());
}
