/**
 * What WebAssembly has no instruction for and is too long to write out at each use: half precision, exact fused
 * multiply-add, conversions with a rounding direction, the upper half of a 64-bit product, atomic minimum and
 * maximum. A module contains those that it calls. They are pure integer or exact floating-point
 * arithmetic, so their results are the same on every engine.
 *
 * Rounding directions are passed as i32: see {@link roundingCodes}.
 */
import type { RoundingMode } from '../../../ir/ir.ts';
import { bufferHeader } from '../../../ir/printf/record.ts';
import { maskedStoreRoutines } from '../memory/masked-store-routine.ts';
import { byteSumsRoutine } from '../vector/byte-sums-routine.ts';
import { laneShiftRoutines } from '../vector/lane-shifts-routine.ts';
import { upperProductRoutines } from '../vector/upper-product-routine.ts';
import { wholeDoublesRoutines } from '../vector/whole-doubles-routine.ts';
import { printfBufferBytes } from './abi.ts';
import type { AssemblyFunction } from './assembler.ts';

/** Bytes of records in a printf buffer. */
const printfRecordBytes = printfBufferBytes - bufferHeader.records;

/** How a rounding mode is passed to the functions here. */
export const roundingCodes: Readonly<Record<RoundingMode, number>> = { rte: 0, rtz: 1, rtp: 2, rtn: 3 };

/**
 * Whether to go up from a truncated magnitude: to nearest even by half and rest, otherwise when something was cut
 * off and the direction leads away from zero. Expects locals k (truncated), rem, half (i64), mode, negative.
 */
const roundsUp = `
  (select
    (i32.or (i64.gt_u $rem $half)
      (i32.and (i64.eq $rem $half) (i32.wrap_i64 (i64.and $k (i64.const 1)))))
    (i32.and (i64.ne $rem (i64.const 0))
      (select (i32.eqz $negative)
        (i32.and (i32.eq $mode (i32.const 3)) $negative)
        (i32.eq $mode (i32.const 2))))
    (i32.eqz $mode))`;

