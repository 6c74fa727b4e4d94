/**
 * Level 1, what is done to each element: swap, copy, axpy, scal, rot, rotm. All are one template: which vectors are written, scalars,
 * and a statement of the element `x` and `y`. Work-items take elements in turn.
 */
import type { KernelArgument } from '../api/javascript/arguments.ts';
import { numberKinds, prologueOf, realOf } from './number-kinds.ts';
import { type Arguments, isOne, isZero } from './read-arguments.ts';
import { type Routine, routines, type Work } from './routine.ts';
import { kernelText, roundUp } from './text.ts';
import { vectorCode, vectorUse, vectorView } from './vectors.ts';

interface ElementWork {
  readonly name: string;
  readonly writes: string;
  /** Types and names, with their values. */
  readonly scalars?: readonly (readonly [declaration: string, value: KernelArgument])[];
  /** Of `x` and `y`, which are read before it and written behind it. */
  readonly statement: string;
}

/** @param vectors `xy` or `x` */
function onElements(args: Arguments, vectors: string, work: ElementWork): Work {
  const n = args.number('n');
  const names = [...vectors];
  const uses = names.map((name) => vectorUse(args, name, n, work.writes.includes(name)));
  return async (call) => {
    if (n === 0) return;
    const bound = await call.bind(uses);
    const views = names.map((name, v) => vectorView(args, name, n, bound[v]!));
    const codes = names.map((name, v) => vectorCode(views[v]!, name, work.writes.includes(name)));
    const scalars = work.scalars ?? [];
    const write = names.map((name, v) =>
      work.writes.includes(name) ? `    ${codes[v]!.store('i', name)};\n` : '',
    );
    const body = `${codes.map(({ begin }) => begin).join('')}  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    T ${names.map((name, v) => `${name} = ${codes[v]!.load('i')}`).join(', ')};
    ${work.statement}
${write.join('')}  }
`;
    const parameters = [
      'int n',
      ...scalars.map(([declaration]) => declaration),
      ...codes.flatMap((code) => code.parameters),
    ];
    const source = kernelText(prologueOf(args.kind), work.name, parameters, body);
    // What has a stride of 0 is one element, which all are written to in their order.
    const isInOrder = names.some((name, v) => work.writes.includes(name) && views[v]!.inc === 0);
    const items = isInOrder ? 1 : Math.min(roundUp(n, 64), call.core.manyItems * 16);
    await call.launch(source, { global: [items] }, [
      n,
      ...scalars.map(([, value]) => value),
      ...codes.flatMap((code) => code.arguments),
    ]);
  };
}

const nothing: Work = async () => {};
const both = 'x:vector incx:anyInc y:vector incy:anyInc';

function scaled(args: Arguments, alpha: KernelArgument, type: string): Work {
  // As the reference has it: such a vector has no elements.
  if (args.number('incx') <= 0) return nothing;
  return onElements(args, 'x', {
    name: 'scal',
    writes: 'x',
    scalars: [[`${type} alpha`, alpha]],
    statement: type === 'T' ? 'x = MUL(alpha, x);' : 'x = alpha * x;',
  });
}

function rotated(args: Arguments): Work {
  return onElements(args, 'xy', {
    name: 'rot',
    writes: 'xy',
    scalars: [
      ['R c', args.number('c')],
      ['R s', args.number('s')],
    ],
    statement: 'T old = x; x = c * old + s * y; y = c * y - s * old;',
  });
}

/** The matrix of rotm by its flag, the first number of `param`. */
function modifiedRotation(args: Arguments): Work {
  const param = args.operand('param') as ArrayLike<number>;
  if (param.length === undefined || param.length < 5) args.fail('param', 'it is a typed array of 5 numbers');
  const [flag, h11, h21, h12, h22] = Array.from(param) as [number, number, number, number, number];
  if (flag === -2) return nothing;
  const h = flag === -1 ? [h11, h12, h21, h22] : flag === 0 ? [1, h12, h21, 1] : [h11, 1, -1, h22];
  return onElements(args, 'xy', {
    name: 'rotm',
    writes: 'xy',
    scalars: ['h11', 'h12', 'h21', 'h22'].map((name, index) => [`R ${name}`, h[index]!] as const),
    statement: 'T old = x; x = h11 * old + h12 * y; y = h21 * old + h22 * y;',
  });
}

export const elementRoutines: readonly Routine[] = [
  ...routines('sdcz', '?swap', `n:size ${both}`, (args) =>
    onElements(args, 'xy', { name: 'swap', writes: 'xy', statement: 'T old = x; x = y; y = old;' }),
  ),
  ...routines('sdcz', '?copy', `n:size ${both}`, (args) =>
    onElements(args, 'xy', { name: 'copy', writes: 'y', statement: 'y = x;' }),
  ),
  ...routines('sdcz', '?axpy', `n:size alpha:scalar ${both}`, (args) => {
    const alpha = args.scalar('alpha');
    if (isZero(alpha)) return nothing;
    return onElements(args, 'xy', {
      name: 'axpy',
      writes: 'y',
      scalars: [['T alpha', alpha]],
      statement: 'y = MAD(alpha, x, y);',
    });
  }),
  ...routines(
    'sdcz',
    '?axpby',
    'n:size alpha:scalar x:vector incx:anyInc beta:scalar y:vector incy:anyInc',
    (args) => {
      const [alpha, beta] = [args.scalar('alpha'), args.scalar('beta')];
      if (isZero(alpha) && isOne(beta)) return nothing;
      return onElements(args, 'xy', {
        name: 'axpby',
        writes: 'y',
        scalars: [
          ['T alpha', alpha],
          ['T beta', beta],
        ],
        statement: isZero(beta) ? 'y = MUL(alpha, x);' : 'y = MAD(alpha, x, MUL(beta, y));',
      });
    },
  ),
  ...routines('sdcz', '?scal', 'n:size alpha:scalar x:vector incx:anyInc', (args) =>
    scaled(args, args.scalar('alpha'), 'T'),
  ),
  ...[...'cz'].flatMap((letter) =>
    routines(
      letter,
      `?${realOf(numberKinds[letter as 'c']).letter}scal`,
      'n:size alpha:real x:vector incx:anyInc',
      (args) => scaled(args, args.number('alpha'), 'R'),
    ),
  ),
  ...routines('sd', '?rot', `n:size ${both} c:real s:real`, rotated),
  ...routines('c', 'csrot', `n:size ${both} c:real s:real`, rotated),
  ...routines('z', 'zdrot', `n:size ${both} c:real s:real`, rotated),
  ...routines('sd', '?rotm', `n:size ${both} param:vector`, modifiedRotation),
];
