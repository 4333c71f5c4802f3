"""Files of arrays, read within limits."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.damage import HEADERS

from tamis.errors import WeightsError
from tamis.model.weights.archive import Archive, Form, read_file, read_json, write_json

FORMS = {"words": Form("f4"), "names": Form("U", required=False)}


def packed(**arrays: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=True, **arrays)
    return buffer.getvalue()


def zipped(*members: tuple[str, bytes], kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", kind) as file:
        for name, body in members:
            file.writestr(name, body)
    return buffer.getvalue()


def array_with(header: str, body: bytes = b"") -> bytes:
    return zipped(("words.npy", npy(header, body)))


def npy(header: str, body: bytes = b"") -> bytes:
    line = header.encode() + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(line)) + line + body


def read(content: bytes) -> dict[str, np.ndarray]:
    archive = Archive(content, "some.npz")
    archive.check_size(1 << 20)
    return archive.read_all(FORMS)


def peak_of(action: Callable[[], object]) -> int:
    """Bytes that an action has allocated at most."""
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "array",
    [
        np.array([1.5, -2], np.float32),
        np.array([], np.float32),
        np.array(3, np.int64),
        np.array([[1, 2, 3], [4, 5, 6]], np.uint16),
        np.asfortranarray(np.array([[1, 2, 3], [4, 5, 6]], np.float64)),
        np.array([True, False]),
        np.array(["nav", "ปุ่ม", ""]),
        np.zeros((0, 2), np.uint64),
    ],
)
def test_what_numpy_saves_is_read_as_it_was(array: np.ndarray) -> None:
    again = Archive(packed(it=array), "some.npz").read("it")
    assert again.dtype == array.dtype
    np.testing.assert_array_equal(again, array)
    assert again.flags.c_contiguous
    assert again.flags.aligned
    assert not again.flags.writeable


def test_an_array_that_nothing_reads_is_never_unpacked() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("words.npy", npy("{}"))
        with file.open("unused.npy", "w") as member:
            for _ in range(100):
                member.write(bytes(1_000_000))
    content = buffer.getvalue()
    assert len(content) < 200_000

    def refuse() -> None:
        with pytest.raises(WeightsError, match=r"unpacks to 95 MiB, the limit is 1 MiB"):
            read(content)
        with pytest.raises(WeightsError, match="arrays that nothing reads: 'unused'"):
            Archive(content, "some.npz").read_all(FORMS)

    assert peak_of(refuse) < 2_000_000


def test_a_directory_that_lies_about_a_size_gets_no_more_than_it_says() -> None:
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (200,), }"
    content = bytearray(array_with(header, bytes(20_000_000)))
    size = len(npy(header)) + 800
    place = content.rfind(b"PK\1\2") + 24
    content[place : place + 4] = struct.pack("<I", size)

    def refuse() -> None:
        with pytest.raises(WeightsError, match="CRC"):
            read(bytes(content))

    assert peak_of(refuse) < 2_000_000


def test_a_directory_with_very_many_entries_is_not_read() -> None:
    entry = zipped(("words.npy", b""))
    start, end = entry.find(b"PK\1\2"), entry.find(b"PK\5\6")
    content = entry[start:end] * 30_000 + entry[end:]
    with pytest.raises(WeightsError, match="more than 20,000 parts"):
        read(content)


@pytest.mark.parametrize("header", HEADERS)
def test_a_header_that_numpy_would_not_write_is_refused(header: str) -> None:
    with pytest.raises(WeightsError, match="damaged"):
        read(array_with(header, bytes(100)))


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.array(1, np.float32), "shape"),
        (np.zeros((2, 2), np.float32), "shape"),
        (np.zeros(2), "float64"),
        (np.array(["1"]), "<U1"),
        (np.array([{}], object), "plain numbers or text"),
        (np.zeros(2, "f4,i2"), "plain numbers or text"),
        (np.zeros(2, ">f4"), "plain numbers or text"),
        (np.array([np.nan], np.float32), "not finite"),
        (np.array([np.inf], np.float32), "not finite"),
        (np.zeros(2, "M8[s]"), "plain numbers or text"),
        (np.zeros(2, np.complex64), "plain numbers or text"),
    ],
)
def test_an_array_of_another_form_is_refused(array: np.ndarray, message: str) -> None:
    with pytest.raises(WeightsError, match=message):
        read(packed(words=array))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"no zip", "not a zip file"),
        (zipped(("words", b"x")), "'words' is no array"),
        (zipped(("words.npy", b"x"), kind=zipfile.ZIP_BZIP2), "unknown way"),
        (zipped(("words.npy", b"x")), "cut off"),
        (zipped(("names.npy", b"x")), "'words' missing"),
    ],
)
def test_a_file_that_is_no_archive_of_arrays_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(WeightsError, match=message):
        read(content)


def test_a_name_that_is_there_twice_is_refused() -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        content = zipped(("words.npy", b"x"), ("words.npy", b"x"))
    with pytest.raises(WeightsError, match="twice"):
        read(content)


def test_text_that_is_no_unicode_and_flags_that_are_none_are_refused() -> None:
    for descr, body in (("<U1", b"\xff\xff\xff\x7f"), ("|b1", b"\x02")):
        header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': (1,), }}"
        with pytest.raises(WeightsError, match=r"not Unicode|neither 0 nor 1"):
            Archive(array_with(header, body), "some.npz").read("words")


def test_a_file_over_the_limit_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "some.npz").write_bytes(bytes(1000))
    assert len(read_file(tmp_path / "some.npz", 1000)) == 1000
    with pytest.raises(WeightsError, match="more than"):
        read_file(tmp_path / "some.npz", 999)


@pytest.mark.parametrize(
    "data",
    [b"[" * 100_000, b'{"a": 1, "a": 2}', b'"\xff"', b'"\\ud800"', b" " * (8 << 20) + b"1", b""],
    ids=["deep", "twice", "no UTF-8", "half a character", "long", "empty"],
)
def test_json_that_is_not_good_is_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        read_json(data)


def test_json_that_is_written_can_be_read() -> None:
    assert read_json(write_json(["é", "\U0001f600", "half \udc80"])) == [
        "é",
        "\U0001f600",
        "half ?",
    ]
