# A toolchain for CMake: programs in C and C++ that use OpenCL, compiled by clang for WASI, to be run by `millrace run`.
#
#   cmake -B build -DCMAKE_TOOLCHAIN_FILE=$(millrace flags --toolchain)
#
# Clang is found by itself, or named by the variables CC and CXX. WASI_SYSROOT says where the C library is if clang does not
# know: the share/wasi-sysroot of a WASI SDK. find_package(OpenCL) finds the headers here and a library with nothing in it:
# functions of OpenCL are imports that `millrace run` fills in.
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_VERSION 1)
set(CMAKE_SYSTEM_PROCESSOR wasm32)

if(NOT CMAKE_C_COMPILER AND NOT DEFINED ENV{CC})
  set(CMAKE_C_COMPILER clang)
endif()
if(NOT CMAKE_CXX_COMPILER AND NOT DEFINED ENV{CXX})
  set(CMAKE_CXX_COMPILER clang++)
endif()
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)

if(DEFINED ENV{WASI_SYSROOT} AND NOT DEFINED WASI_SYSROOT)
  set(WASI_SYSROOT $ENV{WASI_SYSROOT})
endif()
if(WASI_SYSROOT)
  set(CMAKE_SYSROOT ${WASI_SYSROOT})
endif()

# WASI has no C++ exceptions, no signals and no processor times of its own; the last two have stand-ins.
set(CMAKE_CXX_FLAGS_INIT "-fno-exceptions")
foreach(language C CXX)
  string(APPEND CMAKE_${language}_FLAGS_INIT
         " -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_MMAN -D_WASI_EMULATED_GETPID")
endforeach()
set(CMAKE_EXE_LINKER_FLAGS_INIT
    "-lwasi-emulated-signal -lwasi-emulated-process-clocks -lwasi-emulated-mman -lwasi-emulated-getpid -Wl,-z,stack-size=1048576")

# Programs run in the build as `ctest` and custom commands run them.
set(CMAKE_CROSSCOMPILING_EMULATOR millrace;run;--dir;/;--dir;.)

# What CMake's own FindOpenCL looks for.
get_filename_component(millrace "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
set(OpenCL_INCLUDE_DIR ${millrace}/include CACHE PATH "Headers of OpenCL")
set(OpenCL_LIBRARY ${millrace}/lib/libOpenCL.a CACHE FILEPATH "A library with nothing in it")
include_directories(SYSTEM ${millrace}/include)

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
