# Prepares the OpenCL-CTS for wasm32-wasi without a change to its sources. CMake includes this file after the suite's
# project(), if it is told -D CMAKE_PROJECT_CLConform_INCLUDE=.../conformance/cts/cts.cmake.

# The suite knows no WebAssembly, and asks for the name of a processor.
set(CLConform_TARGET_ARCH wasm32)

set(SHIM ${CMAKE_CURRENT_LIST_DIR}/shim)
# Before all other directories, as some headers there extend headers of the C library.
include_directories(BEFORE SYSTEM ${SHIM})
add_compile_options("SHELL:-include ${SHIM}/cts.h" -O1 -w)
# Some sources throw, though nobody catches; the toolchain turns that off.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fexceptions>)
add_compile_definitions(_WASI_EMULATED_SIGNAL _WASI_EMULATED_PROCESS_CLOCKS _WASI_EMULATED_GETPID)
link_libraries(wasi-emulated-signal wasi-emulated-process-clocks wasi-emulated-getpid c-printscan-long-double)
set(LINK_PTHREAD OFF)

# Once the suite has made its targets.
function(finish_targets)
  target_sources(harness PRIVATE ${SHIM}/missing.cpp)
  target_compile_options(test_conversions PRIVATE "SHELL:-include ${SHIM}/conversions.h")
  # Their host code works on words that running kernels use, too.
  foreach(target test_svm test_c11_atomics)
    if(TARGET ${target})
      target_compile_options(${target} PRIVATE -matomics -mbulk-memory)
    endif()
  endforeach()
endfunction()
cmake_language(DEFER CALL finish_targets)
