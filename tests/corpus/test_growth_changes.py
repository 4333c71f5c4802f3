"""What is recorded about input files, and how a change of them shows."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from tamis.corpus.files import InputFile, list_files
from tamis.corpus.growth import compare_inputs, record_facts, sample_digest
from tamis.corpus.manifest import InputFacts

LARGE = 1_000_000


def file_at(path: Path) -> InputFile:
    return list_files(str(path))[1][0]


def facts_of(*files: InputFile) -> dict[str, InputFacts | None]:
    return {facts.name: facts for facts in record_facts(files)}


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text("<p>Der Reiher steht.")
    return path


def rewritten(path: Path, content: bytes, seconds: int = 5) -> InputFile:
    """The file with other content and a later time of change."""
    path.write_bytes(content)
    stat = path.stat()
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns + seconds * 10**9))
    return file_at(path)


def test_a_file_that_is_as_it_was_is_not_even_read(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = facts_of(file_at(page))
    monkeypatch.setattr("tamis.corpus.growth.sample_digest", lambda file: pytest.fail("read"))
    changes = compare_inputs(known, [file_at(page)], [str(page)])
    assert not any((changes.new, changes.changed, changes.gone, changes.touched))


def test_another_size_is_a_change(page: Path) -> None:
    known = facts_of(file_at(page))
    now = rewritten(page, b"<p>Der Reiher fliegt.")
    assert compare_inputs(known, [now], [str(page)]).changed == [now]


def test_with_the_same_size_and_another_time_the_content_decides(page: Path) -> None:
    known = facts_of(file_at(page))
    same = rewritten(page, page.read_bytes())
    assert compare_inputs(known, [same], [str(page)]).touched == [same]
    other = rewritten(page, page.read_bytes().replace(b"steht", b"fehlt"))
    assert compare_inputs(known, [other], [str(page)]).changed == [other]


@pytest.mark.parametrize("place", [0, LARGE - 1, LARGE // 15 * 7])
def test_of_a_large_file_begin_end_and_pieces_between_are_compared(
    tmp_path: Path, place: int
) -> None:
    path = tmp_path / "a.warc"
    content = bytearray(LARGE)
    path.write_bytes(content)
    before = sample_digest(file_at(path))
    content[place] = 1
    path.write_bytes(content)
    assert sample_digest(file_at(path)) != before


def test_no_more_than_256_kb_of_a_file_are_read_so_a_change_between_pieces_is_missed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.warc"
    content = bytearray(LARGE)
    path.write_bytes(content)
    before = sample_digest(file_at(path))
    content[40_000] = 1
    path.write_bytes(content)
    assert sample_digest(file_at(path)) == before


def remote(etag: str = "", modified: str = "", size: int = 7) -> InputFile:
    return InputFile("s3://bucket/a.warc", "a.warc", size, modified, etag)


@pytest.mark.parametrize(
    ("before", "now", "is_changed"),
    [
        (remote("a", "1"), remote("a", "2"), False),
        (remote("a", "1"), remote("b", "1"), True),
        (remote("a", "1"), remote("a", "1", size=8), True),
        (remote("", "1"), remote("", "1"), False),
        (remote("", "1"), remote("", "2"), True),
        (remote(), remote(), False),
        (remote("a", "1"), remote("", "1"), False),
        (remote("a", "1"), remote("", "2"), True),
    ],
)
def test_of_a_remote_file_the_etag_counts_and_without_one_the_time(
    before: InputFile, now: InputFile, is_changed: bool
) -> None:
    changes = compare_inputs(facts_of(before), [now], ["s3://bucket/"])
    assert bool(changes.changed) == is_changed
    assert not changes.touched


def test_files_are_gone_only_if_their_input_was_given(tmp_path: Path) -> None:
    a, b = (InputFile(f"/in/{name}/1.html", "1.html", 3) for name in "ab")
    known: dict[str, InputFacts | None] = {a.name: None, b.name: None, "/in/ab.html": None}
    assert compare_inputs(known, [], ["/in/a"]).gone == [a.name]
    assert compare_inputs(known, [], ["/in/ab.html"]).gone == ["/in/ab.html"]
    assert compare_inputs(known, [], ["/in/"]).gone == list(known)


def test_a_file_that_is_known_without_facts_is_told_apart_from_a_new_one() -> None:
    old, new = remote(), replace(remote(), name="s3://bucket/b.warc")
    changes = compare_inputs({old.name: None}, [old, new], ["s3://bucket"])
    assert (changes.unrecorded, changes.new, changes.changed) == ([old], [new], [])


def test_a_store_says_the_same_of_a_file_alone_and_in_its_folder() -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe({"/facts/a.html": b"<p>"})
    try:
        [file] = list_files("memory://facts")[1]
        assert (file.size, bool(file.modified), file.etag) == (3, True, "")
        assert list_files("memory://facts/a.html")[1] == [file]
    finally:
        memory.rm("/facts", recursive=True)
