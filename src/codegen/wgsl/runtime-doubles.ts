/**
 * Doubles, which WGSL does not have, by exact integer arithmetic: pairs of words, low half first, of which every operation is
 * rounded as IEEE 754 says. Slow: an addition is some sixty operations of words.
 */
export const doubleFunctions = {
  f64_is_nan: `fn f64_is_nan(a: vec2<u32>) -> bool {
  let high = a.y & 0x7fffffffu;
  return high > 0x7ff00000u || (high == 0x7ff00000u && a.x != 0u);
}`,
  f64_is_zero: `fn f64_is_zero(a: vec2<u32>) -> bool {
  return ((a.y & 0x7fffffffu) | a.x) == 0u;
}`,
  f64_is_infinite: `fn f64_is_infinite(a: vec2<u32>) -> bool {
  return (a.y & 0x7fffffffu) == 0x7ff00000u && a.x == 0u;
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
  if (e >= 2047 || high >= 0x7ff00000u) {
    let stays = mode == 1u || (mode == 2u && sign != 0u) || (mode == 3u && sign == 0u);
    return select(vec2<u32>(0u, sign | 0x7ff00000u), vec2<u32>(0xffffffffu, sign | 0x7fefffffu), stays);
  }
  return vec2<u32>(rounded.x, sign | high);
}`,
  // The mantissa with its leading one at bit 62, and the exponent that goes with it, of bits that are not 0.
  f64_unpack: `fn f64_unpack(a: vec2<u32>) -> vec3<u32> {
  let e = (a.y >> 20u) & 2047u;
  let m = vec2<u32>(a.x, a.y & 0xfffffu);
  if (e == 0u) {
    let n = i64_clz(m);
    return vec3<u32>(i64_shl(m, n - 1u), 12u - n);
  }
  return vec3<u32>(i64_shl(vec2<u32>(m.x, m.y | 0x100000u), 10u), e);
}`,
  // Any mantissa, of which bit 62 has the exponent e.
  f64_normal: `fn f64_normal(sign: u32, e: i32, m: vec2<u32>, mode: u32) -> vec2<u32> {
  let n = i64_clz(m);
  if (n == 0u) {
    return f64_pack(sign, e + 1, u64_shr_sticky(m, 1u), mode);
  }
  return f64_pack(sign, e + 1 - i32(n), i64_shl(m, n - 1u), mode);
}`,
  f64_nan: `fn f64_nan() -> vec2<u32> {
  return vec2<u32>(0u, 0x7ff80000u);
}`,
  f64_add: `fn f64_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  if (f64_is_nan(a) || f64_is_nan(b)) {
    return f64_nan();
  }
  let differ = ((a.y ^ b.y) >> 31u) != 0u;
  if (f64_is_infinite(a)) {
    return select(a, f64_nan(), f64_is_infinite(b) && differ);
  }
  if (f64_is_infinite(b)) {
    return b;
  }
  if (f64_is_zero(b)) {
    return select(a, select(b, vec2<u32>(0u, 0u), differ), f64_is_zero(a));
  }
  if (f64_is_zero(a)) {
    return b;
  }
  let p = f64_unpack(a);
  let q = f64_unpack(b);
  var x = u64_shr(p.xy, 1u);
  var y = u64_shr(q.xy, 1u);
  var e = i32(p.z);
  let difference = e - i32(q.z);
  if (difference >= 0) {
    y = u64_shr_sticky(y, u32(difference));
  } else {
    x = u64_shr_sticky(x, u32(-difference));
    e = i32(q.z);
  }
  var sign = a.y & 0x80000000u;
  var sum = vec2<u32>(0u, 0u);
  if (differ) {
    sum = i64_sub(x, y);
    if ((sum.y >> 31u) != 0u) {
      sum = i64_neg(sum);
      sign = sign ^ 0x80000000u;
    }
    if ((sum.x | sum.y) == 0u) {
      return sum;
    }
  } else {
    sum = i64_add(x, y);
  }
  return f64_normal(sign, e + 1, sum, 0u);
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
  if (f64_is_nan(a) || f64_is_nan(b)) {
    return f64_nan();
  }
  if (f64_is_infinite(a) || f64_is_infinite(b)) {
    return select(vec2<u32>(0u, sign | 0x7ff00000u), f64_nan(), f64_is_zero(a) || f64_is_zero(b));
  }
  if (f64_is_zero(a) || f64_is_zero(b)) {
    return vec2<u32>(0u, sign);
  }
  let p = f64_unpack(a);
  let q = f64_unpack(b);
  var m = u64_mulhi(p.xy, q.xy);
  let rest = i64_mul(p.xy, q.xy);
  m.x |= select(0u, 1u, (rest.x | rest.y) != 0u);
  // The leading one is at bit 60 or 61.
  return f64_normal(sign, i32(p.z) + i32(q.z) - 1021, m, 0u);
}`,
  f64_div: `fn f64_div(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let sign = (a.y ^ b.y) & 0x80000000u;
  if (f64_is_nan(a) || f64_is_nan(b)) {
    return f64_nan();
  }
  if (f64_is_infinite(a)) {
    return select(vec2<u32>(0u, sign | 0x7ff00000u), f64_nan(), f64_is_infinite(b));
  }
  if (f64_is_zero(b)) {
    return select(vec2<u32>(0u, sign | 0x7ff00000u), f64_nan(), f64_is_zero(a));
  }
  if (f64_is_infinite(b) || f64_is_zero(a)) {
    return vec2<u32>(0u, sign);
  }
  let p = f64_unpack(a);
  let q = f64_unpack(b);
  var rest = p.xy;
  var quotient = vec2<u32>(0u, 0u);
  // 56 bits, of which the first may be 0.
  for (var n = 0u; n < 56u; n += 1u) {
    quotient = i64_shl(quotient, 1u);
    if (!u64_lt(rest, q.xy)) {
      rest = i64_sub(rest, q.xy);
      quotient.x |= 1u;
    }
    rest = i64_shl(rest, 1u);
  }
  quotient = i64_shl(quotient, 7u);
  quotient.x |= select(0u, 1u, (rest.x | rest.y) != 0u);
  return f64_normal(sign, i32(p.z) - i32(q.z) + 1023, quotient, 0u);
}`,
  f64_sqrt: `fn f64_sqrt(a: vec2<u32>) -> vec2<u32> {
  if (f64_is_zero(a)) {
    return a;
  }
  if (f64_is_nan(a) || (a.y >> 31u) != 0u) {
    return f64_nan();
  }
  if (f64_is_infinite(a)) {
    return a;
  }
  let p = f64_unpack(a);
  let odd = (p.z + 1u) & 1u;
  let k = (i32(p.z) - 1023 - i32(odd)) / 2;
  // Bit by bit, from the mantissa's pairs of bits: with its leading one at bit 60 or 61 of 62.
  var m = u64_shr(p.xy, 2u - odd);
  var root = vec2<u32>(0u, 0u);
  var rest = vec2<u32>(0u, 0u);
  for (var n = 0u; n < 55u; n += 1u) {
    // The next two bits of m, first bits 61 and 60.
    rest = i64_shl(rest, 2u) | vec2<u32>((m.y >> 28u) & 3u, 0u);
    m = i64_shl(m, 2u);
    let trial = i64_shl(root, 2u) | vec2<u32>(1u, 0u);
    root = i64_shl(root, 1u);
    if (!u64_lt(rest, trial)) {
      rest = i64_sub(rest, trial);
      root.x |= 1u;
    }
  }
  // 55 bits.
  root = i64_shl(root, 8u);
  root.x |= select(0u, 1u, (rest.x | rest.y | m.x | m.y) != 0u);
  return f64_pack(0u, k + 1023, root, 0u);
}`,
  f64_fma: `fn f64_fma(a: vec2<u32>, b: vec2<u32>, c: vec2<u32>) -> vec2<u32> {
  let sign = (a.y ^ b.y) & 0x80000000u;
  let c_sign = c.y & 0x80000000u;
  if (f64_is_nan(a) || f64_is_nan(b) || f64_is_nan(c)) {
    return f64_nan();
  }
  if (f64_is_infinite(a) || f64_is_infinite(b)) {
    let isWrong = f64_is_zero(a) || f64_is_zero(b) || (f64_is_infinite(c) && sign != c_sign);
    return select(vec2<u32>(0u, sign | 0x7ff00000u), f64_nan(), isWrong);
  }
  if (f64_is_infinite(c)) {
    return c;
  }
  if (f64_is_zero(a) || f64_is_zero(b)) {
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
  return !f64_is_nan(a) && !f64_is_nan(b) && (i64_eq(a, b) || (f64_is_zero(a) && f64_is_zero(b)));
}`,
  f64_lt: `fn f64_lt(a: vec2<u32>, b: vec2<u32>) -> bool {
  if (f64_is_nan(a) || f64_is_nan(b) || (f64_is_zero(a) && f64_is_zero(b))) {
    return false;
  }
  let a_negative = (a.y >> 31u) != 0u;
  let b_negative = (b.y >> 31u) != 0u;
  if (a_negative != b_negative) {
    return a_negative;
  }
  return select(u64_lt(a, b), u64_lt(b, a), a_negative);
}`,
  f64_le: `fn f64_le(a: vec2<u32>, b: vec2<u32>) -> bool {
  return f64_lt(a, b) || f64_eq(a, b);
}`,
  f64_min: `fn f64_min(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return select(select(a, b, f64_lt(b, a)), b, f64_is_nan(a));
}`,
  f64_max: `fn f64_max(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return select(select(a, b, f64_lt(a, b)), b, f64_is_nan(a));
}`,
  f64_trunc: `fn f64_trunc(a: vec2<u32>) -> vec2<u32> {
  let e = (a.y >> 20u) & 2047u;
  if (e < 1023u) {
    return vec2<u32>(0u, a.y & 0x80000000u);
  }
  if (e >= 1075u) {
    return a;
  }
  return i64_shl(u64_shr(a, 1075u - e), 1075u - e);
}`,
  f64_floor: `fn f64_floor(a: vec2<u32>) -> vec2<u32> {
  let t = f64_trunc(a);
  if ((a.y >> 31u) == 0u || i64_eq(t, a)) {
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
  if (size == 0u) {
    return vec2<u32>(0u, sign);
  }
  if (size >= 0x7f800000u) {
    return vec2<u32>((size & 7u) << 29u, sign | 0x7ff00000u | ((size & 0x7fffffu) >> 3u) | select(0u, 0x80000u, size > 0x7f800000u));
  }
  let p = f32_unpack(bits);
  let m = p.x & 0x7fffffu;
  return vec2<u32>(m << 29u, sign | ((p.y + 896u) << 20u) | (m >> 3u));
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
  let p = f64_unpack(a);
  return f32_of_bits(f32_pack(sign, max(i32(p.z) - 896, -100), p.y | select(0u, 1u, p.x != 0u), mode));
}`,
  // Through a float that says in its last bit that something was cut off.
  f16_of_f64: `fn f16_of_f64(a: vec2<u32>, mode: u32) -> u32 {
  let cut = f32_of_f64(a, 1u);
  let isExact = i64_eq(f64_of_f32(cut), a) || f64_is_nan(a);
  return f16_of_f32(f32_of_bits(bitcast<u32>(cut) | select(1u, 0u, isExact)), mode);
}`,
  f64_of_u64: `fn f64_of_u64(sign: u32, a: vec2<u32>, mode: u32) -> vec2<u32> {
  if ((a.x | a.y) == 0u) {
    return a;
  }
  return f64_normal(sign, 1085, a, mode);
}`,
  f64_of_i64: `fn f64_of_i64(a: vec2<u32>, mode: u32) -> vec2<u32> {
  return f64_of_u64(a.y & 0x80000000u, i64_abs(a), mode);
}`,
  u64_of_size_f64: `fn u64_of_size_f64(a: vec2<u32>) -> vec2<u32> {
  let e = (a.y >> 20u) & 2047u;
  if (e < 1023u) {
    return vec2<u32>(0u, 0u);
  }
  if (e >= 1087u) {
    return vec2<u32>(0xffffffffu, 0xffffffffu);
  }
  let m = vec2<u32>(a.x, (a.y & 0xfffffu) | 0x100000u);
  if (e <= 1075u) {
    return u64_shr(m, 1075u - e);
  }
  return i64_shl(m, e - 1075u);
}`,
  u64_of_f64: `fn u64_of_f64(a: vec2<u32>) -> vec2<u32> {
  if ((a.y >> 31u) != 0u || f64_is_nan(a)) {
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
