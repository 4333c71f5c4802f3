"""Ways to damage a file of arrays: its numbers, its JSON, its bytes. See tests/artefacts.py."""

from __future__ import annotations

import io
import json
import random
import struct
import warnings
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np

Arrays = dict[str, np.ndarray]
Random = random.Random

# --- damage to arrays ---------------------------------------------------------------------------

NUMBERS = (
    *(float("nan"), float("inf"), float("-inf"), -1, 0, 1, 2, -2, 0.5, 7, 255, 32767, -32768),
    *(65536, 2**31 - 1, -(2**31), 2**32, 2**62, -(2**63), 1e6, 1e30, -1e30, 3e38, 1e300, -1e308),
)
TYPES = (
    *("f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1", "U3", "S3", "O"),
    *("c16", "M8[s]", ">f4", ">i2", ">u8", "V8", "f4,i2", "longdouble"),
)


def _one(arrays: Arrays, draw: Random) -> str:
    return draw.choice([name for name in arrays if name != "header"])


def drop(arrays: Arrays, draw: Random) -> str:
    """Leave an array out."""
    name = _one(arrays, draw)
    del arrays[name]
    return f"drop {name}"


def add(arrays: Arrays, draw: Random) -> str:
    """Put one in that nothing reads, sometimes of 300 MB."""
    size = 300_000_000 if draw.random() < 0.03 else draw.choice((0, 1, 1000))
    arrays[draw.choice(("unused", "header2", "forest.left", ""))] = np.zeros(size, np.uint8)
    return f"add {size}"


