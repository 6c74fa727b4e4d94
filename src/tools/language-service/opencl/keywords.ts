/** What the words of OpenCL C mean that C has not. */

const texts: Readonly<Record<string, string>> = {
  kernel: 'A function that the host can launch over a range of work-items. It gives nothing back (`void`).',
  global: 'Memory that all work-items share and the host can read and write: what buffers are in.',
  local:
    "Memory that the work-items of one group share; it begins with no known value. As a kernel's parameter its size is given at the launch.",
  constant: 'Memory that no work-item can write.',
  private: 'Memory of one work-item. What names no address space is here.',
  generic: 'A pointer that may lead to global, local or private memory (OpenCL C 2.0 or later).',
  read_only: 'The kernel only reads this image or pipe.',
  write_only: 'The kernel only writes this image or pipe.',
  read_write: 'The kernel reads and writes this image (OpenCL C 2.0 or later).',
  pipe: 'A queue of packets between kernels (OpenCL C 2.0 or later).',
  half: 'A floating-point number of 16 bits. Computing with it needs `cl_khr_fp16`; to load and store it `vload_half` and `vstore_half` suffice.',
  bool: "True or false. Not for parameters of kernels, for its size is the device's.",
  vec_step: 'How many components a type or value has; 4 for vectors of three.',
  restrict: 'What this pointer leads to is reached through no other pointer.',
};

/** The explanation of a word, with or without underscores. */
export function keywordText(word: string): string | undefined {
  const plain = word.replace(/^__/, '').replace(/__$/, '');
  return Object.hasOwn(texts, plain) ? texts[plain] : undefined;
}
