/** Integer arithmetic that WGSL does not have, as WGSL: 64 bits on pairs of words (low half first), upper halves of products. */
export const integerFunctions = {
  u32_mul_wide: `fn u32_mul_wide(a: u32, b: u32) -> vec2<u32> {
  let al = a & 0xffffu;
  let ah = a >> 16u;
  let bl = b & 0xffffu;
  let bh = b >> 16u;
  let ll = al * bl;
  let lh = al * bh;
  let hl = ah * bl;
  let middle = (ll >> 16u) + (lh & 0xffffu) + (hl & 0xffffu);
  return vec2<u32>((ll & 0xffffu) | (middle << 16u), ah * bh + (lh >> 16u) + (hl >> 16u) + (middle >> 16u));
}`,
  u32_mulhi: `fn u32_mulhi(a: u32, b: u32) -> u32 {
  return u32_mul_wide(a, b).y;
}`,
  i32_mulhi: `fn i32_mulhi(a: u32, b: u32) -> u32 {
  return u32_mul_wide(a, b).y - select(0u, b, (a >> 31u) != 0u) - select(0u, a, (b >> 31u) != 0u);
}`,
  i64_of_i32: `fn i64_of_i32(a: u32) -> vec2<u32> {
  return vec2<u32>(a, u32(i32(a) >> 31u));
}`,
  i64_add: `fn i64_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = a.x + b.x;
  return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}`,
  i64_sub: `fn i64_sub(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}`,
  i64_neg: `fn i64_neg(a: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(0u - a.x, 0u - a.y - select(0u, 1u, a.x != 0u));
}`,
  i64_mul: `fn i64_mul(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let p = u32_mul_wide(a.x, b.x);
  return vec2<u32>(p.x, p.y + a.x * b.y + a.y * b.x);
}`,
  u64_mulhi: `fn u64_mulhi(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let ll = u32_mul_wide(a.x, b.x);
  let lh = u32_mul_wide(a.x, b.y);
  let hl = u32_mul_wide(a.y, b.x);
  let hh = u32_mul_wide(a.y, b.y);
  let middle = i64_add(i64_add(lh, vec2<u32>(hl.x, 0u)), vec2<u32>(ll.y, 0u));
  return i64_add(hh, i64_add(vec2<u32>(middle.y, 0u), vec2<u32>(hl.y, 0u)));
}`,
  i64_mulhi: `fn i64_mulhi(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let zero = vec2<u32>(0u, 0u);
  let p = i64_sub(u64_mulhi(a, b), select(zero, b, (a.y >> 31u) != 0u));
  return i64_sub(p, select(zero, a, (b.y >> 31u) != 0u));
}`,
  i64_shl: `fn i64_shl(a: vec2<u32>, count: u32) -> vec2<u32> {
  let n = count & 31u;
  let low = a.x << n;
  let high = (a.y << n) | ((a.x >> 1u) >> (31u - n));
  return select(vec2<u32>(low, high), vec2<u32>(0u, low), (count & 32u) != 0u);
}`,
  u64_shr: `fn u64_shr(a: vec2<u32>, count: u32) -> vec2<u32> {
  let n = count & 31u;
  let low = (a.x >> n) | ((a.y << 1u) << (31u - n));
  let high = a.y >> n;
  return select(vec2<u32>(low, high), vec2<u32>(high, 0u), (count & 32u) != 0u);
}`,
  i64_shr: `fn i64_shr(a: vec2<u32>, count: u32) -> vec2<u32> {
  let n = count & 31u;
  let low = (a.x >> n) | ((a.y << 1u) << (31u - n));
  let high = u32(i32(a.y) >> n);
  return select(vec2<u32>(low, high), vec2<u32>(high, u32(i32(a.y) >> 31u)), (count & 32u) != 0u);
}`,
  i64_rotl: `fn i64_rotl(a: vec2<u32>, count: u32) -> vec2<u32> {
  let n = count & 63u;
  return i64_shl(a, n) | select(u64_shr(a, 64u - n), vec2<u32>(0u, 0u), n == 0u);
}`,
  u64_lt: `fn u64_lt(a: vec2<u32>, b: vec2<u32>) -> bool {
  return (a.y < b.y) | ((a.y == b.y) & (a.x < b.x));
}`,
  i64_lt: `fn i64_lt(a: vec2<u32>, b: vec2<u32>) -> bool {
  return (i32(a.y) < i32(b.y)) | ((a.y == b.y) & (a.x < b.x));
}`,
  i64_eq: `fn i64_eq(a: vec2<u32>, b: vec2<u32>) -> bool {
  return (a.x == b.x) & (a.y == b.y);
}`,
  i64_clz: `fn i64_clz(a: vec2<u32>) -> u32 {
  return select(countLeadingZeros(a.y), 32u + countLeadingZeros(a.x), a.y == 0u);
}`,
  i64_ctz: `fn i64_ctz(a: vec2<u32>) -> u32 {
  return select(countTrailingZeros(a.x), 32u + countTrailingZeros(a.y), a.x == 0u);
}`,
  // A digit of 16 bits of the quotient: of `rest`, which is below the divisor, with the next 16 bits behind it. The divisor's first bit is set.
  u32_digit: `fn u32_digit(rest: u32, next: u32, high: u32, low: u32) -> u32 {
  // At most two too many (Knuth, The Art of Computer Programming, 4.3.1, theorem B).
  let guess = min(rest / high, 0xffffu);
  let r = rest - guess * high;
  let isOver = (r < 0x10000u) & (guess * low > ((r << 16u) | next));
  let s = r + high;
  let isOverAgain = isOver & (s < 0x10000u) & ((guess - 1u) * low > ((s << 16u) | next));
  return guess - select(0u, 1u, isOver) - select(0u, 1u, isOverAgain);
}`,
  // Two words by one whose first bit is set, of which the first is below it: the quotient, then the remainder.
  u64_by_word: `fn u64_by_word(high: u32, low: u32, d: u32) -> vec2<u32> {
  let d_high = d >> 16u;
  let d_low = d & 0xffffu;
  let first = u32_digit(high, low >> 16u, d_high, d_low);
  let rest = ((high << 16u) | (low >> 16u)) - first * d;
  let second = u32_digit(rest, low & 0xffffu, d_high, d_low);
  return vec2<u32>((first << 16u) | second, ((rest << 16u) | (low & 0xffffu)) - second * d);
}`,
  // The quotient, then the remainder.
  u64_divrem: `fn u64_divrem(a: vec2<u32>, b: vec2<u32>) -> vec4<u32> {
  if ((a.y | b.y) == 0u) {
    let q = a.x / max(b.x, 1u);
    return vec4<u32>(q, 0u, a.x - q * b.x, 0u);
  }
  if (u64_lt(a, b) | ((b.x | b.y) == 0u)) {
    return vec4<u32>(0u, 0u, a.x, a.y);
  }
  if (b.y == 0u) {
    let high = a.y / b.x;
    let rest = a.y - high * b.x;
    let n = countLeadingZeros(b.x);
    let q = u64_by_word((rest << n) | ((a.x >> 1u) >> (31u - n)), a.x << n, b.x << n);
    return vec4<u32>(q.x, high, q.y >> n, 0u);
  }
  // The quotient is one word. Half of the dividend by the divisor's first 32 bits gives it, or one more or less.
  let n = countLeadingZeros(b.y);
  let half = u64_shr(a, 1u);
  let guess = u64_by_word(half.y, half.x, i64_shl(b, n).y).x >> (31u - n);
  let q = max(guess, 1u) - 1u;
  let product = u32_mul_wide(q, b.x);
  let r = i64_sub(a, vec2<u32>(product.x, product.y + q * b.y));
  let isMore = !u64_lt(r, b);
  return vec4<u32>(q + select(0u, 1u, isMore), 0u, select(r, i64_sub(r, b), isMore));
}`,
  u64_div: `fn u64_div(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return u64_divrem(a, b).xy;
}`,
  u64_rem: `fn u64_rem(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return u64_divrem(a, b).zw;
}`,
  i64_abs: `fn i64_abs(a: vec2<u32>) -> vec2<u32> {
  return select(a, i64_neg(a), (a.y >> 31u) != 0u);
}`,
  i64_div: `fn i64_div(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let q = u64_divrem(i64_abs(a), i64_abs(b)).xy;
  return select(q, i64_neg(q), ((a.y ^ b.y) >> 31u) != 0u);
}`,
  i64_rem: `fn i64_rem(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let r = u64_divrem(i64_abs(a), i64_abs(b)).zw;
  return select(r, i64_neg(r), (a.y >> 31u) != 0u);
}`,
} as const;
