#!/usr/bin/env python3
"""Writes test/array/numpy.json: what NumPy (2.x) computes for the cases of numpy.test.ts.

Run: python3 test/array/make-fixtures.py (Debian: apt install python3-numpy). Numbers are written as text, so that integers of
64 bits, NaN and -0 are exact. A case is a name, inputs and steps in the words of numpy.test.ts, and the expected array.
"""
import json
import os

import numpy as np

np.seterr(all="ignore")
cases = []


def text(x):
    if isinstance(x, (bool, np.bool_)):
        return "1" if x else "0"
    if isinstance(x, (float, np.floating)):
        v = float(x)
        return "NaN" if v != v else "Infinity" if v == np.inf else "-Infinity" if v == -np.inf else repr(v)
    return str(int(x))


def dump(a):
    a = np.asarray(a)
    return {"type": str(a.dtype), "shape": list(a.shape), "data": [text(x) for x in a.ravel()]}


def case(method, inputs, expected, *args, name=None, ulps=0):
    """`method` of the first input with the others, then `args`, gives `expected`."""
    cases.append(
        {
            "name": name or f"{method} {' '.join(str(i.dtype) for i in inputs)} {' '.join(str(list(i.shape)) for i in inputs)}",
            "method": method,
            "inputs": [dump(i) for i in inputs],
            "args": list(args),
            "expected": dump(expected),
            "ulps": ulps,
        }
    )


rng = np.random.default_rng(7)
types = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"]


def sample(dtype, n=9):
    """Small numbers, limits, and for floats what is special about them."""
    t = np.dtype(dtype)
    if t.kind == "b":
        return rng.integers(0, 2, n).astype(bool)
    if t.kind == "f":
        a = rng.uniform(-9, 9, n).astype(t)
        a[:6] = [0.0, -0.0, np.inf, -np.inf, np.nan, 2.5]
        return a
    i = np.iinfo(t)
    a = rng.integers(max(-9, i.min), 9, n).astype(t)
    a[:3] = [i.min, i.max, 0]
    return a


# Two operands of one type, and of two.
binary = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "floorDiv": np.floor_divide,
    "mod": np.remainder, "minimum": np.minimum, "maximum": np.maximum,
    "equal": np.equal, "notEqual": np.not_equal, "less": np.less, "lessEqual": np.less_equal,
    "greater": np.greater, "greaterEqual": np.greater_equal,
}
for t in types:
    a, b = sample(t), np.roll(sample(t), 4)
    for name, f in binary.items():
        case(name, [a, b], f(a, b))
for t, u in [("int8", "uint8"), ("uint8", "int16"), ("int32", "uint32"), ("int64", "uint64"), ("uint64", "int8"), ("int16", "float32"),
             ("int32", "float32"), ("float32", "float64"), ("bool", "int32"), ("bool", "bool"), ("uint32", "uint16")]:
    a, b = sample(t), np.roll(sample(u), 4)
    for name in ["add", "mul", "div", "maximum", "equal", "less", "greaterEqual"]:
        case(name, [a, b], binary[name](a, b))
for t in ["int8", "uint8", "int32", "uint64"]:
    a, b = sample(t), np.roll(sample(t), 4)
    case("bitAnd", [a, b], a & b)
    case("bitOr", [a, b], a | b)
    case("bitXor", [a, b], a ^ b)
    case("bitNot", [a], ~a)
    s = np.array([0, 1, 2, 3, 7, 8, 31, 64, 5]).astype(t)
    case("shiftLeft", [a, s], np.left_shift(a, s))
    case("shiftRight", [a, s], np.right_shift(a, s))
    case("pow", [a, s], np.power(a, s))
