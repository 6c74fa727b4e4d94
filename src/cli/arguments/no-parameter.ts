/**
 * `the kernel has no parameter 'n'; it has size, rows`: for who has named one that there is not.
 * @param parameters of all these kernels
 */
export function noParameter(
  name: string,
  parameters: readonly { readonly name: string }[],
  kernels = 1,
): string {
  const [who, they] = kernels === 1 ? ['the kernel has', 'it has'] : ['the kernels have', 'they have'];
  const names = [...new Set(parameters.map((parameter) => parameter.name))].join(', ') || 'none';
  return `${who} no parameter '${name}'; ${they} ${names}`;
}
