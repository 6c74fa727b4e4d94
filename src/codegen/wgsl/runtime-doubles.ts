/**
 * Doubles, which WGSL does not have, by exact integer arithmetic: pairs of words, low half first, of which every operation is
 * rounded as IEEE 754 says. Slow: an addition is some sixty operations of words.
 */
export const doubleFunctions = {
  f64_is_nan: `fn f64_is_nan(a: vec2<u32>) -> bool {
  let high = a.y & 0x7fffffffu;
  return (high > 0x7ff00000u) | ((high == 0x7ff00000u) & (a.x != 0u));
}`,
  f64_is_zero: `fn f64_is_zero(a: vec2<u32>) -> bool {
  return ((a.y & 0x7fffffffu) | a.x) == 0u;
}`,
  f64_is_infinite: `fn f64_is_infinite(a: vec2<u32>) -> bool {
  return ((a.y & 0x7fffffffu) == 0x7ff00000u) & (a.x == 0u);
}`,
  // The double that is nearest: m has its leading one at bit 62, as below, or is 0.
  f64_near: `fn f64_near(sign: u32, e: i32, m: vec2<u32>) -> vec2<u32> {
  var mantissa = m;
  if (e <= 0) {
    mantissa = u64_shr_sticky(m, u32(min(1 - e, 63)));
  }
  let kept = vec2<u32>((mantissa.x >> 10u) | (mantissa.y << 22u), mantissa.y >> 10u);
  let up = select(0u, 1u, (mantissa.x & 1023u) + (kept.x & 1u) > 512u);
  let low = kept.x + up;
  let high = (u32(max(e, 1)) << 20u) + kept.y - 0x100000u + select(0u, up, low == 0u);
  let isBeyond = (e >= 2047) | (high >= 0x7ff00000u);
  return select(vec2<u32>(low, sign | high), vec2<u32>(0u, sign | 0x7ff00000u), isBeyond);
}`,
  // m has its leading one at bit 62, the last bits say too that something was cut off; e is the exponent with its bias.
  f64_pack: `fn f64_pack(sign: u32, e: i32, m: vec2<u32>, mode: u32) -> vec2<u32> {
  var mantissa = m;
  var exponent = e;
  if (e <= 0) {
    mantissa = u64_shr_sticky(m, u32(min(1 - e, 100)));
    exponent = 1;
  }
  let kept = u64_shr(mantissa, 10u);
  let up = rounds_up(sign, kept.x & 1u, cut_of(mantissa.x & 1023u, 512u), mode);
  let rounded = i64_add(kept, vec2<u32>(up, 0u));
  let high = (u32(exponent) << 20u) + rounded.y - 0x100000u;
  if ((e >= 2047) | (high >= 0x7ff00000u)) {
    let stays = (mode == 1u) | ((mode == 2u) & (sign != 0u)) | ((mode == 3u) & (sign == 0u));
    return select(vec2<u32>(0u, sign | 0x7ff00000u), vec2<u32>(0xffffffffu, sign | 0x7fefffffu), stays);
  }
  return vec2<u32>(rounded.x, sign | high);
}`,
  // The mantissa, of which bit 62 is the one that only normal numbers have, and the exponent that goes with it.
  f64_split: `fn f64_split(a: vec2<u32>) -> vec3<u32> {
  let e = (a.y >> 20u) & 2047u;
  let high = (a.y & 0xfffffu) | select(0x100000u, 0u, e == 0u);
  return vec3<u32>(a.x << 10u, (high << 10u) | (a.x >> 22u), max(e, 1u));
}`,
  // The same with a leading one at bit 62, of bits that are not 0.
  f64_unpack: `fn f64_unpack(a: vec2<u32>) -> vec3<u32> {
  let p = f64_split(a);
  if ((p.y >> 30u) != 0u) {
    return p;
  }
  let n = i64_clz(p.xy);
  return vec3<u32>(i64_shl(p.xy, n - 1u), p.z + 1u - n);
}`,
  // Any mantissa, of which bit 62 has the exponent e.
  f64_normal: `fn f64_normal(sign: u32, e: i32, m: vec2<u32>, mode: u32) -> vec2<u32> {
  let n = i64_clz(m);
  let shifted = select(i64_shl(m, n - 1u), u64_shr_sticky(m, 1u), n == 0u);
  return f64_pack(sign, e + 1 - i32(n), shifted, mode);
}`,
  // The same to nearest, for what is below 2^63.
  f64_rounded: `fn f64_rounded(sign: u32, e: i32, m: vec2<u32>) -> vec2<u32> {
  let n = i64_clz(m);
  return f64_near(sign, e + 1 - i32(n), i64_shl(m, n - 1u));
}`,
  f64_nan: `fn f64_nan() -> vec2<u32> {
  return vec2<u32>(0u, 0x7ff80000u);
}`,
  f64_add: `fn f64_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let isSmaller = (a.y & 0x7fffffffu) < (b.y & 0x7fffffffu);
  let large = select(a, b, isSmaller);
  let p = f64_split(large);
  let q = f64_split(select(b, a, isSmaller));
  let differ = ((a.y ^ b.y) >> 31u) != 0u;
  let x = vec2<u32>((p.x >> 1u) | (p.y << 31u), p.y >> 1u);
  let y = u64_shr_sticky(vec2<u32>((q.x >> 1u) | (q.y << 31u), q.y >> 1u), p.z - q.z);
  let sum = i64_add(x, select(y, i64_neg(y), differ));
  // Of the same exponent the other one may be the larger.
  let isNegative = ((sum.y >> 31u) != 0u) & differ;
  let size = select(sum, i64_neg(sum), isNegative);
  let sign = (large.y & 0x80000000u) ^ select(0u, 0x80000000u, isNegative);
  let zero = vec2<u32>(0u, select(a.y & 0x80000000u, 0u, differ));
  let finite = select(f64_rounded(sign, i32(p.z) + 1, size), zero, (size.x | size.y) == 0u);
  if (((large.y >> 20u) & 2047u) != 2047u) {
    return finite;
  }
  let isNaN = f64_is_nan(a) | f64_is_nan(b) | (differ & f64_is_infinite(a) & f64_is_infinite(b));
  return select(select(b, a, f64_is_infinite(a)), f64_nan(), isNaN);
}`,
  f64_neg: `fn f64_neg(a: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(a.x, a.y ^ 0x80000000u);
}`,
  f64_abs: `fn f64_abs(a: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(a.x, a.y & 0x7fffffffu);
}`,
  f64_copysign: `fn f64_copysign(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(a.x, (a.y & 0x7fffffffu) | (b.y & 0x80000000u));
}`,
  f64_sub: `fn f64_sub(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return f64_add(a, f64_neg(b));
}`,
  f64_mul: `fn f64_mul(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let sign = (a.y ^ b.y) & 0x80000000u;
  let p = f64_unpack(a);
  let q = f64_unpack(b);
  let ll = u32_mul_wide(p.x, q.x);
  let lh = u32_mul_wide(p.x, q.y);
  let hl = u32_mul_wide(p.y, q.x);
  let hh = u32_mul_wide(p.y, q.y);
  let middle = i64_add(i64_add(lh, vec2<u32>(hl.x, 0u)), vec2<u32>(ll.y, 0u));
  let high = i64_add(hh, i64_add(vec2<u32>(middle.y, 0u), vec2<u32>(hl.y, 0u)));
  // The leading one is at bit 60 or 61.
  let m = vec2<u32>(high.x | select(0u, 1u, (ll.x | middle.x) != 0u), high.y);
  let isLong = (m.y >> 29u) != 0u;
  let first = select(vec2<u32>(m.x << 2u, (m.y << 2u) | (m.x >> 30u)), vec2<u32>(m.x << 1u, (m.y << 1u) | (m.x >> 31u)), isLong);
  let finite = f64_near(sign, i32(p.z) + i32(q.z) - select(1023, 1022, isLong), first);
  let isZero = f64_is_zero(a) | f64_is_zero(b);
  if (max(a.y & 0x7fffffffu, b.y & 0x7fffffffu) < 0x7ff00000u) {
    return select(finite, vec2<u32>(0u, sign), isZero);
  }
  return select(vec2<u32>(0u, sign | 0x7ff00000u), f64_nan(), isZero | f64_is_nan(a) | f64_is_nan(b));
}`,
  // Four digits of 14 bits, each by the first bits of rest and divisor. A digit may be three too small: then the next one is larger.
  f64_div: `fn f64_div(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let sign = (a.y ^ b.y) & 0x80000000u;
  let p = f64_unpack(a);
  let q = f64_unpack(b);
  // With their leading ones at bit 61, so that four times the divisor is no more than 64 bits.
  let d = vec2<u32>((q.x >> 1u) | (q.y << 31u), q.y >> 1u);
  let first = (d.y >> 14u) + 1u;
  var rest = vec2<u32>((p.x >> 1u) | (p.y << 31u), p.y >> 1u);
  var quotient = vec2<u32>(0u, 0u);
  for (var n = 0u; n < 4u; n += 1u) {
    let digit = rest.y / first;
    let low = digit * (d.x & 0xffffu);
    let middle = digit * (d.x >> 16u);
    let product = i64_add(vec2<u32>(middle << 16u, (middle >> 16u) + digit * d.y), vec2<u32>(low, 0u));
    rest = i64_sub(vec2<u32>(rest.x << 14u, (rest.y << 14u) | (rest.x >> 18u)), product);
    quotient = i64_add(vec2<u32>(quotient.x << 14u, (quotient.y << 14u) | (quotient.x >> 18u)), vec2<u32>(digit, 0u));
  }
  let twice = vec2<u32>(d.x << 1u, (d.y << 1u) | (d.x >> 31u));
  let isTwice = !u64_lt(rest, twice);
  rest = select(rest, i64_sub(rest, twice), isTwice);
  let isOnce = !u64_lt(rest, d);
  rest = select(rest, i64_sub(rest, d), isOnce);
  quotient = i64_add(quotient, vec2<u32>(select(0u, 2u, isTwice) + select(0u, 1u, isOnce), 0u));
  // 56 or 57 bits.
  let m = vec2<u32>((quotient.x << 6u) | select(0u, 1u, (rest.x | rest.y) != 0u), (quotient.y << 6u) | (quotient.x >> 26u));
  let isLong = (m.y >> 30u) != 0u;
  let finite = f64_near(sign, i32(p.z) - i32(q.z) + select(1022, 1023, isLong), select(i64_add(m, m), m, isLong));
  let isNaN = f64_is_nan(a) | f64_is_nan(b) | (f64_is_infinite(a) & f64_is_infinite(b)) | (f64_is_zero(a) & f64_is_zero(b));
  let isInfinite = f64_is_infinite(a) | f64_is_zero(b);
  let isZero = f64_is_infinite(b) | f64_is_zero(a);
  let sized = select(select(finite, vec2<u32>(0u, sign), isZero), vec2<u32>(0u, sign | 0x7ff00000u), isInfinite);
  return select(sized, f64_nan(), isNaN);
}`,
  // What is left of a radicand when a root is longer by a digit of 13 bits: 26 bits more, less what the digit makes.
  f64_root_rest: `fn f64_root_rest(rest: vec2<u32>, next: u32, root: vec2<u32>, digit: u32) -> vec2<u32> {
  let more = vec2<u32>((rest.x << 26u) | next, (rest.y << 26u) | (rest.x >> 6u));
  let sum = i64_add(vec2<u32>(root.x << 14u, (root.y << 14u) | (root.x >> 18u)), vec2<u32>(digit, 0u));
  let product = u32_mul_wide(digit, sum.x);
  return i64_sub(more, vec2<u32>(product.x, product.y + digit * sum.y));
}`,
  f64_sqrt: `fn f64_sqrt(a: vec2<u32>) -> vec2<u32> {
  let p = f64_unpack(vec2<u32>(max(a.x, select(0u, 1u, (a.y & 0x7fffffffu) == 0u)), a.y & 0x7fffffffu));
  let odd = (p.z + 1u) & 1u;
  let k = (i32(p.z) - 1023 - i32(odd)) / 2;
  // The radicand, with its leading one at bit 60 or 61 of 62; 48 zeros follow.
  let m = u64_shr(p.xy, 2u - odd);
  // 16 bits of the root, by those of a float.
  let top = (m.y << 2u) | (m.x >> 30u);
  var s = min(u32(sqrt(f32(top))), 0xffffu);
  s -= select(0u, 1u, s * s > top);
  s += select(0u, 1u, top - s * s > 2u * s);
  // Three more digits, each by the first bits of rest and root. A digit may be too small: then the next one is larger.
  let start = top - s * s;
  let one = (start << 13u) / (2u * s + 1u);
  let rest_1 = f64_root_rest(vec2<u32>(start, 0u), (m.x >> 4u) & 0x3ffffffu, vec2<u32>(s, 0u), one);
  let root_1 = (s << 13u) + one;
  let two = rest_1.x / ((root_1 >> 12u) + 2u);
  let rest_2 = f64_root_rest(rest_1, (m.x & 15u) << 22u, vec2<u32>(root_1, 0u), two);
  let root_2 = i64_add(vec2<u32>(root_1 << 13u, root_1 >> 19u), vec2<u32>(two, 0u));
  let three = ((rest_2.y << 18u) | (rest_2.x >> 14u)) / (((root_2.y << 6u) | (root_2.x >> 26u)) + 2u);
  var rest = f64_root_rest(rest_2, 0u, root_2, three);
  var root = i64_add(vec2<u32>(root_2.x << 13u, (root_2.y << 13u) | (root_2.x >> 19u)), vec2<u32>(three, 0u));
  // The last one is made exact: it is four too small at most.
  for (var n = 0u; n < 4u; n += 1u) {
    let step = vec2<u32>((root.x << 1u) | 1u, (root.y << 1u) | (root.x >> 31u));
    let fits = !u64_lt(rest, step);
    rest = select(rest, i64_sub(rest, step), fits);
    root = i64_add(root, vec2<u32>(select(0u, 1u, fits), 0u));
  }
  // 55 bits.
  root = vec2<u32>((root.x << 8u) | select(0u, 1u, (rest.x | rest.y) != 0u), (root.y << 8u) | (root.x >> 24u));
  let finite = f64_near(0u, k + 1023, root);
  let isItself = f64_is_zero(a) | (f64_is_infinite(a) & ((a.y >> 31u) == 0u));
  return select(select(finite, f64_nan(), f64_is_nan(a) | ((a.y >> 31u) != 0u)), a, isItself);
}`,
  f64_fma: `fn f64_fma(a: vec2<u32>, b: vec2<u32>, c: vec2<u32>) -> vec2<u32> {
  let sign = (a.y ^ b.y) & 0x80000000u;
  let c_sign = c.y & 0x80000000u;
  if (f64_is_nan(a) | f64_is_nan(b) | f64_is_nan(c)) {
    return f64_nan();
  }
  if (f64_is_infinite(a) | f64_is_infinite(b)) {
    let isWrong = f64_is_zero(a) | f64_is_zero(b) | (f64_is_infinite(c) & (sign != c_sign));
    return select(vec2<u32>(0u, sign | 0x7ff00000u), f64_nan(), isWrong);
  }
  if (f64_is_infinite(c)) {
    return c;
  }
  if (f64_is_zero(a) | f64_is_zero(b)) {
    return select(c, vec2<u32>(0u, select(0u, sign, sign == c_sign)), f64_is_zero(c));
  }
  let p = f64_unpack(a);
  let q = f64_unpack(b);
  // 128 bits, of which the leading one is at bit 124 or 125; the low half is exact.
  var high = u64_mulhi(p.xy, q.xy);
  var low = i64_mul(p.xy, q.xy);
  var e = i32(p.z) + i32(q.z) - 1023;
  var result_sign = sign;
  if (!f64_is_zero(c)) {
    let r = f64_unpack(c);
    // The addend with its leading one at bit 124.
    var c_high = u64_shr(r.xy, 2u);
    var c_low = i64_shl(r.xy, 62u);
    let difference = e - i32(r.z);
    if (difference >= 0) {
      let n = u32(difference);
      if (n >= 64u) {
        c_low = u64_shr_sticky(c_high, n - 64u);
        if (i64_shl(r.xy, 62u).y != 0u) {
          c_low.x |= 1u;
        }
        c_high = vec2<u32>(0u, 0u);
      } else if (n > 0u) {
        c_low = u64_shr_sticky(c_low, n) | i64_shl(c_high, 64u - n);
        c_high = u64_shr(c_high, n);
      }
    } else {
      let n = u32(-difference);
      let lost = (low.x | low.y) != 0u;
      if (n >= 64u) {
        low = u64_shr_sticky(high, n - 64u);
        low.x |= select(0u, 1u, lost);
        high = vec2<u32>(0u, 0u);
      } else {
        low = u64_shr_sticky(low, n) | i64_shl(high, 64u - n);
        high = u64_shr(high, n);
      }
      e = i32(r.z);
    }
    if (sign == c_sign) {
      let sum = i64_add(low, c_low);
      high = i64_add(i64_add(high, c_high), vec2<u32>(select(0u, 1u, u64_lt(sum, low)), 0u));
      low = sum;
    } else {
      let borrow = select(0u, 1u, u64_lt(low, c_low));
      low = i64_sub(low, c_low);
      high = i64_sub(i64_sub(high, c_high), vec2<u32>(borrow, 0u));
      if ((high.y >> 31u) != 0u) {
        low = i64_neg(low);
        high = i64_add(~high, vec2<u32>(select(0u, 1u, (low.x | low.y) == 0u), 0u));
        result_sign = result_sign ^ 0x80000000u;
      }
      if ((high.x | high.y | low.x | low.y) == 0u) {
        return high;
      }
    }
  }
  if ((high.x | high.y) == 0u) {
    return f64_normal(result_sign, e - 62, low, 0u);
  }
  let n = i64_clz(high);
  var m = high;
  if (n > 0u) {
    m = i64_shl(high, n) | u64_shr(low, 64u - n);
    low = i64_shl(low, n);
  }
  m.x |= select(0u, 1u, (low.x | low.y) != 0u);
  return f64_normal(result_sign, e + 2 - i32(n), m, 0u);
}`,
  f64_eq: `fn f64_eq(a: vec2<u32>, b: vec2<u32>) -> bool {
  return !f64_is_nan(a) & !f64_is_nan(b) & (i64_eq(a, b) | (f64_is_zero(a) & f64_is_zero(b)));
}`,
  f64_lt: `fn f64_lt(a: vec2<u32>, b: vec2<u32>) -> bool {
  let a_negative = (a.y >> 31u) != 0u;
  let b_negative = (b.y >> 31u) != 0u;
  let below = select(u64_lt(a, b), u64_lt(b, a), a_negative);
  let isNone = f64_is_nan(a) | f64_is_nan(b) | (f64_is_zero(a) & f64_is_zero(b));
  return select(below, a_negative, a_negative != b_negative) & !isNone;
}`,
  f64_le: `fn f64_le(a: vec2<u32>, b: vec2<u32>) -> bool {
  return f64_lt(a, b) | f64_eq(a, b);
}`,
  f64_min: `fn f64_min(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return select(select(a, b, f64_lt(b, a)), b, f64_is_nan(a));
}`,
  f64_max: `fn f64_max(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return select(select(a, b, f64_lt(a, b)), b, f64_is_nan(a));
}`,
  f64_trunc: `fn f64_trunc(a: vec2<u32>) -> vec2<u32> {
  let e = (a.y >> 20u) & 2047u;
  let n = 1075u - clamp(e, 1023u, 1075u);
  let cut = i64_shl(u64_shr(a, n), n);
  return select(cut, vec2<u32>(0u, a.y & 0x80000000u), e < 1023u);
}`,
  f64_floor: `fn f64_floor(a: vec2<u32>) -> vec2<u32> {
  let t = f64_trunc(a);
  if (((a.y >> 31u) == 0u) | i64_eq(t, a)) {
    return t;
  }
  return f64_add(t, vec2<u32>(0u, 0xbff00000u));
}`,
  f64_ceil: `fn f64_ceil(a: vec2<u32>) -> vec2<u32> {
  return f64_neg(f64_floor(f64_neg(a)));
}`,
  // 2^52 has no bits behind the point.
  f64_rint: `fn f64_rint(a: vec2<u32>) -> vec2<u32> {
  if (((a.y >> 20u) & 2047u) >= 1075u) {
    return a;
  }
  let big = vec2<u32>(0u, 0x43300000u);
  return f64_copysign(f64_sub(f64_add(f64_abs(a), big), big), a);
}`,
  f64_of_f32: `fn f64_of_f32(a: f32) -> vec2<u32> {
  let bits = bitcast<u32>(a);
  let sign = bits & 0x80000000u;
  let size = bits & 0x7fffffffu;
  let p = f32_unpack(size);
  let m = p.x & 0x7fffffu;
  let finite = select(vec2<u32>(m << 29u, sign | ((p.y + 896u) << 20u) | (m >> 3u)), vec2<u32>(0u, sign), size == 0u);
  let quiet = select(0u, 0x80000u, size > 0x7f800000u);
  let special = vec2<u32>((size & 7u) << 29u, sign | 0x7ff00000u | ((size & 0x7fffffu) >> 3u) | quiet);
  return select(finite, special, size >= 0x7f800000u);
}`,
  f32_near_f64: `fn f32_near_f64(a: vec2<u32>) -> f32 {
  let sign = a.y & 0x80000000u;
  let p = f64_split(a);
  let finite = bitcast<u32>(f32_near(sign, clamp(i32(p.z) - 896, -100, 300), p.y | select(0u, 1u, p.x != 0u)));
  let sized = select(finite, sign, f64_is_zero(a));
  return bitcast<f32>(select(sized, sign | select(0x7f800000u, 0x7fc00000u, f64_is_nan(a)), (a.y & 0x7ff00000u) == 0x7ff00000u));
}`,
  f32_of_f64: `fn f32_of_f64(a: vec2<u32>, mode: u32) -> f32 {
  let sign = a.y & 0x80000000u;
  if (f64_is_nan(a)) {
    return f32_of_bits(sign | 0x7fc00000u);
  }
  if (f64_is_infinite(a)) {
    return f32_of_bits(sign | 0x7f800000u);
  }
  if (f64_is_zero(a)) {
    return f32_of_bits(sign);
  }
  let p = f64_split(a);
  return f32_of_bits(f32_pack(sign, max(i32(p.z) - 896, -100), p.y | select(0u, 1u, p.x != 0u), mode));
}`,
  // Through a float that says in its last bit that something was cut off.
  f16_of_f64: `fn f16_of_f64(a: vec2<u32>, mode: u32) -> u32 {
  let cut = f32_of_f64(a, 1u);
  let isExact = i64_eq(f64_of_f32(cut), a) | f64_is_nan(a);
  return f16_of_f32(f32_of_bits(bitcast<u32>(cut) | select(1u, 0u, isExact)), mode);
}`,
  f64_of_u64: `fn f64_of_u64(sign: u32, a: vec2<u32>, mode: u32) -> vec2<u32> {
  return select(f64_normal(sign, 1085, a, mode), a, (a.x | a.y) == 0u);
}`,
  f64_of_i64: `fn f64_of_i64(a: vec2<u32>, mode: u32) -> vec2<u32> {
  return f64_of_u64(a.y & 0x80000000u, i64_abs(a), mode);
}`,
  f64_of_i32: `fn f64_of_i32(a: u32) -> vec2<u32> {
  let sign = a & 0x80000000u;
  let size = select(a, 0u - a, sign != 0u);
  let n = countLeadingZeros(size);
  let m = i64_shl(vec2<u32>(size, 0u), 21u + n) & vec2<u32>(0xffffffffu, 0xfffffu);
  return select(vec2<u32>(m.x, sign | ((1054u - n) << 20u) | m.y), vec2<u32>(0u, 0u), a == 0u);
}`,
  u64_of_size_f64: `fn u64_of_size_f64(a: vec2<u32>) -> vec2<u32> {
  let e = (a.y >> 20u) & 2047u;
  let m = vec2<u32>(a.x, (a.y & 0xfffffu) | 0x100000u);
  let right = u64_shr(m, min(1075u - min(e, 1075u), 63u));
  let left = i64_shl(m, min(max(e, 1075u) - 1075u, 63u));
  return select(select(right, left, e > 1075u), vec2<u32>(0xffffffffu, 0xffffffffu), e >= 1087u);
}`,
  u64_of_f64: `fn u64_of_f64(a: vec2<u32>) -> vec2<u32> {
  if (((a.y >> 31u) != 0u) | f64_is_nan(a)) {
    return vec2<u32>(0u, 0u);
  }
  return u64_of_size_f64(a);
}`,
  i64_of_f64: `fn i64_of_f64(a: vec2<u32>) -> vec2<u32> {
  if (f64_is_nan(a)) {
    return vec2<u32>(0u, 0u);
  }
  let size = u64_of_size_f64(a);
  if ((a.y >> 31u) != 0u) {
    return select(i64_neg(size), vec2<u32>(0u, 0x80000000u), (size.y >> 31u) != 0u);
  }
  return select(size, vec2<u32>(0xffffffffu, 0x7fffffffu), (size.y >> 31u) != 0u);
}`,
  i32_of_i64: `fn i32_of_i64(a: vec2<u32>, low: i32, high: i32) -> u32 {
  var r = i32(a.x);
  if (a.y != u32(r >> 31u)) {
    r = select(0x7fffffff, -0x7fffffff - 1, (a.y >> 31u) != 0u);
  }
  return u32(clamp(r, low, high));
}`,
  u32_of_u64: `fn u32_of_u64(a: vec2<u32>, high: u32) -> u32 {
  return min(select(a.x, 0xffffffffu, a.y != 0u), high);
}`,
} as const;
