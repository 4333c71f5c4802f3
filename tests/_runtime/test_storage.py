"""A file is whole or not there, unpacking has a limit, and saved frames are no pages."""

from __future__ import annotations

import gzip
import os
import zlib
from pathlib import Path
from typing import Any

import pytest

from tamis._runtime import storage
from tamis._runtime.storage import inflate, unpack, unpack_brotli
from tamis.errors import InputError, OutputError


def test_a_file_appears_when_the_block_ends_and_not_before(tmp_path: Path) -> None:
    target = tmp_path / "rows.txt"
    with storage.open_replacing(target) as file:
        file.write(b"new")
        assert not target.exists()
        assert [storage.is_temporary(path.name) for path in tmp_path.iterdir()] == [True]
    assert target.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [target]


def test_a_block_that_raises_leaves_the_old_content_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "rows.txt"
    storage.write(target, "old")
    with pytest.raises(ZeroDivisionError), storage.open_replacing(target) as file:
        file.write(b"new" * (1 // 0))
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_stays_a_link_and_its_file_keeps_its_mode(tmp_path: Path) -> None:
    target, link = tmp_path / "rows.txt", tmp_path / "link"
    storage.write(target, "old")
    target.chmod(0o640)
    link.symlink_to(target)
    storage.write(link, b"new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o640


def test_long_names_in_any_script_can_be_written(tmp_path: Path) -> None:
    target = tmp_path / ("ข" * 80 + ".txt")
    storage.write(target, "text")
    assert target.read_text() == "text"


@pytest.mark.parametrize(
    ("name", "reason"),
    [("", "it is a folder"), ("no/rows.txt", "no such folder"), ("a\0b", "null")],
)
def test_the_error_names_the_file_and_the_reason(tmp_path: Path, name: str, reason: str) -> None:
    with pytest.raises(OutputError, match=rf"^[^\n]*: cannot be written; [^\n]*{reason}[^\n]*$"):
        storage.write(os.path.join(tmp_path, name), "text")
    assert list(tmp_path.iterdir()) == []


def test_inflating_stops_one_byte_after_the_limit() -> None:
    bomb = gzip.compress(bytes(10_000_000))
    assert storage.inflate(bomb, 1000) == (bytes(1001), False)
    assert storage.inflate(zlib.compress(b"page"), 1000) == (b"page", True)


def test_all_members_are_inflated_and_padding_is_left_out() -> None:
    packed = gzip.compress(b"one, ") + gzip.compress(b"two") + b"\0\0\0"
    assert storage.inflate(packed, 1000) == (b"one, two", True)


def test_a_member_that_is_cut_off_is_no_end() -> None:
    text, complete = storage.inflate(gzip.compress(os.urandom(1000))[:500], 10_000)
    assert 0 < len(text) < 1000
    assert not complete


def test_the_pages_of_a_folder_are_those_with_the_names_but_no_saved_frames(tmp_path: Path) -> None:
    for name in ("b.HTM", "a.html", "notes.txt", "b_files/ad.html", "deep/c.shtml", "deep/x.xhtml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    pages = [os.path.relpath(path, tmp_path) for path in storage.walk_pages(tmp_path)]
    assert pages == ["a.html", "b.HTM", "deep/c.shtml", "deep/x.xhtml"]


@pytest.mark.parametrize(
    ("platform", "variable", "expected"),
    [
        ("linux", "", "home/.cache/tamis"),
        ("linux", "elsewhere", "elsewhere/tamis"),
        ("darwin", "elsewhere", "home/Library/Caches/tamis"),
        ("win32", "elsewhere", "home/AppData/Local/tamis"),
    ],
)
def test_the_folder_of_a_user_is_where_the_system_keeps_such_files(
    platform: str, variable: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setenv("XDG_CACHE_HOME", variable)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setattr(storage.Path, "home", lambda: Path("home"))
    found = storage.find_user_folder("XDG_CACHE_HOME", ".cache", "Caches")
    assert found.as_posix() == expected


TEXT = b"A tamis is a sieve. " * 50
BARE = zlib.compressobj(wbits=-15)
PACKED = {
    "gzip": gzip.compress(TEXT),
    "x-gzip": gzip.compress(TEXT[:500]) + gzip.compress(TEXT[500:]),
    "deflate": zlib.compress(TEXT),
    "deflate, bare": BARE.compress(TEXT) + BARE.flush(),
}


@pytest.mark.parametrize("name", PACKED)
def test_a_body_is_unpacked_up_to_the_limit_and_one_byte(name: str) -> None:
    coding = name.partition(",")[0]
    assert unpack(PACKED[name], coding, len(TEXT)) == TEXT
    assert unpack(PACKED[name], coding, len(TEXT) - 1) == TEXT
    assert unpack(PACKED[name], coding, 10) == TEXT[:11]


def test_a_damaged_body_is_refused() -> None:
    with pytest.raises(ValueError, match="damaged"):
        unpack(PACKED["gzip"][:10] + b"\xff" * 50, "gzip", 10_000)


def test_a_body_that_is_cut_off_is_read_as_far_as_it_is_there() -> None:
    assert TEXT.startswith(unpack(PACKED["gzip"][:-9], "gzip", 10_000))
    assert inflate(PACKED["gzip"][:-9], 10_000)[1] is False
    assert inflate(PACKED["gzip"], 10_000)[1] is True


def test_a_coding_that_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="coding compress is not known"):
        unpack(b"x", "compress", 10)


@pytest.mark.parametrize(("coding", "package"), [("br", "brotli"), ("zstd", "zstandard")])
def test_a_coding_of_an_extra_is_unpacked(coding: str, package: str) -> None:
    library: Any = pytest.importorskip(package)
    packed = library.compress(TEXT)
    assert unpack(packed, coding, len(TEXT)) == TEXT
    assert unpack(packed, coding, 10) == TEXT[:11]
    with pytest.raises(ValueError, match=r"damaged|cut off"):
        unpack(b"\xff" * 20, coding, 10_000)


def test_an_old_brotli_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Old:
        Decompressor = object

    monkeypatch.setattr(storage, "import_library", lambda *_: Old)
    with pytest.raises(InputError, match="newer package"):
        unpack_brotli(b"x", 10)
