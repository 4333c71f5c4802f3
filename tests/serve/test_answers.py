"""Views of a page, and the formats of Jina's reader and Firecrawl."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

import tamis
from tamis.bench.measures import bag_of_words
from tamis.errors import InputError, OptionsError
from tamis.labels.datasets import KINDS
from tamis.render import original
from tamis.serve.answers import select_parts, write_document, write_reading

Server = Any
ROOT = Path(__file__).parents[2]


def test_a_view_has_every_block_with_its_decision_and_its_place(server: Server, page: str) -> None:
    view = server.post("/v1/view", html=page, base_url="https://a.example/walls").json()
    result = tamis.extract(page, url="https://a.example/walls")
    assert (view["title"], view["language"], view["direction"]) == ("Dry stone walls", "en", "ltr")
    assert (view["method"], view["page_type"]) == ("tamis", result.page_type)
    assert view["cut"] == result.decision.cut
    assert view["hash"] == hashlib.sha256(result.page.source).hexdigest()
    assert view["document"] == original.render(result.page, result.url)
    assert [block["block"] for block in view["blocks"]] == list(range(len(result.blocks)))
    for block, expected in zip(view["blocks"], result.blocks, strict=True):
        assert block["text"] == expected.text
        assert block["score"] == round(expected.score, 4)
        assert (block["kept"], block["kind"]) == (expected.kept, expected.kind)
        assert (block["xpath"], block["start"]) == (expected.xpath, expected.start)
        assert block["line"] == page.encode()[: block["start"]].count(b"\n") + 1
        assert block["words"] > 0


def test_what_is_kept_is_proposed_as_content_and_the_rest_by_its_kind(
    server: Server, page: str
) -> None:
    labels = {
        block["text"]: block["label"]
        for block in server.post("/v1/view", html=page).json()["blocks"]
    }
    assert set(labels.values()) <= set(KINDS)
    assert labels["Dry stone walls"] == "title"
    assert labels["Home News About us"] == "navigation"
    assert labels["Hedges Gates"] == "navigation"
    assert next(label for text, label in labels.items() if "without mortar" in text) == "main"


def test_options_decide_and_the_document_is_left_out(server: Server, page: str) -> None:
    everything = {"threshold": 0.0}
    view = server.post("/v1/view", html=page, options=everything, document=False).json()
    assert view["document"] is None
    assert (view["threshold"], view["focus"]) == (0.0, "balanced")
    assert all(block["kept"] for block in view["blocks"])


def test_a_page_of_which_nothing_is_kept_has_no_cut(server: Server) -> None:
    html = (ROOT / "tests/pages/blocked-en/source.html").read_text("utf-8")
    for path in ("/v1/view", "/v1/explain"):
        response = server.post(path, html=html)
        assert "Infinity" not in response.text
        assert response.json()["cut"] is None


def test_the_source_and_pictures_are_given_if_asked_for(server: Server, site: str) -> None:
    html = "<link rel=stylesheet href=/a.css><p>A wall <img src=/wall.png>"
    view = server.post("/v1/view", html=html, base_url="https://a.example/", pictures=True).json()
    assert view["pictures"]
    assert 'src="https://a.example/wall.png"' in view["document"]
    assert "source" not in view
    fetched = server.post("/v1/view", url=f"{site}/story", document=False, source=True).json()
    assert fetched["source"].startswith("<!doctype html>")
    assert fetched["url"] == f"{site}/story"


def test_a_page_from_right_to_left_says_so(server: Server) -> None:
    html = "<html lang=ar><title>جدران</title><p>" + "الجدار الحجري يبنى بلا ملاط. " * 20
    assert server.post("/v1/view", html=html).json()["direction"] == "rtl"


def test_the_source_of_a_shell_is_the_shell(server: Server) -> None:
    body = " ".join(f"Sentence number {number} of the story is here." for number in range(60))
    data = json.dumps({"@type": "NewsArticle", "headline": "A story", "articleBody": body})
    html = f"<title>A story</title><script type=application/ld+json>{data}</script><p>Loading"
    view = server.post("/v1/view", html=html, source=True).json()
    assert view["embedded"] == "json-ld"
    assert "Sentence number 59" in view["document"]
    assert "<script" not in view["document"]
    assert view["source"] == html


def test_one_block_is_explained_as_among_all(server: Server, page: str) -> None:
    every = server.post("/v1/explain", html=page).json()["blocks"]
    assert server.post("/v1/explain", html=page, block=2).json()["blocks"] == [every[2]]
    wrong = server.post("/v1/explain", html=page, block=99)
    assert wrong.status_code == 422
    assert "there is no block 99; the page has" in wrong.json()["detail"]
    assert server.post("/v1/explain", html=page, block=-1).status_code == 422


def test_methods_are_listed_with_their_parameters(server: Server) -> None:
    listed = {method["name"]: method for method in server.get("/v1/methods").json()["methods"]}
    assert set(listed) == set(tamis.list_methods())
    assert [name for name, method in listed.items() if method["default"]] == ["tamis"]
    assert listed["x_cex"]["fitted"]
    assert listed["boilerpipe"]["parameters"] == {"variant": "numwords"}
    assert listed["boilerpipe"]["summary"].endswith(".")


def test_gold_is_what_each_method_is_measured_against(server: Server, page: str) -> None:
    gold = "A dry stone wall is built without mortar"
    answer = server.post("/v1/compare", html=page, methods=["tamis", "baseline"], gold=gold).json()
    for result in answer["results"]:
        expected = bag_of_words(result["text"], gold)
        assert result["score"] == {
            name: round(value, 4) for name, value in expected._asdict().items()
        }
    without = server.post("/v1/compare", html=page, methods=["tamis", "baseline"]).json()
    assert all("score" not in result for result in without["results"])


@pytest.mark.parametrize("field", ["documents", "picture"])
def test_a_wrong_field_is_named(server: Server, field: str) -> None:
    response = server.post("/v1/view", html="<p>x", **{field: True})
    assert response.status_code == 422
    assert "did you mean" in response.json()["detail"]


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
