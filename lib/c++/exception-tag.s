# The tag of C++ exceptions, which clang leaves to the library to define (exceptions.cpp).
	.tagtype __cpp_exception i32
	.globl __cpp_exception
__cpp_exception:
