/**
 * Conditions, calls, fences and what asks the processor about itself. The notation is explained in `../form.ts`. Jumps and calls whose target is a label are written by
 * `../assemble.ts`, which chooses their length.
 */

/** Conditions by their number, with other names for them. */
export const conditions: readonly (readonly string[])[] = [
  ['o'],
  ['no'],
  ['b', 'c', 'nae'],
  ['ae', 'nc', 'nb'],
  ['e', 'z'],
  ['ne', 'nz'],
  ['be', 'na'],
  ['a', 'nbe'],
  ['s'],
  ['ns'],
  ['p', 'pe'],
  ['np', 'po'],
  ['l', 'nge'],
  ['ge', 'nl'],
  ['le', 'ng'],
  ['g', 'nle'],
];

const numbers = new Map(conditions.flatMap((names, number) => names.map((name) => [name, number] as const)));

/** The number of a condition by any of its names; undefined if it is none. */
export function conditionNumber(name: string): number | undefined {
  return numbers.get(name);
}

const byCondition = conditions.map((names, number) => {
  const all = (stem: string): string => `${names.map((name) => stem + name).join('|')}=${stem}${names[0]}`;
  const digit = number.toString(16).toUpperCase();
  return `
  ${all('cmov')}  L.0F  4${digit}  RM  g g/m
  ${all('set')}   L.0F  9${digit}  M   b/m`;
});

export const control = `
  ${byCondition.join('')}
  jmp         L     FF/4   M  q/m  d64
  call        L     FF/2   M  q/m  d64
  ret         L     C3     -
  nop         L     90     -
  int3        L     CC     -
  ud2         L.0F  0B     -
  pause       L.F3  90     -
  lfence      L.0F  AE!E8  -
  mfence      L.0F  AE!F0  -
  sfence      L.0F  AE!F8  -
  cpuid       L.0F  A2     -
  xgetbv      L.0F  01!D0  -
  rdtsc       L.0F  31     -
  prefetchnta L.0F  18/0   M  m8
  prefetcht0  L.0F  18/1   M  m8
  prefetcht1  L.0F  18/2   M  m8
  prefetchw   L.0F  0D/1   M  m8
  ldmxcsr     L.0F  AE/2   M  m32
  stmxcsr     L.0F  AE/3   M  m32
  vldmxcsr    V.NP.0F.WIG  AE/2  M  m32
  vstmxcsr    V.NP.0F.WIG  AE/3  M  m32
  vzeroupper  V.NP.0F.WIG  77  -
  vzeroall    V.NP.0F.WIG.L1  77  -
`;
