/**
 * Lets WebGPU in Node find the software renderer that Debian's chromium brings, where no other driver has been named. Import it first.
 * Mesa's layer, where there is one, complains on standard error of a session without a folder for sockets: it is given one.
 */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const swiftShader = '/usr/lib/chromium/vk_swiftshader_icd.json';
if (existsSync(swiftShader)) process.env['VK_ICD_FILENAMES'] ??= swiftShader;
process.env['XDG_RUNTIME_DIR'] ??= tmpdir();
