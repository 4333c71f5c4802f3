"""Reading data sets: our JSON lines, folders of pages and texts, and what is broken in them."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tamis.errors import DatasetError
from tamis.labels import datasets

PAGE = "<nav>Home</nav><p>A tamis is a sieve.</p>"
OPEN: dict[str, Callable[..., Any]] = {"jsonl": open, "jsonl.xz": lzma.open, "jsonl.gz": gzip.open}


def write_lines(path: Path, *rows: object) -> Path:
    with OPEN[path.name.partition(".")[2]](path, "wt", encoding="utf-8") as file:
        for row in rows:
            file.write((row if isinstance(row, str) else json.dumps(row)) + "\n")
    return path


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content if isinstance(content, bytes) else content.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


# --- JSON lines -----------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", OPEN)
def test_json_lines_are_read_packed_or_not(tmp_path: Path, suffix: str) -> None:
    path = write_lines(
        tmp_path / f"mine.{suffix}",
        {"id": "1", "html": PAGE, "text": "A tamis", "with": ["a"], "without": ["b", "c"]},
        {"id": 2, "html": PAGE, "dataset": "other", "author": ["A. Cook", "B. Baker"], "more": 1},
    )
    first, second = datasets.read(path)
    assert (first.id, first.dataset, first.html, first.text) == ("1", "mine", PAGE, "A tamis")
    assert (first.with_, first.without) == (("a",), ("b", "c"))
    assert (second.id, second.dataset, second.text) == ("2", "other", None)
    assert second.author == "A. Cook, B. Baker"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "2", "html": ', "not valid JSON"),
        ("[1]", "list, not an object"),
        ({"html": PAGE}, "'id' is missing"),
        ({"id": "2"}, "'html' is missing"),
        ({"id": "2", "html": 3}, "'html' is a int"),
        ({"id": "2", "html": PAGE, "text": {}}, "'text' is a dict"),
        ({"id": "2", "html": PAGE, "with": "snippet"}, "'with' is not a list"),
        ('{"id": "2", "html": "\\ud800' + "[" * 100_000, "not valid JSON"),
    ],
)
def test_a_broken_line_is_named_and_the_rest_can_be_read(
    tmp_path: Path, line: object, message: str
) -> None:
    good = {"id": "1", "html": PAGE}
    path = write_lines(tmp_path / "set.jsonl", good, line, {**good, "id": "3"})
    with pytest.raises(DatasetError) as caught:
        list(datasets.read(path))
    assert f"{path}, line 2: " in str(caught.value)
    assert message in str(caught.value)
    errors: list[DatasetError] = []
    read = list(datasets.read(path, keep_going=True, on_error=errors.append))
    assert [example.id for example in read] == ["1", "3"]
    assert len(errors) == 1


def test_errors_that_nobody_takes_are_counted_in_a_warning(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "set.jsonl", "{", {"id": "1", "html": PAGE}, "[")
    with pytest.warns(UserWarning, match="2 broken entries"):
        assert len(list(datasets.read(path, keep_going=True))) == 1


def test_bytes_that_are_no_text_are_a_broken_line(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(b'{"id": "1", "html": "\xff"}\n')
    with pytest.raises(DatasetError, match="line 1"):
        list(datasets.read(path))


@pytest.mark.parametrize("suffix", ["jsonl.xz", "jsonl.gz"])
def test_a_file_that_is_cut_off_is_named(tmp_path: Path, suffix: str) -> None:
    rows = [{"id": str(i), "html": PAGE * i} for i in range(300)]
    path = write_lines(tmp_path / f"set.{suffix}", *rows)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(DatasetError, match=r"after line \d+: the file is damaged"):
        list(datasets.read(path))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(
    st.binary(max_size=60)
    | st.dictionaries(
        st.sampled_from(["id", "html", "text", "with", "author", "page_type"]),
        st.none() | st.text(max_size=5) | st.integers() | st.lists(st.text(max_size=3)),
    )
)
def test_any_line_is_a_page_or_a_broken_entry(tmp_path: Path, line: bytes | object) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(line if isinstance(line, bytes) else json.dumps(line).encode())
    errors: list[DatasetError] = []
    for page in datasets.read(path, keep_going=True, on_error=errors.append):
        assert isinstance(page.id, str) and isinstance(page.html, str)
    assert all("line" in str(error) for error in errors)


def test_an_empty_line_is_no_page(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "set.jsonl", {"id": "1", "html": PAGE}, "", "  ")
    assert len(list(datasets.read(path))) == 1


def test_an_unknown_format_says_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no such file"):
        list(datasets.read(tmp_path / "none.jsonl"))
    with pytest.raises(DatasetError, match=r"unknown format.*\.jsonl\.xz"):
        list(datasets.read(write(tmp_path / "pages.csv", "a,b")))
    with pytest.raises(DatasetError, match=r"no NAME\.html with its gold"):
        list(datasets.read(tmp_path))


def test_a_sample_is_the_same_whatever_the_order() -> None:
    pages = [datasets.Example(id=str(i), dataset="d", html="") for i in range(100)]
    chosen = [page.id for page in datasets.sample(pages, 10)]
    assert len(chosen) == 10
    assert [page.id for page in datasets.sample(reversed(pages), 10)] == chosen
    assert [page.id for page in datasets.sample(pages, 20)][:10] == chosen
    assert len(datasets.sample(pages, None)) == 100


def test_a_folder_may_have_a_gold_text_beside_each_page(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(tmp_path / "mine" / f"{name}.html", PAGE)
    write(tmp_path / "mine" / "a.txt", "A tamis is a sieve.")
    write(tmp_path / "mine" / "notes.txt", "No page has this name.")
    (page,) = datasets.read(tmp_path / "mine")
    assert (page.id, page.dataset, page.text) == ("a", "mine", "A tamis is a sieve.")
    assert page.html == PAGE.encode()
