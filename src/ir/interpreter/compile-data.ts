/** Steps of the instructions that compute values from values: constants, arithmetic, vectors, queries. */
import type * as ir from '../ir.ts';
import { elementOf, type Type } from '../types.ts';
import {
  binaryOperation,
  compareOperation,
  fmaOperation,
  selectValue,
  unaryOperation,
} from './arithmetic.ts';
import type { CompileContext } from './compile-function.ts';
import { convertOperation } from './convert.ts';
import { checkedBinary, checkedConversion } from './open-results.ts';
import type { Frame, WorkItem } from './state.ts';
import { type RuntimeValue, type Scalar, zeroOf } from './values.ts';

/** What a step does, or undefined for instructions of other kinds. */
export function dataStep(
  instruction: ir.Instruction,
  context: CompileContext,
  numberOf: (value: ir.Value) => number,
): ((frame: Frame) => void) | undefined {
  const { operands, results } = instruction;
  // Only read where the kind has so many operands and results.
  const [a, b, c] = operands.map(numberOf) as [number, number, number];
  const type = operands[0]?.type as Type;
  const result = results[0];
  if (!result) return undefined;
  const r = numberOf(result);
  switch (instruction.op) {
    case 'constant': {
      const value = instruction.value;
      return ({ values }) => {
        values[r] = value;
      };
    }
    case 'undefined': {
      const value = zeroOf(result.type);
      return ({ values }) => {
        values[r] = value;
      };
    }
    case 'unary': {
      const operation = unaryOperation(instruction.fn, type);
      return ({ values }) => {
        values[r] = operation(values[a]!);
      };
    }
    case 'binary': {
      const plain = binaryOperation(instruction.fn, type);
      const operation = context.checkOpenResults ? checkedBinary(instruction.fn, type, plain) : plain;
      return ({ values }) => {
        values[r] = operation(values[a]!, values[b]!);
      };
    }
    case 'fma': {
      const operation = fmaOperation(type);
      return ({ values }) => {
        values[r] = operation(values[a]!, values[b]!, values[c]!);
      };
    }
    case 'compare': {
      const operation = compareOperation(instruction.fn, type);
      return ({ values }) => {
        values[r] = operation(values[a]!, values[b]!);
      };
    }
    case 'select':
      return ({ values }) => {
        values[r] = selectValue(values[a]!, values[b]!, values[c]!);
      };
    case 'convert': {
      const plain = convertOperation(instruction, type, result.type, context.addressBits);
      const isChecked = context.checkOpenResults === true;
      const operation = isChecked ? checkedConversion(instruction, result.type, plain) : plain;
      return ({ values }) => {
        values[r] = operation(values[a]!);
      };
    }
    case 'splat': {
      const lanes = result.type.kind === 'vector' ? result.type.lanes : 1;
      return ({ values }) => {
        values[r] = new Array<Scalar>(lanes).fill(values[a] as Scalar);
      };
    }
    case 'build': {
      const numbers = operands.map(numberOf);
      return ({ values }) => {
        values[r] = numbers.map((number) => values[number] as Scalar);
      };
    }
    case 'extract': {
      const { lane } = instruction;
      return ({ values }) => {
        values[r] = (values[a] as readonly Scalar[])[lane]!;
      };
    }
    case 'insert': {
      const { lane } = instruction;
      return ({ values }) => {
        const vector = [...(values[a] as readonly Scalar[])];
        vector[lane] = values[b] as Scalar;
        values[r] = vector;
      };
    }
    case 'shuffle':
      return shuffle(instruction.lanes, a, b, r, zeroOf(elementOf(type)) as Scalar);
    case 'function_address': {
      const address = context.functionAddress(instruction.callee);
      return ({ values }) => {
        values[r] = address;
      };
    }
    case 'global_address': {
      const address = context.globalAddress(instruction.global);
      return ({ values }) => {
        values[r] = address;
      };
    }
    case 'offset':
      if (context.addressBits === 32) {
        return ({ values }) => {
          values[r] = ((values[a] as number) + (values[b] as number)) >>> 0;
        };
      }
      return ({ values }) => {
        const address = BigInt(values[a] as number) + (values[b] as bigint);
        values[r] = Number(BigInt.asIntN(64, address));
      };
    case 'query': {
      const ask = queryOf(instruction);
      const wide = context.addressBits === 64 && instruction.fn !== 'work_dim';
      return ({ values, item }) => {
        const answer = ask(item);
        values[r] = wide ? BigInt(answer) : answer | 0;
      };
    }
    default:
      return undefined;
  }
}

function shuffle(
  lanes: readonly number[],
  a: number,
  b: number,
  r: number,
  anyValue: Scalar,
): (frame: Frame) => void {
  return ({ values }) => {
    const first = values[a] as readonly Scalar[];
    const second = values[b] as readonly Scalar[];
    const picked: RuntimeValue = lanes.map((lane) => {
      if (lane < 0) return anyValue;
      return lane < first.length ? first[lane]! : second[lane - first.length]!;
    });
    values[r] = picked;
  };
}

function queryOf({ fn, dimension }: ir.Query): (item: WorkItem) => number {
  switch (fn) {
    case 'global_id':
      return (item) => item.globalId[dimension];
    case 'local_id':
      return (item) => item.localId[dimension];
    case 'group_id':
      return (item) => item.group.id[dimension];
    case 'global_size':
      return (item) => item.group.launch.globalSize[dimension];
    case 'local_size':
      return (item) => item.group.size[dimension];
    case 'enqueued_local_size':
      return (item) => item.group.launch.localSize[dimension];
    case 'num_groups':
      return (item) => item.group.launch.numGroups[dimension];
    case 'global_offset':
      return (item) => item.group.launch.globalOffset[dimension];
    case 'work_dim':
      return (item) => item.group.launch.workDim;
    case 'linear_local_id':
      return (item) => item.index;
  }
}
