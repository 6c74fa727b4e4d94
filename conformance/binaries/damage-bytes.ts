/** Damage to the bytes of a binary, wherever they are. The checksum is made right again, mostly. */
import { crc32 } from '../../src/build/crc32.ts';
import type { Random } from '../../test/support/random.ts';

/** Before the content: mark, version, kind, checksum. */
const headerBytes = 14;
const checksumAt = 10;

/** Bytes that mean something in many places. */
const telling = [0, 1, 2, 3, 7, 0x7f, 0x80, 0x81, 0xff];

/**
 * A damaged copy.
 * @param others binaries that pieces are taken from
 */
export function damageBytes(bytes: Uint8Array, others: readonly Uint8Array[], random: Random): Uint8Array {
  let damaged = [...bytes];
  const times = 1 + random.below(random.below(4) === 0 ? 6 : 2);
  for (let time = 0; time < times; time += 1) damaged = damageOnce(damaged, others, random);
  const result = Uint8Array.from(damaged);
  if (random.below(40) > 0) mendChecksum(result);
  return result;
}

/** Makes the checksum right again. */
export function mendChecksum(bytes: Uint8Array): void {
  if (bytes.length < headerBytes) return;
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(
    checksumAt,
    crc32(bytes.subarray(headerBytes)),
    true,
  );
}

function damageOnce(bytes: number[], others: readonly Uint8Array[], random: Random): number[] {
  // The header now and then.
  const first = random.below(200) === 0 ? 0 : headerBytes;
  const at = first + random.below(Math.max(1, bytes.length - first));
  const length = 1 + random.below(random.below(4) === 0 ? 60 : 3);
  switch (random.below(12)) {
    case 0:
      bytes.splice(at, length);
      return bytes;
    case 1:
      bytes.splice(at, 0, ...bytes.slice(at, at + length));
      return bytes;
    case 2:
      return random.below(4) === 0 ? bytes.slice(0, at) : bytes;
    case 3: {
      const other = random.pick(others);
      const from = random.below(other.length);
      bytes.splice(at, random.below(length + 1), ...other.slice(from, from + length));
      return bytes;
    }
    case 4:
      // A long number.
      bytes.splice(at, 1, 0xff, 0xff, 0xff, 0xff, random.pick([0x0f, 0x7f, 0xff]), 0x01);
      return bytes;
    case 5:
      bytes[at] = random.pick(telling);
      return bytes;
    case 6:
    case 7:
      bytes[at] = ((bytes[at] ?? 0) + (random.below(2) === 0 ? 1 : 255)) & 0xff;
      return bytes;
    case 8:
      bytes[at] = random.below(256);
      return bytes;
    case 9: {
      // Two stretches change places.
      const to = first + random.below(Math.max(1, bytes.length - first));
      const [a, b] = [Math.min(at, to), Math.max(at, to)];
      const piece = bytes.slice(b, b + length);
      bytes.splice(b, piece.length, ...bytes.slice(a, a + length));
      bytes.splice(a, Math.min(length, b - a), ...piece);
      return bytes;
    }
    default:
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
      return bytes;
  }
}
