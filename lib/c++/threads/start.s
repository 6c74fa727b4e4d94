# Where a thread begins (wasi-threads): its object, the argument, begins with the end of its stack and the place of its own variables.
	.globaltype	__stack_pointer, i32
	.functype	__wasm_init_tls (i32) -> ()
	.functype	__begin_thread (i32, i32) -> ()
	.globl	wasi_thread_start
	.export_name	wasi_thread_start, wasi_thread_start
	.type	wasi_thread_start,@function
wasi_thread_start:
	.functype	wasi_thread_start (i32, i32) -> ()
	local.get	1
	i32.load	0
	global.set	__stack_pointer
	local.get	1
	i32.load	4
	call	__wasm_init_tls
	local.get	0
	local.get	1
	call	__begin_thread
	end_function
