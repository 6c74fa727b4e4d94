/** SHA-256 by Node's own functions: the cache is only where these are. */
import { machineModule } from '../../runtime/host.ts';

interface HashFunctions {
  createHash(name: 'sha256'): Hash;
}

interface Hash {
  update(content: string | Uint8Array): Hash;
  digest(): Uint8Array;
  digest(form: 'hex'): string;
}

/** The 32 bytes of the checksum. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return hash().update(bytes).digest();
}

/** A key for all these texts, and bytes after them. */
export function keyOf(texts: readonly string[], bytes: Uint8Array = new Uint8Array(0)): string {
  return hash().update(JSON.stringify(texts)).update(bytes).digest('hex');
}

function hash(): Hash {
  return (machineModule('node:crypto') as HashFunctions).createHash('sha256');
}
