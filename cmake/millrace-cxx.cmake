# A toolchain for CMake: programs in C++ and C, compiled by `millrace c++` (docs/cplusplus.md), with exceptions and, by find_package(Threads),
# threads; to be run by `millrace run`.
#
#   cmake -B build -DCMAKE_TOOLCHAIN_FILE=$(millrace c++ --toolchain)
#
# find_package(OpenCL) finds the headers here and a library with nothing in it: functions of OpenCL are imports that `millrace run` fills in.
cmake_minimum_required(VERSION 3.19)
get_filename_component(millrace "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
find_program(MILLRACE_NODE NAMES node nodejs REQUIRED)
set(millrace_command ${MILLRACE_NODE} ${millrace}/dist/millrace.js)

list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_VERSION 1)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
# What follows the program itself goes with all its calls.
set(CMAKE_C_COMPILER ${millrace_command} c++)
set(CMAKE_CXX_COMPILER ${millrace_command} c++)
# Archives of other systems' ar have no index that the linker for WebAssembly reads.
find_program(CMAKE_AR NAMES llvm-ar llvm-ar-21 llvm-ar-20 llvm-ar-19 llvm-ar-18 llvm-ar-17 llvm-ar-16 llvm-ar-15 llvm-ar-14
             HINTS $ENV{WASI_SDK_PATH}/bin /opt/wasi-sdk/bin /opt/homebrew/opt/llvm/bin /usr/local/opt/llvm/bin REQUIRED)
find_program(CMAKE_RANLIB NAMES llvm-ranlib llvm-ranlib-21 llvm-ranlib-20 llvm-ranlib-19 llvm-ranlib-18 llvm-ranlib-17 llvm-ranlib-16
             llvm-ranlib-15 llvm-ranlib-14 HINTS $ENV{WASI_SDK_PATH}/bin /opt/wasi-sdk/bin /opt/homebrew/opt/llvm/bin /usr/local/opt/llvm/bin REQUIRED)

# Threads are an option of all compilations and of the linker; CMake would look for a library of them alone.
set(THREADS_PREFER_PTHREAD_FLAG TRUE)
set(CMAKE_HAVE_LIBC_PTHREAD FALSE CACHE INTERNAL "")
set(CMAKE_HAVE_PTHREAD_H TRUE CACHE INTERNAL "")
set(THREADS_HAVE_PTHREAD_ARG TRUE CACHE INTERNAL "")

# Programs run in the build as `ctest` and custom commands run them.
set(CMAKE_CROSSCOMPILING_EMULATOR ${millrace_command} run --dir / --dir .)

# What CMake's own FindOpenCL looks for.
set(OpenCL_INCLUDE_DIR ${millrace}/include CACHE PATH "Headers of OpenCL")
set(OpenCL_LIBRARY ${millrace}/lib/libOpenCL.a CACHE FILEPATH "A library with nothing in it")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
