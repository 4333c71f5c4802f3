"""The pages of data sets with their labels."""

from __future__ import annotations

import json
from pathlib import Path

from training.reading import labelled_pages, read

from tamis.labels.datasets import Example

STORY = "The ferry left the harbour at six in the morning"
FOG = "nobody had expected the fog from the hills"


def example(html: str, text: str, **more: object) -> Example:
    return Example(id="1", dataset="made", html=html, text=text, **more)  # type: ignore[arg-type]


def test_the_site_is_named_or_the_host_or_the_id() -> None:
    sources: list[dict[str, object]] = [{"site": "a.example"}, {"url": "https://b.example/c"}, {}]
    labelled = labelled_pages(example("<p>x", "x", **source) for source in sources)
    assert [page.site for page in labelled] == ["a.example", "b.example", "1"]


def test_a_page_over_a_limit_is_left_out() -> None:
    deep = example("<div>" * 3000 + "x", "x")
    assert not labelled_pages([deep])
    assert len(labelled_pages([deep, example("<p>x", "x")])) == 1


def test_sets_are_read_in_the_order_of_their_pages(tmp_path: Path) -> None:
    rows = [{"id": str(number), "html": f"<p>{STORY}<p>{FOG}", "text": FOG} for number in range(40)]
    path = tmp_path / "made.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    messages: list[str] = []
    labelled = read([path, path], messages.append)
    assert [page.example.id for page in labelled] == [row["id"] for row in rows] * 2
    assert all(page.labels.tolist() == [0, 1] for page in labelled)
    assert messages == ["reading made.jsonl"] * 2
