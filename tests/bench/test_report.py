"""The report: Markdown tables and an HTML file that stands alone."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tamis.bench import report
from tamis.bench.contestants import Contestant, Gold, Outcome, score
from tamis.bench.run import Trial
from tamis.errors import OutputError

NAMES = ("bag_of_words", "sequence")


def result(
    name: str,
    text: str,
    gold: str | None = "a fine sieve",
    *,
    page: str = "1",
    dataset: str = "small",
    page_type: str | None = "article",
    with_: tuple[str, ...] = (),
    miss: str | None = None,
) -> Trial:
    about = Gold(dataset, page, page_type, gold, with_, (), "hash")
    outcome = Outcome(text, 0.002, miss, *score(text, about, NAMES, ""))
    return Trial(Contestant(name, "x:y", (), "1"), about, outcome)


RESULTS = [
    result("ours", "a fine sieve"),
    result("ours", "a fine mesh", page="2"),
    result("ours", "silk", None, dataset="snippets", page_type=None, with_=("silk", "mesh")),
    result("theirs | 2.0", "", miss="ValueError: <none>"),
    result("theirs | 2.0", "a fine sieve and <b>ads</b>", page="2"),
    result("theirs | 2.0", "", None, dataset="snippets", page_type=None, with_=("silk", "mesh")),
]


def test_markdown_has_one_column_per_set_and_escapes_names() -> None:
    text = report.write_markdown(RESULTS)
    lines = text.splitlines()
    assert "| contestant | small (2) | snippets (1) | mean |" in lines
    assert "| ours | 0.833 | 0.667 | 0.750 |" in lines
    assert any(line.startswith("| theirs \\| 2.0 | small |") for line in lines)
    assert "1 ValueError" in text
    assert "## F1 by page type" in text and "| contestant | article (2) |" in text
    assert "## F1 by measure" in text and "| contestant | set | words | sequence |" in text
    assert "| ours | snippets | 0.500 | 0.000 | 0.667 |" in lines
    widths = {len(re.findall(r"(?<!\\)\|", line)) for line in lines[4:8]}
    assert len(widths) == 1


def test_no_result_is_no_table() -> None:
    assert report.write_markdown([]) == "No page was benched.\n"
    assert "</html>" in report.write_html([])


class _Checked(HTMLParser):
    """Every element that is opened is closed, and nothing is loaded from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        assert not {"src", "href", "onclick"} & dict(attributes).keys()
        if tag not in ("meta", "circle", "line"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_html_stands_alone_and_escapes_what_pages_say() -> None:
    text = report.write_html(RESULTS)
    checked = _Checked()
    checked.feed(text)
    assert checked.open == []
    assert {"svg", "table", "details", "ins", "del"} <= checked.seen
    assert not {"b", "script", "link", "img"} & checked.seen
    assert "&lt;b&gt;ads" in text and "ValueError: &lt;none&gt;" in text
    for title in ("Precision against recall", "Speed against accuracy", "Distribution"):
        assert title in text


def test_the_worst_page_comes_first() -> None:
    titles = re.findall("<summary>(.*?)</summary>", report.write_html(RESULTS))
    assert titles[:2] == ["small 2, article: F1 0.667", "small 1, article: F1 1.000"]
    assert len(titles) == 4


def test_a_word_diff_distinguishes_missing_from_too_much() -> None:
    assert report.word_diff("a fine sieve", "a sieve of silk") == (
        "a <del>fine</del> sieve <ins>of silk</ins>"
    )
    long = " ".join(map(str, range(100)))
    assert report.word_diff(long, long) == "0 1 2 3 4 5 6 7 … 92 93 94 95 96 97 98 99"
    assert report.word_diff("x " * 50_000, "y " * 50_000).count("x") == 1500


def test_both_files_are_written(tmp_path: Path) -> None:
    made = report.write_report(tmp_path / "new" / "folder", RESULTS)
    assert [path.name for path in made] == ["report.md", "report.html"]
    assert all(path.read_text("utf-8") for path in made)
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="--report"):
        report.write_report(tmp_path / "file", RESULTS)
