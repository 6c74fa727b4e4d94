/** Files that name drivers which do not load: the loader says nothing of them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nativeDevices } from '../../../src/devices/icd/discover.ts';
import { loadDriver } from '../../../src/devices/icd/driver.ts';
import { folderWith, start } from '../../cli/millrace.ts';

const loader = loadDriver();
const why = typeof loader === 'string' ? ` (SKIPPED: ${loader})` : '';
const hasCompiler = canRun('cc');

function canRun(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** What `millrace devices` says of the drivers that files in a folder name. */
async function problemsWith(env: Readonly<Record<string, string>>, folder: string): Promise<string> {
  const { code, stderr } = await start(folder, ['devices'], env).ended;
  expect(code).toBe(0);
  return stderr;
}

function library(folder: string, name: string, source: string): string {
  const file = join(folder, name);
  execFileSync('cc', ['-shared', '-fPIC', '-o', file, '-x', 'c', '-'], { input: source });
  return file;
}

describe.skipIf(typeof loader === 'string')(`files that name drivers${why}`, () => {
  it('of a library that is not there', async () => {
    const folder = folderWith({ 'gone.icd': '/nowhere/libgone.so\n' });
    const text = await problemsWith({ OCL_ICD_VENDORS: folder }, folder);
    expect(text).toContain(
      `${folder}/gone.icd names the OpenCL driver '/nowhere/libgone.so', which cannot be loaded`,
    );
    expect(text).toMatch(/No such file or directory|not found/i);
  });

  it('all that are wrong, each with its reason', async () => {
    const folder = folderWith({
      'empty.icd': '',
      'text.icd': '',
      'notes.txt': 'libnever.so\n',
      'text.so': 'this is no library\n',
    });
    const texts = folderWith({
      'a.icd': `${folder}/text.so\nmore\n`,
      'b.icd': '\n',
      'notes.txt': 'libnever.so',
    });
    mkdirSync(join(texts, 'c.icd'));
    const text = await problemsWith({ OCL_ICD_VENDORS: texts }, texts);
    expect(text).toMatch(/a\.icd names the OpenCL driver '.*text\.so', which cannot be loaded: /);
    expect(text).toMatch(/b\.icd is to name an OpenCL driver in its first line, which is empty/);
    expect(text).toMatch(/c\.icd, which is to name an OpenCL driver, cannot be read: it is no regular file/);
    expect(text).not.toContain('libnever');
  });

  it.skipIf(!hasCompiler)('libraries that are no drivers, or find nothing to run on', async () => {
    const folder = folderWith({});
    const other = library(folder, 'libother.so', 'int f(void) { return 1; }');
    const half = library(
      folder,
      'libhalf.so',
      'void *clGetExtensionFunctionAddress(const char *name) { return 0; }',
    );
    const idle = library(
      folder,
      'libidle.so',
      `static int none(unsigned n, void **p, unsigned *count) { if (count) *count = 0; return -1001; }
      void *clGetExtensionFunctionAddress(const char *name) { return __builtin_strcmp(name, "clIcdGetPlatformIDsKHR") ? 0 : (void *)none; }`,
    );
    const vendors = folderWith({ 'a.icd': `${other}\n`, 'b.icd': `${half}\n`, 'c.icd': idle });
    const text = await problemsWith({ OCL_ICD_VENDORS: vendors }, vendors);
    expect(text).toMatch(/a\.icd names .*libother\.so', which is a library but no OpenCL driver/);
    expect(text).toMatch(/b\.icd names .*libhalf\.so', which no loader can use/);
    expect(text).toMatch(/c\.icd names .*libidle\.so', which finds nothing to run on/);
  });

  it('by the other variables of loaders', async () => {
    const folder = folderWith({ 'gone.icd': 'libgone-by-name.so' });
    const one = await problemsWith({ OPENCL_VENDOR_PATH: folder }, folder);
    expect(one).toContain("gone.icd names the OpenCL driver 'libgone-by-name.so', which cannot be loaded");
    const path = join(folder, 'gone.icd');
    expect(await problemsWith({ OCL_ICD_VENDORS: path }, folder)).toContain(`${path} names`);
    expect(await problemsWith({ OCL_ICD_VENDORS: 'libgone.so' }, folder)).toContain(
      "OCL_ICD_VENDORS names the OpenCL driver 'libgone.so'",
    );
  });

  it('one that is asked for is told so', async () => {
    const folder = folderWith({
      'gone.icd': '/nowhere/libgone.so\n',
      'k.cl': 'kernel void k(global int *p) {}',
    });
    const { code, stderr } = await start(folder, ['run', 'k.cl', '--device', 'gone'], {
      OCL_ICD_VENDORS: folder,
    }).ended;
    expect(code).not.toBe(0);
    expect(stderr).toContain("no device is called 'gone'");
    expect(stderr).toContain(
      `gone.icd names the OpenCL driver '/nowhere/libgone.so', which cannot be loaded`,
    );
  });

  it.skipIf(nativeDevices().length === 0)('says nothing of drivers that work', async () => {
    const folder = folderWith({});
    expect(await problemsWith({}, folder)).toBe('');
  });
});
