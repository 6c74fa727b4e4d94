/** Vector loads and stores (OpenCL 1.2, 6.12.7), shuffles and vec_step (6.12.12). */
import { evaluateConstant } from '../../c/constant.ts';
import type * as ir from '../../ir/ir.ts';
import { elementOf, f16, lanesOf, sizeOf, type Type, type VectorType, withElement } from '../../ir/types.ts';
import { argument, type BuiltinHandler, type BuiltinHandlers, type LoweredCall } from './builtin-handler.ts';

/** The address of the `index`-th group of lanes; only the element's alignment is promised. */
function groupAddress(call: LoweredCall, pointer: ir.Value, index: ir.Value, type: Type): ir.Value {
  const { builder } = call;
  return builder.offset(
    pointer,
    builder.binary('imul', index, builder.integer(builder.addressType, sizeOf(type))),
  );
}

const load: BuiltinHandler = (call) => {
  const type = call.fn.typeOf(call.result);
  const pointer = groupAddress(call, argument(call, 1), argument(call, 0), type);
  return call.builder.load(type, pointer, sizeOf(elementOf(type)));
};

const store: BuiltinHandler = (call) => {
  const value = argument(call, 0);
  const pointer = groupAddress(call, argument(call, 2), argument(call, 1), value.type);
  call.builder.store(pointer, value, sizeOf(elementOf(value.type)));
  return undefined;
};

/** Groups of half lanes; three lie four apart where the function says that they are aligned. */
interface HalfForm {
  readonly aligned: boolean;
  readonly rounding?: ir.RoundingMode;
}

function halfAddress(call: LoweredCall, pointer: ir.Value, index: ir.Value, form: HalfForm, lanes: number) {
  const { builder } = call;
  const stride = 2 * (form.aligned && lanes === 3 ? 4 : lanes);
  return builder.offset(pointer, builder.binary('imul', index, builder.integer(builder.addressType, stride)));
}

function halfAlignment(form: HalfForm, lanes: number): number {
  return form.aligned ? 2 * (lanes === 3 ? 4 : lanes) : 2;
}

function loadHalf(form: HalfForm): BuiltinHandler {
  return (call) => {
    const { builder } = call;
    const type = call.fn.typeOf(call.result);
    const lanes = lanesOf(type);
    const pointer = halfAddress(call, argument(call, 1), argument(call, 0), form, lanes);
    const halves = builder.load(withElement(type, f16), pointer, halfAlignment(form, lanes));
    return builder.convert('fwiden', halves, type);
  };
}

function storeHalf(form: HalfForm): BuiltinHandler {
  return (call) => {
    const { builder } = call;
    const value = argument(call, 0);
    const lanes = lanesOf(value.type);
    const pointer = halfAddress(call, argument(call, 2), argument(call, 1), form, lanes);
    const rounding = form.rounding ? { rounding: form.rounding } : {};
    const halves = builder.convert('fnarrow', value, withElement(value.type, f16), rounding);
    builder.store(pointer, halves, halfAlignment(form, lanes));
    return undefined;
  };
}

function halfHandlers(): Record<string, BuiltinHandler> {
  const handlers: Record<string, BuiltinHandler> = {};
  for (const aligned of [false, true]) {
    for (const lanes of aligned ? [2, 3, 4, 8, 16] : ['', 2, 3, 4, 8, 16]) {
      const name = `${aligned ? 'a' : ''}_half${lanes}`;
      handlers[`vload${name}`] = loadHalf({ aligned });
      handlers[`vstore${name}`] = storeHalf({ aligned });
      for (const rounding of ['rte', 'rtz', 'rtp', 'rtn'] as const) {
        handlers[`vstore${name}_${rounding}`] = storeHalf({ aligned, rounding });
      }
    }
  }
  return handlers;
}

/** shuffle(x, mask) and shuffle2(x, y, mask): of each lane of the mask only the bits that count are looked at. */
const shuffle: BuiltinHandler = (call) => {
  const { builder, node } = call;
  const sources = call.args.slice(0, -1);
  const first = argument(call, 0);
  const mask = argument(call, call.args.length - 1);
  const width = lanesOf(first.type) * sources.length;
  const maskExpression = node.arguments.at(-1);
  const known = maskExpression && evaluateConstant(maskExpression, call.fn.module.addressBytes);
  if (known?.kind === 'vector') {
    const lanes = known.lanes.map((lane) => Number(BigInt.asUintN(64, BigInt(lane)) % BigInt(width)));
    return builder.shuffle(first, sources[1] ?? first, lanes);
  }
  return shuffleThroughMemory(call, sources, mask, width);
};

function shuffleThroughMemory(
  call: LoweredCall,
  sources: readonly ir.Value[],
  mask: ir.Value,
  width: number,
): ir.Value {
  const { builder, fn } = call;
  const first = sources[0]!;
  const element = elementOf(first.type);
  const size = sizeOf(element);
  const bytes = sizeOf(first.type);
  const table = fn.reserve('private', bytes * sources.length, bytes, 'shuffle');
  sources.forEach((source, index) => {
    const place = index === 0 ? table : builder.offset(table, builder.integer(builder.addressType, bytes));
    builder.store(place, source, bytes);
  });
  const lanes: ir.Value[] = [];
  for (let lane = 0; lane < lanesOf(mask.type); lane += 1) {
    const index = addressWidth(call, builder.extract(mask, lane));
    const wrapped = builder.binary('and', index, builder.integer(builder.addressType, width - 1));
    const distance = builder.binary('imul', wrapped, builder.integer(builder.addressType, size));
    lanes.push(builder.load(element, builder.offset(table, distance), size));
  }
  return builder.build(fn.typeOf(call.result) as VectorType, lanes);
}

function addressWidth(call: LoweredCall, index: ir.Value): ir.Value {
  const { builder } = call;
  if (index.type.kind !== 'int' || index.type.bits === builder.addressType.bits) return index;
  return builder.convert(
    index.type.bits > builder.addressType.bits ? 'trunc' : 'zext',
    index,
    builder.addressType,
  );
}

const vecStep: BuiltinHandler = (call) => {
  const type = call.types[0];
  const lanes = type?.kind === 'vector' ? type.lanes : 1;
  return call.builder.integer(call.fn.typeOf(call.result), lanes === 3 ? 4 : lanes);
};

function sized(prefix: string, handler: BuiltinHandler): Record<string, BuiltinHandler> {
  return Object.fromEntries([2, 3, 4, 8, 16].map((lanes) => [`${prefix}${lanes}`, handler]));
}

export const vectorHandlers: BuiltinHandlers = {
  ...sized('vload', load),
  ...sized('vstore', store),
  ...halfHandlers(),
  shuffle,
  shuffle2: shuffle,
  vec_step: vecStep,
};
