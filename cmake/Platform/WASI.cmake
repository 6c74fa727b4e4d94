# What CMake asks for by the name of the system. There is nothing to say but that it exists.
set(WASI 1)
