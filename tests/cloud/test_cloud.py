"""From results to clouds."""

from __future__ import annotations

from pathlib import Path

import tamis
from tamis.cloud.draw import Cloud

PAGES = Path(__file__).parent.parent / "pages"


def result(name: str, url: str | None = None) -> tamis.Result:
    return tamis.extract((PAGES / name / "source.html").read_bytes(), url=url)


def shown(cloud: Cloud) -> set[str]:
    return {term.term.lower() for term in cloud.terms}


def test_the_cloud_of_a_result_has_its_title_its_language_and_links_into_its_page() -> None:
    drawn = result("news-en", "https://e.org/ferry").cloud(12)
    assert len(drawn.terms) == 12
    assert "ferry" in drawn.title.lower()
    assert drawn.language[:2] == "en"
    assert drawn.links["ferry"].startswith("https://e.org/ferry#:~:text=")


def test_a_cloud_of_pages_in_several_languages_has_no_stop_word_of_any() -> None:
    terms = shown(
        tamis.word_cloud([result("news-en"), result("news-de"), result("recipe-fr")], most=500)
    )
    assert {"ferry", "wasser", "farine"} <= terms
    assert not {"the", "and", "der", "und", "les", "dans"} & terms


def test_a_cloud_against_other_pages_has_what_is_special() -> None:
    news, shop = result("news-en"), result("product-en")
    special = shown(tamis.word_cloud([news], most=20, against=[shop]))
    assert "ferry" in special
    assert not special & shown(tamis.word_cloud([shop], most=20, against=[news]))


def test_no_results_give_an_empty_cloud() -> None:
    assert tamis.word_cloud([]).terms == ()
