"""Damaged weights and site models: made, sealed again so that no checksum shows it, and used.

`mutant` makes number n of a file from the seed alone. benchmarks/fuzz_weights.py uses thousands in
processes of their own, tests/test_artefacts.py some hundreds.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import random
import struct
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import tamis
from tamis.errors import TamisError
from tamis.methods._registry import site_methods
from tamis.model.weights.forest import Forest
from tamis.model.weights.load import load, shipped
from tamis.site import joint, stored
from tests.site.pages import article

Arrays = dict[str, np.ndarray]
Random = random.Random

PAGE = article(77)


@dataclass(frozen=True)
class Artefact:
    """A file as tamis wrote it."""

    name: str
    arrays: Arrays
    card: dict[str, Any] | None
    """Of weights; a site model has a header among its arrays."""
    method: str
    parameters: dict[str, Any]


@dataclass(frozen=True)
class Mutant:
    """A damaged file."""

    what: str
    content: bytes
    card: bytes | None


def artefacts() -> list[Artefact]:
    """All shipped weights, taught ones, and a model of a site by each method that makes one."""
    made = [
        _weights("tamis", "tamis"),
        _weights("page_type", "page_type"),
        _weights("site", "site"),
        _weights("dragnet", "dragnet"),
        _weights("dragnet_paper", "dragnet", blocks="paper"),
        _weights("text_block_context", "text_block_context"),
    ]
    made.append(_taught(made[0]))
    pages = [(article(number), f"https://a.example/{number}") for number in range(5)]
    parameters: dict[str, list[dict[str, Any]]] = {
        "x_cex": [{}, {"content": "positions", "tag_similarity": "sequence"}]
    }
    for method in ("tamis", *site_methods()):
        for chosen in parameters.get(method, [{}]):
            site = tamis.Site().fit(pages, method=method, parameters=chosen)
            with np.load(io.BytesIO(site.pack())) as file:
                arrays = {name: file[name] for name in file.files}
            name = f"model of {method}{' as published' if chosen else ''}"
            made.append(Artefact(name, arrays, None, method, {}))
    return made


def _weights(name: str, method: str, **parameters: Any) -> Artefact:
    path = Path(shipped(name))
    with np.load(path) as file:
        arrays = {part: file[part] for part in file.files}
    card = json.loads(path.with_suffix(".json").read_text("utf-8"))
    return Artefact(f"{path.name}", arrays, card, method, parameters)


def _taught(first: Artefact) -> Artefact:
    """Weights of a project: with trees appended, and a report in the card."""
    arrays = dict(first.arrays)
    for name in ("forest.feature", "forest.value", "second.feature", "second.value"):
        tree = np.array([2, -1, -1]) if name.endswith("feature") else np.array([1.5, 0.25, -0.25])
        arrays[name] = np.append(arrays[name], tree.astype(arrays[name].dtype))
    card = {**(first.card or {}), "taught": {"start": "tamis-1", "before": 0.9, "pages": [1, 2]}}
    return Artefact("taught weights", arrays, card, "tamis", {})


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


# --- mutants ------------------------------------------------------------------------------------


def mutant(artefact: Artefact, seed: int, number: int) -> Mutant:
    """Damaged file `number`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numbers that do not fit
        return _mutant(artefact, random.Random(f"{artefact.name} {seed} {number}"))


def _mutant(artefact: Artefact, draw: Random) -> Mutant:
    arrays, card = dict(artefact.arrays), artefact.card
    way = draw.choice(("arrays",) * 6 + ("json", "file", "lean"))
    what, written = "nothing", b""
    if way == "json":
        header = card if card is not None else json.loads(arrays["header"].tobytes())
        what, written = damage_json(header, draw)
    elif way == "lean":
        what = lean(arrays, draw)
    elif way == "arrays":
        what = ", ".join(damage_arrays(arrays, draw) for _ in range(draw.choice((1, 1, 1, 2))))
    if card is None:
        arrays["header"] = np.frombuffer(written or _sealed_header(arrays), np.uint8)
    content = pack(arrays)
    if way == "file":
        what, content = damage_file(content, draw)
    if card is None:
        return Mutant(what, content, None)
    checksum = hashlib.sha256(content).hexdigest().encode()
    written = written or json.dumps(card).encode()
    return Mutant(what, content, written.replace(card["sha256"].encode(), checksum))


def damage_arrays(arrays: Arrays, draw: Random) -> str:
    """Change arrays in one way."""
    if len(arrays) < 2:
        return "nothing"
    change = draw.choice(DAMAGE)
    try:
        return change(arrays, draw)
    except (TypeError, ValueError):  # numpy cannot do that to these
        return f"nothing for {change.__name__}"


def _sealed_header(arrays: Arrays) -> bytes:
    """The header of a site model with the digest of its arrays as they are now."""
    header = json.loads(arrays["header"].tobytes())
    # What is large is refused before, and its bytes would hide what a reader needs.
    rest = {
        name: array
        for name, array in arrays.items()
        if name != "header" and array.nbytes < 10_000_000
    }
    with contextlib.suppress(TypeError, ValueError):  # of what has no bytes
        header["digest"] = stored._digest(rest)
    return json.dumps(header).encode()


def use(artefact: Artefact, changed: Mutant, folder: Path) -> str:
    """Load a damaged file and extract a page by it: "loaded", or why it was refused.

    Whatever is wrong must come out when it is loaded, as a `TamisError` that says something; what
    loads must extract, with scores from 0 to 1.
    """
    path = folder / "damaged.npz"
    path.write_bytes(changed.content)
    if changed.card is not None:
        path.with_suffix(".json").write_bytes(changed.card)
    options: dict[str, Any] = {"method": artefact.method, "parameters": artefact.parameters}
    if artefact.card is not None and artefact.method == "page_type":
        options = {"page_type_weights": str(path)}
    elif artefact.card is not None:
        options["parameters"] = {**artefact.parameters, "weights": str(path)}
    try:
        if artefact.card is None:
            options = {"method": tamis.Site.load(path)}
        elif artefact.method == "site":
            arrays = load(path, method="site", spec=joint.VERSION).arrays
            correct(Forest.of(arrays, len(joint.NAMES)))
            return "loaded"
        else:
            # The first page loads the weights; no other error can come of this page.
            assert tamis.extract("<p>A page that loads.</p>", **options).page_type
    except TamisError as error:
        if len(str(error)) > 20:
            return "refused"
        raise
    result = tamis.extract(PAGE, **options)
    check_scores(result.scores)
    assert all(0 <= chance <= 1 for chance in result.page_types.values()), "chances of types"
    assert all(isinstance(block.reason, str) for block in result.blocks)
    if artefact.card is None:
        site = options["method"]
        assert 0 <= site.confidence <= 1 and repr(site)
        "".join(block.text for block in site.template_blocks).encode()
    return "loaded"


def correct(forest: Forest) -> None:
    """A page by the forest that corrects the default method on a site."""
    method = joint.SiteTamis()
    fitted = method.fit([tamis.parse(article(number)) for number in range(5)])
    check_scores(
        joint.together(fitted.learned, joint.alone(method.base, tamis.parse(PAGE)), forest)
    )


def check_scores(scores: np.ndarray) -> None:
    """Scores are finite and from 0 to 1."""
    assert np.isfinite(scores).all() and (scores >= 0).all() and (scores <= 1).all(), "scores"
