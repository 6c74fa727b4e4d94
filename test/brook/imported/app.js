// Run by a test as `node --import millrace/brook/register app.js`: imports kernels from a file.
import { scale, stream, total } from './scale.br';

const [a, b] = [stream('float', [4]), stream('float', [4])];
a.read(Float32Array.of(1, 2, 3, 4));
scale(a, [0.5, 1], b);
const result = new Float32Array(1);
total(b, result);
console.log(result[0], b.error());
process.exit();
