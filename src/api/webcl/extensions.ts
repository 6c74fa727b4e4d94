/**
 * Extensions of WebCL: what a program may use only after it has said so. KHR_fp64, KHR_fp16 and KHR_gl_sharing are those of
 * OpenCL; they are enabled for all devices, for those of a platform, or for one. WEBCL_html_image and WEBCL_html_video belong
 * to the page.
 */
import type { CLDevice } from '../opencl/platform.ts';
import { notEnabled } from './exception.ts';

/** Extensions of devices, with OpenCL's names. */
const ofDevices: Readonly<Record<string, string>> = {
  KHR_fp64: 'cl_khr_fp64',
  KHR_fp16: 'cl_khr_fp16',
  KHR_gl_sharing: 'cl_khr_gl_sharing',
};

const enabled = new WeakMap<CLDevice, Set<string>>();

/** The extensions that at least one of the devices has. */
export function supportedExtensions(devices: readonly CLDevice[]): string[] {
  return Object.entries(ofDevices)
    .filter(([, name]) => devices.some((device) => device.getSupportedExtensions().includes(name)))
    .map(([extension]) => extension);
}

/** Enables an extension for those of the devices that have it. False if none has. */
export function enableExtension(devices: readonly CLDevice[], extension: string): boolean {
  const name = Object.hasOwn(ofDevices, extension) ? ofDevices[extension] : undefined;
  const able = name ? devices.filter((device) => device.getSupportedExtensions().includes(name)) : [];
  for (const device of able) {
    const known = enabled.get(device) ?? new Set();
    enabled.set(device, known.add(extension));
  }
  return able.length > 0;
}

export function isEnabled(device: CLDevice, extension: string): boolean {
  return enabled.get(device)?.has(extension) ?? false;
}

/** @throws WebCLException WEBCL_EXTENSION_NOT_ENABLED if KHR_gl_sharing is not enabled for one of the devices */
export function checkSharesGL(devices: readonly CLDevice[]): void {
  if (!devices.every((device) => isEnabled(device, 'KHR_gl_sharing'))) throw notEnabled('KHR_gl_sharing');
}

/** Extensions of the page that the program runs in. */
const ofPages = ['WEBCL_html_image', 'WEBCL_html_video'] as const;
type PageExtension = (typeof ofPages)[number];

const enabledInPage = new Set<string>();

/** The extensions of the page: none in Node. */
export function supportedInPage(): readonly string[] {
  return 'OffscreenCanvas' in globalThis && 'document' in globalThis ? ofPages : [];
}

/** Enables an extension of the page. False if there is no such. */
export function enableInPage(extension: string): boolean {
  if (!supportedInPage().includes(extension)) return false;
  enabledInPage.add(extension);
  return true;
}

/** @throws WebCLException WEBCL_EXTENSION_NOT_ENABLED */
export function checkEnabledInPage(extension: PageExtension): void {
  if (!enabledInPage.has(extension)) throw notEnabled(extension);
}
