/** Errors of node:fs as those of WASI. */
import { codeOf } from '../runtime/machine-files.ts';
import { type errno, SystemError } from './wasi.ts';

const codes: Readonly<Record<string, keyof typeof errno>> = {
  EACCES: 'noAccess',
  EAGAIN: 'again',
  EBADF: 'badFile',
  EBUSY: 'busy',
  EDQUOT: 'noQuota',
  EEXIST: 'exists',
  EFBIG: 'tooBig',
  EINTR: 'interrupted',
  EINVAL: 'invalid',
  EIO: 'inputOutput',
  EISDIR: 'isFolder',
  ELOOP: 'loop',
  EMFILE: 'tooMany',
  EMLINK: 'tooManyLinks',
  ENAMETOOLONG: 'nameTooLong',
  ENFILE: 'systemFull',
  ENODEV: 'noDevice',
  ENOENT: 'noEntry',
  ENOSPC: 'noSpace',
  ENOSYS: 'notSupported',
  ENOTCAPABLE: 'notCapable',
  ENOTDIR: 'notFolder',
  ENOTEMPTY: 'notEmpty',
  ENOTSUP: 'notSupported',
  ENXIO: 'noSuchDevice',
  EOPNOTSUPP: 'notSupported',
  EPERM: 'notPermitted',
  EPIPE: 'brokenPipe',
  EROFS: 'readOnly',
  ESPIPE: 'noSeek',
  ETXTBSY: 'textBusy',
  EXDEV: 'otherDevice',
  // A zero byte in a path.
  ERR_INVALID_ARG_VALUE: 'invalid',
};

/** Does something with the machine's files; what goes wrong there is thrown as a SystemError. */
export function onMachine<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    const code = codes[codeOf(error) ?? ''];
    throw code === undefined ? error : new SystemError(code);
  }
}
