/**
 * Arithmetic of floats that WGSL promises too little of: fma rounded correctly, minimum and maximum with NaN, conversions with every
 * rounding, by integers: what a machine does with denormals, infinities and NaN does not show. Division and square root are there twice: within
 * OpenCL's bounds, by WGSL's own where it promises enough (2.5 ULP for divisors of [2^-126, 2^126], 2 ULP for inverseSqrt, nothing for
 * infinities and NaN), and rounded correctly.
 */
/** The end of a division: from sign, exponent `e` and bits `m` of an ordinary quotient, and the sizes of both operands. */
const endOfQuotient = `  let isNaN = (a_size > 0x7f800000u) | (b_size > 0x7f800000u) | ((a_size == b_size) & ((a_size == 0u) | (a_size == 0x7f800000u)));
  let isInfinite = (a_size == 0x7f800000u) | (b_size == 0u);
  let isZero = (a_size == 0u) | (b_size == 0x7f800000u);
  let finite = select(bitcast<u32>(f32_near(sign, e, m)), sign, isZero);
  return bitcast<f32>(select(select(finite, sign | 0x7f800000u, isInfinite), 0x7fc00000u, isNaN));`;

export const floatFunctions = {
  // A call is no constant expression, in which WGSL allows no infinities and NaN.
  f32_of_bits: `fn f32_of_bits(bits: u32) -> f32 {
  return bitcast<f32>(bits);
}`,
  f32_is_nan: `fn f32_is_nan(a: f32) -> bool {
  return (bitcast<u32>(a) & 0x7fffffffu) > 0x7f800000u;
}`,
  f32_min: `fn f32_min(a: f32, b: f32) -> f32 {
  return select(a, b, f32_is_nan(a) | (b < a));
}`,
  f32_max: `fn f32_max(a: f32, b: f32) -> f32 {
  return select(a, b, f32_is_nan(a) | (a < b));
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
  let nearest = (mode == 0u) & ((cut > 2u) | ((cut == 2u) & (odd != 0u)));
  let away = (cut != 0u) & (((mode == 2u) & (sign == 0u)) | ((mode == 3u) & (sign != 0u)));
  return select(0u, 1u, nearest | away);
}`,
  cut_of: `fn cut_of(rest: u32, half: u32) -> u32 {
  return select(select(select(3u, 2u, rest == half), 1u, rest < half), 0u, rest == 0u);
}`,
  // The bits of a float, rounded to nearest: m has its leading one at bit 30, as below, or is 0.
  f32_near: `fn f32_near(sign: u32, e: i32, m: u32) -> f32 {
  let n = u32(clamp(1 - e, 0, 31));
  let shifted = m >> n;
  let mantissa = shifted | select(0u, 1u, (shifted << n) != m);
  let kept = mantissa >> 7u;
  let rounded = kept + select(0u, 1u, (mantissa & 127u) + (kept & 1u) > 64u);
  let bits = (u32(max(e, 1)) << 23u) + rounded - 0x800000u;
  return bitcast<f32>(sign | select(bits, 0x7f800000u, (e >= 255) | (bits >= 0x7f800000u)));
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
  if ((e >= 255) | (bits >= 0x7f800000u)) {
    let stays = (mode == 1u) | ((mode == 2u) & (sign != 0u)) | ((mode == 3u) & (sign == 0u));
    return sign | select(0x7f800000u, 0x7f7fffffu, stays);
  }
  return sign | bits;
}`,
  // The mantissa with its leading one at bit 23, and the exponent that goes with it, of bits that are not 0.
  f32_unpack: `fn f32_unpack(bits: u32) -> vec2<u32> {
  let e = (bits >> 23u) & 255u;
  let m = (bits & 0x7fffffu) | select(0x800000u, 0u, e == 0u);
  let n = countLeadingZeros(m) - 8u;
  return vec2<u32>(m << (n & 31u), max(e, 1u) - n);
}`,
  // Where divisor and quotient are far enough from what WGSL promises nothing of.
  f32_div: `fn f32_div(x: f32, y: f32) -> f32 {
  let a = bitcast<u32>(x) & 0x7fffffffu;
  let b = bitcast<u32>(y) & 0x7fffffffu;
  let isOrdinary = (a - 0x800000u < 0x7f000000u) & (a - b + 0x3e000000u < 0x7c000000u);
  if ((b - 0x800000u <= 0x7e000000u) & (isOrdinary | (a == 0u))) {
    return x / y;
  }
  return f32_div_far(x, y);
}`,
  // The quotient of the mantissas is near 1.
  f32_div_far: `fn f32_div_far(x: f32, y: f32) -> f32 {
  let a = bitcast<u32>(x);
  let b = bitcast<u32>(y);
  let sign = (a ^ b) & 0x80000000u;
  let a_size = a & 0x7fffffffu;
  let b_size = b & 0x7fffffffu;
  let p = f32_unpack(max(a_size, 1u));
  let q = f32_unpack(max(b_size, 1u));
  let quotient = bitcast<u32>(f32(p.x) / f32(q.x));
  let e = i32(p.y) - i32(q.y) + i32(quotient >> 23u);
  let m = ((quotient & 0x7fffffu) | 0x800000u) << 7u;
${endOfQuotient}
}`,
  // x times 2^64 or 2^-64 where it is small or large, for an inverse root whose products do not leave what floats are exact in.
  f32_sqrt: `fn f32_sqrt(x: f32) -> f32 {
  let a = bitcast<u32>(x);
  let isSmall = a < 0x10000000u;
  let isLarge = a > 0x70000000u;
  let scale = select(select(1.0f, 18446744073709551616.0f, isSmall), 5.421010862427522e-20f, isLarge);
  let y = select(x * scale, f32(a) * 2.5849394142282115e-26f, a < 0x800000u);
  let r = inverseSqrt(y);
  let s = y * r;
  // One step of Newton's leaves less than 1.5 ULP, whether it is fused or not.
  let root = s + (y - s * s) * (0.5f * r);
  let finite = root * select(select(1.0f, 2.3283064365386963e-10f, isSmall), 4294967296.0f, isLarge);
  let isItself = ((a & 0x7fffffffu) == 0u) | (a == 0x7f800000u);
  return bitcast<f32>(select(select(bitcast<u32>(finite), 0x7fc00000u, a > 0x7f800000u), a, isItself));
}`,
  // 1 / sqrt(x).
  f32_rsqrt: `fn f32_rsqrt(x: f32) -> f32 {
  let a = bitcast<u32>(x);
  let isDenormal = a < 0x800000u;
  let y = select(x, f32(a) * 2.5849394142282115e-26f, isDenormal);
  let finite = inverseSqrt(y) * select(1.0f, 4294967296.0f, isDenormal);
  let infinite = (a & 0x80000000u) | 0x7f800000u;
  let special = select(select(0x7fc00000u, 0u, a == 0x7f800000u), infinite, (a & 0x7fffffffu) == 0u);
  return bitcast<f32>(select(special, bitcast<u32>(finite), a - 1u < 0x7f7fffffu));
}`,
  f32_div_exact: `fn f32_div_exact(x: f32, y: f32) -> f32 {
  let a = bitcast<u32>(x);
  let b = bitcast<u32>(y);
  let sign = (a ^ b) & 0x80000000u;
  let a_size = a & 0x7fffffffu;
  let b_size = b & 0x7fffffffu;
  let p = f32_unpack(a_size);
  let q = f32_unpack(max(b_size, 1u));
  // Of the quotient's 27 bits the last ones may be wrong; how wrong the rest says, which fits a word.
  var quotient = u32((f32(p.x) / f32(q.x)) * 67108864.0);
  var rest = i32((p.x << 26u) - quotient * q.x);
  let wrong = rest / i32(q.x);
  quotient += u32(wrong);
  rest -= wrong * i32(q.x);
  let isBelow = rest < 0;
  quotient = (quotient - select(0u, 1u, isBelow)) << 4u;
  let isLow = quotient < 0x40000000u;
  let m = select(quotient, quotient << 1u, isLow) | select(0u, 1u, rest != 0);
  let e = i32(p.y) - i32(q.y) + select(127, 126, isLow);
${endOfQuotient}
}`,
  f32_sqrt_exact: `fn f32_sqrt_exact(x: f32) -> f32 {
  let a = bitcast<u32>(x);
  let p = f32_unpack(max(a & 0x7fffffffu, 1u));
  // m * 2^(2k), of which the root is that of m, times 2^k.
  let odd = (p.y + 1u) & 1u;
  let m = p.x << odd;
  let k = (i32(p.y) - 127 - i32(odd)) / 2;
  // 25 bits of it, of which the last ones may be wrong; the square is 50 bits.
  var root = u32(sqrt(f32(m)) * 5792.61875);
  root += u32(i32((m << 25u) - root * root) / i32(2u * root));
  var rest = i32((m << 25u) - root * root);
  let isBelow = rest < 0;
  root -= select(0u, 1u, isBelow);
  rest += select(0, i32(2u * root + 1u), isBelow);
  let isAbove = rest > i32(2u * root);
  rest -= select(0, i32(2u * root + 1u), isAbove);
  root += select(0u, 1u, isAbove);
  let finite = bitcast<u32>(f32_near(0u, k + 127, (root << 6u) | select(0u, 1u, rest != 0)));
  let isItself = ((a & 0x7fffffffu) == 0u) | (a == 0x7f800000u);
  return bitcast<f32>(select(select(finite, 0x7fc00000u, a > 0x7f800000u), a, isItself));
}`,
  u64_shr_sticky: `fn u64_shr_sticky(a: vec2<u32>, count: u32) -> vec2<u32> {
  let n = min(count, 63u);
  let r = u64_shr(a, n);
  let lost = any(i64_shl(r, n) != a);
  return vec2<u32>(r.x | select(0u, 1u, lost), r.y);
}`,
  f32_fma: `// Whether the device's fma rounds once.
override fuses_products: bool = false;

fn f32_fma(x: f32, y: f32, z: f32) -> f32 {
  if (fuses_products) {
    return fma(x, y, z);
  }
  let a = bitcast<u32>(x);
  let b = bitcast<u32>(y);
  let c = bitcast<u32>(z);
  let a_size = a & 0x7fffffffu;
  let b_size = b & 0x7fffffffu;
  let c_size = c & 0x7fffffffu;
  let sign = (a ^ b) & 0x80000000u;
  let c_sign = c & 0x80000000u;
  let p = f32_unpack(a);
  let q = f32_unpack(b);
  let r = f32_unpack(c);
  // The leading one of the product at bit 60 or 61, that of the addend at bit 60; zeros are 0 with small exponents.
  let isZero = (a_size == 0u) | (b_size == 0u);
  let e_product = select(i32(p.y) + i32(q.y) - 127, -1000, isZero);
  let e_addend = select(i32(r.y), -1000, c_size == 0u);
  let e = max(e_product, e_addend);
  let product = u64_shr_sticky(i64_shl(u32_mul_wide(p.x, q.x), 14u), u32(e - e_product));
  let addend = u64_shr_sticky(i64_shl(vec2<u32>(r.x, 0u), 37u), u32(e - e_addend));
  let sum = i64_add(product, select(addend, i64_neg(addend), sign != c_sign));
  let isNegative = (sum.y >> 31u) != 0u;
  let size = select(sum, i64_neg(sum), isNegative);
  let n = i64_clz(size);
  let m = i64_shl(size, n);
  let result_sign = sign ^ select(0u, 0x80000000u, isNegative);
  let finite = bitcast<u32>(
    f32_near(result_sign, e + 3 - i32(n), (m.y >> 1u) | select(0u, 1u, (m.x | (m.y & 1u)) != 0u)));
  let zero = select(0u, sign, (sign == c_sign) & isZero & (c_size == 0u));
  let exact = select(finite, zero, (size.x | size.y) == 0u);
  let isInfinite = (a_size == 0x7f800000u) | (b_size == 0x7f800000u);
  let isNaN = (a_size > 0x7f800000u) | (b_size > 0x7f800000u) | (c_size > 0x7f800000u) | (isInfinite & (isZero | ((c_size == 0x7f800000u) & (sign != c_sign))));
  let infinite = select(select(exact, c, c_size == 0x7f800000u), sign | 0x7f800000u, isInfinite);
  return bitcast<f32>(select(infinite, 0x7fc00000u, isNaN));
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
  let m = vec2<u32>((bits & 0x7fffffu) | 0x800000u, 0u);
  let right = u64_shr(m, min(150u - min(e, 150u), 63u));
  let left = i64_shl(m, min(max(e, 150u) - 150u, 63u));
  return select(select(right, left, e > 150u), vec2<u32>(0xffffffffu, 0xffffffffu), e >= 191u);
}`,
  u64_of_f32: `fn u64_of_f32(a: f32) -> vec2<u32> {
  let bits = bitcast<u32>(a);
  return select(u64_of_size(bits), vec2<u32>(0u, 0u), bits > 0x7f800000u);
}`,
  i64_of_f32: `fn i64_of_f32(a: f32) -> vec2<u32> {
  let bits = bitcast<u32>(a);
  let size = u64_of_size(bits);
  let isBeyond = (size.y >> 31u) != 0u;
  let negative = select(i64_neg(size), vec2<u32>(0u, 0x80000000u), isBeyond);
  let positive = select(size, vec2<u32>(0xffffffffu, 0x7fffffffu), isBeyond);
  return select(select(positive, negative, (bits >> 31u) != 0u), vec2<u32>(0u, 0u), f32_is_nan(a));
}`,
  // Clamped to [low, high], NaN as 0.
  i32_of_f32: `fn i32_of_f32(a: f32, low: i32, high: i32) -> u32 {
  // In range there is nothing behind the point any more, or the conversion cuts it off.
  let clamped = select(clamp(i32(a), low, high), high, a >= 2147483648.0);
  return u32(select(select(clamped, low, a < -2147483648.0), 0, f32_is_nan(a)));
}`,
  u32_of_f32: `fn u32_of_f32(a: f32, high: u32) -> u32 {
  let bits = bitcast<u32>(a);
  let clamped = select(min(u32(a), high), high, a >= 4294967296.0);
  return select(clamped, 0u, f32_is_nan(a) | ((bits >> 31u) != 0u));
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
  if ((e >= 31) | (result >= 0x7c00u)) {
    let stays = (mode == 1u) | ((mode == 2u) & (sign != 0u)) | ((mode == 3u) & (sign == 0u));
    return sign | select(0x7c00u, 0x7bffu, stays);
  }
  return sign | result;
}`,
} as const;
