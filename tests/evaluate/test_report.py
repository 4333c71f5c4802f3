"""The report: Markdown tables and an HTML file that stands alone."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tamis.errors import OutputError
from tamis.evaluate import charts, report
from tamis.evaluate.contestants import Contestant
from tamis.evaluate.run import Trial
from tamis.evaluate.worker import Gold, Outcome, score

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
    text = report.markdown(RESULTS)
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
    assert report.markdown([]) == "No page was benched.\n"
    assert "</html>" in report.html([])


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
    text = report.html(RESULTS)
    checked = _Checked()
    checked.feed(text)
    assert checked.open == []
    assert {"svg", "table", "details", "ins", "del"} <= checked.seen
    assert not {"b", "script", "link", "img"} & checked.seen
    assert "&lt;b&gt;ads" in text and "ValueError: &lt;none&gt;" in text
    for title in ("Precision against recall", "Speed against accuracy", "Distribution"):
        assert title in text


def test_the_worst_page_comes_first() -> None:
    titles = re.findall("<summary>(.*?)</summary>", report.html(RESULTS))
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
    made = report.write(tmp_path / "new" / "folder", RESULTS)
    assert [path.name for path in made] == ["report.md", "report.html"]
    assert all(path.read_text("utf-8") for path in made)
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="--report"):
        report.write(tmp_path / "file", RESULTS)


@pytest.mark.parametrize(
    "points", [{"one": (0.5, 0.5)}, {"a": (0.0, 0.0), "b": (1000.0, 1.0), "<c>": (3.0, 0.4)}]
)
@pytest.mark.parametrize("logarithmic", [False, True])
def test_a_scatter_is_valid_and_keeps_its_points_inside(
    points: dict[str, tuple[float, float]], logarithmic: bool
) -> None:
    tree = ElementTree.fromstring(charts.scatter(points, ("x", "y"), logarithmic=logarithmic))
    circles = tree.findall("{*}circle")
    assert len(circles) == len(points)
    for circle in circles:
        assert 0 < float(circle.get("cx", "")) < float(tree.get("width", ""))
        assert 0 < float(circle.get("cy", "")) < float(tree.get("height", ""))


def test_a_histogram_counts_every_page() -> None:
    tree = ElementTree.fromstring(charts.histograms({"ours": [0.0, 0.5, 0.99, 1.0], "none": []}))
    titles = [title.text or "" for title in tree.iter("{http://www.w3.org/2000/svg}title")]
    counts = [int(title.split()[0]) for title in titles]
    assert sum(counts[:20]) == 4 and counts[19] == 2 and sum(counts[20:]) == 0


def test_bars_have_a_panel_for_each_group_and_are_valid() -> None:
    groups = {"<one>": {"ours": {"P": 0.5, "R": 1.0}, "theirs": {"P": 0.25}}, "two": {}}
    tree = ElementTree.fromstring(charts.bars(groups))
    texts = [text.text for text in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert {"<one>", "two", "P", "R", "ours", "theirs", ".500", ".250", "1.000"} <= set(texts)
    heights = [
        float(bar.get("height", "")) for bar in tree.iter("{http://www.w3.org/2000/svg}rect")
    ]
    assert heights[1:4] == [heights[2] * 2, heights[2], heights[2] * 4]


def test_dots_that_would_cover_each_other_are_drawn_once() -> None:
    rows = {"p": [(0.5, 0), (0.5, 0), (0.5, 1)], "<b>": [(1.0, 1)]}
    tree = ElementTree.fromstring(charts.dots(rows, [(0.4, 0.6)], ("inside", "outside"), "lines"))
    # Three of the rows, two of the legend.
    assert len(list(tree.iter("{http://www.w3.org/2000/svg}circle"))) == 5