def reshape(arrays: Arrays, draw: Random) -> str:
    """Another shape, or another length."""
    name = _one(arrays, draw)
    array = arrays[name]
    ways: dict[str, Callable[[], np.ndarray]] = {
        "flat": lambda: array.ravel(),
        "turned": lambda: array.T,
        "one more": lambda: array[None],
        "column": lambda: array.reshape(-1, 1),
        "number": lambda: array.ravel()[0] if array.size else np.array(0),
        "empty": lambda: array.ravel()[:0],
        "rows of nothing": lambda: np.zeros((draw.choice((3, len(array.ravel()))), 0), array.dtype),
        "short": lambda: np.atleast_1d(array)[: -draw.randint(1, 5)],
        "long": lambda: np.concatenate([np.atleast_1d(array)] * 2),
        "half": lambda: np.atleast_1d(array)[: np.atleast_1d(array).shape[0] // 2],
        "in another order": lambda: np.asfortranarray(array),
    }
    way = draw.choice(list(ways))
    arrays[name] = np.asarray(ways[way]())
    return f"reshape {name}: {way}"


def retype(arrays: Arrays, draw: Random) -> str:
    """The same numbers as another type, or masked by a wider one."""
    name, kind = _one(arrays, draw), draw.choice(TYPES)
    try:
        arrays[name] = arrays[name].astype(kind)
    except (TypeError, ValueError):
        arrays[name] = np.zeros(arrays[name].shape, kind)
    return f"retype {name}: {kind}"


def fill(arrays: Arrays, draw: Random) -> str:
    """One number everywhere, in one place or in some."""
    name, number = _one(arrays, draw), draw.choice(NUMBERS)
    array = arrays[name] = arrays[name].copy()
    if array.dtype.kind == "U":
        value: Any = draw.choice(("", "\ud800", "\0", "é" * 50, "class:", "id:x"))
    else:
        value = np.full(1, number).astype(array.dtype)[0]
    if draw.random() < 0.3 or not array.ndim:
        array[...] = value
    elif array.size:
        places = [draw.randrange(array.size) for _ in range(draw.choice((1, 1, 3, 100)))]
        array.reshape(-1)[places] = value
    return f"fill {name}: {value!r}"


def scramble(arrays: Arrays, draw: Random) -> str:
    """Its own numbers in another order, or any bytes."""
    name = _one(arrays, draw)
    array = arrays[name] = arrays[name].copy()
    if array.ndim == 0 or not array.size:
        return "nothing"
    way = draw.choice(("reversed", "sorted", "shuffled", "bytes", "negative", "larger"))
    if way == "reversed":
        array[...] = array[::-1].copy()
    elif way == "sorted":
        array.sort(axis=0)
    elif way == "shuffled":
        np.random.default_rng(draw.randrange(2**32)).shuffle(array)
    elif way == "bytes":
        octets = np.frombuffer(draw.randbytes(array.nbytes), array.dtype)
        arrays[name] = octets.reshape(array.shape)
    elif array.dtype.kind in "fiu":
        with np.errstate(all="ignore"):
            array *= array.dtype.type(1) if array.dtype.kind == "u" else array.dtype.type(-1)
            array += array.dtype.type(0 if way == "negative" else draw.choice((1, 2, 100)))
    return f"scramble {name}: {way}"


def swap(arrays: Arrays, draw: Random) -> str:
    """Two arrays under each other's name."""
    first, second = _one(arrays, draw), _one(arrays, draw)
    arrays[first], arrays[second] = arrays[second], arrays[first]
    return f"swap {first}, {second}"


def lean(arrays: Arrays, draw: Random) -> str:
    """A forest whose one tree leans to one side, up to a million nodes deep."""
    names = [name for name in arrays if name.rpartition(".")[2] == "feature"]
    if not names:
        return fill(arrays, draw)
    prefix = draw.choice(names).removesuffix("feature")
    inner = draw.choice((3, 100, 3000, 200_000 if draw.random() < 0.2 else 300))
    chain = [0] * inner + [-1] * (inner + 1) if draw.random() < 0.5 else [0, -1] * inner + [-1]
    arrays[f"{prefix}feature"] = np.array(chain, arrays[f"{prefix}feature"].dtype)
    values = np.random.default_rng(inner).normal(size=len(chain))
    arrays[f"{prefix}value"] = np.clip(values, 0, 1).astype(arrays[f"{prefix}value"].dtype)
    if f"{prefix}left" in arrays:  # a tree with numbers of children
        below = np.arange(len(chain), dtype=np.int32)
        arrays[f"{prefix}left"] = below + 1
        arrays[f"{prefix}right"] = np.minimum(below + draw.choice((1, 2)), len(chain) - 1)
        arrays[f"{prefix}threshold"] = np.zeros(len(chain))
    return f"lean {prefix}: {inner}"


DAMAGE = (drop, add, reshape, reshape, retype, retype, fill, fill, fill, scramble, scramble, swap)


def damage_arrays(arrays: Arrays, draw: Random) -> str:
    """Change arrays in one way."""
    if len(arrays) < 2:
        return "nothing"
    change = draw.choice(DAMAGE)
    try:
        return change(arrays, draw)
    except (TypeError, ValueError, OverflowError):  # numpy cannot do that to these
        return f"nothing for {change.__name__}"


# --- damage to JSON -----------------------------------------------------------------------------

VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 1.0, 5, 2**63, 10**400, 1e308, float("nan"), float("inf"), "", "x"),
    *("\ud800", [], {}, [1], ["x"], {"x": 1}, [[]], {"": None}, "../../x", ["a"] * 1000),
)


def damage_json(value: Any, draw: Random) -> tuple[str, bytes]:
    """A card or header with one value changed somewhere, or text that is no JSON."""
    value = json.loads(json.dumps(value))
    way = draw.choice(("value",) * 6 + ("drop", "deep", "double", "utf-8", "cut", "top", "long"))
    if way in ("value", "drop"):
        place: Any = value
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            key = draw.choice(keys)
            inside = place[key]
            if not isinstance(inside, dict | list) or not inside or draw.random() < 0.5:
                break
            place = inside
        if way == "drop":
            del place[key]
        else:
            place[key] = draw.choice(VALUES)
        return f"json {way} {key}", json.dumps(value).encode()
    text = json.dumps(value).encode()
    changed = {
        "deep": lambda: text[:-1] + b', "deep": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        "double": lambda: text[:-1] + b', "method": "tamis"}',
        "utf-8": lambda: text[:-1] + b', "x": "\xff\xed\xa0\x80"}',
        "cut": lambda: text[: draw.randrange(len(text))],
        "top": lambda: json.dumps(draw.choice(VALUES)).encode(),
        "long": lambda: b'{"x":' + b"[]," * 50_000 + b'"' + b"9" * 10_000,
    }
    return f"json {way}", changed[way]()


