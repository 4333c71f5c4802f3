"""Labels of blocks: ours, Label Studio's and WebMainBench's."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamis
from tamis.errors import DatasetError
from tamis.labels import datasets
from tamis.labels import formats as exchange
from tamis.labels.blocks import (
    LabelledSource,
    content_shares,
    join_main,
    label_blocks,
    label_kinds,
    paint_blocks,
)
from tamis.labels.datasets import KINDS, BlockLabel, Example

HTML = """<!doctype html><html><head><title>Ferries – Harbour News</title></head>
<body>
 <nav><ul><li><a href="/">Home</a></li><li><a href="/sea">Sea</a></li></ul></nav>
 <div id="story"><!-- story -->
  <h1>The ferry is back</h1>
  Loose text before the first paragraph, <b>with a bold word</b> &amp; 🚢 more of it.
  <p class="lead">It left at six.</p>
  <p>It carried <a href="/x">ninety people</a> across the sound.</p>
  <div class="share">Share this</div>
 </div>
 <section class="comments"><p>First! Nice boat.</p></section>
 <footer>Imprint</footer>
</body></html>
"""


def kinds_by_text(page: tamis.Page, labels: tuple[BlockLabel, ...]) -> dict[str, str]:
    kinds, missing = paint_blocks(page, labels)
    assert not missing
    texts = page.block_texts(np.arange(len(page.blocks)))
    return {text: KINDS[kind] if kind >= 0 else "" for text, kind in zip(texts, kinds, strict=True)}


MARKED = (
    BlockLabel(kind="main", xpath="/html/body/div"),
    BlockLabel(kind="title", xpath="/html/body/div/h1"),
    BlockLabel(kind="promotion", xpath="/html[1]/body[1]/div[1]/div[1]"),
    BlockLabel(kind="comments", xpath="/html/body/section"),
)
EXPECTED = {
    "Home": "",
    "Sea": "",
    "The ferry is back": "title",
    "Loose text before the first paragraph, with a bold word & 🚢 more of it.": "main",
    "It left at six.": "main",
    "It carried ninety people across the sound.": "main",
    "Share this": "promotion",
    "First! Nice boat.": "comments",
    "Imprint": "",
}


def test_a_label_of_an_element_holds_for_all_below_it_until_a_later_one() -> None:
    assert kinds_by_text(tamis.parse(HTML), MARKED) == EXPECTED


def test_labels_of_blocks_come_back_as_they_were_written(tmp_path: Path) -> None:
    page = tamis.parse(HTML)
    labels = label_kinds(page, paint_blocks(page, MARKED)[0])
    example = Example(id="1", dataset="mine", html=HTML, text="It left.", blocks=labels)
    path = tmp_path / "mine.jsonl"
    path.write_text(datasets.json_line(example))
    (again,) = datasets.read(path)
    assert again == example
    assert kinds_by_text(page, again.blocks) == EXPECTED


def test_a_label_that_the_page_does_not_have_is_counted() -> None:
    page = tamis.parse(HTML)
    moved = BlockLabel(kind="main", xpath="/html/body/footer", start=10, end=40)
    gone = BlockLabel(kind="main", xpath="/html/body/article")
    kinds, missing = paint_blocks(page, (moved, gone))
    assert missing == [moved, gone]
    assert (kinds < 0).all()


def test_nothing_is_learned_from_a_title_and_comments_only_when_asked_for() -> None:
    kinds = np.array([KINDS.index("main"), KINDS.index("title"), KINDS.index("comments"), -1], "i1")
    np.testing.assert_array_equal(content_shares(kinds), [1, np.nan, 0, 0])
    np.testing.assert_array_equal(content_shares(kinds, comments=True), [1, np.nan, 1, 0])


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("main", "'main' is not a kind"),
        ({"kind": "body", "xpath": "/html"}, "'body' is not a kind; choose from: main, title"),
        ({"kind": "main"}, "'xpath' is missing"),
        ({"kind": "main", "start": 9, "end": 3}, "`start` and `end`"),
        ({"kind": "main", "start": "9", "end": "12"}, "`start` and `end`"),
    ],
)
def test_a_wrong_label_is_named(entry: object, message: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps({"id": 1, "html": HTML, "blocks": [entry]}))
    with pytest.raises(DatasetError, match=message.replace("`", ".")):
        list(datasets.read(path))


def marked() -> LabelledSource:
    return label_blocks(
        Example(id="p 1", dataset="mine", html=HTML, url="https://a.example/", blocks=MARKED)
    )


@pytest.mark.parametrize("to", ["tamis", "label-studio"])
def test_all_kinds_survive_a_file_of_another_tool(to: str, tmp_path: Path) -> None:
    path = tmp_path / ("out.json" if to == "label-studio" else "out.jsonl")
    assert exchange.write_labels(path, [marked(), marked()], to) == 2
    for again in datasets.read(path):
        assert (again.id, again.url, again.html) == ("p 1", "https://a.example/", HTML)
        assert kinds_by_text(tamis.parse(again.html), again.blocks) == EXPECTED
        assert again.text is not None and again.text.startswith("Loose text")


def task(*regions: dict[str, Any]) -> list[dict[str, Any]]:
    old = {"result": [], "was_cancelled": True}
    done = {"result": [{"type": "hypertextlabels", "value": region} for region in regions]}
    return [{"id": 7, "data": {"html": HTML}, "annotations": [old, done]}]


def region(start: str, end: str, first: int, last: int, kind: str = "Main") -> dict[str, Any]:
    return {
        "start": start,
        "end": end,
        "startOffset": first,
        "endOffset": last,
        "hypertextlabels": [kind],
    }


def test_a_region_of_label_studio_reaches_from_text_node_to_text_node(tmp_path: Path) -> None:
    # White space after the comment and around the heading are text nodes in a browser.
    path = tmp_path / "export.json"
    rows = task(region("/div[1]/text()[2]", "/div[1]/p[2]/text()[2]", 3, 18))
    path.write_text(json.dumps(rows))
    (page,) = datasets.read(path)
    assert page.id == "7"
    assert page.text == "\n".join(text for text, kind in EXPECTED.items() if kind == "main")


def test_a_selection_is_counted_as_a_browser_counts(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps(task(region("/div[1]/p[2]/a[1]/text()[1]", "/div[1]/p[2]", 0, 0))))
    (page,) = datasets.read(path)
    assert page.text == "It carried ninety people across the sound."


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({"a": 1}, "no list of tasks"),
        ([{"id": 1}], "task 1: field 'data' is missing"),
        ([{"data": {"html": HTML}}], "no annotation"),
        (task(region("/div[9]/text()[1]", "/div[1]", 0, 0)), "nothing at /div"),
        (task(region("/div[1]/text()[99]", "/div[1]", 0, 0)), "no text at /div"),
        (task(region("/div[1]", "/div[1]", 0, 0, "Advert")), "'advert' is not a kind"),
    ],
)
def test_what_is_wrong_with_an_export_is_said(rows: object, message: str, tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps(rows))
    with pytest.raises(DatasetError, match=message):
        list(datasets.read(path))


def test_marked_elements_are_read_and_the_marks_are_gone(tmp_path: Path) -> None:
    html = HTML.replace(
        '<p class="lead">',
        '<p cc-select="true" class="lead mark-selected" data-anno-uid="anno-uid-1">',
    ).replace('<a href="/x">', "<a cc-select=true data-anno-uid='u2' href=\"/x\">")
    path = tmp_path / "bench.jsonl"
    row = {"track_id": "t-1", "html": html, "url": "https://a.example/", "meta": {"language": "en"}}
    path.write_text(json.dumps(row))
    (page,) = datasets.read(path)
    assert page.html == HTML
    assert page.text == "It left at six."  # of the other paragraph the lesser part is marked
    assert (page.id, page.lang) == ("t-1", "en")


def test_marks_are_written_on_elements_that_hold_content_alone(tmp_path: Path) -> None:
    path = tmp_path / "bench.jsonl"
    assert exchange.write_labels(path, [marked()], "webmainbench") == 1
    html = json.loads(path.read_text())["html"]
    assert '<p cc-select="true" class="lead">' in html
    assert '<div cc-select="true"' not in html
    (page,) = datasets.read(path)
    table = tamis.parse(page.html)
    assert join_main(table, paint_blocks(table, page.blocks)[0]) == "\n".join(
        text for text, kind in EXPECTED.items() if kind == "main"
    )


def test_a_page_without_marks_is_not_labelled(tmp_path: Path) -> None:
    path = tmp_path / "bench.jsonl"
    path.write_text(json.dumps({"track_id": "t-1", "html": HTML}))
    with pytest.raises(DatasetError, match="cc-select"):
        list(datasets.read(path))


def test_a_gold_text_becomes_labels_of_the_blocks_that_have_its_words() -> None:
    example = Example(id="1", dataset="mine", html=HTML, text="It left at six. It carried ninety")
    source = label_blocks(replace(example))
    assert join_main(source.page, source.kinds).startswith("It left at six.")
    assert source.missing == 0
