/**
 * The groups that brcc's messages belong to (A.7): what it prints before the text. Those that begin with "In" are of warnings about
 * types, which strong type checking makes errors.
 */
export const groups = {
  call: 'Problem with call expression in kernel',
  index: 'Problem in index expression',
  array: 'Problem with Array variable declaration',
  variable: 'Problem with variable in kernel',
  initializer: 'In Initialization',
  initializerForm: 'Problem with initializer in kernel',
  expression: 'Problem with expression in kernel',
  operator: 'Operator not supported in kernel',
  binary: 'In Binary expression',
  relation: 'In Relational expression',
  trinary: 'In Trinary expression',
  assignment: 'In Assignment expression',
  target: 'Problem in Assignment expression',
  stream: 'Problem with stream declaration',
  dataType: 'Not supported kernel local/parameter data struture type',
  none: '',
} as const;
