/* From a text in IL to an object, to an image, to its bytes and back. The compiler needs no device and no calInit. */
#include "../cal-support/check.h"
#include <string.h>

#define PROGRAM(source)                                                                            \
  "il_ps_2_0\n"                                                                                    \
  "dcl_output_generic o0\n"                                                                        \
  "dcl_literal l0, 1.0, 2.0, 3.0, 4.0\n"                                                           \
  "mov o0, " source "\n"                                                                           \
  "end\n"

static void print(const CALchar *line) { printf("%s", line); }

int main(void) {
  CALuint major, minor, implementation, size, again;
  CALobject object, none;
  CALimage image, read;
  CALresult result;
  const char *error;
  void *bytes;
  CHECK(calclGetVersion(&major, &minor, &implementation));
  printf("compiler %u.%u\n", major, minor);
  CHECK(calclCompile(&object, CAL_LANGUAGE_IL, PROGRAM("l0"), CAL_TARGET_670));
  CHECK(calclLink(&image, &object, 1));
  calclDisassembleImage(image, print);

  result = calclCompile(&none, CAL_LANGUAGE_IL, PROGRAM("l1"), CAL_TARGET_670);
  error = calclGetErrorString();
  printf("with a mistake: %d\n%.*s\n", (int)result, (int)(strchr(error, '\n') - error), error);

  /* An image can be kept in a file. */
  CHECK(calclImageGetSize(&size, image));
  bytes = malloc(size);
  CHECK(calclImageWrite(bytes, size, image));
  CHECK(calInit());
  CHECK(calImageRead(&read, bytes, size));
  CHECK(calclImageGetSize(&again, read));
  printf("written and read again: %s\n", size == again ? "true" : "false");
  CHECK(calImageFree(read));
  CHECK(calShutdown());
  free(bytes);
  calclFreeImage(image);
  calclFreeObject(object);
  return 0;
}
