"""Reading data sets: our JSON lines, the public layouts, and what is broken in them."""

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
from tamis.evaluate import datasets

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
    with pytest.raises(DatasetError, match=r"no known layout.*Corrected"):
        list(datasets.read(tmp_path))


def test_a_sample_is_the_same_whatever_the_order() -> None:
    pages = [datasets.Example(id=str(i), dataset="d", html="") for i in range(100)]
    chosen = [page.id for page in datasets.sample(pages, 10)]
    assert len(chosen) == 10
    assert [page.id for page in datasets.sample(reversed(pages), 10)] == chosen
    assert [page.id for page in datasets.sample(pages, 20)][:10] == chosen
    assert len(datasets.sample(pages, None)) == 100


# --- the public layouts -----------------------------------------------------------------------


def wcxb(folder: Path, name: str, gold: object) -> None:
    row = {
        "schema_version": "2.0",
        "url": "https://www.example.org/tamis",
        "file_id": name,
        "_internal": {"page_type": {"primary": "product"}},
        "ground_truth": gold,
    }
    write(folder / "ground-truth" / f"{name}.json", json.dumps(row))
    write(folder / "html" / f"{name}.html.gz", PAGE)


def test_wcxb_has_one_json_file_per_page(tmp_path: Path) -> None:
    gold = {
        "title": "Tamis",
        "author": None,
        "publish_date": "2025-01-02",
        "main_content": "A tamis is a sieve.",
        "with": ["sieve"],
        "without": ["Home"],
        "main_content_markdown": "A *tamis* is a sieve.",
    }
    wcxb(tmp_path / "dev", "0001", gold)
    wcxb(tmp_path / "test", "0002", gold)
    (page,) = datasets.read(tmp_path / "dev")
    assert (page.id, page.dataset, page.split) == ("0001", "wcxb-dev", "dev")
    assert (page.page_type, page.site, page.date) == ("product", "example.org", "2025-01-02")
    assert (page.text, page.with_, page.without) == (gold["main_content"], ("sieve",), ("Home",))
    assert page.html == PAGE.encode()
    assert page.expected_markdown == gold["main_content_markdown"]
    assert [example.dataset for example in datasets.read(tmp_path)] == ["wcxb-dev", "wcxb-test"]


def test_a_broken_page_of_wcxb_names_file_and_field(tmp_path: Path) -> None:
    wcxb(tmp_path, "0001", {"title": "Tamis"})
    wcxb(tmp_path, "0002", {"main_content": "A sieve."})
    wcxb(tmp_path, "0003", {"main_content": "No page."})
    (tmp_path / "html" / "0003.html.gz").unlink()
    write(tmp_path / "ground-truth" / "0004.json", '{\n"url": }')
    errors: list[DatasetError] = []
    read = datasets.read(tmp_path, keep_going=True, on_error=errors.append)
    assert [page.id for page in read] == ["0002"]
    field, page, syntax = map(str, errors)
    assert "0001.json, line 1: field 'main_content' is missing" in field
    assert "0003.json" in page and "missing" in page
    assert "0004.json, line 2: not valid JSON" in syntax


def test_scrapinghub_has_one_ground_truth(tmp_path: Path) -> None:
    rows = {
        "ab12": {"articleBody": "A tamis is a sieve.", "url": "https://example.org/a"},
        "cd34": {"url": "https://example.org/b"},
        "ef56": {"articleBody": "No page."},
    }
    write(tmp_path / "ground-truth.json", json.dumps(rows))
    write(tmp_path / "html" / "ab12.html.gz", PAGE)
    write(tmp_path / "html" / "cd34.html.gz", PAGE)
    errors: list[DatasetError] = []
    (page,) = datasets.read(tmp_path, keep_going=True, on_error=errors.append)
    assert (page.id, page.dataset, page.text) == ("ab12", "scrapinghub", "A tamis is a sieve.")
    assert page.html == PAGE.encode()
    assert "'articleBody' is missing" in str(errors[0]) and "'cd34'" in str(errors[0])
    assert "ef56.html" in str(errors[1])


