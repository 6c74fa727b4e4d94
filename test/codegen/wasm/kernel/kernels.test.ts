import { describe, expect, it } from 'vitest';
import { compileModule } from '../../../../src/codegen/wasm/module/compile-module.ts';
import { listModule } from '../../../../src/codegen/wasm/module/listing.ts';
import { bool, f32, i32, pointerType } from '../../../../src/ir/types.ts';
import { element, globalPointer, items, kernelModule, launch } from '../harness.ts';

const saxpy = kernelModule([f32, globalPointer, globalPointer], (b, a, x, y) => {
  items(b, () => {
    const at = b.binary('shl', b.query('global_id', 0), b.integer(i32, 2));
    const to = b.offset(y!, at);
    const product = b.binary('fmul', a!, b.load(f32, b.offset(x!, at), 4));
    b.store(to, b.binary('fadd', product, b.load(f32, to, 4)), 4);
  });
});

/** c[y][x] = sum over k of a[y][k] * b[k][x], with the loop testing at its top as a front end lowers `for`. */
const matmul = kernelModule([globalPointer, globalPointer, globalPointer, i32], (b, pa, pb, pc, n) => {
  items(b, () => {
    const x = b.query('global_id', 0);
    const y = b.query('global_id', 1);
    const row = b.binary('imul', y, n!);
    const loop = b.loop([b.integer(i32, 0), b.constant(f32, 0)], [f32]);
    const [k, sum] = loop.regions[0]!.parameters;
    b.within(loop.regions[0]!, () => {
      const test = b.if(b.compare('slt', k!, n!));
      b.within(test.regions[0]!, () => {
        const left = b.load(f32, element(b, pa!, b.binary('iadd', row, k!), 4), 4);
        const right = b.load(f32, element(b, pb!, b.binary('iadd', b.binary('imul', k!, n!), x), 4), 4);
        b.continue(loop, [
          b.binary('iadd', k!, b.integer(i32, 1)),
          b.binary('fadd', sum!, b.binary('fmul', left, right)),
        ]);
      });
      b.within(test.regions[1]!, () => b.break(loop, [sum!]));
      b.unreachable();
    });
    b.store(element(b, pc!, b.binary('iadd', row, x), 4), loop.results[0]!, 4);
  });
});

