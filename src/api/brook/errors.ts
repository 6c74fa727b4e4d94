/**
 * What streams say of what went wrong (Stream Computing User Guide, 2.6 and A.8). docs/brook.md lists the texts of A.8 that
 * cannot arise here, and why.
 */

/** In the order of the header of Brook+; the spelling is its own. */
export const brookErrors = [
  'BR_NO_ERROR',
  'BR_ERROR_DECLARATION',
  'BR_ERROR_READ',
  'BR_ERROR_WRITE',
  'BR_ERROR_KERNEL',
  'BR_ERROR_DOMAIN',
  'BR_ERROR_INVALID_PARAMATER',
  'BR_ERROR_NOT_SUPPORTED',
] as const;

export type BrookErrorName = (typeof brookErrors)[number];

/** The texts of A.8 that can arise here, with the spaces of the real runtime. */
export const messages = {
  allocation: 'Stream Allocation : Failed to create buffer',
  dimensions: 'Stream Allocation : This dimension not supported on underlying hardware',
  noDouble: 'Stream Allocation : Double precision not supported on underlying hardware',
  sharedStruct: "Stream Allocation : Struct streams doesn't support this stream type",
  sharedShape: "Stream Allocation : Rank and dimension of stream doesn't support this stream type",
  shared: 'Stream Allocation : Stream of this type not supported on the device',
  readNull: "Stream Read : Stream can't read from a NULL pointer",
  readBuffer: 'Stream Read : Internal buffer is not initialized',
  readCopy: 'Stream Read : Failed to Initiate DMA',
  writeNull: "Stream Write : Stream can't write to a NULL pointer",
  writeBuffer: 'Stream Write : Internal buffer is not initialized',
  writeUninitialized: 'Stream Write : Uninitialized stream',
  writeCopy: 'Stream Write : Failed to Initiate DMA',
  property: 'Set Property : This is not an interoperable stream',
  assignTarget: 'Stream Assign : Destination Internal buffer is not initialized',
  assignShape: "Stream Assign : Input stream rank and dimension doesn't match with destination",
  assignUninitialized: 'Stream Assign : Uninitialized input stream',
  assignInvalid: 'Stream Assign : Invalid input stream',
  assignFlush: 'Assign : Could not flush previous events',
  domainStart: "Domain Operator : Domain start point can't be NULL",
  domainEnd: "Domain Operator : Domain end point can't be NULL",
  domainOrder: 'Domain Operator : Start point is more than end point, failed to create domain stream',
  domainSize:
    'Domain Operator : Domain dimensions are bigger than original stream, failed to create domain stream',
  domainBuffer: 'Domain Operator : Internal buffer is not initialized',
  execBuffer: 'Exec Domain : Internal buffer is not initialized',
  execPositive: 'Exec Domain : Number of threads must be more than 0',
  execRank: 'Exec Domain : This API is valid only for 1D stream',
  execSize: 'Exec Domain : Number of threads specified more than stream dimension',
  invalidOutput: 'Kernel Execution : Invalid output stream.',
  invalidInput: 'Kernel Execution : Invalid Input stream.',
  otherDeviceOutput: 'Kernel Execution : Output stream device is different from current device',
  otherDeviceInput: 'Kernel Execution : Input stream device is different from current device',
  inputsAllocation: 'Kernel Execution : Input streams Allocation failed.',
  outputAllocation: 'Kernel Execution : Output stream is not allocated',
  uninitialized: 'Kernel Execution : Uninitialized Input streams. The results might be undefined.',
  aliased:
    'Kernel Execution : Input stream is same as output stream.\nBinding kernels read-write is prohibited. The environment variable BRT_PERMIT_READ_WRITE_ALIASING permits it.',
  outputRank:
    "Kernel Execution : output stream rank doesn't match with first output rank. The results might be undefined",
  outputSize:
    "Kernel Execution : output stream dimension doesn't match with first output dimension. The results might be undefined",
  inputRank: "Kernel Execution : input stream rank doesn't match with first output rank.",
  inputSize:
    "Kernel Execution : Input stream dimension doesn't match with output dimension. An implicit resize is done to match output dimension. In the next release this feature will be deprecated",
  reduceRank: "Kernel Execution : Reduction operation don't allow output rank > input rank",
  reduceSize:
    'Kernel Execution : Input dimensions should be integral multiple of output dimensions.\nThe results might be undefined.',
  reduceTemporary: 'Kernel Execution : Unable to create temporary stream required for reduction',
  reducePass: 'Kernel Execution : Failed to execute a reduction pass',
  program: 'Kernel Execution : Failed to create Program',
  constants: 'Kernel Execution : Failed to create Constants',
  badInputs: 'Kernel Execution : Error with input streams',
  badOutputs: 'Kernel Execution : Error with output streams',
  launch: 'Kernel Execution : Failed to run kernel',
} as const;
