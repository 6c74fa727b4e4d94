/**
 * The functions that take blocks, or an event list that may be NULL (OpenCL 2.0, 6.13.17): what patterns of types cannot say.
 */
import { arithmeticTypes, type CType, type QualifiedType, unqualified } from '../../c/types.ts';
import { opaqueType, rangeType } from '../dialect/type-names.ts';
import type { Resolution } from './resolution.ts';

/** What a parameter is: a block of any type, or a type. */
type Parameter = 'block' | ((addressBits: 32 | 64) => CType);

interface Form {
  readonly text: string;
  readonly parameters: readonly Parameter[];
  /** Sizes of local memory may follow. */
  readonly takesSizes?: boolean;
  readonly result: CType;
}

const { int, uint } = arithmeticTypes;
const queue = (): CType => opaqueType('queue_t');
const event = opaqueType('clk_event_t');
const flags = (): CType => int;
const count = (): CType => uint;
const range = (addressBits: 32 | 64): CType => rangeType(addressBits);
const places = (isConst: boolean) => (): CType => ({
  kind: 'pointer',
  pointee: { ...unqualified(event), isConst, space: 'generic' },
});
const waits = places(true);
const left = places(false);

const forms: Readonly<Record<string, readonly Form[]>> = {
  enqueue_kernel: [
    {
      text: 'int enqueue_kernel(queue_t, kernel_enqueue_flags_t, ndrange_t, block, uint size, ...)',
      parameters: [queue, flags, range, 'block'],
      takesSizes: true,
      result: int,
    },
    {
      text:
        'int enqueue_kernel(queue_t, kernel_enqueue_flags_t, ndrange_t, uint, const clk_event_t *, clk_event_t *, ' +
        'block, uint size, ...)',
      parameters: [queue, flags, range, count, waits, left, 'block'],
      takesSizes: true,
      result: int,
    },
  ],
  enqueue_marker: [
    {
      text: 'int enqueue_marker(queue_t, uint, const clk_event_t *, clk_event_t *)',
      parameters: [queue, count, waits, left],
      result: int,
    },
  ],
  get_kernel_work_group_size: [
    { text: 'uint get_kernel_work_group_size(block)', parameters: ['block'], result: uint },
  ],
  get_kernel_preferred_work_group_size_multiple: [
    {
      text: 'uint get_kernel_preferred_work_group_size_multiple(block)',
      parameters: ['block'],
      result: uint,
    },
  ],
  get_kernel_sub_group_count_for_ndrange: [
    {
      text: 'uint get_kernel_sub_group_count_for_ndrange(ndrange_t, block)',
      parameters: [range, 'block'],
      result: uint,
    },
  ],
  get_kernel_max_sub_group_size_for_ndrange: [
    {
      text: 'uint get_kernel_max_sub_group_size_for_ndrange(ndrange_t, block)',
      parameters: [range, 'block'],
      result: uint,
    },
  ],
};

export const enqueueNames: readonly string[] = Object.keys(forms);

/** What a call of such a function means; undefined for other functions. */
export function resolveEnqueue(
  name: string,
  types: readonly QualifiedType[],
  addressBits: 32 | 64,
): Resolution | undefined {
  const known = Object.hasOwn(forms, name) ? forms[name] : undefined;
  if (known === undefined) return undefined;
  const form = known.find((one) => fits(one, types));
  if (form === undefined) return { kind: 'no-match', candidates: known.map(({ text }) => text) };
  return {
    kind: 'found',
    builtin: { name },
    parameters: types.map((given, index) => {
      const parameter = form.parameters[index] ?? count;
      return unqualified(parameter === 'block' ? given.type : parameter(addressBits));
    }),
    result: unqualified(form.result),
  };
}

function fits({ parameters, takesSizes }: Form, types: readonly QualifiedType[]): boolean {
  if (types.length < parameters.length || (types.length > parameters.length && !takesSizes)) return false;
  return parameters.every(
    (parameter, index) => (types[index]!.type.kind === 'block') === (parameter === 'block'),
  );
}
