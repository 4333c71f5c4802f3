"""The switches of Options, what a result is asked for besides its text, and embedded content."""

from __future__ import annotations

import json
from typing import Any

import pytest

import tamis

SENTENCE = "The ferry crosses the sound in nine minutes and nobody has missed the diesel since. "
PAGE = f"""<!DOCTYPE html><html lang="en"><head><title>The ferry | Marrow Post</title></head><body>
<nav><a href="/">Home</a> <a href="/news">News</a> <a href="/sport">Sport</a></nav>
<main><article><h1>The ferry</h1>
<p>{SENTENCE * 3}<a href="/boats">All boats</a> are listed. <img src="boat.jpg" alt="A boat"></p>
<p>{SENTENCE * 4}</p>
<table><thead><tr><th>Crossing</th><th>Minutes</th></tr></thead>
<tbody><tr><td>Low Quay to Marrow</td><td>9</td></tr>
<tr><td>Marrow to Eel Island</td><td>14</td></tr>
</tbody></table>
<p>{SENTENCE * 4}</p></article>
<section id="comments" class="comments"><h2>2 comments</h2>
<div class="comment"><p>Ines: I used to count the seagulls on the old boat; now I sleep.</p></div>
<div class="comment"><p>Tom: My grandmother calls it the kettle because it hums like one.</p></div>
</section></main><footer><a href="/legal">Legal notice</a></footer></body></html>"""


def extract(page: str = PAGE, **switches: Any) -> tamis.Result:
    return tamis.extract(
        page, url="https://marrow.example/ferry", options=tamis.Options(**switches)
    )


def test_comments_are_apart_unless_they_are_asked_for() -> None:
    apart, together = extract(), extract(comments=True)
    assert "seagulls" not in apart.text
    assert "seagulls" in together.text
    assert "seagulls" in apart.comments
    assert "diesel" not in apart.comments
    assert apart.comments == together.comments


def test_tables_links_and_images_can_be_left_out() -> None:
    everything = extract()
    assert "Eel Island" in everything.text
    assert "(https://marrow.example/boats)" in everything.markdown
    assert "![A boat](https://marrow.example/boat.jpg)" in everything.markdown
    bare = extract(tables=False, links=False, images=False)
    assert "Eel Island" not in bare.text + bare.markdown + bare.html
    assert "All boats" in bare.markdown
    assert "/boats" not in bare.markdown + bare.html
    assert "boat.jpg" not in bare.markdown + bare.html


def test_hidden_content_can_be_left_out() -> None:
    page = PAGE.replace("<table>", f"<p hidden>Behind a tab: {SENTENCE * 4}</p><table>")
    options = {"threshold": 0.0}
    assert "Behind a tab" in extract(page, **options).text
    assert "Behind a tab" not in extract(page, hidden=False, **options).text


def test_an_overview_page_is_told_and_can_be_skipped_or_reduced_to_its_entries(
    sources: dict[str, bytes],
) -> None:
    listing = sources["listing-en"].decode()
    result = extract(listing)
    assert result.overview > 0.5
    assert result.page_type == "listing"
    assert len(result.items) == 11
    assert all(item.title and item.link.startswith("https://") for item in result.items)
    assert extract(listing, overview="skip").text == ""
    entries = extract(listing, overview="items").text
    assert all(item.title in entries for item in result.items)
    assert len(entries) < len(extract(listing, threshold=0.0).text)


def test_an_article_is_no_overview() -> None:
    result = extract(overview="skip")
    assert result.overview < 0.5
    assert result.items == ()
    assert "diesel" in result.text


def test_an_unknown_treatment_of_overviews_is_refused() -> None:
    with pytest.raises(ValueError, match="overview is 'drop'; give one of keep, skip, items"):
        tamis.Options(overview="drop")  # type: ignore[arg-type]


def test_the_article_of_a_shell_is_taken_from_its_data() -> None:
    body = "\n\n".join(f"{number}: {SENTENCE}" for number in range(20))
    data = json.dumps({"@type": "NewsArticle", "headline": "The ferry", "articleBody": body})
    page = (
        "<html><head><title>The ferry</title>"
        f'<script type="application/ld+json">{data}</script></head>'
        "<body><div id=root>Loading</div></body></html>"
    )
    result = extract(page)
    assert result.embedded == "json-ld"
    assert len(result.text.splitlines()) == 20
    assert "json-ld" in result.blocks[0].reason
    many = list(tamis.extract_many([page] * 20, workers=2))
    assert isinstance(many[-1], tamis.Result)
    assert many[-1].embedded == "json-ld"
    assert many[-1].markdown == result.markdown
    assert extract().embedded is None


def test_a_block_says_what_it_is_and_why() -> None:
    blocks = extract().blocks
    first = next(block for block in blocks if "diesel" in block.text)
    assert (first.kind, first.kept) == ("main", True)
    assert first.reason.startswith("Kept: ")
    assert next(block for block in blocks if block.text == "Legal notice").kind == "footer"


def test_metadata_come_from_the_page() -> None:
    metadata = extract().metadata
    assert (metadata.title, metadata.language) == ("The ferry", "en")
    assert metadata.sources["language"] == "html"
