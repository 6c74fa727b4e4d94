/**
 * The files that name the machine's OpenCL drivers, each the library of one: `/etc/OpenCL/vendors/*.icd` (cl_khr_icd). The loader
 * reads them and passes over what it cannot use; this tells which and why.
 */
import { environment, machineModule, operatingSystem, optionalModule } from '../../runtime/host.ts';
import { statusName } from '../../runtime/status.ts';
import { firstLine, type Koffi } from './driver.ts';

/** Where they lie if no variable says otherwise. Other systems have no such files. */
const vendorFolders: Readonly<Record<string, string>> = {
  linux: '/etc/OpenCL/vendors',
  freebsd: '/usr/local/etc/OpenCL/vendors',
  android: '/system/vendor/Khronos/OpenCL/vendors',
};

interface NodeFiles {
  readFileSync(path: string, encoding: 'utf8'): string;
  readdirSync(folder: string): string[];
  statSync(
    path: string,
    options: { throwIfNoEntry: false },
  ): { isDirectory(): boolean; isFile(): boolean } | undefined;
}

/** CL_PLATFORM_NOT_FOUND_KHR. */
const platformNotFound = -1001;

/** A library that is to be a driver, and what names it. */
interface Named {
  readonly by: string;
  readonly library: string;
}

/** The drivers that the loader is told of and cannot use, each in a sentence with the file that names it. */
export function brokenDrivers(): string[] {
  const folder = environment('OPENCL_VENDOR_PATH') || vendorFolders[operatingSystem() ?? ''];
  const files = machineModule('node:fs') as NodeFiles | undefined;
  if (folder === undefined || !files) return [];
  let koffi: Koffi | undefined;
  try {
    koffi = optionalModule('koffi') as Koffi | undefined;
  } catch {
    // What is missing is known already: see loadDriver.
  }
  if (!koffi) return [];
  const problems: string[] = [];
  for (const { by, library } of namedDrivers(files, folder, problems)) {
    const fault = faultOf(koffi, library);
    if (fault !== undefined) problems.push(`${by} names the OpenCL driver '${library}', ${fault}`);
  }
  return problems;
}

/** What the loaders of Khronos and of Debian (ocl-icd, libOpenCL(7)) look at, which is nearly the same. */
function namedDrivers(files: NodeFiles, folder: string, problems: string[]): Named[] {
  const libraries = (environment('OCL_ICD_FILENAMES') ?? '').split(':').filter((name) => name !== '');
  const named = libraries.map((library) => ({ by: 'OCL_ICD_FILENAMES', library }));
  const wanted = environment('OCL_ICD_VENDORS') ?? '';
  const isFolder = (path: string): boolean => status(files, path)?.isDirectory() === true;
  if (wanted !== '' && !isFolder(wanted)) {
    if (!wanted.endsWith('.icd')) return [...named, { by: 'OCL_ICD_VENDORS', library: wanted }];
    const local = `${folder}/${wanted}`;
    const path = !wanted.includes('/') && status(files, local) ? local : wanted;
    return [...named, ...readVendorFile(files, path, problems)];
  }
  const place = wanted === '' ? folder : wanted.replace(/\/+$/, '');
  let entries: string[] = [];
  try {
    entries = files.readdirSync(place).filter((name) => name.endsWith('.icd'));
  } catch {
    // Without the folder there are no drivers, which the loader says.
  }
  return [...named, ...entries.sort().flatMap((name) => readVendorFile(files, `${place}/${name}`, problems))];
}

function readVendorFile(files: NodeFiles, path: string, problems: string[]): Named[] {
  let text: string;
  try {
    // Others would be waited for.
    if (status(files, path)?.isFile() === false) throw new Error('it is no regular file');
    text = files.readFileSync(path, 'utf8');
  } catch (error) {
    problems.push(`${path}, which is to name an OpenCL driver, cannot be read: ${firstLine(error)}`);
    return [];
  }
  const library = text.split('\n', 1)[0]!.trim();
  if (library !== '') return [{ by: path, library }];
  problems.push(`${path} is to name an OpenCL driver in its first line, which is empty`);
  return [];
}

function status(files: NodeFiles, path: string): ReturnType<NodeFiles['statSync']> {
  try {
    return files.statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Why a library is no driver that the loader takes; undefined if it is one. What works the loader has opened already. */
function faultOf(koffi: Koffi, library: string): string | undefined {
  let address: (name: string) => bigint;
  try {
    const opened = koffi.load(library);
    try {
      address = opened.func('clGetExtensionFunctionAddress', 'uintptr_t', ['str']) as typeof address;
    } catch {
      return 'which is a library but no OpenCL driver: it has no clGetExtensionFunctionAddress';
    }
  } catch (error) {
    return `which cannot be loaded: ${firstLine(error)}`;
  }
  const platforms = BigInt(address('clIcdGetPlatformIDsKHR'));
  if (platforms === 0n) return 'which no loader can use: it has no clIcdGetPlatformIDsKHR';
  const count = new Uint32Array(1);
  const type = koffi.proto('int32_t', ['uint32_t', 'void *', 'void *']);
  const result = Number(koffi.call(platforms, type, 0, null, count));
  if (result === platformNotFound || (result === 0 && count[0] === 0)) return 'which finds nothing to run on';
  return result === 0 ? undefined : `which fails: ${statusName(result)}`;
}