const list: readonly AssemblyFunction[] = [
  {
    // The exponent moves from bias 15 to bias 127 by a multiplication, which also normalises subnormal halves.
    name: 'f16_to_f32',
    parameters: 'h:i32',
    result: 'f32',
    locals: 'bits:i32',
    body: `
      (local.set $bits (i32.shl (i32.and $h (i32.const 0x7fff)) (i32.const 13)))
      (if (i32.ge_u $bits (i32.const 0x0f800000))
        (then (local.set $bits (i32.or $bits (i32.const 0x7f800000))))
        (else (local.set $bits
          (i32.reinterpret_f32 (f32.mul (f32.reinterpret_i32 $bits) (f32.const 5192296858534827628530496329220096))))))
      (f32.reinterpret_i32 (i32.or $bits (i32.shl (i32.and $h (i32.const 0x8000)) (i32.const 16))))`,
  },
  {
    // Gives the bits of the half, sign-extended from 16 bits as all narrow values are.
    name: 'f64_to_f16',
    parameters: 'x:f64 mode:i32',
    result: 'i32',
    locals: 'bits:i64 exponent:i32 shift:i32 k:i64 n:i64 rem:i64 half:i64 negative:i32 result:i32',
    body: `
      (local.set $bits (i64.reinterpret_f64 $x))
      (local.set $negative (i32.wrap_i64 (i64.shr_u $bits (i64.const 63))))
      (local.set $bits (i64.and $bits (i64.const 0x7fffffffffffffff)))
      (local.set $exponent (i32.sub (i32.wrap_i64 (i64.shr_u $bits (i64.const 52))) (i32.const 1023)))
      (block $done
        (if (i64.gt_u $bits (i64.const 0x7ff0000000000000))
          (then (local.set $result (i32.const 0x7e00)) (br $done)))
        (if (i64.eq $bits (i64.const 0x7ff0000000000000))
          (then (local.set $result (i32.const 0x7c00)) (br $done)))
        (local.set $n (i64.and $bits (i64.const 0xfffffffffffff)))
        (if (i32.ne $exponent (i32.const -1023))
          (then (local.set $n (i64.or $n (i64.const 0x10000000000000)))))
        (local.set $shift (i32.const 42))
        (if (i32.lt_s $exponent (i32.const -14))
          (then
            (local.set $shift (i32.sub (i32.const 28) $exponent))
            (if (i32.gt_s $shift (i32.const 63)) (then (local.set $shift (i32.const 63))))
            (local.set $exponent (i32.const -14))))
        (local.set $k (i64.shr_u $n (i64.extend_i32_u $shift)))
        (local.set $rem (i64.sub $n (i64.shl $k (i64.extend_i32_u $shift))))
        (local.set $half (i64.shl (i64.const 1) (i64.extend_i32_u (i32.sub $shift (i32.const 1)))))
        (local.set $result (i32.add (i32.wrap_i64 $k) (i32.shl (i32.add $exponent (i32.const 14)) (i32.const 10))))
        (local.set $result (i32.add $result ${roundsUp}))
        (if (i32.ge_s $exponent (i32.const 16)) (then (local.set $result (i32.const 0x7c00))))
        (if (i32.ge_s $result (i32.const 0x7c00))
          (then
            (local.set $rem (i64.const 1))
            (local.set $half (i64.const 0))
            (local.set $k (i64.const 0))
            (local.set $result (i32.add (i32.const 0x7bff) ${roundsUp})))))
      (i32.extend16_s (i32.or $result (i32.shl $negative (i32.const 15))))`,
  },
  {
    // Rounds to nearest, then steps back by one where that went the wrong way.
    name: 'f64_to_f32',
    parameters: 'x:f64 mode:i32',
    result: 'f32',
    locals: 'r:f32 back:f64 bits:i32',
    body: `
      (local.set $r (f32.demote_f64 $x))
      (local.set $back (f64.promote_f32 $r))
      (local.set $bits (i32.reinterpret_f32 $r))
      (if (i32.or
            (i32.and (i32.eq $mode (i32.const 1)) (f64.gt (f64.abs $back) (f64.abs $x)))
            (i32.or
              (i32.and (i32.eq $mode (i32.const 2)) (i32.and (f64.lt $back $x) (f64.lt $x (f64.const 0))))
              (i32.and (i32.eq $mode (i32.const 3)) (i32.and (f64.gt $back $x) (f64.gt $x (f64.const 0))))))
        (then (local.set $bits (i32.sub $bits (i32.const 1))))
        (else (if (i32.or
              (i32.and (i32.eq $mode (i32.const 2)) (f64.lt $back $x))
              (i32.and (i32.eq $mode (i32.const 3)) (f64.gt $back $x)))
          (then (local.set $bits (i32.add $bits (i32.const 1)))))))
      (f32.reinterpret_i32 $bits)`,
  },
  {
    // A magnitude to 24 bits: cut the rest off, convert exactly, step away from zero if asked and inexact.
    name: 'u64_to_f32',
    parameters: 'm:i64 away:i32',
    result: 'f32',
    locals: 'shift:i64 cut:i64',
    body: `
      (local.set $shift (i64.sub (i64.const 40) (i64.clz $m)))
      (local.set $cut $m)
      (if (i64.gt_s $shift (i64.const 0))
        (then (local.set $cut (i64.shl (i64.shr_u $m $shift) $shift))))
      (f32.reinterpret_i32
        (i32.add (i32.reinterpret_f32 (f32.convert_i64_u $cut)) (i32.and $away (i64.ne $cut $m))))`,
  },
  {
    name: 'u64_to_f64',
    parameters: 'm:i64 away:i32',
    result: 'f64',
    locals: 'shift:i64 cut:i64',
    body: `
      (local.set $shift (i64.sub (i64.const 11) (i64.clz $m)))
      (local.set $cut $m)
      (if (i64.gt_s $shift (i64.const 0))
        (then (local.set $cut (i64.shl (i64.shr_u $m $shift) $shift))))
      (f64.reinterpret_i64
        (i64.add (i64.reinterpret_f64 (f64.convert_i64_u $cut))
          (i64.extend_i32_u (i32.and $away (i64.ne $cut $m)))))`,
  },
  {
    name: 's64_to_f32',
    parameters: 'x:i64 mode:i32',
    result: 'f32',
    body: `
      (f32.copysign
        (call $u64_to_f32
          (select (i64.sub (i64.const 0) $x) $x (i64.lt_s $x (i64.const 0)))
          (i32.eq $mode (select (i32.const 3) (i32.const 2) (i64.lt_s $x (i64.const 0)))))
        (select (f32.const -1) (f32.const 1) (i64.lt_s $x (i64.const 0))))`,
  },
  {
    name: 's64_to_f64',
    parameters: 'x:i64 mode:i32',
    result: 'f64',
    body: `
      (f64.copysign
        (call $u64_to_f64
          (select (i64.sub (i64.const 0) $x) $x (i64.lt_s $x (i64.const 0)))
          (i32.eq $mode (select (i32.const 3) (i32.const 2) (i64.lt_s $x (i64.const 0)))))
        (select (f64.const -1) (f64.const 1) (i64.lt_s $x (i64.const 0))))`,
  },
  {
    name: 'umulhi64',
    parameters: 'a:i64 b:i64',
    result: 'i64',
    locals: 'al:i64 ah:i64 bl:i64 bh:i64 middle:i64 low:i64',
    body: `
      (local.set $al (i64.and $a (i64.const 0xffffffff)))
      (local.set $ah (i64.shr_u $a (i64.const 32)))
      (local.set $bl (i64.and $b (i64.const 0xffffffff)))
      (local.set $bh (i64.shr_u $b (i64.const 32)))
      (local.set $middle (i64.add (i64.mul $ah $bl) (i64.shr_u (i64.mul $al $bl) (i64.const 32))))
      (local.set $low (i64.add (i64.mul $al $bh) (i64.and $middle (i64.const 0xffffffff))))
      (i64.add (i64.mul $ah $bh)
        (i64.add (i64.shr_u $middle (i64.const 32)) (i64.shr_u $low (i64.const 32))))`,
  },
  {
    name: 'smulhi64',
    parameters: 'a:i64 b:i64',
    result: 'i64',
    body: `
      (i64.sub
        (i64.sub (call $umulhi64 $a $b) (i64.and (i64.shr_s $a (i64.const 63)) $b))
        (i64.and (i64.shr_s $b (i64.const 63)) $a))`,
  },
  {
    // p + c rounded to odd: the last bit says "inexact", so that a second rounding to fewer bits is right
    // (Boldo and Melquiond). The error of the sum is found exactly (Knuth).
    name: 'sum_odd',
    parameters: 'p:f64 c:f64',
    result: 'f64',
    locals: 's:f64 t:f64 error:f64 bits:i64',
    body: `
      (local.set $s (f64.add $p $c))
      (local.set $t (f64.sub $s $p))
      (local.set $error (f64.add (f64.sub $p (f64.sub $s $t)) (f64.sub $c $t)))
      (local.set $bits (i64.reinterpret_f64 $s))
      (if (i32.and (f64.lt (f64.abs $s) (f64.const Infinity))
            (i32.and (f64.ne $error (f64.const 0)) (i64.eqz (i64.and $bits (i64.const 1)))))
        (then (local.set $bits
          (select (i64.add $bits (i64.const 1)) (i64.sub $bits (i64.const 1))
            (i32.eq (f64.gt $error (f64.const 0)) (f64.gt $s (f64.const 0)))))))
      (f64.reinterpret_i64 $bits)`,
  },
  {
    // The product of two singles is exact in double.
    name: 'fma_f32',
    parameters: 'a:f32 b:f32 c:f32',
    result: 'f32',
    body: `
      (f32.demote_f64 (call $sum_odd
        (f64.mul (f64.promote_f32 $a) (f64.promote_f32 $b)) (f64.promote_f32 $c)))`,
  },
  {
    name: 'fma_f16',
    parameters: 'a:i32 b:i32 c:i32',
    result: 'i32',
    body: `
      (call $f64_to_f16
        (call $sum_odd
          (f64.mul (f64.promote_f32 (call $f16_to_f32 $a)) (f64.promote_f32 (call $f16_to_f32 $b)))
          (f64.promote_f32 (call $f16_to_f32 $c)))
        (i32.const 0))`,
  },
  {
    // The exponent of the lowest bit of the 53-bit mantissa that `mantissa53` gives.
    name: 'exponent53',
    parameters: 'x:f64',
    result: 'i32',
    locals: 'e:i32 m:i64',
    body: `
      (local.set $m (i64.and (i64.reinterpret_f64 $x) (i64.const 0x7fffffffffffffff)))
      (local.set $e (i32.wrap_i64 (i64.shr_u $m (i64.const 52))))
      (select (i32.sub $e (i32.const 1075))
        (i32.sub (i32.const -1063) (i32.wrap_i64 (i64.clz $m)))
        $e)`,
  },
  {
    // The mantissa of a finite number other than zero with its leading one in bit 52, also for subnormals.
    name: 'mantissa53',
    parameters: 'x:f64',
    result: 'i64',
    locals: 'm:i64',
    body: `
      (local.set $m (i64.and (i64.reinterpret_f64 $x) (i64.const 0x7fffffffffffffff)))
      (if (i64.lt_u $m (i64.const 0x10000000000000))
        (then (local.set $m (i64.shl $m (i64.sub (i64.clz $m) (i64.const 11)))))
        (else (local.set $m (i64.or (i64.and $m (i64.const 0xfffffffffffff)) (i64.const 0x10000000000000)))))
      $m`,
  },
  {
    // 2^e for -1022 <= e <= 1023.
    name: 'power_of_two',
    parameters: 'e:i32',
    result: 'f64',
    body: '(f64.reinterpret_i64 (i64.shl (i64.extend_i32_s (i32.add $e (i32.const 1023))) (i64.const 52)))',
  },
  {
    // n * 2^q rounded to nearest even, for n with bit 63 set, its lowest bit meaning "and something more".
    name: 'round_scaled',
    parameters: 'n:i64 q:i32',
    result: 'f64',
    locals: 'shift:i64 k:i64 rem:i64 half:i64',
    body: `
      (if (i32.gt_s $q (i32.const 960)) (then (return (f64.const Infinity))))
      (if (i32.ge_s $q (i32.const -1085))
        (then (return (select
          (f64.mul (f64.mul (f64.convert_i64_u $n) (f64.const 1.4916681462400413e-154))
            (call $power_of_two (i32.add $q (i32.const 511))))
          (f64.mul (f64.convert_i64_u $n) (call $power_of_two $q))
          (i32.lt_s $q (i32.const -511))))))
      (local.set $n (i64.or (i64.shr_u $n (i64.const 2)) (i64.extend_i32_u (i64.ne (i64.and $n (i64.const 3)) (i64.const 0)))))
      (local.set $shift (i64.extend_i32_s (i32.sub (i32.const -1076) $q)))
      (if (i64.gt_s $shift (i64.const 63)) (then (return (f64.const 0))))
      (local.set $k (i64.shr_u $n $shift))
      (local.set $rem (i64.sub $n (i64.shl $k $shift)))
      (local.set $half (i64.shl (i64.const 1) (i64.sub $shift (i64.const 1))))
      (f64.reinterpret_i64 (i64.add $k (i64.extend_i32_u (i32.or
        (i64.gt_u $rem $half)
        (i32.and (i64.eq $rem $half) (i32.wrap_i64 (i64.and $k (i64.const 1))))))))`,
  },
  {
    // Exact in 128-bit integers. The product (106 bits, two zero bits below) and the addend are brought to one exponent;
    // of a part that falls below the other's lowest bit only "there was something" is kept, in the lowest bit.
    name: 'fma_f64',
    parameters: 'a:f64 b:f64 c:f64',
    result: 'f64',
    locals:
      'ma:i64 mb:i64 ph:i64 pl:i64 ch:i64 cl:i64 base:i32 d:i32 shift:i64 negative:i32 subtract:i32 t:i64 lz:i64',
    body: `
      (if (i32.or
            (i32.or (f64.eq $a (f64.const 0)) (f64.eq $b (f64.const 0)))
            (i32.eqz (i32.and (f64.lt (f64.abs $c) (f64.const Infinity))
              (i32.and (f64.lt (f64.abs $a) (f64.const Infinity)) (f64.lt (f64.abs $b) (f64.const Infinity))))))
        (then
          (if (i32.and (f64.lt (f64.abs $a) (f64.const Infinity)) (f64.lt (f64.abs $b) (f64.const Infinity)))
            (then (return (f64.add (f64.mul (f64.copysign (f64.const 0) $a) (f64.copysign (f64.const 1) $b)) $c))))
          (return (f64.add (f64.mul $a $b) $c))))
      (if (f64.eq $c (f64.const 0)) (then (return (f64.mul $a $b))))
      (local.set $ma (call $mantissa53 $a))
      (local.set $mb (i64.shl (call $mantissa53 $b) (i64.const 2)))
      (local.set $pl (i64.mul $ma $mb))
      (local.set $ph (call $umulhi64 $ma $mb))
      (local.set $base (i32.sub (i32.add (call $exponent53 $a) (call $exponent53 $b)) (i32.const 2)))
      (local.set $cl (call $mantissa53 $c))
      (local.set $d (i32.sub (call $exponent53 $c) $base))
      (if (i32.gt_s $d (i32.const 0))
        (then
          (if (i32.gt_s $d (i32.const 72))
            (then
              (local.set $base (i32.add $base (i32.sub $d (i32.const 72))))
              (local.set $shift (i64.extend_i32_u (i32.sub $d (i32.const 72))))
              (local.set $d (i32.const 72))
              (if (i64.gt_u $shift (i64.const 127)) (then (local.set $shift (i64.const 127))))
              (if (i64.gt_u $shift (i64.const 63))
                (then
                  (local.set $t $pl)
                  (local.set $pl (i64.or $ph (i64.extend_i32_u (i64.ne $t (i64.const 0)))))
                  (local.set $ph (i64.const 0))
                  (local.set $shift (i64.sub $shift (i64.const 64)))))
              (if (i64.ne $shift (i64.const 0))
                (then
                  (local.set $t (i64.shl $pl (i64.sub (i64.const 64) $shift)))
                  (local.set $pl (i64.or
                    (i64.or (i64.shr_u $pl $shift) (i64.shl $ph (i64.sub (i64.const 64) $shift)))
                    (i64.extend_i32_u (i64.ne $t (i64.const 0)))))
                  (local.set $ph (i64.shr_u $ph $shift))))))
          (local.set $shift (i64.extend_i32_u $d))
          (if (i64.gt_u $shift (i64.const 63))
            (then
              (local.set $ch (i64.shl $cl (i64.sub $shift (i64.const 64))))
              (local.set $cl (i64.const 0)))
            (else
              (local.set $ch (i64.shr_u $cl (i64.sub (i64.const 64) $shift)))
              (local.set $cl (i64.shl $cl $shift)))))
        (else
          (local.set $shift (i64.extend_i32_u (i32.sub (i32.const 0) $d)))
          (if (i64.gt_u $shift (i64.const 63)) (then (local.set $shift (i64.const 63))))
          (if (i64.ne $shift (i64.const 0))
            (then
              (local.set $t (i64.shl $cl (i64.sub (i64.const 64) $shift)))
              (local.set $cl (i64.or (i64.shr_u $cl $shift) (i64.extend_i32_u (i64.ne $t (i64.const 0)))))))))
      (local.set $negative (i64.lt_s (i64.xor (i64.reinterpret_f64 $a) (i64.reinterpret_f64 $b)) (i64.const 0)))
      (local.set $subtract (i32.ne $negative (i64.lt_s (i64.reinterpret_f64 $c) (i64.const 0))))
      (if $subtract
        (then
          (if (i32.or (i64.lt_u $ph $ch) (i32.and (i64.eq $ph $ch) (i64.lt_u $pl $cl)))
            (then
              (local.set $t $ph) (local.set $ph $ch) (local.set $ch $t)
              (local.set $t $pl) (local.set $pl $cl) (local.set $cl $t)
              (local.set $negative (i32.eqz $negative))))
          (local.set $ph (i64.sub (i64.sub $ph $ch) (i64.extend_i32_u (i64.lt_u $pl $cl))))
          (local.set $pl (i64.sub $pl $cl)))
        (else
          (local.set $pl (i64.add $pl $cl))
          (local.set $ph (i64.add (i64.add $ph $ch) (i64.extend_i32_u (i64.lt_u $pl $cl))))))
      (if (i64.eqz (i64.or $ph $pl)) (then (return (f64.const 0))))
      (if (i64.eqz $ph)
        (then
          (local.set $ph $pl)
          (local.set $pl (i64.const 0))
          (local.set $base (i32.sub $base (i32.const 64)))))
      (local.set $lz (i64.clz $ph))
      (if (i64.ne $lz (i64.const 0))
        (then
          (local.set $ph (i64.or (i64.shl $ph $lz) (i64.shr_u $pl (i64.sub (i64.const 64) $lz))))
          (local.set $pl (i64.shl $pl $lz))))
      (local.set $base (i32.sub (i32.add $base (i32.const 64)) (i32.wrap_i64 $lz)))
      (f64.copysign
        (call $round_scaled (i64.or $ph (i64.extend_i32_u (i64.ne $pl (i64.const 0)))) $base)
        (select (f64.const -1) (f64.const 1) $negative))`,
  },
  {
    // Room for a record in a printf buffer (src/ir/printf/record.ts): its address, or 0. Once the buffer is full nobody
    // adds to the count any more, so that it cannot come round.
    name: 'printf_claim',
    parameters: 'buffer:i32 size:i32',
    result: 'i32',
    locals: 'at:i32',
    body: `
      (if (i32.le_u (i32.atomic.load $buffer) (i32.const ${printfRecordBytes}))
        (then
          (local.set $at (i32.atomic.rmw.add $buffer $size))
          (if (i32.le_u (i32.add $at $size) (i32.const ${printfRecordBytes}))
            (then
              (local.set $at (i32.add (i32.add $buffer (i32.const ${bufferHeader.records})) $at))
              (i32.store $at $size)
              (return $at)))))
      (drop (i32.atomic.rmw.add (i32.add $buffer (i32.const ${bufferHeader.refused})) (i32.const 1)))
      (i32.const 0)`,
  },
  ...maskedStoreRoutines,
  ...upperProductRoutines,
  ...wholeDoublesRoutines,
  ...laneShiftRoutines,
  byteSumsRoutine,
  ...(['i32', 'i64'] as const).flatMap((type) =>
    (['smin', 'smax', 'umin', 'umax'] as const).map((fn): AssemblyFunction => {
      const compare = `${fn.endsWith('min') ? 'lt' : 'gt'}_${fn.startsWith('s') ? 's' : 'u'}`;
      return {
        name: `atomic_${fn}_${type}`,
        parameters: `p:i32 x:${type}`,
        result: type,
        locals: `old:${type} seen:${type}`,
        body: `
          (local.set $seen (${type}.atomic.load $p))
          (loop $again
            (local.set $old $seen)
            (local.set $seen (${type}.atomic.rmw.cmpxchg $p $old
              (select $x $old (${type}.${compare} $x $old))))
            (br_if $again (${type}.ne $seen $old)))
          $old`,
      };
    }),
  ),
];

const byName: ReadonlyMap<string, AssemblyFunction> = new Map(list.map((one) => [one.name, one]));

/** A runtime function; there must be one of that name. */
export function runtimeFunction(name: string): AssemblyFunction {
  const found = byName.get(name);
  if (!found) throw new Error(`codegen: there is no runtime function ${name}`);
  return found;
}
