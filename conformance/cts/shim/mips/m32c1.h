/* What MIPS uses to flush subnormals, which WebAssembly never does. */
#define FPA_CSR_FS 0
#define fpa_bissr(bits) ((void)(bits))
#define fpa_bicsr(bits) ((void)(bits))
