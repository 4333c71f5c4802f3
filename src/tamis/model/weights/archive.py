"""The arrays of an .npz file, read within limits.

The directory of the file says what each array unpacks to, and the header of the array what it is.
Both are checked before the array is unpacked, and no more is unpacked than they say: a small file
cannot fill the memory, even if its directory lies. Only plain numbers and text are read, in the
form that `numpy.savez` writes them in; no header is evaluated and nothing is unpickled.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO, TypeAlias

import numpy as np
import numpy.typing as npt

from tamis.errors import WeightsError

Array: TypeAlias = npt.NDArray[Any]

LARGEST_FILE = 256 << 20
"""Bytes of a file of arrays at most, packed or unpacked; a kind of file may have a lower limit."""
LONGEST_JSON = 8 << 20
"""Bytes of a card, or of JSON among the arrays, at most."""

_MOST_ARRAYS = 20_000
# What the modules for zip files raise on files that are not what they should be.
DAMAGED = (
    *(ValueError, KeyError, TypeError, AttributeError, EOFError, OSError, RuntimeError),
    *(OverflowError, IndexError, MemoryError, struct.error, zlib.error, zipfile.BadZipFile),
)
_ENTRY = b"PK\x01\x02"  # what each entry of the directory begins with

# Magic, version and length of a header, then the header as `numpy.savez` writes it.
_LENGTH = struct.Struct("<6s2BH")
_LONGEST_HEADER = 1000
_HEADER = re.compile(
    rb"\{'descr': '[<|]([biufU])([0-9]{1,9})', 'fortran_order': (True|False),"
    rb" 'shape': \(([0-9, ]*)\), \} *\n"
)
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_SIZES = {"b": (1,), "i": (1, 2, 4, 8), "u": (1, 2, 4, 8), "f": (2, 4, 8)}
_MOST_DIMENSIONS = 8
# An array of nothing may say that it has any number of rows; one of something has no more than it
# has bytes.
_MOST_EMPTY_ROWS = 1 << 20
_LAST_CODE_POINT = 0x10FFFF


@dataclass(frozen=True)
class Form:
    """What a stored array must be."""

    dtype: str
    """Kind and bytes of a number, such as `f4`; `f` for any bytes, `U` for text of any length."""
    dimensions: int | None = 1
    """None for any number of them."""
    most: int = 1 << 20
    """Numbers or texts in it at most."""
    bound: float = math.inf
    """The largest absolute value of a floating-point number, which must be finite in any case."""
    required: bool = True


Forms: TypeAlias = Mapping[str, Form]


class Archive:
    """An open .npz file. Whatever is wrong with it is a `WeightsError` that names the file."""

    def __init__(self, source: bytes | BinaryIO, name: str) -> None:
        self._name = name
        if isinstance(source, bytes):
            # An entry takes 46 bytes of the file, but ten times as much when it is read.
            if source.count(_ENTRY) > _MOST_ARRAYS:
                raise self._make_error(f"it has more than {_MOST_ARRAYS:,} parts")
            source = io.BytesIO(source)
        with self._convert_errors():
            self._zip = zipfile.ZipFile(source)
        self._members: dict[str, zipfile.ZipInfo] = {}
        for member in self._zip.infolist():
            if member.filename in self._members:
                raise self._make_error(f"{member.filename[:80]!r} is in it twice")
            if not member.filename.endswith(".npy"):
                raise self._make_error(f"{member.filename[:80]!r} is no array")
            self._members[member.filename] = member

    @property
    def names(self) -> list[str]:
        """The names of the arrays."""
        return [name.removesuffix(".npy") for name in self._members]

    def check_size(self, limit: int) -> None:
        """Refuse a file whose directory says that it unpacks to more than `limit` bytes."""
        size = sum(member.file_size for member in self._members.values())
        if size > limit:
            raise WeightsError(
                f"{self._name}: unpacks to {size / 2**20:,.0f} MiB, the limit is"
                f" {limit / 2**20:,.0f} MiB; this is not a file that tamis wrote"
            )

    def check_names(self, known: Iterable[str], required: Iterable[str]) -> None:
        """Refuse a file that has other arrays than the known ones, or lacks a required one."""
        names = set(self.names)
        if missing := set(required) - names:
            raise self._make_error(f"{', '.join(map(repr, sorted(missing)))} missing")
        if unknown := names - set(known):
            some = ", ".join(f"{name[:80]!r}" for name in sorted(unknown)[:3])
            raise self._make_error(f"it has arrays that nothing reads: {some}")

    def read_all(self, forms: Forms) -> dict[str, Array]:
        """The arrays that `forms` names, which must be all there are."""
        self.check_names(forms, (name for name, form in forms.items() if form.required))
        return {name: self.read(name, forms[name]) for name in self.names}

    def read(self, name: str, form: Form | None = None, limit: int | None = None) -> Array:
        """An array in C order, read-only; of at most `limit` bytes if that is given."""
        member = self._members.get(f"{name}.npy")
        if member is None:
            raise self._make_error(f"{name!r} missing")
        if limit is not None and member.file_size > limit:
            raise self._make_error(
                f"{name!r} has {member.file_size:,} bytes, the limit is {limit:,}"
            )
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise self._make_error(f"{name!r} is packed in an unknown way")
        with self._convert_errors(), self._zip.open(member) as file:
            dtype, shape, is_turned, length = self._read_header(name, file)
            count = math.prod(shape)
            if form is not None:
                self._check_form(name, form, dtype, shape)
            size = count * dtype.itemsize
            if length + size != member.file_size:
                raise self._make_error(f"{name!r} is not as long as its header says")
            data = file.read(size)
            if len(data) != size:
                raise self._make_error(f"{name!r} is cut off")
            flat = np.frombuffer(data, dtype)
            self._check_values(name, flat, math.inf if form is None else form.bound)
            array = np.array(flat.reshape(shape, order="F" if is_turned else "C"), order="C")
        array.flags.writeable = False
        return array

    def _read_header(
        self, name: str, file: Any
    ) -> tuple[np.dtype[Any], tuple[int, ...], bool, int]:
        """Type, shape and order of an array, and the length of its header."""
        start = file.read(_LENGTH.size)
        if len(start) < _LENGTH.size:
            raise self._make_error(f"{name!r} is cut off")
        magic, major, minor, length = _LENGTH.unpack(start)
        if (magic, major, minor) != (b"\x93NUMPY", 1, 0) or length > _LONGEST_HEADER:
            raise self._make_error(f"{name!r} is no plain array")
        match = _HEADER.fullmatch(file.read(length))
        if match is None:
            raise self._make_error(f"{name!r} is no array of plain numbers or text")
        kind, size, order, dimensions = (part.decode() for part in match.groups())
        allowed = _SIZES.get(kind)
        if int(size) not in allowed if allowed else not int(size):
            raise self._make_error(f"{name!r} has the unknown type {kind}{size}")
        shape = tuple(int(digits) for digits in re.findall("[0-9]+", dimensions))
        if len(shape) > _MOST_DIMENSIONS or (0 in shape and max(shape) > _MOST_EMPTY_ROWS):
            raise self._make_error(f"{name!r} has an impossible shape")
        return np.dtype(f"<{kind}{size}"), shape, order == "True", _LENGTH.size + length

    def _check_form(
        self, name: str, form: Form, dtype: np.dtype[Any], shape: tuple[int, ...]
    ) -> None:
        is_kind = dtype.str[1 : 1 + len(form.dtype)] == form.dtype
        if not is_kind or form.dimensions not in (None, len(shape)):
            rank = "" if form.dimensions is None else f" in {form.dimensions} dimensions"
            raise self._make_error(
                f"{name!r} is of type {dtype} and shape {shape}, not {form.dtype}{rank}"
            )
        if math.prod(shape) > form.most:
            raise self._make_error(
                f"{name!r} has {math.prod(shape):,} values, at most {form.most:,}"
            )

    def _check_values(self, name: str, values: Array, bound: float) -> None:
        """Refuse what is no number or no text, and numbers out of bounds."""
        kind = values.dtype.kind
        if kind == "f" and len(values):
            # Half precision has no fast comparison. The lowest of some is no number if any is none.
            wide = values.astype(np.float32) if values.dtype.itemsize == 2 else values
            low, high = float(wide.min()), float(wide.max())
            if not (math.isfinite(low) and math.isfinite(high)):
                raise self._make_error(f"{name!r} has a number that is not finite")
            if max(-low, high) > bound:
                raise self._make_error(f"{name!r} has a number beyond {bound:g}")
        elif kind == "b" and (values.view(np.uint8) > 1).any():
            raise self._make_error(f"{name!r} has a flag that is neither 0 nor 1")
        elif kind == "U" and (values.view(np.uint32) > _LAST_CODE_POINT).any():
            raise self._make_error(f"{name!r} has text that is not Unicode")

    @contextmanager
    def _convert_errors(self) -> Iterator[None]:
        try:
            yield
        except DAMAGED as error:
            raise self._make_error(str(error) or type(error).__name__) from error

    def _make_error(self, why: str) -> WeightsError:
        return WeightsError(
            f"{self._name}: damaged, or not an .npz of plain arrays: {why}; get or make it again"
        )


def read_json(data: bytes) -> Any:
    """JSON from a file of a stranger's; a `ValueError` if it is none, or has a key twice."""
    if len(data) > LONGEST_JSON:
        raise ValueError(f"more than {LONGEST_JSON:,} bytes of JSON")
    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=_without_doubles)
        if _SURROGATE.search(data):  # fine in pairs
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    return value


def show_value(value: Any) -> str:
    """A value of JSON for a message, in short."""
    is_plain = value is None or isinstance(value, str | int | float)
    return repr(value)[:80] if is_plain else f"a {type(value).__name__}"


def write_json(value: Any) -> bytes:
    """JSON that `read_json` reads: half a character, such as names of files may have, is a `?`."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key is there twice")
    return made


def read_file(path: str | os.PathLike[str], limit: int = LARGEST_FILE) -> bytes:
    """The content of a file of at most `limit` bytes; an `OSError` if it cannot be read."""
    with open(path, "rb") as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise WeightsError(
            f"{path}: has more than {limit / 2**20:,.0f} MiB; this is not a file that tamis wrote"
        )
    return content
