/** Built-in functions of images, pipes, queues and the rest (OpenCL 1.2, 6.12.13 and 6.12.14; 2.0, 6.13.14, 6.13.16 and 6.13.17). */
import type { Line } from './entry.ts';

const colours: Readonly<Record<string, string>> = {
  f: 'floats; integer channels that are normalised come as 0 to 1 or -1 to 1',
  i: 'ints, from images of signed integers',
  ui: 'uints, from images of unsigned integers',
  h: 'halves',
};

const readLines = Object.entries(colours).map(
  ([letter, what]): Line => [
    `read_image${letter}`,
    'image sampler coord',
    `The colour at a place of an image, as ${what}. Integer coordinates need a sampler that does not normalise or filter. Without a sampler: coordinates count pixels and must lie inside.`,
    letter === 'h' ? 'cl_khr_fp16' : undefined,
  ],
);

const writeLines = Object.entries(colours).map(
  ([letter, what]): Line => [
    `write_image${letter}`,
    'image coord color',
    `Writes a colour to a pixel of an image, given as ${what.split(';')[0]!.replace('from', 'for')}. Outside the image nothing is written. For a 3D image needs \`cl_khr_3d_image_writes\`.`,
    letter === 'h' ? 'cl_khr_fp16' : undefined,
  ],
);

/** The integers of GNU C's functions: int, long and long long, which is as wide as long here. */
const widths = ['', 'l', 'll'];

const bitLines: readonly Line[] = (
  [
    ['clz', 'How many bits above the highest one of x are zero; undefined for 0.'],
    ['ctz', 'How many bits below the lowest one of x are zero; undefined for 0.'],
    ['popcount', 'How many bits of x are one.'],
    ['ffs', 'The number of the lowest bit of x that is one, counted from 1; 0 for 0.'],
  ] as const
).map(
  ([name, text]): Line => [
    widths.map((width) => `__builtin_${name}${width}`).join(' '),
    'x',
    `${text} (GNU C)`,
  ],
);

const overflowLines: readonly Line[] = (
  [
    ['add', 'a + b'],
    ['sub', 'a - b'],
    ['mul', 'a * b'],
  ] as const
).map(([name, what]): Line => {
  const names = widths.flatMap((width) => [
    `__builtin_s${name}${width}_overflow`,
    `__builtin_u${name}${width}_overflow`,
  ]);
  return [
    names.join(' '),
    'a b result',
    `Stores ${what}, wrapped to the type, and says whether it did not fit (GNU C).`,
  ];
});

const pipes = 'pipes: OpenCL C 2.0, or `__opencl_c_pipes` in 3.0';
const queues = 'device queues: OpenCL C 2.0, or `__opencl_c_device_enqueue` in 3.0';

export const objectLines: readonly Line[] = [
  ...readLines,
  ...writeLines,
  ['get_image_width get_image_height get_image_depth', 'image', 'The size of an image, in pixels.'],
  ['get_image_dim', 'image', 'Width and height of an image, of a 3D image the depth, too (and a zero).'],
  ['get_image_array_size', 'image', 'How many images an image array has.'],
  [
    'get_image_channel_data_type',
    'image',
    'What the channels of an image are: one of the `CLK_` constants such as `CLK_UNORM_INT8`.',
  ],
  [
    'get_image_channel_order',
    'image',
    'Which channels an image has: one of the `CLK_` constants such as `CLK_RGBA`.',
  ],
  [
    'printf',
    'format',
    'Prints when the kernel has ended. `%v4f` prints a vector of four floats; give longs as `%ld`. The format must be a string literal.',
  ],

  [
    'read_pipe write_pipe',
    'pipe reserve_id index ptr',
    'Moves one packet between a pipe and `ptr`; with a reservation, the packet of that number in it. 0 where it worked, negative where the pipe was empty or full.',
    pipes,
  ],
  [
    'reserve_read_pipe reserve_write_pipe work_group_reserve_read_pipe work_group_reserve_write_pipe sub_group_reserve_read_pipe sub_group_reserve_write_pipe',
    'pipe num_packets',
    'Reserves packets of a pipe, which must be committed later. `is_valid_reserve_id` says whether there were enough.',
    pipes,
  ],
  [
    'commit_read_pipe commit_write_pipe work_group_commit_read_pipe work_group_commit_write_pipe sub_group_commit_read_pipe sub_group_commit_write_pipe',
    'pipe reserve_id',
    'Ends a reservation: all its packets are read, or there to be read.',
    pipes,
  ],
  ['is_valid_reserve_id', 'reserve_id', 'Whether a reservation was given.', pipes],
  ['get_pipe_num_packets', 'pipe', 'How many packets lie in a pipe just now.', pipes],
  ['get_pipe_max_packets', 'pipe', 'How many packets fit into a pipe.', pipes],

  [
    'enqueue_kernel',
    'queue flags ndrange block',
    "Launches a block over a range, from the device. Forms with events and with local memory for the block's parameters take more. `CLK_SUCCESS` if it was enqueued.",
    queues,
  ],
  [
    'enqueue_marker',
    'queue num_events_in_wait_list event_wait_list event_ret',
    'Enqueues a command that does nothing but wait.',
    queues,
  ],
  ['get_kernel_work_group_size', 'block', 'How many work-items a group of this block may have.', queues],
  [
    'get_kernel_preferred_work_group_size_multiple',
    'block',
    'What sizes of groups should be multiples of for this block.',
    queues,
  ],
  [
    'get_kernel_sub_group_count_for_ndrange get_kernel_max_sub_group_size_for_ndrange',
    'ndrange block',
    'How a range would be cut into sub-groups for this block.',
    queues,
  ],
  ['get_default_queue', '', "The device's default queue.", queues],
  ['create_user_event', '', 'An event that `set_user_event_status` completes.', queues],
  ['retain_event release_event', 'event', 'Counts the holders of an event up or down.', queues],
  ['is_valid_event', 'event', 'Whether this is an event.', queues],
  [
    'set_user_event_status',
    'event status',
    'Completes a user event: `CL_COMPLETE`, or a negative number for an error.',
    queues,
  ],
  [
    'capture_event_profiling_info',
    'event name value',
    "Stores when the event's command started and ended, once it is complete.",
    queues,
  ],
  [
    'ndrange_1D ndrange_2D ndrange_3D',
    'global_work_offset global_work_size local_work_size',
    'A range to launch over. With one argument it is the size; with two, size and size of groups; with three, the offset comes first.',
    queues,
  ],

  ['__builtin_expect', 'value expected', 'The value; a hint (of GNU C) which one it mostly is.'],
  ...bitLines,
  ...overflowLines,
  ['__builtin_bswap16 __builtin_bswap32 __builtin_bswap64', 'x', 'The bytes of x in reverse order (GNU C).'],
];