describe('kernels', () => {
  it('saxpy', () => {
    const x = new Float32Array(96).map((_, i) => i * 0.5);
    const y = new Float32Array(96).map((_, i) => 100 - i);
    const expected = y.map((old, i) => Math.fround(Math.fround(2.5 * x[i]!) + old));
    launch(saxpy, 'k', { global: [96], local: [16] }, [
      { value: new Uint8Array(Float32Array.of(2.5).buffer) },
      new Uint8Array(x.buffer),
      new Uint8Array(y.buffer),
    ]);
    expect(y).toEqual(expected);
  });

  it('saxpy as text', () => {
    expect(listModule(compileModule(saxpy, { shared: true }).bytes)).toMatchInlineSnapshot(`
      "(module
        (import "env" "memory" (memory 0 65536 shared))
        (import "env" "constants" (global $constants i32))
        (func $k (export "k") (param $launch i32) (param $first i32) (param $end i32) (param $area i32)
          (local $global_offset.0 i32) (local $local_size.0 i32) (local $local_size.1 i32) (local $local_size.2 i32) (local $num_groups.0 i32) (local $p0 f32) (local $p1 i32) (local $p2 i32) (local $12 i32) (local $group_id.0 i32) (local $14 i32) (local $15 i32) (local $local_id.2 i32) (local $17 i32) (local $local_id.1 i32) (local $19 i32) (local $global_id.0 i32) (local $21 i32) (local $22 i32) (local $23 i32)
          local.get $first
          local.get $end
          i32.ge_u
          if
            return
          end
          local.get $launch
          i32.load offset=4 align=4
          local.set $global_offset.0
          local.get $launch
          i32.load offset=28 align=4
          local.set $local_size.0
          local.get $launch
          i32.load offset=32 align=4
          local.set $local_size.1
          local.get $launch
          i32.load offset=36 align=4
          local.set $local_size.2
          local.get $launch
          i32.load offset=40 align=4
          local.set $num_groups.0
          local.get $launch
          f32.load offset=64 align=4
          local.set $p0
          local.get $launch
          i32.load offset=68 align=4
          local.set $p1
          local.get $launch
          i32.load offset=72 align=4
          local.set $p2
          local.get $first
          local.tee $12
          local.get $num_groups.0
          i32.rem_u
          local.set $group_id.0
          loop
            local.get $end
            local.get $first
            i32.sub
            local.set $14
            local.get $num_groups.0
            local.get $group_id.0
            i32.sub
            local.set $15
            local.get $14
            local.get $15
            local.get $14
            local.get $15
            i32.lt_u
            select
            local.tee $12
            local.get $local_size.0
            i32.mul
            local.set $15
            local.get $group_id.0
            local.get $local_size.0
            i32.mul
            local.get $global_offset.0
            i32.add
            local.set $14
            i32.const 0
            local.set $local_id.2
            local.get $local_size.2
            local.set $17
            loop
              i32.const 0
              local.set $local_id.1
              local.get $local_size.1
              local.set $19
              loop
                local.get $14
                local.tee $global_id.0
                local.get $15
                i32.add
                local.set $21
                loop
                  local.get $global_id.0
                  i32.const 2
                  i32.shl
                  local.set $22
                  local.get $p2
                  local.get $22
                  i32.add
                  local.tee $23
                  local.get $p0
                  local.get $p1
                  local.get $22
                  i32.add
                  f32.load align=4
                  f32.mul
                  local.get $23
                  f32.load align=4
                  f32.add
                  f32.store align=4
                  local.get $global_id.0
                  i32.const 1
                  i32.add
                  local.tee $global_id.0
                  local.get $21
                  i32.ne
                  br_if 0
                end
                local.get $local_id.1
                i32.const 1
                i32.add
                local.tee $local_id.1
                local.get $19
                i32.ne
                br_if 0
              end
              local.get $local_id.2
              i32.const 1
              i32.add
              local.tee $local_id.2
              local.get $17
              i32.ne
              br_if 0
            end
            local.get $group_id.0
            local.get $12
            i32.add
            local.tee $group_id.0
            local.get $num_groups.0
            i32.eq
            if
              i32.const 0
              local.set $group_id.0
            end
            local.get $first
            local.get $12
            i32.add
            local.tee $first
            local.get $end
            i32.ne
            br_if 0
          end
        )
      )
      "
    `);
  });

  it('matrix multiplication', () => {
    const n = 12;
    const a = new Float32Array(n * n).map((_, i) => (i * 7) % 13);
    const b = new Float32Array(n * n).map((_, i) => (i * 5) % 11);
    const c = new Float32Array(n * n);
    launch(matmul, 'k', { global: [n, n], local: [4, 3] }, [
      new Uint8Array(a.buffer),
      new Uint8Array(b.buffer),
      new Uint8Array(c.buffer),
      n,
    ]);
    const expected = c.map((_, at) => {
      const [y, x] = [Math.floor(at / n), at % n];
      let sum = 0;
      for (let k = 0; k < n; k++) sum += a[y * n + k]! * b[k * n + x]!;
      return sum;
    });
    expect(c).toEqual(expected);
  });

  it('matrix multiplication as text', () => {
    expect(listModule(compileModule(matmul, { shared: false }).bytes)).toMatchInlineSnapshot(`
      "(module
        (import "env" "memory" (memory 0 65536))
        (import "env" "constants" (global $constants i32))
        (func $k (export "k") (param $launch i32) (param $first i32) (param $end i32) (param $area i32)
          (local $global_offset.0 i32) (local $global_offset.1 i32) (local $local_size.0 i32) (local $local_size.1 i32) (local $local_size.2 i32) (local $num_groups.0 i32) (local $num_groups.1 i32) (local $p0 i32) (local $p1 i32) (local $p2 i32) (local $p3 i32) (local $group_id.0 i32) (local $group_id.1 i32) (local $swizzle_top i32) (local $swizzle_bottom i32) (local $19 i32) (local $20 i32) (local $local_id.2 i32) (local $22 i32) (local $global_id.1 i32) (local $24 i32) (local $25 i32) (local $global_id.0 i32) (local $27 i32) (local $28 f32) (local $29 i32) (local $30 f32)
          local.get $first
          local.get $end
          i32.ge_u
          if
            return
          end
          local.get $launch
          i32.load offset=4 align=4
          local.set $global_offset.0
          local.get $launch
          i32.load offset=8 align=4
          local.set $global_offset.1
          local.get $launch
          i32.load offset=28 align=4
          local.set $local_size.0
          local.get $launch
          i32.load offset=32 align=4
          local.set $local_size.1
          local.get $launch
          i32.load offset=36 align=4
          local.set $local_size.2
          local.get $launch
          i32.load offset=40 align=4
          local.set $num_groups.0
          local.get $launch
          i32.load offset=44 align=4
          local.set $num_groups.1
          local.get $launch
          i32.load offset=64 align=4
          local.set $p0
          local.get $launch
          i32.load offset=68 align=4
          local.set $p1
          local.get $launch
          i32.load offset=72 align=4
          local.set $p2
          local.get $launch
          i32.load offset=76 align=4
          local.set $p3
          local.get $first
          local.set $19
          i32.const 8
          local.get $num_groups.1
          i32.const 8
          local.get $num_groups.1
          i32.lt_u
          select
          local.set $20
          local.get $19
          local.get $num_groups.0
          local.get $20
          i32.mul
          i32.div_u
          local.set $swizzle_top
          local.get $19
          local.get $num_groups.0
          local.get $20
          i32.mul
          i32.rem_u
          local.set $19
          local.get $swizzle_top
          i32.const 8
          i32.mul
          local.tee $swizzle_top
          i32.const 8
          i32.add
          local.get $num_groups.1
          local.get $swizzle_top
          i32.const 8
          i32.add
          local.get $num_groups.1
          i32.lt_u
          select
          local.set $swizzle_bottom
          local.get $19
          local.get $swizzle_bottom
          local.get $swizzle_top
          i32.sub
          i32.div_u
          local.set $group_id.0
          local.get $19
          local.get $swizzle_bottom
          local.get $swizzle_top
          i32.sub
          i32.rem_u
          local.set $19
          local.get $swizzle_top
          local.get $19
          i32.add
          local.set $group_id.1
          loop
            local.get $group_id.0
            local.get $local_size.0
            i32.mul
            local.get $global_offset.0
            i32.add
            local.set $19
            local.get $group_id.1
            local.get $local_size.1
            i32.mul
            local.get $global_offset.1
            i32.add
            local.set $20
            i32.const 0
            local.set $local_id.2
            local.get $local_size.2
            local.set $22
            loop
              local.get $20
              local.tee $global_id.1
              local.get $local_size.1
              i32.add
              local.set $24
              loop
                local.get $global_id.1
                local.get $p3
                i32.mul
                local.set $25
                local.get $19
                local.tee $global_id.0
                local.get $local_size.0
                i32.add
                local.set $27
                loop
                  i32.const 0
                  f32.const 0
                  local.set $30
                  local.set $29
                  block
                    local.get $29
                    local.get $p3
                    i32.ge_s
                    if
                      local.get $30
                      local.set $28
                      br 1
                    end
                    loop
                      local.get $29
                      i32.const 1
                      i32.add
                      local.get $30
                      local.get $p0
                      local.get $25
                      local.get $29
                      i32.add
                      i32.const 4
                      i32.mul
                      i32.add
                      f32.load align=4
                      local.get $p1
                      local.get $29
                      local.get $p3
                      i32.mul
                      local.get $global_id.0
                      i32.add
                      i32.const 4
                      i32.mul
                      i32.add
                      f32.load align=4
                      f32.mul
                      f32.add
                      local.set $30
                      local.tee $29
                      local.get $p3
                      i32.lt_s
                      br_if 0
                      local.get $30
                      local.set $28
                      br 1
                      unreachable
                    end
                  end
                  local.get $p2
                  local.get $25
                  local.get $global_id.0
                  i32.add
                  i32.const 4
                  i32.mul
                  i32.add
                  local.get $28
                  f32.store align=4
                  local.get $global_id.0
                  i32.const 1
                  i32.add
                  local.tee $global_id.0
                  local.get $27
                  i32.ne
                  br_if 0
                end
                local.get $global_id.1
                i32.const 1
                i32.add
                local.tee $global_id.1
                local.get $24
                i32.ne
                br_if 0
              end
              local.get $local_id.2
              i32.const 1
              i32.add
              local.tee $local_id.2
              local.get $22
              i32.ne
              br_if 0
            end
            local.get $group_id.1
            i32.const 1
            i32.add
            local.tee $group_id.1
            local.get $swizzle_bottom
            i32.eq
            if
              local.get $group_id.0
              i32.const 1
              i32.add
              local.tee $group_id.0
              local.get $num_groups.0
              i32.eq
              if
                i32.const 0
                local.set $group_id.0
                local.get $swizzle_bottom
                local.tee $swizzle_top
                local.get $num_groups.1
                i32.eq
                if
                  i32.const 0
                  local.set $swizzle_top
                end
                local.get $swizzle_top
                i32.const 8
                i32.add
                local.get $num_groups.1
                local.get $swizzle_top
                i32.const 8
                i32.add
                local.get $num_groups.1
                i32.lt_u
                select
                local.set $swizzle_bottom
              end
              local.get $swizzle_top
              local.set $group_id.1
            end
            local.get $first
            i32.const 1
            i32.add
            local.tee $first
            local.get $end
            i32.ne
            br_if 0
          end
        )
      )
      "
    `);
  });

  it('ids, sizes and offsets in three dimensions', () => {
    const fields = 16;
    const module = kernelModule([globalPointer], (b, out) => {
      items(b, () => {
        const gx = b.query('global_id', 0);
        const gy = b.query('global_id', 1);
        const gz = b.query('global_id', 2);
        const sub = (v: typeof gx, d: 0 | 1 | 2) => b.binary('isub', v, b.query('global_offset', d));
        const row = b.binary('iadd', b.binary('imul', sub(gz, 2), b.query('global_size', 1)), sub(gy, 1));
        const linear = b.binary('iadd', b.binary('imul', row, b.query('global_size', 0)), sub(gx, 0));
        const at = element(b, out!, linear, fields * 4);
        const values = [
          gx,
          gy,
          gz,
          b.query('local_id', 0),
          b.query('local_id', 1),
          b.query('local_id', 2),
          b.query('group_id', 0),
          b.query('group_id', 1),
          b.query('group_id', 2),
          b.query('linear_local_id'),
          b.query('work_dim'),
          b.query('num_groups', 0),
          b.query('local_size', 1),
        ];
        values.forEach((value, i) => {
          b.store(b.offset(at, b.integer(i32, i * 4)), value, 4);
        });
      });
    });
    const [global, local, offset] = [
      [6, 4, 4],
      [3, 2, 1],
      [10, 20, 30],
    ] as const;
    const out = new Int32Array(6 * 4 * 4 * fields);
    launch(module, 'k', { global, local, offset }, [new Uint8Array(out.buffer)]);
    for (let z = 0; z < 4; z++) {
      for (let y = 0; y < 4; y++) {
        for (let x = 0; x < 6; x++) {
          const at = ((z * 4 + y) * 6 + x) * fields;
          const [lx, ly, lz] = [x % 3, y % 2, 0];
          expect([...out.subarray(at, at + 13)]).toEqual([
            x + 10,
            y + 20,
            z + 30,
            lx,
            ly,
            lz,
            Math.floor(x / 3),
            Math.floor(y / 2),
            z,
            (lz * 2 + ly) * 3 + lx,
            3,
            2,
            2,
          ]);
        }
      }
    }
  });

  it('context arrays, per-item variables, local memory and a local argument', () => {
    // Each work-item hands its value on through local memory, and keeps one in a context array and in a variable.
    const module = kernelModule([globalPointer, pointerType('local')], (b, out, scratch) => {
      const contextArray = b.append({
        op: 'context_array',
        type: i32,
        name: 'kept',
        operands: [],
        results: [],
        regions: [],
      } as const) as never;
      const flag = b.append({
        op: 'context_array',
        type: bool,
        name: 'flag',
        operands: [],
        results: [],
        regions: [],
      } as const) as never;
      const shared = b.variable('local', 64, 4, 'shared');
      const own = {
        type: pointerType('private'),
      };
      b.append({
        op: 'variable',
        space: 'private',
        size: 12,
        align: 4,
        name: 'own',
        perItem: true,
        operands: [],
        results: [own],
        regions: [],
      });
      const cell = () => {
        const result = { type: pointerType('private') };
        b.append({ op: 'item_address', operands: [own], results: [result], regions: [] });
        return result;
      };
      items(b, () => {
        const id = b.query('linear_local_id');
        b.store(element(b, shared, id, 4), b.binary('imul', id, id), 4);
        b.store(element(b, scratch!, id, 4), b.binary('iadd', id, b.integer(i32, 100)), 4);
        b.append({ op: 'context_write', contextArray, operands: [id], results: [], regions: [] });
        const isOdd = b.compare('ne', b.binary('and', id, b.integer(i32, 1)), b.integer(i32, 0));
        b.append({ op: 'context_write', contextArray: flag, operands: [isOdd], results: [], regions: [] });
        b.store(b.offset(cell(), b.integer(i32, 8)), b.binary('isub', b.integer(i32, 7), id), 4);
      });
      items(b, () => {
        const kept = { type: i32 };
        b.append({ op: 'context_read', contextArray, operands: [], results: [kept], regions: [] });
        const odd = { type: bool };
        b.append({ op: 'context_read', contextArray: flag, operands: [], results: [odd], regions: [] });
        const other = b.binary('isub', b.integer(i32, 15), kept);
        const a = b.load(i32, element(b, shared, other, 4), 4);
        const c = b.load(i32, element(b, scratch!, other, 4), 4);
        const d = b.load(i32, b.offset(cell(), b.integer(i32, 8)), 4);
        const chosen = b.select(odd, a, c);
        b.store(element(b, out!, b.query('global_id', 0), 8), chosen, 4);
        const at = b.offset(element(b, out!, b.query('global_id', 0), 8), b.integer(i32, 4));
        b.store(at, d, 4);
      });
    });
    const out = new Int32Array(64);
    const program = launch(module, 'k', { global: [32], local: [16] }, [
      new Uint8Array(out.buffer),
      { local: 64 },
    ]);
    for (let i = 0; i < 32; i++) {
      const id = i % 16;
      const other = 15 - id;
      expect([out[2 * i], out[2 * i + 1]]).toEqual([id % 2 ? other * other : other + 100, 7 - id]);
    }
    const [kernel] = program.kernels;
    expect(kernel).toMatchObject({ localBytes: 64, privateBytes: 12, perItemBytes: 17, fixedBytes: 128 });
    expect(kernel!.parameters.map((one) => one.kind)).toEqual(['global', 'local']);
  });
});
