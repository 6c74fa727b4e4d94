# Where a thread of abi.c begins: with the stack that its argument names first.
	.globaltype	__stack_pointer, i32
	.functype	begin (i32, i32) -> ()
	.globl	wasi_thread_start
	.type	wasi_thread_start,@function
wasi_thread_start:
	.functype	wasi_thread_start (i32, i32) -> ()
	local.get	1
	i32.load	0
	global.set	__stack_pointer
	local.get	0
	local.get	1
	call	begin
	end_function
