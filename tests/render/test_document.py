"""The structured document of `Result.to_dict`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Document = Callable[..., list[dict[str, Any]]]


def test_leaves_have_their_text(as_json: Document) -> None:
    assert as_json("<h2>One</h2><p>two<pre class=language-c>x</pre><hr><p>three") == [
        {"kind": "heading", "level": 2, "text": "One"},
        {"kind": "paragraph", "text": "two"},
        {"kind": "code", "language": "c", "text": "x"},
        {"kind": "rule"},
        {"kind": "paragraph", "text": "three"},
    ]


def test_marks_are_in_the_spans(as_json: Document) -> None:
    (block,) = as_json("<p>a <b>b <a href=/c>c</a></b> <img src=/i.png alt=d> e")
    assert block["text"] == "a b c e"
    assert block["spans"] == [
        {"text": "a"},
        {"text": " b", "marks": ["strong"]},
        {"text": " c", "marks": ["strong"], "link": "https://example.org/c"},
        {"image": "https://example.org/i.png", "alt": "d"},
        {"text": " e"},
    ]


def test_containers_have_children(as_json: Document) -> None:
    source = (
        "<ol start=3><li>a<ul><li>b</ul></ol><table><tr><th>c<th>d<tr><td>e<td colspan=2>f</table>"
    )
    assert as_json(source) == [
        {"kind": "list", "start": 3, "children": [
            {"kind": "item", "children": [
                {"kind": "paragraph", "text": "a"},
                {"kind": "list", "start": None, "children": [
                    {"kind": "item", "children": [{"kind": "paragraph", "text": "b"}]},
                ]},
            ]},
        ]},
        {"kind": "table", "children": [
            {"kind": "row", "children": [cell("c", header=True), cell("d", header=True)]},
            {"kind": "row", "children": [cell("e"), cell("f", columns=2)]},
        ]},
    ]  # fmt: skip


def cell(text: str, *, header: bool = False, columns: int = 1) -> dict[str, Any]:
    children = [{"kind": "paragraph", "text": text}]
    return {"kind": "cell", "header": header, "columns": columns, "rows": 1, "children": children}


def test_footnotes_and_formulas(as_json: Document) -> None:
    source = (
        "<p>a<sup><a href=#fn1>1</a></sup> <math alttext=x_1><mi>x</mi></math><ol><li id=fn1>b</ol>"
    )
    paragraph, notes = as_json(source)
    assert paragraph["spans"][1] == {"text": "1", "marks": ["sup"], "footnote": "1"}
    assert paragraph["spans"][2] == {"text": " x_1", "formula": "inline"}
    assert notes["children"][0]["footnote"] == "1"
