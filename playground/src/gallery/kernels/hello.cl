// printf works in kernels. Work-items run at the same time, so the order of the lines is nobody's promise.
kernel void hello(void)
{
    printf("work-item %d of group %d says hello\n", (int)get_local_id(0), (int)get_group_id(0));
}
