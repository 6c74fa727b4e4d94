/** Events that kernels make when they enqueue others: what hosts know of them, too, that have no such queues. */

/** How many events of a kernel may exist at a time (CL_DEVICE_MAX_ON_DEVICE_EVENTS). */
export const mostDeviceEvents = 16_384;
