/** Which programs of the machine tests can ask for what is right; tests that need one are skipped elsewhere. */
import { execFileSync } from 'node:child_process';

export function hasProgram(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
