/** Lets WebGPU in Node find the software renderer that Debian's chromium brings, where no other driver has been named. Import it first. */
import { existsSync } from 'node:fs';

const swiftShader = '/usr/lib/chromium/vk_swiftshader_icd.json';
if (existsSync(swiftShader)) process.env['VK_ICD_FILENAMES'] ??= swiftShader;
