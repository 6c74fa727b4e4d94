/** WebGPU where there is no card: the renderer in software that Debian's chromium brings, where no other driver has been named. */
import { existsSync } from 'node:fs';

const driver = '/usr/lib/chromium/vk_swiftshader_icd.json';

/** To be called before WebGPU is asked for. A function, because bundlers leave out what is imported for its effects alone. */
export function findSoftwareWebGPU(): void {
  if (existsSync(driver)) process.env['VK_ICD_FILENAMES'] ??= driver;
}
