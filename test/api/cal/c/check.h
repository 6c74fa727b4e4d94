/* Counts checks, and prints those that fail. */
#include <stdio.h>

static int passed, failed;

#define EXPECT(call, wanted)                                                                       \
  do {                                                                                             \
    const int got = (int)(call);                                                                   \
    if (got == (int)(wanted)) {                                                                    \
      passed++;                                                                                    \
    } else {                                                                                       \
      failed++;                                                                                    \
      printf("line %d: %s gave %d, not %s\n", __LINE__, #call, got, #wanted);                      \
    }                                                                                              \
  } while (0)

#define REPORT()                                                                                   \
  (printf("%d passed, %d failed\n", passed, failed), failed == 0 ? 0 : 1)
