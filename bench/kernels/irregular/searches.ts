/** Searches that go back: queens on a board, sums of subsets; and searches in texts and tables. Each work-item goes its own way. */
import { createRandom } from '../../../samples/support/random.ts';
import { type BenchKernel, count, int, uint, wholes } from '../../frame/bench-kernel.ts';
import { near, sample } from '../../frame/checks.ts';

const queens: BenchKernel = {
  name: 'queens by backtracking',
  source: `
kernel void solve(int n, global int *found) {
  int item = get_global_id(0);
  int places[16];
  places[0] = item % n;
  places[1] = item / n;
  int solutions = 0;
  int fixed = 2;
  int difference = places[1] - places[0];
  if (difference == 0 || difference == 1 || difference == -1) {
    found[item] = 0;
    return;
  }
  int row = fixed;
  places[row] = -1;
  while (row >= fixed) {
    places[row]++;
    if (places[row] >= n) {
      row--;
      continue;
    }
    int free = 1;
    for (int other = 0; other < row; other++) {
      int apart = places[row] - places[other];
      if (apart == 0 || apart == row - other || apart == other - row) {
        free = 0;
        break;
      }
    }
    if (!free) continue;
    if (row == n - 1) {
      solutions++;
    } else {
      row++;
      places[row] = -1;
    }
  }
  found[item] = solutions;
}`,
  prepare(size) {
    const n = size === 'full' ? 10 : 7;
    const expected = (item: number): number => {
      const places = [item % n, Math.floor(item / n)];
      const fits = (row: number, place: number): boolean =>
        places.slice(0, row).every((other, at) => place !== other && Math.abs(place - other) !== row - at);
      const below = (row: number): number => {
        if (row === n) return 1;
        let sum = 0;
        for (let place = 0; place < n; place += 1) {
          if (!fits(row, place)) continue;
          places[row] = place;
          sum += below(row + 1);
        }
        return sum;
      };
      return fits(1, places[1]!) ? below(2) : 0;
    };
    return {
      size: `${n} x ${n}`,
      buffers: { found: 4 * n * n },
      launches: [{ kernel: 'solve', global: [n * n], local: [n], arguments: [int(n), 'found'] }],
      work: { unit: 'M/s', amount: n * n },
      check: (result) => near(result('found', Int32Array), expected),
    };
  },
};

const subsets: BenchKernel = {
  name: 'subset sums by backtracking',
  source: `
kernel void count(global const int *weights, int n, int target, global int *found) {
  int item = get_global_id(0);
  int own[16];
  int taken[16];
  for (int i = 0; i < n; i++) own[i] = weights[item * n + i];
  int at = 0, sum = 0, solutions = 0;
  for (int i = 0; i < n; i++) taken[i] = 0;
  while (at >= 0) {
    if (at == n || sum >= target) {
      if (sum == target) solutions++;
      at--;
      while (at >= 0 && taken[at] == 0) at--;
      if (at < 0) break;
      taken[at] = 0;
      sum -= own[at];
      at++;
    } else {
      taken[at] = 1;
      sum += own[at];
      at++;
    }
  }
  found[item] = solutions;
}`,
  prepare(size) {
    const [n, items] = [12, size === 'full' ? 2 ** 12 : 2 ** 9];
    const target = 60;
    const weights = Int32Array.from(wholes(n * items, 3, 25), (weight) => weight + 1);
    const expected = (item: number): number => {
      const below = (at: number, sum: number): number => {
        if (sum >= target || at === n) return sum === target ? 1 : 0;
        return below(at + 1, sum + weights[item * n + at]!) + below(at + 1, sum);
      };
      return below(0, 0);
    };
    return {
      size: `${count(items)} of ${n}`,
      buffers: { weights, found: 4 * items },
      launches: [
        {
          kernel: 'count',
          global: [items],
          local: [64],
          arguments: ['weights', int(n), int(target), 'found'],
        },
      ],
      work: { unit: 'M/s', amount: items },
      check: (result) => near(result('found', Int32Array), expected),
    };
  },
};

const text: BenchKernel = {
  name: 'text search',
  source: `
kernel void search(global const uchar *text, constant uchar *word, uint length, global uchar *found) {
  size_t i = get_global_id(0);
  global const uchar *at = text + i;
  constant uchar *wanted = word;
  uint left = length;
  while (left > 0 && *at == *wanted) {
    at++;
    wanted++;
    left--;
  }
  found[i] = left == 0;
}`,
  prepare(size) {
    const n = size === 'full' ? 2 ** 21 : 2 ** 16;
    const random = createRandom(4);
    const word = Uint8Array.from('abacab', (letter) => letter.charCodeAt(0));
    const data = Uint8Array.from({ length: n + word.length }, () => 97 + random.below(3));
    return {
      size: `${count(n)} bytes`,
      buffers: { data, word, found: n },
      launches: [
        {
          kernel: 'search',
          global: [n],
          local: [64],
          arguments: ['data', 'word', uint(word.length), 'found'],
        },
      ],
      work: { unit: 'M/s', amount: n },
      check: (result) =>
        near(result('found', Uint8Array), (index) =>
          word.every((letter, at) => data[index + at] === letter) ? 1 : 0,
        ),
    };
  },
};

const bisection: BenchKernel = {
  name: 'binary search',
  source: `
kernel void search(global const uint *sorted, uint count, global const uint *wanted, global uint *places) {
  size_t i = get_global_id(0);
  uint value = wanted[i];
  uint low = 0, high = count;
  while (low < high) {
    uint middle = low + (high - low) / 2;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  places[i] = low;
}`,
  prepare(size) {
    const [n, entries] = size === 'full' ? [2 ** 20, 2 ** 16] : [2 ** 14, 2 ** 12];
    const sorted = wholes(entries, 5, 2 ** 32).sort();
    const wanted = wholes(n, 6, 2 ** 32);
    const isRight = (place: number, value: number): boolean =>
      (place === 0 || sorted[place - 1]! < value) && (place === entries || sorted[place]! >= value);
    return {
      size: `${count(n)} in ${count(entries)}`,
      buffers: { sorted, wanted, places: 4 * n },
      launches: [
        {
          kernel: 'search',
          global: [n],
          local: [64],
          arguments: ['sorted', uint(entries), 'wanted', 'places'],
        },
      ],
      work: { unit: 'M/s', amount: n },
      check(result) {
        const places = result('places', Uint32Array);
        const wrong = sample(n, 5000).find((index) => !isRight(places[index]!, wanted[index]!));
        return wrong === undefined
          ? undefined
          : `element ${wrong} is ${places[wrong]}, which is not its place`;
      },
    };
  },
};

export const searches: readonly BenchKernel[] = [queens, subsets, text, bisection];
