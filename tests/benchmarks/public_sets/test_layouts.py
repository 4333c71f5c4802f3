"""The layouts of the authors of public data sets, and what is broken in them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from public_sets import layouts

from tamis.errors import DatasetError

PAGE = "<nav>Home</nav><p>A tamis is a sieve.</p>"


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content if isinstance(content, bytes) else content.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def test_an_unknown_layout_says_which_there_are(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"no known layout.*Corrected"):
        list(layouts.read(tmp_path))


def test_files_and_pairs_that_tamis_reads_are_read(tmp_path: Path) -> None:
    write(tmp_path / "a.html", PAGE)
    write(tmp_path / "a.txt", "A tamis is a sieve.")
    line = write(tmp_path / "b.jsonl", json.dumps({"id": "b", "html": PAGE}))
    assert [page.id for page in (*layouts.read(tmp_path), *layouts.read(line))] == ["a", "b"]


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
    (page,) = layouts.read(tmp_path / "dev")
    assert (page.id, page.dataset, page.split) == ("0001", "wcxb-dev", "dev")
    assert (page.page_type, page.site, page.date) == ("product", "example.org", "2025-01-02")
    assert (page.text, page.with_, page.without) == (gold["main_content"], ("sieve",), ("Home",))
    assert page.html == PAGE.encode()
    assert page.expected_markdown == gold["main_content_markdown"]
    assert [example.dataset for example in layouts.read(tmp_path)] == ["wcxb-dev", "wcxb-test"]


def test_a_broken_page_of_wcxb_names_file_and_field(tmp_path: Path) -> None:
    wcxb(tmp_path, "0001", {"title": "Tamis"})
    wcxb(tmp_path, "0002", {"main_content": "A sieve."})
    wcxb(tmp_path, "0003", {"main_content": "No page."})
    (tmp_path / "html" / "0003.html.gz").unlink()
    write(tmp_path / "ground-truth" / "0004.json", '{\n"url": }')
    errors: list[DatasetError] = []
    read = layouts.read(tmp_path, on_error=errors.append)
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
    (page,) = layouts.read(tmp_path, on_error=errors.append)
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
    first, second = layouts.read(tmp_path)
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
    first, second = layouts.read(folder)
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
    (page,) = layouts.read(tmp_path)
    assert page.text == "Sieves\nA tamis & silk\nPhoto"
    assert (page.comments, page.annotated, page.html) == ("Nice!", annotated, PAGE.encode())
    assert (page.id, page.dataset, page.site) == (name, "l3s-gn1", "news.example.org")