for t in ["bool", *types]:
    a, b = sample(t), np.roll(sample(t), 4)
    case("and", [a, b], np.logical_and(a, b))
    case("or", [a, b], np.logical_or(a, b))
    case("xor", [a, b], np.logical_xor(a, b))
    case("not", [a], np.logical_not(a))
    case("isNaN", [a], np.isnan(a))
    case("isFinite", [a], np.isfinite(a))
    case("isInfinite", [a], np.isinf(a))
    for u in ["bool", "int32", "uint8", "float32", "float64"]:
        if np.dtype(t).kind != "f" or np.dtype(u).kind in "fb":
            case("astype", [a], a.astype(u), u, name=f"astype {t} {u}")
    if t != "bool":
        case("neg", [a], np.negative(a))
        case("sign", [a], np.sign(a))
        case("abs", [a], np.abs(a))
        case("square", [a], np.square(a))
        for name, f in {"floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "round": np.rint}.items():
            if np.dtype(t).kind == "f":
                case(name, [a], f(a))

# Functions: OpenCL allows some ulps.
x = {t: np.array([0.1, 0.5, 0.9, -0.3, 0.0, -0.99, 0.25, np.nan], t) for t in ["float32", "float64"]}
names = {"sin": 0, "cos": 0, "tan": 0, "asin": "arcsin", "acos": "arccos", "atan": "arctan", "sinh": 0, "cosh": 0, "tanh": 0,
         "asinh": "arcsinh", "atanh": "arctanh", "exp": 0, "exp2": 0, "expm1": 0, "log1p": 0, "cbrt": 0}
for t in x:
    for name, other in names.items():
        case(name, [x[t]], getattr(np, other or name)(x[t]), ulps=5)
    p = np.abs(x[t]) * 7
    for name, other in {"sqrt": 0, "log": 0, "log2": 0, "log10": 0, "acosh": "arccosh", "reciprocal": 0}.items():
        case(name, [p], getattr(np, other or name)(p), ulps=0 if name in ["sqrt", "reciprocal"] else 5)
    case("atan2", [x[t], np.roll(x[t], 3)], np.arctan2(x[t], np.roll(x[t], 3)), ulps=6)
    case("hypot", [x[t], np.roll(x[t], 3)], np.hypot(x[t], np.roll(x[t], 3)), ulps=4)
    case("copySign", [x[t], np.roll(x[t], 3)], np.copysign(x[t], np.roll(x[t], 3)))
    case("fmod", [x[t], np.roll(x[t], 3)], np.fmod(x[t], np.roll(x[t], 3)))
    case("fmin", [x[t], np.roll(x[t], 3)], np.fmin(x[t], np.roll(x[t], 3)))
    case("fmax", [x[t], np.roll(x[t], 3)], np.fmax(x[t], np.roll(x[t], 3)))
    case("pow", [p, x[t]], np.power(p, x[t]), ulps=16)

# Broadcasting.
for a, b in [((3, 4), (4,)), ((3, 1), (4,)), ((2, 3, 4), (3, 1)), ((5, 1, 3), (1, 4, 1)), ((), (3,)), ((2, 70), (70,)),
             ((3, 1, 40), (2, 1)), ((0, 3), (3,)), ((2, 1, 3, 1), (5, 1, 4))]:
    u, v = rng.integers(-99, 99, a).astype("int32"), rng.integers(-99, 99, b).astype("int32")
    case("sub", [u, v], u - v)

# Reductions, along each axis.
for t in ["bool", *types]:
    a = sample(t, 60).reshape(3, 4, 5)
    if np.dtype(t).kind == "f":
        a[0, 0, 2:4] = 1
        a[0, 0, 4] = 3
    for axis in [None, 0, 1, 2]:
        o = {} if axis is None else {"axis": axis}
        tolerance = 40 if np.dtype(t).kind == "f" else 0
        case("sum", [a], np.sum(a, axis), o, name=f"sum {t} {axis}", ulps=tolerance)
        # Limits of 64 bits would cancel: what is left of them is a matter of order.
        m = a % 100 if t in ["int64", "uint64"] else a
        case("mean", [m], np.mean(m, axis), o, name=f"mean {t} {axis}", ulps=40)
        case("min", [a], np.min(a, axis), o, name=f"min {t} {axis}")
        case("max", [a], np.max(a, axis), o, name=f"max {t} {axis}")
        case("argmin", [a], np.argmin(a, axis).astype("int32"), o, name=f"argmin {t} {axis}")
        case("argmax", [a], np.argmax(a, axis).astype("int32"), o, name=f"argmax {t} {axis}")
        case("any", [a], np.any(a, axis), o, name=f"any {t} {axis}")
        case("all", [a], np.all(a, axis), o, name=f"all {t} {axis}")
        if np.dtype(t).kind != "f":
            case("prod", [a], np.prod(a, axis), o, name=f"prod {t} {axis}")
            case("cumsum", [a], np.cumsum(a, axis), o, name=f"cumsum {t} {axis}")
            case("cumprod", [a], np.cumprod(a, axis), o, name=f"cumprod {t} {axis}")
    case("max", [a], np.max(a, 1, keepdims=True), {"axis": 1, "keepDims": True}, name=f"max {t} kept")
b = rng.uniform(1, 2, (4, 6))
case("variance", [b], np.var(b, axis=0), {"axis": 0}, ulps=40)
case("deviation", [b], np.std(b, ddof=1), {"less": 1}, ulps=40)
case("cumsum", [b], np.cumsum(b), ulps=40)
case("sum", [np.zeros((0, 3))], np.sum(np.zeros((0, 3)), 0), {"axis": 0}, name="sum of nothing")
n = np.array([1.0, np.nan, 3.0, np.nan])
for f in ["min", "max"]:
    case(f, [n], getattr(np, f)(n), {}, name=f"{f} with NaN")
for f in ["argmin", "argmax"]:
    case(f, [n], getattr(np, f)(n).astype("int32"), {}, name=f"{f} with NaN")

# Order.
for t in types:
    a = np.concatenate([sample(t, 20), sample(t, 20)])
    case("sort", [a], np.sort(a, kind="stable"))
    case("argsort", [a], np.argsort(a, kind="stable").astype("int32"))
    case("sort", [a.reshape(5, 8)], np.sort(a.reshape(5, 8), 0, kind="stable"), 0, name=f"sort {t} along 0")
    case("argsort", [a.reshape(5, 8)], np.argsort(a.reshape(5, 8), 1, kind="stable").astype("int32"), 1, name=f"argsort {t} along 1")
    case("unique", [a + 0], np.unique(a + 0))
case("take", [b, np.array([3, 0, -1, 2], "int32")], b[[3, 0, -1, 2]])
case("filter", [b, b > 1.5], b[b > 1.5])
w = rng.integers(0, 12, 50).astype("int32")
case("bincount", [w], np.bincount(w).astype("int32"))
case("bincount", [w], np.bincount(w, minlength=20).astype("int32"), {"minLength": 20}, name="bincount minLength")
h = np.concatenate([rng.normal(0, 1, 200), np.linspace(-2, 2, 21)])
case("histogram", [h], np.histogram(h, 10)[0].astype("int32"), 10)
case("histogram", [h], np.histogram(h, 20, (-2, 2))[0].astype("int32"), 20, {"range": [-2, 2]}, name="histogram in a range")

# Products of matrices.
for t in ["int8", "int32", "int64", "float32", "float64", "bool"]:
    for p, q in [((3, 4), (4, 5)), ((4,), (4, 3)), ((5, 4), (4,)), ((4,), (4,)), ((2, 3, 4), (4, 2)), ((2, 1, 3, 4), (5, 4, 2)), ((1, 33), (33, 65))]:
        u, v = rng.integers(-5, 6, p).astype(t), rng.integers(-5, 6, q).astype(t)
        case("matmul", [u, v], np.matmul(u, v))

# Views.
v = np.arange(24, dtype="int16").reshape(2, 3, 4)
case("transpose", [v], v.transpose())
case("transpose", [v], v.transpose(1, 0, 2), 1, 0, 2, name="transpose 1 0 2")
case("reshape", [v], v.reshape(4, -1), 4, -1)
case("slice", [v], v[1], 1, name="slice 1")
case("slice", [v], v[:, 1:, ::-2], [], [1], [None, None, -2], name="slice steps")
case("slice", [v], v[-1, ::2, 5:1:-1], -1, [None, None, 2], [5, 1, -1], name="slice backwards")
case("broadcastTo", [v[0, 0]], np.broadcast_to(v[0, 0], (2, 4)), [2, 4])

path = os.path.join(os.path.dirname(__file__), "numpy.json")
with open(path, "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]\n")
print(len(cases), "cases by NumPy", np.__version__)