@pytest.mark.parametrize(
    "line", ["!@#$%^&*()  COMMENTS", "!@#$%^&*() COMMENTS", "!@ $%^&*()  COMMENTS\r"]
)
def test_dragnet_keeps_the_comments_apart(tmp_path: Path, line: str) -> None:
    write(tmp_path / "HTML" / "7.html", PAGE)
    gold = f"A tamis is a sieve.\n\n{line}\n\nNice sieve!\n"
    write(tmp_path / "Corrected" / "7.html.corrected.txt", gold)
    write(tmp_path / "HTML" / "8.html", PAGE)
    write(tmp_path / "Corrected" / "8.html.corrected.txt", "No COMMENTS here.".encode("cp1252"))
    first, second = datasets.read(tmp_path)
    assert (first.id, first.dataset, first.text) == ("7", "dragnet", "A tamis is a sieve.")
    assert first.comments == "Nice sieve!"
    assert (second.text, second.comments) == ("No COMMENTS here.", None)


@pytest.mark.parametrize(
    "names",
    [
        "en_original en_cleaned -cleaned.txt",
        "input GoldStandard .txt",
        "finalrun-input GoldStandard .txt",
        "input gold_std -cleaned.txt",
    ],
)
def test_cleaneval_tags_and_address_are_no_text(tmp_path: Path, names: str) -> None:
    pages, golds, ending = names.split()
    folder = tmp_path / "CleanPortalEval"
    wrapped = f'<text id="http://example.org/x" encoding="utf8">{PAGE}</text>'
    write(folder / pages / "12.html", wrapped)
    gold = (
        "\nURL: http://www.example.org/sieves\n<h>Sieves\n\n<p>A &#8220;tamis&#8221;\n <l>a < b\n"
    )
    write(folder / golds / f"12{ending}", gold)
    write(folder / pages / "13.html", wrapped)
    write(folder / golds / f"13{ending}", "caf\u00e9".encode("cp1252"))
    first, second = datasets.read(folder)
    assert first.text == "Sieves\n\nA “tamis”\na < b"
    assert (first.id, first.dataset) == ("12", "cleanportaleval")
    assert (first.url, first.site) == ("http://www.example.org/sieves", "example.org")
    assert (second.text, second.url) == ("café", "http://example.org/x")


def test_l3s_gn1_joins_headline_text_and_supplement(tmp_path: Path) -> None:
    name = "01ccc7c5-a1d1-46e1-a5f7-43310df16575"
    annotated = (
        "<style>.x-nc-sel2 { color: red }</style><span class='x-nc-sel0'>Home</span>"
        "<h1><span class='x-nc-sel1'>Sieves</span></h1><span class=x-nc-sel2>A <b>tamis</b> &amp;"
        " <span class=fine>silk</span><script>x</script></span><span class='x-nc-sel3'>Photo</span>"
        "<span class='x-nc-sel4'>Related</span><span class='x-nc-sel5'>Nice!</span>"
    )
    write(tmp_path / "annotated" / f"{name}.html", annotated)
    write(tmp_path / "original" / f"{name}.html", PAGE)
    write(tmp_path / "url-mapping.txt", f"<urn:uuid:{name}> http://news.example.org/a\n")
    (page,) = datasets.read(tmp_path)
    assert page.text == "Sieves\nA tamis & silk\nPhoto"
    assert (page.comments, page.annotated, page.html) == ("Nice!", annotated, PAGE.encode())
    assert (page.id, page.dataset, page.site) == (name, "l3s-gn1", "news.example.org")


def test_a_folder_may_have_a_gold_text_beside_each_page(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(tmp_path / "mine" / f"{name}.html", PAGE)
    write(tmp_path / "mine" / "a.txt", "A tamis is a sieve.")
    write(tmp_path / "mine" / "notes.txt", "No page has this name.")
    (page,) = datasets.read(tmp_path / "mine")
    assert (page.id, page.dataset, page.text) == ("a", "mine", "A tamis is a sieve.")
    assert page.html == PAGE.encode()
