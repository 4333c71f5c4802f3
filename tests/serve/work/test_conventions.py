"""The formats of Jina's reader and Firecrawl, without a server."""

from __future__ import annotations

import json
from typing import Any

import pytest

import tamis
from tamis.errors import InputError, OptionsError
from tamis.serve.work.conventions import select_parts, write_document, write_reading

PAGE = (
    "<html><head><title>Walls</title></head><body><nav><a href=/>Home</a></nav>"
    "<article class=story><h1>Walls</h1><p class=story>A dry stone wall is built without mortar;"
    " it stands because each stone rests on two others.</p><p>Tools are a hammer, a line and much"
    " patience, as <a href=/tools>we said</a>; what counts is which <a href=/stones>stones</a> you"
    " find, and the hammer was in <a href=/tools>the list</a>, too.</p></article></body></html>"
)


def test_unwanted_parts_are_dropped_and_the_rest_stays() -> None:
    html = select_parts(PAGE, None, unwanted=["nav", "h1"])
    assert "Home" not in html and "<h1>" not in html
    assert "dry stone wall" in html and "<title>Walls</title>" in html


def test_wanted_parts_come_once_even_inside_each_other() -> None:
    html = select_parts(PAGE, None, wanted=[".story"])
    assert html.count("A dry stone wall") == 1
    assert "Home" not in html
    assert "<title>Walls</title>" in html


def test_what_is_unwanted_is_dropped_from_what_is_wanted() -> None:
    html = select_parts(PAGE, None, wanted=["article"], unwanted=["p.story"])
    assert "Tools" in html and "dry stone wall" not in html


def test_a_selector_that_is_none_is_named() -> None:
    with pytest.raises(OptionsError, match="is not valid CSS"):
        select_parts(PAGE, None, wanted=["["])


def result() -> tamis.Result:
    return tamis.extract(PAGE, url="https://field.example/walls")


def test_a_reading_begins_with_lines_about_the_page_unless_it_is_plain() -> None:
    body, kind = write_reading(result(), "text", "labelled", None)
    assert body.startswith(b"Title: Walls\n\nURL Source: https://field.example/walls\n\nMarkdown")
    assert kind == "text/plain"
    plain, kind = write_reading(result(), "text", "plain", None)
    assert (plain.decode(), kind) == (result().text, "text/plain")
    assert write_reading(result(), "markdown", "markdown", None)[1] == "text/markdown"
    assert write_reading(result(), "html", "html", None)[1] == "text/html"


def test_a_reading_in_json_counts_its_tokens_and_the_budget_is_a_limit() -> None:
    body, kind = write_reading(result(), "text", "json", None)
    data = json.loads(body)["data"]
    assert (kind, data["content"]) == ("application/json", result().text)
    tokens = data["usage"]["tokens"]
    assert write_reading(result(), "text", "json", tokens)[0] == body
    with pytest.raises(InputError, match="raise X-Token-Budget"):
        write_reading(result(), "text", "json", tokens - 1)


def document(*names: str) -> dict[str, Any]:
    served = {"sourceURL": "https://field.example/walls", "statusCode": 200}
    written: dict[str, Any] = json.loads(
        write_document(result(), names, lambda: "the source", served)
    )
    return written


def test_a_document_has_the_formats_that_are_asked_for() -> None:
    made = document("rawHtml", "links", "markdown")
    assert made["rawHtml"] == "the source"
    assert made["links"] == ["https://field.example/tools", "https://field.example/stones"]
    assert made["markdown"] == result().markdown
    assert "html" not in made and "warning" not in made
    assert made["metadata"]["title"] == "Walls"
    assert (made["metadata"]["statusCode"], made["metadata"]["ogImage"]) == (200, None)


def test_a_document_warns_of_formats_that_are_not_made() -> None:
    made = document("html", "screenshot", "json")
    assert made["warning"] == "not made here: screenshot, json"
