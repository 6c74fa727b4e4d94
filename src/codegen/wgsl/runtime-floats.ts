/**
 * Arithmetic of floats that WGSL promises too little of: division, square root and fma rounded correctly, minimum and maximum with
 * NaN, conversions with every rounding. All by integers: what a machine does with denormals, infinities and NaN does not show.
 */
export const floatFunctions = {
  // A call is no constant expression, in which WGSL allows no infinities and NaN.
  f32_of_bits: `fn f32_of_bits(bits: u32) -> f32 {
  return bitcast<f32>(bits);
}`,
  f32_is_nan: `fn f32_is_nan(a: f32) -> bool {
  return (bitcast<u32>(a) & 0x7fffffffu) > 0x7f800000u;
}`,
  f32_min: `fn f32_min(a: f32, b: f32) -> f32 {
  if (f32_is_nan(a)) {
    return b;
  }
  if (f32_is_nan(b)) {
    return a;
  }
  return select(a, b, b < a);
}`,
  f32_max: `fn f32_max(a: f32, b: f32) -> f32 {
  if (f32_is_nan(a)) {
    return b;
  }
  if (f32_is_nan(b)) {
    return a;
  }
  return select(a, b, a < b);
}`,
  f32_copysign: `fn f32_copysign(a: f32, b: f32) -> f32 {
  return bitcast<f32>((bitcast<u32>(a) & 0x7fffffffu) | (bitcast<u32>(b) & 0x80000000u));
}`,
  f32_neg: `fn f32_neg(a: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(a) ^ 0x80000000u);
}`,
  f32_abs: `fn f32_abs(a: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(a) & 0x7fffffffu);
}`,
  // Whether a magnitude is rounded up: its last bit kept, what is cut off (0 nothing, 1 less than half, 2 half, 3 more). Modes: 0
  // to nearest, 1 towards zero, 2 up, 3 down.
  rounds_up: `fn rounds_up(sign: u32, odd: u32, cut: u32, mode: u32) -> u32 {
  switch mode {
    case 0u: {
      return select(0u, 1u, cut > 2u || (cut == 2u && odd != 0u));
    }
    case 2u: {
      return select(0u, 1u, cut != 0u && sign == 0u);
    }
    case 3u: {
      return select(0u, 1u, cut != 0u && sign != 0u);
    }
    default: {
      return 0u;
    }
  }
}`,
  cut_of: `fn cut_of(rest: u32, half: u32) -> u32 {
  return select(select(select(3u, 2u, rest == half), 1u, rest < half), 0u, rest == 0u);
}`,
  // The bits of a float: m has its leading one at bit 30, the last bits say too that something was cut off; e is the exponent with its bias.
  f32_pack: `fn f32_pack(sign: u32, e: i32, m: u32, mode: u32) -> u32 {
  var mantissa = m;
  var exponent = e;
  if (e <= 0) {
    let n = u32(min(1 - e, 31));
    mantissa = (m >> n) | select(0u, 1u, ((m << 1u) << (31u - n)) != 0u);
    exponent = 1;
  }
  let kept = mantissa >> 7u;
  let rounded = kept + rounds_up(sign, kept & 1u, cut_of(mantissa & 127u, 64u), mode);
  let bits = (u32(exponent) << 23u) + rounded - 0x800000u;
  if (e >= 255 || bits >= 0x7f800000u) {
    let stays = mode == 1u || (mode == 2u && sign != 0u) || (mode == 3u && sign == 0u);
    return sign | select(0x7f800000u, 0x7f7fffffu, stays);
  }
  return sign | bits;
}`,
  // The mantissa with its leading one at bit 23, and the exponent that goes with it, of bits that are not 0.
  f32_unpack: `fn f32_unpack(bits: u32) -> vec2<u32> {
  let e = (bits >> 23u) & 255u;
  let m = bits & 0x7fffffu;
  if (e == 0u) {
    let n = countLeadingZeros(m) - 8u;
    return vec2<u32>(m << (n & 31u), 1u - n);
  }
  return vec2<u32>(m | 0x800000u, e);
}`,
  f32_div: `fn f32_div(x: f32, y: f32) -> f32 {
  let a = bitcast<u32>(x);
  let b = bitcast<u32>(y);
  let sign = (a ^ b) & 0x80000000u;
  let a_size = a & 0x7fffffffu;
  let b_size = b & 0x7fffffffu;
  if (a_size > 0x7f800000u || b_size > 0x7f800000u || (a_size == b_size && (a_size == 0u || a_size == 0x7f800000u))) {
    return f32_of_bits(0x7fc00000u);
  }
  if (a_size == 0x7f800000u || b_size == 0u) {
    return f32_of_bits(sign | 0x7f800000u);
  }
  if (a_size == 0u || b_size == 0x7f800000u) {
    return f32_of_bits(sign);
  }
  let p = f32_unpack(a);
  let q = f32_unpack(b);
  // Of the quotient's 27 bits the last ones may be wrong; how wrong the rest says, which fits a word.
  var quotient = u32((f32(p.x) / f32(q.x)) * 67108864.0);
  var rest = i32((p.x << 26u) - quotient * q.x);
  let wrong = rest / i32(q.x);
  quotient += u32(wrong);
  rest -= wrong * i32(q.x);
  if (rest < 0) {
    quotient -= 1u;
    rest += i32(q.x);
  }
  var e = i32(p.y) - i32(q.y) + 127;
  quotient = quotient << 4u;
  if (quotient < 0x40000000u) {
    quotient = quotient << 1u;
    e -= 1;
  }
  return f32_of_bits(f32_pack(sign, e, quotient | select(0u, 1u, rest != 0), 0u));
}`,
  f32_sqrt: `fn f32_sqrt(x: f32) -> f32 {
  let a = bitcast<u32>(x);
  if ((a & 0x7fffffffu) == 0u || a == 0x7f800000u) {
    return x;
  }
  if (a > 0x7f800000u) {
    return f32_of_bits(0x7fc00000u);
  }
  let p = f32_unpack(a);
  // m * 2^(2k), of which the root is that of m, times 2^k.
  let odd = (p.y + 1u) & 1u;
  let m = p.x << odd;
  let k = (i32(p.y) - 127 - i32(odd)) / 2;
  // 25 bits of it; the square is 50 bits.
  var root = u32(sqrt(f32(m)) * 5792.61875);
  var rest = i32((m << 25u) - root * root);
  while (rest < 0) {
    root -= 1u;
    rest += i32(2u * root + 1u);
  }
  while (rest > i32(2u * root)) {
    rest -= i32(2u * root + 1u);
    root += 1u;
  }
  return f32_of_bits(f32_pack(0u, k + 127, (root << 6u) | select(0u, 1u, rest != 0), 0u));
}`,
  u64_shr_sticky: `fn u64_shr_sticky(a: vec2<u32>, count: u32) -> vec2<u32> {
  if (count == 0u) {
    return a;
  }
  if (count >= 64u) {
    return vec2<u32>(select(0u, 1u, (a.x | a.y) != 0u), 0u);
  }
  var r = u64_shr(a, count);
  let lost = i64_shl(a, 64u - count);
  if ((lost.x | lost.y) != 0u) {
    r.x |= 1u;
  }
  return r;
}`,
  f32_fma: `fn f32_fma(x: f32, y: f32, z: f32) -> f32 {
  let a = bitcast<u32>(x);
  let b = bitcast<u32>(y);
  let c = bitcast<u32>(z);
  let a_size = a & 0x7fffffffu;
  let b_size = b & 0x7fffffffu;
  let c_size = c & 0x7fffffffu;
  let sign = (a ^ b) & 0x80000000u;
  let c_sign = c & 0x80000000u;
  let isInfinite = a_size == 0x7f800000u || b_size == 0x7f800000u;
  let isNaN = a_size > 0x7f800000u || b_size > 0x7f800000u || c_size > 0x7f800000u;
  if (isNaN || (isInfinite && (a_size == 0u || b_size == 0u || (c_size == 0x7f800000u && sign != c_sign)))) {
    return f32_of_bits(0x7fc00000u);
  }
  if (isInfinite) {
    return f32_of_bits(sign | 0x7f800000u);
  }
  if (c_size == 0x7f800000u) {
    return z;
  }
  if (a_size == 0u || b_size == 0u) {
    if (c_size == 0u) {
      return f32_of_bits(select(0u, sign, sign == c_sign));
    }
    return z;
  }
  let p = f32_unpack(a);
  let q = f32_unpack(b);
  // The leading one of the product at bit 60 or 61, that of the addend at bit 60.
  var product = i64_shl(u32_mul_wide(p.x, q.x), 14u);
  var e = i32(p.y) + i32(q.y) - 127;
  if (c_size != 0u) {
    let r = f32_unpack(c);
    var addend = i64_shl(vec2<u32>(r.x, 0u), 37u);
    let difference = e - i32(r.y);
    if (difference >= 0) {
      addend = u64_shr_sticky(addend, u32(difference));
    } else {
      product = u64_shr_sticky(product, u32(-difference));
      e = i32(r.y);
    }
    if (sign == c_sign) {
      product = i64_add(product, addend);
    } else {
      product = i64_sub(product, addend);
    }
  }
  var result_sign = sign;
  if ((product.y >> 31u) != 0u) {
    product = i64_neg(product);
    result_sign = result_sign ^ 0x80000000u;
  }
  if ((product.x | product.y) == 0u) {
    return f32_of_bits(0u);
  }
  let n = i64_clz(product);
  e += 3 - i32(n);
  let m = i64_shl(product, n);
  return f32_of_bits(f32_pack(result_sign, e, (m.y >> 1u) | select(0u, 1u, (m.x | (m.y & 1u)) != 0u), 0u));
}`,
  f32_of_u64: `fn f32_of_u64(sign: u32, a: vec2<u32>, mode: u32) -> f32 {
  if ((a.x | a.y) == 0u) {
    return 0.0f;
  }
  let n = i64_clz(a);
  let m = i64_shl(a, n);
  return f32_of_bits(f32_pack(sign, i32(190u - n), (m.y >> 1u) | select(0u, 1u, (m.x | (m.y & 1u)) != 0u), mode));
}`,
  f32_of_i64: `fn f32_of_i64(a: vec2<u32>, mode: u32) -> f32 {
  return f32_of_u64(a.y & 0x80000000u, i64_abs(a), mode);
}`,
  // Both halves are exact, so that the sum alone is rounded, to nearest.
  f32_of_u32: `fn f32_of_u32(a: u32) -> f32 {
  return f32(a >> 16u) * 65536.0 + f32(a & 0xffffu);
}`,
  f32_of_i32: `fn f32_of_i32(a: u32) -> f32 {
  return f32(i32(a) >> 16u) * 65536.0 + f32(a & 0xffffu);
}`,
  // The magnitude of a float without what is behind the point; beyond 64 bits, all ones.
  u64_of_size: `fn u64_of_size(bits: u32) -> vec2<u32> {
  let e = (bits >> 23u) & 255u;
  if (e < 127u) {
    return vec2<u32>(0u, 0u);
  }
  if (e >= 191u) {
    return vec2<u32>(0xffffffffu, 0xffffffffu);
  }
  let m = vec2<u32>((bits & 0x7fffffu) | 0x800000u, 0u);
  if (e <= 150u) {
    return u64_shr(m, 150u - e);
  }
  return i64_shl(m, e - 150u);
}`,
  u64_of_f32: `fn u64_of_f32(a: f32) -> vec2<u32> {
  let bits = bitcast<u32>(a);
  if (bits > 0x7f800000u) {
    return vec2<u32>(0u, 0u);
  }
  return u64_of_size(bits);
}`,
  i64_of_f32: `fn i64_of_f32(a: f32) -> vec2<u32> {
  let bits = bitcast<u32>(a);
  if (f32_is_nan(a)) {
    return vec2<u32>(0u, 0u);
  }
  let size = u64_of_size(bits);
  if ((bits >> 31u) != 0u) {
    if ((size.y >> 31u) != 0u) {
      return vec2<u32>(0u, 0x80000000u);
    }
    return i64_neg(size);
  }
  if ((size.y >> 31u) != 0u) {
    return vec2<u32>(0xffffffffu, 0x7fffffffu);
  }
  return size;
}`,
  // Clamped to [low, high], NaN as 0.
  i32_of_f32: `fn i32_of_f32(a: f32, low: i32, high: i32) -> u32 {
  let wide = i64_of_f32(a);
  var r = i32(wide.x);
  if (wide.y != u32(r >> 31u)) {
    r = select(0x7fffffff, -0x7fffffff - 1, (wide.y >> 31u) != 0u);
  }
  return u32(clamp(r, low, high));
}`,
  u32_of_f32: `fn u32_of_f32(a: f32, high: u32) -> u32 {
  let wide = u64_of_f32(a);
  return min(select(wide.x, 0xffffffffu, wide.y != 0u), high);
}`,
  f32_of_f16: `fn f32_of_f16(a: u32) -> f32 {
  let sign = (a & 0x8000u) << 16u;
  let e = (a >> 10u) & 31u;
  let m = a & 0x3ffu;
  if (e == 31u) {
    return f32_of_bits(sign | 0x7f800000u | (m << 13u) | select(0u, 0x400000u, m != 0u));
  }
  if (e != 0u) {
    return f32_of_bits(sign | ((e + 112u) << 23u) | (m << 13u));
  }
  if (m == 0u) {
    return f32_of_bits(sign);
  }
  let n = countLeadingZeros(m) - 21u;
  return f32_of_bits(sign | ((113u - n) << 23u) | (((m << n) & 0x3ffu) << 13u));
}`,
  f16_of_f32: `fn f16_of_f32(a: f32, mode: u32) -> u32 {
  let bits = bitcast<u32>(a);
  let sign = (bits >> 16u) & 0x8000u;
  let size = bits & 0x7fffffffu;
  if (size > 0x7f800000u) {
    return sign | 0x7e00u | ((size >> 13u) & 0x3ffu);
  }
  if (size == 0x7f800000u) {
    return sign | 0x7c00u;
  }
  let e = i32(size >> 23u) - 112;
  var m = (size & 0x7fffffu) | select(0u, 0x800000u, size >= 0x800000u);
  var exponent = max(e, 1);
  if (e < 1) {
    let n = u32(min(1 - e, 31));
    m = (m >> n) | select(0u, 1u, ((m << 1u) << (31u - n)) != 0u);
  }
  let kept = m >> 13u;
  let rounded = kept + rounds_up(sign, kept & 1u, cut_of(m & 0x1fffu, 0x1000u), mode);
  let result = (u32(exponent) << 10u) + rounded - 0x400u;
  if (e >= 31 || result >= 0x7c00u) {
    let stays = mode == 1u || (mode == 2u && sign != 0u) || (mode == 3u && sign == 0u);
    return sign | select(0x7c00u, 0x7bffu, stays);
  }
  return sign | result;
}`,
} as const;