# --- damage to the file -------------------------------------------------------------------------

LONG = "x" * 2000
HEADERS = (
    "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 99999999999999999), }",
    "{'descr': '<U999999999', 'fortran_order': False, 'shape': (0,), }",
    "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
    "{'descr': '<f3', 'fortran_order': False, 'shape': (1,), }",
    f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({'1,' * 60}), }}",
    "(" * 900,
    "-" * 900 + "1",
    f"__import__('os').abort() # {LONG}",
    "",
)


def pack(arrays: Arrays) -> bytes:
    """The arrays as an .npz, those that only pickle can write, too."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=True, **arrays)
    return buffer.getvalue()


def damage_file(content: bytes, draw: Random) -> tuple[str, bytes]:
    """A zip file that is damaged, or that lies."""
    way = draw.choice(
        ("flip", "flip", "flip", "cut", "cut out", "lie", "lie", "double", "bomb", "header",
         "method", "foreign", "end")
    )  # fmt: skip
    data = bytearray(content)
    directory = content.rfind(b"PK\5\6")
    start = struct.unpack_from("<I", content, directory + 16)[0]
    if way == "flip":
        for _ in range(draw.choice((1, 1, 3, 20))):
            data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    elif way == "cut":
        del data[draw.randrange(len(data)) :]
    elif way == "cut out":
        place = draw.randrange(len(data))
        del data[place : place + draw.choice((1, 10, 1000))]
    elif way == "lie":  # about a size, an offset, a method, or anything else in the directory
        entry = content.find(b"PK\1\2", draw.randrange(start, directory))
        place = (entry if entry > 0 else start) + draw.choice((8, 10, 16, 20, 24, 28, 30, 32, 42))
        number = draw.choice((0, 1, 200, 10**6, 2**31, 2**32 - 1))
        data[place : place + 4] = struct.pack("<I", number)
    elif way == "end":
        for _ in range(3):
            data[draw.randrange(directory, len(data))] = draw.randrange(256)
    elif way in ("double", "bomb", "header", "method", "foreign"):
        return way, _rewritten(content, way, draw)
    return way, bytes(data)


def _rewritten(content: bytes, way: str, draw: Random) -> bytes:
    """The same members, and one that should not be there."""
    buffer = io.BytesIO()
    kind = draw.choice((zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, zipfile.ZIP_STORED))
    with zipfile.ZipFile(io.BytesIO(content)) as old, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a name twice
        with zipfile.ZipFile(buffer, "w", kind if way == "method" else zipfile.ZIP_DEFLATED) as new:
            names = old.namelist()
            chosen = draw.choice(names)
            for name in names:
                body = old.read(name)
                if name == chosen and way == "header":
                    header = draw.choice(HEADERS).encode() + b"\n"
                    body = b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + body[128:]
                new.writestr(name, body)
                if name == chosen and way == "double":
                    new.writestr(name, body)
            if way == "foreign":
                new.writestr(draw.choice(("readme.txt", "../x.npy", "x", "x/")), b"x" * 100)
    data = bytearray(buffer.getvalue())
    if way == "bomb":  # 100 MB of zeros where the directory says 1 kB
        zeros = io.BytesIO()
        with zipfile.ZipFile(zeros, "w", zipfile.ZIP_DEFLATED) as new:
            body = np.zeros(200, np.float32).tobytes()
            new.writestr(chosen, body + bytes(20_000_000))
        data = bytearray(zeros.getvalue())
        entry = data.rfind(b"PK\1\2")
        data[entry + 24 : entry + 28] = struct.pack("<I", 1000)
    return bytes(data)
