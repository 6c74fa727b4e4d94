/**
 * What the parameters of a kernel are to the chip. OpenCL C says no more than that they are pointers; those who make kernels of
 * Brook+ or IL know more, and say it, so that reads become fetches from textures and results exports.
 */

export type ParameterRole =
  /** Elements in two dimensions, read through the texture units by coordinates; `components` words each. */
  | {
      readonly kind: 'texture';
      readonly resource: number;
      readonly components: 1 | 2 | 4;
      /** Default: the resource's number. */
      readonly sampler?: number | undefined;
    }
  /** A constant buffer of its own. */
  | { readonly kind: 'constants'; readonly buffer: number }
  /** The global buffer, from its beginning on. */
  | { readonly kind: 'global' }
  /** Elements that each thread writes one of, at its own position, when it ends. */
  | { readonly kind: 'output'; readonly output: number }
  /** Numbers that only say how textures and outputs lie in memory, which their descriptors say to the chip; no instruction has them. */
  | { readonly kind: 'shape' }
  /** The domain's first position: on the chip, positions begin there by themselves. */
  | { readonly kind: 'origin' }
  /** The sizes of what is written or read: each position lies inside. */
  | { readonly kind: 'bound' };

/** By the numbers of the kernel's parameters; those that are not there are what they look like. */
export type ParameterRoles = ReadonlyMap<number, ParameterRole>;
